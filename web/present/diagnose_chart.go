package present

import (
	"math"
	"slices"

	"lockstep/sizing/diagnose"
	"lockstep/views"
	"lockstep/views/draw"
)

// chart draws what was measured over the size, above the band of what such a
// system should give. Without ranks it draws algorithm bandwidth, and without
// any bandwidth the time.
func (p diagnosis) chart(t diagnosed) (name, says string, chart views.StoryChart) {
	measured, title, axis := measuredCurve(t.File), "diagnose.chart.bus.name", "diagnose.chart.bus"
	switch {
	case len(measured) == 0:
		return "", "", chart
	case t.PerPeer:
		title, axis = "diagnose.chart.time.name", "diagnose.chart.time"
	case t.Ranks == 0 || t.Collective == "":
		title, axis = "diagnose.chart.alg.name", "diagnose.chart.alg"
	}
	name = p.t(title)
	says = p.t("diagnose.chart.alone")
	if len(t.Expected.Curve) > 0 {
		says = p.t("diagnose.chart.band")
	}
	low, high := math.Inf(1), math.Inf(-1)
	grow := func(v float64) {
		if v > 0 {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	area, typical := healthyBand(t.Expected.Curve)
	for _, line := range [][]draw.Point{measured, area.Low, area.High} {
		for _, at := range line {
			grow(at.Y)
		}
	}
	if !t.PerPeer && low < high/span { // what is smaller would press the rest together
		low = high / span
		measured = slices.DeleteFunc(measured, func(at draw.Point) bool { return at.Y < low })
		smallest := measured[0].X
		early := func(at draw.Point) bool { return at.X < smallest }
		area.Low, area.High, typical = slices.DeleteFunc(area.Low, early), slices.DeleteFunc(area.High, early), slices.DeleteFunc(typical, early)
	}
	label := func(v float64) string { return perSecond(v) }
	if t.PerPeer {
		label = func(v float64) string { return significant(v, 3) + " µs" }
	}
	chart = twoWidths(func(width float64, narrow bool) string {
		most, height, back := 8, 340.0, len(measured)/2
		if narrow {
			most, height = 3, 300
		}
		d := draw.LineChart{Frame: draw.Frame{Width: width, Height: height, Title: name, Desc: says, Class: widthClass(narrow)}}
		d.X = decades(measured[0].X, measured[len(measured)-1].X, most, p.t("diagnose.chart.size"), func(v float64) string { return sized(v, 3, decimalBytes) })
		d.Y = decades(low, high, 5, p.t(axis), label)
		if len(area.Low) > 0 {
			area.Label, area.LabelBack = p.t("diagnose.chart.should"), len(area.High)/2
			d.Areas = []draw.Area{area}
			d.Series = append(d.Series, draw.Series{Points: typical, Ink: draw.Dashed})
			end := typical[len(typical)-1]
			d.Marks = append(d.Marks, draw.Mark{At: end, Ink: draw.Dashed, Label: p.t("diagnose.chart.about", "Rate", perSecond(end.Y)), Side: draw.BelowLeft})
		}
		d.Series = append(d.Series, draw.Series{Points: measured, Ink: draw.Accent, Dots: len(measured) <= 40, Label: p.t("diagnose.chart.measured"), LabelBack: back, LabelSide: draw.BelowLeft})
		if end := measured[len(measured)-1]; !t.PerPeer {
			d.Marks = append(d.Marks, draw.Mark{At: end, Ink: draw.Accent, Label: perSecond(end.Y), Side: draw.BelowLeft})
		}
		return d.SVG()
	})
	return name, says, chart
}

// span is the most that a chart's axis of bandwidth spans, as a ratio.
const span = 1e4

// decades is a logarithmic axis that ends near what it holds, with the marks in
// between.
func decades(low, high float64, most int, name string, label func(float64) string) draw.Axis {
	const room = 1.3
	a := draw.Marked(draw.DecadeTicks(low, high, most), true, name, label)
	a.Low, a.High = low/room, high*room
	if within := slices.DeleteFunc(slices.Clone(a.Ticks), func(t draw.Tick) bool { return t.At < a.Low || t.At > a.High }); len(within) > 1 {
		a.Ticks = within
		return a
	}
	a.Low, a.High = a.Ticks[0].At, a.Ticks[len(a.Ticks)-1].At // too short a stretch for two marks
	return a
}

// measuredCurve is the best of each size: bandwidth in GB/s, made of the time
// where print has too few digits; the time in microseconds where sizes are
// those of one peer.
func measuredCurve(f diagnose.File) []draw.Point {
	var all []draw.Point
	for _, r := range f.Rows {
		if r.Size <= 0 || r.Time == nil || !(*r.Time > 0) {
			continue
		}
		value := float64(r.Size) / *r.Time / 1e3
		switch {
		case f.PerPeer:
			value = *r.Time
		case f.Ranks > 0 && f.Collective != "":
			value *= f.Collective.BusFactor(f.Ranks)
		}
		at := draw.Point{X: float64(r.Size), Y: value}
		if !(value > 0) {
			continue
		}
		if n := len(all); n > 0 && all[n-1].X == at.X {
			if better := f.PerPeer == (at.Y < all[n-1].Y); better {
				all[n-1] = at
			}
			continue
		}
		if n := len(all); n > 0 && all[n-1].X > at.X { // another sweep over the same sizes
			continue
		}
		all = append(all, at)
	}
	return all
}

// healthyBand is the area of what healthy systems reach, and its middle.
func healthyBand(curve []diagnose.Band) (area draw.Area, typical []draw.Point) {
	for _, b := range curve {
		x := float64(b.Size)
		area.Low = append(area.Low, draw.Point{X: x, Y: b.Low})
		area.High = append(area.High, draw.Point{X: x, Y: b.High})
		typical = append(typical, draw.Point{X: x, Y: b.Typical})
	}
	return area, typical
}
