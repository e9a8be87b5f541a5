package store

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/trace"
)

func TestFinishedAreTheDoneOnes(t *testing.T) {
	q := join(t, openIn(t, filepath.Join(t.TempDir(), "data")))
	var done []string
	for _, outcome := range []trace.Outcome{trace.Done, trace.Failed, trace.Done, trace.Cancelled, trace.Done} {
		run := enqueue(t, q)
		claims(t, q, run.ID)
		run.Outcome = outcome
		if err := q.Finish(t.Context(), run, nil); err != nil {
			t.Fatal(err)
		}
		if outcome == trace.Done {
			done = append([]string{run.ID}, done...)
		}
	}
	enqueue(t, q)
	for limit, want := range map[int][]string{10: done, 2: done[:2], 0: {}, -1: {}} {
		runs, err := q.Finished(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, run := range runs {
			got = append(got, run.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
}
