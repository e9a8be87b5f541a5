package present

import (
	"fmt"
	"math"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// bandWidth and bandHeight are the size of the chart of iterations, in units
// of the view box; maxBand is how many iterations are drawn one by one.
const (
	bandWidth, bandHeight = 372, 200
	maxBand               = 300
)

// band is what is drawn of each iteration: the bus bandwidth, or the time
// where the run has none.
type band struct {
	title, desc, note, last string
	of                      func(took unit.Seconds) float64 // bytes per second, or nanoseconds
	steps                   []step
}

// band returns what is drawn of this run's iterations.
func (s *sight) band() band {
	l, r := s.Locale, s.Run
	values := locale.Values{"Factor": significant(r.Collective.BusFactor(r.Ranks), 3), "Size": r.Size.String()}
	carried := r.Collective.BusFactor(r.Ranks) * float64(r.Size)
	if carried > 0 {
		return band{l.T("run.band"), l.T("run.band.desc"), l.T("run.band.note", values), l.T("run.band.last"),
			func(took unit.Seconds) float64 { return carried / float64(took) }, rateSteps}
	}
	return band{l.T("run.band.times"), l.T("run.band.times.desc"), l.T("run.band.times.note"), l.T("run.band.times.last"),
		func(took unit.Seconds) float64 { return float64(took) * 1e9 }, timeSteps}
}

// iterations are the times of the counted iterations that have ended.
func (w Watched) iterations() []unit.Seconds {
	if w.Run.Iterated != nil {
		return w.Run.Iterated
	}
	return w.Took
}

// bandChart presents each counted iteration of a run that has more than one;
// nil for others, whose one iteration is seen step by step.
func (s *sight) bandChart() *views.RunChart {
	l, r := s.Locale, s.Run
	if r.Iterations < 2 || r.Outcome == trace.Queued || !s.Here && !r.Outcome.Final() {
		return nil
	}
	b, took := s.band(), s.iterations()
	c := &views.RunChart{Title: b.title, Note: b.note}
	if n := r.Warmups(); n > 0 {
		c.Note = sentences(l, c.Note, l.T("run.band.warmups", locale.Values{"Count": n}))
	}
	if len(took) == 0 {
		c.Sub = l.T("run.band.none")
		return c
	}
	values := make([]float64, len(took))
	highest := 0.0
	for i, t := range took {
		values[i] = b.of(max(t, 1e-9))
		highest = max(highest, values[i])
	}
	predicted := 0.0
	if r.Predicted > 0 {
		predicted = b.of(unit.Seconds(r.Predicted))
	}
	scale := largest(b.steps, max(highest, predicted))
	c.Sub = l.T("run.band.count", locale.Values{"Ended": len(took), "Iterations": r.Iterations, "Unit": scale.name})
	y := draw.NiceTicks(max(highest, predicted)/scale.size*1.05, 4)
	x := iterationTicks(r.Iterations)
	chart := draw.LineChart{
		Frame: draw.Frame{Width: bandWidth, Height: bandHeight, Title: b.title, Desc: b.desc},
		X:     draw.Axis{Low: 1, High: float64(max(r.Iterations, 2)), Name: l.T("run.band.axis")},
		Y:     draw.Marked(y, false, "", func(v float64) string { return significant(v, 3) }),
	}
	for _, at := range x {
		chart.X.Ticks = append(chart.X.Ticks, draw.Tick{At: float64(at), Label: fmt.Sprint(at)})
	}
	level := func(v float64, ink draw.Ink) {
		chart.Series = append(chart.Series, draw.Series{Ink: ink, Points: []draw.Point{{X: 1, Y: v / scale.size}, {X: chart.X.High, Y: v / scale.size}}})
	}
	key := func(shape, word string) { c.Legend = append(c.Legend, views.RunKey{Shape: shape, Word: word}) }
	say := func(message string, v float64) string {
		return l.T(message, locale.Values{"Value": significant(v/scale.size, 3) + " " + scale.name, "Ended": len(took)})
	}
	key("line-accent", l.T("run.legend.measured"))
	if predicted > 0 {
		level(predicted, draw.Dashed)
		key("line-dashed", say("run.band.predicted", predicted))
	}
	if len(took) > 1 {
		times := trace.Summarise(durations(took))
		median, slow := b.of(unit.Seconds(times.Median)), b.of(unit.Seconds(times.P95))
		level(median, draw.Thin)
		key("line-thin", say("run.band.median", median))
		level(slow, draw.Dotted)
		key("line-dotted", say(tailWord(len(took), "run.band.p95", "run.band.slowest"), slow))
	}
	points := bandPoints(values, scale.size)
	chart.Series = append(chart.Series, draw.Series{Points: points, Ink: draw.Accent, Dots: len(took) <= 16})
	if n := len(took); n < r.Iterations && n > 16 {
		chart.Marks = append(chart.Marks, draw.Mark{At: points[len(points)-1], Ink: draw.Accent})
	}
	c.SVG = chart.SVG()
	return c
}

// bandPoints are the points of the line, from 1. Of very many iterations each
// point of the drawing shows the least and the most of its neighbours.
func bandPoints(values []float64, size float64) []draw.Point {
	if len(values) <= maxBand {
		points := make([]draw.Point, len(values))
		for i, v := range values {
			points[i] = draw.Point{X: float64(i + 1), Y: v / size}
		}
		return points
	}
	var points []draw.Point
	buckets := maxBand / 2
	for k := range buckets {
		from, to := k*len(values)/buckets, (k+1)*len(values)/buckets
		least, most := from, from
		for i := from; i < to; i++ {
			if values[i] < values[least] {
				least = i
			}
			if values[i] > values[most] {
				most = i
			}
		}
		for _, i := range []int{min(least, most), max(least, most)} {
			points = append(points, draw.Point{X: float64(i + 1), Y: values[i] / size})
		}
	}
	return points
}

// iterationTicks marks the first iteration, the last, and round numbers between.
func iterationTicks(iterations int) []int {
	ticks := []int{1}
	if iterations <= 8 {
		for at := 2; at <= iterations; at++ {
			ticks = append(ticks, at)
		}
		return ticks
	}
	nice := draw.NiceTicks(float64(iterations), 4)
	for _, at := range nice[1:] {
		// Not so near to the ends that the numbers touch.
		if whole := int(math.Round(at)); float64(whole) == at && whole > ticks[len(ticks)-1] && whole-1 >= iterations/8 && iterations-whole >= iterations/8 && whole < iterations {
			ticks = append(ticks, whole)
		}
	}
	return append(ticks, iterations)
}

func durations(times []unit.Seconds) []time.Duration {
	all := make([]time.Duration, len(times))
	for i, t := range times {
		all[i] = t.Duration()
	}
	return all
}

// tailWord is the message for the 95th percentile of so many iterations: of
// fewer than 20 it is nothing but the slowest, and is called so.
func tailWord(iterations int, p95, slowest string) string {
	if iterations < 20 {
		return slowest
	}
	return p95
}

// lastBand is the latest counted iteration as a figure, while the run runs.
func (s *sight) lastBand() (figures []views.RunFigure) {
	took := s.iterations()
	if s.Run.Outcome != trace.Running || len(took) == 0 {
		return nil
	}
	b, last := s.band(), took[len(took)-1]
	value, name := splitQuantity(sized(b.of(max(last, 1e-9)), 3, b.steps))
	figures = append(figures, views.RunFigure{Label: b.last, Value: value, Unit: name})
	if s.Run.Predicted > 0 {
		figures = append(figures, views.RunFigure{
			Label: s.Locale.T("run.ofpredicted"), Value: significant(float64(last)/s.Run.Predicted*100, 3), Unit: "%"})
	}
	return figures
}
