package present

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/unit"
	"lockstep/views/locale"
)

// unmet is a value that an address asks for and that does not exist. A page says
// so, with what is accepted and what it shows in its place; see says.
type unmet struct {
	reason   unmetReason
	label    string // the message that names the field; empty where only addresses have it
	field    string // its name in addresses
	given    string
	accepted string // as it is typed; of one that can be read in two ways, both
	used     string // what is shown instead
	named    string // the message that names what is shown, in place of used
}

// unmetReason is why a value cannot be used: the message that says it.
type unmetReason string

const (
	unreadable   unmetReason = "unmet.unreadable" // it is no quantity of that kind
	notWhole     unmetReason = "unmet.whole"      // it is no whole number
	beyond       unmetReason = "unmet.beyond"     // it is out of range: the nearest is shown
	uneven       unmetReason = "unmet.uneven"     // it cannot be cut into equal parts
	unknown      unmetReason = "unmet.unknown"    // it is none of the choices
	alreadyTaken unmetReason = "unmet.taken"      // the other field has it
	ignored      unmetReason = "unmet.ignored"    // likewise, and nothing takes its place
	twofold      unmetReason = "unmet.twofold"    // it can be read in two ways
)

// says is the note in words, a line long.
func (u unmet) says(l locale.Locale) string {
	what := u.field
	if u.label != "" {
		what = l.T(u.label)
	}
	if u.named != "" {
		u.used = l.T(u.named)
	}
	return l.T(string(u.reason), locale.Values{"What": what, "Given": clipped(u.given), "Accepted": u.accepted, "Used": u.used})
}

// clipped keeps what was typed within a line.
func clipped(text string) string {
	if runes := []rune(text); len(runes) > 24 {
		return string(runes[:24]) + "…"
	}
	return text
}

// countField is a field of an address that takes a whole number.
type countField struct {
	label, name string
	low, high   int
	usual       int // where nothing is asked for, or nothing that can be read
}

// read returns what is asked for, brought into range, and what is to be said
// about that; nil for nothing.
func (f countField) read(given string) (int, *unmet) {
	given = strings.TrimSpace(given)
	if given == "" {
		return f.usual, nil
	}
	note := &unmet{reason: beyond, label: f.label, field: f.name, given: given, accepted: fromTo(strconv.Itoa(f.low), strconv.Itoa(f.high))}
	v, err := strconv.Atoi(given)
	digits := strings.TrimLeft(given, "+-")
	switch {
	case err == nil && v >= f.low && v <= f.high:
		return v, nil
	case err != nil && (digits == "" || strings.Trim(digits, "0123456789") != "" || len(given)-len(digits) > 1):
		note.reason, v = notWhole, f.usual
	case err != nil && given[0] == '-': // too long for an int
		v = f.low
	case err != nil:
		v = f.high
	}
	v = min(max(v, f.low), f.high)
	note.used = strconv.Itoa(v)
	return v, note
}

// readFlag returns whether something is asked for with a 1, and what is to be
// said about what is neither 1 nor 0; nil for nothing.
func readFlag(name, given string) (bool, *unmet) {
	switch given {
	case "", "0", "1":
		return given == "1", nil
	}
	return false, &unmet{reason: ignored, field: name, given: given, accepted: "1"}
}

// Quantities as they are typed.
const (
	bytesExample = "64MiB, 1.2GB, 8"
	rateExample  = "100Gb/s, 12.5GB/s"
)

// unreadBytes completes the note about a size that cannot be read, for the
// reason that err gives.
func unreadBytes(err error, u unmet) *unmet { return u.unread(err, bytesExample) }

// unreadRate does so for a rate.
func unreadRate(err error, u unmet) *unmet { return u.unread(err, rateExample) }

func (u unmet) unread(err error, example string) *unmet {
	u.reason, u.accepted = unreadable, example
	if two := new(unit.AmbiguousError); errors.As(err, &two) {
		u.reason, u.accepted = twofold, two.First.Text+" / "+two.Second.Text
	}
	return &u
}

// fromTo is a range as it is accepted.
func fromTo(low, high string) string {
	if low == high {
		return low
	}
	return low + " – " + high
}

// fewAccepted is how many of many choices a note names.
const fewAccepted = 8

// fewOf is what is accepted where there may be more choices than a note has
// room for: then those that look most like what was given.
func fewOf(choices []string, given string) string {
	if len(choices) <= fewAccepted {
		return strings.Join(choices, ", ")
	}
	meant := fold(given).tight
	near := slices.Clone(choices)
	slices.SortStableFunc(near, func(a, b string) int {
		return cmp.Compare(alike(meant, fold(b).tight), alike(meant, fold(a).tight))
	})
	return strings.Join(near[:fewAccepted], ", ") + " …"
}

// listOf is what is accepted where there are choices.
func listOf[T ~string](choices []T) string {
	all := make([]string, len(choices))
	for i, c := range choices {
		all[i] = string(c)
	}
	return strings.Join(all, ", ")
}
