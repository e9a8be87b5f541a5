package present

import (
	"slices"

	"lockstep/engine/schedule"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// pattern is the shape of a step's messages.
type pattern struct {
	senders, receivers []int // ascending
	distance           int   // of a shift: every rank sends so far to the right; 0 for none
	apart              int   // of swaps: how far partners are apart; -1 where they differ, 0 for no swaps
	everyone           bool  // each sends to each other
	least, most        int   // bytes of a message
}

func (t teller) pattern(step int) pattern {
	n := t.f.schedule.Ranks
	p := pattern{}
	moves := t.f.steps[step].moves
	sends, receives, seen := make([]bool, n), make([]bool, n), map[[2]int]bool{}
	p.least, p.distance = moves[0].bytes, (moves[0].dst()-moves[0].src()+n)%n
	for i := range moves {
		m := &moves[i]
		p.least, p.most = min(p.least, m.bytes), max(p.most, m.bytes)
		for _, src := range m.givers() {
			sends[src] = true
		}
		for _, dst := range m.takers() {
			receives[dst] = true
		}
		seen[[2]int{m.src(), m.dst()}] = true
		if (m.dst()-m.src()+n)%n != p.distance {
			p.distance = 0
		}
	}
	for rank := range n {
		if sends[rank] {
			p.senders = append(p.senders, rank)
		}
		if receives[rank] {
			p.receivers = append(p.receivers, rank)
		}
	}
	if len(moves) != n {
		p.distance = 0
	}
	p.everyone = len(seen) == n*(n-1)
	for pair := range seen {
		apart := max(pair[0]-pair[1], pair[1]-pair[0])
		switch {
		case !seen[[2]int{pair[1], pair[0]}] || len(moves) > n:
			p.apart = 0
			return p
		case p.apart == 0:
			p.apart = apart
		case p.apart != apart:
			p.apart = -1
		}
	}
	return p
}

// tell says what happens in a step from what the schedule does in it: who sends
// to whom, what becomes of it, and how far everyone is.
func (t teller) tell(step int) string {
	at := &t.f.steps[step]
	said := []string{}
	say := func(id string, values locale.Values) { said = append(said, t.l.T(id, values)) }
	if phase := t.f.phases[at.phase]; step == phase.first && len(t.f.phases) > 1 {
		say("phase."+phase.key+".line", nil)
	}
	t.tellMoves(step, say)
	t.tellUse(step, say)
	t.tellTurns(step, say)
	if wait := at.waits(); wait > 0 {
		say("lesson.say.queue", locale.Values{"Wait": duration(wait)})
	}
	if t.c.broken != nil {
		t.tellBroken(step, say)
	} else {
		t.tellStanding(step, say)
	}
	return t.joined(said)
}

// joined puts sentences behind one another as a language does.
func (t teller) joined(said []string) string {
	all := said[0]
	for _, next := range said[1:] {
		all = t.l.T("lesson.say.join", locale.Values{"First": all, "Next": next})
	}
	return all
}

// tellMoves says who sends to whom.
func (t teller) tellMoves(step int, say func(string, locale.Values)) {
	at, p, n := &t.f.steps[step], t.pattern(step), t.f.schedule.Ranks
	m := &at.moves[0]
	values := locale.Values{
		"Ranks": n, "Others": n - 1, "Moves": len(at.moves), "From": p.senders[0], "To": p.receivers[0], "Senders": len(p.senders), "Receivers": len(p.receivers),
		"Distance": p.distance, "Apart": p.apart, "Pairs": len(at.moves) / 2, "Block": blockRange(m), "Blocks": m.blocks(), "Bytes": t.bytesOf(p),
	}
	id := "lesson.say.some"
	switch signal := t.f.schedule.Collective == schedule.Barrier; {
	case signal && len(p.senders) == 1:
		id = "lesson.say.signal.out"
	case signal && len(p.receivers) == 1:
		id = "lesson.say.signal.in"
	case signal:
		id = "lesson.say.signal.shift"
	case m.op == schedule.Multicast && len(at.moves) == 1:
		id = "lesson.say.multicast.one"
	case m.op == schedule.Multicast:
		id = "lesson.say.multicast.all"
	case m.op == schedule.NetReduce && len(at.moves) == 1:
		values["Senders"] = len(m.srcs)
		id = "lesson.say.netreduce.one"
	case m.op == schedule.NetReduce:
		id = "lesson.say.netreduce.all"
	case len(at.moves) == 1:
		id = "lesson.say.one"
	case p.everyone && n > 2:
		id = "lesson.say.everyone"
	case len(p.senders) == 1:
		id = "lesson.say.out"
	case len(p.receivers) == 1:
		id = "lesson.say.in"
	case n == 2:
		id = "lesson.say.two"
	case t.nodesOf(step) != "":
		id = t.nodesOf(step)
	case p.apart != 0 && len(at.moves) > 2 && p.apart > 0:
		id = "lesson.say.pairs"
	case p.apart != 0:
		id = "lesson.say.swaps"
	case p.distance == 1:
		id = "lesson.say.right"
	case p.distance == n-1:
		id = "lesson.say.left"
	case p.distance > 0:
		id = "lesson.say.shift"
	}
	say(id, values)
}

// nodesOf is the message about a step whose messages all stay inside nodes, or
// all go across; empty for neither.
func (t teller) nodesOf(step int) string {
	per := t.f.schedule.RanksPerNode
	if per == 0 {
		return ""
	}
	inside, across := 0, 0
	for i := range t.f.steps[step].moves {
		if m := &t.f.steps[step].moves[i]; m.src()/per == m.dst()/per {
			inside++
		} else {
			across++
		}
	}
	switch {
	case across == 0:
		return "lesson.say.inside"
	case inside == 0:
		return "lesson.say.across"
	}
	return ""
}

// bytesOf says how long the messages of a step are.
func (t teller) bytesOf(p pattern) string {
	if p.least == p.most {
		return lessonBytes(p.most)
	}
	return t.l.T("lesson.say.range", locale.Values{"Least": lessonBytes(p.least), "Most": lessonBytes(p.most)})
}

// tellUse says what becomes of what arrives.
func (t teller) tellUse(step int, say func(string, locale.Values)) {
	at, s := &t.f.steps[step], t.f.schedule
	adds, passes := false, 0
	for i := range at.moves {
		m := &at.moves[i]
		adds = adds || m.op == schedule.Reduce
		for _, p := range m.parts {
			if p.toBuf == schedule.Tmp {
				passes += p.count
			}
		}
	}
	values := locale.Values{"Most": t.most(at.state), "Ranks": s.Ranks, "Number": passes}
	switch {
	case s.Collective == schedule.Barrier:
		say("lesson.say.known", values)
	case adds || !t.f.grid.copies && at.moves[0].op != schedule.NetReduce && t.grew(step):
		say("lesson.say.adds", values)
	case !t.f.grid.copies && at.moves[0].alone():
		say("lesson.say.copies", values)
	case t.f.grid.copies && passes > 0:
		say("lesson.say.passes", values)
	}
}

// most is the largest number of contributors that a cell has.
func (t teller) most(h *holding64) int {
	most := 0
	for _, who := range h.who {
		most = max(most, countBits(who))
	}
	return most
}

// grew reports whether the largest sum has more in it after the step.
func (t teller) grew(step int) bool {
	return t.most(t.f.steps[step].state) > t.most(t.f.steps[step-1].state)
}

// tellTurns says why a step of the network's own work lasts longer than its
// busiest port needs, and why adding and handing out follow one another.
func (t teller) tellTurns(step int, say func(string, locale.Values)) {
	at := &t.f.steps[step]
	if whole := t.c.taken(at); whole > at.busiest {
		say("lesson.say.turns", locale.Values{"Moves": len(at.moves), "Busiest": lessonBytes(at.busiest), "Whole": lessonBytes(whole)})
	}
	if at.moves[0].op == schedule.Multicast && t.f.schedule.Collective == schedule.AllReduce {
		say("lesson.say.whole.messages", nil)
	}
}

// tellStanding says how far everyone is after the step.
func (t teller) tellStanding(step int, say func(string, locale.Values)) {
	s := t.f.schedule
	least, ranks := t.finished(t.f.steps[step].state)
	_, before := t.finished(t.f.steps[step-1].state)
	values := locale.Values{"Ranks": s.Ranks, "Have": ranks, "Whole": least, "Root": max(s.Root, 0), "Collective": collectiveName(t.l, s.Collective)}
	oneRoot := s.Collective == schedule.ReduceTo || s.Collective == schedule.Gather
	switch {
	case step == len(t.f.steps)-1 && oneRoot:
		say("lesson.say.done.root", values)
	case step == len(t.f.steps)-1 && s.Collective == schedule.Barrier:
		say("lesson.say.done.barrier", values)
	case step == len(t.f.steps)-1:
		say("lesson.say.done", values)
	case oneRoot:
	case ranks > before:
		say("lesson.say.have", values)
	case least > 1 && t.layout() != draw.StarLayout:
		say("lesson.say.whole", values)
	}
}

// bottlenecks are the ports at which the bytes of each phase queue.
func (t teller) bottlenecks() []string {
	var all []string
	for _, term := range t.c.entry.Terms {
		text := t.l.T("lesson.card.port.text", locale.Values{"Phase": phaseTerm(t.l, term.Phase), "Port": portTerm(t.l, term.Port)})
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
