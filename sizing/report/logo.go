package report

import (
	"bytes"
	"image"
	_ "image/jpeg" // a logo may be one
	"image/png"

	"golang.org/x/image/draw"
)

// Limits of a logo as it is given, in bytes and in pixels each way.
const (
	MaxLogo     = 256 << 10
	MaxLogoSide = 2000
)

// What is kept of a logo is no larger than this, in pixels: four times what a
// page shows of it.
const (
	logoWidth  = 800
	logoHeight = 400
)

// Logo reads a picture, PNG or JPEG, and writes its pixels anew as a PNG of at
// most MaxLogo bytes, so that nothing else of the file is kept. A large one is
// made smaller. ok is false, and flaw says why, for a file that is none.
func Logo(file []byte) (kept []byte, flaw Flaw, ok bool) {
	refuse := func(kind FlawKind, length, limit int) ([]byte, Flaw, bool) {
		return nil, Flaw{Field: "logo", Kind: kind, Length: length, Limit: limit}, false
	}
	if len(file) > MaxLogo {
		return refuse(LogoHeavy, len(file), MaxLogo)
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(file))
	switch {
	case err != nil || format != "png" && format != "jpeg" || size.Width < 1 || size.Height < 1:
		return refuse(NoLogo, 0, 0)
	case max(size.Width, size.Height) > MaxLogoSide: // before anything is unpacked
		return refuse(LogoLarge, max(size.Width, size.Height), MaxLogoSide)
	}
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return refuse(NoLogo, 0, 0)
	}
	shrink := max(1, float64(size.Width)/logoWidth, float64(size.Height)/logoHeight)
	for ; ; shrink *= 2 { // noise does not pack well
		pixels := image.NewNRGBA(image.Rect(0, 0, max(1, int(float64(size.Width)/shrink)), max(1, int(float64(size.Height)/shrink))))
		if shrink == 1 {
			draw.Copy(pixels, image.Point{}, picture, picture.Bounds(), draw.Src, nil)
		} else {
			draw.CatmullRom.Scale(pixels, pixels.Bounds(), picture, picture.Bounds(), draw.Src, nil)
		}
		var out bytes.Buffer
		if err := png.Encode(&out, pixels); err != nil {
			return refuse(NoLogo, 0, 0)
		}
		if out.Len() <= MaxLogo {
			return out.Bytes(), Flaw{}, true
		}
	}
}

// LogoSize is how wide and high a cover's logo is, in pixels; zero for none.
func (c Cover) LogoSize() (width, height int) {
	size, err := png.DecodeConfig(bytes.NewReader(c.Logo))
	if err != nil {
		return 0, 0
	}
	return size.Width, size.Height
}
