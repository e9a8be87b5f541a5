package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"image"
	"io"
	"net/http"

	"lockstep/static"
	"lockstep/views"
	"lockstep/views/raster"
	"lockstep/web/present"
)

// pictures is what drawings carry along when they leave the console.
type pictures struct{ light, dark pictureStyle }

type pictureStyle struct {
	rules  string
	charts string // rules for a chart in place of a stage
	policy string // of an answer that is such a drawing: only this style
}

func newPictures(files *static.Files) pictures {
	style := func(dark bool) pictureStyle {
		rules := present.PictureStyle(dark, string(files.Content("css/tokens.css")), string(files.Content("css/parts.css")), string(files.Content("css/stage.css")))
		sum := sha256.Sum256([]byte(rules))
		charts := present.ChartStyle(dark, string(files.Content("css/tokens.css")), string(files.Content("css/chart.css")), string(files.Content("css/stage.css")))
		return pictureStyle{rules, charts, "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; frame-ancestors 'none'"}
	}
	return pictures{style(false), style(true)}
}

// of is the style that a request asks for.
func (p pictures) of(r *http.Request) pictureStyle {
	if present.IsDark(r.URL.Query()) {
		return p.dark
	}
	return p.light
}

// nothingElse is the policy of an answer that has nothing to load.
const nothingElse = "default-src 'none'; frame-ancestors 'none'"

// sendFile answers with a file that is shown where it is opened and has a name
// where it is kept.
func sendFile(w http.ResponseWriter, kind, policy, name string, content []byte) {
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Security-Policy", policy)
	header.Set("Content-Disposition", `inline; filename="`+name+`"`)
	header.Set("Cache-Control", "private, no-cache")
	_, _ = w.Write(content) // an error means that the visitor has left
}

// lessonPicture is a step of a lesson as a drawing that stands alone.
func (s *server) lessonPicture(w http.ResponseWriter, r *http.Request) error {
	frame := s.lessonFrame(w, r)
	request, found := s.lessonRequest(w, r, frame)
	if !found {
		return nil
	}
	style := s.pictures.of(r)
	drawing, err := present.LessonPicture(frame, request, style.rules)
	if err != nil {
		return err
	}
	sendFile(w, "image/svg+xml", style.policy, drawing.Name+".svg", []byte(drawing.SVG))
	return nil
}

// lessonPixels is the same as a PNG.
func (s *server) lessonPixels(w http.ResponseWriter, r *http.Request) error {
	frame := s.lessonFrame(w, r)
	request, found := s.lessonRequest(w, r, frame)
	if !found {
		return nil
	}
	drawing, err := present.LessonPicture(frame, request, s.pictures.of(r).rules)
	if err != nil {
		return err
	}
	scale := present.PictureScale(r.URL.Query())
	key := printKey(fmt.Sprintf("png %d", scale), drawing.SVG)
	file, err := s.press.print(key, func(p *raster.Painter, to *bytes.Buffer) error {
		return paint(p, to, drawing, scale)
	})
	if err != nil {
		return err
	}
	sendFile(w, "image/png", nothingElse, drawing.Name+".png", file)
	return nil
}

// paint makes a PNG of a drawing, with so many pixels to a unit.
func paint(p *raster.Painter, to *bytes.Buffer, drawing present.Drawing, scale int) error {
	img, err := p.Draw(drawing.SVG, float64(scale))
	if err != nil {
		return err
	}
	return raster.WritePNG(to, img, raster.Label{Title: drawing.Title, Source: drawing.Source})
}

// lessonFilm is a lesson from its first step to its last as an animated GIF.
func (s *server) lessonFilm(w http.ResponseWriter, r *http.Request) error {
	frame := s.lessonFrame(w, r)
	request, found := s.lessonRequest(w, r, frame)
	if !found {
		return nil
	}
	style := s.pictures.of(r).rules
	film, err := present.LessonFilm(frame, request, style)
	if err != nil {
		return err
	}
	// The link holds every choice and the language, but the words of this build.
	key := printKey("gif", film.Source, film.Hash, film.Title, style)
	file, err := s.press.print(key, func(p *raster.Painter, to *bytes.Buffer) error {
		return raster.WriteGIF(to, raster.Film{
			Label: raster.Label{Title: film.Title, Source: film.Source}, Rests: film.Rests, Colours: film.Colours,
			Paint: func(still int) (*image.RGBA, error) { return p.Draw(film.Still(still), 1) },
		})
	})
	if err != nil {
		return err
	}
	sendFile(w, "image/gif", nothingElse, film.Name+".gif", file)
	return nil
}

// lessonCode is a QR code that leads to a step of a lesson.
func (s *server) lessonCode(w http.ResponseWriter, r *http.Request) error {
	frame := s.lessonFrame(w, r)
	request, found := s.lessonRequest(w, r, frame)
	if !found {
		return nil
	}
	code, err := present.LessonCode(frame, request)
	if err != nil {
		return err
	}
	sendFile(w, "image/svg+xml", nothingElse, "qr.svg", []byte(code))
	return nil
}

// lessonHandout is a lesson to be printed.
func (s *server) lessonHandout(w http.ResponseWriter, r *http.Request) error {
	frame := s.lessonFrame(w, r)
	request, found := s.lessonRequest(w, r, frame)
	if !found {
		return nil
	}
	handout, err := present.LessonHandout(frame, request)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.HandoutPage(handout))
	return nil
}

// printKey names a print by everything that it follows from.
func printKey(parts ...string) [sha256.Size]byte {
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%d ", len(part)) // so that no two lists of parts are alike
		_, _ = io.WriteString(sum, part)   // a hash takes everything
	}
	return [sha256.Size]byte(sum.Sum(nil))
}
