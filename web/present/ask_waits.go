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

// queue returns the only port of a step at which messages wait on the time
// line; false where none wait, or at more ports than one.
func (t teller) queue(step int) (queuePort, bool) {
	at := &t.f.steps[step]
	if at.waits() <= 0 {
		return queuePort{}, false
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
	if len(found) != 1 {
		return queuePort{}, false
	}
	return found[0], true
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

// waitsPlaces has one place where it can be asked who waits: about no rank, or
// about that of the port.
func (t teller) waitsPlaces(at int, _ *rand.Rand) []askPlace {
	if at+1 >= len(t.f.steps) {
		return nil
	}
	port, queues := t.queue(at + 1)
	switch idle := len(t.idle(at + 1)); {
	case queues && t.lines(at+1):
		return []askPlace{{port.rank, nowhere}}
	case queues && t.layout() == draw.StarLayout, !queues && idle == 0:
		return nil
	}
	return []askPlace{{nowhere, nowhere}}
}

// askWaits asks whose port is the queue of the next step or, where there is no
// such port, who has nothing to do in it.
func (t teller) askWaits(at int, place askPlace) askQuestion {
	q := askQuestion{kind: askWaits, place: place, stage: "rank"}
	ranks := numbered(t.f.schedule.Ranks)
	port, queues := t.queue(at + 1)
	idle := t.idle(at + 1)
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
		t.countFrom(&q, len(idle), []int{len(ranks) - len(idle), len(ranks) / 2, len(ranks) - 1, len(idle) + 1, len(idle) - 1})
		q.why = t.whyIdle(at, idle)
	default:
		q.says = t.l.T("ask.waits.idle")
		t.setFrom(&q, ranks, idle, t.rankSet)
		q.why = t.whyIdle(at, idle)
	}
	q.marks = func(guess url.Values) askMarks {
		if len(guess) == 0 {
			return askMarks{}
		}
		marks := askMarks{truthRanks: truth}
		if q.stage != "" {
			for _, value := range guess["guess"] {
				marks.guessRanks = append(marks.guessRanks, atoi(value))
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

// whyIdle says who is busy instead.
func (t teller) whyIdle(at int, idle []int) []string {
	var busy []int
	for rank := range t.f.schedule.Ranks {
		if !slices.Contains(idle, rank) {
			busy = append(busy, rank)
		}
	}
	return []string{t.l.T("ask.why.busy", locale.Values{"Busy": rankList(busy), "Count": len(busy), "Idle": len(idle)}), t.ruleOf(at + 1)}
}
