//go:build linux

package span_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

func TestRunsOnNodesAreVerified(t *testing.T) {
	for _, c := range []struct {
		nodes []string
		spec  trace.Spec
	}{
		{[]string{"a"}, trace.Spec{Ranks: 3, Size: 64 << 10}},
		{[]string{"a"}, trace.Spec{Ranks: 2, Size: 64 << 10, Link: trace.TCP}},
		{[]string{"a", "b"}, trace.Spec{Ranks: 2, Size: 0}},
		{[]string{"a", "b"}, trace.Spec{Ranks: 4, Size: 8 * mib}},
		{[]string{"b", "a"}, trace.Spec{Ranks: 5, Size: 40_000, Encryption: trace.Plain}},
		{[]string{"a", "b", "c"}, trace.Spec{Ranks: 7, Size: mib, PerNode: 3, Algorithm: "hierarchical"}},
		{[]string{"a", "b", "c"}, trace.Spec{Ranks: 3, Collective: schedule.Barrier, Algorithm: "dissemination"}},
		{[]string{"a", "b"}, trace.Spec{Ranks: 4, Size: 4 * unit.MB, Pace: trace.Pace{Rate: 20e6}, Slices: 8}},
		{[]string{"a", "b"}, trace.Spec{Ranks: 2, Size: 4096, Pace: trace.Pace{Step: true}}},
		{nil, trace.Spec{Ranks: 2, Size: 4096}},
	} {
		c.spec.Nodes = c.nodes
		if !c.spec.Pace.Paced() {
			c.spec.Iterations = 2
		}
		t.Run(fmt.Sprintf("%v/n%d/%v", c.nodes, c.spec.Ranks, c.spec.Size), func(t *testing.T) {
			newCluster(t, "a", "b", "c").complete(c.spec)
		})
	}
}

// The same over connections without a buffer, which tell of any end that waits
// for the other where it must not.
func TestTheConversationNeedsNoBuffer(t *testing.T) {
	c := newCluster(t, "a", "b")
	c.listen = net.Pipe
	c.complete(trace.Spec{Ranks: 4, Size: mib, Nodes: []string{"a", "b"}, Iterations: 2})
}

func TestAnImportedScheduleIsCarriedOut(t *testing.T) {
	_, own := ask(t, trace.Spec{Ranks: 4, Size: 4096, Chunks: 2})
	own.Algorithm = "my-own"
	newCluster(t, "a", "b").complete(trace.Spec{Imported: own, Size: 64 << 10, Nodes: []string{"a", "b"}, Iterations: 2})
}

// Every pair that hosts can carry out, over two and three nodes: a sample.
func TestEveryPairRunsOnNodes(t *testing.T) {
	var s uint64
	if _, err := fmt.Sscan(os.Getenv("LOCKSTEP_SEED"), &s); err != nil {
		s = rand.Uint64()
	}
	t.Logf("LOCKSTEP_SEED=%d", s)
	r := rand.New(rand.NewPCG(s, 0))
	pairs := slices.DeleteFunc(slices.Clone(schedule.Catalog()), func(e schedule.Entry) bool { return !e.Executable })
	most := len(pairs)
	if os.Getenv("CI") != "true" {
		most = 12
	}
	r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	for turn, e := range pairs[:most] {
		n := 2 + r.IntN(6)
		spec := trace.Spec{
			Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n, Iterations: 1, DType: schedule.DTypes()[turn%7],
			Op: schedule.ReduceOps()[turn/3%5], Slices: []int{0, 1, 3}[turn%3], Nodes: []string{"a", "b", "c"}[:2],
			Encryption: []trace.Encryption{"", trace.Plain}[turn%2],
		}
		if n%3 == 0 {
			spec.Nodes = []string{"a", "b", "c"}
		}
		if e.Collective.Rooted() {
			spec.Root = turn % n
		}
		if e.Collective != schedule.Barrier {
			blocks := 1
			if e.Collective.Blocks() {
				blocks = n
			}
			spec.Size = unit.Bytes([]int{1, 4097, 30_000}[turn%3] * blocks * spec.DType.Width())
		}
		t.Run(fmt.Sprintf("%s/%s/n%d", e.Collective, e.Algorithm, n), func(t *testing.T) {
			newCluster(t, "a", "b", "c").complete(spec)
		})
	}
}
