package present

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lockstep/engine/trace"
	"lockstep/views"
	"lockstep/views/locale"
)

// Who waited for whom, of a run that has ended: for how long each rank could
// neither receive nor send in the iteration whose trace is kept. Who lacks
// what is decided as while it runs (reached.lacks).

// waitedFor is how long one rank has waited, and for whom most of it.
type waitedFor struct {
	rank  int
	total time.Duration
	most  int // -1 for the others: it had finished; only of a total above zero
}

// waiter adds up the waits of one rank.
type waiter struct {
	receive, send []int // its steps that are not through, by index
	since         time.Duration
	peer          int
	waits         bool
	took          map[int]time.Duration // by peer
}

// waitedIn plays the events of one iteration and returns how long each rank
// has waited, and how long the iteration took.
func waitedIn(t *blockTable, at *reached, events []trace.Event, index func(id int) int) ([]waitedFor, time.Duration) {
	events = slices.DeleteFunc(slices.Clone(events), func(e trace.Event) bool {
		return e.Rank < 0 || e.Rank >= t.ranks || e.Iteration != at.iterations[e.Rank] || index(e.Step) < 0
	})
	slices.SortStableFunc(events, func(a, b trace.Event) int { return cmp.Compare(a.At, b.At) })
	now := &reached{slices: at.slices, sent: make([]int, len(t.steps)), got: make([]int, len(t.steps))}
	all := make([]waiter, t.ranks)
	for i, step := range t.steps {
		if !step.local() {
			all[step.dst].receive = append(all[step.dst].receive, i)
			all[step.src].send = append(all[step.src].send, i)
		}
	}
	next := func(steps []int) int {
		if len(steps) == 0 {
			return -1
		}
		return steps[0]
	}
	judge := func(rank int, when time.Duration) {
		w := &all[rank]
		for len(w.receive) > 0 && now.arrived(w.receive[0]) {
			w.receive = w.receive[1:]
		}
		for len(w.send) > 0 && now.left(w.send[0]) {
			w.send = w.send[1:]
		}
		if w.waits && when > w.since {
			if w.took == nil {
				w.took = map[int]time.Duration{}
			}
			w.took[w.peer] += when - w.since
		}
		w.since = when
		_, w.peer, w.waits = now.lacks(t, next(w.receive), next(w.send), false)
	}
	for rank := range all {
		judge(rank, 0)
	}
	end := time.Duration(0)
	for _, e := range events {
		i := index(e.Step)
		if e.Side != trace.Received {
			now.sent[i]++
		}
		if e.Side != trace.Sent {
			now.got[i]++
		}
		end = e.At
		judge(e.Rank, e.At)
		if step := t.steps[i]; e.Side == trace.Sent { // it may be on its way now
			judge(step.dst, e.At)
			continue
		}
		for rank := range all { // those that wait for what has just come
			if first := next(all[rank].receive); first >= 0 && t.steps[first].src == e.Rank {
				judge(rank, e.At)
			}
		}
	}
	totals := make([]waitedFor, t.ranks)
	for rank := range all {
		judge(rank, end)
		totals[rank] = waitedFor{rank: rank, most: -1}
		longest := time.Duration(0)
		for peer, took := range all[rank].took {
			totals[rank].total += took
			if took > longest || took == longest && peer < totals[rank].most {
				longest, totals[rank].most = took, peer
			}
		}
	}
	return totals, end
}

// maxWaited is how many ranks the summary lists.
const maxWaited = 8

// waitSummary presents how long each rank has waited; nil where there is no
// trace to tell.
func (s *sight) waitSummary() *views.RunWaited {
	if s.table == nil || s.table.rounds == 0 || s.at.iteration() < 0 || s.Run.Ranks < 2 {
		return nil
	}
	l := s.Locale
	totals, end := waitedIn(s.table, s.at, s.Events, s.Schedule.Index)
	if end == 0 {
		return nil
	}
	slices.SortStableFunc(totals, func(a, b waitedFor) int { return cmp.Compare(b.total, a.total) })
	v := &views.RunWaited{
		Title: l.T("run.waited"), Sub: l.T("run.waited.sub", locale.Values{"Time": roundedMoment(end)}), Note: l.T("run.waited.note"),
	}
	for i, w := range totals {
		share := float64(w.total) / float64(end)
		if i == maxWaited {
			v.More = l.T("run.waited.more", locale.Values{"Count": len(totals) - maxWaited, "Time": waitedTime(w.total)})
			break
		}
		row := views.RunWaitedRow{
			Rank: l.T("run.rank", locale.Values{"Rank": w.rank}), Time: waitedTime(w.total),
			Share: fmt.Sprintf("%.1f", 100*share), Percent: fmt.Sprintf("%.0f%%", 100*share), For: l.T("run.waited.none"),
		}
		switch {
		case w.total > 0 && w.most < 0:
			row.For = l.T("run.waited.others")
		case w.total > 0:
			row.For = l.T("run.rank", locale.Values{"Rank": w.most})
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// waitedTime prints how long a rank has waited.
func waitedTime(d time.Duration) string {
	if d == 0 {
		return "0 s"
	}
	return roundedMoment(d)
}
