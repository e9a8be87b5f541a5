package present

import (
	"slices"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/locale"
)

// shownFails is how many things that do not hold are listed.
const shownFails = 6

// fails lists what does not hold, by step: where the first cell differs, the
// first of each kind of trouble on the way, and what is wrong in the end; more
// says how many are left out. What is done twice spoils no step by itself: it
// shows in the cells at once, and in a promise only where a phase ends.
func (t teller) fails(f Frame) (shown []views.BreakFail, more string) {
	b := t.c.broken
	if apart := t.f.edit.apart; t.differsFirst() {
		shown = append(shown, views.BreakFail{When: t.l.T("break.when", locale.Values{"Step": apart}), URL: t.c.at(apart).url(f, ""), Text: t.l.T("break.fail.differs")})
	}
	seen := map[schedule.TroubleKind]bool{}
	for _, trouble := range b.Troubles {
		if seen[trouble.Kind] {
			continue
		}
		seen[trouble.Kind] = true
		step := min(trouble.Position, len(t.f.steps)-1)
		shown = append(shown, views.BreakFail{When: t.l.T("break.when", locale.Values{"Step": step}), URL: t.c.at(step).url(f, ""), Text: t.troubleText(trouble)})
	}
	rest := 0
	for _, group := range groupFlaws(t.f.grid, b.Flaws) {
		if len(shown) >= shownFails {
			rest += len(group.ranks) * len(group.blocks)
			continue
		}
		shown = append(shown, views.BreakFail{When: t.l.T("break.when.end"), URL: t.c.at(len(t.f.steps)-1).url(f, ""), Text: t.flawText(group)})
	}
	if rest > 0 {
		more = t.l.T("break.more", locale.Values{"Number": rest})
	}
	return shown, more
}

// differsFirst reports whether cells differ before anything else goes wrong on
// the way.
func (t teller) differsFirst() bool {
	apart, troubles := t.f.edit.apart, t.c.broken.Troubles
	return apart > 0 && apart < len(t.f.steps)-1 && (len(troubles) == 0 || troubles[0].Position > apart)
}

// flawGroup is the same flaw on some ranks and in some blocks.
type flawGroup struct {
	schedule.Flaw
	ranks, blocks []int // ascending
}

// alike reports whether two flaws are of the same kind and about the same
// contributions.
func (g flawGroup) alike(other flawGroup) bool {
	return g.Kind == other.Kind && g.Times == other.Times && slices.Equal(g.Of, other.Of) && (g.Kind != schedule.Foreign || g.Piece == other.Piece)
}

// groupFlaws joins what is wrong in the same way: a block on many ranks, then
// many blocks on the same ranks.
func groupFlaws(g cellGrid, flaws []schedule.Flaw) []flawGroup {
	var groups []flawGroup
	for _, flaw := range flaws {
		one := flawGroup{flaw, []int{flaw.Rank}, []int{g.look(flaw.Rank, g.out(flaw.Rank, flaw.Chunk)).number}}
		at := slices.IndexFunc(groups, func(known flawGroup) bool { return known.alike(one) && slices.Equal(known.blocks, one.blocks) })
		switch {
		case at < 0:
			groups = append(groups, one)
		case !slices.Contains(groups[at].ranks, flaw.Rank): // k chunks of a block are one
			groups[at].ranks = append(groups[at].ranks, flaw.Rank)
		}
	}
	var joined []flawGroup
	for _, group := range groups {
		at := slices.IndexFunc(joined, func(known flawGroup) bool {
			return known.Kind != schedule.Foreign && known.alike(group) && slices.Equal(known.ranks, group.ranks)
		})
		if at < 0 {
			joined = append(joined, group)
			continue
		}
		joined[at].blocks = append(joined[at].blocks, group.blocks...)
	}
	return joined
}

// flawText says what is wrong in the end, and where.
func (t teller) flawText(group flawGroup) string {
	s, g := t.f.schedule, t.f.grid
	values := locale.Values{"Rank": t.numbered(group.ranks, "break.one.rank", "break.many.rank"), "Block": t.numbered(group.blocks, "break.one.block", "break.many.block"),
		"Of": t.numbered(group.Of, "break.one.rank", "break.many.rank"), "Giver": t.numbered(group.blocks, "break.one.rank", "break.many.rank"), "Times": group.Times, "Piece": group.Piece}
	switch {
	case group.Kind != schedule.Foreign:
	case s.Collective == schedule.SendRecv:
		values["Piece"] = group.Of[0]
	case g.swaps:
		values["Piece"] = group.Piece / s.ChunksPerBlock()
	default:
		values["Piece"] = g.tmp([]schedule.Contribution{{Piece: group.Piece, First: group.Of[0]}})
	}
	return t.l.T(flawWords(g, group.Kind), values)
}

// numbered names ranks or blocks: rank 3, ranks 0–2.
func (t teller) numbered(numbers []int, one, many string) string {
	if len(numbers) == 1 {
		return t.l.T(one, locale.Values{"Numbers": rankList(numbers)})
	}
	return t.l.T(many, locale.Values{"Numbers": rankList(numbers)})
}
