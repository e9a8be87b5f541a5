package mpi

import (
	"sync/atomic"

	"lockstep/engine/schedule"
)

// LinkConfig is a rank's place in a run whose messages the library carries.
type LinkConfig struct {
	To, From []int         // the ranks that the schedule has edges to and from
	Meter    *atomic.Int64 // counts bytes of payload as they have moved
	// Crowded says that there are more ranks than processors: a rank that waits
	// gives its own away at once.
	Crowded bool
}

// Ask is a collective to be called.
type Ask struct {
	Collective schedule.Collective
	Root       int
	DType      schedule.DType
	Op         schedule.ReduceOp
	Elements   int // of the full buffer
	Slices     int // 1 for a reduce-scatter, whose operations take no types with gaps
}
