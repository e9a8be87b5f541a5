package msccl

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// element is a start tag with its line.
type element struct {
	name  string
	line  int
	attrs []xml.Attr
}

// text returns an attribute and whether it is there.
func (e *element) text(name string) (string, bool, *Error) {
	value, found := "", false
	for _, a := range e.attrs {
		if a.Name.Space != "" || a.Name.Local != name {
			continue
		}
		if found {
			return "", false, refuse(Unreadable, e.line, "<%s> has %s twice; accepted: once", e.name, name)
		}
		value, found = a.Value, true
	}
	return value, found, nil
}

// number reads an attribute that lies from low to high.
func (e *element) number(name string, low, high int) (int, *Error) {
	text, found, err := e.text(name)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, refuse(Unreadable, e.line, "<%s> has no %s; accepted: %d to %d", e.name, name, low, high)
	}
	value, bad := strconv.Atoi(strings.TrimSpace(text))
	if bad != nil || value < low || value > high {
		return 0, refuse(Unreadable, e.line, "%s=%s; accepted: %d to %d", name, short(text), low, high)
	}
	return value, nil
}

// optional reads an attribute that may be left out.
func (e *element) optional(name string, low, high, otherwise int) (int, *Error) {
	if _, found, err := e.text(name); err != nil || !found {
		return otherwise, err
	}
	return e.number(name, low, high)
}

// word reads an attribute that is one of a list; it returns its index.
func (e *element) word(name string, words []string) (int, *Error) {
	text, found, err := e.text(name)
	if err != nil {
		return 0, err
	}
	for i, w := range words {
		if found && text == w {
			return i, nil
		}
	}
	if !found {
		return 0, refuse(Unreadable, e.line, "<%s> has no %s; accepted: %s", e.name, name, strings.Join(words, ", "))
	}
	return 0, refuse(Unreadable, e.line, "%s=%s; accepted: %s", name, short(text), strings.Join(words, ", "))
}

// short quotes a value that may be long and of any kind.
func short(text string) string {
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	return strconv.Quote(text)
}

// elements hands out the tags of a file. It sees to it that they are nested.
type elements struct {
	decoder *xml.Decoder
	limited *io.LimitedReader
	open    []string
}

// maxFile bounds what Import reads, in bytes.
const maxFile = 1 << 29

func newElements(r io.Reader) *elements {
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	return &elements{decoder: xml.NewDecoder(limited), limited: limited}
}

// next returns the next start tag, or nil with the name of the element that
// ends; io.EOF comes behind the last end tag.
func (t *elements) next() (*element, string, error) {
	for {
		line, _ := t.decoder.InputPos()
		token, err := t.decoder.RawToken()
		if t.limited.N == 0 {
			return nil, "", refuse("size", line, "the file goes on beyond %d bytes; accepted: up to there", maxFile)
		}
		if err != nil {
			return nil, "", t.broken(line, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Space != "" {
				return nil, "", refuse(Unreadable, line, "<%s:%s> has a name space; accepted: none", token.Name.Space, token.Name.Local)
			}
			t.open = append(t.open, token.Name.Local)
			return &element{token.Name.Local, line, token.Attr}, "", nil
		case xml.EndElement:
			n := len(t.open)
			if n == 0 || t.open[n-1] != token.Name.Local || token.Name.Space != "" {
				expected := "no end tag"
				if n > 0 {
					expected = "</" + t.open[n-1] + ">"
				}
				return nil, "", refuse(Unreadable, line, "</%s> ends nothing; accepted: %s", token.Name.Local, expected)
			}
			t.open = t.open[:n-1]
			return nil, token.Name.Local, nil
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				last, _ := t.decoder.InputPos() // the decoder makes lines of other characters too
				at := min(last, line+strings.Count(string(token[:strings.Index(string(token), text)]), "\n"))
				return nil, "", refuse(Unreadable, at, "text %s between the tags; accepted: tags only", short(text))
			}
		}
	}
}

// broken puts an error of the decoder in our form.
func (t *elements) broken(line int, err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, io.EOF) && len(t.open) == 0:
		return io.EOF
	case errors.Is(err, io.EOF), errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
		inside := "<algo>"
		if n := len(t.open); n > 0 {
			inside = "<" + t.open[n-1] + ">"
		}
		line, _ = t.decoder.InputPos()
		return refuse(Unreadable, line, "the file ends inside %s; accepted: all tags ended, the last is </algo>", inside)
	case errors.As(err, &syntax):
		return refuse(Unreadable, syntax.Line, "%s; accepted: well-formed XML", syntax.Msg)
	case strings.HasPrefix(err.Error(), "xml: "): // an encoding or a version that it does not know
		return refuse(Unreadable, line, "%s; accepted: well-formed XML 1.0 in UTF-8", strings.TrimPrefix(err.Error(), "xml: "))
	}
	return fmt.Errorf("read MSCCL XML: %w", err)
}
