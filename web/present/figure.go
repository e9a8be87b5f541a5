package present

import (
	"strings"

	"lockstep/sizing/report"
	"lockstep/sizing/site"
	"lockstep/views"
)

// figure is a number that stands out, with the quantity that it is; quantity has
// no text, and no number for what is said in words.
type figure struct {
	views.SizeFigure
	quantity report.Cell
}

// amount is v of a unit.
func amount(v float64, unit string) report.Cell { return report.Quantity("", v, unit) }

// amountPercent is a share in per cent.
func amountPercent(share float64) report.Cell { return amount(100*share, "%") }

// amountSpan is a time in its interval.
func amountSpan(s site.Span) report.Cell {
	return amount(float64(s.Time), "s").Between(float64(s.Low), float64(s.High))
}

// shownFigures are figures as a page shows them.
func shownFigures(all []figure) []views.SizeFigure {
	var shown []views.SizeFigure
	for _, f := range all {
		shown = append(shown, f.SizeFigure)
	}
	return shown
}

// sheetFigures are figures as a report keeps them.
func sheetFigures(all []figure) []report.Figure {
	var kept []report.Figure
	for _, f := range all {
		value := f.quantity
		value.Text = strings.TrimSpace(f.Number + " " + f.Unit)
		kept = append(kept, report.Figure{Label: f.Label, Value: value, Note: f.Note})
	}
	return kept
}

// cellOf is a quantity as it is read.
func cellOf(text string, q report.Cell) report.Cell {
	q.Text = text
	return q
}
