package present

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"lockstep/sizing/catalog"
)

// Every field of an entry, every word of one and every reason to refuse it has
// words in both languages.
func TestEntriesHaveWords(t *testing.T) {
	for lang, f := range frames(t) {
		said := func(key string) {
			t.Helper()
			if text := entryTerm(f.Locale, key); strings.HasPrefix(text, "entry.") {
				t.Errorf("%s: %s has no words", lang, key)
			}
		}
		for _, k := range catalog.Kinds() {
			for _, suffix := range []string{"", ".what"} {
				said("kind." + string(k) + suffix)
			}
			for _, field := range catalog.Fields(k) {
				said(field.Key)
				for _, w := range field.Words {
					said("word." + w)
				}
				if text := f.entryTakes(field); text == "" || strings.Contains(text, "<no value>") {
					t.Errorf("%s: what %s takes is %q", lang, field.Key, text)
				}
			}
			known, err := catalog.Embedded()
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range known.Sheets(k) { // carried entries have words that own ones do not
				values, err := s.Values()
				if err != nil {
					t.Fatal(err)
				}
				for _, facts := range f.catalogFacts(s, values) {
					for _, fact := range facts.Facts {
						if strings.HasPrefix(fact.Value, "entry.") || strings.HasPrefix(fact.Name, "entry.") {
							t.Errorf("%s: %s %s: %+v", lang, k, s.ID, fact)
						}
					}
				}
			}
			for _, d := range derived[k] {
				said(d.key)
			}
		}
		for _, g := range catalog.Groups() {
			said("group." + string(g))
		}
		for _, key := range hinted {
			said("says." + key)
		}
		for why := range flawMessages {
			text := f.entryFlaw(&catalog.FieldError{Kind: catalog.Models, Field: catalog.Fields(catalog.Models)[0], Why: why, Given: "x", Other: "layers", Bound: "3"})
			if text == "" || strings.Contains(text, "entry.") || strings.Contains(text, "<no value>") {
				t.Errorf("%s: %s is %q", lang, why, text)
			}
		}
	}
}

// A form gives back every field of every entry as the entry has it.
func TestFormsHoldWholeEntries(t *testing.T) {
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range catalog.Kinds() {
		for _, s := range known.Sheets(k) {
			form, err := EditEntryForm(s)
			if err != nil {
				t.Fatal(err)
			}
			text, err := form.Document()
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			want, err := s.Values()
			if err != nil {
				t.Fatal(err)
			}
			for _, field := range catalog.Fields(k) {
				has, _ := json.Marshal(want[field.Key])
				back, _ := json.Marshal(got[field.Key])
				if empty := []string{"[]", `""`, "null"}; string(has) != string(back) && !(slices.Contains(empty, string(has)) && slices.Contains(empty, string(back))) {
					t.Errorf("%s %s: %s is %s, the form says %s", k, s.ID, field.Key, has, back)
				}
			}
		}
	}
}

func TestSourcesAreLinked(t *testing.T) {
	got := linked("see https://example.com/a; p. 3 javascript:alert(1) https://u:p@x.y/")
	if len(got) != 3 || got[1].URL != "https://example.com/a" || got[2].URL != "" || got[0].Text != "see" {
		t.Errorf("%+v", got)
	}
}
