package schedule

// FlawKind says what is wrong with what an out chunk holds.
type FlawKind uint8

// The kinds of flaws.
const (
	Empty   FlawKind = iota // never written
	Spoilt                  // written, but with nothing that can be used
	Lacks                   // contributions are missing
	Counted                 // one is in it more than once
	Foreign                 // something that does not belong there
)

// Flaw is an out chunk that does not hold what it must.
type Flaw struct {
	Kind  FlawKind
	Rank  int
	Chunk int   // of out
	Of    []int // the ranks whose contributions are missing, doubled or foreign, ascending; none for Empty and Spoilt
	Piece int   // the chunk of in that is doubled or foreign
	Times int   // how often the first one of a Counted is there
	step  int   // index of the step that did it, -1 for none
}

// Flaws returns what is wrong with the outs, by rank and chunk: nothing in a
// schedule's last state if it is right.
func (st *State) Flaws() []Flaw {
	var all []Flaw
	for rank := range st.schedule.Ranks {
		for chunk := range st.cells.sizes[rank][Out] {
			if f, wrong := st.flaw(rank, chunk); wrong {
				all = append(all, f)
			}
		}
	}
	return all
}

// flaw says what is wrong with an out chunk, and which step did it where one
// did.
func (st *State) flaw(rank, chunk int) (Flaw, bool) {
	s, cell := st.schedule, st.cells.at(rank, Out, chunk)
	id := st.held[cell]
	if st.final(rank, chunk, id) {
		return Flaw{}, false
	}
	f := Flaw{Rank: rank, Chunk: chunk, step: int(st.writer[cell]) - 1}
	if id == 0 {
		if f.step >= 0 {
			f.Kind = Spoilt
		}
		return f, true
	}
	from, piece, everyone := s.result(rank, chunk)
	for _, h := range st.values.contributions(id) {
		switch {
		case h.Piece != piece || !everyone && (h.First != from || h.Last != from):
			if f.Kind != Foreign {
				f.Kind, f.Piece, f.Of, f.Times = Foreign, h.Piece, nil, 0
			}
			if h.Piece == f.Piece {
				f.Of = appendRanks(f.Of, h)
			}
		case h.Times > 1 && f.Kind != Foreign:
			if f.Kind != Counted {
				f.Kind, f.Piece, f.Times = Counted, h.Piece, h.Times
				if o := st.values.origin(id, h.First, h.Piece); o >= 0 {
					f.step = o
				}
			}
			f.Of = appendRanks(f.Of, h)
		}
	}
	if f.Kind != Empty {
		return f, true
	}
	f.Kind = Lacks
	for r := range s.Ranks {
		if st.values.times(id, r, piece) == 0 {
			f.Of = append(f.Of, r)
		}
	}
	return f, true
}

func appendRanks(ranks []int, c Contribution) []int {
	for r := c.First; r <= c.Last; r++ {
		ranks = append(ranks, r)
	}
	return ranks
}

// fault says a flaw as Check does.
func (f Flaw) fault(s *Schedule) *Fault {
	at := &Step{ID: -1, Round: -1}
	if f.step >= 0 && f.Kind > Spoilt {
		at = &s.Steps[f.step]
	}
	switch f.Kind {
	case Empty, Spoilt:
		return atStep("missing-data", at, f.Rank, f.Chunk, "out chunk %d of rank %d is never written", f.Chunk, f.Rank)
	case Foreign:
		return atStep("wrong-data", at, f.Rank, f.Chunk, "out chunk %d of rank %d ends with chunk %d of rank %d in it", f.Chunk, f.Rank, f.Piece, f.Of[0])
	case Counted:
		return atStep("double-count", at, f.Rank, f.Chunk, "the contribution of rank %d to chunk %d is counted %d times; it ends so in out chunk %d of rank %d", f.Of[0], f.Piece, f.Times, f.Chunk, f.Rank)
	}
	return atStep("missing-data", at, f.Rank, f.Chunk, "out chunk %d of rank %d ends without the contribution of rank %d", f.Chunk, f.Rank, f.Of[0])
}
