package raster

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
)

// ink is what something is painted with: nothing, a colour, or a pattern.
type ink struct {
	on      bool
	colour  color.RGBA // opaque
	pattern string     // id
}

// look is how an element is drawn: its own declarations over what it inherits.
type look struct {
	fill, stroke ink
	width        float64   // of the stroke
	dashes       []float64 // on, off, on, …; nil for a solid line
	round        bool      // ends of lines
	outlineFirst bool      // the stroke lies below the fill
	bold         bool
	size         float64 // of text
	anchor       string
	marker       string  // id, at the end
	opacity      float64 // of the element and what stands around it
	hidden       bool
}

// plain is the look of a root.
func plain() look {
	return look{fill: ink{on: true, colour: color.RGBA{A: 255}}, width: 1, size: 16, opacity: 1}
}

// under is the look of n below an element that looks like l.
func (l look) under(n *node, s *sheet) (look, error) {
	l.marker, l.hidden = "", false
	for _, name := range []string{"fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "text-anchor", "marker-end", "opacity"} {
		if value, found := n.attrs[name]; found {
			if err := l.set(name, value); err != nil {
				return l, fmt.Errorf("read %s: %w", n.name, err)
			}
		}
	}
	for _, declaration := range s.of(n) {
		if err := l.set(declaration[0], declaration[1]); err != nil {
			return l, fmt.Errorf("style %s: %w", n.name, err)
		}
	}
	return l, nil
}

// set reads one declaration. Properties that say nothing about pixels are
// passed over.
func (l *look) set(name, value string) (err error) {
	switch name {
	case "fill":
		l.fill, err = readInk(value)
	case "stroke":
		l.stroke, err = readInk(value)
	case "stroke-width":
		l.width, err = readLength(value)
	case "font-size":
		l.size, err = readLength(value)
	case "opacity":
		var own float64
		own, err = strconv.ParseFloat(value, 64)
		l.opacity *= own
	case "stroke-dasharray":
		l.dashes = nil
		if value == "none" {
			break
		}
		for _, field := range strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' }) {
			dash, wrong := readLength(field)
			if wrong != nil {
				return wrong
			}
			l.dashes = append(l.dashes, dash)
		}
	case "stroke-linecap":
		l.round = value == "round"
	case "paint-order":
		l.outlineFirst = strings.HasPrefix(value, "stroke")
	case "font-weight":
		l.bold = value == "700" || value == "bold"
	case "text-anchor":
		l.anchor = value
	case "marker-end":
		l.marker = reference(value)
	case "display":
		l.hidden = value == "none"
	}
	return err
}

func readLength(text string) (float64, error) {
	return strconv.ParseFloat(strings.TrimSuffix(text, "px"), 64)
}

// reference is the id of url(#id), empty for anything else.
func reference(text string) string {
	id, found := strings.CutPrefix(text, "url(#")
	if !found {
		return ""
	}
	return strings.TrimSuffix(id, ")")
}

func readInk(text string) (ink, error) {
	if text == "none" {
		return ink{}, nil
	}
	if id := reference(text); id != "" {
		return ink{on: true, pattern: id}, nil
	}
	v, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if len(text) != 7 || err != nil {
		return ink{}, fmt.Errorf("colour %q is not written #rrggbb", text)
	}
	return ink{on: true, colour: color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}}, nil
}
