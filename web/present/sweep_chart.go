package present

import (
	"math"

	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// Charts of a comparison, as addresses name them.
const (
	chartTime = "time"
	chartBus  = "bandwidth"
)

// sweepWide is about as many pixels as one of two charts side by side has.
const sweepWide = 680

// sweepInks tells the ways apart; the prediction has the one that is left.
var sweepInks = []draw.Ink{draw.Accent, draw.Dashed, draw.Thin}

// sweepCharts draws time and bus bandwidth over the size; none where no way has
// a figure yet.
func sweepCharts(l locale.Locale, c sweep.Comparison, names []string) []views.SweepChart {
	var charts []views.SweepChart
	for _, id := range []string{chartTime, chartBus} {
		plot := sweepPlot{l: l, c: c, names: names, id: id}
		if plot.lines(); len(plot.series) == 0 {
			continue
		}
		charts = append(charts, views.SweepChart{ID: id, Title: plot.title(), Sub: plot.sub(), Chart: views.StoryChart{
			Wide: plot.draw(sweepWide, false).SVG(), Narrow: plot.draw(storyNarrow, true).SVG(),
		}})
	}
	return charts
}

// sweepPlot is one figure of every way over the size.
type sweepPlot struct {
	l         locale.Locale
	c         sweep.Comparison
	names     []string
	id        string
	series    []draw.Series
	low, high float64
	sizes     []unit.Bytes // that have a figure
}

func (p *sweepPlot) title() string {
	if p.id == chartBus {
		return p.l.T("sweep.chart.bus")
	}
	return p.l.T("sweep.chart.time")
}

func (p *sweepPlot) sub() string {
	if p.predicted() {
		return p.l.T("sweep.chart.predicted")
	}
	return p.l.T("sweep.chart.median")
}

// predicted reports whether there is a prediction to draw.
func (p *sweepPlot) predicted() bool {
	for _, s := range p.series {
		if s.Ink == draw.Dotted {
			return true
		}
	}
	return false
}

// value is the figure of a run whose iteration takes so many seconds.
func (p *sweepPlot) value(r trace.Run, seconds float64) float64 {
	if p.id == chartTime {
		return seconds
	}
	if !(seconds > 0) {
		return math.NaN()
	}
	return float64(r.Size) / seconds / 1e9 * r.Collective.BusFactor(r.Ranks)
}

// lines collects what is drawn.
func (p *sweepPlot) lines() {
	p.low, p.high = math.Inf(1), 0
	add := func(at []draw.Point, run trace.Run, seconds float64) []draw.Point {
		v := p.value(run, seconds)
		if !(v > 0) || math.IsInf(v, 0) {
			return at
		}
		p.low, p.high = math.Min(p.low, v), math.Max(p.high, v)
		if n := len(p.sizes); n == 0 || p.sizes[n-1] < run.Size {
			p.sizes = append(p.sizes, run.Size)
		}
		return append(at, draw.Point{X: float64(run.Size), Y: v})
	}
	for way, name := range p.names {
		var measured, predicted []draw.Point
		for _, point := range p.c.Of(way) {
			if median := medianOf(point); median > 0 {
				measured = add(measured, point.Run, median)
			}
			if point.Run.Predicted > 0 && p.c.Request.Ways[way].Backend == trace.Host {
				predicted = add(predicted, point.Run, point.Run.Predicted)
			}
		}
		if len(measured) == 0 {
			continue
		}
		p.series = append(p.series, draw.Series{Points: measured, Ink: sweepInks[way%len(sweepInks)], Dots: true, Label: name})
		if len(predicted) > 1 {
			p.series = append(p.series, draw.Series{Points: predicted, Ink: draw.Dotted})
		}
	}
}

// draw makes the chart. Where a line's name stands is staggered, so that names
// of lines that lie together do not.
func (p *sweepPlot) draw(width float64, narrow bool) draw.LineChart {
	height, most := 340.0, 6
	if narrow {
		height, most = 320, 4
	}
	chart := draw.LineChart{Frame: draw.Frame{Width: width, Height: height, Title: p.title(), Desc: p.l.T("sweep.chart.desc"), Class: widthClass(narrow)}}
	label := func(v float64) string { return duration(unit.Seconds(v)) }
	if p.id == chartBus {
		label = perSecond
	}
	first, last := float64(p.sizes[0]), float64(p.sizes[len(p.sizes)-1])
	if first == last {
		first, last = first/2, last*2
	}
	each := (len(p.sizes) + most - 1) / most
	var marks []float64
	for i := 0; i < len(p.sizes); i += each {
		marks = append(marks, float64(p.sizes[i]))
	}
	chart.X = draw.Marked(marks, true, p.l.T("sweep.size"), func(v float64) string { return unit.Bytes(v).String() })
	chart.X.Low, chart.X.High = first/1.3, last*1.3
	chart.Y = decades(p.low, p.high, 5, "", label)
	named := 0
	for _, s := range p.series {
		if s.Label != "" {
			s.LabelBack = min((named+1)*len(s.Points)/(len(p.names)+1), len(s.Points)-1)
			s.LabelSide = []draw.Side{draw.AboveLeft, draw.BelowRight, draw.AboveLeft}[named%3]
			named++
		}
		chart.Series = append(chart.Series, s)
	}
	return chart
}

// SweepPicture draws a chart of a comparison, to stand alone in a file, in a
// style of ChartStyle; false where there is no such chart.
func SweepPicture(f Frame, c sweep.Comparison, id, origin, style string) (Drawing, bool) {
	l := f.Locale
	names := make([]string, len(c.Request.Ways))
	for i := range names {
		names[i] = wayName(l, c, i)
	}
	plot := sweepPlot{l: l, c: c, names: names, id: id}
	if plot.lines(); len(plot.series) == 0 {
		return Drawing{}, false
	}
	chart := plot.draw(storyWide, false)
	title := sweepWhat(l, c) + " · " + plot.title()
	source := origin + f.SweepURL(c.ID)
	p := draw.ChartPicture{Frame: chart.Frame, Chart: chart.SVG(), Style: style, Head: title, Notes: []string{plot.sub(), when(c.Created)}, Source: source}
	return Drawing{SVG: p.SVG(), Title: title, Source: source, Name: "compare-" + c.ID + "-" + id}, true
}
