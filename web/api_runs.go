package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/web/account"
)

// RunRequest is the body of POST runs: the long flags of `console run`. What
// is absent has the flag's default.
type RunRequest struct {
	Collective schedule.Collective `json:"collective,omitempty"`
	Algorithm  string              `json:"algorithm,omitempty"`
	Ranks      int                 `json:"ranks,omitempty"`
	Size       *unit.Bytes         `json:"size_bytes,omitempty"`
	DType      schedule.DType      `json:"dtype,omitempty"`
	Op         schedule.ReduceOp   `json:"op,omitempty"`
	Root       int                 `json:"root,omitempty"`
	PerNode    int                 `json:"ranks_per_node,omitempty"`
	Chunks     int                 `json:"chunks,omitempty"`
	Backend    trace.Backend       `json:"backend,omitempty"`
	Link       trace.Link          `json:"link,omitempty"`
	Pace       *trace.Pace         `json:"pace,omitempty"`
	Iterations int                 `json:"iterations,omitempty"`
	Slices     int                 `json:"slices,omitempty"`
	Nodes      []string            `json:"nodes,omitempty"`
	Encryption trace.Encryption    `json:"encryption,omitempty"`
	Schedule   json.RawMessage     `json:"schedule,omitempty"`
}

// NewRunRequest returns the body that asks for a run.
func NewRunRequest(s trace.Spec) (RunRequest, error) {
	q := RunRequest{
		Collective: s.Collective, Algorithm: s.Algorithm, Ranks: s.Ranks, Size: &s.Size, DType: s.DType, Op: s.Op, Root: s.Root,
		PerNode: s.PerNode, Chunks: s.Chunks, Backend: s.Backend, Link: s.Link, Iterations: s.Iterations, Slices: s.Slices,
		Nodes: s.Nodes, Encryption: s.Encryption,
	}
	if s.Pace.Paced() {
		q.Pace = &s.Pace
	}
	if s.Imported != nil {
		var err error
		if q.Schedule, err = json.Marshal(s.Imported); err != nil {
			return RunRequest{}, err
		}
	}
	return q, nil
}

// spec reads the request. What is missing or makes no schedule is a Problem.
func (q RunRequest) spec() (trace.Spec, error) {
	s := trace.Spec{
		Collective: q.Collective, Algorithm: q.Algorithm, Ranks: q.Ranks, DType: q.DType, Op: q.Op, Root: q.Root,
		PerNode: q.PerNode, Chunks: q.Chunks, Backend: q.Backend, Link: q.Link, Iterations: q.Iterations, Slices: q.Slices,
		Nodes: q.Nodes, Encryption: q.Encryption,
	}
	if len(q.Schedule) > 0 {
		var err error
		if s.Imported, err = schedule.Read(bytes.NewReader(q.Schedule)); err != nil {
			return s, wrong(WrongInput{Pointer: "/schedule", Message: err.Error()})
		}
		if s.Collective == "" {
			s.Collective = s.Imported.Collective
		}
	}
	if q.Size != nil {
		s.Size = *q.Size
	}
	if q.Pace != nil {
		s.Pace = *q.Pace
	}
	var missing []WrongInput
	if s.Collective == "" {
		missing = append(missing, WrongInput{Pointer: "/collective", Message: "not given; accepted: a collective such as all-reduce, or a schedule"})
	}
	if s.Ranks == 0 && s.Imported == nil {
		missing = append(missing, WrongInput{Pointer: "/ranks", Message: "not given; accepted: a whole number of rank processes"})
	}
	if q.Size == nil && s.Collective != schedule.Barrier {
		missing = append(missing, WrongInput{Pointer: "/size_bytes", Message: "not given; accepted: bytes of the full buffer, as a whole number"})
	}
	if len(missing) > 0 {
		return s, wrong(missing...)
	}
	return s, nil
}

// RunList is the document of GET runs and of `console run list --json`.
type RunList struct {
	Version int         `json:"version"`
	Runs    []trace.Run `json:"runs"`
	Next    string      `json:"next,omitempty"` // what before takes for the runs that come after these
}

// runOperations describes and answers what is asked of runs. The two addresses
// of a run's progress answer by themselves: their bytes are made once for all
// watchers.
func (a *api) runOperations(r chi.Router) {
	message := a.OpenAPI().Components.Schemas.Schema(typeOf[Message](), true, "")
	since := &huma.Param{
		Name: "since", In: "query", Schema: &huma.Schema{Type: huma.TypeInteger, Minimum: new(float64)},
		Description: "The seq of the message that came last; 0 or absent for everything.",
	}
	id := &huma.Param{Name: "id", In: "path", Required: true, Description: "The run, such as 0007 or 7.", Schema: &huma.Schema{Type: huma.TypeString}}
	r.Get(apiRoot+"/runs/{id}", a.handle(a.runState))
	a.documented(account.Viewer, huma.Operation{
		OperationID: "watch-run", Method: http.MethodGet, Path: "/runs/{id}", Tags: []string{"runs"}, Summary: "How a run stands",
		Description: "The run and what has happened in it since the message that came last, for those who ask now and then.",
		Parameters:  []*huma.Param{id, since}, Errors: []int{http.StatusBadRequest, http.StatusNotFound},
		Responses: map[string]*huma.Response{"200": {
			Description: "How the run stands.", Content: map[string]*huma.MediaType{"application/json": {Schema: message}},
		}},
	})
	r.Get(apiRoot+"/runs/{id}/events", a.handle(a.runEvents))
	a.documented(account.Viewer, huma.Operation{
		OperationID: "follow-run", Method: http.MethodGet, Path: "/runs/{id}/events", Tags: []string{"runs"}, Summary: "Follow a run over a WebSocket",
		Description: "Each text message is one JSON document, the same as GET /api/v1/runs/{id} answers; at most 20 a second.",
		Parameters:  []*huma.Param{id, since}, Errors: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUpgradeRequired},
		Responses: map[string]*huma.Response{"101": {Description: "The WebSocket is open."}},
	})
	if a.Archive != nil {
		add(a, account.Viewer, huma.Operation{
			OperationID: "list-runs", Method: http.MethodGet, Path: "/runs", Tags: []string{"runs"}, Summary: "The saved runs, newest first",
			Description: "At most limit of them. The times of single iterations are left out; GET /api/v1/runs/{id} has them.",
			Errors:      []int{http.StatusNotFound, http.StatusUnprocessableEntity},
		}, a.listedRuns)
	}
	if a.Runner == nil {
		return
	}
	add(a, account.Presenter, huma.Operation{
		OperationID: "start-run", Method: http.MethodPost, Path: "/runs", Tags: []string{"runs"}, Summary: "Run a collective for real",
		Description: "The run is planned, its schedule proved right, and put in the queue. The keys are the long flags of console run.",
		Errors:      []int{http.StatusServiceUnavailable}, DefaultStatus: http.StatusCreated,
	}, a.startedRun)
	add(a, account.Presenter, huma.Operation{
		OperationID: "cancel-run", Method: http.MethodDelete, Path: "/runs/{id}", Tags: []string{"runs"}, Summary: "Cancel a run",
		Description: "A queued run has ended with the answer; a running one is told to stop, keeps what it had reached and ends soon.",
		Errors:      []int{http.StatusNotFound, http.StatusConflict}, DefaultStatus: http.StatusAccepted,
	}, a.cancelledRun)
}

type listedRunsInput struct {
	Before string `query:"before" doc:"Only runs that were asked for before the one with this ID, such as next of the list before."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many at most."`
}

type runListOutput struct{ Body RunList }

func (a *api) listedRuns(ctx context.Context, in *listedRunsInput) (*runListOutput, error) {
	runs, err := a.Archive.Before(ctx, in.Before, in.Limit+1)
	if errors.Is(err, trace.ErrNoRun) {
		return nil, wrong(WrongInput{Parameter: "before", Message: given(in.Before) + "; accepted: the ID of a run, such as 0007"})
	}
	if err != nil {
		return nil, err
	}
	list := RunList{Version: 1, Runs: runs}
	if len(runs) > in.Limit {
		list.Runs = runs[:in.Limit]
		list.Next = list.Runs[in.Limit-1].ID
	}
	return &runListOutput{list}, nil
}

type startedRunInput struct{ Body RunRequest }

type startedRunOutput struct {
	Location string `header:"Location" doc:"Where the run is."`
	Body     trace.Run
}

func (a *api) startedRun(ctx context.Context, in *startedRunInput) (*startedRunOutput, error) {
	spec, err := in.Body.spec()
	if err != nil {
		return nil, err
	}
	for _, o := range a.offers(ctx) {
		if o.Backend == spec.Backend && o.Missing != "" {
			return nil, &trace.FieldError{Field: "backend", Message: fmt.Sprintf("%s cannot be used here: %s; accepted: %s", o.Backend, o.Reason, trace.Host)}
		}
	}
	run, err := a.Runner.Submit(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &startedRunOutput{apiRoot + "/runs/" + run.ID, run}, nil
}

type oneRunInput struct {
	ID string `path:"id" doc:"The run, such as 0007 or 7."`
}

type runOutput struct{ Body trace.Run }

func (a *api) cancelledRun(ctx context.Context, in *oneRunInput) (*runOutput, error) {
	saved, err := a.Saved.Find(ctx, in.ID) // which knows an ID without its zeros
	if err != nil {
		return nil, err
	}
	if err := a.Runner.Cancel(ctx, saved.ID); err != nil {
		return nil, err
	}
	if live, ok := a.Live.Watch(saved.ID); ok {
		return &runOutput{live.State().Run}, nil
	}
	run, err := a.Saved.Find(ctx, saved.ID)
	return &runOutput{run}, err
}

// runState answers how a run stands: what its WebSocket would say first, for those
// who rather ask now and then.
func (s *server) runState(w http.ResponseWriter, r *http.Request) error {
	id, since, err := s.watched(r)
	if err != nil {
		return err
	}
	one := s.feeds.join(id)
	defer s.feeds.leave(one)
	made, _, _, err := one.next(r.Context(), place{since, passing})
	if err != nil {
		return err
	}
	return answerJSON(w, made.body)
}

var _ Runner = (*engine.Engine)(nil)
