package schedule

import "fmt"

// Collective is a collective operation by its name, as in URLs.
type Collective string

// The ten collectives.
const (
	Broadcast     Collective = "broadcast"
	ReduceTo      Collective = "reduce"
	Scatter       Collective = "scatter"
	Gather        Collective = "gather"
	AllGather     Collective = "all-gather"
	ReduceScatter Collective = "reduce-scatter"
	AllReduce     Collective = "all-reduce"
	AllToAll      Collective = "all-to-all"
	Barrier       Collective = "barrier"
	SendRecv      Collective = "send-recv"
)

// Collectives lists all of them in teaching order.
func Collectives() []Collective {
	return []Collective{Broadcast, Scatter, Gather, AllGather, ReduceTo, ReduceScatter, AllReduce, AllToAll, Barrier, SendRecv}
}

// Known reports whether c is one of the ten.
func (c Collective) Known() bool {
	for _, k := range Collectives() {
		if c == k {
			return true
		}
	}
	return false
}

// Rooted reports whether one rank, the root, has a part of its own.
func (c Collective) Rooted() bool {
	switch c {
	case Broadcast, ReduceTo, Scatter, Gather:
		return true
	}
	return false
}

// Blocks reports whether the full buffer is n equal blocks, one per rank,
// rather than one vector.
func (c Collective) Blocks() bool {
	switch c {
	case Scatter, Gather, AllGather, ReduceScatter, AllToAll:
		return true
	}
	return false
}

// InChunks returns how many chunks the in buffer of rank has at the start, for
// n ranks and `chunks` chunks of the full buffer.
func (c Collective) InChunks(n, root, chunks, rank int) int {
	switch c {
	case Broadcast, Scatter:
		if rank != root {
			return 0
		}
	case Gather, AllGather:
		return chunks / n
	}
	return chunks
}

// OutChunks returns how many chunks the out buffer of rank has at the end.
func (c Collective) OutChunks(n, root, chunks, rank int) int {
	switch c {
	case ReduceTo, Gather:
		if rank != root {
			return 0
		}
	case Scatter, ReduceScatter:
		return chunks / n
	}
	return chunks
}

// BusFactor returns what algorithm bandwidth is multiplied by to give bus
// bandwidth, as nccl-tests (doc/PERFORMANCE.md) defines it: the share of the
// buffer that the busiest port must carry whatever the algorithm, so that
// figures of different collectives compare with the hardware's rate.
func (c Collective) BusFactor(n int) float64 {
	switch c {
	case AllReduce:
		return 2 * float64(n-1) / float64(n)
	case AllGather, ReduceScatter, AllToAll, Gather, Scatter:
		return float64(n-1) / float64(n)
	case Barrier:
		return 0
	}
	return 1
}

// result returns what rank's out chunk must hold at the end: either one piece
// of one rank's in buffer (from >= 0) or every rank's piece exactly once.
func (s *Schedule) result(rank, chunk int) (from, piece int, everyone bool) {
	k := s.ChunksPerBlock()
	switch s.Collective {
	case Broadcast:
		return s.Root, chunk, false
	case Scatter:
		return s.Root, rank*k + chunk, false
	case Gather, AllGather:
		return chunk / k, chunk % k, false
	case AllToAll:
		return chunk / k, rank*k + chunk%k, false
	case SendRecv:
		return (rank - 1 + s.Ranks) % s.Ranks, chunk, false
	case ReduceScatter:
		return 0, rank*k + chunk, true
	}
	return 0, chunk, true // all-reduce, reduce, barrier
}

// ChunkLen returns how many elements chunk i of a buffer has, when the full
// buffer has the given number of elements. A block (or the vector) is cut into
// k chunks of which the first (elements mod k) are one longer.
func (s *Schedule) ChunkLen(elements, i int) int {
	block, k := s.block(elements)
	j := i % k
	if j < block%k {
		return block/k + 1
	}
	return block / k
}

// ChunkStart returns the element at which chunk i of a buffer begins. Chunks
// of a buffer lie one behind the other; chunk i of Tmp is as long as chunk
// i mod Chunks of the full buffer.
func (s *Schedule) ChunkStart(elements, i int) int {
	block, k := s.block(elements)
	j := i % k
	return i/k*block + j*(block/k) + min(j, block%k)
}

// block returns the elements of a block (of the vector, where there are no
// blocks) and the chunks it is cut into.
func (s *Schedule) block(elements int) (int, int) {
	if s.Collective.Blocks() {
		return elements / s.Ranks, s.Chunks / s.Ranks
	}
	return elements, s.Chunks
}

// FitElements reports whether a full buffer of that many elements can be cut
// for n ranks; the error names the two nearest that can.
func (c Collective) FitElements(n, elements int) error {
	if !c.Blocks() || elements%n == 0 {
		return nil
	}
	below := elements / n * n
	return fmt.Errorf("%s needs %d equal blocks: %d elements cannot be cut so; nearest: %d or %d", c, n, elements, below, below+n)
}
