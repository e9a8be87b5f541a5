package raster

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// node is an element of a drawing.
type node struct {
	name     string
	classes  []string
	attrs    map[string]string
	text     string
	parent   *node
	children []*node
}

// tree is a drawing that has been read.
type tree struct {
	root *node
	ids  map[string]*node // patterns and markers
	css  string
}

// read parses a drawing.
func read(svg string) (*tree, error) {
	t := &tree{ids: map[string]*node{}}
	at := (*node)(nil)
	for parser := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := parser.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read drawing: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{name: token.Name.Local, parent: at, attrs: make(map[string]string, len(token.Attr))}
			for _, a := range token.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			n.classes = strings.Fields(n.attrs["class"])
			if n.name == "pattern" || n.name == "marker" {
				t.ids[n.attrs["id"]] = n
			}
			if at == nil {
				t.root = n
			} else {
				at.children = append(at.children, n)
			}
			at = n
		case xml.EndElement:
			if at.name == "style" {
				t.css += at.text
			}
			at = at.parent
		case xml.CharData:
			if at != nil {
				at.text += string(token)
			}
		}
	}
	if t.root == nil || t.root.name != "svg" {
		return nil, errors.New("read drawing: it is no svg")
	}
	return t, nil
}

// number is the value of an attribute, 0 without it.
func (n *node) number(name string) (float64, error) {
	text, found := n.attrs[name]
	if !found {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("read %s of %s: %w", name, n.name, err)
	}
	return v, nil
}

// numbers are the values of several attributes.
func (n *node) numbers(names ...string) ([]float64, error) {
	values := make([]float64, len(names))
	for i, name := range names {
		v, err := n.number(name)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// box is the four numbers of a viewBox.
func (n *node) box() ([4]float64, error) {
	var box [4]float64
	fields := strings.Fields(n.attrs["viewBox"])
	if len(fields) != len(box) {
		return box, fmt.Errorf("read viewBox %q of %s: four numbers are needed", n.attrs["viewBox"], n.name)
	}
	for i, field := range fields {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return box, fmt.Errorf("read viewBox of %s: %w", n.name, err)
		}
		box[i] = v
	}
	return box, nil
}

// transform reads the transform attribute: translate and scale, one after the
// other.
func (n *node) transform() (affine, error) {
	m := identity()
	rest := strings.TrimSpace(n.attrs["transform"])
	for rest != "" {
		name, after, opened := strings.Cut(rest, "(")
		arguments, next, closed := strings.Cut(after, ")")
		if !opened || !closed {
			return m, fmt.Errorf("read transform %q of %s", n.attrs["transform"], n.name)
		}
		var values [2]float64
		fields := strings.FieldsFunc(arguments, func(r rune) bool { return r == ' ' || r == ',' })
		if len(fields) < 1 || len(fields) > 2 {
			return m, fmt.Errorf("read transform %q of %s", n.attrs["transform"], n.name)
		}
		for i, field := range fields {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return m, fmt.Errorf("read transform of %s: %w", n.name, err)
			}
			values[i] = v
		}
		switch strings.TrimSpace(name) {
		case "translate":
			m = m.then(translated(values[0], values[1]))
		case "scale":
			if len(fields) == 1 {
				values[1] = values[0]
			}
			m = m.then(scaled(values[0], values[1]))
		default:
			return m, fmt.Errorf("read transform of %s: %q is none that drawings use", n.name, name)
		}
		rest = strings.TrimSpace(next)
	}
	return m, nil
}
