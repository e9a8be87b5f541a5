package present

import (
	"net/url"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// sizeWays presents the comparison of all algorithms.
func (f Frame) sizeWays(l locale.Locale, s *site.Study, o *views.SizeOne) {
	auto := s.Auto()
	if auto == nil {
		o.WaysNote = l.T("size.ways.too-many", locale.Values{"Ranks": schedule.MaxRanks})
		return
	}
	anchor := "way-"
	if sizeSame(s) { // figures above link to these formulas
		anchor = "cost-"
	}
	for _, w := range s.Ways {
		way := views.SizeWay{
			ID: anchor + w.Algorithm, Name: capital(algorithmName(l, w.Algorithm)), Auto: w.Algorithm == auto.Algorithm,
			LessonURL: f.sizeWayLesson(s, w.Algorithm), Time: sizeSpan(l, w.Span), Latency: sizeTime(w.Latency),
			Rounds: sizeGrouped(int64(w.Rounds)), Busiest: sizeBytes(w.Busiest), Terms: sizeTerms(l, s.Size, w.Terms),
		}
		switch {
		case way.Auto:
			way.Mark = l.T("size.ways.auto")
		case !w.Executable:
			way.Mark = l.T("size.ways.network")
		case w.Rough:
			way.Mark = l.T("size.ways.rough")
		}
		if !way.Auto {
			way.RaceURL = f.sizeRace(s, w.Algorithm, auto.Algorithm)
			way.RaceName = l.T("size.ways.race.name", locale.Values{"A": way.Name, "B": capital(algorithmName(l, auto.Algorithm))})
		}
		o.Ways = append(o.Ways, way)
	}
	o.Why, o.Chart = sizeWhy(l, s, *auto), sizeWayChart(l, s)
	if sizeSame(s) {
		for _, w := range s.Ways {
			if w.Algorithm == "central" && len(w.Terms) > 0 {
				counting := l.T("size.counting", locale.Values{"OneWay": sizeTime(w.Terms[0].Time), "Both": sizeTime(w.Time)})
				o.WaysNote = l.T("size.ways.note.counting", locale.Values{"Note": o.WaysNote, "Counting": counting})
			}
		}
	}
}

// sizeWhy says why auto takes what it takes: against the next that hosts can
// execute, and against what only the network could do.
func sizeWhy(l locale.Locale, s *site.Study, auto site.Way) string {
	part := func(w site.Way) locale.Values {
		return locale.Values{"Name": algorithmName(l, w.Algorithm), "Time": sizeTime(w.Time), "Latency": sizeTime(w.Latency), "Transfer": sizeTime(w.Transfer())}
	}
	values := part(auto)
	text := l.T("size.why.only", values)
	for _, w := range s.Ways {
		if !w.Executable || w.Algorithm == auto.Algorithm {
			continue
		}
		for name, v := range part(w) {
			values["Next"+name] = v
		}
		switch same := significant(float64(w.Time), 3) == significant(float64(auto.Time), 3); {
		case same:
			text = l.T("size.why.equal", values)
		case s.Size == 0 || auto.Transfer() == 0:
			text = l.T("size.why.latency", values)
		default:
			text = l.T("size.why.both", values)
		}
		break
	}
	if first := s.Ways[0]; !first.Executable && first.Algorithm != auto.Algorithm {
		text = l.T("size.why.joined", locale.Values{"Why": text, "But": capital(l.T("size.why.network", part(first)))})
	}
	return text
}

// sizeWayChart draws each algorithm's time, latency and bytes apart, on one
// scale.
func sizeWayChart(l locale.Locale, s *site.Study) views.SizeChart {
	chart := views.SizeChart{
		Title:   l.T("size.ways.chart", locale.Values{"What": sizeWhat(l, s)}),
		Caption: l.T("size.ways.caption"),
	}
	longest := unit.Seconds(0)
	for _, w := range s.Ways {
		longest = max(longest, w.Time)
	}
	if longest <= 0 {
		return views.SizeChart{}
	}
	const gap = "\u00a0\u00a0" // bold letters are wider than they are measured
	for _, width := range []float64{860, 358} {
		wide := width > 400
		axis := sizeTimeAxis("", float64(longest))
		d := draw.StackedBars{X: axis, Frame: draw.Frame{Width: width, Height: draw.RowsHeight(len(s.Ways), false, false), Title: chart.Title, Desc: chart.Caption, Class: "narrow"}}
		if wide {
			d.Class = "wide"
		}
		for _, w := range s.Ways {
			row := draw.StackedBar{Pieces: []draw.Piece{{Length: float64(w.Latency), Tone: draw.Latency}, {Length: float64(w.Transfer()), Tone: draw.Comm}}}
			name := capital(algorithmName(l, w.Algorithm))
			if wide {
				row.Name, row.Figure = name+gap, sizeTime(w.Time)
			} else {
				row.Figure, row.Note = sizeTime(w.Time), ""
				row.Name = ""
				row.Note = gap + name
			}
			d.Rows = append(d.Rows, row)
		}
		if wide {
			chart.Wide = d.SVG()
		} else {
			chart.Narrow = d.SVG()
		}
	}
	return chart
}

// sizeTerms are the phases of a closed form, with their formulas filled in.
func sizeTerms(l locale.Locale, size unit.Bytes, terms []cost.Term) []views.SizeTerm {
	// A size that is no round number of decimal units is written out.
	exact := strings.NewReplacer(" us ", " µs ")
	if text := size.String(); strings.HasSuffix(text, "iB") || size%unit.MB != 0 {
		exact = strings.NewReplacer(" us ", " µs ", text, sizeGrouped(int64(size))+" B")
	}
	var all []views.SizeTerm
	for _, t := range terms {
		all = append(all, views.SizeTerm{Phase: sizePhase(l, t.Name), Formula: formulaText(l, exact.Replace(t.Formula)), Time: sizeTime(t.Time)})
	}
	return all
}

// sizeNet is the lessons' network that is nearest to a site's port.
func sizeNet(s *site.Study) string {
	nearest := lessonNetworks()[0]
	distance := func(n lessonNetwork) float64 {
		return max(float64(n.Bandwidth/s.Site.Port.Bandwidth), float64(s.Site.Port.Bandwidth/n.Bandwidth))
	}
	for _, n := range lessonNetworks() {
		if d, least := distance(n), distance(nearest); d < least || d == least && n.Latency == s.Site.Port.Latency {
			nearest = n
		}
	}
	return nearest.id
}

// sizeWayQuery is a case as lessons and races are asked for it.
func sizeWayQuery(s *site.Study) url.Values {
	q := url.Values{"n": {strconv.Itoa(min(s.Site.Ranks(), lessonMaxRanks))}, "net": {sizeNet(s)}}
	if s.Collective != schedule.Barrier {
		q.Set("size", compactBytes(fitSize(s.Collective, min(s.Site.Ranks(), lessonMaxRanks), min(s.Size, lessonMaxSize))))
	}
	return q
}

// sizeWayLesson is the lesson of an algorithm with the case's figures.
func (f Frame) sizeWayLesson(s *site.Study, algorithm string) string {
	q := sizeWayQuery(s)
	if e, err := schedule.Find(s.Collective, algorithm); err == nil && e.Nodes {
		q.Set("G", strconv.Itoa(min(int(s.Site.PerNode.Value), lessonMaxRanks)))
	}
	return f.homeURL() + "learn/" + string(s.Collective) + "/" + algorithm + "?" + q.Encode()
}

// sizeRace lets an algorithm race the one that auto takes.
func (f Frame) sizeRace(s *site.Study, a, b string) string {
	q := sizeWayQuery(s)
	q.Set("collective", string(s.Collective))
	q.Set("a", a)
	q.Set("b", b)
	return f.homeURL() + racePath + "?" + q.Encode()
}
