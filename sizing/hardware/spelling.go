package hardware

import (
	"regexp"
	"strings"
)

// blank are cells that say nothing.
var blank = regexp.MustCompile(`^(?:n ?a|none|null|nil|unknown|unspecified|not (?:stated|given|known|specified|applicable)|tbd|无|未知|不详|未说明)?$`)

// apart are words that people write as one with others.
var apart = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\b(nvidia|amd|intel|huawei|habana|aws|google|tesla|geforce|instinct|quadro|ascend|dgx|hgx|华为|昇腾)_?([a-z]+ ?\d)`), "$1 $2"}, // DGXH100
	{regexp.MustCompile(`(ascend|昇腾)(\d)`), "$1 $2"},
	{regexp.MustCompile(`\b(gb\d00|[abhv]\d{1,3}s?|h\d00)(sxm|pcie|nvl|oam|hgx|cnx)`), "$1 $2"}, // H100SXM5
	{regexp.MustCompile(`\b([a-z]+\d\w*?) ?x ?(\d{1,3})\b`), "$1 x $2"},                         // H100x8
}

// counted is a count that is written as one with what it counts: 8xH100.
var counted = regexp.MustCompile(`\b(\d+) ?x ?([a-z]\w*)`)

// spelled is the plain text of an accelerator, with its words apart.
func spelled(text string) string {
	text = counted.ReplaceAllStringFunc(plain(text), func(word string) string {
		m := counted.FindStringSubmatch(word)
		if m[2] == "l" || strings.HasPrefix(m[2], "large") { // an instance's size: 48xlarge
			return word
		}
		return m[1] + " x " + m[2]
	})
	for _, a := range apart {
		text = a.pattern.ReplaceAllString(text, a.with)
	}
	return text
}
