package present

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"lockstep/views"
	"lockstep/views/locale"
)

// Contrasts that WCAG 2.2 asks of text (1.4.3) and of what is needed to
// understand a drawing (1.4.11).
const (
	textContrast    = 4.5
	graphicContrast = 3.0
)

// galleryTheme is the value of each colour token, as #rrggbb.
type galleryTheme map[string]string

// galleryColours lists the colour tokens of a style sheet in its order, each
// against the one that it stands on.
func galleryColours(l locale.Locale, css string) []views.GalleryColour {
	light, dark := galleryTheme{}, galleryTheme{}
	var tokens []string
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(css, -1) {
		tokens = append(tokens, m[1])
		light[m[1]], dark[m[1]] = m[2], m[3]
	}
	var all []views.GalleryColour
	for _, token := range tokens {
		against, needs := contrastOf(token)
		c := views.GalleryColour{Token: "--" + token, Against: "--" + against}
		if needs > 0 {
			c.Needs = strconv.FormatFloat(needs, 'f', 1, 64)
		} else {
			c.Needs = l.T("gallery.decoration")
		}
		c.Light, c.Dark = light.swatch(token, against), dark.swatch(token, against)
		all = append(all, c)
	}
	return all
}

// contrastOf says what a token is to be told apart from, and how well.
func contrastOf(token string) (against string, needs float64) {
	base, kind, _ := cutLast(token, "-")
	block := func(name string) bool { return len(name) == 2 && name[0] == 'c' }
	switch {
	case token == "bg" || token == "surface" || token == "sunk":
		return "ink", textContrast
	case token == "line":
		return "bg", 0
	case token == "strong" || token == "accent-soft":
		return "bg", graphicContrast
	case kind == "tint" && block(base): // of a block: number and edge stand on it
		return "ink", textContrast
	case kind == "tint":
		return base, textContrast
	case kind == "on":
		return base, textContrast
	case kind == "edge":
		return "surface", graphicContrast
	case base == "heat":
		return "surface", 0 // steps of a ramp; the number of contributors is said in words
	case block(token): // a block's fill, which its edge sets off
		return token + "-on", textContrast
	case token == "compute":
		return "compute-on", textContrast
	}
	return "bg", textContrast
}

// cutLast cuts a text at the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}

// swatch shows a colour with the one that it must be told apart from on it.
func (t galleryTheme) swatch(token, against string) views.GallerySwatch {
	value, other := t[token], t[against]
	if other == "" {
		other = value
	}
	drawing := fmt.Sprintf(`<rect fill="%s" stroke="#81878f" x="0.5" y="0.5" width="39" height="23"/><path fill="%s" d="M26 1h13v22h-13z"/>`, value, other)
	return views.GallerySwatch{
		SVG:      galleryFrame("swatch", "--"+token, 40, 24, drawing),
		Value:    value,
		Contrast: strconv.FormatFloat(contrastRatio(value, other), 'f', 1, 64),
	}
}

// contrastRatio is that of WCAG 2.2 between two colours, 1 to 21.
func contrastRatio(a, b string) float64 {
	hi, lo := luminance(a), luminance(b)
	if hi < lo {
		hi, lo = lo, hi
	}
	return (hi + 0.05) / (lo + 0.05)
}

// luminance is the relative luminance of WCAG 2.2 of a colour #rrggbb.
func luminance(colour string) float64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil {
		return 0
	}
	linear := func(c uint64) float64 {
		v := float64(c&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
}

// galleryType lists the sizes of type of a style sheet.
func galleryType(css string) []views.GallerySize {
	var all []views.GallerySize
	for _, m := range regexp.MustCompile(`--(t-\w+): ([\d.]+)rem;`).FindAllStringSubmatch(css, -1) {
		rem, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			continue
		}
		all = append(all, views.GallerySize{Token: "--" + m[1], Value: fmt.Sprintf("%g px", rem*16), Class: "type-" + strings.TrimPrefix(m[1], "t-")})
	}
	return all
}
