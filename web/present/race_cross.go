package present

import (
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/draw"
)

// cross draws the times of both over the size of the data, and says where they
// meet.
func (r *race) cross(v *views.Race) error {
	v.CrossTitle = r.t("race.cross")
	if r.ask.Collective == schedule.Barrier {
		v.CrossSays = r.t("race.cross.barrier")
		return nil
	}
	all, err := sizing.Crossings(r.ask.Collective, r.ask.A, r.ask.B, r.ask.Ranks, r.ask.PerNode, r.ask.Network)
	if err != nil {
		return err
	}
	low, high := 1e3, 1e9
	for _, x := range all {
		low, high = math.Min(low, float64(x.Size)/10), math.Max(high, float64(x.Size)*10)
	}
	low, high = math.Min(low, float64(r.ask.Size)), math.Max(high, float64(r.ask.Size)*2)
	chart := draw.LineChart{
		Frame: draw.Frame{Width: 384, Height: 240, Title: v.CrossTitle},
		X: draw.Marked(draw.DecadeTicks(math.Max(low, 1), high, 4), true, r.t("race.cross.size"), func(v float64) string {
			return sized(v, 3, decimalBytes)
		}),
	}
	var least, most float64 = math.Inf(1), 0
	for i, who := range []*racer{r.a, r.b} {
		line := draw.Series{Ink: draw.Dashed, Label: r.name(who), LabelBack: 16}
		if i == 1 {
			line.Ink = draw.Accent
		}
		for _, size := range sizes(chart.X.Low, chart.X.High) {
			price, err := r.ask.question(size).PriceOf(who.entry)
			if err != nil {
				return err
			}
			if price.Time <= 0 {
				continue
			}
			line.Points = append(line.Points, draw.Point{X: float64(size), Y: float64(price.Time)})
			least, most = math.Min(least, float64(price.Time)), math.Max(most, float64(price.Time))
		}
		chart.Series = append(chart.Series, line)
		chart.Marks = append(chart.Marks, draw.Mark{
			At: draw.Point{X: float64(r.ask.Size), Y: float64(who.price.Time)}, Ink: line.Ink, Label: duration(who.price.Time),
		})
	}
	if most == 0 {
		return nil
	}
	r.sides(&chart)
	chart.Y = draw.Marked(draw.DecadeTicks(least/5, most, 4), true, "", func(v float64) string { return duration(unit.Seconds(v)) })
	v.CrossSays, err = r.crossings(&chart, all)
	if err != nil {
		return err
	}
	chart.Desc = v.CrossSays
	v.Cross = chart.SVG()
	return nil
}

// crossings marks where the two meet and says it.
func (r *race) crossings(chart *draw.LineChart, all []sizing.Crossover) (string, error) {
	if len(all) == 0 {
		id := "race.cross.never"
		if r.a.price.Time == r.b.price.Time {
			id = "race.cross.same"
		}
		return r.t(id, "Fast", r.name(r.faster()), "Slow", r.name(r.other(r.faster()))), nil
	}
	said := ""
	for i, x := range all {
		first := r.a
		if r.b.entry.Algorithm == x.First {
			first = r.b
		}
		size := sized(float64(x.Size), 2, decimalBytes)
		price, err := r.ask.question(x.Size).PriceOf(first.entry)
		if err != nil {
			return "", err
		}
		mark := draw.Mark{At: draw.Point{X: float64(x.Size), Y: float64(price.Time)}, Ring: true, Drop: true, Ink: draw.Thin, Side: draw.BelowRight, Label: r.t("race.cross.below", "Size", size)}
		if i == 0 {
			mark.Note = r.t("race.cross.faster", "Name", r.name(first))
		}
		chart.Marks = append(chart.Marks, mark)
		values := []any{"Size", size, "First", r.name(first), "Then", r.name(r.other(first)), "Alphas", x.Alphas.RatString(), "Vectors", x.Vectors.RatString(), "Rounds", 2 * (r.ask.Ranks - 1)}
		id := "race.cross.says"
		switch {
		case i > 0:
			id = "race.cross.again"
		case x.Alphas.Sign() <= 0 || x.Vectors.Sign() <= 0:
			id = "race.cross.plain"
		case r.ask.Collective == schedule.AllReduce && x.First == "central" && x.Then == raceRival:
			id = "race.cross.article" // its closed form; sizing tests that it holds
		}
		said = r.sentence(said, r.t(id, values...))
	}
	return said, nil
}

// sides puts the names and figures of the upper line above and to the left of
// it, those of the lower below and to the right, as both lines rise.
func (r *race) sides(chart *draw.LineChart) {
	place := func(mine, others, at float64) draw.Side {
		early := at < math.Sqrt(chart.X.Low*chart.X.High)/10
		switch upper := mine >= others; {
		case upper && early:
			return draw.AboveRight
		case upper:
			return draw.AboveLeft
		}
		return draw.BelowRight
	}
	for i := range chart.Series {
		mine, others := &chart.Series[i], chart.Series[1-i]
		if at := len(mine.Points) - 1 - mine.LabelBack; at >= 0 && len(mine.Points) == len(others.Points) {
			mine.LabelSide = place(mine.Points[at].Y, others.Points[at].Y, math.Inf(1))
		}
		chart.Marks[i].Side = place(chart.Marks[i].At.Y, chart.Marks[1-i].At.Y, chart.Marks[i].At.X)
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
