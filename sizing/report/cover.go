package report

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Cover is what people write on a report. All but the title may be empty.
type Cover struct {
	Title    string
	Customer string
	Author   string
	Notes    string // may have several lines
	Seller   string // whose report it is
	Contact  string // how to reach the seller
	Valid    string // the last day that it holds, as 2006-01-02
	Logo     []byte // the seller's, a PNG; nil for none
}

// Limits of what is written, in characters.
const (
	MaxLine  = 80 // title, customer, author, seller, contact
	MaxNotes = 1000
)

// Flaw is what is wrong with a field of a cover.
type Flaw struct {
	Field  string // title, customer, author, notes, seller, contact, valid or logo
	Kind   FlawKind
	Length int // in characters, as given; of a logo in bytes or pixels
	Limit  int // of the same
}

// FlawKind tells flaws apart.
type FlawKind string

// The flaws.
const (
	Missing FlawKind = "missing"
	TooLong FlawKind = "too-long"
	NoDate  FlawKind = "no-date" // not as 2006-01-02
	Past    FlawKind = "past"    // a day that is over

	NoLogo    FlawKind = "no-logo"    // neither PNG nor JPEG, or broken
	LogoHeavy FlawKind = "logo-heavy" // too many bytes
	LogoLarge FlawKind = "logo-large" // too many pixels
)

// Tidy returns the cover as it is kept: without blanks around its fields,
// control characters and anything that is not text; only notes keep their line
// breaks.
func (c Cover) Tidy() Cover {
	line := func(text string) string {
		return strings.Join(strings.Fields(strings.Map(printable(' '), strings.ToValidUTF8(text, ""))), " ")
	}
	notes := strings.ReplaceAll(strings.ToValidUTF8(c.Notes, ""), "\r\n", "\n")
	return Cover{
		Title: line(c.Title), Customer: line(c.Customer), Author: line(c.Author),
		Notes:  strings.TrimSpace(strings.Map(printable('\n'), notes)),
		Seller: line(c.Seller), Contact: line(c.Contact), Valid: line(c.Valid), Logo: c.Logo,
	}
}

// printable drops control characters and marks of writing direction, and turns line breaks into the given one.
func printable(lineBreak rune) func(rune) rune {
	return func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
			return lineBreak
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}
}

// Flaws returns what keeps a tidied cover from being saved, in the order of
// the fields.
func (c Cover) Flaws() []Flaw {
	var flaws []Flaw
	for _, f := range []struct {
		name, text string
		limit      int
	}{
		{"title", c.Title, MaxLine}, {"customer", c.Customer, MaxLine}, {"author", c.Author, MaxLine}, {"notes", c.Notes, MaxNotes}, {"seller", c.Seller, MaxLine}, {"contact", c.Contact, MaxLine},
	} {
		length := utf8.RuneCountInString(f.text)
		switch {
		case length > f.limit:
			flaws = append(flaws, Flaw{f.name, TooLong, length, f.limit})
		case length == 0 && f.name == "title":
			flaws = append(flaws, Flaw{f.name, Missing, 0, f.limit})
		}
	}
	if _, err := time.Parse(time.DateOnly, c.Valid); c.Valid != "" && err != nil {
		flaws = append(flaws, Flaw{Field: "valid", Kind: NoDate})
	}
	return flaws
}

// Expired reports whether a cover's last day is over at the given moment, on the
// clock of its place.
func (c Cover) Expired(now time.Time) bool {
	return c.Valid != "" && c.Valid < now.Format(time.DateOnly)
}
