package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// join takes a hand in the queue for the length of the test.
func join(t *testing.T, s *Store) *RunQueue {
	t.Helper()
	q, err := s.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Errorf("leave queue: %v", err)
		}
	})
	return q
}

// asked is a run that has just been asked for.
func asked() trace.Run {
	return trace.NewRun("", trace.Spec{
		Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 1024, Iterations: 3,
		DType: schedule.Float32, Op: schedule.Sum, Backend: trace.Host, Link: trace.TCP, Pace: trace.Pace{Rate: 1e9},
	}, noon)
}

func enqueue(t *testing.T, q *RunQueue) trace.Run {
	t.Helper()
	run, err := q.Enqueue(t.Context(), asked(), trace.Kept{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// claims reports how many runs come before the given one, which begins if none does.
func claims(t *testing.T, q *RunQueue, id string) int {
	t.Helper()
	ahead, err := q.Claim(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return ahead
}

// done is the end of a run.
func done(run trace.Run) trace.Run {
	run.Outcome, run.Verified = trace.Done, true
	run.Measured([]time.Duration{time.Millisecond})
	return run
}

func find(t *testing.T, r Runs, id string) trace.Run {
	t.Helper()
	run, err := r.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

var events = []trace.Event{
	{Rank: 3, Iteration: 22, Step: 7, Slice: 2, Side: trace.Received, Bytes: 256, At: 81 * time.Microsecond},
	{Rank: 0, Iteration: 22, Step: 1, Slice: 0, Side: trace.Local, Bytes: 1 << 33, At: 0},
	{Rank: 1, Iteration: 21, Step: 1000, Slice: 4095, Side: trace.Sent, Bytes: 0, At: time.Hour},
}

func TestRunSurvivesARestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	q := join(t, s)
	rounds := []unit.Seconds{0.25, 0.1 + 0.2}
	queued, err := q.Enqueue(t.Context(), asked(), trace.Kept{Rounds: rounds})
	if err != nil {
		t.Fatal(err)
	}
	if queued.ID != "0001" || queued.Outcome != trace.Queued {
		t.Errorf("enqueued %s, %s", queued.ID, queued.Outcome)
	}
	if n := claims(t, q, queued.ID); n != 0 {
		t.Fatalf("%d runs before the only one", n)
	}
	if run := find(t, q.Runs, queued.ID); run.Outcome != trace.Running {
		t.Errorf("claimed run is %s", run.Outcome)
	}
	ended := done(queued)
	ended.Warnings = append(ended.Warnings, trace.Warning{Code: "w", Message: "m"})
	if err := q.Finish(t.Context(), ended, events); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	runs := openIn(t, dir).Runs()
	for _, id := range []string{"0001", "1", "001", "00001"} {
		if diff := cmp.Diff(ended, find(t, runs, id)); diff != "" {
			t.Errorf("run %s (-finished +found):\n%s", id, diff)
		}
	}
	got, predicted, err := runs.Trace(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(events, got); diff != "" {
		t.Errorf("trace (-finished +found):\n%s", diff)
	}
	if diff := cmp.Diff(rounds, predicted); diff != "" {
		t.Errorf("predicted rounds (-enqueued +found):\n%s", diff)
	}
}

func TestUnknownRuns(t *testing.T) {
	runs := open(t).Runs()
	for _, id := range []string{"1", "0", "-1", "+1", "seven", "", "1.5", "99999999999999999999", "1 OR 1=1"} {
		_, err := runs.Find(t.Context(), id)
		if !errors.Is(err, trace.ErrNoRun) || !strings.Contains(err.Error(), id) {
			t.Errorf("find %q: %v; want ErrNoRun", id, err)
		}
		if _, _, err := runs.Trace(t.Context(), id); !errors.Is(err, trace.ErrNoRun) {
			t.Errorf("trace of %q: %v; want ErrNoRun", id, err)
		}
	}
}

func TestRecentIsNewestFirst(t *testing.T) {
	s := open(t)
	if runs, err := s.Runs().Recent(t.Context(), 10); err != nil || runs == nil || len(runs) != 0 {
		t.Errorf("runs of an empty store: %v, %v", runs, err)
	}
	q := join(t, s)
	for range 5 {
		enqueue(t, q)
	}
	runs, err := s.Runs().Recent(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, run := range runs {
		ids = append(ids, run.ID)
	}
	if got := strings.Join(ids, " "); got != "0005 0004 0003" {
		t.Errorf("listed %s", got)
	}
}

func TestOrderHoldsAcrossOwners(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	a, b := join(t, openIn(t, dir)), join(t, openIn(t, dir))
	first, second, third := enqueue(t, a), enqueue(t, b), enqueue(t, a)
	if n := claims(t, a, third.ID); n != 2 {
		t.Errorf("%d runs before the third, want 2", n)
	}
	if n := claims(t, b, second.ID); n != 1 {
		t.Errorf("%d runs before the second, want 1", n)
	}
	for range 2 { // claiming again changes nothing
		if n := claims(t, a, first.ID); n != 0 {
			t.Fatalf("%d runs before the first", n)
		}
	}
	if n := claims(t, b, second.ID); n != 1 {
		t.Errorf("%d runs before the second while the first runs, want 1", n)
	}
	if err := a.Finish(t.Context(), done(first), nil); err != nil {
		t.Fatal(err)
	}
	if n := claims(t, a, third.ID); n != 1 {
		t.Errorf("%d runs before the third, want 1", n)
	}
	// A queued run may end without having run.
	second.Outcome = trace.Cancelled
	if err := b.Finish(t.Context(), second, nil); err != nil {
		t.Fatal(err)
	}
	if n := claims(t, a, third.ID); n != 0 {
		t.Errorf("%d runs before the last", n)
	}
}

func TestOneClaimWins(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	queues := []*RunQueue{join(t, openIn(t, dir)), join(t, openIn(t, dir))}
	const each = 8
	var group sync.WaitGroup
	var mu sync.Mutex
	inside, ended := 0, 0
	for i := range 2 * each {
		q := queues[i%2]
		run := enqueue(t, q)
		group.Go(func() {
			for {
				switch ahead, err := q.Claim(t.Context(), run.ID); {
				case err != nil:
					t.Error(err)
					return
				case ahead > 0:
					continue
				}
				mu.Lock()
				if inside++; inside > 1 {
					t.Error("two runs at once")
				}
				ended++
				if want := fmt.Sprintf("%04d", ended); run.ID != want {
					t.Errorf("run %s began when it was the turn of %s", run.ID, want)
				}
				inside--
				mu.Unlock()
				if err := q.Finish(t.Context(), done(run), nil); err != nil {
					t.Error(err)
				}
				return
			}
		})
	}
	group.Wait()
}

func TestFinishRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	a, b := join(t, openIn(t, dir)), join(t, openIn(t, dir))
	run := enqueue(t, a)
	if err := a.Finish(t.Context(), run, nil); err == nil || !strings.Contains(err.Error(), "queued") {
		t.Errorf("finish as queued: %v", err)
	}
	if err := b.Finish(t.Context(), done(run), nil); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("finish another's run: %v", err)
	}
	if _, err := b.Claim(t.Context(), run.ID); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("claim another's run: %v", err)
	}
	none := done(run)
	none.ID = "0099"
	if err := a.Finish(t.Context(), none, nil); !errors.Is(err, trace.ErrNoRun) {
		t.Errorf("finish nothing: %v; want ErrNoRun", err)
	}
	claims(t, a, run.ID)
	for range 2 { // the second time the word was lost on its way
		if err := a.Finish(t.Context(), done(run), nil); err != nil {
			t.Errorf("finish: %v", err)
		}
	}
	run.Outcome = trace.Cancelled
	if err := a.Finish(t.Context(), run, nil); err == nil || !strings.Contains(err.Error(), "done") {
		t.Errorf("finish otherwise: %v", err)
	}
	if _, err := a.Claim(t.Context(), run.ID); err == nil || !strings.Contains(err.Error(), "done") {
		t.Errorf("claim an ended run: %v", err)
	}
}

func TestDamagedTraceIsNamed(t *testing.T) {
	s := open(t)
	q := join(t, s)
	for name, spoil := range map[string]func([]byte) []byte{
		"not packed": func([]byte) []byte { return []byte("trace") },
		"cut off":    func(b []byte) []byte { return b[:len(b)/2] },
		"a bit":      func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
		"more":       func(b []byte) []byte { return append(b, b...) },
	} {
		run := enqueue(t, q)
		claims(t, q, run.ID)
		if err := q.Finish(t.Context(), done(run), events); err != nil {
			t.Fatal(err)
		}
		packed, err := packEvents(events)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.write.ExecContext(t.Context(), `UPDATE runs SET trace = ? WHERE id = (SELECT max(id) FROM runs)`, spoil(packed)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Runs().Trace(t.Context(), run.ID); !errors.Is(err, errTraceDamaged) || !strings.Contains(err.Error(), "run "+run.ID) {
			t.Errorf("%s: %v; want one that names run %s", name, err, run.ID)
		}
		if found := find(t, s.Runs(), run.ID); found.Outcome != trace.Done {
			t.Errorf("%s: the run itself is %s", name, found.Outcome)
		}
	}
}
