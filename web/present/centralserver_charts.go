package present

import (
	"math"
	"strconv"

	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
)

// Widths of charts in view-box units: beside the form, and on a phone.
const (
	storyWide   = 880
	storyNarrow = 340
)

// twoWidths draws a chart in two widths.
func twoWidths(chart func(width float64, narrow bool) string) views.StoryChart {
	return views.StoryChart{Wide: chart(storyWide, false), Narrow: chart(storyNarrow, true)}
}

// widthClass is the class of a drawing in one of two widths.
func widthClass(narrow bool) string {
	if narrow {
		return "narrow"
	}
	return "wide"
}

// axis puts two workers and the asked number, by server and by ring, on one
// scale.
func (s story) axis() views.StoryChart {
	a := s.ask
	one, back := a.collector(a.Rate, false), a.collector(a.Rate, true)
	full := float64(back.Collecting(a.Workers))
	return twoWidths(func(width float64, narrow bool) string {
		central := func(w int) draw.StackedBar {
			way := float64(one.Collecting(w))
			row := draw.StackedBar{
				Name:   s.t("story.bar.central", "Workers", w),
				Pieces: []draw.Piece{{Length: way, Tone: draw.Comm, Label: s.t("story.bar.collect", "Time", duration(one.Collecting(w)))}, {Length: way, Tone: draw.Paper, Label: s.t("story.bar.return")}},
				Figure: duration(one.Collecting(w)), Note: s.t("story.bar.note", "Both", duration(back.Collecting(w))),
			}
			if narrow {
				row.Note = ""
			}
			return row
		}
		ring := func(w int) draw.StackedBar {
			return draw.StackedBar{
				Name:   s.t("story.bar.ring", "Workers", w),
				Pieces: []draw.Piece{{Length: float64(one.Ring(w)), Tone: draw.Comm}}, Figure: duration(one.Ring(w)),
			}
		}
		most := 8
		if narrow {
			most = 3
		}
		x := draw.Marked(draw.NiceTicks(full, most), false, "", func(v float64) string { return duration(unit.Seconds(v)) })
		rows := []draw.StackedBar{central(2), central(a.Workers), ring(2), ring(a.Workers)}
		if a.Workers == 2 {
			rows = []draw.StackedBar{central(2), ring(2)}
		}
		return draw.StackedBars{
			Frame: draw.Frame{Width: width, Height: draw.RowsHeight(len(rows), false, false), Title: s.t("story.axis"), Desc: s.say(), Class: widthClass(narrow)},
			X:     x, Rows: rows,
		}.SVG()
	})
}

// slope shows the time of communicating over the number of workers.
func (s story) slope() views.StoryChart {
	a := s.ask
	one, back := a.collector(a.Rate, false), a.collector(a.Rate, true)
	last := max(10, a.Workers)
	over := func(at func(w int) unit.Seconds) []draw.Point {
		var points []draw.Point
		for _, w := range wholeRange(1, last, 60) {
			points = append(points, draw.Point{X: float64(w), Y: float64(at(w))})
		}
		return points
	}
	back3 := len(wholeRange(1, last, 60)) / 3 // where lines are apart and there is room
	return twoWidths(func(width float64, narrow bool) string {
		x := draw.Marked(draw.NiceTicks(float64(last), 10), false, s.t("story.workers.axis"), func(v float64) string { return typed(v) })
		x.High = float64(last)
		x.Ticks = upTo(x.Ticks, x.High)
		y := draw.Marked(draw.NiceTicks(float64(back.Collecting(last)), 5), false, s.t("story.slope.axis"), func(v float64) string { return duration(unit.Seconds(v)) })
		both, way, ring := s.t("story.line.both"), s.t("story.line.one"), s.t("story.line.ring")
		if narrow { // in few words
			both, way, ring = s.t("size.chart.both"), s.t("size.chart.one-way"), s.t("size.chart.ring")
		}
		return draw.LineChart{
			Frame: draw.Frame{Width: width, Height: 280, Title: s.t("story.slope"), Desc: s.t("story.slope.says", "Each", duration(one.Collecting(2))), Class: widthClass(narrow)},
			X:     x, Y: y,
			Series: []draw.Series{
				{Points: over(back.Collecting), Ink: draw.Thin, Label: both, LabelBack: back3, LabelSide: draw.AboveLeft},
				{Points: over(one.Collecting), Ink: draw.Dashed, Label: way, LabelBack: back3, LabelSide: draw.BelowRight},
				{Points: over(one.Ring), Ink: draw.Accent, Label: ring, LabelSide: draw.AboveLeft},
			},
			Marks: []draw.Mark{{
				At: draw.Point{X: float64(a.Workers), Y: float64(one.Collecting(a.Workers))}, Ink: draw.Dashed,
				Label: duration(one.Collecting(a.Workers)), Side: draw.AboveLeft,
			}},
		}.SVG()
	})
}

// speed shows how many times faster w workers are than one, on every link.
func (s story) speed() views.StoryChart {
	a := s.ask
	rates := s.rates()
	last, highest, lowest := 1000.0, 1.0, 0.1
	for _, r := range rates {
		c := a.collector(r, a.Return)
		highest = math.Max(highest, c.Speedup(c.Best()))
	}
	last = math.Max(last, float64(a.Workers))
	inks := []draw.Ink{draw.Thin, draw.Dashed, draw.Dotted, draw.Thin}
	return twoWidths(func(width float64, narrow bool) string {
		var series []draw.Series
		var marks []draw.Mark
		for i, r := range rates {
			c := a.collector(r, a.Return)
			line := draw.Series{Ink: inks[i%len(inks)]}
			if r == a.Rate {
				line.Ink = draw.Accent
			}
			for _, w := range logarithmic(last) {
				line.Points = append(line.Points, draw.Point{X: float64(w), Y: c.Speedup(w)})
			}
			// Its name stands where it has fallen far, clear of the others.
			line.Label, line.LabelSide = r.String(), draw.Right
			for line.LabelBack < len(line.Points)-1 && line.Points[len(line.Points)-1-line.LabelBack].Y < 0.25 {
				line.LabelBack++
			}
			series = append(series, line)
			best := c.Best()
			if best > 1 {
				marks = append(marks, draw.Mark{
					At: draw.Point{X: float64(best), Y: c.Speedup(best)}, Ink: line.Ink, Side: draw.Below,
					Label: s.t("story.mark", "Count", best),
				})
			}
		}
		level := draw.Series{
			Points: []draw.Point{{X: 1, Y: 1}, {X: last * 0.35, Y: 1}, {X: last, Y: 1}}, Ink: draw.Thin,
			Label: s.t("story.one"), LabelSide: draw.AboveLeft, LabelBack: 1,
		}
		if narrow { // no room between the curves; the axis says it
			level.Label = ""
		}
		series = append(series, level)
		return draw.LineChart{
			Frame: draw.Frame{Width: width, Height: 340, Title: s.t("story.speed"), Desc: s.say(), Class: widthClass(narrow)},
			X:     draw.Marked(draw.DecadeTicks(1, last, 4), true, s.t("story.workers.axis"), typed),
			Y: draw.Marked(draw.DecadeTicks(lowest, highest*2, 4), true, s.t("story.speed.axis"), func(v float64) string {
				return s.t("story.times", "Times", strconv.FormatFloat(v, 'g', 3, 64))
			}),
			Series: series, Marks: marks,
		}.SVG()
	})
}

// wholeRange returns whole numbers from first to last, about so many.
func wholeRange(first, last, about int) []int {
	every := max(1, (last-first)/about)
	var all []int
	for w := first; w < last; w += every {
		all = append(all, w)
	}
	return append(all, last)
}

// logarithmic returns whole numbers from 1 to last, evenly in the logarithm.
func logarithmic(last float64) []int {
	var all []int
	for at := 1.0; at < last; at *= 1.04 {
		if w := int(math.Round(at)); len(all) == 0 || w > all[len(all)-1] {
			all = append(all, w)
		}
	}
	if all[len(all)-1] < int(last) {
		all = append(all, int(last))
	}
	return all
}

func upTo(ticks []draw.Tick, high float64) []draw.Tick {
	for len(ticks) > 0 && ticks[len(ticks)-1].At > high {
		ticks = ticks[:len(ticks)-1]
	}
	return ticks
}
