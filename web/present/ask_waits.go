package present

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"

	"lockstep/engine/unit"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// queuePort is a rank's port at which messages of a step stand in line.
type queuePort struct {
	rank     int
	inward   bool // what comes to the rank waits; else what leaves it
	messages int
}

// queues are the ports of a step at which more messages than one pass and some
// wait on the time line: none where none wait.
func (t teller) queues(step int) []queuePort {
	at := &t.f.steps[step]
	if at.waits() <= 0 {
		return nil
	}
	in, out := make([]int, t.f.schedule.Ranks), make([]int, t.f.schedule.Ranks)
	for i := range at.moves {
		for _, src := range at.moves[i].givers() {
			out[src]++
		}
		for _, dst := range at.moves[i].takers() {
			in[dst]++
		}
	}
	var found []queuePort
	for rank := range t.f.schedule.Ranks {
		if in[rank] > 1 {
			found = append(found, queuePort{rank, true, in[rank]})
		}
		if out[rank] > 1 {
			found = append(found, queuePort{rank, false, out[rank]})
		}
	}
	return found
}

// queue returns the only port of a step at which messages wait; false where
// none wait, or at more ports than one.
func (t teller) queue(step int) (queuePort, bool) {
	if found := t.queues(step); len(found) == 1 {
		return found[0], true
	}
	return queuePort{}, false
}

// lines reports whether the messages of a step stand in the one line that a
// star shows, all as long: its stage says whose port that is, so what can be
// asked is how long the last one waits.
func (t teller) lines(step int) bool {
	for i := range t.f.steps[step].moves {
		if t.f.steps[step].moves[i].bytes != t.f.steps[step].moves[0].bytes {
			return false
		}
	}
	return t.layout() == draw.StarLayout
}

// waitsPlaces has one place where it can be asked who waits: about that rank
// whose port all messages pass, or about no rank in particular. It can be asked
// before every step: nobody is an answer.
func (t teller) waitsPlaces(at int, _ *rand.Rand) []askPlace {
	if at+1 >= len(t.f.steps) {
		return nil
	}
	if port, queues := t.queue(at + 1); queues && t.lines(at+1) {
		return []askPlace{{port.rank, nowhere}}
	}
	return []askPlace{{nowhere, nowhere}}
}

// askWaits asks whose port is the queue of the next step or, where there is no
// such port, who has nothing to do in it.
func (t teller) askWaits(at int, place askPlace) askQuestion {
	q := askQuestion{kind: askWaits, place: place, stage: "rank"}
	ranks := numbered(t.f.schedule.Ranks)
	port, queues := t.queue(at + 1)
	idle := t.resting(at + 1)
	truth := idle
	switch {
	case queues && t.lines(at+1):
		return t.askLine(at, place, port)
	case queues:
		truth = []int{port.rank}
		q.says = t.l.T("ask.waits.port")
		oneOf(&q, askField{name: "guess", label: t.l.T("ask.pick.rank"), options: ranks}, strconv.Itoa(port.rank))
		q.name = func(guess url.Values) string {
			return t.l.T("ask.set.ranks", locale.Values{"List": guess.Get("guess"), "Count": 1})
		}
		q.why = []string{t.whyPort(at, port)}
	case len(ranks) > mostPicked:
		q.says, q.stage = t.l.T("ask.waits.count"), ""
		t.countFrom(&q, len(idle), 0, []int{0, len(ranks) - len(idle), len(ranks) / 2, len(ranks) - 1, len(idle) + 1, len(idle) - 1})
		q.why = t.whyIdle(at, idle)
	default:
		q.says = t.l.T("ask.waits.idle")
		t.setFrom(&q, ranks, idle, t.rankSet)
		t.orNobody(&q)
		q.why = t.whyIdle(at, idle)
	}
	q.marks = func(guess url.Values) askMarks {
		if len(guess) == 0 {
			return askMarks{}
		}
		marks := askMarks{truthRanks: truth}
		if q.stage != "" {
			for _, value := range guess["guess"] {
				if value != askNothing {
					marks.guessRanks = append(marks.guessRanks, atoi(value))
				}
			}
		}
		return marks
	}
	return q
}

// whyPort says how many pass a port, and what that costs the last of them.
func (t teller) whyPort(at int, port queuePort) string {
	id := "ask.why.port.out"
	if port.inward {
		id = "ask.why.port.in"
	}
	return t.l.T(id, locale.Values{"Rank": port.rank, "Number": port.messages, "Wait": duration(t.f.steps[at+1].waits())})
}

// askLine asks how long the last message at the port of a star waits: until so
// many others are through.
func (t teller) askLine(at int, place askPlace, port queuePort) askQuestion {
	q := askQuestion{kind: askWaits, place: place, why: []string{t.whyPort(at, port)}}
	q.says = t.l.T("ask.waits.line", locale.Values{"Rank": port.rank, "Number": port.messages})
	one := unit.Bytes(t.f.steps[at+1].moves[0].bytes).Over(t.c.network.Bandwidth)
	others := port.messages - 1
	field := askField{name: "guess", label: t.l.T("ask.pick.one"), options: []askOption{{value: "0", name: t.l.T("ask.waits.no")}}}
	for _, ahead := range slices.Compact(slices.Sorted(slices.Values([]int{1, others, others + 1}))) {
		option := askOption{value: strconv.Itoa(ahead), name: duration(one * unit.Seconds(ahead))}
		switch {
		case ahead > others:
			option.why = t.l.T("ask.waits.self")
		case ahead < others:
			option.why = t.l.T("ask.waits.next")
		}
		field.options = append(field.options, option)
	}
	oneOf(&q, field, strconv.Itoa(others))
	q.marks = func(url.Values) askMarks {
		return askMarks{about: []draw.AskedPlace{{Rank: port.rank, Cell: draw.WholeCard}}}
	}
	return q
}

// orNobody lets a question about a set of ranks be answered with none of them.
// The choice is there whatever the truth is, else it would give it away.
func (t teller) orNobody(q *askQuestion) {
	nobody := askOption{value: askNothing, name: t.l.T("ask.waits.nobody")}
	field := &q.fields[0]
	field.options = append(field.options, nobody)
	if len(q.truth[field.name]) == 0 {
		q.truth = url.Values{field.name: {askNothing}}
	}
	name, ranks := q.name, field.name
	q.name = func(guess url.Values) string {
		if guess.Get(ranks) == askNothing { // the last of the options: alone
			return nobody.name
		}
		named := slices.DeleteFunc(slices.Clone(guess[ranks]), func(value string) bool { return value == askNothing })
		said := name(url.Values{ranks: named})
		if len(named) < len(guess[ranks]) {
			said = t.l.T("ask.join", locale.Values{"First": said, "Next": nobody.name})
		}
		return said
	}
}

// whyIdle says who is busy instead.
func (t teller) whyIdle(at int, idle []int) []string {
	var busy []int
	for rank := range t.f.schedule.Ranks {
		if !slices.Contains(idle, rank) {
			busy = append(busy, rank)
		}
	}
	why := []string{t.l.T("ask.why.busy", locale.Values{"Busy": rankList(busy), "Count": len(busy), "Idle": len(idle)})}
	if len(idle) == 0 {
		why[0] = t.l.T("ask.why.all", locale.Values{"Ranks": t.f.schedule.Ranks})
		if ports := t.queues(at + 1); len(ports) > 0 {
			why = append(why, t.l.T("ask.why.all.line", locale.Values{"Count": len(ports), "Wait": duration(t.f.steps[at+1].waits())}))
		}
	}
	return append(why, t.ruleOf(at+1))
}
