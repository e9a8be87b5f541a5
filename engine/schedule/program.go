package schedule

import "fmt"

// Kind is the part that a rank plays in a step.
type Kind uint8

// The kinds of move.
const (
	Here Kind = iota // a local step
	Send
	Recv
)

var kindNames = [...]string{"local", "send", "recv"}

func (k Kind) String() string { return name(kindNames[:], int(k)) }

// Move is one rank's part of one step.
type Move struct {
	Step  int  `json:"step"` // the step's ID
	Round int  `json:"round"`
	Kind  Kind `json:"kind"`
	Op    Op   `json:"op"`
	Peer  int  `json:"peer"` // the other rank; the rank itself for Here

	SrcBuf   Buf `json:"src_buf"`   // meaningless for Recv
	SrcChunk int `json:"src_chunk"` // meaningless for Recv
	DstBuf   Buf `json:"dst_buf"`   // meaningless for Send
	DstChunk int `json:"dst_chunk"`
	Count    int `json:"count"`

	// After lists the moves of this rank that must come first: they gate a
	// Send's leaving and a Recv's being applied.
	After []After `json:"after,omitempty"`
}

// After is a dependency on an earlier move of the same rank.
type After struct {
	Move int `json:"move"` // index into Program.Moves
	// Sliced: slice j may start when slice j of Move is done. Otherwise all of
	// Move must be done.
	Sliced bool `json:"sliced,omitempty"`
}

// Program is what one rank does, in ascending order of step IDs. Running the
// moves of each rank in this order, each waiting for its peer, cannot
// deadlock: the smallest unfinished ID is at the head on both sides.
type Program struct {
	Collective Collective `json:"collective"`
	Rank       int        `json:"rank"`
	Ranks      int        `json:"ranks"`
	Root       int        `json:"root"`
	Chunks     int        `json:"chunks"`
	TmpChunks  int        `json:"tmp_chunks"`
	Moves      []Move     `json:"moves"`
}

// Frame returns a schedule without steps, of the same shape, for the lengths
// and places of chunks.
func (p *Program) Frame() *Schedule {
	return &Schedule{Collective: p.Collective, Ranks: p.Ranks, Root: p.Root, Chunks: p.Chunks, TmpChunks: p.TmpChunks}
}

// region is a run of chunks that a step touches on one rank.
type region struct {
	buf          Buf
	first, count int
	writes       bool
}

// Compile cuts out the program of one rank. The schedule must have passed
// Check. A step that is the network's own work is an error: hosts cannot run
// it.
func Compile(s *Schedule, rank int) (*Program, error) {
	if rank < 0 || rank >= s.Ranks {
		return nil, fmt.Errorf("compile for rank %d of %d", rank, s.Ranks)
	}
	p := &Program{Collective: s.Collective, Rank: rank, Ranks: s.Ranks, Root: s.Root, Chunks: s.Chunks, TmpChunks: s.TmpChunks}
	moveOf := map[int]int{} // step ID -> index into Moves
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Op > Reduce {
			return nil, fmt.Errorf("compile %s/%s: step %d is a %s, which is the network's own work", s.Collective, s.Algorithm, step.ID, step.Op)
		}
		if step.Src != rank && step.Dst != rank {
			continue
		}
		m := Move{
			Step: step.ID, Round: step.Round, Op: step.Op, SrcBuf: step.SrcBuf, SrcChunk: step.SrcChunk,
			DstBuf: step.DstBuf, DstChunk: step.DstChunk, Count: step.Count,
		}
		switch {
		case step.Local():
			m.Kind, m.Peer = Here, rank
		case step.Src == rank:
			m.Kind, m.Peer = Send, step.Dst
		default:
			m.Kind, m.Peer = Recv, step.Src
		}
		for _, d := range step.Deps {
			index, ok := moveOf[d]
			if !ok {
				continue // it is about the other rank
			}
			if shared, sliced := meet(p.Moves[index].regions(), m.regions()); shared {
				m.After = append(m.After, After{index, sliced})
			}
		}
		moveOf[step.ID] = len(p.Moves)
		p.Moves = append(p.Moves, m)
	}
	return p, nil
}

// regions returns what the move touches on its own rank.
func (m *Move) regions() []region {
	src := region{m.SrcBuf, m.SrcChunk, m.Count, false}
	dst := region{m.DstBuf, m.DstChunk, m.Count, true}
	switch m.Kind {
	case Send:
		return []region{src}
	case Recv:
		return []region{dst}
	}
	return []region{src, dst}
}

// meet reports whether two moves share a chunk that one of them writes, and
// whether they may follow each other slice by slice: equal counts, every
// shared chunk at the same place in both.
func meet(a, b []region) (shared, sliced bool) {
	sliced = true
	for _, x := range a {
		for _, y := range b {
			if x.buf != y.buf || !x.writes && !y.writes || x.first+x.count <= y.first || y.first+y.count <= x.first {
				continue
			}
			shared = true
			sliced = sliced && x.first == y.first && x.count == y.count
		}
	}
	return shared, sliced && shared
}
