package local_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// seed is the random draw of tests that take a sample; LOCKSTEP_SEED repeats
// one.
func seed(t *testing.T) *rand.Rand {
	t.Helper()
	var s uint64
	if _, err := fmt.Sscan(os.Getenv("LOCKSTEP_SEED"), &s); err != nil {
		s = rand.Uint64()
	}
	t.Logf("LOCKSTEP_SEED=%d", s)
	return rand.New(rand.NewPCG(s, 0))
}

// Every pair that hosts can carry out is carried out by real processes, and
// every element compared with the reference: on one to eight ranks, with no
// element, one, an odd number (of each block where there are blocks) and 1 MiB.
// Root, ranks per node, chunks, slices, data type and reduction take turns. The
// full sample is for CI without the race detector; others draw one in forty.
func TestEveryPairRuns(t *testing.T) {
	full := os.Getenv("CI") == "true" && !raceEnabled && !testing.Short()
	r := seed(t)
	turn := 0
	for _, e := range schedule.Catalog() {
		if !e.Executable {
			continue
		}
		for n := 1; n <= 8; n++ {
			for _, count := range []int{0, 1, 4097, -1} {
				turn++
				if !full && r.IntN(40) > 0 {
					continue
				}
				spec := trace.Spec{
					Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n, Iterations: 1,
					DType: schedule.DTypes()[turn%7], Op: schedule.ReduceOps()[turn/3%5], Slices: []int{0, 1, 3}[turn%3],
					Link: []trace.Link{trace.Shm, trace.TCP}[(turn+n)%2],
				}
				if e.Collective.Rooted() {
					spec.Root = turn % n
				}
				if e.Nodes {
					spec.PerNode = 1 + turn%(n+1)
				}
				if e.Collective != schedule.Barrier {
					spec.Chunks = []int{0, 1, 3}[turn/2%3]
					blocks := 1
					if e.Collective.Blocks() {
						blocks = n
					}
					if count < 0 {
						count = (1 << 20) / spec.DType.Width() / blocks
					}
					spec.Size = unit.Bytes(count * blocks * spec.DType.Width())
				}
				t.Run(fmt.Sprintf("%s/%s/n%d/%d", e.Collective, e.Algorithm, n, count), func(t *testing.T) { complete(t, spec) })
			}
		}
	}
}
