package present

import (
	"fmt"
	"image/color"

	"github.com/boombuler/barcode/qr"

	"lockstep/views/draw"
)

// LessonCode is a QR code, as SVG, that leads to the step that a request asks
// for.
func LessonCode(f Frame, r LessonRequest) (string, error) {
	t, err := openLesson(f, r, func(int, int) bool { return false })
	if err != nil {
		return "", err
	}
	return t.code(f, r, t.c.step)
}

func (t teller) code(f Frame, r LessonRequest, at int) (string, error) {
	link := r.Origin + t.plain().at(at).url(f, "")
	m, err := codeOf(link)
	if err != nil {
		return "", err
	}
	m.Title = link
	return m.SVG(), nil
}

// codeOf is the QR code of a text, with the level of correction at which a
// seventh of it may be lost: it is read off projectors.
func codeOf(text string) (draw.Matrix, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return draw.Matrix{}, fmt.Errorf("encode %q as a QR code: %w", text, err)
	}
	return draw.Matrix{Size: code.Bounds().Dx(), Dark: func(x, y int) bool { return code.At(x, y) == color.Black }}, nil
}
