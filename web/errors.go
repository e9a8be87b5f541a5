package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/sizing/catalog"
	evidence "lockstep/sizing/measured"
	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/web/account"
	"lockstep/web/present"
)

// What a handler or a rule may say; anything else is the console's own fault.
var (
	errNotFound         = errors.New("no such page")
	errForeignHost      = errors.New("host is not the console's own")
	errCrossOrigin      = errors.New("request comes from another site")
	errMethodNotAllowed = errors.New("method is not allowed")
	errTooManyTries     = errors.New("too many keys were tried")
	errBadForm          = errors.New("form cannot be read")
	errNoSession        = errors.New("visitor has no session")
	errBadSince         = errors.New("since is no place in a run")
	errUpgrade          = errors.New("request does not ask for a WebSocket")
	errTooFast          = errors.New("too many requests came from one address")
	errPressed          = errors.New("too many pictures wait to be made")
)

// problems maps errors to statuses and messages.
var problems = []struct {
	err     error
	status  int
	message string
}{
	{errNotFound, http.StatusNotFound, "error.not-found"},
	{errForeignHost, http.StatusMisdirectedRequest, "error.misdirected"},
	{errCrossOrigin, http.StatusForbidden, "error.forbidden"},
	{errMethodNotAllowed, http.StatusMethodNotAllowed, "error.method"},
	{errTooManyTries, http.StatusTooManyRequests, "error.too-many"},
	{errBadForm, http.StatusBadRequest, "error.bad-request"},
	{errNoSession, http.StatusUnauthorized, "error.no-session"},
	{errBadSince, http.StatusBadRequest, "error.bad-since"},
	{errUpgrade, http.StatusUpgradeRequired, "error.upgrade"},
	{errTooFast, http.StatusTooManyRequests, "error.too-fast"},
	{errPressed, http.StatusServiceUnavailable, "error.pressed"},
	{account.ErrTokenRefused, http.StatusUnauthorized, "error.token"},
	{account.ErrBusy, http.StatusServiceUnavailable, "error.busy"},
	{account.ErrNoUser, http.StatusNotFound, "error.no-user"},
	{account.ErrNoToken, http.StatusNotFound, "error.no-token"},
	{account.ErrNoSession, http.StatusNotFound, "error.ended-session"},
	{trace.ErrNoRun, http.StatusNotFound, "error.no-run"},
	{sweep.ErrNone, http.StatusNotFound, "error.no-comparison"},
	{report.ErrNone, http.StatusNotFound, "report.none"},
	{report.ErrShareUnknown, http.StatusNotFound, "report.share.unknown"},
	{report.ErrShareGone, http.StatusGone, "report.share.gone"},
	{catalog.ErrNone, http.StatusNotFound, "error.no-entry"},
	{evidence.ErrNoMachine, http.StatusNotFound, "machines.none"},
}

func problemOf(err error) present.Problem {
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return present.Problem{Status: http.StatusRequestEntityTooLarge, Message: "error.too-large"}
	}
	if small := new(roleError); errors.As(err, &small) {
		return present.Problem{Status: http.StatusForbidden, Message: "error.role", Needed: small.needed, Has: small.has}
	}
	if odd := new(unprintableError); errors.As(err, &odd) {
		return present.Problem{Status: http.StatusBadRequest, Message: "error.unprintable", Field: odd.field, Character: fmt.Sprintf("U+%04X", odd.character)}
	}
	for _, p := range problems {
		if errors.Is(err, p.err) {
			return present.Problem{Status: p.status, Message: p.message}
		}
	}
	return present.Problem{Status: http.StatusInternalServerError, Message: "error.internal", ID: rand.Text()[:8]}
}

// handle makes a handler of a function that returns its error.
func (s *server) handle(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// fail answers a request that ended in err: a page in the visitor's language,
// or a problem document (RFC 9457) under /api/. The details of an unexpected
// error go to the log and nowhere else.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return // the visitor has left
	}
	p := problemOf(err)
	if p.ID != "" {
		s.Log.ErrorContext(r.Context(), "request failed", "id", p.ID, "method", r.Method, "path", r.URL.Path, "error", err)
	}
	s.recordRefusal(r, err)
	w.Header().Set("Cache-Control", "no-store")
	if p.Status == http.StatusUnauthorized { // it must say how to come in
		w.Header().Add("WWW-Authenticate", `Bearer realm="lockstep"`)
		w.Header().Add("WWW-Authenticate", `Session realm="lockstep"`)
	}
	frame := s.frame(w, r)
	notice := present.Notice(frame, p)
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		s.render(w, r, p.Status, views.NoticePage(notice))
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{ // an error means that the visitor has left
		"type": "about:blank", "status": p.Status, "title": notice.Title, "detail": notice.Text,
	})
}
