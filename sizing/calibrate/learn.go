package calibrate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/leastsquares"
)

// Learning.
const (
	// smallest is the span of the first byte costs: below it bytes are drowned
	// in what comes with every message.
	smallest = 16 << 10
	learning = 25    // passes at most
	learned  = 0.002 // logarithm by which no unknown changes any more
	step     = 0.05  // logarithm by which an unknown is moved to see what depends on it
	farthest = 1.0   // logarithm that an unknown moves in a pass at most
	scatter  = 0.03  // deviation of a measured time that is not held against it
)

// What is expected before anything was measured, as deviations of logarithms:
// wide ones, so that they decide only what no run shows, or what runs that
// scatter show badly.
const (
	wantSmooth = 0.7 // between the costs of a byte at neighbouring spans
	wantReduce = 3.0 // between adding up and half of moving
	wantPiece  = 1.0 // between a piece and half of a hop
)

// lesson is a measured run as it is learned from.
type lesson struct {
	*game
	ranks int
	time  float64
	share []float64 // of each of the byte costs
}

// learn finds the costs that come nearest to runs of one link and one number
// of ranks, by Gauss and Newton on the logarithms of times and costs: a run of
// a microsecond says as much as one of a second, and no cost falls below zero.
// Runs that are far off count less (Huber's weights).
func learn(runs []Measured, processors int) (Costs, float64, error) {
	c, lessons, err := prepare(runs, processors)
	if err != nil {
		return Costs{}, 0, err
	}
	for range learning {
		moved, err := c.improve(lessons)
		if err != nil {
			return Costs{}, 0, err
		}
		if moved < learned {
			break
		}
	}
	var off []float64
	for _, l := range lessons {
		t, _ := l.play(l.prices(c, l.ranks))
		off = append(off, math.Abs(float64(t)/l.time-1))
	}
	return c, median(off), nil
}

// prepare lays the spans out and begins with costs of the right magnitude.
func prepare(runs []Measured, processors int) (Costs, []lesson, error) {
	var lessons []lesson
	var spans []float64
	for _, m := range runs {
		if m.Time <= 0 || m.Ranks < 2 {
			continue
		}
		g, err := newGame(m.spec(), processors)
		if err != nil {
			return Costs{}, nil, fmt.Errorf("learn from %s/%s of %d ranks: %w", m.Collective, m.Algorithm, m.Ranks, err)
		}
		lessons = append(lessons, lesson{game: g, ranks: m.Ranks, time: float64(m.Time)})
		spans = append(spans, g.span)
	}
	if len(lessons) == 0 {
		return Costs{}, nil, unfit(ErrTooFew, "sizes", "0", "needed", "1")
	}
	c := Costs{}
	slices.Sort(spans)
	for _, span := range spans {
		// Spans within a factor of four share one: it takes runs of several
		// kinds to tell moving from adding up.
		if last := len(c.Bytes) - 1; span >= smallest && (last < 0 || span >= 4*float64(c.Bytes[last].Span)) {
			c.Bytes = append(c.Bytes, ByteCost{Span: unit.Bytes(span)})
		}
	}
	if len(c.Bytes) == 0 {
		c.Bytes = []ByteCost{{Span: smallest}}
	}
	least := slices.MinFunc(lessons, func(a, b lesson) int { return cmp.Compare(a.time, b.time) })
	c.Hop = unit.Seconds(max(least.time/2/float64(max(1, len(least.counted))), 1e-9))
	c.Piece = c.Hop / 2
	for i := range c.Bytes {
		b := &c.Bytes[i]
		b.Move = math.Inf(1)
		for _, l := range lessons {
			b.Move = min(b.Move, l.time/max(l.span, 1))
		}
		b.Reduce = b.Move / 2
	}
	for i := range lessons {
		lessons[i].share = c.shares(max(lessons[i].span, 1))
	}
	return c, lessons, nil
}

// improve moves all unknowns towards the runs, and returns the largest
// movement of any.
func (c *Costs) improve(lessons []lesson) (float64, error) {
	n := 2 + 2*len(c.Bytes) // hop, piece, then move and reduce of each span
	e := leastsquares.New(n)
	var off []float64
	rows := make([][]float64, len(lessons))
	for i, l := range lessons {
		p := l.prices(*c, l.ranks)
		t, _ := l.play(p)
		off = append(off, math.Log(float64(t)/l.time))
		row := make([]float64, n)
		for which := range 4 {
			q := p
			*[]*float64{&q.hop, &q.piece, &q.move, &q.reduce}[which] *= math.Exp(step)
			longer, _ := l.play(q)
			slope := math.Log(float64(longer)/float64(t)) / step
			if which < 2 {
				row[which] = slope
				continue
			}
			for k, share := range l.share {
				row[2+2*k+which-2] = slope * share
			}
		}
		rows[i] = row
	}
	abs := make([]float64, len(off))
	for i := range off {
		abs[i] = math.Abs(off[i])
	}
	deviation := max(median(abs)/0.6745, scatter)
	limit := huber * deviation
	for i, row := range rows {
		e.Add(row, -off[i], min(1, limit/max(abs[i], 1e-12)))
	}
	c.expect(e, deviation)
	moves, err := e.Solve()
	if err != nil {
		return 0, err
	}
	most := 0.0
	for i, by := range moves {
		by = max(-farthest, min(farthest, by))
		most = max(most, math.Abs(by))
		switch factor := math.Exp(by); {
		case i == 0:
			c.Hop *= unit.Seconds(factor)
		case i == 1:
			c.Piece *= unit.Seconds(factor)
		case i%2 == 0:
			c.Bytes[(i-2)/2].Move *= factor
		default:
			c.Bytes[(i-2)/2].Reduce *= factor
		}
	}
	return most, nil
}

// expect adds what holds as long as no run says otherwise; deviation is that
// of the runs.
func (c *Costs) expect(e *leastsquares.Equations, deviation float64) {
	alike := func(a, b int, off, want float64) {
		row := make([]float64, e.Unknowns())
		row[a], row[b] = 1, -1
		e.Add(row, -off, deviation*deviation/(want*want))
	}
	alike(1, 0, math.Log(2*float64(c.Piece/c.Hop)), wantPiece)
	for k := range c.Bytes {
		alike(3+2*k, 2+2*k, math.Log(2*c.Bytes[k].Reduce/c.Bytes[k].Move), wantReduce)
		if k > 0 {
			alike(2+2*k, 2*k, math.Log(c.Bytes[k].Move/c.Bytes[k-1].Move), wantSmooth)
			alike(3+2*k, 1+2*k, math.Log(c.Bytes[k].Reduce/c.Bytes[k-1].Reduce), wantSmooth)
		}
	}
}

// Learn finds the costs of every link and number of ranks among the runs, on a
// machine with so many processors. Runs that do not say enough give none.
func Learn(runs []Measured, processors int) ([]Found, error) {
	type group struct {
		link  trace.Link
		ranks int
	}
	groups := map[group][]Measured{}
	var order []group
	for _, m := range runs {
		g := group{m.Link, m.Ranks}
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], m)
	}
	slices.SortFunc(order, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.link, b.link), cmp.Compare(a.ranks, b.ranks))
	})
	var found []Found
	for _, g := range order {
		if len(groups[g]) < MinRuns {
			continue
		}
		costs, scatter, err := learn(groups[g], processors)
		if err != nil {
			return nil, fmt.Errorf("learn %s with %d ranks: %w", g.link, g.ranks, err)
		}
		found = append(found, Found{Link: g.link, Ranks: g.ranks, Costs: costs, Scatter: scatter})
	}
	return found, nil
}

// MinRuns is how many runs of a link and a number of ranks say enough.
const MinRuns = 4
