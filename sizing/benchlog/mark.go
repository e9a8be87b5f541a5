package benchlog

import (
	"regexp"
	"strings"
)

// mark is a pattern with a word that every line it fits holds: most lines of a
// long log are settled by looking for the word, which is a hundred times
// quicker.
type mark struct {
	word    string
	pattern *regexp.Regexp
}

func newMark(word, pattern string) mark { return mark{word, regexp.MustCompile(pattern)} }

// in returns the pattern's groups in a line, or nil.
func (m mark) in(line string) []string {
	if !strings.Contains(line, m.word) {
		return nil
	}
	return m.pattern.FindStringSubmatch(line)
}

// all returns the groups of every occurrence, up to a number.
func (m mark) all(line string, most int) [][]string {
	if !strings.Contains(line, m.word) {
		return nil
	}
	return m.pattern.FindAllStringSubmatch(line, most)
}
