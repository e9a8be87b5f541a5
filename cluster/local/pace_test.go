package local_test

import (
	"os"
	"testing"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// The article's server at a fiftieth of its bytes and of its rate: ten ranks,
// 24 MB each, ports of 20 MB/s; collecting takes 9 × 1.2 s, because all of it
// passes through one port, and returning the same again. The rate is one that
// a loaded machine keeps up with. The full sample takes the article's 10.8 s,
// others a fifth of it.
func TestCentralQueuesAtThePort(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("takes seconds by design; not under -short or -race")
	}
	const rate = unit.Rate(20e6)
	size := 4800 * unit.KB
	if os.Getenv("CI") == "true" {
		size = 24 * unit.MB
	}
	oneWay := 9 * size.Over(rate)
	spec, sched := ask(t, trace.Spec{Algorithm: "central", Ranks: 10, Size: size, Slices: 1, Pace: trace.Pace{Rate: rate}})
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
