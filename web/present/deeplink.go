package present

import (
	"net/url"
	"strings"

	"lockstep/engine/schedule"
)

// deepLink leads into a page in an exact state.
type deepLink struct {
	path  string // below the language
	query url.Values
}

// linkTo makes a deep link; the query comes as names and values in turn.
func linkTo(path string, query ...string) deepLink {
	d := deepLink{path: path, query: url.Values{}}
	for i := 0; i+1 < len(query); i += 2 {
		d.query.Set(query[i], query[i+1])
	}
	return d
}

// lessonAt leads to a lesson.
func lessonAt(c schedule.Collective, algorithm string, query ...string) deepLink {
	return linkTo("learn/"+string(c)+"/"+algorithm, query...)
}

// with returns the link with more in its query.
func (d deepLink) with(query ...string) deepLink {
	more := linkTo(d.path, query...)
	for name, values := range d.query {
		if !more.query.Has(name) {
			more.query[name] = values
		}
	}
	return more
}

func (d deepLink) url(f Frame) string {
	// A comma may stand in a query as it is; on paper it is easier to type.
	u := url.URL{Path: f.homeURL() + d.path, RawQuery: strings.ReplaceAll(d.query.Encode(), "%2C", ",")}
	return u.String()
}

// label says where the link leads.
func (d deepLink) label(f Frame) string {
	l := f.Locale
	switch d.path {
	case runPath:
		return l.T("lesson.run")
	case "size":
		return l.T("deep.size")
	case "learn":
		return l.T("learn.title")
	case racePath:
		a, b := d.query.Get("a"), d.query.Get("b")
		return spoken(l, "deep.race", "Title", spoken(l, "race.title", "A", capital(algorithmName(l, a)), "B", capital(algorithmName(l, b))))
	}
	collective, algorithm, lesson := strings.Cut(strings.TrimPrefix(d.path, "learn/"), "/")
	if !lesson {
		for _, s := range storyList() {
			if d.path == "learn/"+s.path {
				return l.T(s.name)
			}
		}
		return d.path
	}
	if collective == "labs" {
		return l.T("lab." + algorithm)
	}
	name := pairName(l, schedule.Collective(collective), algorithm)
	switch n, step := d.query.Get("n"), d.query.Get("step"); {
	case step != "":
		return spoken(l, "deep.step", "Name", name, "Ranks", n, "Step", step)
	case n != "":
		return spoken(l, "deep.ranks", "Name", name, "Ranks", n)
	}
	return name
}
