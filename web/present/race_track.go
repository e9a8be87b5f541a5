package present

import (
	"fmt"
	"slices"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/sim"
	"lockstep/views/draw"
)

// star reports whether every message goes to or comes from one rank, at most
// one each way for every other: a queue at one port.
func (r *racer) star() (hub int, is bool) {
	if len(r.line.Transfers) == 0 {
		return 0, false
	}
	// Of two ranks either could be the hub: it is the lower, as everywhere.
	first := r.line.Transfers[0]
	if slices.ContainsFunc(r.line.Transfers, func(t sim.Transfer) bool { return t.Src < 0 || t.Dst < 0 }) {
		return 0, false // the network itself works
	}
	for _, hub := range []int{min(first.Src, first.Dst), max(first.Src, first.Dst)} {
		seen := map[[2]int]bool{}
		alone := !slices.ContainsFunc(r.line.Transfers, func(t sim.Transfer) bool {
			edge := [2]int{t.Src, t.Dst}
			twice := seen[edge]
			seen[edge] = true
			return t.Src != hub && t.Dst != hub || twice
		})
		if alone {
			return hub, true
		}
	}
	return 0, false
}

// queue is what everyone but the hub does at its port. It returns nil unless
// the schedule is a star.
func (r *racer) queue() []draw.Queuer {
	hub, is := r.star()
	if !is {
		return nil
	}
	peers := make([]draw.Queuer, r.schedule.Ranks)
	for rank := range peers {
		peers[rank] = draw.Queuer{Name: "R" + strconv.Itoa(rank), Short: strconv.Itoa(rank)}
	}
	for _, t := range r.line.Transfers {
		turn := &draw.Turn{Ready: float64(t.Ready), Start: float64(t.Start), End: float64(t.End)}
		if t.Dst == hub {
			peers[t.Src].In = turn
		} else {
			peers[t.Dst].Out = turn
		}
	}
	return slices.Delete(peers, hub, hub+1)
}

// queueState is who is where in a queue at a moment.
type queueState struct {
	in, out  int        // turns that are over, each way
	active   *draw.Turn // the one under way, nil for none
	outward  bool       // it goes from the hub
	waiting  int
	incoming int // turns to the hub in all
	outgoing int
}

func stateOf(peers []draw.Queuer, at float64) queueState {
	var s queueState
	count := func(t *draw.Turn, over *int, all *int, outward bool) {
		if t == nil {
			return
		}
		*all++
		switch {
		case t.End <= at:
			*over++
		case t.Start <= at:
			s.active, s.outward = t, outward
		case t.Ready <= at:
			s.waiting++
		}
	}
	for _, p := range peers {
		count(p.In, &s.in, &s.incoming, false)
		count(p.Out, &s.out, &s.outgoing, true)
	}
	return s
}

// queueMoments are those at which somebody's place changes, ascending.
func queueMoments(peers []draw.Queuer, end float64) []float64 {
	all := []float64{0, end}
	for _, p := range peers {
		for _, t := range []*draw.Turn{p.In, p.Out} {
			if t != nil {
				all = append(all, t.Ready, t.Start, t.End)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mostColumns is up to how many ranks a stage shows every block.
const mostColumns = 16

// columns is how the blocks of every rank fill.
func (r *racer) columns(end unit.Seconds) []draw.RankColumn {
	ranks := make([]draw.RankColumn, r.schedule.Ranks)
	small := r.schedule.Ranks <= mostColumns && r.schedule.Chunks <= mostColumns
	for rank := range ranks {
		ranks[rank].Name = "R" + strconv.Itoa(rank)
		ranks[rank].Sends = r.sends(rank, end)
		if r.contribution() == 0 {
			never := 2*float64(end) + 1
			ranks[rank].Part = draw.Grow{From: never, To: never}
		}
		if small {
			ranks[rank].Blocks = make([]draw.Block, r.schedule.BufChunks(rank, schedule.Out))
			for i := range ranks[rank].Blocks {
				ranks[rank].Blocks[i].Changes = []draw.BlockChange{{Share: r.contribution()}}
			}
		}
	}
	r.fill(ranks, small)
	return ranks
}

// contribution is the share of a result that a rank has at the start: its own
// where contributions are combined, nothing where data only moves.
func (r *racer) contribution() float64 {
	switch r.schedule.Collective {
	case schedule.AllReduce, schedule.ReduceTo, schedule.ReduceScatter:
		return 1 / float64(r.schedule.Ranks)
	}
	return 0
}

// place is a chunk of a buffer of a rank.
type place struct {
	rank   int
	buffer schedule.Buf
	chunk  int
}

// hasOf is how many ranks' contributions to a block a rank has: those that are
// combined, so many more that wait to be, and its own.
func hasOf(rank int, combined []schedule.Contribution, waiting int) int {
	own := 1
	for _, c := range combined {
		waiting += c.Last - c.First + 1
		if c.First <= rank && rank <= c.Last {
			own = 0
		}
	}
	return waiting + own
}

// fill adds what every message changes, as soon as it is applied. What a rank
// copies or combines from a buffer of its own counts from when that had come,
// and what waits there to be combined counts already (written says when).
func (r *racer) fill(ranks []draw.RankColumn, small bool) {
	waits := map[place]int{} // contributions to a chunk of out that wait elsewhere
	r.written(func(step *schedule.Step, state *schedule.State, dst, chunk int, turn draw.Turn) {
		r.arrive(ranks, step, state, dst, chunk, turn, small, waits)
	})
}

// written calls do for every chunk that a step writes, in the schedule's order,
// with the turn in which what is written came.
func (r *racer) written(do func(step *schedule.Step, state *schedule.State, dst, chunk int, turn draw.Turn)) {
	carried := map[[3]int]*sim.Transfer{} // by round, source, destination
	works := map[int]*sim.Transfer{}      // of the network itself, by step
	for i := range r.line.Transfers {
		t := &r.line.Transfers[i]
		carried[[3]int{t.Round, t.Src, t.Dst}] = t
		works[t.Step] = t
	}
	came := map[place]draw.Turn{}
	for index, state := range r.schedule.WalkSteps() {
		step := &r.schedule.Steps[index]
		t := carried[[3]int{step.Round, step.Src, step.Dst}]
		if step.Op > schedule.Reduce {
			t = works[step.ID]
		}
		if t == nil && !step.Local() {
			continue
		}
		for _, dst := range step.Destinations() {
			for k := range step.Count {
				turn := came[place{step.Src, step.SrcBuf, step.SrcChunk + k}]
				if !step.Local() {
					turn = draw.Turn{Start: float64(t.Start), End: float64(t.Applied)}
				}
				came[place{dst, step.DstBuf, step.DstChunk + k}] = turn
				do(step, state, dst, step.DstChunk+k, turn)
			}
		}
	}
}

// arrive changes what a rank has by one chunk that a step has written.
func (r *racer) arrive(ranks []draw.RankColumn, step *schedule.Step, state *schedule.State, dst, chunk int, turn draw.Turn, small bool, waits map[place]int) {
	combines := r.contribution() > 0
	held := state.Holds(dst, step.DstBuf, chunk)
	if step.DstBuf != schedule.Out {
		if len(held) == 0 || !small || !combines || held[0].Piece >= len(ranks[dst].Blocks) {
			return
		}
		chunk = held[0].Piece
		waits[place{dst, schedule.Out, chunk}]++
	} else if step.Local() && step.SrcBuf == schedule.Tmp {
		waits[place{dst, schedule.Out, chunk}]--
	}
	final := step.DstBuf == schedule.Out && state.Final(dst, chunk)
	if !small {
		whole := &ranks[dst].Whole
		switch {
		case final && whole.From == 0 && combines:
			whole.From, ranks[dst].Part.To = turn.End, turn.End
		case final && whole.To == 0: // what only moves is there or not, there are no parts of it
			whole.From = turn.Start
		}
		whole.To = max(whole.To, turn.End)
		return
	}
	held = state.Holds(dst, schedule.Out, chunk)
	share := float64(len(held)) / float64(r.schedule.Ranks)
	if combines {
		share = min(float64(hasOf(dst, held, max(waits[place{dst, schedule.Out, chunk}], 0)))/float64(r.schedule.Ranks), 1)
	}
	ranks[dst].Blocks[chunk].Change(turn, draw.BlockChange{Share: share, Final: final, Own: final && step.Op == schedule.Reduce})
}

// sends is when a rank sends, with gaps that no eye sees closed.
func (r *racer) sends(rank int, end unit.Seconds) []draw.Turn {
	var all []draw.Turn
	for _, t := range r.line.Transfers {
		if !slices.Contains(t.Srcs, rank) {
			continue
		}
		if last := len(all) - 1; last >= 0 && t.Start-unit.Seconds(all[last].End) < end/200 {
			all[last].End = float64(t.End)
			continue
		}
		all = append(all, draw.Turn{Ready: float64(t.Ready), Start: float64(t.Start), End: float64(t.End)})
	}
	return all
}

// works is when the network itself combines or multiplies, one after another.
func (r *racer) works() []draw.Turn {
	var all []draw.Turn
	for _, t := range r.line.Transfers {
		if t.Src >= 0 && t.Dst >= 0 {
			continue
		}
		if n := len(all); n > 0 && float64(t.Start) <= all[n-1].End {
			all[n-1].End = max(all[n-1].End, float64(t.End))
			continue
		}
		all = append(all, draw.Turn{Ready: float64(t.Ready), Start: float64(t.Start), End: float64(t.End)})
	}
	return all
}

// rounds is how many counted rounds are over at a moment.
func (r *racer) rounds(at unit.Seconds) int {
	n := 0
	for _, end := range r.line.Rounds {
		if end <= at {
			n++
		}
	}
	return n
}

// busy is how many ranks send or receive in each counted round.
func (r *racer) busy() []int {
	var counts []int
	round, seen := 0, map[int]bool{}
	for _, t := range r.line.Transfers {
		if t.Round != round {
			round = t.Round
			clear(seen)
			counts = append(counts, 0)
		}
		for _, rank := range slices.Concat(t.Srcs, t.Dsts) {
			seen[rank] = true
		}
		counts[len(counts)-1] = len(seen)
	}
	return counts
}

// ends are the moments at which phases end.
func (r *racer) ends() []unit.Seconds {
	ends := append([]unit.Seconds(nil), r.line.Phases...)
	if n := len(ends); n > 0 {
		ends[n-1] = r.line.Time // a last message may still be on its way
	}
	return ends
}

func turnPercent(t *draw.Turn, at float64) string {
	return fmt.Sprintf("%d", int((at-t.Start)/(t.End-t.Start)*100+1e-9))
}
