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
	return sheet{f.width, f.height, p.Stage.SVG(), Patterns(), p.Style, p.Head, p.Notes, p.Source}.svg()
}

// ChartPicture is a chart that leaves the console, as Picture is a stage.
type ChartPicture struct {
	Frame  Frame  // the chart's
	Chart  string // its SVG
	Style  string
	Head   string
	Notes  []string
	Source string
}

// SVG draws the picture, to stand alone in a file.
func (p ChartPicture) SVG() string {
	return sheet{p.Frame.Width, p.Frame.Height, p.Chart, "", p.Style, p.Head, p.Notes, p.Source}.svg()
}

// sheet is what a drawing stands on when it leaves the console.
type sheet struct {
	width, height float64 // of the drawing
	drawing       string
	patterns      string // that it refers to
	style         string
	head          string
	notes         []string
	source        string
}

func (s sheet) svg() string {
	width := math.Ceil(s.width + 2*pictureEdge) // whole, so that pixels have no edge half white
	foot := pictureEdge + pictureHead + s.height + pictureLine
	height := math.Ceil(foot + float64(len(s.notes))*pictureLine + pictureEdge)
	c := &canvas{width: width}
	fmt.Fprintf(c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%[1]s" height="%[2]s"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>%[3]s</dc:title><dc:source>%[4]s</dc:source></metadata><style>%[5]s</style>`,
		number(width), number(height), html.EscapeString(s.head), html.EscapeString(s.source), strings.ReplaceAll(s.style, "<", ""))
	fmt.Fprintf(c, `<rect class="picture-paper" width="%s" height="%s"/>%s`, number(width), number(height), s.patterns)
	fmt.Fprintf(c, `<text class="t-rank" x="%s" y="%s" font-size="%s">%s</text>`, number(pictureEdge), number(pictureEdge+18), number(fitted(s.head, 22, s.width)), html.EscapeString(s.head))
	fmt.Fprintf(c, `<svg x="%s" y="%s" width="%s" height="%s" %s`, number(pictureEdge), number(pictureEdge+pictureHead), number(s.width), number(s.height), strings.TrimPrefix(s.drawing, "<svg "))
	for i, note := range append(s.notes[:len(s.notes):len(s.notes)], s.source) {
		class, before, after := "t-mut", "", ""
		if i == len(s.notes) {
			before, after = `<a href="`+html.EscapeString(s.source)+`">`, `</a>`
		}
		fmt.Fprintf(c, `%s<text class="%s" x="%s" y="%s" font-size="%s">%s</text>%s`, before, class,
			number(pictureEdge), number(foot+float64(i)*pictureLine), number(fitted(note, pictureNote, s.width)), html.EscapeString(note), after)
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
