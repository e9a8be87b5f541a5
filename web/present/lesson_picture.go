package present

import (
	"regexp"
	"strings"

	"lockstep/views/draw"
)

// LessonPicture draws the step that a request asks for, to stand alone in a
// file. The origin is where the console was reached, for the link inside.
func LessonPicture(f Frame, r LessonRequest, style, origin string) (string, error) {
	t, err := openLesson(f, r, shownOnly)
	if err != nil {
		return "", err
	}
	place, phase, _ := t.phase(t.c.step)
	link := t.c
	link.embed, link.present = false, false
	return draw.Picture{
		Stage:  t.stage(t.c.step, false),
		Style:  style,
		Head:   t.name(f.Locale) + " · " + t.count(t.c.step) + " · " + strings.TrimSpace(place+" "+phase),
		Notes:  []string{t.summary()},
		Source: origin + link.url(f, ""),
	}.SVG(), nil
}

var (
	lightToken = regexp.MustCompile(`--([\w-]+): (?:light-dark\(([^,]+), [^)]+\)|([^;]+));`)
	tokenUse   = regexp.MustCompile(`var\(--([\w-]+)\)`)
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
)

// PictureStyle makes a style sheet that stands alone: the given rules with the
// light values of the tokens in them, for viewers that know neither variables
// nor themes.
func PictureStyle(tokens string, sheets ...string) string {
	values := map[string]string{}
	for _, m := range lightToken.FindAllStringSubmatch(tokens, -1) {
		values[m[1]] = m[2] + m[3]
	}
	var style strings.Builder
	style.WriteString("svg { font-family: " + values["font-zh"] + "; }\n.defs { width: 0; height: 0; }\n.picture-paper { fill: " + values["bg"] + "; }\n")
	for _, sheet := range sheets {
		for _, rule := range strings.SplitAfter(cssComment.ReplaceAllString(sheet, ""), "}") {
			selector := strings.TrimSpace(rule)
			if strings.HasPrefix(selector, "@") || !drawnSelector.MatchString(selector) {
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
var drawnSelector = regexp.MustCompile(`^\S*(cell-|tick-|hue-|stage|token|t-|g-|move|heat|\.final|\.sends|\.receives)`)
