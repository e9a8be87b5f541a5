package present

import (
	"fmt"
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/views"
	"lockstep/views/draw"
)

// whyPrices are what averaging the gradients costs on one network.
type whyPrices struct {
	ring, central   cost.Price
	scatter, gather cost.Price // the two halves of the ring, each on its own
	sent            unit.Bytes // by a card on the ring
	through         unit.Bytes // one way through the collector's port
}

// price asks the cost model for so many workers; one has nobody to send to.
func (w why) price(c schedule.Collective, algorithm string, workers int, network cost.Network) (cost.Price, error) {
	q := cost.Question{Collective: c, Ranks: workers, Size: w.ask.size(), Network: network}
	price, err := q.Price(algorithm)
	if err != nil {
		return price, fmt.Errorf("price %s/%s: %w", c, algorithm, err)
	}
	return price, nil
}

// prices asks for everything that the page says of its own figures.
func (w why) prices() (p whyPrices, err error) {
	for _, part := range []struct {
		collective schedule.Collective
		algorithm  string
		price      *cost.Price
	}{
		{schedule.AllReduce, "ring", &p.ring}, {schedule.AllReduce, "central", &p.central},
		{schedule.ReduceScatter, "ring", &p.scatter}, {schedule.AllGather, "ring", &p.gather},
	} {
		if *part.price, err = w.price(part.collective, part.algorithm, w.ask.Workers, w.ask.network.Network); err != nil {
			return p, err
		}
	}
	if p.sent, err = w.busiest("ring"); err != nil {
		return p, err
	}
	p.through, err = w.busiest("central")
	return p, err
}

// busiest is what the busiest rank of an all-reduce receives, by the catalogue.
func (w why) busiest(algorithm string) (unit.Bytes, error) {
	e, err := schedule.Find(schedule.AllReduce, algorithm)
	if err != nil {
		return 0, fmt.Errorf("count bytes: %w", err)
	}
	vars := e.Vars(w.ask.Workers, 0, 0)
	vars["S"] = float64(w.ask.size())
	bytes, err := e.Received.Eval(vars)
	if err != nil {
		return 0, fmt.Errorf("count bytes of %s: %w", algorithm, err)
	}
	return unit.Bytes(math.Round(bytes)), nil
}

// share is the part of a step that communication takes.
func (w why) share(communicating unit.Seconds) string {
	return percent(float64(communicating) / (float64(communicating) + w.ask.Compute))
}

// percent prints a share with two digits; what is not quite nothing or all
// says so.
func percent(share float64) string {
	switch {
	case share > 0 && share < 0.001:
		return "< 0.1%"
	case share > 0.999 && share < 1:
		return "> 99.9%"
	case share > 0.99: // 99.4%, not 99%
		return significant(share*100, 3) + "%"
	}
	return significant(share*100, 2) + "%"
}

// cost presents what the gradients of the form cost.
func (w why) cost() (views.WhyCost, error) {
	a := w.ask
	p, err := w.prices()
	if err != nil {
		return views.WhyCost{}, err
	}
	size := sized(float64(a.size()), 3, decimalBytes)
	name := w.t(a.network.message)
	v := views.WhyCost{
		Say: w.t("why.say", "Params", typed(a.Billions), "Size", size, "Workers", a.Workers, "Net", name,
			"Ring", duration(p.ring.Time), "RingShare", w.share(p.ring.Time), "Central", duration(p.central.Time), "CentralShare", w.share(p.central.Time)),
		Axis: w.axis(p), AxisSays: w.t("why.axis.says"),
		SpeedSays: w.t("why.speed.says", "Compute", duration(unit.Seconds(a.Compute))),
		Notes:     []string{w.l.T("why.note.model", reachedShares()), w.t("why.note.assumed", "Net", name, "Compute", duration(unit.Seconds(a.Compute))), w.t("why.note.overlap")},
	}
	if v.Speed, err = w.speed(p); err != nil {
		return v, err
	}
	figure := func(id, text, formula string, accent bool) {
		number, unit := parted(text)
		v.Figures = append(v.Figures, views.StoryFigure{Label: w.t(id, "Workers", a.Workers), Number: number, Unit: unit, Formula: formula, Accent: accent})
	}
	n := a.Workers
	figure("why.figure.size", size, w.t("why.formula.size", "Billions", typed(a.Billions), "Bytes", a.Bytes), false)
	figure("why.figure.sent", sized(float64(p.sent), 3, decimalBytes), w.t("why.formula.sent", "Less", n-1, "Workers", n, "Size", size), false)
	figure("why.figure.ring", duration(p.ring.Time), w.t("why.formula.share", "Share", w.share(p.ring.Time)), true)
	figure("why.figure.central", duration(p.central.Time), w.t("why.formula.central", "Share", w.share(p.central.Time), "Bytes", sized(float64(p.through), 3, decimalBytes)), false)
	for _, network := range lessonNetworks() {
		ring, err := w.price(schedule.AllReduce, "ring", n, network.Network)
		if err != nil {
			return v, err
		}
		central, err := w.price(schedule.AllReduce, "central", n, network.Network)
		if err != nil {
			return v, err
		}
		v.Networks = append(v.Networks, views.WhyNetwork{
			Name: w.t(network.message), Current: network.id == a.network.id,
			Ring: duration(ring.Time), RingShare: w.share(ring.Time), Central: duration(central.Time), CentralShare: w.share(central.Time),
		})
	}
	return v, nil
}

// axis puts a step with either way on one axis of time.
func (w why) axis(p whyPrices) views.StoryChart {
	compute := unit.Seconds(w.ask.Compute)
	full := float64(compute + max(p.central.Time, p.ring.Time))
	return twoWidths(func(width float64, narrow bool) string {
		computing := w.t("why.piece.compute", "Time", duration(compute))
		halves := []draw.Piece{
			{Length: float64(p.scatter.Time), Tone: draw.Comm, Label: w.t("why.piece.scatter", "Time", duration(p.scatter.Time))},
			{Length: float64(p.gather.Time), Tone: draw.Comm, Label: w.t("why.piece.gather", "Time", duration(p.gather.Time))},
		}
		there, back := p.central.Terms[0].Time, p.central.Time-p.central.Terms[0].Time
		ways := []draw.Piece{
			{Length: float64(there), Tone: draw.Comm, Label: w.t("why.piece.collect", "Time", duration(there))},
			{Length: float64(back), Tone: draw.Comm, Label: w.t("why.piece.return", "Time", duration(back))},
		}
		rows := []draw.StackedBar{
			sumBar(capital(algorithmName(w.l, "ring")), compute, computing, duration(compute+p.ring.Time), halves...),
			sumBar(capital(algorithmName(w.l, "central")), compute, computing, duration(compute+p.central.Time), ways...),
		}
		most := 8
		if narrow {
			most = 3
		}
		x := draw.Marked(draw.NiceTicks(full, most), false, "", func(v float64) string { return duration(unit.Seconds(v)) })
		return draw.StackedBars{
			Frame: draw.Frame{Width: width, Height: draw.RowsHeight(len(rows), false, false), Title: w.t("why.axis"), Desc: w.t("why.axis.says"), Class: widthClass(narrow)},
			X:     x, Rows: rows,
		}.SVG()
	})
}

// speed shows how much more so many cards do than one, each on micro-batches
// of its own, as long as the same ones.
func (w why) speed(p whyPrices) (views.StoryChart, error) {
	last := math.Max(float64(w.ask.Workers), 1000)
	var ideal []draw.Point
	lines := map[string][]draw.Point{}
	lowest := 1.0
	for _, workers := range logarithmic(last) {
		x := float64(workers)
		ideal = append(ideal, draw.Point{X: x, Y: x})
		for _, algorithm := range []string{"ring", "central"} {
			price, err := w.price(schedule.AllReduce, algorithm, workers, w.ask.network.Network)
			if err != nil {
				return views.StoryChart{}, err
			}
			at := draw.Point{X: x, Y: w.times(workers, price.Time)}
			lines[algorithm] = append(lines[algorithm], at)
			for at.Y < lowest {
				lowest /= 10
			}
		}
	}
	ring, central := lines["ring"], lines["central"]
	side := draw.Below
	if n := w.ask.Workers; w.times(n, p.ring.Time) < 3*w.times(n, p.central.Time) {
		side = draw.Above // apart from the other's figure
	}
	return twoWidths(func(width float64, narrow bool) string {
		mark := func(communicating unit.Seconds, ink draw.Ink, side draw.Side) draw.Mark {
			y := w.times(w.ask.Workers, communicating)
			return draw.Mark{At: draw.Point{X: float64(w.ask.Workers), Y: y}, Ink: ink, Side: side, Label: w.t("story.times", "Times", ratioText(y))}
		}
		x := draw.Marked(draw.DecadeTicks(1, last, 4), true, w.t("why.speed.workers"), typed)
		x.High = last
		x.Ticks = upTo(x.Ticks, last)
		return draw.LineChart{
			Frame: draw.Frame{Width: width, Height: 320, Title: w.t("why.speed"), Desc: w.t("why.speed.says", "Compute", duration(unit.Seconds(w.ask.Compute))), Class: widthClass(narrow)},
			X:     x,
			Y: draw.Marked(draw.DecadeTicks(lowest, last, 4), true, w.t("story.speed.axis"), func(v float64) string {
				return w.t("story.times", "Times", typed(v))
			}),
			Series: []draw.Series{
				{Points: ideal, Ink: draw.Thin, Label: w.t("why.line.ideal"), LabelBack: len(ideal) / 2, LabelSide: draw.AboveLeft},
				{Points: ring, Ink: draw.Accent, Label: capital(algorithmName(w.l, "ring")), LabelBack: len(ring) / 3, LabelSide: draw.BelowRight},
				{Points: central, Ink: draw.Dashed, Label: capital(algorithmName(w.l, "central")), LabelBack: len(central) / 3, LabelSide: draw.AboveRight},
			},
			Marks: []draw.Mark{mark(p.ring.Time, draw.Accent, side), mark(p.central.Time, draw.Dashed, draw.Below)},
		}.SVG()
	}), nil
}

// times is how many times one card's work so many do in the same time.
func (w why) times(workers int, communicating unit.Seconds) float64 {
	return float64(workers) * w.ask.Compute / (w.ask.Compute + float64(communicating))
}
