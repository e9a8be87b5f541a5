package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxEntry is how long an entry may be as JSON, in bytes.
const MaxEntry = 64 << 10

// follows are keys of a listing that follow from others or that the catalogue
// sets itself: Read passes over them, so that what was printed can be read.
var follows = []string{
	"own", "verified", "computed_params", "computed_active_params", "relative_difference", "relative_difference_active",
	"nic_gbits_per_s_total", "nic_gbytes_per_s_per_accelerator", "line_rate_gbytes_per_s",
}

// Follows reports whether a key of a listing follows from other fields or is
// set by the catalogue: Read passes over it.
func Follows(key string) bool { return slices.Contains(follows, key) }

var idShape = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// Read reads a user's entry from JSON, checks every field of it, and completes
// what follows from them. c is what the entry may refer to and must not shadow:
// it may hold an own entry of the same ID, which this one would replace. The
// error for what can be told by field is FieldErrors.
func (c *Catalog) Read(k Kind, document []byte) (Entry, error) {
	given, err := object(document)
	if err != nil {
		return Entry{}, fmt.Errorf("read own %s: %w: %w", k, ErrDocument, err)
	}
	id, _ := given["id"].(string)
	r := reader{known: c, kind: k, id: clip(id), given: given}
	r.fields()
	if len(r.wrong) == 0 {
		r.together()
	}
	if len(r.wrong) > 0 {
		return Entry{}, r.wrong
	}
	for _, key := range follows {
		delete(given, key)
	}
	given["own"], given["verified"] = true, given["basis"] != string(Assumed)
	if given["unverified_fields"] == nil {
		given["unverified_fields"] = []string{}
	}
	document, err = completed(k, given)
	if err != nil {
		return Entry{}, fmt.Errorf("read own %s %s: %w", k, id, err)
	}
	return Entry{Kind: k, ID: id, Document: document}, nil
}

// object reads one JSON object.
func object(document []byte) (map[string]any, error) {
	if len(document) > MaxEntry {
		return nil, fmt.Errorf("%d bytes; accepted is one JSON object of at most %d", len(document), MaxEntry)
	}
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	var given map[string]any
	err := d.Decode(&given)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("no JSON: %w after %d bytes; accepted is one JSON object", err, syntax.Offset)
	case err != nil || given == nil:
		return nil, errors.New("no JSON object; accepted is one, such as {\"id\": …}")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value; accepted is one JSON object")
	}
	return given, nil
}

func clip(text string) string { return echo(text[:min(len(text), 2*maxID)]) }

// reader checks one entry.
type reader struct {
	known *Catalog
	kind  Kind
	id    string
	given map[string]any
	wrong FieldErrors
}

func (r *reader) refuse(key string, why Why, given any) *FieldError {
	e := wrong(r.kind, r.id, key, why, given)
	r.wrong = append(r.wrong, e)
	return e
}

// fields checks each field by itself.
func (r *reader) fields() {
	taken := map[string]bool{}
	for _, f := range Fields(r.kind) {
		taken[f.Key] = true
		v := r.given[f.Key]
		if text, is := v.(string); is {
			text = strings.TrimSpace(text)
			r.given[f.Key], v = text, text
			if text == "" {
				v = nil
			}
		}
		if v == nil {
			delete(r.given, f.Key)
			if f.Needed {
				r.refuse(f.Key, Missing, "")
			}
			continue
		}
		r.field(f, v)
	}
	for _, key := range slices.Sorted(maps.Keys(r.given)) {
		if !taken[key] && !Follows(key) {
			r.refuse(clip(key), Unknown, "")
		}
	}
}

func (r *reader) field(f Field, v any) {
	switch f.Takes {
	case TakesWhole, TakesNumber:
		r.number(f, v)
	case TakesFlag:
		if _, is := v.(bool); !is {
			r.refuse(f.Key, WrongType, v)
		}
	case TakesTexts:
		r.texts(f, v)
	default:
		text, is := v.(string)
		if !is {
			r.refuse(f.Key, WrongType, v)
			return
		}
		r.text(f, text)
	}
}

func (r *reader) number(f Field, v any) {
	n, is := v.(json.Number)
	if !is {
		r.refuse(f.Key, WrongType, v)
		return
	}
	x, err := n.Float64()
	switch {
	case err != nil || f.Takes == TakesWhole && x != math.Trunc(x):
		r.refuse(f.Key, WrongType, n)
	case x < f.Least || x > f.Most:
		r.refuse(f.Key, Outside, n)
	default:
		r.given[f.Key] = x // 8.0 is as whole as 8
	}
}

func (r *reader) text(f Field, text string) {
	if !printable(text) || f.Takes == TakesText && utf8.RuneCountInString(text) > int(f.Most) {
		r.refuse(f.Key, Outside, text)
		return
	}
	switch {
	case f.Takes == TakesWord && !slices.Contains(f.Words, text):
		r.refuse(f.Key, NoWord, text)
	case f.Takes == TakesEntry:
		if _, found := r.known.Find(f.Of, text); !found {
			r.refuse(f.Key, NoEntry, text)
		}
	case f.Key == "id":
		if !idShape.MatchString(text) {
			r.refuse(f.Key, BadID, text)
		} else {
			r.free(f.Key, text)
		}
	}
}

// free refuses a name that leads to an entry which the program carries, or to
// another own one.
func (r *reader) free(key, name string) {
	origin, found := r.known.Find(r.kind, name)
	switch {
	case found && !origin.Own:
		r.refuse(key, BuiltIn, name)
	case found && key != "id":
		if s, err := r.known.System(name); err == nil && s.ID != r.given["id"] {
			r.refuse(key, Taken, name)
		}
	}
}

func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(c rune) bool {
		return unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' || unicode.Is(unicode.Bidi_Control, c)
	})
}

func (r *reader) texts(f Field, v any) {
	list, is := v.([]any)
	if !is || len(list) > 64 {
		r.refuse(f.Key, WrongType, v)
		return
	}
	for _, one := range list {
		text, is := one.(string)
		switch {
		case !is || text == "" || !printable(text) || utf8.RuneCountInString(text) > int(f.Most):
			r.refuse(f.Key, WrongType, one)
		case f.Key == "unverified_fields" && text != "all" && fieldOf(r.kind, text).Takes == "":
			r.refuse(f.Key, NoWord, text)
		case f.Key == "cloud_instances":
			r.free(f.Key, text)
		default:
			continue
		}
		if len(r.wrong) > 0 && r.wrong[len(r.wrong)-1].Field.Key == f.Key {
			return
		}
	}
}
