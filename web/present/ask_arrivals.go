package present

import (
	"slices"

	"lockstep/views/locale"
)

// arrival is what the next step brings to a place, and from whom.
type arrival struct{ from, set []int }

func (t teller) arrivals(at int, place askPlace) arrival {
	var a arrival
	var who uint64
	g, before := t.f.grid, t.f.steps[at].state.who
	for i := range t.f.steps[at+1].moves {
		m := &t.f.steps[at+1].moves[i]
		if place.rank != nowhere && !slices.Contains(m.takers(), place.rank) {
			continue
		}
		for j, row := range m.toRows {
			if row == noRow || place.block != nowhere && row != place.block {
				continue
			}
			a.from = append(a.from, m.srcs...)
			for _, src := range m.srcs {
				if m.rows[j] != noRow {
					who |= before[src*g.rows+m.rows[j]]
				}
			}
			switch t.valueForm() {
			case blocksOf:
				a.set = append(a.set, row)
			case giversTo:
				a.set = append(a.set, g.look(place.rank, row).from)
			case holdersOf:
				a.set = append(a.set, m.takers()...)
			}
		}
	}
	if form := t.valueForm(); form == contributorsOf || form == arrivedAt {
		a.set = ranksIn(who)
	}
	slices.Sort(a.set)
	slices.Sort(a.from)
	a.set, a.from = slices.Compact(a.set), slices.Compact(a.from)
	return a
}

// whyValue says what was there, what arrives, and what that makes.
func (t teller) whyValue(at int, place askPlace) []string {
	before, after, a := t.valueSet(at, place), t.valueSet(at+1, place), t.arrivals(at, place)
	values := locale.Values{"Before": t.setName(before), "After": t.setName(after), "Arrives": t.setName(a.set), "From": t.rankSet(a.from)}
	id := "ask.why.after"
	switch {
	case len(a.set) == 0:
	case slices.Equal(union(before, a.set), after) && len(before) > 0:
		id = t.valueForm().words().joins
	case slices.Equal(a.set, after):
		id = t.valueForm().words().replaces
	}
	return []string{t.l.T(id, values), t.ruleOf(at + 1)}
}

func union(a, b []int) []int {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return slices.Compact(both)
}
