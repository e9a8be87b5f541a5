package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/web/present"
)

// Runner carries runs out on this machine.
type Runner interface {
	Submit(ctx context.Context, spec trace.Spec) (trace.Run, error)
	Cancel(ctx context.Context, id string) error
}

// RunArchive lists saved runs page by page.
type RunArchive interface {
	// Before returns at most limit runs that are older than the one with the
	// ID, newest first; an empty ID stands for the end of the list.
	Before(ctx context.Context, id string, limit int) ([]trace.Run, error)
}

// Planner says what a run would cost.
type Planner interface {
	Plan(ctx context.Context, spec trace.Spec) (trace.Plan, error)
}

// Backends says which back ends runs on this machine can have now. It answers
// within seconds.
type Backends interface {
	Offers(ctx context.Context) []trace.Offer
}

// offers returns what is known of back ends; nil where nobody says.
func (s *server) offers(ctx context.Context) []trace.Offer {
	if s.Backends == nil {
		return nil
	}
	return s.Backends.Offers(ctx)
}

// runsOnPage is how many runs a page of the list holds.
const runsOnPage = 50

// runFrame is the frame of a page about runs.
func (s *server) runFrame(w http.ResponseWriter, r *http.Request) present.Frame {
	f := s.frame(w, r)
	f.Section = "run"
	return f
}

// listRuns lists runs, newest first.
func (s *server) listRuns(w http.ResponseWriter, r *http.Request) error {
	page := present.RunsPage{Compared: s.Sweeper != nil, Before: r.URL.Query().Get("before")}
	runs, err := s.Archive.Before(r.Context(), page.Before, runsOnPage+1)
	if err != nil {
		return err
	}
	page.Older = len(runs) > runsOnPage
	page.Runs = runs[:min(len(runs), runsOnPage)]
	s.render(w, r, http.StatusOK, views.RunListPage(present.RunList(s.runFrame(w, r), page)))
	return nil
}

// newRun shows the form for a run, filled with what came along.
func (s *server) newRun(w http.ResponseWriter, r *http.Request) error {
	request := present.ReadRunRequest(r.URL.Query()).Backed(s.offers(r.Context())).Prefilled(s.LocalRanks)
	return s.askRun(w, r, http.StatusOK, present.RunDraft{Request: request})
}

// askRun shows the form as it stands.
func (s *server) askRun(w http.ResponseWriter, r *http.Request, status int, draft present.RunDraft) error {
	draft.Machine, draft.LocalRanks, draft.Nodes, draft.Offers = s.Machine, s.LocalRanks, s.joined(), s.offers(r.Context())
	var err error
	if draft.Calibration, err = s.calibration(r.Context()); err != nil {
		return err
	}
	if spec, wrong := draft.Request.Spec(s.LocalRanks); len(wrong) == 0 && len(draft.Wrong) == 0 {
		plan, err := s.plan(r.Context(), spec)
		if field, refused, ok := present.Refused(err); ok {
			draft.Wrong = map[string]present.WrongField{field: refused}
		} else if err != nil {
			return fmt.Errorf("plan run: %w", err)
		} else {
			draft.Plan = &plan
		}
	}
	s.render(w, r, status, views.NewRunPage(present.NewRun(s.runFrame(w, r), draft)))
	return nil
}

func (s *server) plan(ctx context.Context, spec trace.Spec) (trace.Plan, error) {
	spec, err := spec.Resolve()
	if err != nil {
		return trace.Plan{}, err
	}
	return s.Planner.Plan(ctx, spec)
}

// startRun takes the form and goes on to the page of the run.
func (s *server) startRun(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	draft := present.RunDraft{Request: present.ReadRunRequest(r.PostForm)}
	spec, wrong := draft.Request.Spec(s.LocalRanks)
	if why, missing := draft.Request.Unbacked(s.offers(r.Context())); missing && s.Backends != nil {
		wrong["backend"] = why
	}
	if len(wrong) > 0 {
		draft.Wrong, draft.Whole = wrong, "run.check"
		return s.askRun(w, r, http.StatusUnprocessableEntity, draft)
	}
	run, err := s.Runner.Submit(r.Context(), spec)
	if field, refused, ok := present.Refused(err); ok {
		draft.Wrong, draft.Whole = map[string]present.WrongField{field: refused}, "run.check"
		return s.askRun(w, r, http.StatusUnprocessableEntity, draft)
	}
	switch {
	case errors.Is(err, engine.ErrQueueFull):
		draft.Whole = "run.full"
		return s.askRun(w, r, http.StatusServiceUnavailable, draft)
	case errors.Is(err, engine.ErrStopped):
		draft.Whole = "run.closing"
		return s.askRun(w, r, http.StatusServiceUnavailable, draft)
	case err != nil:
		return err
	}
	http.Redirect(w, r, s.runPath(w, r, run.ID), http.StatusSeeOther)
	return nil
}

func (s *server) runPath(w http.ResponseWriter, r *http.Request, id string) string {
	return "/" + s.language(w, r).Lang() + "/runs/" + id
}

// showRun shows a run as it stands.
func (s *server) showRun(w http.ResponseWriter, r *http.Request) error {
	watched, err := s.watch(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	watched.Step = -1
	if step, err := strconv.Atoi(r.URL.Query().Get("step")); err == nil {
		watched.Step = max(step, 0)
	}
	w.Header().Set("Cache-Control", "no-store") // going back shows how it stands now
	s.render(w, r, http.StatusOK, views.RunPage(present.RunPage(s.runFrame(w, r), watched)))
	return nil
}

// watch looks a run up: among those of this process, else among the saved.
func (s *server) watch(ctx context.Context, id string) (present.Watched, error) {
	watched := present.Watched{Now: s.Now(), Signals: s.Disturb != nil}
	if live, ok := s.Live.Watch(id); ok {
		state := live.State()
		watched.Run, watched.Ahead, watched.Here = state.Run, state.Ahead, true
		watched.Schedule, watched.Rounds = live.Schedule(), live.Rounds()
		watched.Events = live.Log().Latest()
		watched.Quiet = live.Log().Quiet(watched.Now)
		for _, took := range live.Log().Times() {
			watched.Took = append(watched.Took, unit.FromDuration(took))
		}
		return watched, nil
	}
	run, err := s.Saved.Find(ctx, id)
	if err != nil {
		return watched, err
	}
	watched.Run = run
	if watched.Events, watched.Rounds, err = s.Saved.Trace(ctx, run.ID); err != nil {
		return watched, err
	}
	watched.Schedule, err = s.Saved.Schedule(ctx, run)
	if errors.Is(err, trace.ErrNoSchedule) {
		err = nil // the page does without
	}
	return watched, err
}

// cancelRun ends a run and goes back to its page, which says how it stands: it
// may just have ended by itself.
func (s *server) cancelRun(w http.ResponseWriter, r *http.Request) error {
	id := chi.URLParam(r, "id")
	err := s.Runner.Cancel(r.Context(), id)
	if err != nil && !errors.Is(err, engine.ErrEnded) && !errors.Is(err, engine.ErrElsewhere) {
		return err
	}
	http.Redirect(w, r, s.runPath(w, r, url.PathEscape(id)), http.StatusSeeOther)
	return nil
}

// Disturber does something to a rank of a run under way, to see what the
// others make of it.
type Disturber interface {
	Signal(ctx context.Context, id string, rank int, s trace.Signal) error
}

// disturbRun takes one of the buttons of a running run's page and goes back to
// it. A run that has ended meanwhile says so itself.
func (s *server) disturbRun(w http.ResponseWriter, r *http.Request) error {
	if s.Disturb == nil {
		return errNotFound
	}
	if err := parseForm(r); err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	rank, err := strconv.Atoi(r.PostForm.Get("rank"))
	if err != nil {
		return errBadForm
	}
	err = s.Disturb.Signal(r.Context(), id, rank, trace.Signal(r.PostForm.Get("signal")))
	if bad := new(trace.FieldError); errors.As(err, &bad) {
		return errors.Join(errBadForm, err)
	}
	if err != nil {
		s.Log.InfoContext(r.Context(), "disturb run", "id", id, "rank", rank, "error", err)
	}
	http.Redirect(w, r, s.runPath(w, r, url.PathEscape(id)), http.StatusSeeOther)
	return nil
}
