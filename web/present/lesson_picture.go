package present

import (
	"regexp"
	"strings"
)

var (
	pairToken  = regexp.MustCompile(`--([\w-]+): (?:light-dark\(([^,]+), ([^)]+)\)|([^;]+));`)
	tokenUse   = regexp.MustCompile(`var\(--([\w-]+)\)`)
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
)

// PictureStyle makes a style sheet that stands alone: the given rules with the
// light values of the tokens in them, or the dark ones, for viewers that know
// neither variables nor themes.
func PictureStyle(dark bool, tokens string, sheets ...string) string {
	return pictureStyle(dark, drawnSelector, tokens, sheets...)
}

// ChartStyle is PictureStyle for charts.
func ChartStyle(dark bool, tokens string, sheets ...string) string {
	return pictureStyle(dark, chartSelector, tokens, sheets...)
}

// pictureStyle takes over the rules whose selectors match.
func pictureStyle(dark bool, taken *regexp.Regexp, tokens string, sheets ...string) string {
	values := map[string]string{}
	for _, m := range pairToken.FindAllStringSubmatch(tokens, -1) {
		values[m[1]] = m[2] + m[4]
		if dark {
			values[m[1]] = m[3] + m[4]
		}
	}
	values["paper"] = values["bg"] // what drawings lie on, see chart.css
	var style strings.Builder
	style.WriteString("svg { font-family: " + values["font-zh"] + "; }\n.defs { width: 0; height: 0; }\n.picture-paper { fill: " + values["bg"] + "; }\n")
	for _, sheet := range sheets {
		for _, rule := range strings.SplitAfter(cssComment.ReplaceAllString(sheet, ""), "}") {
			selector := strings.TrimSpace(rule)
			if strings.HasPrefix(selector, "@") || !taken.MatchString(selector) {
				continue
			}
			style.WriteString(tokenUse.ReplaceAllStringFunc(selector, func(use string) string {
				return values[tokenUse.FindStringSubmatch(use)[1]]
			}) + "\n")
		}
	}
	return style.String()
}

// drawnSelector matches the rules of what stands in a stage.
var drawnSelector = regexp.MustCompile(`^\S*(cell-|tick-|hue-|stage|token|t-|g-|move|heat|\.final|\.fine|\.sends|\.receives)`)

// chartSelector matches the rules of what stands in a chart, but not of its box.
var chartSelector = regexp.MustCompile(`^(\.chart (text|\.g-)|\.g-|\.t-)`)
