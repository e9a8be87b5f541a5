package schedule

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Limits of the schedules that are built, checked or read.
const (
	MaxRanks = 1024
	// MaxCells bounds ranks × (in + out + tmp chunks): what Check holds in memory.
	MaxCells = 1 << 24
)

// Term is one part of an algorithm's α–β time: Alphas messages' latency and
// Bytes multiples of S over the bandwidth of one port.
type Term struct {
	Phase  string // the key of the phase it prices
	Alphas Expr
	Bytes  Expr
	Port   Port // where the bytes queue
}

// Entry is one pair of the catalogue: a collective and an algorithm for it.
// The closed forms are in n, k and G, at root 0; bytes are multiples of S by
// the busiest rank at equal chunks.
type Entry struct {
	Collective Collective
	Algorithm  string
	MinRanks   int
	MaxRanks   int
	Executable bool // false for what hosts only show and price
	Nodes      bool // the algorithm looks at which node a rank is on
	Pieces     int  // what --chunks is by default
	Layout     Layout
	Rounds     Expr
	Messages   Expr
	Sent       Expr
	Received   Expr
	// Terms add up to the α–β time at one slice per step, for n >= 2; one rank
	// pays nothing. They follow the phases of the schedule.
	Terms []Term
	// Detours are other ways through the schedule that can take longest, each
	// with terms of its own: the time is that of the longest way.
	Detours [][]Term
	// Rough is a condition under which no exact form of the time is known, for
	// early messages take ports in an order that changes with the ratio of
	// latency and bytes; the terms are then near what a play takes, mostly the
	// least. Empty: exact for every n, k and G.
	Rough Expr
	When  string // when this algorithm is the right one, in one sentence

	chunks func(n, perNode, pieces int) int // document chunks from --chunks
	// scratch is how many times the chunks of the full buffer tmp may need;
	// nil where that is no more than twice.
	scratch func(n, perNode int) int
	build   func(b *builder)
}

// Vars returns what the closed forms see; 0 ranks per node or chunks mean the
// defaults, as in a Request.
func (e Entry) Vars(ranks, ranksPerNode, chunks int) Vars {
	perNode := PerNode(ranks, ranksPerNode)
	if chunks == 0 {
		chunks = e.Pieces
	}
	k := e.chunks(ranks, perNode, chunks)
	if e.Collective.Blocks() {
		k /= ranks
	}
	return Vars{"n": float64(ranks), "k": float64(k), "G": float64(perNode)}
}

// IsRough reports whether the terms are only near the time; see Rough.
func (e Entry) IsRough(vars Vars) bool {
	if e.Rough.root == nil {
		return false
	}
	v, err := e.Rough.Exact(vars)
	return err != nil || v.Sign() != 0
}

// Ways returns every way through the schedule that can take longest.
func (e Entry) Ways() [][]Term { return append([][]Term{e.Terms}, e.Detours...) }

// Catalog returns the entries in the order in which they are listed.
func Catalog() []Entry { return slices.Clone(entries()) }

// entries is the catalogue, whose closed forms are read once.
var entries = sync.OnceValue(func() []Entry {
	return []Entry{
		directBroadcast(), binomialBroadcast(), chainBroadcast(), doubleTreeBroadcast(), scatterAllGatherBroadcast(),
		hierarchicalBroadcast(), inNetworkBroadcast(),
		directReduce(), binomialReduce(), chainReduce(), doubleTreeReduce(), reduceScatterGatherReduce(),
		hierarchicalReduce(), inNetworkReduce(),
		directScatter(), binomialTreeScatter(),
		directGather(), binomialTreeGather(),
		directAllGather(), ringAllGather(), recursiveDoublingAllGather(), bruckAllGather(), patAllGather(), gatherBroadcastAllGather(), hierarchicalAllGather(), inNetworkAllGather(),
		ringReduceScatter(), recursiveHalvingReduceScatter(), pairwiseReduceScatter(), patReduceScatter(), rootReduceScatter(), hierarchicalReduceScatter(), inNetworkReduceScatter(),
		centralAllReduce(), directAllReduce(), ringAllReduce(), recursiveDoublingAllReduce(), halvingDoublingAllReduce(), binomialAllReduce(), doubleTreeAllReduce(), hierarchicalAllReduce(), inNetworkAllReduce(),
		directAllToAll(), pairwiseAllToAll(), bruckAllToAll(), hierarchicalAllToAll(),
		disseminationBarrier(), centralBarrier(),
		directSendRecv(),
	}
})

// Find returns the entry of a pair; the error lists what there is.
func Find(c Collective, algorithm string) (Entry, error) {
	var collectives, algorithms []string
	for _, e := range entries() {
		if e.Collective == c && e.Algorithm == algorithm {
			return e, nil
		}
		if e.Collective == c {
			algorithms = append(algorithms, e.Algorithm)
		}
		if name := string(e.Collective); len(collectives) == 0 || collectives[len(collectives)-1] != name {
			collectives = append(collectives, name)
		}
	}
	if len(algorithms) == 0 {
		return Entry{}, &RequestError{"collective", fmt.Sprintf("unknown collective %q; accepted: %s", c, strings.Join(collectives, ", "))}
	}
	return Entry{}, &RequestError{"algorithm", fmt.Sprintf("unknown algorithm %q for %s; accepted: %s", algorithm, c, strings.Join(algorithms, ", "))}
}

// Request asks for one schedule.
type Request struct {
	Collective   Collective
	Algorithm    string
	Ranks        int
	Root         int // 0 for collectives without a root
	RanksPerNode int // 0 means two nodes; of no meaning to algorithms that do not look at nodes
	Chunks       int // pieces per block or vector; 0 means the algorithm's default
}

// RequestError is a field of a Request that cannot be used.
type RequestError struct {
	Field   string // collective, algorithm, ranks, root, ranks_per_node or chunks
	Message string // what was given and what is accepted
}

func (e *RequestError) Error() string { return e.Message }

// Build makes the schedule that r asks for. Errors are *RequestError.
func Build(r Request) (*Schedule, error) {
	entry, err := Find(r.Collective, r.Algorithm)
	if err != nil {
		return nil, err
	}
	if r.Ranks < entry.MinRanks || r.Ranks > entry.MaxRanks {
		return nil, &RequestError{"ranks", fmt.Sprintf("%d ranks: accepted: %d to %d", r.Ranks, entry.MinRanks, entry.MaxRanks)}
	}
	root := NoRoot
	switch {
	case entry.Collective.Rooted() && (r.Root < 0 || r.Root >= r.Ranks):
		return nil, &RequestError{"root", fmt.Sprintf("root %d: accepted: 0 to %d", r.Root, r.Ranks-1)}
	case entry.Collective.Rooted():
		root = r.Root
	case r.Root != 0:
		return nil, &RequestError{"root", fmt.Sprintf("root %d: %s has no root", r.Root, r.Collective)}
	}
	if r.RanksPerNode < 0 || r.RanksPerNode > MaxCells {
		return nil, &RequestError{"ranks_per_node", fmt.Sprintf("%d ranks per node: accepted: 1 or more", r.RanksPerNode)}
	}
	perNode := 0
	if entry.Nodes {
		perNode = PerNode(r.Ranks, r.RanksPerNode)
	}
	pieces := r.Chunks
	if pieces == 0 {
		pieces = entry.Pieces
	}
	if pieces < 0 {
		return nil, &RequestError{"chunks", fmt.Sprintf("%d chunks: accepted: 1 or more", r.Chunks)}
	}
	// Bounded before it is multiplied, so that nothing overflows.
	buffers := 2
	if entry.scratch != nil {
		buffers += entry.scratch(r.Ranks, perNode)
	}
	most := MaxCells / (buffers * r.Ranks * entry.chunks(r.Ranks, perNode, 1))
	if r.Collective == Barrier {
		most = 1
	}
	if pieces > most {
		return nil, &RequestError{"chunks", fmt.Sprintf("%d chunks with %d ranks: accepted: 1 to %d", r.Chunks, r.Ranks, most)}
	}
	b := &builder{s: Schedule{
		Collective: r.Collective, Algorithm: r.Algorithm, Ranks: r.Ranks, Root: root, RanksPerNode: perNode,
		Chunks: entry.chunks(r.Ranks, perNode, pieces), Layout: entry.Layout,
	}}
	entry.build(b)
	s := b.finish()
	if cells := newCells(s).total; cells > MaxCells {
		return nil, &RequestError{"chunks", fmt.Sprintf("%d chunks with %d ranks make %d chunks in all buffers: accepted: %d", pieces, r.Ranks, cells, MaxCells)}
	}
	return s, nil
}

// PerNode returns the ranks per node that are meant: given ones, or those of
// two nodes. The last node may be short; as many as ranks or more is one node.
func PerNode(ranks, given int) int {
	if given > 0 {
		return given
	}
	return (ranks + 1) / 2
}

// perVector: --chunks cuts the vector itself.
func perVector(_, _, pieces int) int { return pieces }

// perBlock: --chunks cuts each of n blocks.
func perBlock(n, _, pieces int) int { return n * pieces }
