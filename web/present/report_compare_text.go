package present

import (
	"fmt"
	"strings"

	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/views/locale"
)

// ComparedText says in what two saved versions differ, as lines of text in the
// language of l; what is about other networks than those asked for stands last.
func ComparedText(l locale.Locale, a, b report.Report) string {
	var out strings.Builder
	for i, side := range []report.Report{a, b} {
		name := l.T("report.number.version", locale.Values{"Number": reportNumber(side.ID), "Version": side.Version})
		fmt.Fprintf(&out, "%c  %s\n   %s\n", 'A'+i, l.T("report.compare.option", locale.Values{"Version": name, "Title": side.Cover.Title}), sheetOf(l, side).Setting)
	}
	c := CompareSheets(l, a, b)
	fmt.Fprintf(&out, "\n%s\n", compareSays(l, c))
	parts := func(title string, all []views.ReportPart) {
		if len(all) == 0 {
			return
		}
		fmt.Fprintf(&out, "\n%s\n", title)
		for _, p := range all {
			fmt.Fprintf(&out, "  %s\n", p.Name)
			for _, change := range p.Changes {
				fmt.Fprintf(&out, "    %s\n", strings.TrimSuffix(fmt.Sprintf("%s | %s | %s | %s", change.Name, change.A, change.B, change.By), " | "))
			}
		}
	}
	words := func(title string, aside bool) {
		for _, w := range c.Words {
			if w.Aside != aside {
				continue
			}
			if title != "" {
				fmt.Fprintf(&out, "\n%s\n", title)
				title = ""
			}
			fmt.Fprintf(&out, "  %s\n", w.Name)
			for _, line := range w.OnlyA {
				fmt.Fprintf(&out, "    A: %s\n", line)
			}
			for _, line := range w.OnlyB {
				fmt.Fprintf(&out, "    B: %s\n", line)
			}
		}
	}
	parts(l.T("report.compare.inputs"), compareParts(l, c.Inputs))
	parts(l.T("report.compare.figures"), compareParts(l, compareAside(c.Figures, false)))
	words(l.T("report.compare.words"), false)
	aside, title := compareParts(l, compareAside(c.Figures, true)), l.T("report.compare.more")
	parts(title, aside)
	if len(aside) > 0 {
		title = ""
	}
	words(title, true)
	return out.String()
}
