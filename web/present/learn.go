package present

import (
	"slices"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/locale"
)

// LearnRequest asks for the index of what there is to learn.
type LearnRequest struct {
	Missing  string // a lesson that was asked for and does not exist
	Query    string // what is searched for; empty for nothing
	Existing Existing
}

// Learn presents the index, or what a search has found in its place. An error
// is the program's own: what is searched can always be read.
func Learn(f Frame, r LearnRequest) (views.Learn, error) {
	v := views.Learn{Page: f.page(f.Locale.T("learn.title")), Search: f.searchForm(r.Query), WordsURL: f.homeURL() + wordsPath}
	var err error
	if v.Found, err = f.searched(r.Query, r.Existing); err != nil || v.Found != nil {
		return v, err
	}
	v.Paths = pathLinks(f)
	if r.Missing != "" {
		v.Missing = f.Locale.T("learn.missing", locale.Values{"Given": clipped(r.Missing)})
	}
	entries := schedule.Catalog()
	for _, c := range schedule.Collectives() {
		v.Collectives = append(v.Collectives, learnCollective(f, c, entries, r.Existing))
	}
	v.Note = f.Locale.T("learn.note", locale.Values{"Ranks": indexRanks, "Nodes": schedule.PerNode(indexRanks, 0)})
	for _, s := range storyList() {
		if slices.Contains(r.Existing.Stories, s.path) {
			v.Stories = append(v.Stories, views.LessonLink{URL: f.homeURL() + "learn/" + s.path, Name: f.Locale.T(s.name), What: f.Locale.T(s.what)})
		}
	}
	return v, nil
}

// pathLinks lead to the paths and to the list of labs.
func pathLinks(f Frame) []views.LessonLink {
	l := f.Locale
	var all []views.LessonLink
	for _, p := range paths() {
		all = append(all, views.LessonLink{URL: f.homeURL() + p.path(), Name: l.T(p.message()), What: l.T(p.message() + ".what")})
	}
	return append(all, views.LessonLink{URL: f.homeURL() + labsPath, Name: l.T("labs.title"), What: l.T("labs.lead")})
}

// indexRanks is the number of ranks for which the index counts.
const indexRanks = 8

// learnCollective lists the algorithms of one collective.
func learnCollective(f Frame, c schedule.Collective, entries []schedule.Entry, has Existing) views.LearnCollective {
	l := f.Locale
	v := views.LearnCollective{ID: string(c), Name: collectiveName(l, c), Other: collectiveName(f.Other, c), Line: l.T(collectiveMessage(c) + ".line"),
		Use: l.T(collectiveMessage(c) + ".use"), Kin: l.T(collectiveMessage(c) + ".kin")}
	if has.Collective {
		v.URL = has.collectiveURL(f, c)
	}
	for _, p := range primitives {
		if p.collective == c {
			v.Glyph = livingGlyph(c, p.before, p.after)
		}
	}
	for _, e := range entries {
		if e.Collective != c {
			continue
		}
		row := views.LearnAlgorithm{URL: f.homeURL() + lessonPath(e), Name: capital(algorithmName(l, e.Algorithm)), Full: pairName(l, c, e.Algorithm),
			When: pairWhen(l, c, e.Algorithm), Rounds: atIndex(e, e.Rounds)}
		if c != schedule.Barrier {
			row.Bytes = l.T("learn.times", locale.Values{"Times": atIndex(e, e.Sent, e.Received)})
		}
		row.Note = pairNote(l, e)
		v.Algorithms = append(v.Algorithms, row)
	}
	return v
}

// pairNote says what to know about a pair's figures: that hosts cannot carry it
// out, how finely it is cut; empty for most.
func pairNote(l locale.Locale, e schedule.Entry) string {
	switch {
	case e.Executable && e.Pieces > 1:
		return l.T("learn.pieces", locale.Values{"Pieces": e.Pieces})
	case e.Executable:
		return ""
	case e.Collective == schedule.AllReduce:
		return l.T("lesson.say.join", locale.Values{"First": l.T("learn.shown"), "Next": l.T("learn.shown.whole")})
	}
	return l.T("learn.shown")
}

// atIndex is the largest of some closed forms of an entry for the index's
// ranks.
func atIndex(e schedule.Entry, forms ...schedule.Expr) string {
	most, vars := 0.0, e.Vars(indexRanks, 0, 0)
	vars["S"] = 1
	for _, form := range forms {
		if v, err := form.Eval(vars); err == nil {
			most = max(most, v)
		}
	}
	return significant(most, 3)
}

// storyList lists the pages beside the lessons that tell or compare, in the
// order in which they are shown: their place below learn/, and their messages.
func storyList() []struct{ path, name, what string } {
	return []struct{ path, name, what string }{
		{"why", "learn.why", "learn.why.what"},
		{"central-server", "learn.central-server", "learn.central-server.what"},
		{"race", "learn.race", "learn.race.what"},
		{"topology", "learn.topology", "learn.topology.what"},
		{"bandwidth", "learn.bandwidth", "learn.bandwidth.what"},
		{"libraries", "learn.libraries", "learn.libraries.what"},
		{"customer", "learn.customer", "learn.customer.what"},
	}
}

// Stories lists the places below learn/ of the pages beside the lessons,
// whether they exist or not.
func Stories() []string {
	var all []string
	for _, s := range storyList() {
		all = append(all, s.path)
	}
	return all
}
