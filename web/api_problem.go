package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/views/locale"
)

const problemType = "application/problem+json"

// Problem is how the API says that something did not work (RFC 9457).
type Problem struct {
	Type   string        `json:"type"`
	Status int           `json:"status"`
	Title  string        `json:"title"`
	Detail string        `json:"detail"`
	Errors []WrongInput  `json:"errors,omitempty"`
	title  string        // id of the message
	values locale.Values // of the message
	retry  string        // when it may work, in seconds
}

// WrongInput is a part of a request that cannot be used. Pointer or Parameter
// says which.
type WrongInput struct {
	Pointer   string `json:"pointer,omitempty"`   // into the body, as a JSON pointer
	Parameter string `json:"parameter,omitempty"` // of the address
	Message   string `json:"message"`
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus makes a Problem an error that has its own status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType makes its media type that of problems.
func (p *Problem) ContentType(string) string { return problemType }

// GetHeaders returns the headers that go with the problem.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.retry != "" {
		h.Set("Retry-After", p.retry)
	}
	return h
}

// wrong is the problem of a request whose parts cannot be used. Its detail
// says of each what was given and what is accepted.
func wrong(inputs ...WrongInput) *Problem {
	p := &Problem{Status: http.StatusUnprocessableEntity, title: "error.wrong-input", Errors: inputs}
	var said []string
	for _, in := range inputs {
		name := strings.ReplaceAll(strings.TrimPrefix(in.Pointer, "/"), "/", ".") + in.Parameter
		if name == "" {
			said = append(said, in.Message)
			continue
		}
		said = append(said, name+": "+in.Message)
	}
	p.Detail = strings.Join(said, "; ")
	return p
}

// problem turns an error of an operation into a Problem. The details of one
// that is the console's own fault go to the log and nowhere else.
func (a *api) problem(ctx context.Context, op huma.Operation, err error) *Problem {
	var known *Problem
	var field *trace.FieldError
	var request *schedule.RequestError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &field):
		return wrong(WrongInput{Pointer: pointer(field.Field), Message: field.Message})
	case errors.As(err, &request):
		return wrong(WrongInput{Pointer: pointer(request.Field), Message: request.Message})
	case errors.Is(err, engine.ErrQueueFull):
		return &Problem{Status: http.StatusServiceUnavailable, title: "error.queue-full", Detail: err.Error(), retry: "10"}
	case errors.Is(err, engine.ErrStopped):
		return &Problem{Status: http.StatusServiceUnavailable, title: "error.stopping", Detail: err.Error()}
	case errors.Is(err, engine.ErrEnded), errors.Is(err, engine.ErrElsewhere):
		return &Problem{Status: http.StatusConflict, title: "error.not-yours", Detail: err.Error()}
	}
	p := problemOf(err)
	if p.ID != "" {
		a.Log.ErrorContext(ctx, "request failed", "id", p.ID, "method", op.Method, "path", op.Path, "error", err)
		return &Problem{Status: p.Status, title: p.Message, values: locale.Values{"ID": p.ID}}
	}
	return &Problem{Status: p.Status, title: p.Message, Detail: err.Error()}
}

// bodyNames are the keys of a request body whose flags are called otherwise:
// flags leave the unit to their value.
var bodyNames = map[string]string{"size": "size_bytes", "bandwidth": "bandwidth_bytes_per_s", "latency": "latency_s"}

// pointer leads to the key of a body that belongs to a flag.
func pointer(flag string) string {
	name := strings.ReplaceAll(flag, "-", "_")
	if body, ok := bodyNames[name]; ok {
		name = body
	}
	return "/" + name
}

// transform gives problems their words, in the language that is asked for.
func (a *api) transform(ctx huma.Context, _ string, v any) (any, error) {
	p, ours := v.(*Problem)
	if model, theirs := v.(*huma.ErrorModel); theirs {
		p, ours = a.refused(ctx, model), true
	}
	if !ours {
		return v, nil
	}
	words := a.texts.Negotiate(ctx.Header("Accept-Language"))
	said := *p
	said.Type, said.Title = "about:blank", words.T(p.title)
	if said.Detail == "" {
		said.Detail = words.T(p.title+".text", p.values)
	}
	return &said, nil
}

// refused makes a Problem of what the shape of a request was refused for.
func (a *api) refused(ctx huma.Context, model *huma.ErrorModel) *Problem {
	switch model.Status {
	case http.StatusRequestEntityTooLarge:
		return &Problem{Status: model.Status, title: "error.too-large", Detail: fmt.Sprintf("the body is too large; accepted: less than %d bytes", ctx.Operation().MaxBodyBytes)}
	case http.StatusUnsupportedMediaType:
		return &Problem{Status: model.Status, title: "error.bad-request", Detail: fmt.Sprintf("the body is %q; accepted: application/json", ctx.Header("Content-Type"))}
	}
	var inputs []WrongInput
	for _, e := range model.Errors {
		inputs = append(inputs, a.wrongShape(ctx.Operation(), e))
	}
	slices.SortStableFunc(inputs, func(x, y WrongInput) int { return strings.Compare(x.Pointer, y.Pointer) })
	if len(inputs) == 0 {
		inputs = []WrongInput{{Message: "no body; accepted: one JSON object"}}
	}
	p := wrong(inputs...)
	if p.Status = model.Status; p.Status == http.StatusBadRequest {
		p.title = "error.bad-request"
	}
	return p
}

// jsonFormat reads and writes JSON as the command line does.
var jsonFormat = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: readJSON}

// readJSON reads one document and says where it is none.
func readJSON(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("no JSON: %w after %d bytes; accepted: one JSON object", err, syntax.Offset)
	}
	return err
}
