package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/web/account"
)

// finished is a run that has ended, asked for and kept through q.
func finished(t *testing.T, q *RunQueue, ranks int) trace.Run {
	t.Helper()
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: ranks, Size: 1 << 20}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	run, err := q.Enqueue(t.Context(), trace.NewRun("", spec, time.Now()), trace.Kept{})
	if err != nil {
		t.Fatal(err)
	}
	run.Outcome = trace.Cancelled
	if err := q.Finish(t.Context(), run, nil); err != nil {
		t.Fatal(err)
	}
	return run
}

// backedUp returns a backup of a folder.
func backedUp(t *testing.T, dir string, beside ...string) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := Backup(t.Context(), dir, t.TempDir(), "test", beside, &file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func dump(t *testing.T, dir string) map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite3", readDSN(filepath.Join(dir, databaseFile)))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string][]string{}
	for table := range rowsOf(t, db) {
		rows, err := db.QueryContext(t.Context(), `SELECT * FROM "`+table+`"`)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			row := ""
			for _, v := range values {
				row += fmt.Sprintf("%v|", *v.(*any))
			}
			all[table] = append(all[table], row)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
		slices.Sort(all[table])
	}
	return all
}

// A backup taken while others write holds what was acknowledged before it, is
// sound, and restored it is the same but for sessions and keys.
func TestRestoredIsWhatWasBackedUp(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	q, err := s.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for n := range 5 {
		finished(t, q, n+2)
	}
	_, key := account.NewOpeningKey(time.Now())
	if err := s.Keys().Add(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := s.Sessions(time.Now).Commit("token", []byte("content"), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ca.key"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := dump(t, dir)
	file := backedUp(t, dir, "ca.crt", "ca.key")

	to := filepath.Join(t.TempDir(), "restored")
	m, aside, err := Restore(t.Context(), Restoration{From: bytes.NewReader(file), Dir: to, Beside: []string{"ca.crt", "ca.key"}})
	if err != nil || aside != "" {
		t.Fatalf("restore: %v, aside %q", err, aside)
	}
	entries, err := os.ReadDir(to)
	if err != nil || len(entries) != 2 {
		t.Errorf("folder holds %v, %v", entries, err)
	}
	if m.Program != "test" || len(m.Files) != 2 {
		t.Errorf("manifest %+v", m)
	}
	delete(before, "sessions")
	delete(before, "opening_keys")
	if diff := cmp.Diff(before, dump(t, to)); diff != "" {
		t.Errorf("restored (-before +after):\n%s", diff)
	}
	if secret, err := os.ReadFile(filepath.Join(to, "ca.key")); err != nil || string(secret) != "secret" {
		t.Errorf("ca.key %q, %v", secret, err)
	}
	for _, name := range []string{databaseFile, "ca.key"} {
		at, err := os.Stat(filepath.Join(to, name))
		if err != nil || at.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", name, at.Mode(), err)
		}
	}
	if bytes.Contains(unzipped(t, file), key.Digest[:]) {
		t.Error("the backup holds an opening key")
	}
}

func unzipped(t *testing.T, file []byte) []byte {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestBackupDuringWrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	q, err := s.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	ctx, stop := context.WithCancel(t.Context())
	acknowledged := make(chan int, 1) // the newest number of writes that were
	acknowledged <- 0
	ended := make(chan error, 1)
	go func() {
		for n := 1; ctx.Err() == nil; n++ {
			_, key := account.NewOpeningKey(time.Now())
			if err := s.Keys().Add(context.Background(), key); err != nil {
				ended <- err
				return
			}
			run, err := q.Enqueue(context.Background(), trace.Run{Version: 1, Created: time.Now()}, trace.Kept{})
			if err == nil {
				run.Outcome = trace.Cancelled
				err = q.Finish(context.Background(), run, nil)
			}
			if err != nil {
				ended <- err
				return
			}
			<-acknowledged
			acknowledged <- n
		}
		ended <- nil
	}()
	for round := range 5 {
		least := <-acknowledged
		acknowledged <- least
		file := backedUp(t, dir)
		to := filepath.Join(t.TempDir(), fmt.Sprint(round))
		if _, _, err := Restore(t.Context(), Restoration{From: bytes.NewReader(file), Dir: to}); err != nil {
			t.Fatal(err)
		}
		restored, err := Open(t.Context(), to)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := restored.Runs().Recent(t.Context(), 1_000_000)
		if err := errors.Join(err, restored.Close()); err != nil {
			t.Fatal(err)
		}
		if len(runs) < least {
			t.Errorf("%d runs; %d were acknowledged before", len(runs), least)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Every earlier version's backup is restored and brought up to date.
func TestRestoreMigrates(t *testing.T) {
	fresh := schemaOf(t, open(t).read)
	for _, version := range versions(t) {
		dir := filepath.Join(t.TempDir(), "data")
		before := fillAt(t, dir, version)
		file := backedUp(t, dir)
		to := filepath.Join(t.TempDir(), "restored")
		m, _, err := Restore(t.Context(), Restoration{From: bytes.NewReader(file), Dir: to})
		if err != nil || m.Schema != version {
			t.Fatalf("version %d: %v, schema %d", version, err, m.Schema)
		}
		s := openIn(t, to)
		if diff := cmp.Diff(fresh, schemaOf(t, s.read)); diff != "" {
			t.Errorf("version %d: schema (-fresh +restored):\n%s", version, diff)
		}
		after := rowsOf(t, s.read)
		for table, n := range before {
			for _, f := range forgotten {
				if f.table == table {
					n = kept(t, dir, `SELECT count(*) FROM `+table+` WHERE NOT (`+f.rows+`)`)
				}
			}
			if after[table] != n {
				t.Errorf("version %d: table %s has %d rows, %d before", version, table, after[table], n)
			}
		}
	}
}

// kept answers a query for a number.
func kept(t *testing.T, dir, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite3", readDSN(filepath.Join(dir, databaseFile)))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRestoreIntoAFolderThatIsNotEmpty(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	file := backedUp(t, dir)
	q, err := s.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	restore := func(force bool) (string, error) {
		_, aside, err := Restore(t.Context(), Restoration{From: bytes.NewReader(file), Dir: dir, Force: force})
		return aside, err
	}
	if _, err := restore(false); !errors.Is(err, ErrFolderFull) {
		t.Errorf("not empty: %v", err)
	}
	if _, err := restore(true); !errors.Is(err, ErrFolderUsed) {
		t.Errorf("in use: %v", err)
	}
	finished(t, q, 2)
	if err := errors.Join(q.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	aside, err := restore(true)
	if err != nil {
		t.Fatal(err)
	}
	again, err := restore(true)
	if err != nil || filepath.Dir(again) != dir {
		t.Fatalf("once more: %q, %v", again, err)
	}
	for at, want := range map[string]int{dir: 0, again: 0, aside: 1} {
		s := openIn(t, at)
		runs, err := s.Runs().Recent(t.Context(), 10)
		if err != nil || len(runs) != want {
			t.Errorf("%s holds %d runs, %v; want %d", at, len(runs), err, want)
		}
	}
}

// People name files and folders from where they are.
func TestBackupOfARelativeFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	openIn(t, "data")
	var file bytes.Buffer
	if _, err := Backup(t.Context(), "data", ".", "test", nil, &file); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Restore(t.Context(), Restoration{From: &file, Dir: "restored"}); err != nil {
		t.Fatal(err)
	}
	if there, err := Exists("restored"); !there || err != nil {
		t.Errorf("restored: %v, %v", there, err)
	}
}

func TestBackupOfNothing(t *testing.T) {
	dir := t.TempDir()
	_, err := Backup(t.Context(), dir, t.TempDir(), "test", nil, io.Discard)
	if !errors.Is(err, ErrNoData) {
		t.Errorf("backup: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("it left %v", left)
	}
}
