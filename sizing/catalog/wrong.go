package catalog

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Why says what is wrong with a field.
type Why string

// What may be wrong.
const (
	Missing   Why = "missing"
	Unknown   Why = "unknown"   // no such key
	WrongType Why = "type"      // not what the field takes
	Outside   Why = "outside"   // of its bounds
	NoWord    Why = "word"      // none of its words
	BadID     Why = "id"        // not spelled as an ID
	BuiltIn   Why = "built-in"  // the ID of an entry that the program carries
	Taken     Why = "taken"     // the ID of another entry
	NoEntry   Why = "reference" // names an entry that there is not
	TooMuch   Why = "too-much"  // more than Other, which bounds it
	Conflict  Why = "conflict"  // does not go with Other
	Needs     Why = "needs"     // Other has to be given with it
	Countless Why = "countless" // neither a total nor a shape that tells it
)

// FieldError says that a field of an entry cannot be used: what was given and
// what is accepted.
type FieldError struct {
	Kind  Kind
	ID    string // as far as it is known
	Field Field  // a zero one but for Key where the kind has no such field
	Why   Why
	Given string // as it came, cut short
	Other string // the key of another field, for those that are about two
	Bound string // what Other allows
	Whose string // the ID of the entry whose figure Bound is; empty for this one's
}

// FieldErrors is everything that is wrong with one entry.
type FieldErrors []*FieldError

func (e FieldErrors) Error() string {
	said := make([]string, len(e))
	for i, one := range e {
		said[i] = one.Error()
	}
	return strings.Join(said, "; ")
}

func (e *FieldError) Error() string {
	id := e.ID
	if id == "" {
		id = "(without id)"
	}
	return fmt.Sprintf("%s %s: %s: %s", e.Kind, id, e.Field.Key, e.Message())
}

// Message says what was given and what is accepted, without the field.
func (e *FieldError) Message() string {
	accepted := e.Field.Accepted()
	switch e.Why {
	case Missing:
		return "not given; accepted is " + accepted
	case Unknown:
		return "no such field; accepted are " + strings.Join(keys(e.Kind), ", ")
	case BuiltIn:
		return fmt.Sprintf("%q is an entry that the program carries, which cannot be replaced; accepted is another ID", e.Given)
	case Taken:
		return fmt.Sprintf("%q is the ID of another entry; accepted is another ID", e.Given)
	case NoEntry:
		return fmt.Sprintf("%q is none of the %s; console catalog %[2]s lists them", e.Given, e.Field.Of)
	case TooMuch:
		of := ""
		if e.Whose != "" {
			of = " of " + e.Whose
		}
		return fmt.Sprintf("%s is more than %s allows; accepted is at most %s%s", e.Given, e.Other, e.Bound, of)
	case Conflict:
		return fmt.Sprintf("%s does not go with %s; accepted is %s", e.Given, e.Other, e.Bound)
	case Needs:
		return fmt.Sprintf("not given, and %s asks for it; accepted is %s", e.Other, accepted)
	case Countless:
		return "not given, and the shape does not tell: a decoder's parameters are counted from layers, hidden_size, attention_heads, vocab_size and ffn_hidden_size; accepted is " + accepted
	}
	return fmt.Sprintf("%s; accepted is %s", e.Given, accepted)
}

// Accepted says in words what a field takes.
func (f Field) Accepted() string {
	unit := ""
	if f.Unit != "" {
		unit = " in " + f.Unit
	}
	switch f.Takes {
	case TakesText:
		if f.Key == "id" {
			return fmt.Sprintf("1 to %d of a-z, 0-9, . _ and -, a letter or digit first", maxID)
		}
		return fmt.Sprintf("a text of 1 to %s characters", plain(f.Most))
	case TakesWhole:
		return fmt.Sprintf("a whole number from %s to %s", plain(f.Least), plain(f.Most))
	case TakesNumber:
		return fmt.Sprintf("a number%s from %s to %s", unit, plain(f.Least), plain(f.Most))
	case TakesFlag:
		return "true or false"
	case TakesWord:
		return "one of " + strings.Join(f.Words, ", ")
	case TakesTexts:
		if f.Key == "unverified_fields" {
			return "a list of this entry's fields"
		}
		return fmt.Sprintf("a list of texts of 1 to %s characters", plain(f.Most))
	case TakesEntry:
		return "the ID of one of the " + string(f.Of)
	}
	return "nothing"
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func keys(k Kind) []string {
	var all []string
	for _, f := range Fields(k) {
		all = append(all, f.Key)
	}
	return all
}

// fieldOf returns the field of a key, one without any rule for an unknown key.
func fieldOf(k Kind, key string) Field {
	for _, f := range Fields(k) {
		if f.Key == key {
			return f
		}
	}
	return Field{Key: key}
}

func wrong(k Kind, id, key string, why Why, given any) *FieldError {
	return &FieldError{Kind: k, ID: id, Field: fieldOf(k, key), Why: why, Given: echo(given)}
}

// maxEcho is how much of a value an error repeats, in bytes.
const maxEcho = 60

// echo writes a value as it came, cut short.
func echo(v any) string {
	text, isText := v.(string)
	if !isText {
		written, err := json.Marshal(v)
		if err != nil {
			return "this value"
		}
		text = string(written)
	}
	if len(text) > maxEcho {
		cut := maxEcho
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	if isText && text == "" {
		return `""`
	}
	return text
}
