package cluster_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lockstep/cluster"
	"lockstep/cluster/wire"
)

func TestAuthorityIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	pins := make([]wire.Pin, 8)
	for i := range pins {
		group.Go(func() {
			a, err := cluster.OpenAuthority(dir)
			if err != nil {
				t.Error(err)
				return
			}
			pins[i] = a.Pin()
		})
	}
	group.Wait()
	for _, pin := range pins[1:] {
		if pin != pins[0] {
			t.Fatalf("openers have different authorities: %v", pins)
		}
	}
	at, err := os.Stat(filepath.Join(dir, cluster.AuthorityKey))
	if err != nil || at.Mode().Perm() != 0o600 {
		t.Errorf("key: mode %v, %v", at.Mode(), err)
	}
	left, err := fs.Glob(os.DirFS(dir), "*")
	if err != nil || len(left) != 3 { // key, certificate, lock
		t.Errorf("files: %v, %v", left, err)
	}
}

func TestAuthorityOutlivesItsCertificate(t *testing.T) {
	dir := t.TempDir()
	before, err := cluster.OpenAuthority(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, cluster.AuthorityCertificate)); err != nil {
		t.Fatal(err)
	}
	after, err := cluster.OpenAuthority(dir)
	if err != nil {
		t.Fatal(err)
	}
	if before.Pin() != after.Pin() {
		t.Error("the pin has changed with the certificate")
	}
}

func TestAuthorityRefusesWhatDoesNotBelongTogether(t *testing.T) {
	for name, spoil := range map[string]func(dir, other string) error{
		"restore the key": func(dir, _ string) error { return os.Remove(filepath.Join(dir, cluster.AuthorityKey)) },
		"do not belong together": func(dir, other string) error {
			return os.Rename(filepath.Join(other, cluster.AuthorityKey), filepath.Join(dir, cluster.AuthorityKey))
		},
		"no PEM block": func(dir, _ string) error {
			return os.WriteFile(filepath.Join(dir, cluster.AuthorityCertificate), []byte("nonsense"), 0o600)
		},
	} {
		dir, other := t.TempDir(), t.TempDir()
		for _, d := range []string{dir, other} {
			if _, err := cluster.OpenAuthority(d); err != nil {
				t.Fatal(err)
			}
		}
		if err := spoil(dir, other); err != nil {
			t.Fatal(err)
		}
		if _, err := cluster.OpenAuthority(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v does not say %q", err, name)
		}
	}
}
