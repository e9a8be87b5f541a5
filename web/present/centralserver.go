package present

import (
	"net/url"
	"strconv"
	"strings"

	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
)

// centralServerPath is the page's place below the language.
const centralServerPath = "learn/central-server"

// CentralServer presents the article's argument for a state of its figures.
func CentralServer(f Frame, a CollectorAsk) views.CentralServer {
	s := story{f.Locale, a}
	page := f.page(f.Locale.T("story.title"))
	path := f.homeURL() + centralServerPath
	var measured *views.StoryMeasured
	if m, ok := s.measured(); ok {
		measured = &m
	}
	var asked []string
	for _, note := range a.notes {
		asked = append(asked, note.says(f.Locale))
	}
	return views.CentralServer{
		Asked:    asked,
		Measured: measured,
		Page:     page, Action: path, Reset: path,
		Fields: s.fields(),
		Back:   views.StorySwitch{Name: "back", Label: f.Locale.T("story.back"), On: a.Return},
		Say:    s.say(), Figures: s.figures(),
		Axis:      s.axis(),
		Slope:     s.slope(),
		SlopeSays: s.t("story.slope.says", "Each", duration(s.ask.collector(a.Rate, a.Return).Collecting(2))),
		Speed:     s.speed(),
		SpeedSays: s.t("story.speed.says", "Compute", duration(unit.Seconds(a.Compute))),
		Fabrics:   s.fabrics(),
		RaceURL:   raceURL(f, a),
		Steps: []string{
			s.t("story.step.share", "Compute", duration(unit.Seconds(a.Compute))),
			s.t("story.step.queue"),
			s.t("story.step.peak"),
			s.t("story.step.ring"),
		},
		Notes: []string{s.t("story.note.counting"), s.t("story.note.model"), s.t("story.note.source")},
	}
}

// raceURL leads to the same figures on the page that plays them.
func raceURL(f Frame, a CollectorAsk) string {
	query := url.Values{
		"collective": {"all-reduce"}, "a": {"central"}, "b": {"ring"},
		"n":    {strconv.Itoa(min(a.Workers, raceMaxRanks))},
		"size": {tight(a.size().String())},
		"net":  {tight(a.Rate.String()) + ",0s"},
	}
	return f.homeURL() + racePath + "?" + query.Encode()
}

// tight takes the space out of a quantity, for an address.
func tight(text string) string { return strings.ReplaceAll(text, " ", "") }

// story is a state that is being presented.
type story struct {
	l   locale.Locale
	ask CollectorAsk
}

// t is a message with values: a name, then what it stands for.
func (s story) t(id string, values ...any) string { return spoken(s.l, id, values...) }

// spoken is a message with values: a name, then what it stands for.
func spoken(l locale.Locale, id string, values ...any) string {
	if len(values) == 0 {
		return l.T(id)
	}
	named := locale.Values{}
	for i := 0; i+1 < len(values); i += 2 {
		named[values[i].(string)] = values[i+1]
	}
	return l.T(id, named)
}

// duration prints a time with three significant digits, as pages write it.
func duration(s unit.Seconds) string { return micro(s.String()) }

// micro is a time as unit prints it, in ASCII, with the sign for micro.
func micro(text string) string {
	if number, ok := strings.CutSuffix(text, " us"); ok {
		return number + " µs"
	}
	return text
}

// parted cuts a quantity into its number and its unit.
func parted(text string) (number, unit string) {
	number, unit, _ = strings.Cut(text, " ")
	return number, unit
}

func (s story) fields() []views.StoryField {
	a := s.ask
	field := func(limits storyLimits, used float64) views.StoryField {
		value := typed(used)
		if given, found := a.given[limits.name]; found {
			value = given // nothing that was typed is lost
		}
		return views.StoryField{
			Name: limits.name, Label: s.t(limits.label), Unit: s.t(limits.unit),
			Value: value, Wrong: a.wrong(s.l, limits, used),
			Min: typed(limits.sliderLow), Max: typed(limits.slider), Step: typed(limits.step),
		}
	}
	params := field(millionsLimits, a.Millions)
	params.Hint = s.t("story.hint.params", "Size", s.size(), "Bytes", a.Bytes)
	bytes := views.StoryField{Name: "bytes", Label: s.t("story.field.bytes")}
	for _, n := range storyBytes {
		bytes.Options = append(bytes.Options, views.StoryOption{
			Value: strconv.Itoa(n), Name: s.t(storyFormats[n]), Chosen: n == a.Bytes,
		})
	}
	rate := views.StoryField{Name: "rate", Label: s.t("story.field.rate"), Hint: s.t("story.hint.rate")}
	for _, r := range s.rates() {
		rate.Options = append(rate.Options, views.StoryOption{Value: tight(r.String()), Name: s.rateName(r), Chosen: r == a.Rate})
	}
	workers := field(workersLimits, float64(a.Workers))
	compute := field(computeLimits, a.Compute)
	compute.Hint = s.t("story.hint.compute")
	return []views.StoryField{params, bytes, rate, workers, compute}
}

// rates are the links of the article and, if it is another, the asked one.
func (s story) rates() []unit.Rate {
	for _, r := range storyRates {
		if r == s.ask.Rate {
			return storyRates
		}
	}
	return append(append([]unit.Rate(nil), storyRates...), s.ask.Rate)
}

func (s story) rateName(r unit.Rate) string {
	id := "story.rate.other"
	switch r {
	case 1e8:
		id = "story.rate.slow"
	case 1e9:
		id = "story.rate.usual"
	case 12.5e9:
		id = "story.rate.fast"
	}
	return s.t(id, "Rate", r.String(), "Bits", bits(r))
}

// say is the conclusion: what it costs, what the ring costs, and what that
// means for the number of workers.
func (s story) say() string {
	a := s.ask
	c := a.collector(a.Rate, a.Return)
	id := "story.say.one"
	if a.Return {
		id = "story.say.both"
	}
	both := a.collector(a.Rate, true)
	cost := s.t(id, "Workers", a.Workers, "Collect", duration(c.Collecting(a.Workers)), "Both", duration(both.Collecting(a.Workers)), "Ring", duration(c.Ring(a.Workers)))
	best, slower := c.Best(), c.SlowerFrom()
	gap := ""
	if s.l.Lang() == locale.English {
		gap = " "
	}
	if best == 1 {
		return cost + gap + s.t("story.say.never")
	}
	return cost + gap + s.t("story.say.peak", "Best", best, "Speed", ratioText(c.Speedup(best)), "Slower", slower)
}

// ratioText prints a ratio.
func ratioText(v float64) string { return significant(v, 2) }

func (s story) size() string { return sized(float64(s.ask.size()), 3, decimalBytes) }

var decimalBytes = []step{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}

func (s story) figures() []views.StoryFigure {
	a := s.ask
	one, both := a.collector(a.Rate, false), a.collector(a.Rate, true)
	each := duration(one.Collecting(2))
	figure := func(id string, text, formula string, accent bool) views.StoryFigure {
		number, unit := parted(text)
		return views.StoryFigure{Label: s.t(id, "Workers", a.Workers), Number: number, Unit: unit, Formula: formula, Accent: accent}
	}
	return []views.StoryFigure{
		figure("story.figure.size", s.size(), s.t("story.formula.size", "Millions", typed(a.Millions), "Bytes", a.Bytes), false),
		figure("story.figure.one", duration(one.Collecting(a.Workers)), s.t("story.formula.one", "Less", a.Workers-1, "Each", each), false),
		figure("story.figure.both", duration(both.Collecting(a.Workers)), s.t("story.formula.both", "Less", a.Workers-1, "Each", each), false),
		figure("story.figure.ring", duration(one.Ring(a.Workers)), s.t("story.formula.ring", "Less", a.Workers-1, "Workers", a.Workers, "Each", each), true),
	}
}

func (s story) fabrics() []views.StoryFabric {
	var rows []views.StoryFabric
	peak := func(r unit.Rate, back bool) views.StoryPeak {
		c := s.ask.collector(r, back)
		best := c.Best()
		return views.StoryPeak{
			Best: s.t("story.workers", "Count", best), Speed: s.t("story.times", "Times", ratioText(c.Speedup(best))),
			Slower: s.t("story.workers.from", "Count", c.SlowerFrom()),
		}
	}
	for _, r := range s.rates() {
		c := s.ask.collector(r, false)
		ring := s.ask.Compute / float64(c.RingStep(s.ask.Workers))
		rows = append(rows, views.StoryFabric{
			Name: s.rateName(r), Current: r == s.ask.Rate, OneWay: peak(r, false), Both: peak(r, true),
			Ring: s.t("story.ring.at", "Workers", s.ask.Workers, "Times", ratioText(ring)),
		})
	}
	return rows
}
