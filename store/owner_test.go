package store

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/trace"
)

// TestHoldARun is the other process of the tests below: it enters two runs,
// begins the first, says so and holds on until it is killed.
func TestHoldARun(t *testing.T) {
	dir := os.Getenv("LOCKSTEP_TEST_HOLD")
	if dir == "" {
		t.Skip("runs as another process of other tests")
	}
	s, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.JoinRuns(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	running, queued := enqueue(t, q), enqueue(t, q)
	if n := claims(t, q, running.ID); n != 0 {
		t.Fatalf("%d runs come first", n)
	}
	fmt.Printf("holding %s %s\n", running.ID, queued.ID)
	_, _ = io.Copy(io.Discard, os.Stdin)
	t.Fatal("outlived the test")
}

// holder is a process that holds a running and a queued run.
type holder struct {
	process         *exec.Cmd
	running, queued string
}

// hold starts a holder on the folder; it is killed at the end of the test.
func hold(t *testing.T, dir string) *holder {
	t.Helper()
	h := &holder{process: exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHoldARun$")}
	h.process.Env = append(os.Environ(), "LOCKSTEP_TEST_HOLD="+dir)
	h.process.Stderr = os.Stderr
	stdin, err := h.process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := h.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.kill()
		stdin.Close()
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if n, _ := fmt.Sscanf(lines.Text(), "holding %s %s", &h.running, &h.queued); n == 2 {
			return h
		}
	}
	t.Fatalf("the other process has not begun: %v", lines.Err())
	return nil
}

// kill ends the process as kill -9 does, and returns when it is gone.
func (h *holder) kill() {
	_ = h.process.Process.Kill()
	_ = h.process.Wait() // says that it was killed
}

func ownerFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, ownersFolder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func wantStopped(t *testing.T, run trace.Run) {
	t.Helper()
	if run.Outcome != trace.Failed || run.Failure == nil || run.Failure.Kind != trace.ConsoleStopped || !strings.HasPrefix(run.Failure.Message, "console stopped") {
		t.Errorf("run %s of a killed process: %s, %+v", run.ID, run.Outcome, run.Failure)
	}
}

func TestRunsOfAKilledProcessEnd(t *testing.T) {
	for name, look := range map[string]func(*testing.T, *Store, *holder){
		"when listed": func(t *testing.T, s *Store, h *holder) {
			runs, err := s.Runs().Recent(t.Context(), 10)
			if err != nil || len(runs) != 2 {
				t.Fatalf("listed %v, %v", runs, err)
			}
			wantStopped(t, runs[0])
			wantStopped(t, runs[1])
		},
		"when looked up": func(t *testing.T, s *Store, h *holder) {
			wantStopped(t, find(t, s.Runs(), h.running))
			wantStopped(t, find(t, s.Runs(), h.queued))
		},
		"when the queue is joined": func(t *testing.T, s *Store, h *holder) {
			join(t, s)
			if n := notEnded(t, s); n != 0 {
				t.Errorf("%d runs have not ended", n)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			s := openIn(t, dir)
			h := hold(t, dir)
			for _, id := range []string{h.running, h.queued} {
				if run := find(t, s.Runs(), id); run.Outcome.Final() {
					t.Fatalf("run %s has ended while its process lives: %+v", id, run.Failure)
				}
			}
			h.kill()
			look(t, s, h)
		})
	}
}

func notEnded(t *testing.T, s *Store) int {
	t.Helper()
	var n int
	if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM runs WHERE ended_ms IS NULL`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestClaimGoesPastAKilledProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	q := join(t, s)
	h := hold(t, dir)
	run := enqueue(t, q)
	if n := claims(t, q, run.ID); n != 2 {
		t.Errorf("%d runs come first, want the living process's 2", n)
	}
	h.kill()
	if n := claims(t, q, run.ID); n != 0 {
		t.Errorf("%d runs come first, want none", n)
	}
	wantStopped(t, find(t, s.Runs(), h.running))
	if found := find(t, s.Runs(), run.ID); found.Outcome != trace.Running {
		t.Errorf("claimed run is %s", found.Outcome)
	}
}

func TestLocksOfTheDeadAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	first := join(t, s)
	h := hold(t, dir)
	h.kill()
	if n := len(ownerFiles(t, dir)); n != 2 {
		t.Fatalf("%d lock files, want the living one and the dead one's", n)
	}
	second := join(t, s)
	want := map[string]bool{s.ownerPath(first.owner): true, s.ownerPath(second.owner): true}
	files := ownerFiles(t, dir)
	for _, file := range files {
		if !want[file] {
			t.Errorf("%s has been left", file)
		}
	}
	if len(files) != 2 {
		t.Errorf("%d lock files, want the 2 of the living", len(files))
	}
}

func TestLeavingLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	q, err := s.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run := enqueue(t, q)
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if files := ownerFiles(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	wantStopped(t, find(t, s.Runs(), run.ID))
}

// An owner's name comes from the database, which may have been anywhere.
func TestOwnerNamesStayInTheirFolder(t *testing.T) {
	s := open(t)
	for _, name := range []string{"../lockstep", "a/b", "..", "."} {
		if alive, err := s.lives(name); alive || err != nil {
			t.Errorf("owner %q: %v, %v", name, alive, err)
		}
	}
}
