package present

import (
	"net/url"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// whyPath is the page's place below the language.
const whyPath = "learn/why"

// why is a state that is being presented.
type why struct {
	f   Frame
	l   locale.Locale
	ask WhyAsk
}

// Why presents why training communicates for a state of its figures.
func Why(f Frame, a WhyAsk) (views.Why, error) {
	w := why{f, f.Locale, a}
	cost, err := w.cost()
	if err != nil {
		return views.Why{}, err
	}
	v := views.Why{
		Page: f.page(w.t("why.title")), Action: f.homeURL() + whyPath, Reset: f.homeURL() + whyPath,
		Training: w.train(),
		Facts:    []string{w.t("why.fact.same"), w.t("why.fact.batch"), w.t("why.fact.lockstep"), w.t("why.fact.toy")},
		Fields:   w.fields(),
		Keep:     []views.Hidden{{Name: "k", Value: strconv.Itoa(a.Step)}},
		Cost:     cost,
		Needs:    w.needs(),
		Next:     w.next(),
	}
	for _, part := range []schedule.Collective{schedule.ReduceScatter, schedule.AllGather, schedule.AllReduce} {
		v.Sum = append(v.Sum, w.primitive(part))
	}
	for _, note := range a.notes {
		v.Notes = append(v.Notes, note.says(f.Locale))
	}
	return v, nil
}

// t is a message with values: a name, then what it stands for.
func (w why) t(id string, values ...any) string { return spoken(w.l, id, values...) }

// url is the page at another step of the example.
func (w why) url(step int) string {
	u := url.URL{Path: w.f.homeURL() + whyPath, RawQuery: w.ask.query(step).Encode()}
	return u.String()
}

func (w why) fields() []views.StoryField {
	a := w.ask
	field := func(limits storyLimits, used float64) views.StoryField {
		value := typed(used)
		if given, found := a.given[limits.name]; found {
			value = given // nothing that was typed is lost
		}
		return views.StoryField{
			Name: limits.name, Label: w.t(limits.label), Unit: w.t(limits.unit), Value: value, Wrong: a.wrong(w.l, limits, used),
			Min: typed(limits.sliderLow), Max: typed(limits.slider), Step: typed(limits.step),
		}
	}
	params := field(whyBillionsLimits, a.Billions)
	params.Hint = w.t("why.hint.params", "Bytes", a.Bytes, "Size", sized(float64(a.size()), 3, decimalBytes))
	bytes := views.StoryField{Name: "bytes", Label: w.t("why.field.bytes")}
	for _, n := range storyBytes {
		bytes.Options = append(bytes.Options, views.StoryOption{Value: strconv.Itoa(n), Name: w.t(storyFormats[n]), Chosen: n == a.Bytes})
	}
	network := views.StoryField{Name: "net", Label: w.t("why.field.net"), Hint: w.t("why.hint.net")}
	for _, n := range lessonNetworks() {
		network.Options = append(network.Options, views.StoryOption{Value: n.id, Name: w.t(n.message), Chosen: n.id == a.network.id})
	}
	compute := field(whyComputeLimits, a.Compute)
	compute.Hint = w.t("why.hint.compute")
	return []views.StoryField{params, bytes, field(whyWorkersLimits, float64(a.Workers)), network, compute}
}

// primitive is a collective with its picture and the way to its lesson.
func (w why) primitive(c schedule.Collective) views.Primitive {
	for _, p := range presentPrimitives(w.f) {
		if p.URL == primitiveURL(w.f, c) {
			return p
		}
	}
	return views.Primitive{}
}

// needs are the eight collectives as answers: who has what, who needs what.
func (w why) needs() []views.WhyNeed {
	var all []views.WhyNeed
	answers := presentPrimitives(w.f)
	for i, p := range primitives {
		id := "need." + string(p.collective)
		all = append(all, views.WhyNeed{
			Have: w.t(id + ".have"), Want: w.t(id + ".want"), Use: w.t(collectiveMessage(p.collective) + ".use"), Answer: answers[i],
		})
	}
	return all
}

// next leads on, to what exists.
func (w why) next() []views.LessonLink {
	home := w.f.homeURL()
	a := w.ask
	ring := url.Values{"n": {strconv.Itoa(min(a.Workers, 8))}}
	race := url.Values{"collective": {string(schedule.AllReduce)}, "a": {"central"}, "b": {"ring"}}
	links := []views.LessonLink{
		{URL: home + "learn/all-reduce/ring?" + ring.Encode(), Name: w.t("why.next.ring"), What: w.t("why.next.ring.what")},
		{URL: home + centralServerPath, Name: w.t("learn.central-server"), What: w.t("learn.central-server.what")},
		{URL: home + racePath + "?" + race.Encode(), Name: w.t("learn.race"), What: w.t("why.next.race.what")},
		{URL: home + topologyPath, Name: w.t("topology.title"), What: w.t("learn.topology.what")},
		{URL: home + "size", Name: w.t("why.next.size"), What: w.t("why.next.size.what")},
	}
	return links
}

// sumBar is a bar of computing and then of pieces of communication.
func sumBar(name string, compute unit.Seconds, computing string, figure string, pieces ...draw.Piece) draw.StackedBar {
	return draw.StackedBar{Name: name, Figure: figure, Pieces: append([]draw.Piece{{Length: float64(compute), Tone: draw.Compute, Label: computing}}, pieces...)}
}
