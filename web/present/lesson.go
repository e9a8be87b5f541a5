package present

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// LessonRequest asks for a lesson.
type LessonRequest struct {
	Entry schedule.Entry
	Query url.Values
	Runs  bool // whether there is a page that runs it for real
	Race  bool // whether there is a page that compares algorithms

	Origin string // where the console was reached, as in https://host:8443, for links that leave it
}

// openLesson plays what a request asks for; states are kept for the steps that
// keep names, given the step that is shown.
func openLesson(f Frame, r LessonRequest, keep func(shown, step int) bool) (teller, error) {
	c, reader := readChoice(f.Locale, r.Entry, r.Query)
	s, err := c.build()
	if err != nil {
		return teller{}, fmt.Errorf("build lesson: %w", err)
	}
	s = c.breakUp(s, reader)
	c.step = reader.number(countField{"unmet.step", "step", 0, s.Rounds(), 0})
	reader.flag("out")
	c.notes = reader.notes
	facts, err := establish(s, c, func(step int) bool { return keep(c.step, step) })
	if err != nil {
		return teller{}, err
	}
	t := teller{l: f.Locale, c: c, f: facts, words: wordsOf(r.Entry)}
	if c.broken != nil { // what is said of the right one by hand does not hold
		t.words, s = t.words.names(), c.broken.Right
	}
	if t.layout() == draw.TreeLayout {
		t.trees = readTrees(s)
	}
	return t, nil
}

// shownOnly keeps the states that one step is drawn from.
func shownOnly(shown, step int) bool { return step == shown || step == shown-1 }

// drawnOwner is the name of the rank whose data a cell or a message holds.
var drawnOwner = regexp.MustCompile(`>R\d+<`)

// namesLegend explains those names, at the widths whose picture has room for
// them: on is the class of what one width alone shows.
func (t teller) namesLegend(wide, narrow string) (note, on string) {
	note = t.l.T("lesson.legend.from")
	switch w, n := drawnOwner.MatchString(wide), drawnOwner.MatchString(narrow); {
	case w && n:
		return note, ""
	case w:
		return note, "on-wide"
	case n:
		return note, "on-narrow"
	}
	return "", ""
}

// besideShown keeps the one after it too, for a question about that.
func besideShown(shown, step int) bool { return step == shown+1 || shownOnly(shown, step) }

// Lesson presents one step of a lesson.
func Lesson(f Frame, r LessonRequest) (views.Lesson, error) {
	t, err := openLesson(f, r, besideShown)
	if err != nil {
		return views.Lesson{}, err
	}
	t = t.asking(r.Query)
	at, last := t.c.step, len(t.f.steps)-1
	wide, narrow := t.stage(at, false), t.stage(at, true)
	v := views.Lesson{
		Page:    f.page(t.name(f.Locale)),
		Name:    t.name(f.Locale),
		Other:   t.name(f.Other),
		What:    t.what(),
		Notes:   t.c.notes,
		Summary: t.summary(),
		Hash:    t.f.schedule.Hash(),
		Table:   t.c.at(0).url(f, "/steps.json"),
		Picture: t.c.url(f, "/step.svg"),
		Hidden:  map[string]bool{},
		Step:    at, Steps: last,
		Stage: wide.SVG(), StageNarrow: narrow.SVG(), Heat: wide.Heat(), HeatNarrow: narrow.Heat(),
		Moves: views.StepLinks{First: t.c.at(0).url(f, ""), Prev: t.c.at(max(at-1, 0)).url(f, ""),
			Next: t.c.at(min(at+1, last)).url(f, ""), Last: t.c.at(last).url(f, "")},
		Track: t.track(at).SVG(), Keep: hiddenFields(t.c.at(0).query()),
		ClockLegend: t.clockLegend(),
		Facts:       t.card(f), Bound: t.boundNote(), Libraries: t.libraries(),
		APIs: t.apis(f, at), Pickers: t.pickers(f),
		Costs: t.costs(at), Narration: t.narration(at), Invariants: t.invariants(at),
		Count: t.count(at), RangeText: t.rangeText(at),
	}
	v.Copies, v.Scratch = t.f.grid.copies, t.f.schedule.TmpChunks > 0 && !t.f.grid.swaps
	switch {
	case t.f.grid.split > 0:
		v.LegendNote = t.l.T("lesson.legend.split")
	case t.f.grid.swaps:
		v.LegendNote = t.l.T("lesson.legend.gets")
	case t.f.grid.copies:
		v.LegendNote, v.LegendOn = t.namesLegend(v.Stage, v.StageNarrow)
	case t.digits():
		v.LegendNote = t.l.T("lesson.legend.digits", locale.Values{"Ranks": t.f.schedule.Ranks, "Last": t.f.schedule.Ranks - 1})
	}
	if last > 0 {
		v.Clock, v.ClockNarrow = t.clock(at, false).SVG(), t.clock(at, true).SVG()
	}
	v.Ask = t.askPanel(f)
	v.Take = t.takeaway(f, r)
	v.SumLabel, v.Sum = t.worked(at)
	v.Phase, v.PhaseName, v.PhaseNext = t.phase(at)
	for _, part := range t.c.hide {
		v.Hidden[part] = true
	}
	presenting, leaving := t.c, t.c
	presenting.present, leaving.present = true, false
	v.PresentURL, v.LeaveURL = presenting.url(f, ""), leaving.url(f, "")
	switch {
	case !t.c.entry.Executable:
		v.RunReason = t.l.T("lesson.run.never")
	case r.Runs:
		v.RunURL, v.RunLabel = t.runURL(f), t.l.T("lesson.run")
		if f.Ranks > 0 && t.f.schedule.Ranks > f.Ranks { // said before the click
			v.RunLabel = t.l.T("run.lesson.fewer", locale.Values{"Ranks": f.Ranks})
		}
		if v.Libraries != nil && !t.c.embed {
			v.Libraries.Try = views.LessonLink{URL: t.callURL(f), Name: t.l.T("run.lesson.mpi")}
		}
	}
	if r.Race {
		v.Compare = t.compareURL(f)
	}
	v.Page.Present, v.Page.Bare = t.c.present, t.c.embed
	t.breakInto(f, &v)
	return v, nil
}

// name is the pair by its name in a language.
func (t teller) name(l locale.Locale) string {
	if t.words.name != "" {
		return l.T(t.words.name)
	}
	return pairName(l, t.f.schedule.Collective, t.f.schedule.Algorithm)
}

func (t teller) what() string {
	if t.words.what != "" {
		return t.l.T(t.words.what)
	}
	return pairWhat(t.l, t.f.schedule.Collective, t.f.schedule.Algorithm)
}

// summary is the choice in one line.
func (t teller) summary() string {
	return t.l.T("lesson.summary", locale.Values{
		"Collective": collectiveName(t.l, t.f.schedule.Collective), "Algorithm": algorithmName(t.l, t.f.schedule.Algorithm),
		"Count": t.f.schedule.Ranks, "Ranks": t.f.schedule.Ranks, "Size": sizeName(t.c.size), "Rate": t.c.network.Bandwidth.String(),
	})
}

// phase says where a step stands among the phases.
func (t teller) phase(at int) (place, name, next string) {
	if at == 0 || len(t.f.steps) == 1 {
		return t.l.T("lesson.phase.start"), "", t.nextPhase(-1)
	}
	i := t.f.steps[at].phase
	place = t.l.T("lesson.phase", locale.Values{"Phase": i + 1, "Phases": len(t.f.phases)})
	return place, t.phaseName(t.l, i), t.nextPhase(i)
}

func (t teller) nextPhase(i int) string {
	if i+1 >= len(t.f.phases) || len(t.f.steps) == 1 {
		return ""
	}
	return "→ " + t.phaseName(t.l, i+1)
}

func (t teller) count(at int) string {
	return t.l.T("lesson.count", locale.Values{"Step": at, "Steps": len(t.f.steps) - 1})
}

// rangeText is what the slider says at a step.
func (t teller) rangeText(at int) string {
	place, name, _ := t.phase(at)
	return strings.TrimSpace(t.count(at) + " · " + place + " " + name)
}

func (t teller) track(at int) draw.Track {
	track := draw.Track{Steps: len(t.f.steps) - 1, Step: at}
	for i, p := range t.f.phases {
		if p.last >= p.first {
			track.Phases = append(track.Phases, draw.TrackPhase{Name: t.phaseName(t.l, i), Steps: p.last - p.first + 1})
		}
	}
	return track
}

// card is what the lesson is, in closed forms and figures.
func (t teller) card(f Frame) []views.Fact {
	e := t.c.entry
	fact := func(name string, values ...string) views.Fact { return views.Fact{Name: t.l.T(name), Values: values} }
	collective := collectiveMessage(t.f.schedule.Collective)
	parts := collective + ".kin"
	if t.words.parts != "" {
		parts = t.words.parts
	}
	facts := []views.Fact{
		fact("lesson.card.when", pairWhen(t.l, e.Collective, e.Algorithm)),
		fact("lesson.card.parts", t.l.T(parts)),
		fact("lesson.card.use", t.l.T(collective+".use")),
	}
	if t.f.schedule.Ranks > 1 {
		facts = append(facts, fact("lesson.card.port", t.bottlenecks()...))
	}
	return append(facts,
		fact("lesson.card.rounds", t.formula(e.Rounds, strconv.Itoa(len(t.f.steps)-1))),
		fact("lesson.card.bytes", t.formula(e.Sent, lessonBytes(t.mostSent()))),
		fact("lesson.card.vars", append(t.symbols(), t.given())...),
		fact("lesson.card.source", t.l.T("lesson.card.source.text")),
		fact("lesson.card.hash", t.fingerprint()),
	)
}

// mostSent is what the busiest rank sends in all.
func (t teller) mostSent() int {
	most := 0
	for rank := range t.f.schedule.Ranks {
		sent := 0
		for i := range t.f.steps {
			sent += t.f.steps[i].sent[rank]
		}
		most = max(most, sent)
	}
	return most
}

// given are the variables that a lesson chooses, and what S counts.
func (t teller) given() string {
	values := locale.Values{"Ranks": t.f.schedule.Ranks, "Latency": duration(unit.FromDuration(t.c.network.Latency)),
		"Rate": t.c.network.Bandwidth.String(), "Bits": bits(t.c.network.Bandwidth), "Size": sizeName(t.c.size)}
	if t.f.schedule.Collective == schedule.Barrier {
		return t.l.T("lesson.card.vars.signals", values)
	}
	values["Held"] = t.l.T(collectiveMessage(t.f.schedule.Collective)+".held", values)
	values["Count"] = t.f.schedule.Ranks
	return t.l.T("lesson.card.vars.text", values)
}

// symbols are the other variables that the closed forms of the card have.
func (t teller) symbols() []string {
	vars := t.c.entry.Vars(t.c.ranks, t.c.perNode, t.c.chunks)
	var all []string
	for _, symbol := range []struct {
		in   *regexp.Regexp
		says string
	}{
		{formNode, t.l.T("lesson.card.vars.nodes", locale.Values{"Nodes": vars["G"]})},
		{formPieces, t.l.T("lesson.card.vars.blocks", locale.Values{"Blocks": vars["k"]})},
		{formPower, t.l.T("lesson.card.vars.power", locale.Values{"Power": largestPower(t.f.schedule.Ranks)})},
	} {
		if symbol.in.MatchString(t.c.entry.Rounds.String() + " " + t.c.entry.Sent.String()) {
			all = append(all, symbol.says)
		}
	}
	return all
}

// runURL leads to the form that runs the lesson for real, slowed down for
// eyes.
func (t teller) runURL(f Frame) string {
	q := url.Values{"collective": {string(t.f.schedule.Collective)}, "algorithm": {t.f.schedule.Algorithm},
		"ranks": {fmt.Sprint(t.f.schedule.Ranks)}, "size": {compactBytes(t.c.size)}}
	if t.c.entry.Collective.Rooted() && t.c.root > 0 {
		q.Set("root", fmt.Sprint(t.c.root))
	}
	if t.c.entry.Nodes {
		q.Set("ranks_per_node", fmt.Sprint(t.c.perNode))
	}
	if t.c.pace != "" { // else the form picks one that lasts long enough to be watched
		q.Set("pace", t.c.pace)
	}
	u := url.URL{Path: f.homeURL() + "runs/new", RawQuery: q.Encode()}
	return u.String()
}

// callURL leads to the form that has MPI carry out the lesson's collective by
// its own call.
func (t teller) callURL(f Frame) string {
	to := linkTo("runs/new", "backend", string(trace.MPI), "collective", string(t.f.schedule.Collective), "algorithm", schedule.LibraryCall,
		"ranks", fmt.Sprint(t.f.schedule.Ranks), "size", compactBytes(t.c.size))
	if t.c.entry.Collective.Rooted() && t.c.root > 0 {
		to = to.with("root", fmt.Sprint(t.c.root))
	}
	return to.url(f)
}

// compareURL leads to the race with another algorithm for the same collective:
// the ring, where there is one.
func (t teller) compareURL(f Frame) string {
	rival := ""
	for _, e := range schedule.Catalog() {
		if e.Collective == t.f.schedule.Collective && e.Algorithm != t.f.schedule.Algorithm && (rival == "" || e.Algorithm == raceRival) {
			rival = e.Algorithm
		}
	}
	if rival == "" {
		return ""
	}
	q := url.Values{"collective": {string(t.f.schedule.Collective)}, "a": {t.f.schedule.Algorithm}, "b": {rival}, "n": {fmt.Sprint(max(t.c.ranks, raceMinRanks))},
		"net": {t.c.network.id}}
	if t.c.size > 0 {
		q.Set("size", compactBytes(t.c.size))
	}
	if t.c.root > 0 {
		q.Set("root", fmt.Sprint(t.c.root))
	}
	if t.c.chunks != t.c.pieces() {
		q.Set("chunks", fmt.Sprint(t.c.chunks))
	}
	if t.c.entry.Nodes {
		q.Set("G", fmt.Sprint(t.c.perNode))
	}
	u := url.URL{Path: f.homeURL() + racePath, RawQuery: q.Encode()}
	return u.String()
}
