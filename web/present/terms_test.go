package present

import (
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// Everything that the catalogue says has a name in both languages, and says in
// English what the catalogue says.
func TestTheCatalogueHasWords(t *testing.T) {
	for lang, f := range frames(t) {
		l := f.Locale
		said := func(what, id, text string) {
			t.Helper()
			if text == "" || strings.Contains(text, id) || strings.Contains(text, "<no value>") {
				t.Errorf("%s: %s has no words: %q", lang, what, text)
			}
		}
		for _, c := range schedule.Collectives() {
			for _, suffix := range []string{"", ".line", ".use", ".kin", ".start", ".held"} {
				if c == schedule.Barrier && suffix == ".held" { // it has no data
					continue
				}
				id := collectiveMessage(c) + suffix
				said(id, "collective.", l.T(id, map[string]any{"Root": 0, "Ranks": 2, "Blocks": 2}))
			}
		}
		for _, e := range schedule.Catalog() {
			pair := string(e.Collective) + "/" + e.Algorithm
			said(pair, "algorithm.", algorithmName(l, e.Algorithm))
			said(pair, "algorithm.", pairName(l, e.Collective, e.Algorithm)+pairWhat(l, e.Collective, e.Algorithm))
			said(pair, "pair.", pairWhen(l, e.Collective, e.Algorithm))
			if when := pairWhen(l, e.Collective, e.Algorithm); lang == "en" && when != capital(e.When) {
				t.Errorf("%s is said to be for %q, by the catalogue for %q", pair, when, e.When)
			}
			for _, way := range e.Ways() {
				for _, term := range way {
					said(pair, "phase.", phaseTerm(l, term.Phase))
					said(pair, "port.", portTerm(l, term.Port))
				}
			}
			for _, n := range []int{2, 7, 8} {
				s, err := schedule.Build(schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n})
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range s.Phases {
					said(pair, "phase.", phaseTerm(l, p.Key)+l.T("phase."+p.Key+".line"))
				}
			}
		}
		for i := schedule.RootHoldsAll; !strings.HasPrefix(i.String(), "unknown"); i++ {
			for _, root := range []int{0, 1} {
				said(i.String(), "invariant.", invariantTerm(l, &schedule.Schedule{Collective: schedule.Broadcast, Root: root, Ranks: 4}, i))
			}
		}
		for p := schedule.EveryPort; !strings.HasPrefix(p.String(), "unknown"); p++ {
			said(p.String(), "port.", portTerm(l, p))
		}
	}
}
