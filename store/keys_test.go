package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lockstep/web/account"
)

var noon = time.Date(2025, 12, 1, 12, 0, 0, 0, time.UTC)

func TestKeyIsUsedOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	stores := []*Store{openIn(t, dir), openIn(t, dir)} // as two processes would
	_, key := account.NewOpeningKey(noon)
	if err := stores[0].Keys().Add(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	var opened, refused atomic.Int32
	for i := range 16 {
		group.Go(func() {
			switch err := stores[i%2].Keys().Consume(t.Context(), key.Digest, noon.Add(time.Hour)); {
			case err == nil:
				opened.Add(1)
			case errors.Is(err, account.ErrKeyRefused):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if opened.Load() != 1 || refused.Load() != 15 {
		t.Errorf("key opened %d times and was refused %d times, want 1 and 15", opened.Load(), refused.Load())
	}
}

func TestKeyIsRefused(t *testing.T) {
	keys := open(t).Keys()
	_, key := account.NewOpeningKey(noon)
	if err := keys.Add(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := keys.Consume(t.Context(), account.KeyDigest{1}, noon); !errors.Is(err, account.ErrKeyRefused) {
		t.Errorf("unknown key: %v, want ErrKeyRefused", err)
	}
	if err := keys.Consume(t.Context(), key.Digest, key.Expires); !errors.Is(err, account.ErrKeyRefused) {
		t.Errorf("expired key: %v, want ErrKeyRefused", err)
	}
	if err := keys.Consume(t.Context(), key.Digest, key.Expires.Add(-time.Millisecond)); err != nil {
		t.Errorf("key in its last millisecond: %v", err)
	}
}

func TestAddForgetsExpiredKeys(t *testing.T) {
	s := open(t)
	for _, at := range []time.Time{noon, noon.Add(time.Hour), noon.Add(account.KeyLifetime)} {
		_, key := account.NewOpeningKey(at)
		if err := s.Keys().Add(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	if n := rowsOf(t, s.read)["opening_keys"]; n != 2 {
		t.Errorf("%d keys are kept, want the 2 that have not expired", n)
	}
}

// TestSecretsAreNotOnDisk looks for them in the files themselves.
func TestSecretsAreNotOnDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	text, key := account.NewOpeningKey(noon)
	token := "a-session-token-as-the-browser-sends-it"
	if err := s.Keys().Add(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := s.Sessions(time.Now).Commit(token, []byte("content-in-the-clear"), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	if !bytes.Contains(all, []byte("content-in-the-clear")) {
		t.Fatal("the search finds nothing at all")
	}
	for _, secret := range []string{text, token} {
		if bytes.Contains(all, []byte(secret)) {
			t.Errorf("%q stands in the data folder", secret)
		}
	}
}
