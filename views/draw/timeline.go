package draw

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
)

// Timeline shows what happened when, a lane for each kind of event. Every event
// is a link. In a wide drawing the years lie from left to right, to scale, and
// labels that would meet share a lane in rows. In a narrow one they go down the
// page: a year is as high as it has events, so that every label has a line.
type Timeline struct {
	Width  float64
	Narrow bool
	Name   string // of the group of links, for assistive technology
	Lanes  []TimelineLane
}

// TimelineLane is a kind of event. Its mark tells it from others without
// colour.
type TimelineLane struct {
	Name   string
	Mark   int             // which of the forms its events have
	Events []TimelineEvent // ascending
}

// TimelineEvent is one event.
type TimelineEvent struct {
	At      float64 // in years: 1997.5 is the middle of 1997
	Label   string  // short, for beside the name of its lane
	Long    string  // for where that name is not at hand; empty for Label
	Full    string  // what the link is called, with the date
	URL     string
	Strong  bool
	Unsure  bool // the mark is hollow: the date or the fact is in doubt
	Current bool
}

// Distances of a time line, in view-box units.
const (
	eventRow   = 30.0 // from a row of events to the next: a target and a gap
	eventHigh  = 27.0 // of an event's target: 24, for a drawing may be shrunk a little
	eventGap   = 9.0  // from an event to its label
	eventReach = 12.0 // half of an event's target
	laneSpace  = 8.0  // above and below the rows of a lane
	yearColumn = 46.0 // of a narrow drawing, with the years
	emptyYear  = 7.0  // height of a year without events in a narrow drawing
)

// eventMarks are the forms of events, as paths from their middle.
var eventMarks = [...]string{
	"m-6 -6h12v12h-12z",                    // square
	"m0 -7l7 7l-7 7l-7 -7z",                // diamond
	"m-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0", // circle
	"m0 -7l7 12h-14z",                      // triangle
	"m-7 -5h14l-7 12z",                     // triangle, downwards
	"m-3.5 -6h7l3.5 6l-3.5 6h-7l-3.5 -6z",  // hexagon
}

// SVG draws the time line.
func (t Timeline) SVG() string {
	if t.Narrow {
		return t.down()
	}
	return t.across()
}

func (t Timeline) open(height float64, class string) *canvas {
	c := &canvas{width: t.Width}
	fmt.Fprintf(c, `<svg class="chart timeline %s" viewBox="0 0 %s %s" focusable="false" role="group" aria-label="%s">`,
		class, number(t.Width), number(height), html.EscapeString(t.Name))
	return c
}

// years are the first year that is shown and the end of the last.
func (t Timeline) years() (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, lane := range t.Lanes {
		for _, e := range lane.Events {
			from, to = math.Min(from, math.Floor(e.At)), math.Max(to, math.Floor(e.At)+1)
		}
	}
	if from > to {
		return 0, 1
	}
	return from, to
}

// across draws it to scale, from left to right.
func (t Timeline) across() string {
	names := 0.0
	for _, lane := range t.Lanes {
		names = math.Max(names, measure(lane.Name))
	}
	left := math.Ceil(names) + 24
	from, to := t.years()
	x := Linear(from, to, left, t.Width-edgeSpace)
	const head = 28.0
	lanes, height := make([][]seat, len(t.Lanes)), head
	for i, lane := range t.Lanes {
		rows := 0
		lanes[i], rows = seats(lane.Events, x, left, t.Width)
		height += float64(max(rows, 1))*eventRow + 2*laneSpace
	}
	c := t.open(height, "wide")
	for year := from; year <= to; year++ {
		if math.Mod(year, yearStep(to-from)) != 0 {
			continue
		}
		c.line("g-grid", x.At(year), head-6, x.At(year), height)
		c.within(x.At(year), head-12, middle, "g-quiet", strconv.Itoa(int(year)))
	}
	top := head
	for i, lane := range t.Lanes {
		c.line("g-axis", 0, top, t.Width, top)
		c.mark(lane.Mark, 7, top+laneSpace+eventRow/2, "g-event-key")
		c.text(22, top+laneSpace+eventRow/2+5, start, "g-strong", lane.Name)
		bottom := top + 2*laneSpace + eventRow
		for _, s := range lanes[i] {
			y := top + laneSpace + (float64(s.row)+0.5)*eventRow
			c.event(s.TimelineEvent, lane.Mark, s.x, y, s.left)
			bottom = math.Max(bottom, y+eventRow/2+laneSpace)
		}
		top = bottom
	}
	return c.close()
}

// seat is an event in its row.
type seat struct {
	TimelineEvent
	x    float64
	left bool // the label stands left of the mark
	row  int
}

// seats puts each event into the first row where it meets no other, and returns
// how many rows there are.
func seats(events []TimelineEvent, x Scale, left, width float64) ([]seat, int) {
	var all []seat
	var ends []float64 // of the rows
	for _, e := range events {
		s := seat{TimelineEvent: e, x: x.At(e.At)}
		wide := measure(e.Label) * labelBold
		from, to := s.x-eventReach, s.x+eventGap+wide+8
		if to > width {
			s.left, from, to = true, s.x-eventGap-wide, s.x+eventReach
		}
		if from < left {
			from = left
		}
		s.row = slices.IndexFunc(ends, func(end float64) bool { return end <= from })
		if s.row < 0 {
			s.row, ends = len(ends), append(ends, 0)
		}
		ends[s.row] = to
		all = append(all, s)
	}
	return all, len(ends)
}

// yearStep is how many years apart the marks of so many years are.
func yearStep(years float64) float64 {
	for _, step := range []float64{1, 2, 5} {
		if years/step <= 14 {
			return step
		}
	}
	return 10
}

// down draws it from top to bottom.
func (t Timeline) down() string {
	type entry struct {
		TimelineEvent
		mark int
	}
	var all []entry
	for _, lane := range t.Lanes {
		for _, e := range lane.Events {
			all = append(all, entry{e, lane.Mark})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	keys := math.Ceil(float64(len(t.Lanes)) / 2)
	head := keys*eventRow + 2*laneSpace
	height, last := head, math.NaN()
	tops := make([]float64, len(all))
	for i, e := range all {
		if year := math.Floor(e.At); year != last {
			if !math.IsNaN(last) {
				height += (year-last-1)*emptyYear + laneSpace
			}
			last = year
		}
		tops[i] = height
		height += eventRow
	}
	c := t.open(height+laneSpace, "narrow")
	for i, lane := range t.Lanes {
		at := spot{float64(i%2) * t.Width / 2, math.Floor(float64(i)/2) * eventRow}
		c.mark(lane.Mark, at.x+8, at.y+eventRow/2, "g-event-key")
		c.text(at.x+22, at.y+eventRow/2+5, start, "", lane.Name)
	}
	c.line("g-axis", yearColumn, head-laneSpace/2, yearColumn, height)
	last = math.NaN()
	for i, e := range all {
		y := tops[i] + eventRow/2
		if year := math.Floor(e.At); year != last {
			c.text(yearColumn-12, y+5, end, "g-strong", strconv.Itoa(int(year)))
			last = year
		}
		if e.Long != "" {
			e.Label = e.Long
		}
		c.event(e.TimelineEvent, e.mark, yearColumn, y, false)
	}
	return c.close()
}

// event writes a link: its mark, its label, and a target large enough for a
// finger.
func (c *canvas) event(e TimelineEvent, mark int, x, y float64, left bool) {
	class := "g-event"
	if e.Current {
		class += " g-event-now"
	}
	if e.Unsure {
		class += " g-event-unsure"
	}
	wide := measure(e.Label)*labelBold + eventGap + 4
	from := x - eventReach
	at, a := x+eventGap+2, start
	if left {
		from, at, a = x-wide, x-eventGap-2, end
	}
	current := ""
	if e.Current {
		current = ` aria-current="true"`
	}
	fmt.Fprintf(c, `<a class="%s" href="%s" aria-label="%s"%s>`, class, html.EscapeString(e.URL), html.EscapeString(e.Full), current)
	fmt.Fprintf(c, `<rect class="g-event-place" x="%s" y="%s" width="%s" height="%s" rx="3"/>`, number(from), number(y-eventHigh/2), number(wide+eventReach), number(eventHigh))
	c.mark(mark, x, y, "g-event-mark")
	weight := "g-event-name"
	if e.Strong {
		weight += " g-strong"
	}
	c.text(at, y+5, a, weight, e.Label)
	c.WriteString(`</a>`)
}

// mark writes one of the forms.
func (c *canvas) mark(form int, x, y float64, class string) {
	fmt.Fprintf(c, `<path class="%s" d="M%s %s%s"/>`, class, number(x), number(y), eventMarks[form%len(eventMarks)])
}
