package present

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// verdicts say in plain words what happened: the messages of the verdict, of
// the reasons and of the word under the column.
var verdicts = map[trace.FailureKind][3]string{
	trace.ProcessDied:    {"run.died", "run.died.text", "run.died.word"},
	trace.ProcessFrozen:  {"run.frozen", "run.frozen.text", "run.frozen.word"},
	trace.LinkStalled:    {"run.stalled", "run.stalled.text", "run.stalled.word"},
	trace.WrongResult:    {"run.wrong", "run.wrong.text", "run.wrong.word"},
	trace.StartFailed:    {"run.nostart", "run.nostart.text", "run.nostart.word"},
	trace.AgentLost:      {"run.lost", "run.lost.text", "run.lost.word"},
	trace.NodeLimit:      {"run.limit", "run.limit.text", "run.limit.word"},
	trace.Unreachable:    {"run.unreachable", "run.unreachable.text", "run.unreachable.word"},
	trace.LibraryFailed:  {"run.library", "run.library.text", "run.library.word"},
	trace.ConsoleStopped: {"run.stopped", "run.stopped.text", "run.stopped.word"},
	trace.Internal:       {"run.internal", "run.internal.text", "run.internal.word"},
}

// verdict returns the messages of a failure's kind.
func verdict(f *trace.Failure) [3]string {
	if v, known := verdicts[f.Kind]; known {
		return v
	}
	return verdicts[trace.Internal]
}

// lostUnheard reports whether a node was lost before anything was heard of its
// ranks.
func lostUnheard(f *trace.Failure) bool { return f.Kind == trace.AgentLost && f.DetectedAfter == 0 }

// culprits are the ranks to be framed: the one that is to blame, both ends of
// the link that is, or all ranks of the node that is.
func (s *sight) culprits() map[int]bool {
	cause := map[int]bool{}
	f := s.Run.Failure
	if f == nil {
		return cause
	}
	if f.Culprit.Rank != nil {
		cause[*f.Culprit.Rank] = true
	}
	if src, dst, ok := linkEnds(f.Culprit.Link); ok {
		cause[src], cause[dst] = true, true
	}
	if f.Kind == trace.AgentLost || f.Kind == trace.NodeLimit { // with all its ranks
		for rank := range s.Run.Ranks {
			cause[rank] = s.Run.NodeName(rank) == f.Culprit.Node
		}
	}
	return cause
}

// linkEnds reads a link such as 2->3.
func linkEnds(link string) (src, dst int, ok bool) {
	from, to, found := strings.Cut(link, "->")
	src, err1 := strconv.Atoi(from)
	dst, err2 := strconv.Atoi(to)
	return src, dst, found && err1 == nil && err2 == nil
}

// blamed is the word under the culprit's column.
func (s *sight) blamed() string { return s.Locale.T(verdict(s.Run.Failure)[2]) }

// who names the culprit.
func (s *sight) who() string {
	f := s.Run.Failure
	switch src, dst, link := linkEnds(f.Culprit.Link); {
	case f.Culprit.Rank != nil && f.Culprit.Node != "":
		return s.Locale.T("run.rank.on", locale.Values{"Rank": *f.Culprit.Rank, "Node": f.Culprit.Node})
	case f.Culprit.Rank != nil:
		return s.Locale.T("run.rank", locale.Values{"Rank": *f.Culprit.Rank})
	case link:
		return s.Locale.T("run.link", locale.Values{"Src": src, "Dst": dst})
	case f.Culprit.Node != "":
		return s.Locale.T("run.node", locale.Values{"Node": f.Culprit.Node})
	}
	return s.Locale.T("run.rank.some")
}

// blame presents a failure.
func (s *sight) blame() *views.RunBlame {
	l, f := s.Locale, s.Run.Failure
	messages := verdict(f)
	if lostUnheard(f) {
		messages[1] = "run.lost.unheard.text"
	}
	values := locale.Values{"Who": s.who(), "After": duration(unit.Seconds(f.DetectedAfter)), "Ranks": s.Run.Ranks}
	b := &views.RunBlame{Verdict: l.T(messages[0], values), Why: l.T(messages[1], values)}
	if s.table != nil && len(s.culprits()) > 0 && s.at.iteration() >= 0 {
		graph := s.waitGraph()
		b.Graph, b.Tall = graph.SVG(), graph.Tall()
	}
	if s.Schedule != nil && s.Run.Ranks > 1 && len(s.culprits()) > 0 {
		b.What = append(b.What, l.T("run.nodetour", locale.Values{"Algorithm": runAlgorithm(l, s.Run), "Ranks": s.Run.Ranks}))
	}
	freed := "run.freed"
	if f.Kind == trace.AgentLost { // of what is beyond it nobody knows
		freed = "run.freed.rest"
	}
	b.What = append(b.What, l.T(freed))
	b.Todo = s.todo()
	b.Evidence = s.evidence()
	return b
}

// waits returns for each rank the one it waits for, -1 for nobody, and whether
// it cannot send rather than receive.
func (s *sight) waits() (on []int, sends []bool) {
	receive, send := s.at.lanes(s.table)
	on, sends = make([]int, s.table.ranks), make([]bool, s.table.ranks)
	cause := s.culprits()
	for rank := range on {
		on[rank] = -1
		if l := receive[rank]; l.step >= 0 {
			on[rank] = s.table.steps[l.step].src
		}
		if l := send[rank]; l.step >= 0 && l.moves && (on[rank] < 0 || !cause[on[rank]] && cause[s.table.steps[l.step].dst]) {
			on[rank], sends[rank] = s.table.steps[l.step].dst, true
		}
	}
	return on, sends
}

// saysStuck tells what a rank was doing when the run failed.
func (s *sight) saysStuck(rank int) (draw.RankState, [2]string) {
	l, cause := s.Locale, s.culprits()
	on, sends := s.waits()
	peer := locale.Values{"Peer": on[rank]}
	switch {
	case cause[rank]:
		return draw.RankStuck, [2]string{s.blamed()}
	case s.at.iteration() < 0:
		return draw.RankWaits, [2]string{}
	case on[rank] < 0:
		return draw.RankDone, [2]string{l.T("run.line.finished")}
	case cause[on[rank]] && sends[rank]:
		return draw.RankHeld, [2]string{l.T("run.line.blocked"), l.T("run.line.blocked.by", peer)}
	case cause[on[rank]]:
		return draw.RankHeld, [2]string{l.T("run.line.starved"), l.T("run.line.starved.by", peer)}
	}
	return draw.RankWaits, [2]string{l.T("run.line.waiting"), l.T("run.line.waiting.for", peer)}
}

// maxNear is how many ranks that wait for the culprit itself are drawn one by
// one.
const maxNear = 4

// waitGraph draws who waits for whom.
func (s *sight) waitGraph() draw.WaitGraph {
	l := s.Locale
	cause := s.culprits()
	on, sends := s.waits()
	var near, far []int
	for rank, whom := range on {
		switch {
		case cause[rank]:
		case whom >= 0 && cause[whom]:
			near = append(near, rank)
		default:
			far = append(far, rank)
		}
	}
	graph := draw.WaitGraph{WaitFor: l.T("run.wait.for")}
	if len(near) <= maxNear {
		for _, rank := range near {
			graph.Near = append(graph.Near, draw.WaitBox{
				Title: l.T("run.rank", locale.Values{"Rank": rank}), Note: s.stuckAt(rank, sends[rank]), Says: s.cannot(sends[rank])})
		}
	} else {
		graph.Near = []draw.WaitBox{{Title: s.rankList(near), Note: l.T("run.wait.direct"), Says: s.cannot(sends[near[0]])}}
	}
	if len(far) > 0 {
		note := l.T("run.wait.chain")
		if len(near) == 0 {
			note = l.T("run.wait.none")
		}
		graph.Far = []draw.WaitBox{{Title: s.rankList(far), Note: note}}
	}
	graph.Cause = draw.WaitBox{Title: s.who(), Note: s.blamed()}
	if f := s.Run.Failure; f.Step >= 0 {
		if i := s.Schedule.Index(f.Step); i >= 0 {
			graph.Cause.Note = l.T("run.wait.cause", locale.Values{"What": s.blamed(), "Step": s.table.steps[i].round})
		}
	}
	graph.Title = l.T("run.wait.title", locale.Values{"Who": graph.Cause.Title, "Near": s.rankList(near), "Far": s.rankList(far)})
	if len(near) == 0 { // it is everybody's cause all the same
		graph.Near, graph.Far = graph.Far, nil
	}
	return graph
}

func (s *sight) cannot(sends bool) string {
	if sends {
		return s.Locale.T("run.wait.send")
	}
	return s.Locale.T("run.wait.receive")
}

// stuckAt says at what a rank is held up.
func (s *sight) stuckAt(rank int, sends bool) string {
	receive, send := s.at.lanes(s.table)
	lane, part := receive[rank], s.at.got
	message := "run.wait.got"
	if sends {
		lane, part, message = send[rank], s.at.sent, "run.wait.sent"
	}
	if lane.step < 0 {
		return ""
	}
	step := s.table.steps[lane.step]
	block := step.row
	if sends {
		block = step.from
	}
	return s.Locale.T(message, locale.Values{"Block": block, "Step": step.round,
		"Share": fmt.Sprintf("%.0f", 100*float64(part[lane.step])/float64(s.at.slices))})
}

// rankList names ranks, runs of them as from–to.
func (s *sight) rankList(ranks []int) string {
	if len(ranks) == 0 {
		return s.Locale.T("run.rank.none")
	}
	if len(ranks) == 1 {
		return s.Locale.T("run.rank", locale.Values{"Rank": ranks[0]})
	}
	comma := ", "
	if s.Locale.Lang() == locale.Chinese {
		comma = "、"
	}
	slices.Sort(ranks)
	var parts []string
	for i := 0; i < len(ranks); {
		j := i
		for j+1 < len(ranks) && ranks[j+1] == ranks[j]+1 {
			j++
		}
		switch {
		case j == i:
			parts = append(parts, strconv.Itoa(ranks[i]))
		case j == i+1:
			parts = append(parts, strconv.Itoa(ranks[i]), strconv.Itoa(ranks[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", ranks[i], ranks[j]))
		}
		i = j + 1
	}
	return s.Locale.T("run.ranks", locale.Values{"Ranks": strings.Join(parts, comma)})
}

// todo says what to do next.
func (s *sight) todo() []views.RunTodo {
	l := s.Locale
	todo := []views.RunTodo{{Text: l.T("run.todo.again")}}
	switch s.Run.Failure.Kind {
	case trace.ProcessDied:
		todo = append(todo, views.RunTodo{Text: l.T("run.todo.oom"), Command: views.Command{"dmesg --ctime |", "grep -iE 'killed process|segfault'"}})
	case trace.ProcessFrozen:
		todo = append(todo, views.RunTodo{Text: l.T("run.todo.load"), Command: views.Command{"ps -eo pid,stat,pcpu,cmd", "--sort=-pcpu | head"}})
	case trace.LinkStalled:
		if s.Run.Link == trace.Shm {
			todo = append(todo, views.RunTodo{Text: l.T("run.todo.load"), Command: views.Command{"ps -eo pid,stat,pcpu,cmd", "--sort=-pcpu | head"}})
			break
		}
		todo = append(todo, views.RunTodo{Text: l.T("run.todo.link"), Command: views.Command{"ss -tmi", "state established"}})
	case trace.AgentLost:
		todo = append(todo, views.RunTodo{Text: l.T("run.todo.node"), Command: views.Command{"ps -eo pid,lstart,cmd", "| grep 'console agent'"}})
	case trace.NodeLimit:
		todo = append(todo, views.RunTodo{Text: l.T("run.todo.limit"), Command: views.Command{"ps -eo pid,lstart,cmd", "| grep 'console agent'"}})
	case trace.Unreachable:
		todo = append(todo, views.RunTodo{Text: l.T("run.todo.reach"), Command: views.Command{"ss -tln"}})
	case trace.StartFailed:
		todo = append(todo, views.RunTodo{Text: l.T("run.todo.start"), Command: s.command("version")})
	}
	return append(todo, views.RunTodo{Text: l.T("run.todo.show"), Command: s.command("run show "+s.Run.ID, "--json")})
}

// evidence lists what was seen, in the order in which it happened.
func (s *sight) evidence() []views.RunEvidence {
	l, r := s.Locale, s.Run
	var seen []views.RunEvidence
	add := func(at time.Time, message string, values locale.Values) {
		text := ""
		if !at.IsZero() {
			text = at.Local().Format("15:04:05.0")
		}
		seen = append(seen, views.RunEvidence{When: text, What: l.T(message, values)})
	}
	if !r.Started.IsZero() {
		add(r.Started, "run.saw.start", locale.Values{"Ranks": r.Ranks})
	}
	if s.table != nil && s.at.iteration() >= 0 {
		for rank := range r.Ranks {
			if !s.culprits()[rank] {
				continue
			}
			last := -1
			for i, step := range s.table.steps {
				if step.dst == rank && !step.local() && s.at.arrived(i) || step.src == rank && !step.local() && s.at.left(i) {
					last = max(last, step.round)
				}
			}
			values := locale.Values{"Rank": rank, "Step": last, "Iteration": max(s.at.iterations[rank]-r.Warmups()+1, 0)}
			if last < 0 {
				add(time.Time{}, "run.saw.nothing", values)
			} else {
				add(time.Time{}, "run.saw.step", values)
			}
		}
	}
	if after := r.Failure.DetectedAfter; after > 0 && !r.Ended.IsZero() {
		add(r.Ended.Add(-time.Duration(after*float64(time.Second))), "run.saw.sign", locale.Values{"Who": s.who()})
		add(r.Ended, "run.saw.detected", locale.Values{"After": duration(unit.Seconds(after))})
	} else if !r.Ended.IsZero() {
		add(r.Ended, "run.saw.end", nil)
	}
	return append(seen, s.record())
}
