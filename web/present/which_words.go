package present

import (
	"fmt"
	"slices"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/draw"
)

// say is the conclusion where the page stands.
func (p plane) say() string {
	won, found := p.winner()
	if !found {
		return p.t("which.alone")
	}
	size := sized(float64(p.size), 3, decimalBytes)
	times := map[string]unit.Seconds{}
	for _, e := range p.entries {
		if curve, err := sizing.CurveOf(e, p.ranks, p.perNode, 0); err == nil && (e.Executable || p.switches) {
			times[e.Algorithm] = curve.Time(p.size, p.network)
		}
	}
	said := p.t("which.say", "Count", p.ranks, "Ranks", p.ranks, "Size", size, "Name", p.name(won.Algorithm), "Time", duration(times[won.Algorithm]))
	var level []string
	for _, e := range p.entries {
		if time, in := times[e.Algorithm]; in && e.Algorithm != won.Algorithm && time <= times[won.Algorithm]*(1+sizing.Level) {
			level = append(level, p.name(e.Algorithm))
		}
	}
	if len(level) == 0 {
		return said
	}
	return p.t("lesson.say.join", "First", said, "Next", p.t("which.level", "Names", p.list(level)))
}

// legend names those in the chart, with the sizes at which they are the
// fastest for the page's number of ranks.
func (p plane) legend() []views.WhichAlgorithm {
	won, _ := p.winner()
	var all []views.WhichAlgorithm
	for i, e := range p.shown {
		all = append(all, views.WhichAlgorithm{
			Swatch: draw.RegionSwatch(p.hue(e)), Number: strconv.Itoa(i + 1), Name: p.name(e.Algorithm), URL: p.lessonURL(e),
			Where: p.where(e), Here: e.Algorithm == won.Algorithm,
		})
	}
	return all
}

// where says at which sizes an algorithm is the fastest for so many ranks, or
// if at none, for how many ranks it is.
func (p plane) where(e schedule.Entry) string {
	var sizes []string
	all := p.reigns(p.ranks)
	rough := false
	for i, r := range all {
		from, to := p.bytes(all, i)
		if r.Algorithm != e.Algorithm || to <= from {
			continue
		}
		rough = rough || r.Rough
		low, high := sized(from, 2, decimalBytes), sized(to, 2, decimalBytes)
		switch {
		case from < 1 && to >= 1e15:
			sizes = append(sizes, p.t("which.any"))
		case from < 1:
			sizes = append(sizes, p.t("which.below", "Size", high))
		case to >= 1e15:
			sizes = append(sizes, p.t("which.above", "Size", low))
		default:
			sizes = append(sizes, p.t("which.between", "From", low, "To", high))
		}
	}
	if len(sizes) == 0 {
		return p.t("which.elsewhere", "Ranks", p.others(e))
	}
	text := p.t("which.at", "Ranks", p.ranks, "Sizes", p.list(sizes))
	if rough {
		text = p.t("which.rough", "Text", text)
	}
	return text
}

// others are the numbers of ranks for which an algorithm is the fastest at
// some size, the first few stretches of them.
func (p plane) others(e schedule.Entry) string {
	const most = 4
	var stretches [][2]int
	for ranks := 2; ranks <= len(p.rows); ranks++ {
		all := p.reigns(ranks)
		here := false
		for i, r := range all {
			from, to := p.bytes(all, i)
			here = here || r.Algorithm == e.Algorithm && to > from
		}
		if n := len(stretches); here && n > 0 && stretches[n-1][1] == ranks-1 {
			stretches[n-1][1] = ranks
		} else if here {
			stretches = append(stretches, [2]int{ranks, ranks})
		}
	}
	var words []string
	for i, s := range stretches {
		switch {
		case i == most:
			return p.list(append(words, "…"))
		case s[0] == s[1]:
			words = append(words, strconv.Itoa(s[0]))
		default:
			words = append(words, fmt.Sprintf("%d–%d", s[0], s[1]))
		}
	}
	return p.list(words)
}

// notes say where the chart comes from and what it leaves out.
func (p plane) notes() []string {
	nodes := p.t("which.note.nodes.two")
	if p.perNode > 0 {
		nodes = p.t("which.note.nodes", "PerNode", p.perNode)
	}
	notes := []string{p.t("which.note.model")}
	if slices.ContainsFunc(p.entries, func(e schedule.Entry) bool { return e.Nodes }) {
		notes = append(notes, nodes)
	}
	if p.alphaB == 0 {
		notes = append(notes, p.t("which.note.flat"))
	} else {
		notes = append(notes, p.t("which.note.shift", "Product", sized(p.alphaB, 2, decimalBytes)))
	}
	for ranks := 2; ranks <= len(p.rows); ranks++ {
		if slices.ContainsFunc(p.reigns(ranks), func(r sizing.Reign) bool { return r.Rough }) {
			return append(notes, p.t("which.note.rough"))
		}
	}
	return notes
}

// list names several in one breath.
func (p plane) list(words []string) string {
	text := ""
	for i, word := range words {
		if i == 0 {
			text = word
		} else {
			text = p.t("which.and", "First", text, "Next", word)
		}
	}
	return text
}
