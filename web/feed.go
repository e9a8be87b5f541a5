package web

import (
	"context"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Message is how a run stands, as its watchers read it: over the WebSocket
// GET /api/v1/runs/{id}/events?since=SEQ one after the other, by polling
// GET /api/v1/runs/{id}?since=SEQ one at a time. All are JSON objects with the
// same fields:
//
//	{"seq": 812, "type": "delta", "run": {…}, "ahead": 0, "warmups": 3,
//	 "iteration": 7, "counted": 4, "elapsed_s": 1.25, "quiet_s": 0.02,
//	 "events": [[0,4,1,1,5230114,7], …]}
//
// Messages are state, not news: whoever misses some has seen fewer frames and
// no wrong ones. A watcher keeps seq and gives it as since when it comes back;
// without one, or with 0, it gets everything.
type Message struct {
	// Seq is where the watcher now stands. It never falls while a run is
	// watched; it is no count of anything.
	Seq int `json:"seq"`
	// Type says what to do with the events.
	Type MessageType `json:"type"`
	// Run is the document of `console run --json`, as it stands: its outcome
	// (queued, running, done, failed, cancelled), its warnings, and at the end
	// its times and its failure. Run.warnings may grow while it runs: a slow
	// rank has the code "slow-rank".
	Run trace.Run `json:"run"`
	// Ahead is how many runs come first, while the run is queued.
	Ahead int `json:"ahead"`
	// Warmups is how many uncounted iterations come first: iterations below it
	// are warm-ups. All iterations are warmups + run.iterations.
	Warmups int `json:"warmups"`
	// Iteration is the iteration, from 0, that every rank has at least begun;
	// -1 before all were heard of.
	Iteration int `json:"iteration"`
	// Counted is how many counted iterations all ranks have ended. Their times
	// are run.iteration_times_s at the end.
	Counted int `json:"counted"`
	// Elapsed is how long the run has been running, in seconds; 0 while it is
	// queued, how long it ran once it has ended.
	Elapsed float64 `json:"elapsed_s"`
	// Quiet is for how long nothing has been heard of any step, in seconds.
	Quiet float64 `json:"quiet_s"`
	// Events are the places that changed, in no particular order; [] for none.
	Events []Row `json:"events"`
}

// MessageType is what a Message is.
type MessageType string

const (
	// Snapshot: the events are all there are; forget any others.
	Snapshot MessageType = "snapshot"
	// Delta: the events replace what was known of their places.
	Delta MessageType = "delta"
	// StateOnly: only run, ahead, iteration and elapsed_s may have changed;
	// there are no events.
	StateOnly MessageType = "state"
	// End: the run has ended and the outcome is final; the events, if any, are
	// the last, to be taken in as those of a delta. It is the last message.
	End MessageType = "end"
)

// Row says how far one rank has come with its part of one step:
//
//		[rank, step_index, slice, side, at_ns, iteration]
//
//	  - step_index is the position in the schedule's list of steps, from 0
//	  - slice is the last slice, from 0, that is finished; slices are finished in
//	    their order, so those before it are too. The part is done when slice is
//	    run.slices - 1
//	  - side is 0 for a local step, 1 for the sender (its bytes have left), 2 for
//	    the receiver (they are applied)
//	  - at_ns is when, in nanoseconds since the iteration began on that rank
//	  - iteration counts from 0, the warm-ups included
//
// A place is (rank, step_index, side). A row of a later iteration than the one
// known for its place means that the place was begun anew.
type Row [6]int64

// LiveRuns are the runs that are queued or running in this process.
type LiveRuns interface {
	Watch(id string) (*engine.Live, bool)
}

// SavedRuns reads runs of any process, and what happened in the ended ones.
// The error of an ID that names none is trace.ErrNoRun.
type SavedRuns interface {
	Find(ctx context.Context, id string) (trace.Run, error)
	Trace(ctx context.Context, id string) ([]trace.Event, []unit.Seconds, error)
	// Schedule returns what the run carried out, or trace.ErrNoSchedule where
	// that cannot be had any more.
	Schedule(ctx context.Context, run trace.Run) (*schedule.Schedule, error)
}
