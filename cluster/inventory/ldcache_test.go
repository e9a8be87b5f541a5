package inventory

import (
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// cacheOf writes a cache of the linker as ldconfig does.
func cacheOf(files ...string) []byte {
	var texts []byte
	start := cacheHeader + len(files)*cacheEntry
	b := make([]byte, start)
	copy(b, cacheMagic)
	binary.NativeEndian.PutUint32(b[len(cacheMagic):], uint32(len(files)))
	for i, file := range files {
		at := cacheHeader + i*cacheEntry
		binary.NativeEndian.PutUint32(b[at+8:], uint32(start+len(texts)))
		texts = append(append(texts, file...), 0)
	}
	return append(b, texts...)
}

func TestLinkersCache(t *testing.T) {
	read := func(content []byte) []string {
		return readCache(fstest.MapFS{"etc/ld.so.cache": {Data: content}})
	}
	whole := cacheOf("/opt/site/lib/libnccl.so.2", "relative/libmpi.so", "/lib/libc.so.6")
	want := []string{"opt/site/lib/libnccl.so.2", "lib/libc.so.6"}
	for name, content := range map[string][]byte{
		"alone":               whole,
		"behind an older one": append([]byte("ld.so-1.7.0\x00and what it holds"), whole...),
	} {
		if diff := cmp.Diff(want, read(content)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for end := range whole { // no place to cut it makes trouble
		if got := read(whole[:end]); len(got) > len(want) {
			t.Errorf("cut at %d: %v", end, got)
		}
	}
	many := slices.Clone(whole)
	binary.NativeEndian.PutUint32(many[len(cacheMagic):], 1<<31)
	if got := read(many); got != nil {
		t.Errorf("a cache that claims 2^31 files: %v", got)
	}
}

func TestThisMachinesCache(t *testing.T) {
	if _, err := os.Stat("/etc/ld.so.cache"); err != nil {
		t.Skip("no cache of glibc's linker here")
	}
	files := readCache(os.DirFS("/"))
	if !slices.ContainsFunc(files, func(f string) bool { return strings.Contains(f, "libc.so") }) {
		t.Errorf("%d files, and no libc among them", len(files))
	}
}

func FuzzLinkersCache(f *testing.F) {
	f.Add(cacheOf("/lib/libc.so.6"))
	f.Fuzz(func(_ *testing.T, content []byte) {
		readCache(fstest.MapFS{"etc/ld.so.cache": {Data: content}})
	})
}
