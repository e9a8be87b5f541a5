package schedule

import (
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// variants returns requests for one pair and number of ranks that differ in
// everything that changes the schedule: root, ranks per node, chunks.
func variants(e Entry, n int) []Request {
	roots, nodes, pieces := []int{0}, []int{0}, []int{0, 1, 2, 3, 5}
	if e.Collective.Rooted() {
		roots = distinct(0, 1%n, n/2, n-1)
	}
	if e.Nodes {
		nodes = distinct(1, 2, 3, 4, (n+1)/2, max(n-1, 1), n, n+3)
	}
	if e.Collective == Barrier {
		pieces = []int{0}
	}
	var all []Request
	for _, root := range roots {
		for _, perNode := range nodes {
			for _, k := range pieces {
				all = append(all, Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n, Root: root, RanksPerNode: perNode, Chunks: k})
			}
		}
	}
	if full() || n <= 4 {
		return all
	}
	var some []Request // other ones for every n
	for i := n % 7; i < len(all); i += max(1, len(all)/7) {
		some = append(some, all[i])
	}
	return append(some, plainRequest(e, n))
}

// full reports whether tests take the whole sample: in CI, without the race
// detector, which would stretch it tenfold.
func full() bool { return os.Getenv("CI") == "true" && !raceEnabled && !testing.Short() }

// numbers are the numbers of ranks that tests go through up to most: all of
// them, or a sample around the powers of two.
func numbers(e Entry, most int) []int {
	var all []int
	for n := e.MinRanks; n <= most; n++ {
		if full() || n <= 9 || slices.Contains([]int{16, 17, 31, 32, 33}, n) || !raceEnabled && n >= 63 {
			all = append(all, n)
		}
	}
	return all
}

// plainRequest is the request with every default.
func plainRequest(e Entry, n int) Request {
	return Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n}
}

func distinct(values ...int) []int {
	slices.Sort(values)
	return slices.Compact(values)
}

// anyRequest draws a request for any executable or shown pair.
func anyRequest(t *rapid.T, maxRanks int) Request {
	e := rapid.SampledFrom(Catalog()).Draw(t, "pair")
	r := Request{
		Collective: e.Collective, Algorithm: e.Algorithm,
		Ranks: rapid.IntRange(e.MinRanks, maxRanks).Draw(t, "ranks"),
	}
	if e.Collective != Barrier {
		r.Chunks = rapid.IntRange(0, 5).Draw(t, "chunks")
	}
	if e.Collective.Rooted() {
		r.Root = rapid.IntRange(0, r.Ranks-1).Draw(t, "root")
	}
	if e.Nodes {
		r.RanksPerNode = rapid.IntRange(0, r.Ranks+1).Draw(t, "ranks per node")
	}
	return r
}

func mustBuild(t testing.TB, r Request) *Schedule {
	t.Helper()
	s, err := Build(r)
	if err != nil {
		t.Fatalf("build %+v: %v", r, err)
	}
	return s
}

// formVars are what the closed forms see for s, with S in chunks, so that
// bytes come out in chunks.
func formVars(s *Schedule) Vars {
	return Vars{"n": float64(s.Ranks), "k": float64(s.ChunksPerBlock()), "G": float64(max(s.RanksPerNode, 1)), "S": float64(s.Chunks)}
}
