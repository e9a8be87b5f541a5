package present

import (
	"encoding/json"
	"errors"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/views/locale"
)

// flawMessages say what is wrong with a field.
var flawMessages = map[catalog.Why]string{
	catalog.Missing: "wrong.missing", catalog.WrongType: "wrong.type", catalog.Outside: "wrong.outside", catalog.NoWord: "wrong.word",
	catalog.BadID: "wrong.id", catalog.BuiltIn: "wrong.built-in", catalog.Taken: "wrong.taken", catalog.NoEntry: "wrong.reference",
	catalog.TooMuch: "wrong.too-much", catalog.Conflict: "wrong.conflict", catalog.Needs: "wrong.needs", catalog.Countless: "wrong.countless",
}

// entryFlaw says in the visitor's language what is wrong with a field: what was
// given and what is accepted.
func (f Frame) entryFlaw(e *catalog.FieldError) string {
	l := f.Locale
	if e.Why == catalog.Unknown {
		return l.T("catalog.form.unknown", locale.Values{"Key": e.Field.Key})
	}
	bound := e.Bound
	if e.Whose != "" {
		bound += " (" + e.Whose + ")"
	}
	return l.T("entry."+flawMessages[e.Why], locale.Values{
		"Given": e.Given, "Accepted": f.entryTakes(e.Field), "Other": entryTerm(l, e.Other), "Bound": bound,
	})
}

// entryFlaws says what is wrong with an entry, a sentence for each field.
func (f Frame) entryFlaws(err error) []string {
	var one *catalog.FieldError
	var all catalog.FieldErrors
	switch {
	case errors.As(err, &all):
	case errors.As(err, &one):
		all = catalog.FieldErrors{one}
	default:
		return []string{err.Error()}
	}
	said := make([]string, len(all))
	for i, e := range all {
		said[i] = entryTerm(f.Locale, e.Field.Key) + f.colon() + f.entryFlaw(e)
	}
	return said
}

func (f Frame) colon() string {
	if f.Locale.Lang() == locale.Chinese {
		return "："
	}
	return ": "
}

// entryTakes says what a field takes.
func (f Frame) entryTakes(field catalog.Field) string {
	l := f.Locale
	values := locale.Values{"Least": plainNumber(field.Least), "Most": plainNumber(field.Most), "Unit": entryUnit(field)}
	switch field.Takes {
	case catalog.TakesText:
		if field.Key == "id" {
			return l.T("entry.takes.id", values)
		}
		return l.T("entry.takes.text", values)
	case catalog.TakesWhole:
		return l.T("entry.takes.whole", values)
	case catalog.TakesNumber:
		if field.Unit == "" {
			return l.T("entry.takes.plain", values)
		}
		return l.T("entry.takes.number", values)
	case catalog.TakesFlag:
		return l.T("entry.takes.flag")
	case catalog.TakesWord:
		words := make([]string, len(field.Words))
		for i, w := range field.Words {
			words[i] = entryTerm(l, "word."+w)
		}
		between := ", "
		if l.Lang() == locale.Chinese {
			between = "、"
		}
		return l.T("entry.takes.word", locale.Values{"Words": strings.Join(words, between)})
	case catalog.TakesTexts:
		if field.Key == doubtsKey {
			return l.T("entry.takes.doubts")
		}
		return l.T("entry.takes.texts", values)
	}
	return l.T("entry.takes.entry")
}

// configMessages say why a config.json describes no model.
var configMessages = map[string]string{
	"no-config": "catalog.config.no-config", "missing": "catalog.config.missing", "not-decoder": "catalog.config.not-decoder", "experts": "catalog.config.experts",
}

// warningMessages say what is doubtful about a model of a config.json.
var warningMessages = map[string]string{
	"architecture": "catalog.warn.architecture", "part": "catalog.warn.part", "mtp": "catalog.warn.mtp", "dense-layers": "catalog.warn.dense-layers",
}

// pasteFlaw says why JSON cannot fill a form; empty for an error that is about
// something else.
func (f Frame) pasteFlaw(err error) string {
	l := f.Locale
	config := new(catalog.ConfigError)
	syntax := new(json.SyntaxError)
	values := locale.Values{"Most": sizeBytes(maxPaste)}
	switch {
	case errors.Is(err, errNothingPasted):
		return l.T("catalog.paste.empty")
	case errors.Is(err, errPasteLong):
		return l.T("catalog.paste.long", values)
	case errors.As(err, &config):
		return l.T(configMessages[config.Why], locale.Values{"Type": config.Type, "Missing": strings.Join(config.Missing, ", ")})
	case errors.As(err, &syntax):
		return l.T("catalog.paste.nojson", locale.Values{"Why": syntax.Error()})
	}
	return l.T("catalog.paste.nojson", locale.Values{"Why": err.Error()})
}
