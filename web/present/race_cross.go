package present

import (
	"math"
	"math/big"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/draw"
)

// cross draws the times of both over the size of the data, says where they
// meet, and lets the size be moved.
func (r *race) cross() (views.RaceCross, error) {
	v := views.RaceCross{Title: r.t("race.cross"), Action: r.f.homeURL() + racePath}
	switch {
	case r.ask.Collective == schedule.Barrier:
		v.Says = r.t("race.cross.barrier")
		return v, nil
	case r.ask.Ranks < 2:
		v.Says = r.t("race.cross.alone")
		return v, nil
	}
	all, err := sizing.Crossings(r.ask.Collective, r.ask.A, r.ask.B, r.ask.Ranks, r.ask.PerNode, r.ask.Chunks, r.ask.Network)
	if err != nil {
		return v, err
	}
	low, high := 1e3, 1e9
	for _, x := range all {
		low, high = math.Min(low, float64(x.Size)/10), math.Max(high, float64(x.Size)*10)
	}
	low, high = math.Min(low, float64(r.ask.Size)), math.Max(high, float64(r.ask.Size)*2)
	chart := draw.LineChart{
		Frame: draw.Frame{Width: crossWidth, Height: 232, Title: v.Title},
		X: draw.Marked(draw.DecadeTicks(math.Max(low, 1), high, 4), true, r.sizeName(), func(v float64) string {
			return sized(v, 3, decimalBytes)
		}),
	}
	curves, err := r.curves()
	if err != nil {
		return v, err
	}
	var least, most float64 = math.Inf(1), 0
	for i, who := range []*racer{r.a, r.b} {
		line := draw.Series{Ink: draw.Dashed, Label: r.name(who), LabelBack: 16}
		if i == 1 {
			line.Ink = draw.Accent
		}
		for _, size := range sizes(chart.X.Low, chart.X.High) {
			time := float64(curves[i].Time(size, r.ask.Network))
			if time <= 0 {
				continue
			}
			line.Points = append(line.Points, draw.Point{X: float64(size), Y: time})
			least, most = math.Min(least, time), math.Max(most, time)
		}
		chart.Series = append(chart.Series, line)
	}
	if most == 0 {
		return v, nil
	}
	r.sides(&chart)
	chart.Y = draw.Marked(draw.DecadeTicks(least/5, most, 4), true, "", func(v float64) string { return duration(unit.Seconds(v)) })
	r.crossings(&v, &chart, curves, all)
	r.cursor(&v, &chart, curves)
	chart.Desc = v.Says
	v.Picture = chart.SVG()
	placeCursor(&v.Table, chart.Places())
	return v, nil
}

// crossWidth is the width of the chart's view box: that of its panel.
const crossWidth = 384

// curves are the times of both over the size.
func (r *race) curves() (both [2]sizing.Curve, err error) {
	for i, who := range []*racer{r.a, r.b} {
		if both[i], err = sizing.CurveOf(who.entry, r.ask.Ranks, r.ask.PerNode, r.ask.Chunks); err != nil {
			return both, err
		}
	}
	return both, nil
}

// sizeName is what is cut or moved: of blocks all together, as everywhere.
func (r *race) sizeName() string { return r.t(sizeMessage(r.ask.Collective)) }

func sizeMessage(c schedule.Collective) string {
	return heldAs(c, "race.size.each", "race.size.blocks", "race.size.one")
}

// heldAs picks what the full buffer of a collective is called: what each rank
// has from the start, all blocks of which each has one at first or in the end,
// or what one rank has.
func heldAs(c schedule.Collective, each, blocks, one string) string {
	switch c {
	case schedule.Scatter, schedule.Gather, schedule.AllGather:
		return blocks
	case schedule.Broadcast:
		return one
	}
	return each
}

// alphasPerVector is how many αB a crossing lies at.
func alphasPerVector(x sizing.Crossover) string {
	if x.Vectors.Sign() == 0 {
		return ""
	}
	times, _ := new(big.Rat).Quo(x.Alphas, x.Vectors).Float64()
	return significant(times, 3)
}

// crossings marks where the two meet and says it.
func (r *race) crossings(v *views.RaceCross, chart *draw.LineChart, curves [2]sizing.Curve, all []sizing.Crossover) {
	if len(all) == 0 {
		id := "race.cross.never"
		if r.a.price.Time == r.b.price.Time {
			id = "race.cross.same"
		}
		v.Says = r.t(id, "Fast", r.name(r.faster()), "Slow", r.name(r.other(r.faster())))
		return
	}
	for i, x := range all {
		first := r.a
		if r.b.entry.Algorithm == x.First {
			first = r.b
		}
		size := sized(float64(x.Size), 2, decimalBytes)
		mark := draw.Mark{At: draw.Point{X: float64(x.Size), Y: float64(curves[0].Time(x.Size, r.ask.Network))}, Ring: true, Drop: true, Ink: draw.Thin, Side: draw.BelowRight, Label: r.t("race.cross.below", "Size", size)}
		if i == 0 {
			mark.Note = r.t("race.cross.faster", "Name", r.name(first))
		}
		chart.Marks = append(chart.Marks, mark)
		values := []any{"Size", size, "First", r.name(first), "Then", r.name(r.other(first)), "Alphas", x.Alphas.RatString(), "Vectors", x.Vectors.RatString(), "Times", alphasPerVector(x), "Rounds", 2 * (r.ask.Ranks - 1)}
		id := "race.cross.says"
		switch {
		case i > 0:
			id = "race.cross.again"
		case x.Alphas.Sign() <= 0 || x.Vectors.Sign() <= 0:
			id = "race.cross.plain"
		case r.ask.Collective == schedule.AllReduce && x.First == "central" && x.Then == raceRival:
			id = "race.cross.article" // its closed form; sizing tests that it holds
		}
		v.Says = r.sentence(v.Says, r.t(id, values...))
		there := r.ask
		if there.Size = r.ask.fitted(min(max(x.Size, 1), raceMaxSize)); there.Size > 0 {
			v.Jumps = append(v.Jumps, views.RaceJump{Name: r.t("race.cross.jump", "Size", size), URL: r.choiceURL(there), Current: there.Size == r.ask.Size})
		}
	}
}

// sides puts the name of the upper line above and to the left of it, that of
// the lower below and to the right, as both lines rise.
func (r *race) sides(chart *draw.LineChart) {
	for i := range chart.Series {
		mine, others := &chart.Series[i], chart.Series[1-i]
		if at := len(mine.Points) - 1 - mine.LabelBack; at >= 0 && len(mine.Points) == len(others.Points) {
			mine.LabelSide = draw.BelowRight
			if mine.Points[at].Y >= others.Points[at].Y {
				mine.LabelSide = draw.AboveLeft
			}
		}
	}
}

func (r *race) other(who *racer) *racer {
	if who == r.a {
		return r.b
	}
	return r.a
}

func (r *race) faster() *racer {
	if r.a.price.Time < r.b.price.Time {
		return r.a
	}
	return r.b
}

// sizes are so many sizes from low to high, evenly in the logarithm.
func sizes(low, high float64) []unit.Bytes {
	const steps = 48
	all := make([]unit.Bytes, steps+1)
	for i := range all {
		all[i] = unit.Bytes(math.Round(low * math.Pow(high/low, float64(i)/steps)))
	}
	return all
}

// sentence puts a sentence behind others as the language does.
func (r *race) sentence(said, next string) string {
	if said == "" {
		return next
	}
	return r.t("lesson.say.join", "First", said, "Next", next)
}
