package present

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// librariesPath is the page's place below the language.
const librariesPath = "learn/libraries"

// LibrariesAsk is the state of the page on libraries as its address says it.
type LibrariesAsk struct {
	topic string // empty for all
	at    string // the fact that stands out, empty for none
	note  *unmet // a topic or a fact that was asked for and does not exist

	Runs bool // whether there is a page that runs MPI's call
}

// ReadLibraries reads the state from a query. What does not exist is left out,
// with a note.
func ReadLibraries(query url.Values) LibrariesAsk {
	a := LibrariesAsk{topic: query.Get("topic"), at: query.Get("at")}
	if a.topic != "" && !slices.ContainsFunc(historyTopics, func(t struct{ id, message string }) bool { return t.id == a.topic }) {
		a.topic, a.note = "", &unmet{reason: ignored, field: "topic", given: a.topic, accepted: strings.Join(topicIDs(), ", ")}
	}
	return a
}

func topicIDs() []string {
	var ids []string
	for _, t := range historyTopics {
		ids = append(ids, t.id)
	}
	return ids
}

// ids are the facts as addresses name them.
func (h history) ids() []string {
	var ids []string
	for _, fact := range h.Facts {
		ids = append(ids, fact.ID)
	}
	return ids
}

// Libraries presents what the libraries are for and how they came about.
func Libraries(f Frame, a LibrariesAsk) (views.Libraries, error) {
	h, err := readHistory()
	if err != nil {
		return views.Libraries{}, err
	}
	if _, found := h.fact(a.at); a.at != "" && !found {
		a.at, a.note = "", &unmet{reason: ignored, field: "at", given: a.at, accepted: fewOf(h.ids(), a.at)}
	}
	p := librariesPage{f, h, a, h.of(a.topic)}
	l := f.Locale
	v := views.Libraries{
		Page: f.page(l.T("libraries.title")), Duties: p.duties(), Uses: p.uses(),
		Topics: p.topics(), Line: p.line(), Kinds: p.kinds(), Slips: p.slips(),
	}
	if a.note != nil {
		v.Note = a.note.says(l)
	}
	for i, fact := range p.shown {
		row := p.event(fact)
		v.Table = append(v.Table, row)
		if fact.ID != a.at {
			continue
		}
		v.Event = &row
		if i > 0 {
			v.Earlier = views.LessonLink{URL: p.url(a.topic, p.shown[i-1].ID), Name: p.shown[i-1].Label}
		}
		if i+1 < len(p.shown) {
			v.Later = views.LessonLink{URL: p.url(a.topic, p.shown[i+1].ID), Name: p.shown[i+1].Label}
		}
	}
	return v, nil
}

// librariesPage is a state that is being presented.
type librariesPage struct {
	f     Frame
	h     history
	ask   LibrariesAsk
	shown []historyFact
}

// url is the page with a topic and a fact, either of which may be empty.
func (p librariesPage) url(topic, at string) string {
	query := url.Values{}
	if topic != "" {
		query.Set("topic", topic)
	}
	if at != "" {
		query.Set("at", at)
	}
	target := url.URL{Path: p.f.homeURL() + librariesPath, RawQuery: query.Encode(), Fragment: "line"}
	return target.String()
}

func (p librariesPage) topics() []views.HistoryTopic {
	l := p.f.Locale
	keeps := func(topic string) string { // the open fact stays open where it is shown
		if fact, found := p.h.fact(p.ask.at); found && (topic == "" || fact.Topic == topic) {
			return p.ask.at
		}
		return ""
	}
	all := []views.HistoryTopic{{Name: l.T("libraries.topic.all"), Count: len(p.h.Facts), URL: p.url("", keeps("")), Current: p.ask.topic == ""}}
	for _, t := range historyTopics {
		all = append(all, views.HistoryTopic{Name: l.T(t.message), Count: len(p.h.of(t.id)), URL: p.url(t.id, keeps(t.id)), Current: p.ask.topic == t.id})
	}
	return all
}

// Widths of the time line in view-box units: on a page and on a phone.
const (
	lineWide   = 1344
	lineNarrow = 340
)

func (p librariesPage) line() views.StoryChart {
	l := p.f.Locale
	var lanes []draw.TimelineLane
	for i, t := range historyTopics {
		if p.ask.topic != "" && p.ask.topic != t.id {
			continue
		}
		lane := draw.TimelineLane{Name: l.T(t.message), Mark: i}
		for _, fact := range p.h.of(t.id) {
			lane.Events = append(lane.Events, draw.TimelineEvent{
				At: fact.at(), Label: cmp.Or(fact.Short, fact.Label), Long: fact.Label, Full: l.T("libraries.line.event", locale.Values{"Date": fact.day(l), "Name": fact.Label}),
				URL: p.url(p.ask.topic, fact.ID), Strong: fact.Main, Unsure: fact.unsure(), Current: fact.ID == p.ask.at,
			})
		}
		lanes = append(lanes, lane)
	}
	line := draw.Timeline{Width: lineWide, Name: l.T("libraries.line"), Lanes: lanes}
	chart := views.StoryChart{Wide: line.SVG()}
	line.Width, line.Narrow = lineNarrow, true
	chart.Narrow = line.SVG()
	return chart
}

// event is a fact in words.
func (p librariesPage) event(fact historyFact) views.HistoryEvent {
	l := p.f.Locale
	e := views.HistoryEvent{
		ID: fact.ID, URL: p.url(p.ask.topic, fact.ID), Date: fact.day(l), Label: fact.Label, What: fact.what(l), Doubt: fact.doubt(l),
		Source: fact.Source, Link: fact.URL, Current: fact.ID == p.ask.at,
	}
	for _, t := range historyTopics {
		if t.id == fact.Topic {
			e.Topic = l.T(t.message)
		}
	}
	for _, c := range historyChecks {
		if c.id == fact.Checked {
			e.Checked = l.T(c.message)
		}
	}
	return e
}

// kinds says how many of the shown facts were checked how.
func (p librariesPage) kinds() []views.Fact {
	var all []views.Fact
	for _, c := range historyChecks {
		count := 0
		for _, fact := range p.shown {
			if fact.Checked == c.id {
				count++
			}
		}
		if count > 0 {
			all = append(all, views.Fact{Name: p.f.Locale.T(c.message), Values: []string{p.f.Locale.T("libraries.count", locale.Values{"Number": count})}})
		}
	}
	return all
}

func (p librariesPage) slips() []views.HistorySlip {
	l := p.f.Locale
	var all []views.HistorySlip
	for _, s := range p.h.Slips {
		slip := views.HistorySlip{ID: s.ID, Says: inLanguage(l, s.SaysZh, s.SaysEn), Right: inLanguage(l, s.RightZh, s.RightEn), Source: s.Source, Link: s.URL}
		if fact, found := p.h.fact(s.Fact); found {
			slip.Event = views.LessonLink{URL: p.url("", fact.ID), Name: l.T("libraries.slips.see", locale.Values{"Name": fact.Label})}
		}
		all = append(all, slip)
	}
	return all
}

// uses compares the libraries.
func (p librariesPage) uses() []views.LibraryUse {
	l := p.f.Locale
	calls := func(api string) views.LessonLink {
		return views.LessonLink{URL: p.f.homeURL() + "learn/all-reduce/ring?api=" + api, Name: l.T("libraries.uses.calls")}
	}
	use := func(name, by, where, starts, what string, link views.LessonLink) views.LibraryUse {
		return views.LibraryUse{Name: name, By: by, Where: where, Starts: starts, For: what, Link: link}
	}
	uses := []views.LibraryUse{
		use("MPI", l.T("libraries.mpi.by"), l.T("libraries.mpi.where"), l.T("libraries.mpi.starts"), l.T("libraries.mpi.for"), calls("mpi")),
		use("NCCL", l.T("libraries.nccl.by"), l.T("libraries.nccl.where"), l.T("libraries.nccl.starts"), l.T("libraries.nccl.for"), calls("nccl")),
		use("RCCL", l.T("libraries.rccl.by"), l.T("libraries.rccl.where"), l.T("libraries.rccl.starts"), l.T("libraries.rccl.for"), calls("nccl")),
		use("HCCL", l.T("libraries.hccl.by"), l.T("libraries.hccl.where"), l.T("libraries.hccl.starts"), l.T("libraries.hccl.for"), views.LessonLink{}),
		use("Gloo", l.T("libraries.gloo.by"), l.T("libraries.gloo.where"), l.T("libraries.gloo.starts"), l.T("libraries.gloo.for"), calls("pytorch")),
		use("oneCCL", l.T("libraries.oneccl.by"), l.T("libraries.oneccl.where"), l.T("libraries.oneccl.starts"), l.T("libraries.oneccl.for"), views.LessonLink{}),
	}
	if p.ask.Runs {
		to := linkTo("runs/new", "backend", string(trace.MPI), "collective", string(schedule.AllReduce), "algorithm", schedule.LibraryCall, "n", "4", "size", "64MiB")
		uses[0].Try = views.LessonLink{URL: to.url(p.f), Name: l.T("libraries.uses.run")}
	}
	return uses
}
