package cluster

import (
	"fmt"
	"testing"

	"lockstep/cluster/inventory"
	"lockstep/engine/unit"
)

func TestRoundsHoldEveryPairOnce(t *testing.T) {
	for n := range 18 {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint("n", i)
		}
		met := map[[2]string]int{}
		all := rounds(names)
		for i, round := range all {
			busy := map[string]bool{}
			for _, pair := range round {
				for _, name := range pair {
					if busy[name] {
						t.Errorf("%d nodes: %s is in two pairs of round %d", n, name, i)
					}
					busy[name] = true
				}
				met[[2]string{min(pair[0], pair[1]), max(pair[0], pair[1])}]++
			}
		}
		if len(met) != n*(n-1)/2 {
			t.Errorf("%d nodes: %d pairs meet", n, len(met))
		}
		for pair, times := range met {
			if times != 1 {
				t.Errorf("%d nodes: %v meet %d times", n, pair, times)
			}
		}
		if want := n - 1 + n%2; n > 1 && len(all) != want {
			t.Errorf("%d nodes: %d rounds, want %d", n, len(all), want)
		}
	}
}

func TestSlowLinksStandOut(t *testing.T) {
	links := func(rates []unit.Rate, latencies []unit.Seconds) []inventory.Link {
		all := make([]inventory.Link, len(rates))
		for i := range all {
			all[i] = inventory.Link{From: fmt.Sprint(i), Rate: rates[i], Latency: latencies[i]}
		}
		return all
	}
	for name, test := range map[string]struct {
		rates     []unit.Rate
		latencies []unit.Seconds
		slow      []bool
	}{
		"all alike":             {[]unit.Rate{10e9, 9e9, 11e9, 10e9}, []unit.Seconds{10e-6, 12e-6, 11e-6, 10e-6}, []bool{false, false, false, false}},
		"one carries little":    {[]unit.Rate{10e9, 4e9, 11e9, 10e9}, []unit.Seconds{10e-6, 12e-6, 11e-6, 10e-6}, []bool{false, true, false, false}},
		"one takes long":        {[]unit.Rate{10e9, 9e9, 11e9, 10e9}, []unit.Seconds{10e-6, 12e-6, 200e-6, 10e-6}, []bool{false, false, true, false}},
		"one is a little late":  {[]unit.Rate{10e9, 9e9, 11e9, 10e9}, []unit.Seconds{10e-6, 12e-6, 50e-6, 10e-6}, []bool{false, false, false, false}},
		"two that differ a lot": {[]unit.Rate{1e9, 10e9}, []unit.Seconds{10e-6, 10e-6}, []bool{true, false}},
	} {
		all := links(test.rates, test.latencies)
		judge(all)
		for i, l := range all {
			if l.Slow != test.slow[i] {
				t.Errorf("%s: link %d of %v, %v is slow: %v", name, i, l.Rate, l.Latency, l.Slow)
			}
		}
	}
	broken := []inventory.Link{{Fault: "no answer"}, {Rate: 1e9, Latency: 1e-5}}
	judge(broken)
	if broken[0].Slow || broken[1].Slow {
		t.Errorf("a link without figures is judged: %+v", broken)
	}
}

func TestNodeErrorsSayWhatToDo(t *testing.T) {
	for standing, says := range map[inventory.Standing]string{
		inventory.Offline:  "node a is offline, last heard 0001-01-01T00:00:00Z",
		inventory.Draining: "node a is draining and takes no runs; console node resume a ends that",
		inventory.Revoked:  "node a was revoked; it must join anew",
		"":                 `node "a" is not known here; console node list names those that are`,
	} {
		if got := (&NodeError{Node: "a", Standing: standing}).Error(); got != says {
			t.Errorf("%q; want %q", got, says)
		}
	}
}
