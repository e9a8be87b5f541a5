package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"lockstep/web/account"
)

// everyone is the role of an operation that asks for none.
const everyone account.Role = ""

// add makes an operation one of the API's. Whoever lacks the role gets 401 or
// 403; what answer returns as an error becomes a Problem.
func add[I, O any](a *api, role account.Role, op huma.Operation, answer func(context.Context, *I) (*O, error)) {
	op.Path = apiRoot + op.Path
	op.MaxBodyBytes = bodyLimit(op.Method, op.Path)
	op.BodyReadTimeout = readTime // by itself huma gives a body five seconds, of whatever length
	op.Middlewares = append(op.Middlewares, a.guard(role))
	a.annotate(role, &op)
	huma.Register(a.API, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := answer(ctx, in)
		if err != nil {
			return nil, a.problem(ctx, op, err)
		}
		return out, nil
	})
}

// document describes an address that answers by itself.
func (a *api) documented(role account.Role, op huma.Operation) {
	op.Path = apiRoot + op.Path
	a.annotate(role, &op)
	schema := a.OpenAPI().Components.Schemas.Schema(typeOf[Problem](), true, "")
	for _, status := range op.Errors {
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status), Content: map[string]*huma.MediaType{problemType: {Schema: schema}},
		}
	}
	a.OpenAPI().AddOperation(&op)
}

// annotate says who may call an operation and which errors are its lot.
func (a *api) annotate(role account.Role, op *huma.Operation) {
	if role != everyone {
		op.Description += " Needs the role " + string(role) + "."
		op.Security = []map[string][]string{{"token": {}}, {"session": {}}}
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusForbidden)
	}
	if op.Method == http.MethodPost {
		op.Errors = append(op.Errors, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	}
	if role == everyone {
		op.Errors = append(op.Errors, http.StatusTooManyRequests)
	}
	slices.Sort(op.Errors)
	op.Errors = slices.Compact(op.Errors)
}

// guard lets only those with the role through, and those who need none at a
// bounded pace. It stands before anything of the request is read.
func (a *api) guard(role account.Role) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, w := humachi.Unwrap(ctx)
		w.Header().Set("Cache-Control", "no-store")
		if role == everyone {
			a.paced(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { next(ctx) })).ServeHTTP(w, r)
			return
		}
		if err := may(r, role); err != nil {
			a.fail(w, r, err)
			return
		}
		next(ctx)
	}
}
