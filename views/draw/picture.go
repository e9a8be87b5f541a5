package draw

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Picture is a stage that leaves the console: its style inside it, under a
// line that says what it is, over one that says where it comes from.
type Picture struct {
	Stage  Stage
	Style  string // CSS without references to anything outside
	Head   string
	Notes  []string // below the stage, a line each
	Source string   // a URL, printed last, linked, and among the metadata
}

// Lengths of a picture, in units of the view box.
const (
	pictureEdge = 24.0
	pictureHead = 44.0
	pictureLine = 24.0
	pictureNote = 15.0 // size of the notes
)

// SVG draws the picture, to stand alone in a file.
func (p Picture) SVG() string {
	f := p.Stage.form()
	width := math.Ceil(f.width + 2*pictureEdge) // whole, so that pixels have no edge half white
	foot := pictureEdge + pictureHead + f.height + pictureLine
	height := math.Ceil(foot + float64(len(p.Notes))*pictureLine + pictureEdge)
	c := &canvas{width: width}
	fmt.Fprintf(c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%[1]s" height="%[2]s"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>%[3]s</dc:title><dc:source>%[4]s</dc:source></metadata><style>%[5]s</style>`,
		number(width), number(height), html.EscapeString(p.Head), html.EscapeString(p.Source), strings.ReplaceAll(p.Style, "<", ""))
	fmt.Fprintf(c, `<rect class="picture-paper" width="%s" height="%s"/>%s`, number(width), number(height), Patterns())
	fmt.Fprintf(c, `<text class="t-rank" x="%s" y="%s" font-size="%s">%s</text>`, number(pictureEdge), number(pictureEdge+18), number(fitted(p.Head, 22, f.width)), html.EscapeString(p.Head))
	room := f.width
	stage := strings.TrimPrefix(p.Stage.SVG(), "<svg ")
	fmt.Fprintf(c, `<svg x="%s" y="%s" width="%s" height="%s" %s`, number(pictureEdge), number(pictureEdge+pictureHead), number(f.width), number(f.height), stage)
	for i, note := range append(p.Notes, p.Source) {
		class, before, after := "t-mut", "", ""
		if i == len(p.Notes) {
			before, after = `<a href="`+html.EscapeString(p.Source)+`">`, `</a>`
		}
		fmt.Fprintf(c, `%s<text class="%s" x="%s" y="%s" font-size="%s">%s</text>%s`, before, class,
			number(pictureEdge), number(foot+float64(i)*pictureLine), number(fitted(note, pictureNote, room)), html.EscapeString(note), after)
	}
	return c.close()
}

// fitted is the size at which words take no more than the room there is.
func fitted(words string, size, room float64) float64 {
	if width := measure(words) * size / textSize; width > room {
		return size * room / width
	}
	return size
}
