package present

import (
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// Sizes of the charts of a run, in units of the view box.
const (
	stepsWidth, stepsHeight = 912, 200
	portWidth, portHeight   = 372, 190
)

// took returns how long each counted round took, from 1; 0 where it is not
// through.
func (s *sight) took() []time.Duration {
	took := make([]time.Duration, len(s.ends))
	for round := 1; round < len(s.ends); round++ {
		if s.ends[round] > 0 {
			took[round] = s.ends[round] - s.ends[round-1]
		}
	}
	return took
}

// expected returns how long each counted round should take, in seconds; nil
// where there is no ground for it.
func (s *sight) expected() []float64 {
	if len(s.Rounds) != s.table.rounds || s.table.rounds == 0 {
		return nil
	}
	expected := make([]float64, s.table.rounds+1)
	last := unit.Seconds(0)
	for i, end := range s.Rounds { // a small round may be through before the one before it
		expected[i+1], last = float64(max(end-last, 0)), max(end, last)
	}
	return expected
}

// stepChart presents the time of each step, measured beside predicted; nil
// where there is nothing to show yet.
func (s *sight) stepChart() *views.RunChart {
	l := s.Locale
	took, expected := s.took(), s.expected()
	highest, measured, modelled, through := 0.0, 0.0, 0.0, 0
	for round := 1; round <= s.table.rounds; round++ {
		highest = max(highest, took[round].Seconds())
		if expected != nil {
			highest = max(highest, expected[round])
		}
		if took[round] > 0 {
			through++
			measured += took[round].Seconds()
			if expected != nil {
				modelled += expected[round]
			}
		}
	}
	if highest == 0 {
		return nil
	}
	scale := timeSteps[0]
	for _, step := range timeSteps {
		if highest*1e9 >= step.size {
			scale = step
		}
	}
	in := func(seconds float64) float64 { return seconds * 1e9 / scale.size }
	axis := draw.NiceTicks(in(highest), 4)
	failed := s.Run.Outcome == trace.Failed
	chart := draw.BarChart{
		Frame: draw.Frame{Width: stepsWidth, Height: stepsHeight, Title: l.T("run.steps"), Desc: l.T("run.steps.desc")},
		Y:     draw.Marked(axis, false, "", func(v float64) string { return significant(v, 3) + " " + scale.name }),
	}
	for round := 1; round <= s.table.rounds; round++ {
		column := draw.Column{Label: significant(float64(round), 3), Value: in(took[round].Seconds()), Figure: significant(in(took[round].Seconds()), 3)}
		if expected != nil {
			column.Predicted = in(expected[round])
		}
		if round == s.open() && took[round] == 0 && s.at.iteration() >= 0 {
			column.Current = true
			if failed {
				column.Value, column.Tone, column.Figure = axis[len(axis)-1], draw.Stuck, ""
			}
		}
		chart.Columns = append(chart.Columns, column)
	}
	chart.Groups = s.groups()
	c := &views.RunChart{Title: l.T("run.steps"), SVG: chart.SVG(), Legend: []views.RunKey{{Shape: "measured", Word: l.T("run.legend.measured")}}}
	if expected != nil {
		c.Legend = append(c.Legend, views.RunKey{Shape: "predicted", Word: l.T("run.legend.predicted")})
	}
	if failed {
		c.Legend = append(c.Legend, views.RunKey{Shape: "stuck", Word: l.T("run.legend.stuck")})
	}
	values := locale.Values{"Count": through, "Steps": through, "Time": duration(unit.Seconds(measured)), "Predicted": duration(unit.Seconds(modelled))}
	switch {
	case through > 0 && modelled > 0:
		values["Ratio"] = significant(measured/modelled*100, 3)
		c.Sub = l.T("run.steps.both", values)
	case through > 0:
		c.Sub = l.T("run.steps.measured", values)
	}
	if expected == nil {
		c.Note = l.T("run.steps.unpredicted")
	}
	return c
}

// groups names the phases below the steps; those of an imported schedule are
// called as they please.
func (s *sight) groups() []draw.Group {
	rounds := countedRounds(s.Schedule)
	var groups []draw.Group
	before := 0
	for _, phase := range s.Schedule.Phases {
		last := 0
		for i := range s.Schedule.Steps {
			if s.Schedule.Steps[i].Round <= phase.Last {
				last = rounds[i]
			}
		}
		name := phaseTerm(s.Locale, phase.Key)
		if s.Run.Imported {
			name = phase.Key
		}
		if last > before {
			groups = append(groups, draw.Group{Columns: last - before, Label: name})
		}
		before = last
	}
	return groups
}

// portBytes returns the bytes that the busiest port carries in each counted
// round, from 1: the most that any rank sends or receives.
func portBytes(s *schedule.Schedule, elements, width int) []float64 {
	rounds := countedRounds(s)
	most := make([]float64, s.Rounds()+1)
	sent, got := make([]float64, s.Ranks), make([]float64, s.Ranks)
	for i := range s.Steps {
		if i > 0 && rounds[i] != rounds[i-1] {
			clear(sent)
			clear(got)
		}
		step := &s.Steps[i]
		if step.Local() {
			continue
		}
		bytes := 0
		for j := range step.Count {
			bytes += s.ChunkLen(elements, step.DstChunk+j) * width
		}
		sent[step.Src] += float64(bytes)
		got[step.Dst] += float64(bytes)
		most[rounds[i]] = max(most[rounds[i]], sent[step.Src], got[step.Dst])
	}
	return most
}

// portChart presents the rate at the busiest port, step by step; nil where it
// would have fewer than two points.
func (s *sight) portChart() *views.RunChart {
	l := s.Locale
	width := s.Run.DType.Width()
	carried := portBytes(s.Schedule, int(s.Run.Size)/max(width, 1), width)
	took := s.took()
	var points []draw.Point
	highest, end := 0.0, 0.0
	// Rounds that do not wait for one another end together: what ends within
	// the shortest time worth a point belongs to the point before.
	shortest, bytes := s.ends[s.table.rounds].Seconds()*leastPort, 0.0
	for round := 1; round <= s.table.rounds; round++ {
		bytes += carried[round]
		if took[round] == 0 || bytes == 0 {
			continue
		}
		from := end
		end = s.ends[round].Seconds()
		if n := len(points); n > 0 && end-from < shortest {
			last := &points[n-1]
			begun := 0.0
			if n > 1 {
				begun = points[n-2].X
			}
			last.X, last.Y = end, (last.Y*(last.X-begun)+bytes)/(end-begun)
		} else {
			points = append(points, draw.Point{X: end, Y: bytes / (end - from)})
		}
		bytes = 0
	}
	for _, p := range points {
		highest = max(highest, p.Y)
	}
	if len(points) < 2 {
		return nil
	}
	pace := 0.0
	if s.Run.Pace != nil {
		pace = float64(s.Run.Pace.Rate)
	}
	highest = max(highest, pace)
	if len(s.Rounds) > 0 {
		end = max(end, float64(s.Rounds[len(s.Rounds)-1]))
	}
	rateScale, timeScale := largest(rateSteps, highest), largest(timeSteps, end*1e9)
	for i := range points {
		points[i].X, points[i].Y = points[i].X*1e9/timeScale.size, points[i].Y/rateScale.size
	}
	x := draw.NiceTicks(end*1e9/timeScale.size, 5)
	y := draw.NiceTicks(highest/rateScale.size*1.1, 4)
	chart := draw.LineChart{
		Frame:  draw.Frame{Width: portWidth, Height: portHeight, Title: l.T("run.port"), Desc: l.T("run.port.desc")},
		X:      draw.Marked(x, false, "", func(v float64) string { return significant(v, 3) + " " + timeScale.name }),
		Y:      draw.Marked(y, false, "", func(v float64) string { return significant(v, 3) }),
		Series: []draw.Series{{Points: points, Ink: draw.Accent, Dots: len(points) <= 16}},
	}
	if pace > 0 {
		chart.Series = append(chart.Series, draw.Series{
			Points: []draw.Point{{X: 0, Y: pace / rateScale.size}, {X: x[len(x)-1], Y: pace / rateScale.size}}, Ink: draw.Dashed,
			Label: l.T("run.port.pace", locale.Values{"Rate": unit.Rate(pace).String()}), LabelSide: draw.AboveLeft,
		})
	}
	return &views.RunChart{Title: l.T("run.port"), Sub: rateScale.name, SVG: chart.SVG(), Note: l.T("run.port.note")}
}

// leastPort is the share of an iteration that a point of the port chart stands
// for at least.
const leastPort = 0.03

var rateSteps = []step{{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}}

// largest returns the largest unit that leaves at least 1 before the point.
func largest(steps []step, v float64) step {
	use := steps[0]
	for _, s := range steps {
		if v >= s.size {
			use = s
		}
	}
	return use
}
