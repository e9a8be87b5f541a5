package present

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"

	"lockstep/views/draw"
	"lockstep/views/locale"
)

// askNothing is the receiver of a rank that sends nothing.
const askNothing = "none"

// pair is a block and whom it goes to.
type pair struct{ block, to int }

// asksBlock reports whether it can be asked which block goes: there are
// several, and they have numbers of their own.
func (t teller) asksBlock() bool { return t.f.grid.rows > 1 && !t.f.grid.swaps }

// nextPairs are the blocks that a rank sends in a step, and to whom; the block
// is nowhere where it cannot be asked.
func (t teller) nextPairs(step, rank int) []pair {
	var all []pair
	for i := range t.f.steps[step].moves {
		m := &t.f.steps[step].moves[i]
		if m.src() != rank {
			continue
		}
		for _, row := range m.rows {
			if !t.asksBlock() {
				row = nowhere
			}
			if p := (pair{row, m.dst()}); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// nextPlaces are the ranks of which it can be asked what they send next. Three
// of those that send come to one that does not.
func (t teller) nextPlaces(at int, random *rand.Rand) []askPlace {
	if at+1 >= len(t.f.steps) {
		return nil
	}
	for i := range t.f.steps[at+1].moves {
		if !t.f.steps[at+1].moves[i].alone() {
			return nil // the network passes on what nobody sends to anybody
		}
	}
	choices := t.f.schedule.Ranks
	if t.asksBlock() {
		choices = t.f.grid.rows*(t.f.schedule.Ranks-1) + 1
	}
	var senders, others []askPlace
	for rank := range t.f.schedule.Ranks {
		switch right := len(t.nextPairs(at+1, rank)); {
		case right == 0:
			others = append(others, askPlace{rank, nowhere})
		case 2*right <= choices: // else nearly every guess would be right
			senders = append(senders, askPlace{rank, nowhere})
		}
	}
	if len(senders) == 0 {
		return nil
	}
	shufflePlaces(senders, random)
	shufflePlaces(others, random)
	var all []askPlace
	for turn := random.IntN(4); len(senders)+len(others) > 0; turn++ {
		from := &senders
		if len(senders) == 0 || turn%4 == 3 && len(others) > 0 {
			from = &others
		}
		all, *from = append(all, (*from)[0]), (*from)[1:]
	}
	return all
}

func shufflePlaces(all []askPlace, random *rand.Rand) {
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// askNext asks which block a rank sends in the next step, and to whom.
func (t teller) askNext(at int, place askPlace) askQuestion {
	rank, pairs := place.rank, t.nextPairs(at+1, place.rank)
	q := askQuestion{kind: askNext, place: place, says: t.l.T("ask.next.to.says", locale.Values{"Rank": rank}), stage: "next", truth: url.Values{"to": {askNothing}}}
	to := askField{name: "to", label: t.l.T("ask.next.to")}
	for other := range t.f.schedule.Ranks {
		if other != rank {
			to.options = append(to.options, askOption{value: strconv.Itoa(other), name: t.rank(other)})
		}
	}
	to.options = append(to.options, askOption{value: askNothing, name: t.l.T("ask.next.none")})
	if t.asksBlock() {
		q.says = t.l.T("ask.next.says", locale.Values{"Rank": rank})
		q.fields = []askField{{name: "block", label: t.l.T("ask.next.block"), options: numbered(t.f.grid.rows)}}
	}
	q.fields = append(q.fields, to)
	if t.sendsSeveral(at + 1) {
		q.hint = t.l.T("ask.next.any")
	}
	if len(pairs) > 0 {
		q.truth = pairs[0].guess()
	}
	q.right = func(guess url.Values) bool {
		if guess.Get("to") == askNothing {
			return len(pairs) == 0
		}
		return slices.ContainsFunc(pairs, func(p pair) bool { return p.is(guess) })
	}
	q.partly = func(guess url.Values) string { return t.partlyNext(pairs, guess) }
	q.name = t.nextName
	q.actual = t.nextActual(at+1, rank)
	q.why = t.whyNext(at, rank)
	q.marks = func(guess url.Values) askMarks { return t.nextMarks(at, rank, guess) }
	return q
}

// numbered are the numbers below n to pick from.
func numbered(n int) []askOption {
	options := make([]askOption, n)
	for i := range options {
		options[i] = askOption{value: strconv.Itoa(i), name: strconv.Itoa(i)}
	}
	return options
}

// sendsSeveral reports whether some rank sends more than one block in a step.
func (t teller) sendsSeveral(step int) bool {
	for rank := range t.f.schedule.Ranks {
		if len(t.nextPairs(step, rank)) > 1 {
			return true
		}
	}
	return false
}

func (p pair) guess() url.Values {
	q := url.Values{"to": {strconv.Itoa(p.to)}}
	if p.block != nowhere {
		q.Set("block", strconv.Itoa(p.block))
	}
	return q
}

func (p pair) is(guess url.Values) bool {
	return guess.Get("to") == strconv.Itoa(p.to) && (p.block == nowhere || guess.Get("block") == strconv.Itoa(p.block))
}

// partlyNext says which half of a wrong guess is right.
func (t teller) partlyNext(pairs []pair, guess url.Values) string {
	block, to := false, false
	for _, p := range pairs {
		block = block || guess.Get("block") == strconv.Itoa(p.block)
		to = to || guess.Get("to") == strconv.Itoa(p.to)
	}
	switch {
	case block && to:
		return t.l.T("ask.partly.both")
	case block && guess.Get("to") != askNothing:
		return t.l.T("ask.partly.block")
	case to && t.asksBlock():
		return t.l.T("ask.partly.to")
	}
	return ""
}

// nextName is a guess in words.
func (t teller) nextName(guess url.Values) string {
	switch to := guess.Get("to"); {
	case to == askNothing:
		return t.l.T("ask.next.none")
	case t.asksBlock():
		return t.l.T("ask.answer.move", locale.Values{"Block": guess.Get("block"), "To": to})
	default:
		return t.l.T("ask.answer.to", locale.Values{"To": to})
	}
}

// nextActual is what a rank sends in a step, in words, all of it.
func (t teller) nextActual(step, rank int) string {
	var said []string
	for i := range t.f.steps[step].moves {
		if m := &t.f.steps[step].moves[i]; m.src() == rank {
			if t.asksBlock() {
				said = append(said, t.l.T("ask.answer.move", locale.Values{"Block": blockRange(m), "To": m.dst()}))
			} else {
				said = append(said, t.l.T("ask.answer.to", locale.Values{"To": m.dst()}))
			}
		}
	}
	const most = 4
	if len(said) == 0 {
		return t.l.T("ask.next.none")
	}
	if len(said) > most {
		said = append(said[:most-1], t.l.T("ask.more", locale.Values{"Number": len(said) - most + 1}))
	}
	return t.listed(said)
}

// listed puts a list into one line.
func (t teller) listed(said []string) string {
	all := said[0]
	for _, next := range said[1:] {
		all = t.l.T("ask.join", locale.Values{"First": all, "Next": next})
	}
	return all
}

// whyNext says from what a rank holds and from the rule of the step why it
// sends what it sends.
func (t teller) whyNext(at, rank int) []string {
	var why []string
	say := func(id string, values locale.Values) { why = append(why, t.l.T(id, values)) }
	pairs := t.nextPairs(at+1, rank)
	if len(pairs) == 0 {
		id := "ask.why.idle"
		if slices.Contains(t.pattern(at+1).receivers, rank) {
			id = "ask.why.receives"
		}
		say(id, locale.Values{"Rank": rank})
	} else if block := pairs[0].block; block != nowhere {
		who := t.f.steps[at].state.who[rank*t.f.grid.rows+block]
		switch {
		case t.roles(at)[rank*t.f.grid.rows+block] == draw.Receives:
			say("ask.why.fresh", locale.Values{"Rank": rank, "Block": block})
		case !t.f.grid.copies:
			say("ask.why.has", locale.Values{"Rank": rank, "Block": block, "Have": countBits(who), "Ranks": t.f.schedule.Ranks})
		}
	}
	why = append(why, t.ruleOf(at+1))
	if back := t.blocksBack(at + 1); back >= 0 && len(pairs) > 0 {
		say("ask.why.blocks", locale.Values{"Step": at + 1, "Back": back, "Ranks": t.f.schedule.Ranks, "Rank": rank, "Block": pairs[0].block})
	}
	return why
}

// blocksBack is how far the number of the block that a rank sends in a step lies
// behind the rank's own, going round; -1 where each does not send one block by
// the same rule.
func (t teller) blocksBack(step int) int {
	n, back := t.f.schedule.Ranks, -1
	if !t.asksBlock() || t.f.grid.rows != n {
		return -1
	}
	for rank := range n {
		pairs := t.nextPairs(step, rank)
		if len(pairs) != 1 {
			return -1
		}
		this := ((rank-pairs[0].block)%n + n) % n
		if back >= 0 && this != back {
			return -1
		}
		back = this
	}
	return back
}

// ruleOf is what all ranks do in a step, in a sentence.
func (t teller) ruleOf(step int) string {
	rule := ""
	t.tellMoves(step, func(id string, values locale.Values) { rule = t.l.T(id, values) })
	return t.l.T("ask.why.rule", locale.Values{"Step": step, "Rule": rule})
}

// nextMarks point at the rank that is asked about, and at where its blocks go.
func (t teller) nextMarks(at, rank int, guess url.Values) askMarks {
	marks := askMarks{about: []draw.AskedPlace{{Rank: rank, Cell: draw.WholeCard}}, plain: !t.asksBlock()}
	if len(guess) == 0 {
		return marks
	}
	if to, err := strconv.Atoi(guess.Get("to")); err == nil {
		block, _ := strconv.Atoi(guess.Get("block")) // without one, the first cell
		marks.guess = []draw.Move{{From: rank, To: to, FromCell: block, ToCell: block, Block: block}}
	}
	for i := range t.f.steps[at+1].moves {
		m := &t.f.steps[at+1].moves[i]
		if m.src() == rank {
			marks.truth = append(marks.truth, draw.Move{From: rank, To: m.dst(), FromCell: max(m.rows[0], 0), ToCell: max(m.toRows[0], 0),
				Block: m.hue, Number: fmt.Sprint(m.number), More: m.blocks() > 1})
		}
	}
	return marks
}
