package present

import (
	"fmt"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// SchedulePicture draws a whole schedule, every message of every round, as an
// SVG that stands alone in a file. The source is printed below it; it may be
// empty.
func SchedulePicture(l locale.Locale, s *schedule.Schedule, source string) string {
	transfers, count := roundTransfers(l, s)
	r := draw.Rounds{
		Head:     pairName(l, s.Collective, s.Algorithm) + " · " + string(s.Collective) + " / " + s.Algorithm,
		Desc:     l.T("rounds.desc", locale.Values{"Ranks": s.Ranks, "Rounds": count}),
		Source:   source,
		Ranks:    s.Ranks,
		RankWord: "Rank",
		Phases:   roundPhases(l, s), Transfers: transfers, Count: count,
		Notes: []string{
			l.T("rounds.sum", locale.Values{"Ranks": s.Ranks, "Blocks": s.Chunks, "Rounds": count}),
			l.T("rounds.hash", locale.Values{"Hash": s.Hash()}),
		},
		Words: draw.RoundWords{
			Round:   l.T("rounds.round"),
			Kinds:   [4]string{l.T("rounds.copy"), l.T("rounds.reduce"), l.T("rounds.multicast"), l.T("rounds.net-reduce")},
			Local:   l.T("rounds.local"),
			Summary: l.T("rounds.summary", locale.Values{"Most": draw.MostRoundArrows}),
			Less:    l.T("rounds.less"), More: l.T("rounds.more"), Left: l.T("rounds.left"),
		},
	}
	switch {
	case s.Collective == schedule.AllToAll:
		r.Notes[0] = l.T("rounds.sum.for", locale.Values{"Ranks": s.Ranks, "Blocks": s.Chunks, "Rounds": count})
	case s.Root >= 0:
		r.Notes[0] = l.T("rounds.sum.root", locale.Values{"Ranks": s.Ranks, "Blocks": s.Chunks, "Rounds": count, "Root": s.Root})
	}
	return r.SVG()
}

// roundKinds says how each operation is drawn.
var roundKinds = map[schedule.Op]draw.RoundKind{
	schedule.Copy: draw.RoundCopy, schedule.Reduce: draw.RoundReduce,
	schedule.Multicast: draw.RoundMulticast, schedule.NetReduce: draw.RoundNetReduce,
}

// roundTransfers are the messages of a schedule by counted round, one for all
// that goes from a rank to another in a round in the same way.
func roundTransfers(l locale.Locale, s *schedule.Schedule) (all []draw.RoundTransfer, rounds int) {
	type way struct {
		src, dst int
		op       schedule.Op
	}
	carried := carriedBlocks(s)
	open := map[way]int{} // of the round
	var runs [][]run      // of each transfer, while the picture may still have labels
	round, last := 0, 0
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Round != last {
			last = step.Round
			clear(open)
		}
		if step.Local() { // a local round belongs to the one before
			all = append(all, draw.RoundTransfer{Round: round, From: step.Src, To: step.Dst, Blocks: step.Count, Kind: roundKinds[step.Op]})
			runs = append(runs, nil)
			continue
		}
		if len(open) == 0 {
			round++
			if len(all) > 0 && all[len(all)-1].From == all[len(all)-1].To {
				all = thisRound(all, s.Steps[:i], step.Round, round)
			}
		}
		blocks := carried(i)
		for _, src := range step.Sources() {
			for _, dst := range step.Destinations() {
				w := way{src, dst, step.Op}
				at, known := open[w]
				if !known {
					at = len(all)
					open[w] = at
					all = append(all, draw.RoundTransfer{Round: round, From: src, To: dst, Hue: blocks[0].first, Kind: roundKinds[step.Op]})
					runs = append(runs, nil)
				}
				all[at].Blocks += step.Count
				if len(all) <= 2*draw.MostRoundArrows {
					runs[at] = append(runs[at], blocks...)
				}
			}
		}
	}
	for i := range all {
		if all[i].From != all[i].To {
			all[i].Label = roundLabel(l, runs[i], all[i].Blocks)
		}
	}
	return all, round
}

// carriedBlocks returns what step i carries, as the blocks are numbered
// wherever they are: a place in scratch space says nothing. The caller asks in
// ascending order. A schedule with more steps than a picture has labels for is
// not played: the places have to do.
func carriedBlocks(s *schedule.Schedule) func(i int) []run {
	if len(s.Steps) > 16*draw.MostRoundArrows {
		return func(i int) []run {
			step := &s.Steps[i]
			return []run{{step.DstChunk, step.DstChunk + step.Count - 1}}
		}
	}
	grid := newGrid(s)
	all := make([][]run, len(s.Steps))
	read := func(i int, before *schedule.State) {
		step := &s.Steps[i]
		rank := step.Sources()[0]
		for c := range step.Count {
			held := before.Holds(rank, step.SrcBuf, step.SrcChunk+c)
			_, number := grid.token(held, max(grid.row(rank, step.SrcBuf, step.SrcChunk+c, held), 0))
			if n := len(all[i]); n > 0 && all[i][n-1].last+1 == number {
				all[i][n-1].last = number
			} else {
				all[i] = append(all[i], run{number, number})
			}
		}
	}
	if len(s.Steps) > 0 {
		read(0, s.Start())
	}
	for i, state := range s.WalkSteps() {
		if i+1 < len(s.Steps) {
			read(i+1, state)
		}
	}
	return func(i int) []run { return all[i] }
}

// thisRound gives local steps that precede the first message of their own
// round its number.
func thisRound(all []draw.RoundTransfer, before []schedule.Step, raw, round int) []draw.RoundTransfer {
	for i := 1; i <= len(before) && before[len(before)-i].Round == raw; i++ {
		all[len(all)-i].Round = round
	}
	return all
}

// run is chunks in a row, both ends inclusive.
type run struct{ first, last int }

// roundLabel names the blocks of a message, or counts them where the names are
// too long.
func roundLabel(l locale.Locale, runs []run, blocks int) string {
	var joined []run
	for _, r := range runs {
		if n := len(joined); n > 0 && joined[n-1].last+1 == r.first {
			joined[n-1].last = r.last
		} else {
			joined = append(joined, r)
		}
	}
	if len(joined) > 2 {
		return l.T("rounds.blocks", locale.Values{"Number": blocks})
	}
	var said []string
	for _, r := range joined {
		if r.first == r.last {
			said = append(said, fmt.Sprint(r.first))
		} else {
			said = append(said, fmt.Sprintf("%d–%d", r.first, r.last))
		}
	}
	return strings.Join(said, ", ")
}

// roundPhases are the phases in counted rounds; one with only local steps has
// none.
func roundPhases(l locale.Locale, s *schedule.Schedule) []draw.RoundPhase {
	counted := make([]int, s.LastRound()+1) // rounds up to a raw one
	round, last := 0, 0
	for i := range s.Steps {
		if step := &s.Steps[i]; !step.Local() && step.Round != last {
			round, last = round+1, step.Round
			counted[last] = round
		}
	}
	for raw := 1; raw < len(counted); raw++ {
		counted[raw] = max(counted[raw], counted[raw-1])
	}
	up := func(raw int) int { return counted[min(max(raw, 0), len(counted)-1)] }
	var phases []draw.RoundPhase
	for _, p := range s.Phases {
		if first, last := up(p.First-1)+1, up(p.Last); first <= last {
			phases = append(phases, draw.RoundPhase{Name: phaseTerm(l, p.Key), First: first, Last: last})
		}
	}
	return phases
}
