package trace

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Library is the vendor's library that moved a run's bytes.
type Library struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Whole are the times of the same collective by one call, where the run's
	// own were cut into slices to be seen.
	Whole *Times `json:"unsliced_time_s,omitempty"`
}

// Called reports whether the run is a library's own call, and not a schedule of
// ours.
func (s Spec) Called() bool { return s.Algorithm == schedule.LibraryCall }

// Whole returns how many of the uncounted iterations are made by one call each,
// to tell what the slices cost; none where there are no slices.
func (s Spec) Whole() int {
	if s.Called() && s.Slices > 1 {
		return s.Iterations
	}
	return 0
}

// vendor settles what a vendor's library decides, and refuses what it cannot
// do.
func (s *Spec) vendor() error {
	switch {
	case s.Backend != Host && s.Backend != MPI:
		return &FieldError{"backend", fmt.Sprintf("unknown back end %q; accepted: %s, %s", s.Backend, Host, MPI)}
	case s.Backend == Host && s.Called():
		return &FieldError{"algorithm", fmt.Sprintf("library is a vendor library's own call; accepted with --backend %s", MPI)}
	case s.Backend == Host:
		return nil
	case s.Link != "" && s.Link != Auto && s.Link != Own:
		return &FieldError{"link", fmt.Sprintf("%s with --backend %s: the library chooses by itself; accepted: %s", s.Link, s.Backend, Auto)}
	case s.Encryption != "":
		return &FieldError{"encryption", fmt.Sprintf("%s with --backend %s: the library's messages are its own matter; accepted: none", s.Encryption, s.Backend)}
	case len(s.Nodes) > 0:
		return &FieldError{"nodes", fmt.Sprintf("nodes with --backend %s: its ranks run on the console's own machine; accepted: none", s.Backend)}
	}
	s.Link = Own
	if s.Imported == nil && (s.Algorithm == "" || s.Algorithm == string(Auto)) {
		s.Algorithm = schedule.LibraryCall
	}
	if !s.Called() {
		return nil
	}
	switch {
	case s.Pace.Paced():
		return &FieldError{"pace", "a library's own call cannot be slowed down; accepted: none, or an algorithm by name"}
	case s.Chunks > 0:
		return &FieldError{"chunks", "a library cuts as it likes; accepted: none, or an algorithm by name"}
	case s.PerNode > 0:
		return &FieldError{"ranks-per-node", "a library knows its nodes by itself; accepted: none, or an algorithm by name"}
	case s.Slices > 1 && !s.sliceable():
		return &FieldError{"slices", fmt.Sprintf("%d slices of a %s, which MPI has no call for; accepted: auto or 1", s.Slices, s.Collective)}
	}
	if s.Collective.Reduces() {
		return s.lacks()
	}
	return nil
}

// sliceable reports whether MPI's call can be made on slices of the buffers as
// they lie. A reduce-scatter's blocks cannot: its operations take no types with
// gaps; a barrier has nothing to cut.
func (s *Spec) sliceable() bool {
	return s.Collective != schedule.ReduceScatter && s.Collective != schedule.Barrier
}

// lacks refuses what MPI's own reductions do not have.
func (s *Spec) lacks() error {
	switch s.DType {
	case schedule.Float16, schedule.BFloat16:
		return &FieldError{"dtype", fmt.Sprintf("MPI has no %s; accepted: float32, float64, int32, int64, uint8, or an algorithm by name, which adds up by itself", s.DType)}
	}
	if s.Op == schedule.Avg {
		return &FieldError{"op", "MPI has no avg; accepted: sum, prod, min, max, or an algorithm by name, which adds up by itself"}
	}
	return nil
}

// callSlice is how much of a buffer a call of its own moves at least where we
// choose: some milliseconds' worth, beside which a call's latency is nothing.
const callSlice = 4 * unit.MiB

// calls returns into how many calls a library's collective is cut to be seen.
func (s Spec) calls() int {
	if !s.sliceable() {
		return 1
	}
	return int(min(max(1, s.Size/callSlice), 64))
}
