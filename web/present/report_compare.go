package present

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/views/locale"
)

const comparePath = "reports/compare"

// ReportName is how an address names a version of a report: 0007/2.
func ReportName(saved report.Report) string { return saved.ID + "/" + strconv.Itoa(saved.Version) }

// ReadReportName reads what ReportName writes; without a version, or with one
// that is no number, version is 0.
func ReadReportName(name string) (id string, version int) {
	id, edition, _ := strings.Cut(name, "/")
	version, err := strconv.Atoi(edition)
	if err != nil || version < 1 {
		return id, 0
	}
	return id, version
}

// IsReportName reports whether a name is a report's number, alone or with a
// version.
func IsReportName(name string) bool {
	id, edition, versioned := strings.Cut(name, "/")
	counts := func(text string) bool {
		n, err := strconv.ParseUint(text, 10, 63)
		return err == nil && n > 0
	}
	return counts(id) && (!versioned || counts(edition))
}

// compareURL sets a version beside the one before it; a first version beside one
// that is still to be chosen.
func (f Frame) compareURL(saved report.Report) string {
	query := url.Values{"b": {ReportName(saved)}}
	if saved.Version > 1 {
		query.Set("a", ReportName(report.Report{ID: saved.ID, Version: saved.Version - 1}))
	}
	return f.homeURL() + comparePath + "?" + query.Encode()
}

// CompareReports sets two versions side by side, in the page's language. A side
// that is nil is still to be chosen, from the latest reports in all their
// versions.
func CompareReports(f Frame, latest []report.Report, a, b *report.Report) views.ReportCompare {
	f.Section = "size"
	l := f.Locale
	v := views.ReportCompare{Page: f.page(l.T("report.compare")), Action: f.homeURL() + comparePath, ListURL: f.homeURL() + "reports"}
	v.Choices = []views.ReportChoice{
		compareChoice(l, "a", l.T("report.compare.a"), latest, a),
		compareChoice(l, "b", l.T("report.compare.b"), latest, b),
	}
	switch {
	case len(latest) == 0:
		v.Missing = l.T("report.compare.none")
		return v
	case a == nil || b == nil:
		v.Missing = l.T("report.compare.choose")
		return v
	}
	c := CompareSheets(l, *a, *b)
	for i, side := range []*report.Report{a, b} {
		v.Sides = append(v.Sides, views.ReportSide{
			URL: f.reportURL(*side), Letter: string(rune('A' + i)), Title: side.Cover.Title, Setting: sheetOf(l, *side).Setting,
			Number:   l.T("report.number.version", locale.Values{"Number": reportNumber(side.ID), "Version": side.Version}),
			Headline: side.Content.Words[l.Lang()].Headline,
		})
	}
	v.Inputs = compareParts(l, c.Inputs)
	v.Figures, v.Aside = compareParts(l, compareAside(c.Figures, false)), compareParts(l, compareAside(c.Figures, true))
	for _, w := range c.Words {
		said := views.ReportWords{Name: w.Name, OnlyA: w.OnlyA, OnlyB: w.OnlyB}
		if w.Aside {
			v.AsideBy = append(v.AsideBy, said)
		} else {
			v.Words = append(v.Words, said)
		}
	}
	if len(v.Aside)+len(v.AsideBy) > 0 {
		v.More = l.T("report.compare.more")
	}
	v.Says = compareSays(l, c)
	return v
}

// CompareSheets finds in what two saved versions differ as they are read in the
// language of l.
func CompareSheets(l locale.Locale, a, b report.Report) report.Comparison {
	return report.Compare(sheetOf(l, a), sheetOf(l, b))
}

// compareAside are the parts about what was not asked for, or the others.
func compareAside(parts []report.Part, aside bool) []report.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p report.Part) bool { return p.Aside != aside })
}

// compareSays says in how much two reports differ.
func compareSays(l locale.Locale, c report.Comparison) string {
	if c.Same() {
		return l.T("report.compare.same")
	}
	count := func(parts []report.Part) int {
		n := 0
		for _, p := range parts {
			n += len(p.Changes)
		}
		return n
	}
	lines := 0
	for _, w := range c.Words {
		lines += len(w.OnlyA) + len(w.OnlyB)
	}
	return l.T("report.compare.says", locale.Values{"Inputs": count(c.Inputs), "Figures": count(c.Figures), "Lines": lines})
}

// compareChoice lists versions; the newest of each report first.
func compareChoice(l locale.Locale, name, label string, latest []report.Report, chosen *report.Report) views.ReportChoice {
	choice := views.ReportChoice{Name: name, Label: label}
	found := chosen == nil
	add := func(saved report.Report) {
		is := chosen != nil && saved.ID == chosen.ID && saved.Version == chosen.Version
		found = found || is
		text := l.T("report.number.version", locale.Values{"Number": reportNumber(saved.ID), "Version": saved.Version})
		if saved.Cover.Title != "" {
			text = l.T("report.compare.option", locale.Values{"Version": text, "Title": saved.Cover.Title})
		}
		choice.Options = append(choice.Options, views.ReportOption{Value: ReportName(saved), Chosen: is, Text: text})
	}
	for _, saved := range latest {
		for version := saved.Version; version >= 1; version-- {
			saved.Version = version
			add(saved)
			saved.Cover = report.Cover{} // an earlier version may have another title
		}
	}
	if !found {
		add(*chosen)
	}
	if chosen == nil {
		choice.Options = append([]views.ReportOption{{Text: l.T("report.compare.option.none"), Chosen: true}}, choice.Options...)
	}
	return choice
}

// compareOff is a difference as a share: to two digits where it is small, so
// that what differs does not read as nothing.
func compareOff(v float64) string {
	if size := math.Abs(v); size >= 0.1 || size < 0.000005 {
		return sizeOff(v)
	}
	if v < 0 {
		return "−" + significant(-100*v, 2) + "%"
	}
	return "+" + significant(100*v, 2) + "%"
}

// compareParts presents what differs.
func compareParts(l locale.Locale, parts []report.Part) []views.ReportPart {
	text := func(c *report.Cell) string {
		switch {
		case c == nil:
			return l.T("report.compare.absent")
		case c.Text == "":
			return "–"
		}
		return c.Text
	}
	var all []views.ReportPart
	for _, p := range parts {
		part := views.ReportPart{Name: p.Name}
		for _, c := range p.Changes {
			change := views.ReportChange{Name: c.Name, A: text(c.A), B: text(c.B)}
			if c.Column != "" {
				change.Name = l.T("report.compare.cell", locale.Values{"Row": c.Name, "Column": c.Column})
			}
			if ratio, ok := c.Ratio(); ok {
				change.By = compareOff(ratio - 1)
			}
			part.Changes = append(part.Changes, change)
		}
		all = append(all, part)
	}
	return all
}
