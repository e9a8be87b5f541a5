package present

import (
	"math"
	"strconv"
	"strings"

	"lockstep/views"
	"lockstep/views/draw"
)

// descent is training in small: a model of one weight w on several cards. The
// data of card r wants the weight to be its target: its loss is (w-target)²/2,
// its gradient w - target.
type descent struct {
	targets []float64
	rate    float64 // how far along the gradient a step goes
}

// whyDescent is what the page trains. Its numbers stay short in decimals.
func whyDescent() descent { return descent{targets: []float64{1, 1.6, 2.4, 3}, rate: 0.5} }

// whySteps is how many steps the page trains.
const whySteps = 8

func (d descent) gradient(card int, w float64) float64 { return w - d.targets[card] }

// mean is the average gradient of all cards at their weights.
func (d descent) mean(weights []float64) float64 {
	sum := 0.0
	for card, w := range weights {
		sum += d.gradient(card, w)
	}
	return sum / float64(len(weights))
}

// weights returns what each card's weight is after so many steps from zero:
// with all gradients averaged in every step, or each by its own.
func (d descent) weights(steps int, together bool) []float64 {
	weights := make([]float64, len(d.targets))
	for range steps {
		mean := d.mean(weights)
		for card, w := range weights {
			gradient := mean
			if !together {
				gradient = d.gradient(card, w)
			}
			weights[card] = w - d.rate*gradient
		}
	}
	return weights
}

// whyTrain presents a step of both ways, and where they lead.
func (w why) train() views.WhyTraining {
	d, at := whyDescent(), w.ask.Step
	apart := d.weights(at, false)
	low, high := apart[0], apart[0]
	for _, v := range apart {
		low, high = min(low, v), max(high, v)
	}
	t := views.WhyTraining{
		Count:    w.t("why.step", "Step", at, "Steps", whySteps),
		Says:     w.t("why.step.says", "Step", at, "Cards", len(d.targets), "Weight", decimals(d.weights(at, true)[0]), "Low", decimals(low), "High", decimals(high)),
		Together: views.WhyWay{Title: w.t("why.together"), Text: w.t("why.together.text"), Chart: w.replicas(d, true)},
		Apart:    views.WhyWay{Title: w.t("why.apart"), Text: w.t("why.apart.text"), Chart: w.replicas(d, false)},
		Weights:  views.WhyWay{Title: w.t("why.weights", "Steps", whySteps), Text: w.t("why.weights.text"), Chart: w.weights(d)},
	}
	if at > 1 {
		t.BackURL = w.url(at - 1)
	}
	if at < whySteps {
		t.NextURL = w.url(at + 1)
	}
	return t
}

// decimals prints a number of the small example, halves away from zero.
func decimals(v float64) string {
	return strings.Replace(strconv.FormatFloat(math.Round(v*100)/100, 'f', 2, 64), "-", "−", 1)
}

// replicas draws the step of one way.
func (w why) replicas(d descent, together bool) views.StoryChart {
	before, after := d.weights(w.ask.Step-1, together), d.weights(w.ask.Step, together)
	mean := decimals(d.mean(before))
	stages := make([]draw.ReplicaStage, 5)
	stages[0].Name, stages[1].Name, stages[2].Name = w.t("why.stage.model"), w.t("why.stage.batch"), w.t("why.stage.gradient")
	stages[3].Name, stages[4].Name = w.t("why.stage.used"), w.t("why.stage.updated")
	stages[2].Bar, stages[2].Apart = w.t("why.bar.apart"), true
	if together {
		stages[2].Bar, stages[2].Apart = w.t("why.bar", "Cards", len(before), "Mean", mean), false
		stages[3].Name = w.t("why.stage.mean")
	}
	var names []string
	var all []int
	for card := range before {
		names = append(names, w.t("why.card", "Card", card))
		all = append(all, card)
	}
	for card := range before {
		own := decimals(d.gradient(card, before[card]))
		used := draw.ReplicaCell{Words: own, Hues: []int{card}}
		if together {
			used = draw.ReplicaCell{Words: mean, Hues: all, Alike: true}
		}
		for i, cell := range []draw.ReplicaCell{
			{Words: decimals(before[card]), Alike: together || w.ask.Step == 1},
			{Words: decimals(d.targets[card]), Hues: []int{card}},
			{Words: own, Hues: []int{card}},
			used,
			{Words: decimals(after[card]), Alike: together},
		} {
			stages[i].Cells = append(stages[i].Cells, cell)
		}
	}
	title, says := "why.apart", w.t("why.apart.text")
	if together {
		title, says = "why.together", w.t("why.together.text")
	}
	picture := draw.Replicas{Title: w.t(title), Desc: says, Names: names, Stages: stages}
	chart := views.StoryChart{Wide: picture.SVG()}
	picture.Narrow = true
	chart.Narrow = picture.SVG()
	return chart
}

// Sizes of the chart beside the pictures, in units of the view box.
const (
	whyChartWide   = 440
	whyChartNarrow = 340
	whyChartHigh   = 430
)

// weights draws the weights of all steps, with the current one marked.
func (w why) weights(d descent) views.StoryChart {
	way := func(card int, together bool) []draw.Point {
		points := make([]draw.Point, whySteps+1)
		for step := range points {
			points[step] = draw.Point{X: float64(step), Y: d.weights(step, together)[card]}
		}
		return points
	}
	chart := func(width float64, narrow bool) string {
		c := draw.LineChart{
			Frame: draw.Frame{Width: width, Height: whyChartHigh, Title: w.t("why.weights", "Steps", whySteps), Desc: w.t("why.weights.text"), Class: widthClass(narrow)},
			X:     draw.Marked([]float64{0, 2, 4, 6, 8}, false, w.t("why.axis.steps"), typed),
			Y:     draw.Marked([]float64{0, 1, 2, 3}, false, w.t("why.axis.weight"), typed),
			Rules: []draw.Rule{{At: float64(w.ask.Step), Label: w.t("why.now", "Step", w.ask.Step), Ink: draw.Dotted}},
		}
		c.Y.High = 3.3 // room for a name over the highest line
		for card, ink := range []draw.Ink{draw.Dashed, draw.Thin, draw.Thin, draw.Dashed} {
			c.Series = append(c.Series, draw.Series{Points: way(card, false), Ink: ink, Label: w.t("why.line.apart", "Card", card), LabelBack: 1, LabelSide: draw.Above})
		}
		c.Series = append(c.Series, draw.Series{Points: way(0, true), Ink: draw.Accent, Label: w.t("why.line.together", "Cards", len(d.targets)), LabelBack: 1, LabelSide: draw.Below})
		return c.SVG()
	}
	return views.StoryChart{Wide: chart(whyChartWide, false), Narrow: chart(whyChartNarrow, true)}
}
