package web

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/sizing/benchlog"
)

// unprintable reports whether a character has no place in what people type: it
// is not seen itself, and may hide or turn round what stands beside it, as
// U+202E does. Line breaks and tabs are text.
func unprintable(c rune) bool {
	return unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' || unicode.Is(unicode.Bidi_Control, c)
}

// unprintableError refuses a form.
type unprintableError struct {
	field     string
	character rune
}

func (e *unprintableError) Error() string {
	return fmt.Sprintf("field %s holds U+%04X; accepted: text without control characters and marks of writing direction", e.field, e.character)
}

// printed is a text without what cannot be printed.
func printed(text string) string {
	return strings.Map(func(c rune) rune {
		if unprintable(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// pasted are the fields that take what other programs have written, colours of
// a terminal included: what cannot be printed is taken out of them.
var pasted = []string{"log", "paste"}

// printable brings a form to what can be printed, or refuses it: a name that is
// saved would show on every page. The bytes that are no UTF-8 are replaced.
func printable(form url.Values) error {
	for _, field := range slices.Sorted(maps.Keys(form)) {
		for i, text := range form[field] {
			text = strings.ToValidUTF8(text, "\uFFFD")
			if slices.Contains(pasted, field) {
				text = benchlog.Uncoloured(text)
			}
			if at := strings.IndexFunc(text, unprintable); at >= 0 && !slices.Contains(pasted, field) {
				c, _ := utf8.DecodeRuneInString(text[at:])
				return &unprintableError{field: printed(field), character: c}
			}
			form[field][i] = printed(text)
		}
	}
	return nil
}

// readable takes out of the query of an address what cannot be printed, for all
// pages at once: a link that somebody has tampered with still leads somewhere,
// and shows nothing else than what stands there. A path with such characters
// leads nowhere.
func (s *server) readable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if printed(r.URL.Path) != r.URL.Path {
			s.fail(w, r, errNotFound)
			return
		}
		query, clean := r.URL.Query(), url.Values{}
		changed := false
		for name, values := range query {
			for _, value := range values {
				clean.Add(printed(name), printed(value))
				changed = changed || printed(name) != name || printed(value) != value
			}
		}
		if changed {
			r = r.WithContext(r.Context()) // a copy, for the address is the caller's
			address := *r.URL
			address.RawQuery = clean.Encode()
			r.URL = &address
		}
		next.ServeHTTP(w, r)
	})
}
