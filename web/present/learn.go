package present

import (
	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/locale"
)

// LearnRequest asks for the index of what there is to learn.
type LearnRequest struct {
	Missing string   // a lesson that was asked for and does not exist
	Stories []string // the pages beside the lessons that exist, such as "race"
}

// Learn presents the index.
func Learn(f Frame, r LearnRequest) views.Learn {
	v := views.Learn{Page: f.page(f.Locale.T("learn.title"))}
	if r.Missing != "" {
		v.Missing = f.Locale.T("learn.missing", locale.Values{"Given": short(r.Missing)})
	}
	entries := schedule.Catalog()
	for _, c := range schedule.Collectives() {
		v.Collectives = append(v.Collectives, learnCollective(f, c, entries))
	}
	v.Note = f.Locale.T("learn.note", locale.Values{"Ranks": indexRanks, "Nodes": schedule.PerNode(indexRanks, 0)})
	for _, story := range r.Stories {
		if words, known := stories[story]; known {
			v.Stories = append(v.Stories, views.LessonLink{URL: f.homeURL() + "learn/" + story, Name: f.Locale.T(words.name), What: f.Locale.T(words.what)})
		}
	}
	return v
}

// indexRanks is the number of ranks for which the index counts.
const indexRanks = 8

// learnCollective lists the algorithms of one collective.
func learnCollective(f Frame, c schedule.Collective, entries []schedule.Entry) views.LearnCollective {
	l := f.Locale
	v := views.LearnCollective{ID: string(c), Name: collectiveName(l, c), Other: collectiveName(f.Other, c), Line: l.T(collectiveMessage(c) + ".line"),
		Use: l.T(collectiveMessage(c) + ".use"), Kin: l.T(collectiveMessage(c) + ".kin")}
	for _, p := range primitives {
		if p.collective == c {
			v.Glyph = glyph(p.before, p.after)
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
		if !e.Executable {
			row.Note = l.T("learn.shown")
		}
		v.Algorithms = append(v.Algorithms, row)
	}
	return v
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

// stories are the pages beside the lessons.
var stories = map[string]struct{ name, what string }{
	"central-server": {"learn.central-server", "learn.central-server.what"},
	"race":           {"learn.race", "learn.race.what"},
}
