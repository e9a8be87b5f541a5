package present

import (
	"strings"

	"lockstep/views"
	"lockstep/views/locale"
)

// wordsPath is the glossary's place below the language.
const wordsPath = "learn/words"

// Words presents the glossary.
func Words(f Frame, has Existing) (views.Words, error) {
	words, err := readGlossary()
	if err != nil {
		return views.Words{}, err
	}
	l := f.Locale
	v := views.Words{
		Page: f.page(l.T("words.title")), Lead: l.T("words.lead", locale.Values{"Count": len(words)}), BackURL: f.homeURL() + "learn",
		Search: f.searchForm(""),
	}
	for _, category := range glossaryCategories() {
		part := views.WordPart{ID: "words-" + category.id, Name: l.T(category.message)}
		for _, w := range words {
			if w.Category != category.id {
				continue
			}
			row := views.Word{ID: "w-" + w.ID, Name: w.name(l), Other: w.name(f.Other), Also: listed(l, w.also()), Says: w.says(l)}
			if row.Other == row.Name {
				row.Other = ""
			}
			if row.URL = w.shown(f, has); row.URL != "" {
				row.Label = l.T("words.see", locale.Values{"Name": row.Name})
			}
			part.Words = append(part.Words, row)
		}
		v.Parts = append(v.Parts, part)
	}
	return v, nil
}

// listed joins names as a language does.
func listed(l locale.Locale, names []string) string {
	if l.Lang() == locale.Chinese {
		return strings.Join(names, "、")
	}
	return strings.Join(names, ", ")
}
