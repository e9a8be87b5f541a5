package present

import (
	"lockstep/engine/unit"
	"lockstep/sizing/catalog"
	"lockstep/sizing/plan"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// stepChart draws a step in its parts, and beneath it the communication that
// computing hides.
func stepChart(l locale.Locale, e plan.Estimate) views.SizeChart {
	b := e.Breakdown
	chart := views.SizeChart{Title: l.T("step.chart"), Caption: l.T("step.chart.caption")}
	row := draw.StackedBar{Pieces: []draw.Piece{
		{Length: b.Compute, Tone: draw.Compute, Label: l.T("step.chart.piece", locale.Values{"Name": stepPart(l, "compute"), "Time": stepSeconds(b.Compute)})},
		{Length: b.Exposed, Tone: draw.Comm, Label: stepSeconds(b.Exposed)},
		{Length: b.Bubble, Tone: draw.Bubble},
		{Length: b.Other, Tone: draw.Paper},
	}, Beside: []draw.Piece{{Length: b.Overlapped, Tone: draw.Hidden}}}
	high := max(e.Step.Value, b.Overlapped)
	return stepBars(chart, sizeTimeAxis("", high), high, row, true)
}

// stepBars draws one row for wide and for narrow places, as long as high.
func stepBars(chart views.SizeChart, x draw.Axis, high float64, row draw.StackedBar, strip bool) views.SizeChart {
	x.High = max(x.High, high)
	for _, width := range []float64{860, 358} {
		d := draw.StackedBars{X: x, Rows: []draw.StackedBar{row}, Frame: draw.Frame{Width: width, Height: draw.RowsHeight(1, strip, false), Title: chart.Title, Desc: chart.Caption, Class: "narrow"}}
		if width > 400 {
			d.Class = "wide"
			chart.Wide = d.SVG()
		} else {
			chart.Narrow = d.SVG()
		}
	}
	return chart
}

// stepHeld says whether a step fits, and draws what the fullest accelerator
// holds.
func stepHeld(l locale.Locale, e plan.Estimate) views.StepMemory {
	m := e.Memory
	v := views.StepMemory{Fits: m.Fits}
	values := locale.Values{"Total": stepBytes(m.Total), "Capacity": stepBytes(m.Capacity), "Share": percentText(m.Total / m.Capacity)}
	switch {
	case m.Fits:
		v.Says = l.T("step.memory.fits", values)
	case m.Total <= m.Capacity:
		v.Says = l.T("step.memory.may-not-fit", values)
	default:
		v.Says = l.T("step.memory.does-not-fit", values)
	}
	var row draw.StackedBar
	for i, p := range []struct {
		name  string
		bytes float64
	}{{"weights", m.Weights}, {"gradients", m.Gradients}, {"optimizer", m.Optimizer}, {"activations", m.Activations}, {"buffers", m.Buffers}} {
		tone := draw.Compute
		if i%2 == 1 {
			tone = draw.Paper
		}
		name := stepMemory(l, p.name)
		row.Pieces = append(row.Pieces, draw.Piece{Length: p.bytes / 1e9, Tone: tone, Label: name})
		v.Parts = append(v.Parts, views.StepPart{Name: name, Value: stepBytes(p.bytes), Share: percentText(p.bytes / m.Capacity)})
	}
	high := max(m.Total, m.Capacity) / 1e9
	if free := m.Capacity - m.Total; free > 0 {
		row.Pieces = append(row.Pieces, draw.Piece{Length: free / 1e9, Tone: draw.Bubble})
		v.Parts = append(v.Parts, views.StepPart{Name: l.T("step.memory.free"), Value: stepBytes(free), Share: percentText(free / m.Capacity)})
	}
	axis := draw.Marked(draw.NiceTicks(high, 5), false, "", func(x float64) string { return significant(x, 3) + " GB" })
	v.Chart = stepBars(views.SizeChart{Title: l.T("step.memory"), Caption: v.Says}, axis, high, row, false)
	return v
}

// stepFormulas are the formulas of the terms, in words where letters say less.
var stepFormulas = map[string]string{
	"products":  "step.formula.products",
	"attention": "step.formula.attention",
	"elements":  "step.formula.elements",
	"exchange":  "step.formula.exchange",
	"head":      "step.formula.head",
	"host":      "step.formula.host",
	"shards":    "step.formula.shards",
	"bubble":    "step.formula.bubble",
	"pipe":      "step.formula.pipe",
	"data":      "step.formula.data",
	"optimizer": "step.formula.optimizer",
	"fixed":     "step.formula.fixed",
	"spread":    "step.formula.spread",
}

// stepTerms opens a step to its formulas, with what is known filled in.
func stepTerms(l locale.Locale, s stepped) []views.StepTerm {
	e, m, c := s.e, s.ask.Model, s.ask.Chip
	micro := 0.0
	for _, t := range e.Terms {
		switch t.Name {
		case "products", "attention", "elements", "exchange", "head", "host", "shards":
			micro += t.Seconds / float64(max(1, e.Strategy.Count))
		}
	}
	values := locale.Values{
		"N": e.Strategy.Count, "B": e.Strategy.Micro, "S": e.Sequence, "H": m.Hidden, "A": m.Heads, "V": m.Vocab,
		"T": e.Strategy.TP, "P": e.Strategy.PP, "C": e.Strategy.CP, "D": e.Strategy.DP, "VPP": e.Strategy.Virtual, "Ranks": e.Accelerators,
		"Peak": stepPeak(c, e.Precision), "Peak16": stepPeak(c, "bf16"), "Memory": sizeRate(unit.Rate(c.MemoryBandwidth * 1e9)), "Micro": stepSeconds(micro),
	}
	var all []views.StepTerm
	for _, t := range e.Terms {
		v := views.StepTerm{Name: stepTerm(l, t.Name), Time: stepSeconds(t.Seconds), Share: percentText(t.Seconds / e.Step.Value), Formula: t.Formula}
		if id, known := stepFormulas[t.Name]; known {
			v.Formula = l.T(id, values)
		}
		all = append(all, v)
	}
	return all
}

// stepPeak is an accelerator's peak in a precision.
func stepPeak(c catalog.Accelerator, precision string) string {
	peak := max(c.BF16, c.FP16)
	switch precision {
	case "fp8", "mxfp8":
		peak = c.FP8
	case "nvfp4":
		peak = c.FP4
	}
	return significant(peak, 4) + " TFLOP/s"
}
