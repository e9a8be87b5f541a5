package sizing_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// What a warning says in English it says in values, too: pages build their own
// sentences from them.
func TestWarningsCarryTheirFigures(t *testing.T) {
	network := cost.Network{Latency: 70 * time.Microsecond, Bandwidth: 1.5e9}
	runs := func(ranks int, sizes ...unit.Bytes) (all earlier) {
		for _, size := range sizes {
			all = append(all, measured(t, trace.Spec{Algorithm: "ring", Ranks: ranks, Size: size}, network))
		}
		return all
	}
	ring := func(ranks int, size unit.Bytes) trace.Spec {
		return trace.Spec{Algorithm: "ring", Ranks: ranks, Size: size}
	}
	held, paced, auto := ring(4, 1<<20), ring(4, 1<<20), ring(4, 1<<20)
	held.Pace.Step, paced.Pace.Rate, auto.Algorithm = true, 1e6, "auto"
	enough := []unit.Bytes{4 << 10, 1 << 20, 64 << 20}
	for name, c := range map[string]struct {
		plan   trace.Plan
		code   string
		why    string
		values []string // besides why
	}{
		"fitted":   {planAfter(t, runs(2, enough...), ring(2, 1<<20)), "fitted", "", []string{"bandwidth", "latency", "percent", "ranks", "runs"}},
		"any":      {planAfter(t, runs(2, enough...), ring(3, 3<<20)), "fitted", "", []string{"bandwidth", "latency", "percent", "runs"}},
		"outside":  {planAfter(t, runs(2, enough...), ring(2, 128<<20)), "fitted", "", []string{"bandwidth", "latency", "least", "most", "percent", "ranks", "runs"}},
		"too few":  {planAfter(t, runs(4, 1<<20), ring(4, 1<<20)), "no-prediction", "too-few", []string{"needed", "sizes"}},
		"alike":    {planAfter(t, runs(4, 64<<20, 65<<20, 66<<20), ring(4, 1<<20)), "no-prediction", "alike", nil},
		"no bytes": {planAfter(t, runs(4, 0, 16, 32), ring(4, 1<<20)), "no-prediction", "no-bytes", []string{"percent"}},
		"unread":   {planAfter(t, unreadable{}, ring(4, 1<<20)), "no-prediction", "unread", []string{"reason"}},
		"kept":     {planAfter(t, nil, ring(4, 1<<20)), "no-prediction", "kept", nil},
		"held":     {planAfter(t, nil, held), "no-prediction", "step", nil},
		"single":   {planAfter(t, nil, ring(1, 1<<20)), "no-prediction", "single", nil},
		"paced":    {planAfter(t, nil, paced), "assumed-latency", "", []string{"latency"}},
		"auto":     {planAfter(t, nil, auto), "assumed-network", "", []string{"algorithm", "bandwidth", "latency"}},
	} {
		w := c.plan.Warnings[0]
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(w.Values)), func(name string) bool { return name == "why" })
		if w.Code != c.code || w.Values["why"] != c.why || !slices.Equal(names, c.values) {
			t.Errorf("%s: %s with %v; want %s with %v", name, w.Code, w.Values, c.code, c.values)
		}
		for _, value := range names {
			if !strings.Contains(w.Message, w.Values[value]) {
				t.Errorf("%s: %s is %q, which the message does not say: %s", name, value, w.Values[value], w.Message)
			}
		}
	}
}
