package present

import (
	"fmt"
	"html"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// Drawing is a step of a lesson that leaves the console.
type Drawing struct {
	SVG    string
	Title  string
	Source string // where it comes from, which also stands in it
	Name   string // of a file, without its ending
}

// LessonPicture draws the step that a request asks for, to stand alone in a
// file, in a style of PictureStyle.
func LessonPicture(f Frame, r LessonRequest, style string) (Drawing, error) {
	t, err := openLesson(f, r, shownOnly)
	if err != nil {
		return Drawing{}, err
	}
	return t.drawing(f, r, t.c.step, style), nil
}

func (t teller) drawing(f Frame, r LessonRequest, at int, style string) Drawing {
	place, phase, _ := t.phase(at)
	title := t.name(f.Locale) + " · " + t.count(at) + " · " + strings.TrimSpace(place+" "+phase)
	link := r.Origin + t.plain().at(at).url(f, "")
	p := draw.Picture{Stage: t.stage(at, false), Style: style, Head: title, Notes: t.pictureNotes(), Source: link}
	if t.c.broken != nil {
		p.Notes = append(p.Notes, t.l.T("take.broken"))
	}
	return Drawing{SVG: p.SVG(), Title: title, Source: link, Name: t.fileName("step" + strconv.Itoa(at))}
}

// fileName names a file that leaves the lesson: all-reduce-ring-n8-step5.
func (t teller) fileName(what string) string {
	name := fmt.Sprintf("%s-%s-n%d", t.c.entry.Collective, t.c.entry.Algorithm, t.c.ranks)
	if t.c.broken != nil {
		name += "-" + t.c.defect
	}
	return name + "-" + what
}

// plain is the choice as somebody meets it who follows a link: no frame of
// another page, no projector, no question half answered.
func (t teller) plain() choice {
	c := t.c
	c.embed, c.present, c.ask = false, false, askChoice{}
	return c
}

// fileURL is the address of a document beside the lesson, with more to say
// than the choice: names and values by turns.
func (t teller) fileURL(f Frame, c choice, document string, more ...string) string {
	q := c.query()
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	u := url.URL{Path: f.homeURL() + c.path() + document, RawQuery: q.Encode()}
	return u.String()
}

// IsDark reports whether a picture is asked for in dark colours.
func IsDark(query url.Values) bool { return query.Get("theme") == "dark" }

// Pixels that a picture may have to a unit of its drawing.
const (
	usualScale = 2
	mostScale  = 3
)

// PictureScale is how many pixels a picture has to a unit of its drawing: the
// nearest that there is to what is asked for.
func PictureScale(query url.Values) int {
	asked, err := strconv.Atoi(query.Get("scale"))
	if err != nil {
		return usualScale
	}
	return min(max(asked, 1), mostScale)
}

// Sizes of a frame, in pixels: what shows the stage and its explanation side by
// side, and the height at which all of an ordinary lesson is in view.
const (
	embedWidth, embedHeight = 1200, 900
	embedWhole              = 1320
)

// takeaway is everything that leaves the lesson, from the step that is shown.
func (t teller) takeaway(f Frame, r LessonRequest) *views.Takeaway {
	here, start := t.plain(), t.plain().at(0)
	v := &views.Takeaway{
		Open:       r.Query.Get("out") == "1",
		SVG:        []views.TakeLink{t.vector(f, here, false), t.vector(f, here, true)},
		Film:       t.fileURL(f, start, "/lesson.gif"),
		Handout:    t.fileURL(f, start, "/handout"),
		QR:         t.fileURL(f, here, "/qr.svg"),
		Link:       r.Origin + here.url(f, ""),
		EmbedNote:  t.l.T("take.embed.note", locale.Values{"Width": embedWidth, "Height": embedHeight, "Whole": embedWhole}),
		EmbedStart: t.l.T("take.embed.start"),
	}
	for _, theme := range []string{"light", "dark"} {
		row := views.TakeRow{Name: t.l.T(themeNames[theme])}
		for scale := 1; scale <= mostScale; scale++ {
			link := t.fileURL(f, here, "/step.png", "scale", strconv.Itoa(scale), "theme", theme)
			name := strconv.Itoa(scale) + "×"
			row.Links = append(row.Links, views.TakeLink{URL: link, Name: name, Full: t.l.T("take.png.full", locale.Values{"Theme": row.Name, "Scale": name})})
		}
		v.PNG = append(v.PNG, row)
	}
	film := t.reel()
	v.FilmNote = t.l.T("take.film.note", locale.Values{"Frames": len(film.steps), "Seconds": film.seconds()})
	if film.every > 1 {
		v.FilmNote = t.l.T("lesson.say.join", locale.Values{"First": v.FilmNote, "Next": t.l.T("take.every", locale.Values{"Every": film.every})})
	}
	sheets := t.sheets()
	v.HandoutNote = t.l.T("take.handout.note", locale.Values{"Pages": len(sheets.steps)})
	if sheets.every > 1 {
		v.HandoutNote = t.l.T("lesson.say.join", locale.Values{"First": v.HandoutNote, "Next": t.l.T("take.every.page", locale.Values{"Every": sheets.every})})
	}
	framed := here
	framed.embed = true
	v.Embed = fmt.Sprintf(`<iframe src="%s" title="%s" width="%d" height="%d" loading="lazy"></iframe>`,
		html.EscapeString(r.Origin+framed.url(f, "")), html.EscapeString(t.name(f.Locale)), embedWidth, embedHeight)
	if loopback(r.Origin) {
		v.Local = t.l.T("take.local")
	}
	return v
}

func (t teller) vector(f Frame, c choice, dark bool) views.TakeLink {
	theme := "light"
	if dark {
		theme = "dark"
	}
	name := t.l.T(themeNames[theme])
	return views.TakeLink{URL: t.fileURL(f, c, "/step.svg", "theme", theme), Name: name, Full: t.l.T("take.svg.full", locale.Values{"Theme": name})}
}

// loopback reports whether an origin leads to the machine itself, wherever it
// is opened.
func loopback(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if host == "localhost" {
		return true
	}
	at, err := netip.ParseAddr(host)
	return err == nil && at.IsLoopback()
}

// themeNames are the messages that name a picture's theme.
var themeNames = map[string]string{"light": "take.theme.light", "dark": "take.theme.dark"}
