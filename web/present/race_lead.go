package present

import (
	"slices"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
)

// arrivals are the moments at which a block of the result is complete on a
// rank, ascending: one for every block on every rank that is to have it.
func (r *racer) arrivals() []unit.Seconds {
	seen := map[place]bool{}
	var all []unit.Seconds
	r.written(func(step *schedule.Step, state *schedule.State, dst, chunk int, turn draw.Turn) {
		at := place{dst, step.DstBuf, chunk}
		if step.DstBuf == schedule.Out && !seen[at] && state.Final(dst, chunk) {
			seen[at] = true
			all = append(all, min(unit.Seconds(turn.End), r.line.Time))
		}
	})
	slices.Sort(all)
	return all
}

// share is how many percent of some arrivals are over at a moment, rounded
// down; all of nothing is complete.
func share(arrivals []unit.Seconds, at unit.Seconds) int {
	if len(arrivals) == 0 {
		return 100
	}
	over, _ := slices.BinarySearchFunc(arrivals, at, func(a, at unit.Seconds) int {
		if a <= at {
			return -1
		}
		return 1
	})
	return 100 * over / len(arrivals)
}

// lead says who is ahead at the moment, by how much of the result is where it
// belongs, and once somebody is done, who has won and by how much.
func (r *race) lead() views.RaceText {
	both := [2]*racer{r.a, r.b}
	var arrivals [2][]unit.Seconds
	moments := []unit.Seconds{0, r.a.line.Time, r.b.line.Time}
	for i, who := range both {
		arrivals[i] = who.arrivals()
		moments = append(moments, arrivals[i]...)
	}
	slices.Sort(moments)
	var lines []draw.Line
	for _, from := range slices.Compact(moments) {
		text := r.leadAt(both, [2]int{share(arrivals[0], from), share(arrivals[1], from)}, from)
		if n := len(lines); n > 0 {
			lines[n-1].To = float64(from)
			if lines[n-1].Text == text {
				continue
			}
		}
		lines = append(lines, draw.Line{From: float64(from), Text: text})
	}
	lines[len(lines)-1].To = float64(r.end)
	for i := range lines[:len(lines)-1] {
		lines[i].To = lines[i+1].From
	}
	return r.line("lead", lines)
}

func (r *race) leadAt(both [2]*racer, percent [2]int, at unit.Seconds) string {
	first, second, p, q := both[0], both[1], percent[0], percent[1]
	if q > p || q == p && both[1].line.Time < both[0].line.Time {
		first, second, p, q = second, first, q, p
	}
	values := []any{"First", r.name(first), "Second", r.name(second), "Percent", p, "Others", q, "By", duration(second.time() - first.time())}
	times := "1"
	if first.time() > 0 {
		times = significant(float64(second.time()/first.time()), 2)
	}
	switch {
	case at >= r.end && first.time() == second.time():
		return r.t("race.lead.tie", values...)
	case at >= r.end && times == "1":
		return r.t("race.lead.close", values...)
	case at >= r.end:
		return r.t("race.lead.won", append(values, "Times", times)...)
	case at >= first.line.Time && q == 0:
		return r.t("race.lead.over.none", values...)
	case at >= first.line.Time:
		return r.t("race.lead.over", values...)
	case p == 0:
		return r.t("race.lead.nobody", values...)
	case p == q:
		return r.t("race.lead.even", "Percent", strconv.Itoa(p))
	}
	return r.t("race.lead", values...)
}
