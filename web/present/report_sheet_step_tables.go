package present

import (
	"lockstep/sizing/plan"
	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/views/locale"
)

// stepPartsSheet is a step in its parts, the last beside the others.
func stepPartsSheet(l locale.Locale, e plan.Estimate, parts []views.StepPart) report.Table {
	t := report.Table{Columns: []report.Column{{Name: l.T("step.part")}, {Name: l.T("step.time"), Number: true}, {Name: l.T("step.share"), Number: true}}}
	b := e.Breakdown
	for i, seconds := range []float64{b.Compute, b.Exposed, b.Bubble, b.Other, b.Overlapped} {
		p, share := parts[i], report.Said(parts[i].Share)
		if i < 4 {
			share = cellOf(p.Share, amountPercent(seconds/e.Step.Value))
		}
		t.Rows = append(t.Rows, report.Row{Cells: []report.Cell{report.Said(p.Name), report.Quantity(p.Value, seconds, "s"), share}})
	}
	return t
}

// stepMemorySheet is what the fullest accelerator holds, and what is left.
func stepMemorySheet(l locale.Locale, e plan.Estimate, parts []views.StepPart) report.Table {
	t := report.Table{Columns: []report.Column{{Name: l.T("step.part")}, {Name: l.T("step.memory.held"), Number: true}, {Name: l.T("step.memory.share"), Number: true}}}
	m := e.Memory
	held := []float64{m.Weights, m.Gradients, m.Optimizer, m.Activations, m.Buffers, m.Capacity - m.Total}
	for i, p := range parts {
		t.Rows = append(t.Rows, report.Row{Cells: []report.Cell{
			report.Said(p.Name), report.Quantity(p.Value, held[i], "B"), cellOf(p.Share, amountPercent(held[i]/m.Capacity)),
		}})
	}
	return t
}

// stepTermsSheet opens a step to its formulas.
func stepTermsSheet(l locale.Locale, e plan.Estimate, terms []views.StepTerm) report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: l.T("step.part")}, {Name: l.T("step.time"), Number: true}, {Name: l.T("step.share"), Number: true},
		{Name: l.T("report.column.formula"), Formula: true, Wide: true},
	}}
	for i, term := range terms {
		t.Rows = append(t.Rows, report.Row{Cells: []report.Cell{
			report.Said(term.Name), report.Quantity(term.Time, e.Terms[i].Seconds, "s"), cellOf(term.Share, amountPercent(e.Terms[i].Seconds/e.Step.Value)), report.Said(term.Formula),
		}})
	}
	return t
}

// stepSentSheet are the collectives of a step.
func stepSentSheet(l locale.Locale, e plan.Estimate, sent []views.StepSent) report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: l.T("step.sent.purpose")}, {Name: l.T("step.sent.collective")}, {Name: l.T("step.sent.group")}, {Name: l.T("step.sent.bytes"), Number: true},
		{Name: l.T("step.sent.count"), Number: true}, {Name: l.T("step.sent.time"), Number: true}, {Name: l.T("step.sent.exposed"), Number: true},
		{Name: l.T("report.column.formula"), Formula: true, Wide: true},
	}}
	for i, v := range sent {
		c := e.Communication[i]
		t.Rows = append(t.Rows, report.Row{Cells: []report.Cell{
			report.Said(v.Purpose), report.Said(l.T("report.step.sent.by", locale.Values{"Collective": v.Collective, "Algorithm": v.Algorithm})),
			report.Said(l.T("report.step.sent.among", locale.Values{"Group": v.Group, "Spans": v.Spans})),
			report.Quantity(v.Bytes, c.Bytes, "B"), report.Quantity(v.Count, c.Count, ""), report.Quantity(v.Time, c.Time, "s"), report.Quantity(v.Exposed, c.Exposed, "s"),
			report.Said(v.Formula + " = " + v.Time),
		}})
	}
	return t
}

// stepLayoutsSheet are the next best layouts.
func stepLayoutsSheet(l locale.Locale, e plan.Estimate, layouts []views.StepChange) report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: l.T("report.step.layout")}, {Name: l.T("step.time"), Number: true}, {Name: l.T("step.change.by"), Number: true},
		{Name: l.T("step.memory.held"), Number: true}, {Name: l.T("step.change.fits")},
	}}
	for i, v := range layouts {
		a := e.Alternatives[i]
		t.Rows = append(t.Rows, report.Row{Cells: []report.Cell{
			report.Said(v.Name), report.Quantity(v.Time, a.Step, "s"), cellOf(v.Change, amountPercent(a.Step/e.Step.Value-1)), report.Quantity(v.Memory, a.Memory, "B"), report.Said(v.Fits),
		}})
	}
	return t
}

// stepChangesSheet are steps with something changed.
func stepChangesSheet(l locale.Locale, changes []stepChange) report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: l.T("step.change")}, {Name: l.T("step.time"), Number: true}, {Name: l.T("step.change.by"), Number: true},
		{Name: l.T("step.change.share"), Number: true}, {Name: l.T("step.memory.held"), Number: true}, {Name: l.T("step.change.fits")},
	}}
	for _, v := range changes {
		change := report.Said(v.Change)
		if v.Change != "" {
			change = cellOf(v.Change, amountPercent(v.by))
		}
		t.Rows = append(t.Rows, report.Row{Mark: v.Current, Cells: []report.Cell{
			report.Said(v.Name), report.Quantity(v.Time, v.seconds, "s"), change, cellOf(v.Share, amountPercent(v.share)), report.Quantity(v.Memory, v.held, "B"), report.Said(v.Fits),
		}})
	}
	return t
}
