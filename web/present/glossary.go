package present

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"lockstep/engine/schedule"
	"lockstep/views/locale"
)

// glossaryText is the words of the field in both languages, with the other
// names that people give them.
//
//go:embed glossary.json
var glossaryText []byte

// word is an entry of the glossary.
type word struct {
	ID           string              `json:"id"` // as it stands in addresses
	Category     string              `json:"category"`
	Chinese      string              `json:"zh"`
	English      string              `json:"en"`
	ChineseAlso  []string            `json:"zh_alt"` // other names, in either script
	EnglishAlso  []string            `json:"en_alt"`
	ShortChinese string              `json:"short_zh"` // what it means, in a sentence
	ShortEnglish string              `json:"short_en"`
	Collective   schedule.Collective `json:"collective"` // that it names; empty for none
	Algorithm    string              `json:"algorithm"`  // that it names; empty for none
	See          string              `json:"see"`        // the page that shows it, below the language; empty for none
}

// readGlossary returns the words in the order in which they are listed. It is
// read once; a test reads it too, so that it cannot be broken here.
var readGlossary = sync.OnceValues(func() ([]word, error) {
	var words []word
	if err := json.Unmarshal(glossaryText, &words); err != nil {
		return nil, fmt.Errorf("read glossary: %w", err)
	}
	return words, nil
})

// glossaryCategories lists the parts of the glossary in the order in which they
// are shown.
func glossaryCategories() []struct{ id, message string } {
	return []struct{ id, message string }{
		{"collective", "words.collective"}, {"algorithm", "words.algorithm"}, {"schedule", "words.schedule"}, {"metric", "words.metric"},
		{"parallelism", "words.parallelism"}, {"training", "words.training"}, {"hardware", "words.hardware"}, {"software", "words.software"},
	}
}

// name is what the word is called in a language.
func (w word) name(l locale.Locale) string {
	if l.Lang() == locale.Chinese {
		return w.Chinese
	}
	return w.English
}

// says is what the word means.
func (w word) says(l locale.Locale) string {
	if l.Lang() == locale.Chinese {
		return w.ShortChinese
	}
	return w.ShortEnglish
}

// also lists the other names of the word that are not parts of how it is
// called, each once.
func (w word) also() []string {
	var all []string
	for _, name := range append(slices.Clone(w.ChineseAlso), w.EnglishAlso...) {
		same := func(other string) bool { return strings.EqualFold(other, name) }
		if name != w.Chinese && name != w.English && !slices.ContainsFunc(all, same) {
			all = append(all, name)
		}
	}
	return all
}

// anchor is where the word stands on the page of words.
func (w word) anchor(f Frame) string { return f.homeURL() + wordsPath + "#w-" + w.ID }

// shown is the page that shows the word, empty for none: the one it names, else
// the collective's own, else the first lesson by its algorithm.
func (w word) shown(f Frame, has Existing) string {
	switch {
	case w.Collective != "":
		return has.collectiveURL(f, w.Collective)
	case w.Algorithm != "":
		for _, e := range schedule.Catalog() {
			if e.Algorithm == w.Algorithm && (e.Collective == schedule.AllReduce || !algorithmOf(schedule.AllReduce, w.Algorithm)) {
				return f.homeURL() + lessonPath(e)
			}
		}
	case w.See != "" && has.page(w.See):
		return f.homeURL() + w.See
	}
	return ""
}

// algorithmOf reports whether a collective has the algorithm.
func algorithmOf(c schedule.Collective, algorithm string) bool {
	_, err := schedule.Find(c, algorithm)
	return err == nil
}
