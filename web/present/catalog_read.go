package present

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
)

// EntryForm is an own entry as somebody fills it in. Whatever they typed stays
// as they typed it.
type EntryForm struct {
	Kind catalog.Kind
	ID   string // of the entry that is changed; empty for a new one

	Paste    string // JSON that is to fill the form
	Read     bool   // that was done
	Warnings []catalog.Warning
	Unknown  []string // keys of the JSON that no field has
	Gone     bool     // the entry that is changed is not there any more

	Err error // why it was not saved, or why the JSON cannot be read

	given  map[string]string // by key, as typed
	doubts []string          // keys of fields that nobody is sure of
}

// maxPaste is how many bytes of JSON a form takes and gives back.
const maxPaste = catalog.MaxEntry

// errNothingPasted and errPasteLong say why JSON cannot fill a form.
var (
	errNothingPasted = errors.New("nothing was pasted and no file was chosen")
	errPasteLong     = fmt.Errorf("more than %d bytes", maxPaste)
)

// NewEntryForm is the empty form of a kind.
func NewEntryForm(k catalog.Kind) EntryForm {
	f := EntryForm{Kind: k, given: map[string]string{}}
	if k == catalog.Models {
		f.given["kind"] = "decoder"
	}
	return f
}

// EditEntryForm is the form of an entry as it stands.
func EditEntryForm(s catalog.Sheet) (EntryForm, error) {
	f := EntryForm{Kind: s.Kind, ID: s.ID, given: map[string]string{"id": s.ID}}
	values, err := s.Values()
	if err != nil {
		return f, err
	}
	f.fill(values)
	f.Unknown = nil // what follows from fields
	return f, nil
}

// ReadEntryForm reads what a form has sent. A file counts before what was
// pasted.
func ReadEntryForm(k catalog.Kind, id string, sent url.Values, file string) EntryForm {
	f := EntryForm{Kind: k, ID: id, given: map[string]string{}, Paste: strings.ToValidUTF8(strings.TrimSpace(sent.Get("paste")), "\ufffd")}
	if file = strings.TrimSpace(strings.TrimPrefix(file, "\ufeff")); file != "" {
		f.Paste = strings.ToValidUTF8(file, "\ufffd")
	}
	for _, field := range catalog.Fields(k) {
		if text := strings.TrimSpace(strings.ToValidUTF8(sent.Get(field.Key), "\ufffd")); text != "" && field.Key != doubtsKey {
			f.given[field.Key] = strings.ReplaceAll(text, "\r\n", "\n")
		}
	}
	for _, key := range sent[doubtsKey] {
		if key == allDoubts || slices.ContainsFunc(catalog.Fields(k), func(field catalog.Field) bool { return field.Key == key }) {
			f.doubts = append(f.doubts, key)
		}
	}
	if id != "" {
		f.given["id"] = id
	}
	// Whoever pastes and saves at once wants to see first what will be saved.
	if sent.Get("as") == "read" || f.Paste != "" && id == "" && f.given["id"] == "" && f.given["name"] == "" && f.given["generation"] == "" {
		f.readPaste()
	}
	return f
}

const (
	doubtsKey = "unverified_fields"
	allDoubts = "all"
)

// readPaste fills the form from the JSON. What it does not say stays as it was
// typed.
func (f *EntryForm) readPaste() {
	f.Read = true
	text := []byte(f.Paste)
	switch {
	case len(text) == 0:
		f.Err = errNothingPasted
		return
	case len(text) > maxPaste:
		f.Paste, f.Err = "", errPasteLong
		return
	}
	if f.Kind == catalog.Models && catalog.IsConfig(text) {
		if text, f.Warnings, f.Err = catalog.FromConfig(text); f.Err != nil {
			return
		}
	}
	values, err := oneObject(text)
	if err != nil {
		f.Err = err
		return
	}
	f.fill(values)
}

// oneObject reads a JSON object, or the one entry of a listing.
func oneObject(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var values map[string]any
	if err := d.Decode(&values); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	for _, k := range catalog.Kinds() {
		if list, is := values[string(k)].([]any); is && len(list) == 1 {
			if one, is := list[0].(map[string]any); is {
				return one, nil
			}
		}
	}
	return values, nil
}

// fill takes values by their keys.
func (f *EntryForm) fill(values map[string]any) {
	if f.given == nil {
		f.given = map[string]string{}
	}
	known := map[string]bool{}
	for _, field := range catalog.Fields(f.Kind) {
		known[field.Key] = true
		v, has := values[field.Key]
		switch {
		case !has || v == nil || field.Key == "id" && f.ID != "":
		case field.Key == doubtsKey:
			f.doubts = nil
			list, _ := v.([]any)
			for _, one := range list {
				f.doubts = append(f.doubts, fmt.Sprint(one))
			}
		default:
			f.given[field.Key] = entryText(v)
		}
	}
	for key := range values {
		if !known[key] && !catalog.Follows(key) {
			f.Unknown = append(f.Unknown, cut(strings.ToValidUTF8(key, ""), maxQuery))
		}
	}
	slices.Sort(f.Unknown)
	f.Unknown = f.Unknown[:min(len(f.Unknown), 10)]
}

// entryText is a JSON value as it stands in a field.
func entryText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		words := make([]string, len(v))
		for i, one := range v {
			words[i] = fmt.Sprint(one)
		}
		return strings.Join(words, ", ")
	case map[string]any:
		text, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return string(text)
	}
	return fmt.Sprint(v) // a bool, or a number as it was written
}

// Document is the entry that the form describes, as JSON for catalog.Read,
// which says what of it cannot be.
func (f EntryForm) Document() ([]byte, error) {
	values := map[string]any{}
	for _, field := range catalog.Fields(f.Kind) {
		text := f.given[field.Key]
		switch {
		case field.Key == doubtsKey:
			if len(f.doubts) > 0 {
				values[doubtsKey] = f.doubts
			}
		case text == "":
		case field.Takes == catalog.TakesWhole, field.Takes == catalog.TakesNumber:
			values[field.Key] = typedNumber(field, text)
		case field.Takes == catalog.TakesFlag:
			values[field.Key] = typedFlag(text)
		case field.Takes == catalog.TakesTexts:
			values[field.Key] = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",，、\n", r) })
			trimAll(values[field.Key].([]string))
		default:
			values[field.Key] = text
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("write an entry of the catalogue: %w", err)
	}
	return text, nil
}

func trimAll(words []string) {
	for i, w := range words {
		words[i] = strings.TrimSpace(w)
	}
}

// typedFlag is true or false where a text says so, else the text.
func typedFlag(text string) any {
	if v, err := strconv.ParseBool(text); err == nil {
		return v
	}
	return text
}

// typedNumber reads a number as people type it: with its own unit behind it,
// with groups of thousands, with 70B or 3 亿 where it has no unit. What is none
// stays a text, which no field of numbers takes.
func typedNumber(field catalog.Field, text string) any {
	units := map[string]string{"": "1"}
	if field.Unit == "" && field.Most > 1e6 {
		units = countUnits
	}
	bare := text
	for _, unit := range []string{field.Unit, entryUnit(field)} {
		if unit != "" {
			bare = strings.TrimSpace(strings.TrimSuffix(bare, unit))
		}
	}
	number, ok := readQuantity(asciiDigits(bare), units)
	if !ok {
		return text
	}
	if number.IsInt() {
		return json.Number(number.Num().String())
	}
	v, _ := number.Float64()
	return v
}

// asciiDigits turns digits and points of a Chinese keyboard into the usual
// ones.
func asciiDigits(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case r == '．' || r == '。':
			return '.'
		case r == '，':
			return ','
		}
		return r
	}, text)
}
