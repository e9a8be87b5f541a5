package present

import (
	"net/url"
	"strings"

	"lockstep/views"
	"lockstep/views/locale"
)

// Limits of a search: what a person types, and what a person reads.
const (
	searchMaxQuery = 80
	searchMaxShown = 24
)

// searchForm is the field with what was typed.
func (f Frame) searchForm(query string) views.Search {
	return views.Search{Action: f.homeURL() + "learn", Query: query}
}

// searched presents the answers to a query; nil for an empty one.
func (f Frame) searched(query string, has Existing) (*views.Found, error) {
	query = cut(strings.TrimSpace(strings.ToValidUTF8(query, "")), searchMaxQuery)
	if query == "" {
		return nil, nil
	}
	all, err := findables(f, has)
	if err != nil {
		return nil, err
	}
	l := f.Locale
	answers := search(all, query)
	v := &views.Found{
		Status: l.T("search.status", locale.Values{"Count": len(answers), "Query": clipped(query)}), BackURL: f.homeURL() + "learn",
	}
	for _, a := range answers[:min(len(answers), searchMaxShown)] {
		row := views.FoundRow{Kind: l.T(a.kind), URL: a.url, Name: a.name, Other: a.other, What: a.what}
		if a.matched != "" && a.matched != a.other {
			row.Also = l.T("search.also", locale.Values{"Name": a.matched})
		}
		v.Rows = append(v.Rows, row)
	}
	if more := len(answers) - len(v.Rows); more > 0 {
		v.More = l.T("search.more", locale.Values{"Count": more})
	}
	if len(answers) == 0 {
		v.Status = l.T("search.none", locale.Values{"Query": clipped(query)})
		v.Near = f.suggestions(nearest(all, query, 4))
		v.NearSays = l.T("search.near")
		if len(v.Near) == 0 {
			v.NearSays = l.T("search.try")
			v.Near = f.suggestions([]string{l.T("search.try.1"), l.T("search.try.2"), l.T("search.try.3"), l.T("search.try.4")})
		}
		v.WordsURL = f.homeURL() + wordsPath
	}
	return v, nil
}

// suggestions are searches that find something.
func (f Frame) suggestions(names []string) []views.LessonLink {
	var all []views.LessonLink
	for _, name := range names {
		all = append(all, views.LessonLink{URL: f.homeURL() + "learn?" + url.Values{"q": {name}}.Encode(), Name: name})
	}
	return all
}
