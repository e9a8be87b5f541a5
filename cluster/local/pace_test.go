package local_test

import (
	"os"
	"testing"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// The article's server: ten ranks, 100 MB/s ports, 120 MB each; collecting
// takes 9 × 1.2 s, because all of it passes through one port, and returning the
// same again. The full sample takes the article's size, others a fifth of it.
func TestCentralQueuesAtThePort(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("moves 100 MB/s; not under -short or -race")
	}
	size := 24 * unit.MB
	if os.Getenv("CI") == "true" {
		size = 120 * unit.MB
	}
	oneWay := 9 * size.Over(100e6)
	spec, sched := ask(t, trace.Spec{Algorithm: "central", Ranks: 10, Size: size, Slices: 1, Pace: trace.Pace{Rate: 100e6}})
	log := trace.NewLog()
	report := fleet(t, "worker").Execute(t.Context(), "r1", spec, sched, log)
	if report.Failure != nil || !report.Verified {
		t.Fatalf("%+v", report)
	}
	var collected time.Duration
	for _, e := range log.Latest() {
		if step := sched.Steps[sched.Index(e.Step)]; e.Rank == 0 && step.Round == 2 {
			collected = max(collected, e.At)
		}
	}
	t.Logf("collected after %v, all after %v", collected, report.Iterations[0])
	for what, got := range map[string]time.Duration{"collect": collected, "return": report.Iterations[0] - collected} {
		if ratio := got.Seconds() / float64(oneWay); ratio < 0.98 || ratio > 1.1 {
			t.Errorf("%s takes %v, want %v", what, got, oneWay)
		}
	}
}
