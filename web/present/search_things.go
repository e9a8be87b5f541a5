package present

import (
	"slices"
	"strings"
	"sync"

	"lockstep/engine/schedule"
	"lockstep/sizing/catalog"
	"lockstep/views"
	"lockstep/views/locale"
)

// findables lists what there is to find, in the order in which equally good
// answers are listed.
func findables(f Frame, has Existing) ([]findable, error) {
	words, err := readGlossary()
	if err != nil {
		return nil, err
	}
	var all []findable
	for _, w := range words {
		all = append(all, w.findable(f, has))
	}
	all = append(all, f.foundStories(has)...)
	for _, e := range schedule.Catalog() {
		all = append(all, f.foundLesson(e, words))
	}
	all = append(append(append(all, f.foundPaths()...), f.foundLabs()...), f.foundSize())
	all = append(all, f.foundCatalog()...)
	confusions, err := f.foundConfusions(has)
	return append(all, confusions...), err
}

func (w word) findable(f Frame, has Existing) findable {
	thing := findable{
		kind: "search.kind.word", url: w.anchor(f), name: w.name(f.Locale), other: w.name(f.Other), what: w.says(f.Locale),
		names: []string{w.name(f.Locale), w.name(f.Other)}, also: w.also(),
	}
	if w.Collective != "" {
		thing.kind, thing.url = "search.kind.collective", w.shown(f, has)
		// The pages' own spelling, where it differs.
		thing.names = append(thing.names, collectiveName(f.Locale, w.Collective), collectiveName(f.Other, w.Collective))
		thing.calls = callsOf(w.Collective, false)
	}
	return thing.ready()
}

// foundLesson is a lesson, which can be found by the words that its name is
// made of and by the calls that are its collective.
func (f Frame) foundLesson(e schedule.Entry, words []word) findable {
	thing := findable{
		kind: "search.kind.lesson", url: f.homeURL() + lessonPath(e),
		name: pairName(f.Locale, e.Collective, e.Algorithm), other: pairName(f.Other, e.Collective, e.Algorithm), what: pairWhen(f.Locale, e.Collective, e.Algorithm),
	}
	thing.names = []string{thing.name, thing.other}
	thing.calls = callsOf(e.Collective, true)
	for _, l := range []locale.Locale{f.Locale, f.Other} {
		thing.parts = append(thing.parts, collectiveName(l, e.Collective), algorithmName(l, e.Algorithm))
	}
	for _, w := range words {
		if w.Collective == e.Collective && w.Collective != "" || w.Algorithm == e.Algorithm && w.Algorithm != "" {
			thing.parts = append(append(thing.parts, w.Chinese, w.English), w.also()...)
		}
	}
	return thing.ready()
}

// foundStories are the pages that compare or tell.
func (f Frame) foundStories(has Existing) []findable {
	var all []findable
	for _, s := range storyList() {
		if !slices.Contains(has.Stories, s.path) {
			continue
		}
		name, other := f.Locale.T(s.name), f.Other.T(s.name)
		all = append(all, findable{
			kind: "search.kind.story", url: f.homeURL() + "learn/" + s.path, name: name, other: other,
			what: f.Locale.T(s.what), names: []string{name, other}, also: alsoFor["learn/"+s.path], parts: []string{f.Locale.T(s.what), f.Other.T(s.what)},
		}.ready())
	}
	return all
}

func (f Frame) foundPaths() []findable {
	var all []findable
	for _, p := range paths() {
		name, other := f.Locale.T(p.message()), f.Other.T(p.message())
		all = append(all, findable{kind: "search.kind.path", url: f.homeURL() + p.path(), name: name, other: other,
			what: f.Locale.T(p.message() + ".what"), names: []string{name, other}, also: alsoFor[p.path()], parts: []string{f.Locale.T(p.message() + ".what"), f.Other.T(p.message() + ".what")}}.ready())
	}
	return all
}

// foundSize is the page that computes what a cluster needs.
func (f Frame) foundSize() findable {
	name, other := f.Locale.T("size.title"), f.Other.T("size.title")
	return findable{kind: "search.kind.tool", url: f.homeURL() + "size", name: name, other: other, what: f.Locale.T("size.lead"),
		names: []string{name, other}, also: alsoFor["size"]}.ready()
}

// foundCatalog are the pages of the catalogue.
func (f Frame) foundCatalog() []findable {
	one := func(k catalog.Kind, term func(locale.Locale) (name, what string)) findable {
		name, what := term(f.Locale)
		other, otherWhat := term(f.Other)
		return findable{kind: "search.kind.catalog", url: f.catalogURL(k), name: name, other: other, what: what,
			names: []string{name, other}, parts: []string{what, otherWhat, f.Locale.T("catalog.title"), f.Other.T("catalog.title")}}.ready()
	}
	all := []findable{one("", func(l locale.Locale) (string, string) { return l.T("catalog.title"), l.T("catalog.lead") })}
	for _, k := range catalog.Kinds() {
		all = append(all, one(k, func(l locale.Locale) (string, string) {
			return entryTerm(l, "kind."+string(k)), entryTerm(l, "kind."+string(k)+".what")
		}))
	}
	return all
}

func (f Frame) foundLabs() []findable {
	var all []findable
	for _, lab := range labs() {
		name, other := f.Locale.T(lab.message()), f.Other.T(lab.message())
		all = append(all, findable{kind: "search.kind.lab", url: f.homeURL() + lab.path(), name: name, other: other,
			what: f.Locale.T(lab.message() + ".goal"), names: []string{name, other}, also: alsoFor[lab.path()], parts: []string{f.Locale.T(lab.message() + ".goal"), f.Other.T(lab.message() + ".goal")}}.ready())
	}
	return all
}

// foundConfusions are what is commonly confused, with what is right.
func (f Frame) foundConfusions(has Existing) ([]findable, error) {
	if !slices.Contains(has.Stories, strings.TrimPrefix(bandwidthPath, "learn/")) {
		return nil, nil
	}
	turned := f
	turned.Locale, turned.Other = f.Other, f.Locale
	here, err := f.usualConfusions()
	if err != nil {
		return nil, err
	}
	there, err := turned.usualConfusions()
	if err != nil {
		return nil, err
	}
	var all []findable
	for i, c := range here {
		all = append(all, findable{
			kind: "search.kind.confusion", url: f.homeURL() + bandwidthPath + c.URL, name: c.Says, other: there[i].Says, what: c.Right, quote: true,
			names: []string{c.Says, there[i].Says}, parts: []string{c.Right, there[i].Right},
		}.ready())
	}
	return all, nil
}

// usualConfusions are the confusions with the figures that their page opens
// with. Whoever types a search asks for them with each letter, and to price
// them takes longer than to search.
func (f Frame) usualConfusions() ([]views.Confusion, error) {
	priced, _ := pricedConfusions.LoadOrStore(f.Locale.Lang(), sync.OnceValues(func() ([]views.Confusion, error) {
		p := newBandwidthPage(f, ReadBandwidth(nil))
		return p.confusions(), p.err
	}))
	return priced.(func() ([]views.Confusion, error))()
}

// pricedConfusions holds them by language; the program's texts do not change.
var pricedConfusions sync.Map
