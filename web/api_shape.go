package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

// wrongShape says of one part of a request what was given and what is
// accepted, which is read from the schema that it did not meet.
func (a *api) wrongShape(op *huma.Operation, e *huma.ErrorDetail) WrongInput {
	where, rest, _ := strings.Cut(e.Location, ".")
	if where != "body" {
		in := WrongInput{Parameter: rest}
		at := slices.IndexFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == rest })
		if at < 0 {
			in.Message = "no parameter of this address; accepted: " + names(op.Parameters)
			return in
		}
		in.Message = fmt.Sprintf("%s; accepted: %s", given(e.Value), accepted(op.Parameters[at].Schema))
		return in
	}
	schema := a.resolve(op.RequestBody.Content["application/json"].Schema)
	var path []string
	if rest != "" {
		path = strings.Split(rest, ".")
	}
	in := WrongInput{}
	if len(path) > 0 {
		in.Pointer = "/" + strings.Join(path, "/")
	}
	parent := schema
	for _, name := range path {
		parent, schema = schema, a.property(schema, name)
		if schema == nil {
			break
		}
	}
	if missing, ok := requiredName(e.Message); ok {
		in.Pointer += "/" + missing
		in.Message = "not given; accepted: " + accepted(a.property(schema, missing))
		return in
	}
	switch {
	case e.Message == validation.MsgUnexpectedProperty:
		in.Message = "unknown key; accepted: " + strings.Join(slices.Sorted(maps.Keys(parent.Properties)), ", ")
	case schema == nil || len(path) == 0 && e.Message != validation.MsgExpectedObject:
		in.Message = e.Message
	default:
		in.Message = fmt.Sprintf("%s; accepted: %s", given(e.Value), accepted(schema))
	}
	return in
}

// requiredName finds the key that a validator misses.
func requiredName(message string) (string, bool) {
	before, after, _ := strings.Cut(validation.MsgExpectedRequiredProperty, "%s")
	name, found := strings.CutPrefix(message, before)
	if !found {
		return "", false
	}
	return strings.CutSuffix(name, after)
}

// property returns the schema of a key, or of an item of a list, nil for none.
func (a *api) property(s *huma.Schema, name string) *huma.Schema {
	if s == nil {
		return nil
	}
	if key, _, list := strings.Cut(name, "["); list {
		if of := a.property(s, key); of != nil {
			return a.resolve(of.Items)
		}
		return nil
	}
	return a.resolve(s.Properties[name])
}

// resolve follows references, also those that stand alone in a list so that
// words may stand beside them.
func (a *api) resolve(s *huma.Schema) *huma.Schema {
	for s != nil {
		switch {
		case s.Ref != "":
			s = a.OpenAPI().Components.Schemas.SchemaFromRef(s.Ref)
		case len(s.AllOf) == 1:
			s = s.AllOf[0]
		default:
			return s
		}
	}
	return nil
}

// maxEcho is how much of a value an answer repeats, in bytes.
const maxEcho = 60

// given writes a value as it came.
func given(v any) string {
	if text, ok := v.(string); ok {
		v = clipped(text[:min(len(text), maxEcho)])
	}
	text, err := json.Marshal(v)
	if err != nil || len(text) > maxEcho+2 {
		return "this value"
	}
	return string(text)
}

// accepted says in words what a schema takes.
func accepted(s *huma.Schema) string {
	if s == nil {
		return "nothing"
	}
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, word := range s.Enum {
			words[i] = fmt.Sprint(word)
		}
		return strings.Join(words, ", ")
	}
	switch s.Type {
	case huma.TypeInteger:
		return "a whole number" + between(s)
	case huma.TypeNumber:
		return "a number" + between(s)
	case huma.TypeBoolean:
		return "true or false"
	case huma.TypeString:
		switch {
		case s.MaxLength != nil && s.MinLength != nil:
			return fmt.Sprintf("a text of %d to %d characters", *s.MinLength, *s.MaxLength)
		case s.MaxLength != nil:
			return fmt.Sprintf("a text of at most %d characters", *s.MaxLength)
		}
		return "a text"
	case huma.TypeArray:
		if s.MaxItems != nil {
			return fmt.Sprintf("a list of at most %d", *s.MaxItems)
		}
		return "a list"
	case huma.TypeObject:
		return "an object"
	}
	return "a value"
}

// between says the bounds of a number.
func between(s *huma.Schema) string {
	plain := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return " from " + plain(*s.Minimum) + " to " + plain(*s.Maximum)
	case s.Minimum != nil:
		return ", " + plain(*s.Minimum) + " or more"
	case s.ExclusiveMinimum != nil:
		return " above " + plain(*s.ExclusiveMinimum)
	}
	return ""
}

func names(params []*huma.Param) string {
	if len(params) == 0 {
		return "none"
	}
	list := make([]string, len(params))
	for i, p := range params {
		list[i] = p.Name
	}
	return strings.Join(list, ", ")
}
