package trace

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Times summarises the counted iterations, in seconds; an iteration's time is
// the maximum over ranks of each rank's own elapsed time.
type Times struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

// Summarise returns the Times of the iterations, zero for none. The median of
// an even number is the mean of the middle two; p95 is the smallest time that
// at least 95 % of the iterations do not exceed.
func Summarise(iterations []time.Duration) Times {
	if len(iterations) == 0 {
		return Times{}
	}
	sorted := slices.Clone(iterations)
	slices.Sort(sorted)
	n := len(sorted)
	median := sorted[n/2].Seconds()
	if n%2 == 0 {
		median = (sorted[n/2-1].Seconds() + sorted[n/2].Seconds()) / 2
	}
	return Times{Min: sorted[0].Seconds(), Median: median, P95: sorted[(95*n+99)/100-1].Seconds()}
}

// Run is a run with everything that is known of it: the document that
// `console run --json` prints. Fields that do not apply are absent.
type Run struct {
	Version      int                 `json:"version"`
	ID           string              `json:"id"`
	Outcome      Outcome             `json:"outcome"`
	Collective   schedule.Collective `json:"collective"`
	Algorithm    string              `json:"algorithm"`
	Backend      Backend             `json:"backend"`
	Link         Link                `json:"link"`
	Paced        bool                `json:"paced,omitempty"`
	Ranks        int                 `json:"ranks"`
	Nodes        int                 `json:"nodes"`
	NodeNames    []string            `json:"node_names,omitempty"` // in the order of their ranks; none for the console's own machine
	Encryption   Encryption          `json:"encryption,omitempty"` // of edges between nodes
	Size         unit.Bytes          `json:"size_bytes"`
	DType        schedule.DType      `json:"dtype"`
	Op           schedule.ReduceOp   `json:"op"`
	ScheduleHash string              `json:"schedule_hash,omitempty"`
	Library      *Library            `json:"library,omitempty"` // that moved the bytes
	Iterations   int                 `json:"iterations"`
	Times        *Times              `json:"time_s,omitempty"`
	Iterated     []unit.Seconds      `json:"iteration_times_s,omitempty"` // of each counted iteration that ended, in their order
	AlgBW        float64             `json:"algbw_gbytes_per_s,omitempty"`
	BusBW        float64             `json:"busbw_gbytes_per_s,omitempty"`
	Predicted    float64             `json:"predicted_s,omitempty"`
	Verified     bool                `json:"verified"`
	Events       int                 `json:"events"`
	Slices       int                 `json:"slices"`
	Warnings     []Warning           `json:"warnings"`
	Failure      *Failure            `json:"failure,omitempty"`
	Created      time.Time           `json:"created"`
	Started      time.Time           `json:"started,omitzero"` // when it began to run
	Ended        time.Time           `json:"ended,omitzero"`
	Pace         *Pace               `json:"pace,omitempty"`
	Chunks       int                 `json:"chunks,omitempty"`
	Root         *int                `json:"root,omitempty"`
	PerNode      int                 `json:"ranks_per_node,omitempty"`
	Imported     bool                `json:"imported,omitempty"` // the schedule came from a file
}

// NewRun returns the document of a run that has just been asked for. The spec
// is resolved.
func NewRun(id string, s Spec, created time.Time) Run {
	r := Run{
		Version: 1, ID: id, Outcome: Queued, Collective: s.Collective, Algorithm: s.Algorithm, Backend: s.Backend,
		Link: s.Link, Paced: s.Pace.Paced(), Ranks: s.Ranks, Nodes: max(1, len(s.Nodes)), NodeNames: s.Nodes, Encryption: s.Encryption, Size: s.Size, DType: s.DType, Op: s.Op,
		Iterations: s.Iterations, Warnings: []Warning{}, Created: created.UTC(), Chunks: s.Chunks,
	}
	if s.Pace.Paced() {
		r.Pace = &s.Pace
	}
	if s.Collective.Rooted() {
		r.Root = &s.Root
	}
	r.PerNode, r.Imported = s.PerNode, s.Imported != nil
	return r
}

// Kept is what is saved beside a run's document when it is asked for.
type Kept struct {
	Rounds   []unit.Seconds     // the predicted end of each counted round; nil for none
	Schedule *schedule.Schedule // of an imported one; nil where the catalogue has it
}

// ErrNoSchedule is what a run's schedule gives where it cannot be had again.
var ErrNoSchedule = errors.New("the schedule that the run carried out is not there")

// Rebuild returns the schedule that a run of the catalogue carried out. The
// error is ErrNoSchedule for an imported one, and where the catalogue has
// changed since.
func (r *Run) Rebuild() (*schedule.Schedule, error) {
	if r.Imported {
		return nil, fmt.Errorf("%w: it was imported", ErrNoSchedule)
	}
	if r.Algorithm == schedule.LibraryCall {
		root := 0
		if r.Root != nil {
			root = *r.Root
		}
		return schedule.Called(r.Collective, r.Ranks, root)
	}
	request := schedule.Request{Collective: r.Collective, Algorithm: r.Algorithm, Ranks: r.Ranks, RanksPerNode: r.PerNode, Chunks: r.Chunks}
	if r.Root != nil {
		request.Root = *r.Root
	}
	s, err := schedule.Build(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoSchedule, err)
	}
	if r.ScheduleHash != "" && s.Hash() != r.ScheduleHash {
		return nil, fmt.Errorf("%w: the catalogue's has changed since", ErrNoSchedule)
	}
	return s, nil
}

// Iterate keeps the times of the counted iterations that ended.
func (r *Run) Iterate(iterations []time.Duration) {
	r.Iterated = nil
	for _, took := range iterations[:min(len(iterations), MaxIterations)] {
		r.Iterated = append(r.Iterated, unit.FromDuration(took))
	}
}

// Measured fills in times and bandwidths from the counted iterations. A
// bandwidth is left out where it is undefined: no bytes, or no time.
func (r *Run) Measured(iterations []time.Duration) {
	times := Summarise(iterations)
	r.Times = &times
	if r.Size > 0 && times.Median > 0 {
		r.AlgBW = float64(r.Size) / times.Median / 1e9
		r.BusBW = r.AlgBW * r.Collective.BusFactor(r.Ranks)
	}
}

// Elapsed returns how long the run has been running at a time, or how long it
// ran; 0 for one that has not begun.
func (r *Run) Elapsed(now time.Time) time.Duration {
	switch {
	case r.Started.IsZero():
		return 0
	case !r.Ended.IsZero():
		now = r.Ended
	}
	return max(0, now.Sub(r.Started))
}

// Warmups returns the uncounted iterations of the run.
func (r *Run) Warmups() int {
	s := Spec{Size: r.Size, Algorithm: r.Algorithm, Slices: r.Slices, Iterations: r.Iterations}
	if r.Pace != nil {
		s.Pace = *r.Pace
	}
	return s.Warmups()
}

// Report is what a fleet says of a run at its end.
type Report struct {
	Iterations []time.Duration // the counted ones that finished
	Verified   bool            // every output element was compared and is right
	Failure    *Failure        // nil when the run finished or was cancelled
	Library    *Library        // that moved the bytes; nil for none but ours
}

// Plan is how a run is to be carried out and what it should cost.
type Plan struct {
	Algorithm string         // never "auto"
	Predicted unit.Seconds   // of one iteration; 0 when there is no ground for a figure
	Rounds    []unit.Seconds // the end of each counted round, as predicted; nil likewise
	Warnings  []Warning
}
