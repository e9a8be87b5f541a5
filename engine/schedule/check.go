package schedule

import (
	"slices"
	"strings"
)

// Check proves s right, or returns the first *Fault: a rule of the document
// that is broken, a chunk that is missing, counted twice or overwritten, or an
// order allowed by Deps that could give another result than the rounds. A nil
// return means that every order that respects Deps leaves exactly the
// collective's result in every rank's out, bit-identical on all ranks where
// all hold it.
func Check(s *Schedule) error {
	// The order matters: each stage may rely on the ones before it.
	if f := checkHead(s); f != nil {
		return f
	}
	if f := checkSteps(s); f != nil {
		return f
	}
	// What remains only reads the steps, which are in shape now: two cores look,
	// one at who touches what and when, the other at what comes of it.
	c := newCells(s)
	var rounds, deps *Fault
	touched := make(chan struct{})
	go func() {
		defer close(touched)
		if rounds = checkRounds(s, c); rounds == nil {
			deps = checkDeps(s, c)
		}
	}()
	data := checkData(s)
	<-touched
	for _, f := range []*Fault{rounds, data, deps} {
		if f != nil {
			return f
		}
	}
	return nil
}

// checkData plays the steps and looks at what the phases promise and what the
// end must be.
func checkData(s *Schedule) *Fault {
	st := newState(s)
	phase := 0
	for i := range s.Steps {
		if f := st.apply(i); f != nil {
			return f
		}
		for phase < len(s.Phases) && (i+1 == len(s.Steps) || s.Steps[i+1].Round > s.Phases[phase].Last) {
			if p := s.Phases[phase]; !st.Satisfies(p.Invariant) {
				return general("phases", "%s does not hold after phase %q, at the end of round %d", p.Invariant, p.Key, p.Last)
			}
			phase++
		}
	}
	return checkResult(s, st)
}

func checkHead(s *Schedule) *Fault {
	switch {
	case !s.Collective.Known():
		return general("collective", "unknown collective %q; accepted: %s", s.Collective, joinNames(Collectives()))
	case s.Ranks < 1 || s.Ranks > MaxRanks:
		return general("ranks", "%d ranks; accepted: 1 to %d", s.Ranks, MaxRanks)
	case s.Chunks < 1:
		return general("chunks", "%d chunks; accepted: 1 or more", s.Chunks)
	case s.Collective.Blocks() && s.Chunks%s.Ranks != 0:
		return general("chunks", "%d chunks; %s needs a multiple of %d, the same number for every rank's block", s.Chunks, s.Collective, s.Ranks)
	case s.Collective == Barrier && s.Chunks != 1:
		return general("chunks", "%d chunks; a barrier has 1", s.Chunks)
	case s.Collective.Rooted() && s.Root == NoRoot:
		return general("root", "%s needs a root; accepted: 0 to %d", s.Collective, s.Ranks-1)
	case s.Collective.Rooted() && (s.Root < 0 || s.Root >= s.Ranks):
		return general("root", "root %d; accepted: 0 to %d", s.Root, s.Ranks-1)
	case !s.Collective.Rooted() && s.Root != NoRoot:
		return general("root", "%s has no root", s.Collective)
	case s.RanksPerNode < 0:
		return general("ranks-per-node", "%d ranks per node; accepted: 1 or more", s.RanksPerNode)
	case s.TmpChunks < 0:
		return general("tmp-chunks", "%d tmp chunks; accepted: 0 or more", s.TmpChunks)
	}
	// Each bound alone first: their product could overflow.
	if s.Chunks > MaxCells || s.TmpChunks > MaxCells || s.Ranks*(2*s.Chunks+s.TmpChunks) > MaxCells {
		return general("size", "%d ranks with %d chunks and %d tmp chunks are more than the %d chunks that can be checked", s.Ranks, s.Chunks, s.TmpChunks, MaxCells)
	}
	if s.RanksPerNode > MaxCells {
		return general("ranks-per-node", "%d ranks per node; accepted: 1 to %d", s.RanksPerNode, MaxCells)
	}
	if !plain(s.Algorithm) {
		return general("algorithm", "algorithm %q; accepted: letters, digits and dashes", s.Algorithm)
	}
	for i, p := range s.Phases {
		if !plain(p.Key) || p.Key == "" {
			return general("phases", "phase key %q; accepted: letters, digits and dashes", p.Key)
		}
		if p.First < 1 || p.Last < p.First || p.Last > s.LastRound() || i > 0 && p.First <= s.Phases[i-1].Last {
			return general("phases", "phase %q covers rounds %d to %d; phases follow one another within rounds 1 to %d", p.Key, p.First, p.Last, s.LastRound())
		}
	}
	return nil
}

// maxTouched bounds the chunks that all steps together read and write, and so
// the memory and time of a check. The ring of 1,024 ranks with the most chunks
// comes to 50 million.
const maxTouched = 1 << 26

// checkSteps looks at each step on its own: numbers in range, shapes allowed.
func checkSteps(s *Schedule) *Fault {
	round, id, tmp, touched := 0, -1, 0, 0
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.ID <= id {
			return atStep("id-order", step, -1, -1, "comes behind step %d; IDs ascend", id)
		}
		if step.Round != round && step.Round != round+1 || step.Round == 0 {
			return atStep("round-order", step, -1, -1, "is in round %d behind round %d; rounds count from 1 without gaps and IDs ascend with them", step.Round, round)
		}
		id, round = step.ID, step.Round
		if f := checkShape(s, step); f != nil {
			return f
		}
		if touched += step.Count * (len(step.Sources()) + len(step.Destinations())); touched > maxTouched {
			return atStep("size", step, -1, -1, "takes the chunks that steps touch beyond the %d that can be checked", maxTouched)
		}
		if step.SrcBuf == Tmp {
			tmp = max(tmp, step.SrcChunk+step.Count)
		}
		if step.DstBuf == Tmp {
			tmp = max(tmp, step.DstChunk+step.Count)
		}
	}
	if tmp != s.TmpChunks {
		return general("tmp-chunks", "tmp_chunks is %d, but the largest index used + 1 is %d", s.TmpChunks, tmp)
	}
	return nil
}

func checkShape(s *Schedule, step *Step) *Fault {
	switch {
	case step.Op > NetReduce || step.SrcBuf > Tmp || step.DstBuf > Tmp:
		return atStep("shape", step, -1, -1, "has an unknown op or buffer")
	case step.Count < 1:
		return atStep("shape", step, -1, -1, "has count %d; accepted: 1 or more", step.Count)
	case step.DstBuf == In:
		return atStep("writes-in", step, step.Dst, step.DstChunk, "writes to the in buffer, which is never written")
	case step.Op > Reduce && len(step.Group) == 0:
		return atStep("shape", step, -1, -1, "is a %s without its list of ranks", step.Op)
	case step.Op == Multicast && len(step.Group) == 1 && step.Group[0] == step.Src,
		step.Op == NetReduce && len(step.Group) == 1 && step.Group[0] == step.Dst:
		return atStep("shape", step, -1, -1, "is a %s of rank %d to itself; a local step is a copy", step.Op, step.Group[0])
	case step.Op <= Reduce && len(step.Group) > 0:
		return atStep("shape", step, -1, -1, "is a %s with a list of ranks; only multicast has dsts, only net-reduce srcs", step.Op)
	}
	if f := checkPlaces(s, step, step.Sources(), step.SrcBuf, step.SrcChunk, "src"); f != nil {
		return f
	}
	if f := checkPlaces(s, step, step.Destinations(), step.DstBuf, step.DstChunk, "dst"); f != nil {
		return f
	}
	// Chunks of unequal length must not meet: only equal places in a block do.
	if k := s.ChunksPerBlock(); step.SrcChunk%k != step.DstChunk%k {
		return atStep("chunk-length", step, step.Dst, step.DstChunk, "moves chunk %d to chunk %d; both must be equal modulo %d to be equally long", step.SrcChunk, step.DstChunk, k)
	}
	return nil
}

func checkPlaces(s *Schedule, step *Step, ranks []int, buf Buf, chunk int, side string) *Fault {
	for i, rank := range ranks {
		if rank < 0 || rank >= s.Ranks {
			return atStep("rank-range", step, rank, chunk, "has %s rank %d; accepted: 0 to %d", side, rank, s.Ranks-1)
		}
		if i >= s.Ranks || slices.Contains(ranks[:i], rank) {
			return atStep("shape", step, rank, chunk, "lists rank %d twice in %ss", rank, side)
		}
		size := s.BufChunks(rank, buf)
		if chunk < 0 || chunk >= size || step.Count > size-chunk {
			return atStep("chunk-range", step, rank, chunk, "touches %d %s chunks from %d on of rank %d, which has %d", step.Count, buf, chunk, rank, size)
		}
	}
	return nil
}

func checkRounds(s *Schedule, c cells) *Fault {
	l := newLedger(c)
	for i := range s.Steps {
		if c := l.enter(&s.Steps[i]); c != nil {
			return c.fault(&s.Steps[i])
		}
	}
	return nil
}

// checkResult compares what every out chunk holds with what it must hold.
func checkResult(s *Schedule, st *State) *Fault {
	for rank := range s.Ranks {
		for chunk := range st.cells.sizes[rank][Out] {
			cell := st.cells.at(rank, Out, chunk)
			id := st.held[cell]
			if !st.final(rank, chunk, id) {
				f, _ := st.flaw(rank, chunk)
				return f.fault(s)
			}
			if first := st.held[st.cells.at(0, Out, chunk)]; s.Collective == AllReduce && id != first {
				return general("not-identical", "out chunk %d of rank %d is complete but combined in another order than on rank 0; all ranks must end bit-identical", chunk, rank)
			}
		}
	}
	return nil
}

// checkDeps recomputes the dependencies: fewer would allow an order that gives
// another result, others are not what the rule says.
func checkDeps(s *Schedule, c cells) *Fault {
	w := newWiring(c)
	for i := range s.Steps {
		step := &s.Steps[i]
		want := w.next(step)
		if slices.Equal(want, step.Deps) {
			continue
		}
		for _, d := range want {
			if !slices.Contains(step.Deps, d) {
				rank, chunk := s.contended(step, d)
				return atStep("missing-dep", step, rank, chunk, "does not wait for step %d, which touches the same chunk; it could run too early", d)
			}
		}
		for _, d := range step.Deps {
			if d >= step.ID {
				return atStep("dep-order", step, step.Dst, step.DstChunk, "waits for step %d; a step waits for smaller IDs only", d)
			}
			if !slices.Contains(want, d) {
				return atStep("extra-dep", step, step.Dst, step.DstChunk, "waits for step %d, with which it shares no chunk that either writes", d)
			}
		}
		return atStep("dep-order", step, step.Dst, step.DstChunk, "lists its deps twice or out of order; they ascend")
	}
	return nil
}

// contended returns the rank and chunk over which step must wait for the step
// with ID d: one it reads or writes and d wrote, or one it writes and d read.
func (s *Schedule) contended(step *Step, d int) (rank, chunk int) {
	dep := &s.Steps[s.Index(d)]
	for _, pair := range []struct {
		ranks, others []int
		buf, other    Buf
		chunk, start  int
	}{
		{step.Sources(), dep.Destinations(), step.SrcBuf, dep.DstBuf, step.SrcChunk, dep.DstChunk},
		{step.Destinations(), dep.Destinations(), step.DstBuf, dep.DstBuf, step.DstChunk, dep.DstChunk},
		{step.Destinations(), dep.Sources(), step.DstBuf, dep.SrcBuf, step.DstChunk, dep.SrcChunk},
	} {
		first := max(pair.chunk, pair.start)
		if pair.buf != pair.other || first >= pair.chunk+step.Count || first >= pair.start+dep.Count {
			continue
		}
		for _, r := range pair.ranks {
			if slices.Contains(pair.others, r) {
				return r, first
			}
		}
	}
	return -1, -1
}

// plain reports whether a name is safe to print anywhere: it may come from
// outside.
func plain(name string) bool {
	return len(name) <= 100 && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
	})
}

func joinNames(list []Collective) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}
