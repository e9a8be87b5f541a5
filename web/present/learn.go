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
	for _, e := range schedule.Catalog() {
		t := teller{l: f.Locale, f: &facts{schedule: &schedule.Schedule{Collective: e.Collective, Algorithm: e.Algorithm}}, words: wordsOf(e)}
		link := views.LessonLink{URL: f.homeURL() + lessonPath(e), Name: t.name(f.Locale), Other: t.name(f.Other), What: t.what()}
		for _, p := range primitives {
			if p.collective == e.Collective {
				link.Glyph = glyph(p.before, p.after)
			}
		}
		v.Lessons = append(v.Lessons, link)
	}
	for _, story := range r.Stories {
		if words, known := stories[story]; known {
			v.Stories = append(v.Stories, views.LessonLink{URL: f.homeURL() + "learn/" + story, Name: f.Locale.T(words.name), What: f.Locale.T(words.what)})
		}
	}
	return v
}

// stories are the pages beside the lessons.
var stories = map[string]struct{ name, what string }{
	"central-server": {"learn.central-server", "learn.central-server.what"},
	"race":           {"learn.race", "learn.race.what"},
}
