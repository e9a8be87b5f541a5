package present

import (
	"fmt"
	"math"
	"net/url"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/views"
	"lockstep/views/draw"
)

// Customer presents what to ask a customer and what an answer changes.
func Customer(f Frame) (views.Customer, error) {
	p := &customerPage{f: f, sizes: map[sizing.Step]sizing.Estimate{}}
	base := p.estimate(customerBase())
	v := views.Customer{
		Page:    f.page(f.Locale.T("customer.title")),
		Say:     p.t("customer.say", append(p.figures(base), "Model", sizeModelName(base.Step))...),
		Base:    p.t("customer.base", p.setting(base)...),
		BaseURL: f.sizeURL(SizeValues(base.Step)),
		Rule:    p.t("customer.rule", "Rough", duration(roughly(base))),
		Bars:    p.bars(),
		Talk:    p.talk(base), Length: p.t("customer.talk.length"),
		Questions: p.questions(base),
		Notes:     []string{p.t("customer.note.model"), p.t("customer.note.compute", "Flops", customerTeraflops, "Tokens", customerMillions), p.t("customer.note.overlap")},
	}
	if p.err != nil {
		return views.Customer{}, fmt.Errorf("present what to ask a customer: %w", p.err)
	}
	return v, nil
}

// The example's computing: so many million tokens in a step, on accelerators
// that get so many teraflops out of it, at six operations for each parameter
// and token. Both are assumed.
const (
	customerMillions  = 4
	customerTeraflops = 400
)

// customerBase is the example that every answer is held against: a small model
// on eight machines of eight cards.
func customerBase() sizing.Step { return customerStep("llama3-8b", 8, "roce-200", customerMillions) }

// customerStep is a step of a preset on machines of eight cards, with so many
// million tokens.
func customerStep(model string, nodes int, fabric string, millions float64) sizing.Step {
	m, _ := sizing.FindModel(model) // presets: a test holds both to exist
	f, _ := sizing.FindFabric(fabric)
	compute := 6 * float64(m.Parameters) * millions * 1e6 / (customerTeraflops * 1e12)
	return sizing.Step{
		Model: model, Parameters: m.Parameters, Width: 2, Nodes: nodes, PerNode: 8, Fabric: f,
		Compute: unit.Seconds(math.Round(compute)),
	}
}

// roughly is what one gets in one's head: twice the gradients through a port.
func roughly(e sizing.Estimate) unit.Seconds { return 2 * e.Size.Over(e.Step.Fabric.Bandwidth) }

// customerPage is the page that is being presented. It remembers the first
// question that could not be priced.
type customerPage struct {
	f     Frame
	sizes map[sizing.Step]sizing.Estimate // what has been sized
	err   error
}

func (p *customerPage) t(id string, values ...any) string {
	return spoken(p.f.Locale, id, together(values)...)
}

// estimate sizes a step, or remembers why it cannot.
func (p *customerPage) estimate(s sizing.Step) sizing.Estimate {
	if e, known := p.sizes[s]; known {
		return e
	}
	e, err := s.Estimate()
	if err != nil && p.err == nil {
		p.err = err
	}
	p.sizes[s] = e
	return e
}

// computing is what one card computes in a step, exposed the share of the step
// in which it communicates by a ring and does nothing else.
func computing(e sizing.Estimate) unit.Seconds {
	return e.Step.Compute / unit.Seconds(max(e.Workers, 1))
}

func exposed(e sizing.Estimate) float64 {
	return float64(e.Times.Ring / (e.Times.Ring + computing(e)))
}

// figures are those that every sentence may use.
func (p *customerPage) figures(e sizing.Estimate) []any {
	return []any{
		"Cards", e.Workers, "Size", sizeBytes(e.Size), "Compute", sizeTime(computing(e)), "Ring", sizeTime(e.Times.Ring),
		"Share", shareText(exposed(e)), "Bits", bits(e.Step.Fabric.Bandwidth), "Rate", e.Step.Fabric.Bandwidth.String(),
	}
}

// setting says what the example is.
func (p *customerPage) setting(e sizing.Estimate) []any {
	return []any{
		"Model", sizeModelName(e.Step), "Nodes", e.Step.Nodes, "PerNode", e.Step.PerNode, "Cards", e.Workers, "Size", sizeBytes(e.Size),
		"Bits", bits(e.Step.Fabric.Bandwidth), "Rate", e.Step.Fabric.Bandwidth.String(), "Alone", sizeTime(e.Step.Compute), "Compute", sizeTime(computing(e)),
	}
}

// customerBars are the rows of the chart: the example, then one answer changed.
func customerBars() []customerBar {
	return []customerBar{
		{"customer.bar.base", customerBase()},
		{"customer.bar.few", customerStep("llama3-8b", 2, "roce-200", customerMillions)},
		{"customer.bar.many", customerStep("llama3-8b", 16, "roce-200", customerMillions)},
		{"customer.bar.slow", customerStep("llama3-8b", 8, "infiniband-100", customerMillions)},
		{"customer.bar.fast", customerStep("llama3-8b", 8, "infiniband-400", customerMillions)},
		{"customer.bar.batch", customerStep("llama3-8b", 8, "roce-200", customerMillions/4)},
	}
}

// customerBar is a row of the chart.
type customerBar struct {
	message string
	step    sizing.Step
}

// bars shows how a step of the same customer is shared between computing and
// communicating, with one answer changed in each row.
func (p *customerPage) bars() views.StoryChart {
	var rows []draw.StackedBar
	for _, bar := range customerBars() {
		e := p.estimate(bar.step)
		share := exposed(e)
		rows = append(rows, draw.StackedBar{
			Name: p.t(bar.message),
			Pieces: []draw.Piece{
				{Length: 100 * (1 - share), Tone: draw.Compute, Label: sizeTime(computing(e))},
				{Length: 100 * share, Tone: draw.Comm, Label: sizeTime(e.Times.Ring)},
			},
			Figure: shareText(share),
		})
	}
	return twoWidths(func(width float64, narrow bool) string {
		ticks := 5
		if narrow {
			ticks = 2
		}
		return draw.StackedBars{
			Frame: draw.Frame{Width: width, Height: draw.RowsHeight(len(rows), false, true), Title: p.t("customer.bars"), Desc: p.t("customer.bars.says"), Class: widthClass(narrow)},
			X:     draw.Marked(draw.NiceTicks(100, ticks), false, p.t("customer.bars.axis"), func(v float64) string { return typed(v) + "%" }),
			Rows:  rows,
		}.SVG()
	})
}

// show leads to what to project meanwhile.
func (p *customerPage) show(path, name string, values ...any) views.LessonLink {
	return views.LessonLink{URL: p.f.homeURL() + path, Name: p.t("customer.show", "Name", p.t(name, values...))}
}

// lesson leads to the lesson of a pair.
func (p *customerPage) lesson(c schedule.Collective, algorithm string) views.LessonLink {
	return views.LessonLink{
		URL:  p.f.homeURL() + "learn/" + string(c) + "/" + algorithm,
		Name: p.t("customer.show", "Name", pairName(p.f.Locale, c, algorithm)),
	}
}

// talk is the explanation, in the order of its parts.
func (p *customerPage) talk(base sizing.Estimate) []views.TalkPart {
	article := sizing.Collector{Size: 1200 * unit.MB, Rate: 1e9}
	back := article
	back.Return = true
	const workers = 10
	small := p.estimate(customerStep("llama3-8b", 8, "roce-200", customerMillions/4))
	story := []any{
		"Workers", workers, "Size", article.Size.String(), "Rate", article.Rate.String(), "OneWay", duration(article.Collecting(workers)),
		"Both", duration(back.Collecting(workers)), "Ring", duration(article.Ring(workers)), "Most", duration(2 * article.Size.Over(article.Rate)),
	}
	return []views.TalkPart{
		{At: "0:00", Text: p.t("customer.talk.what"), Show: p.lesson(schedule.AllReduce, "ring")},
		{At: "0:20", Text: p.t("customer.talk.central", story...), Show: p.show(centralServerPath, "story.title")},
		{At: "0:50", Text: p.t("customer.talk.ring", story...), Show: p.show(racePath, "customer.show.race")},
		{At: "1:15", Text: p.t("customer.talk.yours", append(p.figures(base), "Small", shareText(exposed(small)))...), Show: p.show("size?"+SizeValues(base.Step).Encode(), "customer.show.size")},
		{At: "1:45", Text: p.t("customer.talk.ask"), Show: p.show(bandwidthPath+"#calculator", "customer.show.calculator")},
	}
}

// sized leads to the sizing of a step.
func (p *customerPage) sized(s sizing.Step) views.LessonLink {
	return views.LessonLink{URL: p.f.sizeURL(SizeValues(s)), Name: p.t("customer.sized")}
}

// answer says what one answer changes, by the figures of its sizing.
func (p *customerPage) answer(name, text string, s sizing.Step, more ...any) views.CustomerAnswer {
	e := p.estimate(s)
	return views.CustomerAnswer{Name: p.t(name), Text: p.t(text, append(p.figures(e), more...)...), Size: p.sized(s)}
}

// priced is what a ring takes for a collective on the example's cards.
func (p *customerPage) priced(c schedule.Collective, e sizing.Estimate) unit.Seconds {
	price, err := cost.Question{Collective: c, Ranks: max(e.Workers, 1), Size: e.Size, Network: e.Step.Fabric.Network()}.Price("ring")
	if err != nil && p.err == nil {
		p.err = err
	}
	return price.Time
}

// calculator leads to the words of bandwidth with the example filled in, at a
// bus bandwidth.
func (p *customerPage) calculator(e sizing.Estimate, bus unit.Rate) string {
	return p.f.homeURL() + bandwidthPath + "?" + url.Values{
		"collective": {string(schedule.AllReduce)}, "n": {strconv.Itoa(e.Workers)}, "size": {tight(e.Size.String())}, "as": {"busbw"},
		"measured": {tight(bus.String())}, "wire": {tight(e.Step.Fabric.Bandwidth.String())},
	}.Encode() + "#calculator"
}
