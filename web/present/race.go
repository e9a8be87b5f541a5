package present

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// race is a race that is being presented.
type race struct {
	f   Frame
	ask RaceAsk
	a   *racer
	b   *racer
	end unit.Seconds // of the slower
	now unit.Seconds

	reel draw.Reel
}

// Race presents a race at the moment that its address names; the atlas has the
// chart of all algorithms. An error is the program's own: ReadRace leaves
// nothing that cannot be raced.
func Race(f Frame, ask RaceAsk, atlas *sizing.Atlas) (views.Race, error) {
	r := &race{f: f, ask: ask}
	var err error
	if r.a, err = ask.start(ask.A); err != nil {
		return views.Race{}, err
	}
	if r.b, err = ask.start(ask.B); err != nil {
		return views.Race{}, err
	}
	r.end = max(r.a.line.Time, r.b.line.Time)
	r.now = r.ask.at(min(r.a.line.Time, r.b.line.Time), append(r.a.ends(), r.b.ends()...), r.end)
	v, err := r.present()
	if err != nil {
		return v, err
	}
	v.Which, err = which(f, ask.plane(f), atlas)
	return v, err
}

// RaceURL is the shortest address of a race, at no moment in particular.
func RaceURL(f Frame, ask RaceAsk) string { return (&race{f: f, ask: ask}).choiceURL(ask) }

// plane asks for the chart of all algorithms around the race.
func (r RaceAsk) plane(f Frame) planeAsk {
	other := r
	other.Switches = !r.Switches
	p := planeAsk{collective: r.Collective, ranks: r.Ranks, perNode: r.PerNode, size: r.Size, network: r.Network, networkID: r.networkID, switches: r.Switches,
		toggle: RaceURL(f, other) + "#which"}
	p.marked = append(p.marked, r.A, r.B)
	return p
}

func (r *race) t(id string, values ...any) string { return spoken(r.f.Locale, id, values...) }

// name is how an algorithm is called here.
func (r *race) name(who *racer) string {
	return capital(algorithmName(r.f.Locale, who.entry.Algorithm))
}

// capital begins a text with a capital letter, where it has one.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

func (r *race) present() (views.Race, error) {
	page := r.f.page(r.t("race.title", "A", r.name(r.a), "B", r.name(r.b)))
	page.Present = r.ask.Present
	v := views.Race{
		Page: page, Title: r.t("race.heading", "A", r.name(r.a), "B", r.name(r.b)),
		Action: r.f.homeURL() + racePath,
		A:      r.algorithms(r.ask.A), B: r.algorithms(r.ask.B), Collectives: r.collectives(), Networks: r.networks(),
		Ranks: strconv.Itoa(r.ask.Ranks), Size: r.ask.Size.String(), SizeName: r.sizeName(),
		Notes: r.ask.said(r.f.Locale),
		Say:   r.conclude(), Ratio: r.ratio(),
		Figures: []views.RaceFigure{r.figure(r.a, false), r.figure(r.b, true)},
		Fine:    r.fine(),
	}
	v.Keep = []views.RaceHidden{{Name: "was", Value: string(r.ask.Collective)}}
	if r.ask.Present {
		v.Keep = append(v.Keep, views.RaceHidden{Name: "present", Value: "1"})
	}
	if r.ask.Switches {
		v.Keep = append(v.Keep, views.RaceHidden{Name: "switches", Value: "1"})
	}
	v.Cuts = r.ask.most > 1
	if r.ask.Chunks > 0 {
		v.Chunks = strconv.Itoa(r.ask.Chunks)
	}
	if len(v.Collectives) < 2 {
		v.Collectives = nil
		v.Keep = append(v.Keep, views.RaceHidden{Name: "collective", Value: string(r.ask.Collective)})
	}
	if r.ask.Collective.Rooted() {
		v.Root = strconv.Itoa(r.ask.Root)
	}
	if r.ask.PerNode > 0 {
		v.PerNode = strconv.Itoa(r.ask.PerNode)
	}
	if r.ask.Collective == schedule.Barrier {
		v.Size = ""
	}
	presenting, leaving, swapped := r.ask, r.ask, r.ask
	presenting.Present, leaving.Present = true, false
	swapped.A, swapped.B = r.ask.B, r.ask.A
	v.SwapURL = r.urlOf(swapped, r.now)
	v.CollectiveURL = r.f.homeURL() + collectivePath(r.ask.Collective)
	v.CollectiveName = r.t("race.collective", "Name", collectiveName(r.f.Locale, r.ask.Collective))
	v.PresentURL, v.LeaveURL = r.urlOf(presenting, r.now), r.urlOf(leaving, r.now)
	v.Stages = []views.RaceStage{r.stage(r.a, "a-"), r.stage(r.b, "b-")}
	v.Lanes = views.StoryChart{Wide: r.lanes(ColumnsWide, false), Narrow: r.lanes(storyNarrow, true)}
	v.Lead = r.lead()
	v.Player = r.player()
	var err error
	if v.Cross, err = r.cross(); err != nil {
		return views.Race{}, err
	}
	v.Table = r.table()
	return v, nil
}

// ColumnsWide is the width of the lanes' view box, that of the stages.
const ColumnsWide = draw.ColumnsWidth

// urlOf is the address of a state at a moment.
func (r *race) urlOf(ask RaceAsk, at unit.Seconds) string {
	q := ask.query()
	q.Set("t", seconds(at))
	return r.f.homeURL() + racePath + "?" + q.Encode()
}

// choiceURL is the address of a state at the moment that it shows by itself.
func (r *race) choiceURL(ask RaceAsk) string {
	return r.f.homeURL() + racePath + "?" + ask.query().Encode()
}

// seconds prints a moment for an address, exactly.
func seconds(s unit.Seconds) string { return strconv.FormatFloat(float64(s), 'g', -1, 64) }

func (r *race) algorithms(chosen string) []views.StoryOption {
	var all []views.StoryOption
	for _, name := range raceable(r.ask.Collective) {
		all = append(all, views.StoryOption{Value: name, Name: capital(algorithmName(r.f.Locale, name)), Chosen: name == chosen})
	}
	return all
}

func (r *race) collectives() []views.StoryOption {
	var all []views.StoryOption
	for _, c := range raceCollectives() {
		all = append(all, views.StoryOption{Value: string(c), Name: collectiveName(r.f.Locale, c), Chosen: c == r.ask.Collective})
	}
	return all
}

func (r *race) networks() []views.StoryOption {
	var all []views.StoryOption
	known := false
	for _, n := range lessonNetworks() {
		all = append(all, views.StoryOption{Value: n.id, Name: r.f.Locale.T(n.message), Chosen: n.id == r.ask.networkID})
		known = known || n.id == r.ask.networkID
	}
	if !known {
		all = append(all, views.StoryOption{Value: r.ask.networkID, Chosen: true, Name: r.t("race.net.other",
			"Rate", r.ask.Network.Bandwidth.String(), "Bits", bits(r.ask.Network.Bandwidth), "Latency", duration(unit.FromDuration(r.ask.Network.Latency)))})
	}
	return all
}

// oneWay is the time of the first half of the central server's way, which is
// all that the article counts.
func (r *race) oneWay(who *racer) (unit.Seconds, bool) {
	if r.ask.Collective != "all-reduce" || who.entry.Algorithm != "central" || who.price.Time == 0 {
		return 0, false
	}
	return who.price.Terms[0].Time, true
}

// figure is the time of one of the two with its terms.
func (r *race) figure(who *racer, accent bool) views.RaceFigure {
	time, label, terms := who.time(), "race.figure.all", who.price.Terms
	if half, is := r.oneWay(who); is {
		time, label, terms = half, "race.figure.oneway", terms[:1]
	}
	number, unit := parted(duration(time))
	f := views.RaceFigure{Label: r.t(label, "Name", r.name(who)), Number: number, Unit: unit, Accent: accent}
	// Phases that cost the same share a line.
	for i := 0; i < len(terms); {
		names, next := r.phaseName(terms[i].Name), i+1
		for next < len(terms) && terms[next].Formula == terms[i].Formula {
			names = r.t("race.phases", "First", names, "Second", r.phaseName(terms[next].Name))
			next++
		}
		f.Formulas = append(f.Formulas, r.t("race.formula", "Phases", names, "Formula", formulaText(r.f.Locale, terms[i].Formula)))
		i = next
	}
	if time := who.time(); time != who.price.Time {
		f.Formulas = append(f.Formulas, r.t("race.figure.form", "Time", duration(who.price.Time)))
	}
	return f
}

// formulaText writes a formula as pages do: long ones in figures alone.
func formulaText(l locale.Locale, text string) string {
	const most = 90 // characters that symbols may take
	symbols, numbers, found := strings.Cut(text, " = ")
	if found && len(symbols) > most {
		symbols, text = "", numbers
	}
	text = strings.ReplaceAll(typesetText(l, text), " us", " µs")
	if formPower.MatchString(symbols) {
		text = l.T("form.power", locale.Values{"Formula": text})
	}
	return text
}

// ratio says how far apart the two are, by which way of counting.
func (r *race) ratio() string {
	slow, fast := r.a, r.b
	if slow.time() < fast.time() {
		slow, fast = fast, slow
	}
	if fast.time() == 0 {
		return ""
	}
	all := float64(slow.time() / fast.time())
	if significant(all, 2) == "1" {
		return r.t("race.ratio.same", "Fast", r.name(fast), "Slow", r.name(slow))
	}
	if half, is := r.oneWay(slow); is && fast.entry.Algorithm == "ring" {
		id := "race.ratio.article"
		if significant(all, 2) == strconv.Itoa(r.ask.Ranks) {
			id = "race.ratio.n"
		}
		return r.t(id, "One", significant(float64(half/fast.price.Time), 2), "All", significant(all, 2), "Total", duration(slow.price.Time))
	}
	return r.t("race.ratio", "Fast", r.name(fast), "Slow", r.name(slow), "All", significant(all, 2))
}

func (r *race) fine() []string {
	all := []string{r.t("race.fine.model")}
	for _, who := range []*racer{r.a, r.b} {
		if _, is := who.star(); is {
			all = append(all, r.t("race.fine.queue", "Name", r.name(who)))
			break
		}
	}
	return all
}

// phase is what phase i of one of the two is called.
func (r *race) phase(who *racer, i int) string {
	return r.phaseName(who.schedule.Phases[i].Key)
}

// phaseName is what a phase is called.
func (r *race) phaseName(key string) string { return phaseTerm(r.f.Locale, key) }

// lessonURL leads to the lesson of one of the two.
func (r *race) lessonURL(who *racer) string {
	return r.f.homeURL() + lessonPath(who.entry) + "?" + r.lessonQuery(who).Encode()
}

// lessonQuery is the race's choice as a lesson says it.
func (r *race) lessonQuery(who *racer) url.Values {
	q := r.ask.query()
	for _, name := range []string{"collective", "a", "b", "present", "switches"} {
		q.Del(name)
	}
	if !who.entry.Nodes {
		q.Del("G")
	}
	return q
}
