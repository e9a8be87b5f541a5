package store

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("LOCKSTEP_TEST_OPEN"); dir != "" { // this is the other process of TestProcessesOpenTogether
		s, err := Open(context.Background(), dir)
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// open opens a store in a new folder for the length of the test.
func open(t *testing.T) *Store {
	t.Helper()
	return openIn(t, filepath.Join(t.TempDir(), "data"))
}

func openIn(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// pragmas reads back what a connection is set to.
func pragmas(t *testing.T, conn *sql.Conn) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, name := range []string{"foreign_keys", "journal_mode", "busy_timeout", "synchronous", "query_only"} {
		var value string
		if err := conn.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&value); err != nil {
			t.Fatalf("read pragma %s: %v", name, err)
		}
		got[name] = value
	}
	return got
}

func TestEveryConnectionIsSet(t *testing.T) {
	s := open(t)
	readers := s.read.Stats().MaxOpenConnections
	if readers < 4 {
		t.Fatalf("read pool holds %d connections, want at least 4", readers)
	}
	if n := s.write.Stats().MaxOpenConnections; n != 1 {
		t.Fatalf("write pool holds %d connections, want 1", n)
	}
	for name, pool := range map[string]struct {
		db        *sql.DB
		size      int
		queryOnly string
	}{
		"write": {s.write, 1, "0"},
		"read":  {s.read, readers, "1"},
	} {
		want := map[string]string{
			"foreign_keys": "1", "journal_mode": "wal", "busy_timeout": "10000",
			"synchronous": "2", // FULL
			"query_only":  pool.queryOnly,
		}
		for i := range pool.size { // all held at once, so each is a connection of its own
			conn, err := pool.db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if diff := cmp.Diff(want, pragmas(t, conn)); diff != "" {
				t.Errorf("%s connection %d (-want +got):\n%s", name, i, diff)
			}
		}
		if n := pool.db.Stats().OpenConnections; n != pool.size {
			t.Errorf("%s pool has %d connections open, want %d", name, n, pool.size)
		}
	}
}

func TestReadPoolCannotWrite(t *testing.T) {
	s := open(t)
	if _, err := s.read.ExecContext(t.Context(), `DELETE FROM sessions`); err == nil {
		t.Error("read pool has written")
	}
}

func TestWriteTransactionTakesTheLockAtItsStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first, second := openIn(t, dir), openIn(t, dir)
	tx, err := first.write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	conn, err := second.write.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), `PRAGMA busy_timeout = 1`); err != nil {
		t.Fatal(err)
	}
	if late, err := conn.BeginTx(t.Context(), nil); err == nil {
		late.Rollback()
		t.Error("two write transactions have begun at the same time")
	}
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parent", "data")
	s := openIn(t, dir)
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at, err := d.Info()
		if err != nil {
			return err
		}
		if at.Mode().Perm()&othersAny != 0 {
			t.Errorf("%s has mode %#o", path, at.Mode().Perm())
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestOpenTightensTheDatabaseOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, databaseFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	openIn(t, dir)
	for path, want := range map[string]fs.FileMode{dir: 0o755, filepath.Join(dir, databaseFile): 0o600} {
		at, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if at.Mode().Perm() != want {
			t.Errorf("%s has mode %#o, want %#o", path, at.Mode().Perm(), want)
		}
	}
}

func TestOpenRefusesAFolderOthersCanWriteTo(t *testing.T) {
	for _, mode := range []fs.FileMode{0o770, 0o707, 0o777} {
		dir := t.TempDir()
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), dir)
		if err == nil {
			s.Close()
			t.Errorf("folder with mode %#o is accepted", mode)
			continue
		}
		if !strings.Contains(err.Error(), "chmod") {
			t.Errorf("error does not say what to do: %v", err)
		}
	}
}

func TestOpenTakesAnyFolderName(t *testing.T) {
	for _, name := range []string{"a b", "50%", "what?", "#1", "数据", "x&_foreign_keys=0"} {
		dir := filepath.Join(t.TempDir(), name)
		s := openIn(t, dir)
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, databaseFile)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenersMeet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			s, err := Open(t.Context(), dir)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestProcessesOpenTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var started []*exec.Cmd
	var said []*strings.Builder
	for range 4 {
		process := exec.CommandContext(t.Context(), os.Args[0])
		process.Env = append(os.Environ(), "LOCKSTEP_TEST_OPEN="+dir)
		out := new(strings.Builder)
		process.Stderr = out
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		started, said = append(started, process), append(said, out)
	}
	for i, process := range started {
		if err := process.Wait(); err != nil {
			t.Errorf("process %d: %v\n%s", i, err, said[i])
		}
	}
}

func TestOpenGivesUpWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := Open(ctx, filepath.Join(t.TempDir(), "data")); err == nil {
		s.Close()
		t.Error("opened under a cancelled context")
	}
}

func TestReadyFailsOnceClosed(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s.Ready(t.Context()) == nil {
		t.Error("closed store says it is ready")
	}
}
