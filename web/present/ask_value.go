package present

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// valueForm is what a question about values asks for: a set of ranks or of
// blocks. Where values are combined it is whose contributions a cell has;
// where they are moved, which blocks a rank has, or whose, or who has the only
// one.
type valueForm uint8

const (
	contributorsOf valueForm = iota
	arrivedAt                // whom a rank knows to have reached a barrier
	blocksOf
	giversTo
	holdersOf
)

// valueWords are the messages of a form: the question, the question about the
// number alone, and why.
type valueWords struct{ says, count, joins, replaces string }

func (f valueForm) words() valueWords {
	switch f {
	case arrivedAt:
		return valueWords{"ask.value.known.says", "ask.value.known.count", "ask.why.joins.known", "ask.why.replaces.known"}
	case blocksOf:
		return valueWords{"ask.value.blocks.says", "ask.value.blocks.count", "ask.why.joins.blocks", "ask.why.replaces.blocks"}
	case giversTo:
		return valueWords{"ask.value.givers.says", "ask.value.givers.count", "ask.why.joins.givers", "ask.why.replaces.givers"}
	case holdersOf:
		return valueWords{"ask.value.holders.says", "ask.value.holders.count", "ask.why.joins.holders", "ask.why.replaces.holders"}
	}
	return valueWords{"ask.value.sum.says", "ask.value.sum.count", "ask.why.joins.sum", "ask.why.replaces.sum"}
}

// mostPicked is from how many options on only their number is asked.
const mostPicked = 16

func (t teller) valueForm() valueForm {
	switch g := t.f.grid; {
	case t.f.schedule.Collective == schedule.Barrier:
		return arrivedAt
	case !g.copies:
		return contributorsOf
	case g.swaps:
		return giversTo
	case g.rows == 1:
		return holdersOf
	}
	return blocksOf
}

// universe is how many the set is taken from.
func (t teller) universe() int {
	if t.valueForm() == blocksOf {
		return t.f.grid.rows
	}
	return t.f.schedule.Ranks
}

// valueSet is the set at a step, as the stage draws it.
func (t teller) valueSet(at int, p askPlace) []int {
	g, who := t.f.grid, t.f.steps[at].state.who
	var set []int
	switch t.valueForm() {
	case contributorsOf, arrivedAt:
		return ranksIn(who[p.rank*g.rows+p.block])
	case holdersOf:
		for rank := range t.f.schedule.Ranks {
			if who[rank*g.rows+p.block] > 0 {
				set = append(set, rank)
			}
		}
	case blocksOf:
		for row := range g.rows {
			if who[p.rank*g.rows+row] > 0 {
				set = append(set, row)
			}
		}
	case giversTo:
		for row := g.split; row < g.rows; row++ {
			if from := g.look(p.rank, row).from; who[p.rank*g.rows+row] > 0 && !slices.Contains(set, from) {
				set = append(set, from)
			}
		}
	}
	return set
}

// ranksIn are the ranks of a set, ascending.
func ranksIn(who uint64) []int {
	var ranks []int
	for rank := 0; who != 0; rank, who = rank+1, who>>1 {
		if who&1 == 1 {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// valuePlaces are the ranks, blocks or cells whose set the next step changes by
// what arrives in it.
func (t teller) valuePlaces(at int, random *rand.Rand) []askPlace {
	if at+1 >= len(t.f.steps) {
		return nil
	}
	var all []askPlace
	g, receives := t.f.grid, map[askPlace]bool{}
	add := func(p askPlace) {
		if !receives[p] && !slices.Equal(t.valueSet(at, p), t.valueSet(at+1, p)) {
			receives[p] = true
			all = append(all, p)
		}
	}
	roles := t.roles(at + 1)
	for cell := range t.f.schedule.Ranks * g.rows { // in ascending order
		if roles[cell] != draw.Receives {
			continue
		}
		switch rank, row := cell/g.rows, cell%g.rows; t.valueForm() {
		case contributorsOf:
			add(askPlace{rank, row})
		case arrivedAt:
			add(askPlace{rank, 0})
		case holdersOf:
			add(askPlace{nowhere, row})
		case blocksOf:
			add(askPlace{rank, nowhere})
		case giversTo:
			if g.s.ChunksPerBlock() == 1 || g.s.Collective == schedule.SendRecv { // else of some it has a part
				add(askPlace{rank, nowhere})
			}
		}
	}
	shufflePlaces(all, random)
	return all
}

// askValue asks what a cell, a rank or all of them hold after the next step.
func (t teller) askValue(at int, place askPlace) askQuestion {
	form, before, after := t.valueForm(), t.valueSet(at, place), t.valueSet(at+1, place)
	values := locale.Values{"Rank": place.rank, "Block": place.block}
	q := askQuestion{kind: askValue, place: place, why: t.whyValue(at, place)}
	if t.universe() > mostPicked {
		q.says = t.l.T(form.words().count, values)
		t.countFrom(&q, len(after), 1, []int{len(before), len(after) - len(before), t.universe(), len(after) + 1, len(after) - 1, 2 * len(after)})
		q.actual = t.l.T("ask.answer.counted", locale.Values{"Number": len(after), "Set": t.setName(after)})
	} else {
		q.says = t.l.T(form.words().says, values)
		t.setFrom(&q, numbered(t.universe()), after, t.setName)
		q.stage = "rank"
		if form == blocksOf {
			q.stage = "block"
		}
	}
	q.marks = func(guess url.Values) askMarks { return t.valueMarks(at, place, len(guess) > 0) }
	return q
}

// setFrom makes the answer a set of numbers to pick.
func (t teller) setFrom(q *askQuestion, options []askOption, truth []int, name func([]int) string) {
	q.fields = []askField{{name: "guess", label: t.l.T("ask.pick.many"), many: true, options: options}}
	for _, v := range truth {
		q.truth = url.Values{"guess": append(q.truth["guess"], strconv.Itoa(v))}
	}
	q.right = func(guess url.Values) bool { return slices.Equal(guess["guess"], q.truth["guess"]) }
	q.name = func(guess url.Values) string {
		var set []int
		for _, value := range guess["guess"] {
			set = append(set, atoi(value))
		}
		return name(set)
	}
}

// mostCounts is how many numbers there are to pick from.
const mostCounts = 4

// countFrom makes the answer one number among others that come to mind, from
// the least that makes sense on.
func (t teller) countFrom(q *askQuestion, truth, least int, others []int) {
	picked := []int{truth}
	for _, other := range others {
		if len(picked) < mostCounts && other >= least && !slices.Contains(picked, other) {
			picked = append(picked, other)
		}
	}
	slices.Sort(picked)
	field := askField{name: "guess", label: t.l.T("ask.pick.one")}
	for _, v := range picked {
		field.options = append(field.options, askOption{value: strconv.Itoa(v), name: strconv.Itoa(v)})
	}
	oneOf(q, field, strconv.Itoa(truth))
}

// oneOf makes the answer one option of a field.
func oneOf(q *askQuestion, field askField, truth string) {
	q.fields, q.truth = []askField{field}, url.Values{field.name: {truth}}
	q.right = func(guess url.Values) bool { return guess.Get(field.name) == truth }
	q.name = func(guess url.Values) string {
		option, _ := field.nearest(guess.Get(field.name))
		return option.name
	}
	q.partly = func(guess url.Values) string {
		option, _ := field.nearest(guess.Get(field.name))
		return option.why
	}
}

// setName is a set of what the form asks for in words.
func (t teller) setName(set []int) string {
	switch {
	case len(set) == 0:
		return t.l.T("ask.set.none")
	case t.valueForm() == blocksOf:
		return t.l.T("ask.set.blocks", locale.Values{"List": rankList(set), "Count": len(set)})
	}
	return t.rankSet(set)
}

// rankSet is some ranks in words.
func (t teller) rankSet(ranks []int) string {
	return t.l.T("ask.set.ranks", locale.Values{"List": rankList(ranks), "Count": len(ranks)})
}

// valueMarks point at what is asked about and, with an answer, at what arrives
// there.
func (t teller) valueMarks(at int, place askPlace, answered bool) askMarks {
	marks := askMarks{plain: t.f.grid.swaps}
	switch {
	case place.rank == nowhere:
	case place.block == nowhere || t.f.grid.rows == 1:
		marks.about = []draw.AskedPlace{{Rank: place.rank, Cell: draw.WholeCard}}
	default:
		marks.about = []draw.AskedPlace{{Rank: place.rank, Cell: place.block}}
	}
	if !answered {
		return marks
	}
	for i := range t.f.steps[at+1].moves {
		m := &t.f.steps[at+1].moves[i]
		if !m.alone() || place.rank != nowhere && m.dst() != place.rank || place.block != nowhere && !slices.Contains(m.toRows, place.block) {
			continue
		}
		marks.truth = append(marks.truth, draw.Move{From: m.src(), To: m.dst(), FromCell: max(m.rows[0], 0), ToCell: max(m.toRows[0], 0),
			Block: m.hue, Number: strconv.Itoa(m.number), More: m.blocks() > 1})
	}
	return marks
}
