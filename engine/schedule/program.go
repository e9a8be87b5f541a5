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
	Peer  int  `json:"peer"` // the other rank; the rank itself for Here, -1 for the network

	SrcBuf   Buf `json:"src_buf"`   // meaningless for Recv
	SrcChunk int `json:"src_chunk"` // meaningless for Recv
	DstBuf   Buf `json:"dst_buf"`   // meaningless for Send
	DstChunk int `json:"dst_chunk"`
	Count    int `json:"count"`

	// Leg is a stretch of the schedule within which steps wait for each other
	// slice by slice only. In the order of (leg, slice, step) too nothing can
	// deadlock: whatever an item waits for is smaller. So all slices j of a
	// leg's steps may travel before its slices j+1.
	Leg int `json:"leg,omitempty"`

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
	if err := s.Runnable(); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	return newCompiler(s, func(r int) bool { return r == rank }).programs[rank], nil
}

// Programs cuts s into the programs of all its ranks. The schedule must have
// passed Check. A step that is the network's own work is a Send on every rank
// that gives to it and a Recv on every rank that takes from it, without a Peer
// (-1): only a simulator can carry it out.
func Programs(s *Schedule) []*Program {
	return newCompiler(s, func(int) bool { return true }).programs
}

// Runnable returns an error that names the first step that is the network's
// own work; nil if hosts can carry s out.
func (s *Schedule) Runnable() error {
	for i := range s.Steps {
		if step := &s.Steps[i]; step.Op > Reduce {
			return fmt.Errorf("%s/%s: step %d is a %s, which is the network's own work; hosts cannot run it", s.Collective, s.Algorithm, step.ID, step.Op)
		}
	}
	return nil
}

// compiler goes through the steps once for all the ranks that are wanted.
type compiler struct {
	s        *Schedule
	legs     []int      // by step
	programs []*Program // nil where not wanted
	halves   [][]half   // by step: its moves
}

// half is where a rank's part of a step stands.
type half struct{ rank, move int32 }

func newCompiler(s *Schedule, wanted func(rank int) bool) *compiler {
	c := &compiler{s: s, legs: legs(s), programs: make([]*Program, s.Ranks), halves: make([][]half, len(s.Steps))}
	for rank := range c.programs {
		if wanted(rank) {
			c.programs[rank] = &Program{Collective: s.Collective, Rank: rank, Ranks: s.Ranks, Root: s.Root, Chunks: s.Chunks, TmpChunks: s.TmpChunks}
		}
	}
	arena := make([]half, 0, 2*len(s.Steps))
	for i := range s.Steps {
		step := &s.Steps[i]
		first := len(arena)
		add := func(kind Kind, rank, peer int) {
			if c.programs[rank] != nil {
				arena = append(arena, half{int32(rank), int32(c.move(step, kind, rank, peer))})
			}
		}
		switch {
		case step.Local():
			add(Here, step.Src, step.Src)
		case step.Op <= Reduce:
			add(Send, step.Src, step.Dst)
			add(Recv, step.Dst, step.Src)
		default:
			for _, rank := range step.Sources() {
				add(Send, rank, -1)
			}
			for _, rank := range step.Destinations() {
				add(Recv, rank, -1)
			}
		}
		c.halves[i] = arena[first:len(arena):len(arena)]
	}
	return c
}

// legs returns the leg of every step: that of the steps it waits for, or the
// next one where it waits for all of a step.
func legs(s *Schedule) []int {
	all := make([]int, len(s.Steps))
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Op > Reduce {
			continue // nobody carries these out
		}
		for _, d := range step.Deps {
			at := s.Index(d)
			before := &s.Steps[at]
			if before.Op > Reduce {
				continue
			}
			leg := all[at]
			if !follows(before, step) {
				leg++
			}
			all[i] = max(all[i], leg)
		}
	}
	return all
}

// follows reports whether step may follow an earlier one slice by slice on
// every rank that both touch.
func follows(before, step *Step) bool {
	var a, b [2]region
	for _, rank := range [...]int{step.Src, step.Dst} {
		if shared, sliced := meet(before.regionsOn(rank, &a), step.regionsOn(rank, &b)); shared && !sliced {
			return false
		}
	}
	return true
}

// regionsOn returns what a copy or reduce touches on a rank, kept in at.
func (s *Step) regionsOn(rank int, at *[2]region) []region {
	all := at[:0]
	if s.Src == rank {
		all = append(all, region{s.SrcBuf, s.SrcChunk, s.Count, false})
	}
	if s.Dst == rank {
		all = append(all, region{s.DstBuf, s.DstChunk, s.Count, true})
	}
	return all
}

// move appends a rank's part of step to its program and returns its index.
func (c *compiler) move(step *Step, kind Kind, rank, peer int) int {
	p := c.programs[rank]
	m := Move{
		Step: step.ID, Round: step.Round, Kind: kind, Op: step.Op, Peer: peer, SrcBuf: step.SrcBuf, SrcChunk: step.SrcChunk,
		DstBuf: step.DstBuf, DstChunk: step.DstChunk, Count: step.Count, Leg: c.legs[c.s.Index(step.ID)],
	}
	for _, d := range step.Deps {
		for _, h := range c.halves[c.s.Index(d)] {
			if int(h.rank) != rank {
				continue // that part is about another rank
			}
			if shared, sliced := meet(p.Moves[h.move].regions(), m.regions()); shared {
				m.After = append(m.After, After{int(h.move), sliced})
			}
		}
	}
	p.Moves = append(p.Moves, m)
	return len(p.Moves) - 1
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
