package sweep

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// MaxWays bounds what is compared with what.
const MaxWays = 4

// Way is one way to carry a collective out.
type Way struct {
	Backend   trace.Backend `json:"backend"`
	Algorithm string        `json:"algorithm"` // of the catalogue, auto, or library with a vendor's back end
}

// Request is what is to be compared. Base holds everything that the runs have
// in common; its size, back end and algorithm are not looked at.
type Request struct {
	Base  trace.Spec
	Range Range
	Ways  []Way
}

// Resolve checks the request and fills what was left to us, or returns a
// *trace.FieldError. Whether each way can be carried out shows when it is its
// turn: one that cannot does not keep the others from being measured.
func (r Request) Resolve() (Request, error) {
	if err := r.Range.check(); err != nil {
		return r, &trace.FieldError{Field: "sweep", Message: err.Error()}
	}
	if len(r.Ways) < 1 || len(r.Ways) > MaxWays {
		return r, &trace.FieldError{Field: "ways", Message: fmt.Sprintf("%d ways to compare; accepted: 1 to %d", len(r.Ways), MaxWays)}
	}
	switch {
	case r.Base.Collective == schedule.Barrier:
		return r, &trace.FieldError{Field: "collective", Message: "a barrier moves no bytes and has no sizes to compare; accepted: any other collective"}
	case r.Base.Pace.Paced():
		return r, &trace.FieldError{Field: "pace", Message: "a run slowed down for eyes measures nothing; accepted in a comparison: none"}
	case r.Base.Imported != nil:
		return r, &trace.FieldError{Field: "schedule", Message: "a schedule of its own is for one run; accepted in a comparison: none"}
	}
	if r.Range.Last > trace.MaxSize {
		return r, &trace.FieldError{Field: "sweep", Message: fmt.Sprintf("sizes up to %s; accepted: up to %s", r.Range.Last, trace.MaxSize)}
	}
	// The host's way shows what is wrong with what all have in common; which
	// algorithm it is does not matter to that.
	probe := r.Base
	probe.Algorithm, probe.Backend, probe.Size = string(trace.Auto), trace.Host, 0
	if _, err := probe.Resolve(); err != nil {
		return r, err
	}
	r.Ways = slices.Clone(r.Ways)
	for i, w := range r.Ways {
		if w.Backend == "" {
			r.Ways[i].Backend = trace.Host
		}
		if w.Algorithm == "" || w.Algorithm == string(trace.Auto) {
			r.Ways[i].Algorithm = string(trace.Auto)
			if r.Ways[i].Backend != trace.Host {
				r.Ways[i].Algorithm = schedule.LibraryCall
			}
		}
	}
	return r, nil
}

// Sizes lists the sizes, ascending. The request is resolved.
func (r Request) Sizes() []unit.Bytes {
	dtype := r.Base.DType
	if dtype == "" {
		dtype = schedule.Float32
	}
	whole := unit.Bytes(dtype.Width())
	if r.Base.Collective.Blocks() {
		whole *= unit.Bytes(r.Base.Ranks)
	}
	return r.Range.sizes(whole)
}

// Len is how many runs the request asks for.
func (r Request) Len() int { return len(r.Sizes()) * len(r.Ways) }

// At is the run with an index: all ways of a size, then those of the next.
func (r Request) At(i int) (spec trace.Spec, way int) {
	spec, way = r.Base, i%len(r.Ways)
	spec.Size = r.Sizes()[i/len(r.Ways)]
	spec.Backend, spec.Algorithm = r.Ways[way].Backend, r.Ways[way].Algorithm
	if spec.Backend != trace.Host {
		spec.Link = "" // the library's own
	}
	return spec, way
}

// State is how a comparison stands.
type State string

// The states. Stopped is one that somebody, or the end of its console, has
// ended early; what it has measured stands.
const (
	Running State = "running"
	Done    State = "done"
	Stopped State = "stopped"
)

// Point is one run of a comparison, or why there is none.
type Point struct {
	Run  trace.Run // ID is empty where there is none; without the times of its iterations
	Left Reason    // why there is no run; empty where there is one
	Says string    // the reason in words, where it is an error's
}

// Reason says why a point has no run.
type Reason string

// The reasons.
const (
	Refused      Reason = "refused"       // the engine did not take it
	FailedBefore Reason = "failed-before" // the same way failed, or was refused, at a smaller size
)

// Comparison is a comparison with everything that is known of it.
type Comparison struct {
	ID      string // given by the journal
	State   State
	Created time.Time
	Ended   time.Time // zero while it runs
	Request Request
	Points  []Point // in the order of Request.At; those that have begun
}

// Errors of comparisons besides those of bad input.
var (
	ErrNone = errors.New("no such comparison")              // of an ID that names none
	ErrBusy = errors.New("another comparison is under way") // one runs at a time
)

// Of returns the points of a way by ascending size, as far as there are any.
func (c *Comparison) Of(way int) []Point {
	var all []Point
	for i := way; i < len(c.Points); i += len(c.Request.Ways) {
		all = append(all, c.Points[i])
	}
	return all
}

// Named returns an algorithm of ours with a name for a back end that has its
// own: the one that is asked for, else the ring, else the first of the
// collective that hosts can carry out.
func Named(c schedule.Collective, algorithm string) string {
	if algorithm != "" && algorithm != string(trace.Auto) && algorithm != schedule.LibraryCall {
		return algorithm
	}
	first := ""
	for _, e := range schedule.Catalog() {
		switch {
		case e.Collective != c || !e.Executable:
		case e.Algorithm == "ring":
			return e.Algorithm
		case first == "":
			first = e.Algorithm
		}
	}
	return first
}
