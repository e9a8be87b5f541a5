package schedule

import "fmt"

// Op is what a step does with the chunks it moves.
type Op uint8

// The operations. Multicast and NetReduce are the network's own work: shown,
// priced and checked, but not run on hosts.
const (
	Copy      Op = iota // overwrite the destination
	Reduce              // combine into the destination (barrier: set union)
	Multicast           // overwrite the same chunk on every rank of Group
	NetReduce           // overwrite the destination with the combination of Group in list order
)

var opNames = [...]string{"copy", "reduce", "multicast", "net-reduce"}

func (o Op) String() string { return name(opNames[:], int(o)) }

// Buf is one of a rank's three buffers.
type Buf uint8

// The buffers of a rank.
const (
	In  Buf = iota // the contribution; never written
	Out            // the result; exactly the chunks of Collective.OutChunks
	Tmp            // scratch, Schedule.TmpChunks long
)

var bufNames = [...]string{"in", "out", "tmp"}

func (b Buf) String() string { return name(bufNames[:], int(b)) }

// Layout is how a schedule is best drawn.
type Layout uint8

// The stage layouts.
const (
	Row Layout = iota
	Ring
	Star
	Tree
	Nodes
	Switch
)

var layoutNames = [...]string{"row", "ring", "star", "tree", "nodes", "switch"}

func (l Layout) String() string { return name(layoutNames[:], int(l)) }

// Invariant is what holds for every rank when a phase has ended.
type Invariant uint8

// The invariants a phase may promise.
const (
	NoInvariant     Invariant = iota
	RootHoldsAll              // the root's out holds the complete result
	OwnBlock                  // rank r's out holds block r of the result (with a root, block r-root mod n), complete; its tmp, where it has no out
	EveryoneHolds             // every rank's out holds the complete result
	LeadersHoldAll            // the out of every node's leader holds the complete result
	LeadersHoldNode           // every node's leader holds the contributions of all ranks of the node, in some buffer
	NodesHoldAll              // the ranks of every node hold the complete result in their outs, together
	TogetherHoldAll           // all ranks hold the complete result in their outs, together
	NodesHoldSums             // the ranks of every node hold, of every chunk, the contributions of all ranks of the node, in some buffer, together
)

var invariantNames = [...]string{"", "root-holds-all", "rank-owns-block", "everyone-holds-all", "leaders-hold-all", "leaders-hold-node", "nodes-hold-all", "together-hold-all", "nodes-hold-sums"}

func (i Invariant) String() string { return name(invariantNames[:], int(i)) }

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unknown(%d)", i)
}

// NoRoot is the Root of a schedule whose collective has none.
const NoRoot = -1

// Step moves Count consecutive chunks, beginning at SrcChunk of one buffer and
// DstChunk of another. A step with Src == Dst is local. The fields are ordered
// to keep it small: a ring of 1,024 ranks has three million steps.
type Step struct {
	ID    int
	Round int
	Src   int // the sender; of no meaning for NetReduce
	Dst   int // the receiver; of no meaning for Multicast
	// Group is the list that replaces Dst in a Multicast (every rank that is
	// written, the source may be one) and Src in a NetReduce (the ranks
	// combined, in this order, the destination may be one). Nil otherwise.
	Group []int

	SrcChunk int
	DstChunk int
	Count    int
	Op       Op
	SrcBuf   Buf
	DstBuf   Buf

	// Deps are the IDs of the steps this one waits for, ascending. Those on
	// the source's rank gate its leaving, those on the destination's rank only
	// its being applied.
	Deps []int
}

// Local reports whether the step stays on its rank.
func (s *Step) Local() bool { return s.Op <= Reduce && s.Src == s.Dst }

// Sources returns the ranks that s reads from.
func (s *Step) Sources() []int {
	if s.Op == NetReduce {
		return s.Group
	}
	return []int{s.Src}
}

// Destinations returns the ranks that s writes to.
func (s *Step) Destinations() []int {
	if s.Op == Multicast {
		return s.Group
	}
	return []int{s.Dst}
}

// Phase is a named run of rounds, First to Last inclusive, in raw numbers.
type Phase struct {
	Key         string
	First, Last int
	Invariant   Invariant // holds after Last
}

// Schedule is a collective algorithm written out for one number of ranks.
// It is immutable once built and safe for concurrent use.
type Schedule struct {
	Collective   Collective
	Algorithm    string
	Ranks        int
	Root         int // NoRoot when the collective has none
	RanksPerNode int // 0 when the algorithm does not look at nodes
	Chunks       int // of the full buffer, see Collective.InChunks
	TmpChunks    int // largest Tmp index used + 1
	Layout       Layout
	Phases       []Phase
	Steps        []Step // in ascending ID
}

// LastRound returns the highest raw round number, 0 for an empty schedule.
func (s *Schedule) LastRound() int {
	if len(s.Steps) == 0 {
		return 0
	}
	return s.Steps[len(s.Steps)-1].Round
}

// Rounds returns the number of counted rounds: those with at least one step
// between ranks.
func (s *Schedule) Rounds() int {
	counted, last := 0, 0
	for i := range s.Steps {
		if st := &s.Steps[i]; st.Round != last && !st.Local() {
			counted, last = counted+1, st.Round
		}
	}
	return counted
}

// ChunksPerBlock returns k, the chunks that a block is cut into, for block
// collectives, and Chunks for the others.
func (s *Schedule) ChunksPerBlock() int {
	if s.Collective.Blocks() {
		return s.Chunks / s.Ranks
	}
	return s.Chunks
}

// BufChunks returns how many chunks buffer b of a rank has.
func (s *Schedule) BufChunks(rank int, b Buf) int {
	switch b {
	case In:
		return s.Collective.InChunks(s.Ranks, s.Root, s.Chunks, rank)
	case Out:
		return s.Collective.OutChunks(s.Ranks, s.Root, s.Chunks, rank)
	}
	return s.TmpChunks
}

// Index returns the position of the step with the given ID, or -1.
func (s *Schedule) Index(id int) int {
	// IDs are dense in everything we build; imported lists may have gaps.
	if id >= 0 && id < len(s.Steps) && s.Steps[id].ID == id {
		return id
	}
	lo, hi := 0, len(s.Steps)
	for lo < hi {
		mid := (lo + hi) / 2
		if s.Steps[mid].ID < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(s.Steps) && s.Steps[lo].ID == id {
		return lo
	}
	return -1
}
