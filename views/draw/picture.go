package draw

import (
	"fmt"
	"html"
	"strings"
)

// Picture is a stage that leaves the console: its style inside it, under a
// line that says what it is, over one that says where it comes from.
type Picture struct {
	Stage  Stage
	Style  string // CSS without references to anything outside
	Head   string
	Notes  []string // below the stage, a line each
	Source string   // a URL, printed last and linked
}

// Lengths of a picture, in units of the view box.
const (
	pictureEdge = 24.0
	pictureHead = 44.0
	pictureLine = 24.0
)

// SVG draws the picture, to stand alone in a file.
func (p Picture) SVG() string {
	f := p.Stage.form()
	width := f.width + 2*pictureEdge
	foot := pictureEdge + pictureHead + f.height + pictureLine
	height := foot + float64(len(p.Notes))*pictureLine + pictureEdge
	c := &canvas{width: width}
	fmt.Fprintf(c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%[1]s" height="%[2]s"><style>%[3]s</style>`,
		number(width), number(height), strings.ReplaceAll(p.Style, "<", ""))
	fmt.Fprintf(c, `<rect class="picture-paper" width="%s" height="%s"/>%s`, number(width), number(height), Patterns())
	fmt.Fprintf(c, `<text class="t-rank" x="%s" y="%s" font-size="22">%s</text>`, number(pictureEdge), number(pictureEdge+18), html.EscapeString(p.Head))
	stage := strings.TrimPrefix(p.Stage.SVG(), "<svg ")
	fmt.Fprintf(c, `<svg x="%s" y="%s" width="%s" height="%s" %s`, number(pictureEdge), number(pictureEdge+pictureHead), number(f.width), number(f.height), stage)
	for i, note := range append(p.Notes, p.Source) {
		class, before, after := "t-mut", "", ""
		if i == len(p.Notes) {
			before, after = `<a href="`+html.EscapeString(p.Source)+`">`, `</a>`
		}
		fmt.Fprintf(c, `%s<text class="%s" x="%s" y="%s" font-size="15">%s</text>%s`, before, class,
			number(pictureEdge), number(foot+float64(i)*pictureLine), html.EscapeString(note), after)
	}
	return c.close()
}
