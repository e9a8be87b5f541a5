package present

import (
	"slices"
	"strings"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/report"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
)

// sizeSheet is the sheet of an exchange of gradients and of one collective.
func sizeSheet(l locale.Locale, d report.Document) report.Sheet {
	sized := Sized{Estimate: d.Estimate, Study: d.Study}
	e, words := d.Estimate, d.Words[l.Lang()]
	r := Frame{Locale: l}.sizeResult(l, sized)
	var s sheetBlocks
	s.heading("conclusions", l.T("report.conclusions"), "")
	s.list("conclusions", true, words.Conclusions)
	s.add(report.Block{Kind: report.Figures, Key: "figures", Figures: sheetFigures(sizeFigures(l, sized))})
	for _, doubt := range r.Doubts {
		s.note("doubts", doubt)
	}
	if e.Workers > 1 {
		s.chart("time", sizeTimeSheet(l, e))
	}
	sizeTurnsSheet(l, &s, e, r)
	if one := r.One; one != nil && (r.Whole || one.Missing == "") {
		sizeOneSheet(l, &s, d.Study, *one, r.Whole)
	}
	sizeChangesSheet(l, &s, d.Study, r.Changes)
	s.heading("algorithms", l.T("size.algorithms"), r.Counting)
	s.table("algorithms", sizeAlgorithmsSheet(l, e, r))
	s.heading("fabrics", l.T("size.fabrics"), r.FabricNote)
	s.table("fabrics", sizeFabricsSheet(l, e, r))
	s.heading("change", l.T("report.change"), "")
	s.list("change", false, sizeWouldChange(l, sized))
	s.heading("inputs", l.T("report.inputs"), "")
	s.table("inputs", sheetFacts(l, reportInputs(l, sized)))
	s.heading("assumptions", l.T("size.assumptions"), "")
	s.list("assumptions", false, words.Assumptions)
	s.text("made", l.T("report.made", locale.Values{"Engine": d.Engine, "Data": d.Data, "Time": d.Made}))
	return report.Sheet{Setting: sizeSetting(l, e.Step), Labels: sheetLabels(l, d), Blocks: s}
}

// sheetFacts is a table of names and values.
func sheetFacts(l locale.Locale, facts []views.Fact) report.Table {
	t := report.Table{Columns: []report.Column{{Name: l.T("report.column.name")}, {Name: l.T("report.column.value")}}}
	for _, f := range facts {
		t.Rows = append(t.Rows, report.Row{Cells: []report.Cell{report.Said(f.Name), report.Said(strings.Join(f.Values, ", "))}})
	}
	return t
}

func sheetTime(t unit.Seconds) report.Cell { return report.Quantity(sizeTime(t), float64(t), "s") }

// sheetPhases are the formulas of a closed form, phase by phase.
func sheetPhases(terms []views.SizeTerm) report.Cell {
	var lines []string
	for _, t := range terms {
		line := t.Formula + " = " + t.Time
		if t.Phase != "" && len(terms) > 1 {
			line = t.Phase + ": " + line
		}
		lines = append(lines, line)
	}
	return report.Said(strings.Join(lines, "\n"))
}

func sizeAlgorithmsSheet(l locale.Locale, e sizing.Estimate, r views.SizeResult) report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: l.T("report.column.algorithm")}, {Name: l.T("report.column.time"), Number: true}, {Name: l.T("report.column.range")},
		{Name: l.T("report.column.grade")}, {Name: l.T("report.column.formula"), Formula: true, Wide: true},
	}}
	for i, a := range r.Algorithms {
		t.Rows = append(t.Rows, report.Row{Mark: a.Best, Cells: []report.Cell{
			report.Said(a.Name), sheetTime(e.Costs[i].Time), report.Said(a.Range), report.Said(a.Grade), sheetPhases(a.Terms),
		}})
	}
	return t
}

func sizeFabricsSheet(l locale.Locale, e sizing.Estimate, r views.SizeResult) report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: l.T("report.column.fabric")}, {Name: l.T("report.column.rate"), Number: true}, {Name: "α", Number: true},
		{Name: l.T("size.counting.ring"), Number: true}, {Name: l.T("size.counting.one-way"), Number: true}, {Name: l.T("size.counting.both"), Number: true},
	}}
	for i, f := range r.Fabrics {
		c := e.Fabrics[i]
		t.Rows = append(t.Rows, report.Row{Mark: f.Current, Cells: []report.Cell{
			report.Said(f.Name), report.Quantity(f.Bytes, float64(c.Fabric.Bandwidth), "B/s"), report.Quantity(f.Latency, c.Fabric.Latency.Seconds(), "s"),
			sheetTime(c.Times.Ring), sheetTime(c.Times.OneWay), sheetTime(c.Times.Central),
		}})
	}
	return t
}

func sizeTurnsSheet(l locale.Locale, s *sheetBlocks, e sizing.Estimate, r views.SizeResult) {
	if len(r.Turns) == 0 {
		return
	}
	t := report.Table{Columns: []report.Column{
		{Name: l.T("report.column.counting")}, {Name: l.T("report.column.step"), Number: true}, {Name: l.T("report.column.range")},
		{Name: l.T("report.column.best")}, {Name: l.T("report.column.slower")},
	}}
	for i, turn := range r.Turns {
		t.Rows = append(t.Rows, report.Row{Cells: []report.Cell{
			report.Said(turn.Counting), sheetTime(e.Scaling[i].StepTime), report.Said(turn.Range), report.Said(turn.Best), report.Said(turn.Slower),
		}})
	}
	s.heading("turns", l.T("size.turns"), r.TurnsNote)
	s.table("turns", t)
}

func sizeOneSheet(l locale.Locale, s *sheetBlocks, study *site.Study, one views.SizeOne, whole bool) {
	s.heading("one", one.Title, one.Setting)
	s.text("one", sizePlain(sizeOneLead(l, study)))
	s.add(report.Block{Kind: report.Figures, Key: "one", Figures: sheetFigures(Frame{Locale: l}.sizeOneFigures(l, study))})
	s.text("grade", one.Grade.Says)
	for _, warning := range one.Warnings {
		s.note("warnings", warning)
	}
	parts := report.Table{Columns: []report.Column{
		{Name: l.T("report.column.part")}, {Name: l.T("report.column.time"), Number: true}, {Name: l.T("report.column.share"), Number: true},
		{Name: l.T("report.column.formula"), Formula: true, Wide: true},
	}}
	for i, t := range sizeKnownParts(study) {
		p := one.Parts[i]
		parts.Rows = append(parts.Rows, report.Row{Cells: []report.Cell{
			report.Said(p.Name), sheetTime(t.Time), cellOf(p.Share, amountPercent(float64(t.Time/study.Answer.Time))), report.Said(p.Formula),
		}})
	}
	s.table("parts", parts)
	if whole {
		ways := report.Table{Columns: []report.Column{
			{Name: l.T("report.column.algorithm")}, {Name: l.T("report.column.time"), Number: true}, {Name: l.T("report.column.range")},
			{Name: l.T("report.column.formula"), Formula: true, Wide: true},
		}}
		for i, w := range one.Ways {
			ways.Rows = append(ways.Rows, report.Row{Mark: w.Auto, Cells: []report.Cell{
				report.Said(w.Name), sheetTime(study.Ways[i].Time), report.Said(w.Time.Range), sheetPhases(w.Terms),
			}})
		}
		s.heading("ways", l.T("size.ways"), one.WaysNote)
		s.table("ways", ways)
	}
}

func sizeChangesSheet(l locale.Locale, s *sheetBlocks, study *site.Study, c *views.SizeChanges) {
	if c == nil {
		return
	}
	t := report.Table{Columns: []report.Column{
		{Name: l.T("report.column.changed")}, {Name: c.One, Number: true}, {Name: l.T("report.column.range")}, {Name: l.T("report.column.factor")},
	}}
	price, _ := study.Public()
	row := func(v views.SizeChange, time unit.Seconds) {
		t.Rows = append(t.Rows, report.Row{Mark: v.Slower, Cells: []report.Cell{
			report.Said(v.What), sheetTime(time), report.Said(v.One.Range), report.Said(v.Factor),
		}})
	}
	row(c.Before, price.Time)
	for i, v := range c.Rows {
		row(v, study.Changes[i].Price.Time)
	}
	s.heading("changes", l.T("size.changes"), "")
	s.text("even", c.Even)
	s.table("changes", t)
}

// sizeWouldChange lists what would give another answer: the networks beside the
// one asked for, how many workers there are, and measurements of one's own.
func sizeWouldChange(l locale.Locale, sized Sized) []string {
	e := sized.Estimate
	var all []string
	for _, c := range e.Fabrics {
		if e.Workers > 1 && c.Fabric != e.Step.Fabric && (c.Times.Ring > 2*e.Times.Ring || 2*c.Times.Ring < e.Times.Ring) {
			all = append(all, l.T("report.change.fabric", locale.Values{
				"Fabric": sizeFabricName(l, c.Fabric), "Time": sizeTime(c.Times.Ring), "Now": sizeTime(e.Times.Ring),
			}))
		}
	}
	if s := sized.Study; s != nil && s.Computes() && e.Workers > 1 {
		all = append(all, sizeEven(l, s))
	}
	if sized.Study == nil || !sized.Study.Rests() {
		all = append(all, l.T("report.change.logs"))
	}
	return all
}

// sizeTimeSheet is the time of communication over the number of workers.
func sizeTimeSheet(l locale.Locale, e sizing.Estimate) report.Chart {
	c := report.Chart{
		Title: l.T("size.chart.time"), Unit: "s", Across: l.T("size.chart.workers"), Up: l.T("size.chart.time.axis"),
		Caption: l.T("size.chart.time.caption", locale.Values{"Size": sizeBytes(e.Size), "Fabric": sizeFabricName(l, e.Step.Fabric)}),
	}
	for _, counting := range slices.Backward(sizing.Countings()) {
		line := report.Line{Name: l.T(lineMessages[counting]), Ink: sizeInks[counting].String()}
		for _, p := range e.Curve {
			line.Points = append(line.Points, [2]float64{float64(p.Workers), float64(p.Of(counting))})
		}
		c.Lines = append(c.Lines, line)
		c.Marks = append(c.Marks, report.Mark{At: [2]float64{float64(e.Workers), float64(e.Times.Of(counting))}, Ink: line.Ink, Name: sizeTime(e.Times.Of(counting))})
	}
	return c
}
