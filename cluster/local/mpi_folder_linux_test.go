package local

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// What a killed console has left goes; what lives, what is just being made and
// what is no folder of ours stays.
func TestSweepRemovesWhatNobodyHolds(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	make := func(name string, locked bool) string {
		path := filepath.Join(temporary, name)
		if err := os.MkdirAll(filepath.Join(path, "session"), 0o700); err != nil {
			t.Fatal(err)
		}
		if locked {
			if err := os.WriteFile(filepath.Join(path, folderLock), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	make(folderPrefix+"killed", true)
	before := make(folderPrefix+"before", false) // by a version without locks
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(before, long, long); err != nil {
		t.Fatal(err)
	}
	make(folderPrefix+"new", false)
	make("lockstep-other", true)
	precious := make("precious", true)
	if err := os.Symlink(precious, filepath.Join(temporary, folderPrefix+"link")); err != nil {
		t.Fatal(err)
	}
	held := flock.New(filepath.Join(make(folderPrefix+"alive", true), folderLock))
	if mine, err := held.TryLock(); err != nil || !mine {
		t.Fatal(mine, err)
	}
	t.Cleanup(func() { _ = held.Close() })
	want := []string{folderPrefix + "alive", folderPrefix + "link", folderPrefix + "new", "lockstep-other", "precious"}
	if os.Geteuid() == 0 {
		if err := os.Chown(make(folderPrefix+"theirs", true), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		want = append(want, folderPrefix+"theirs")
	}
	slices.Sort(want)

	f, err := newRunFolder()
	if err != nil {
		t.Fatal(err)
	}
	sweep(temporary) // as another console would
	if _, err := os.Stat(f.path); err != nil {
		t.Error("a folder that is in use is removed")
	}
	if err := f.remove(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(temporary)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
	if _, err := os.Stat(filepath.Join(precious, "session")); err != nil {
		t.Error("what a link leads to is removed")
	}
}
