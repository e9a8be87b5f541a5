package present

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// Sizes of the charts of a sizing, in units of about a pixel: for a column of
// a page, and for a phone.
var (
	sizeChartWide   = draw.Frame{Width: 520, Height: 300, Class: "wide"}
	sizeChartNarrow = draw.Frame{Width: 358, Height: 280, Class: "narrow"}
)

// sizeInks tells the countings apart.
var sizeInks = map[sizing.Counting]draw.Ink{
	sizing.Ring:          draw.Accent,
	sizing.CentralOneWay: draw.Dashed,
	sizing.Central:       draw.Thin,
}

// lineMessages name the lines, in few words.
var lineMessages = map[sizing.Counting]string{
	sizing.Ring:          "size.chart.ring",
	sizing.CentralOneWay: "size.chart.one-way",
	sizing.Central:       "size.chart.both",
}

// sizeLineChart draws value over the number of workers, once for each
// counting and width. Each line is named beside its end.
type sizeLineChart struct {
	title, caption string
	y              func(values []float64) draw.Axis
	value          func(sizing.Point, sizing.Counting) float64
	marks          []draw.Mark
	level          *draw.Series // a line to compare with
	now            int          // the number of workers asked for
}

func (c sizeLineChart) draw(l locale.Locale, curve []sizing.Point) views.SizeChart {
	chart := views.SizeChart{Title: c.title, Caption: c.caption}
	last := float64(curve[len(curve)-1].Workers)
	for _, frame := range []draw.Frame{sizeChartWide, sizeChartNarrow} {
		frame.Title, frame.Desc = c.title, c.caption
		ticks := 8
		if frame.Width < 400 {
			ticks = 4
		}
		d := draw.LineChart{Frame: frame, Marks: c.marks}
		d.X = draw.Marked(workerTicks(last, ticks), false, l.T("size.chart.workers"), func(v float64) string { return significant(v, 4) })
		d.X.High = last
		var all []float64
		for _, counting := range sizing.Countings() {
			series := draw.Series{Ink: sizeInks[counting], Label: l.T(lineMessages[counting]), LabelSide: draw.AboveLeft}
			for _, p := range curve {
				v := c.value(p, counting)
				all = append(all, v)
				series.Points = append(series.Points, draw.Point{X: float64(p.Workers), Y: v})
			}
			d.Series = append(d.Series, series)
		}
		d.Y = c.y(all)
		start := 0.0
		if float64(c.now) > 0.7*last { // where the figures of the number asked for stand
			start = 0.45
		}
		spreadLabels(d.Series, d.Y.High, start, 110/frame.Width)
		if c.level != nil {
			d.Series = append(d.Series, *c.level)
		}
		d.Rules = []draw.Rule{{At: float64(c.now), Label: l.T("size.chart.now", locale.Values{"Count": c.now}), Ink: draw.Dotted}}
		svg := d.SVG()
		if frame.Class == "wide" {
			chart.Wide = svg
		} else {
			chart.Narrow = svg
		}
	}
	return chart
}

// spreadLabels puts the names of lines at a share of the chart's width before
// their ends, and those that end close together one further share apart.
func spreadLabels(lines []draw.Series, high, start, share float64) {
	const near = 0.1 // of the height
	end := func(s draw.Series) float64 { return s.Points[len(s.Points)-1].Y }
	order := make([]*draw.Series, len(lines))
	for i := range lines {
		order[i] = &lines[i]
	}
	slices.SortStableFunc(order, func(a, b *draw.Series) int { return cmp.Compare(end(*b), end(*a)) })
	moved := start
	for i := range order {
		if i > 0 && end(*order[i-1])-end(*order[i]) <= near*high {
			moved += share
		} else {
			moved = start
		}
		last := order[i].Points[len(order[i].Points)-1].X
		for back, p := range slices.Backward(order[i].Points) {
			if p.X <= last*(1-moved) {
				order[i].LabelBack = len(order[i].Points) - 1 - back
				break
			}
		}
	}
}

// workerTicks are marks from zero that do not pass the last number of workers.
func workerTicks(last float64, most int) []float64 {
	ticks := draw.NiceTicks(last, most)
	return slices.DeleteFunc(ticks, func(v float64) bool { return v > last })
}

// sizeTimeChart shows what communication takes over the number of workers.
func sizeTimeChart(l locale.Locale, e sizing.Estimate) views.SizeChart {
	c := sizeLineChart{
		title: l.T("size.chart.time"), now: e.Workers,
		caption: l.T("size.chart.time.caption", locale.Values{"Size": sizeBytes(e.Size), "Fabric": sizeFabricName(l, e.Step.Fabric)}),
		value:   func(p sizing.Point, counting sizing.Counting) float64 { return float64(p.Of(counting)) },
		y: func(values []float64) draw.Axis {
			return sizeTimeAxis(l.T("size.chart.time.axis"), slices.Max(values)*1.12)
		},
	}
	for _, counting := range []sizing.Counting{sizing.Central, sizing.CentralOneWay, sizing.Ring} {
		t := e.Times.Of(counting)
		c.marks = append(c.marks, draw.Mark{
			At: draw.Point{X: float64(e.Workers), Y: float64(t)}, Ink: sizeInks[counting], Label: sizeTime(t), Side: markSide(e),
		})
	}
	return c.draw(l, e.Curve)
}

// sizeTimeAxis is an axis of time whose marks all have the unit that suits the
// highest.
func sizeTimeAxis(name string, high float64) draw.Axis {
	_, unitName, _ := strings.Cut(sizeTime(unit.Seconds(high)), " ")
	size := map[string]float64{"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400}[unitName]
	axis := draw.Marked(draw.NiceTicks(high/size, 5), false, name, func(v float64) string { return significant(v, 3) + " " + unitName })
	axis.Low, axis.High = axis.Low*size, axis.High*size
	for i := range axis.Ticks {
		axis.Ticks[i].At *= size
	}
	return axis
}

// markSide keeps the figures of the number asked for away from the names at
// the ends of the lines.
func markSide(e sizing.Estimate) draw.Side {
	if last := e.Curve[len(e.Curve)-1].Workers; 4*e.Workers < last {
		return draw.AboveRight
	}
	return draw.AboveLeft
}

// sizeSpeedChart shows how many times faster than one worker a step gets.
func sizeSpeedChart(l locale.Locale, e sizing.Estimate) views.SizeChart {
	last := float64(e.Curve[len(e.Curve)-1].Workers)
	c := sizeLineChart{
		title: l.T("size.chart.speed"), now: e.Workers,
		caption: l.T("size.chart.speed.caption", locale.Values{"Compute": sizeTime(e.Step.Compute)}),
		value: func(p sizing.Point, counting sizing.Counting) float64 {
			step := e.Step.Compute/unit.Seconds(p.Workers) + p.Of(counting)
			return float64(e.Step.Compute / step)
		},
		y: func(values []float64) draw.Axis {
			return draw.Marked(draw.NiceTicks(max(slices.Max(values)*1.1, 1.5), 5), false, l.T("size.chart.speed.axis"),
				func(v float64) string { return significant(v, 3) })
		},
		level: &draw.Series{Points: []draw.Point{{X: 0, Y: 1}, {X: last, Y: 1}}, Ink: draw.Dotted},
	}
	for _, s := range e.Scaling {
		if s.Best > 1 && float64(s.Best) <= last {
			c.marks = append(c.marks, draw.Mark{
				At: draw.Point{X: float64(s.Best), Y: s.BestSpeedup}, Ink: sizeInks[s.Counting],
				Label: l.T("size.chart.best", locale.Values{"Workers": s.Best, "Ratio": sizeRatio(s.BestSpeedup)}), Side: peakSides[s.Counting],
			})
		}
	}
	return c.draw(l, e.Curve)
}

// peakSides keeps the names of peaks that lie close together apart.
var peakSides = map[sizing.Counting]draw.Side{
	sizing.Ring: draw.AboveLeft, sizing.CentralOneWay: draw.AboveRight, sizing.Central: draw.BelowRight,
}

// sizeShares shows how much of a ring's step is communication, fabric by
// fabric. Every bar is a whole step: shares compare, lengths do not.
func sizeShares(l locale.Locale, e sizing.Estimate) views.SizeChart {
	if e.Step.Compute == 0 {
		return views.SizeChart{}
	}
	chart := views.SizeChart{
		Title:   l.T("size.chart.shares"),
		Caption: l.T("size.chart.shares.caption", locale.Values{"Workers": e.Workers, "Compute": sizeTime(e.Step.Compute)}),
	}
	const gap = "\u00a0\u00a0" // bold letters are wider than they are measured
	percent := func(v float64) string { return significant(v, 3) + "%" }
	for _, width := range []float64{860, 358} {
		wide := width > 400
		d := draw.StackedBars{X: draw.Marked([]float64{0, 25, 50, 75, 100}, false, "", percent)}
		d.Frame = draw.Frame{Width: width, Height: draw.RowsHeight(len(e.Fabrics), false, false), Title: chart.Title, Desc: chart.Caption, Class: "narrow"}
		if wide {
			d.Class = "wide"
			d.X.High = 125 // room for the figures right of the bars
		}
		for _, f := range e.Fabrics {
			compute := e.Step.Compute / unit.Seconds(e.Workers)
			whole := compute + f.Times.Ring
			share := float64(f.Times.Ring/whole) * 100
			row := draw.StackedBar{Pieces: []draw.Piece{
				{Length: 100 - share, Tone: draw.Compute, Label: l.T("size.chart.shares.compute", locale.Values{"Time": sizeTime(compute)})},
				{Length: share, Tone: draw.Comm, Label: sizeTime(f.Times.Ring)},
			}}
			if wide {
				row.Name = sizeFabricName(l, f.Fabric) + gap
				row.Figure = percent(share)
				row.Note = gap + sizeTime(whole)
			} else {
				row.Pieces[0].Label = f.Fabric.Bandwidth.String()
			}
			d.Rows = append(d.Rows, row)
		}
		if wide {
			chart.Wide = d.SVG()
		} else {
			chart.Narrow = d.SVG()
		}
	}
	return chart
}
