package trace

import (
	"fmt"
	"math"
	"runtime"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Backend is who moves the bytes.
type Backend string

// The back ends.
const (
	Host Backend = "host" // our own executor on the hosts' processors
	MPI  Backend = "mpi"  // an MPI library's sends, or its own collectives
)

// Backends lists what a run can ask for.
func Backends() []Backend { return []Backend{Host, MPI} }

// Link is what connects two ranks.
type Link string

// The links.
const (
	Auto Link = "auto" // shared memory between ranks of one host, where the system has it
	Shm  Link = "shm"  // memory that the ranks of a host share
	TCP  Link = "tcp"  // sockets
	// Own is the vendor library's, which chooses by itself. It is never asked
	// for.
	Own Link = "library"
)

// Links lists what a run can ask for.
func Links() []Link { return []Link{Auto, Shm, TCP} }

// local is what Auto means between ranks of one host.
func local() Link {
	if runtime.GOOS == "windows" {
		return TCP
	}
	return Shm
}

// Pace slows a run down for eyes. The zero value is full speed.
type Pace struct {
	// Rate limits every rank's sending port and its receiving port, each
	// shared by all its edges.
	Rate unit.Rate `json:"rate_bytes_per_s,omitempty"`
	// Step holds a barrier after each round.
	Step bool `json:"step,omitempty"`
}

// Paced reports whether p slows the run at all.
func (p Pace) Paced() bool { return p.Rate > 0 || p.Step }

// Limits of a run on hosts.
const (
	MaxRanks      = 64
	MaxSize       = unit.Bytes(8 << 30)
	MaxIterations = 10_000
	MaxSlices     = 4096
)

// Spec is what was asked of a run.
type Spec struct {
	Collective schedule.Collective `json:"collective"`
	Algorithm  string              `json:"algorithm"`
	Ranks      int                 `json:"ranks"`
	Root       int                 `json:"root,omitempty"`           // 0 for collectives without one
	PerNode    int                 `json:"ranks_per_node,omitempty"` // for algorithms that look at nodes; 0 for two nodes
	Chunks     int                 `json:"chunks"`                   // pieces per block or vector; 0 for the default
	Size       unit.Bytes          `json:"size_bytes"`               // the full buffer, as nccl-tests counts it
	DType      schedule.DType      `json:"dtype"`
	Op         schedule.ReduceOp   `json:"op"`
	Backend    Backend             `json:"backend"`
	Link       Link                `json:"link"`
	Pace       Pace                `json:"pace"`
	Iterations int                 `json:"iterations"` // counted ones; 0 for the default
	Slices     int                 `json:"slices"`     // per chunk; 0 for automatic

	// Nodes are the names of the nodes that carry the ranks, block-wise: see
	// NodeOf. None for the console's own machine.
	Nodes      []string   `json:"nodes,omitempty"`
	Encryption Encryption `json:"encryption,omitempty"` // of edges between nodes; "" for Sealed

	// Imported is a schedule to carry out in place of one of the catalogue; the
	// fields that it decides are filled from it.
	Imported *schedule.Schedule `json:"-"`
}

// FieldError is a field of a Spec that cannot be used.
type FieldError struct {
	Field   string // the long flag's name
	Message string
}

func (e *FieldError) Error() string { return e.Message }

// Resolve checks s and fills what was left to us, or returns a *FieldError (or
// the *schedule.RequestError of schedule.Build, later). Algorithm may still be
// "auto".
func (s Spec) Resolve() (Spec, error) {
	if s.Imported != nil {
		if err := s.adopt(s.Imported); err != nil {
			return s, err
		}
	}
	if s.DType == "" {
		s.DType = schedule.Float32
	}
	if s.Op == "" {
		s.Op = schedule.Sum
	}
	if s.Backend == "" {
		s.Backend = Host
	}
	if err := s.vendor(); err != nil {
		return s, err
	}
	if s.Link == "" || s.Link == Auto {
		s.Link = local()
		if len(s.Nodes) > 1 {
			s.Link = TCP
		}
	}
	if _, err := schedule.Arithmetic(s.DType, schedule.Sum); err != nil {
		return s, &FieldError{"dtype", err.Error()}
	}
	if _, err := schedule.Arithmetic(s.DType, s.Op); err != nil {
		return s, &FieldError{"op", err.Error()}
	}
	switch {
	case s.Link != Shm && s.Link != TCP && (s.Link != Own || s.Backend == Host):
		return s, &FieldError{"link", fmt.Sprintf("unknown link %q; accepted: %s, %s, %s", s.Link, Auto, Shm, TCP)}
	case s.Link == Shm && len(s.Nodes) > 1:
		return s, &FieldError{"link", fmt.Sprintf("ranks on %d nodes share no memory; accepted: %s, %s", len(s.Nodes), Auto, TCP)}
	case s.Encryption != "" && s.Encryption != Sealed && s.Encryption != Plain:
		return s, &FieldError{"encryption", fmt.Sprintf("unknown encryption %q; accepted: %s, %s", string(s.Encryption), Sealed, Plain)}
	case s.Link == Shm && local() != Shm:
		return s, &FieldError{"link", fmt.Sprintf("ranks do not share memory on %s; accepted: %s, %s", runtime.GOOS, Auto, TCP)}
	case s.Ranks < 1 || s.Ranks > MaxRanks:
		return s, &FieldError{"ranks", fmt.Sprintf("%d ranks; accepted: 1 to %d", s.Ranks, MaxRanks)}
	case s.Chunks < 0:
		return s, &FieldError{"chunks", fmt.Sprintf("%d chunks; accepted: 1 or more", s.Chunks)}
	case s.Collective == schedule.Barrier && s.Size != 0:
		return s, &FieldError{"size", fmt.Sprintf("%d bytes; accepted: 0, as a barrier moves no data", s.Size)}
	case s.Size < 0 || s.Size > MaxSize:
		return s, &FieldError{"size", fmt.Sprintf("%d bytes; accepted: 0 to %s", s.Size, MaxSize)}
	case s.Iterations < 0 || s.Iterations > MaxIterations:
		return s, &FieldError{"iterations", fmt.Sprintf("%d iterations; accepted: 1 to %d", s.Iterations, MaxIterations)}
	case s.Slices < 0 || s.Slices > MaxSlices:
		return s, &FieldError{"slices", fmt.Sprintf("%d slices; accepted: auto or 1 to %d", s.Slices, MaxSlices)}
	case s.Pace.Rate < 0 || math.IsNaN(float64(s.Pace.Rate)) || math.IsInf(float64(s.Pace.Rate), 0):
		return s, &FieldError{"pace", "accepted: a rate such as 1GB/s, or step"}
	case s.Pace.Rate > 0 && s.Pace.Rate < 1000:
		return s, &FieldError{"pace", fmt.Sprintf("%s is too slow; accepted: 1kB/s or more, or step", s.Pace.Rate)}
	}
	if err := s.fit(); err != nil {
		return s, err
	}
	if err := s.spread(); err != nil {
		return s, err
	}
	if s.Iterations == 0 {
		s.Iterations = s.defaultIterations()
	}
	return s, nil
}

// fit refuses a size that is no whole number of elements, in each of the equal
// blocks where the collective has blocks.
func (s Spec) fit() error {
	whole, what := unit.Bytes(s.DType.Width()), fmt.Sprintf("are no multiple of a %s of %d bytes", s.DType, s.DType.Width())
	if s.Size%whole == 0 && s.Collective.Blocks() {
		whole *= unit.Bytes(s.Ranks)
		what = fmt.Sprintf("cannot be cut into %d equal blocks of whole %s, as %s needs", s.Ranks, s.DType, s.Collective)
	}
	below := s.Size / whole * whole
	if below == s.Size {
		return nil
	}
	return &FieldError{"size", fmt.Sprintf("%d bytes %s; nearest: %d or %d", s.Size, what, below, below+whole)}
}

// maxCells bounds what a schedule of n ranks with K chunks to each of n blocks
// holds: proving it right takes seconds beyond.
const maxCells = 1 << 19

// MostChunks returns how many chunks a run with so many ranks may ask for. The
// spec is resolved.
func (s Spec) MostChunks() int { return maxCells / (s.Ranks * s.Ranks) }

// Elements returns the elements of the full buffer.
func (s Spec) Elements() int { return int(s.Size) / s.DType.Width() }

// defaultIterations: enough for a median and a 95th percentile where they are
// cheap; one where a person watches.
func (s Spec) defaultIterations() int {
	switch {
	case s.Pace.Paced():
		return 1
	case s.Size <= 4*unit.MiB:
		return 20
	}
	return 10
}

// Warmups returns the uncounted iterations that come first: caches, TCP
// windows and page tables need them. A paced run is for eyes and has none.
func (s Spec) Warmups() int {
	switch {
	case s.Pace.Paced():
		return 0
	case s.Size <= 4*unit.MiB:
		return 20 + s.Whole()
	}
	return 3 + s.Whole()
}

// Request returns the schedule that the run asks for.
func (s Spec) Request() schedule.Request {
	return schedule.Request{
		Collective: s.Collective, Algorithm: s.Algorithm, Ranks: s.Ranks, Root: s.Root, RanksPerNode: s.PerNode, Chunks: s.Chunks,
	}
}

// Schedule returns the schedule that the run carries out: the imported one, or
// the catalogue's. Errors are *schedule.RequestError.
func (s Spec) Schedule() (*schedule.Schedule, error) {
	switch {
	case s.Imported != nil:
		return s.Imported, nil
	case s.Called():
		return schedule.Called(s.Collective, s.Ranks, s.Root)
	}
	return schedule.Build(s.Request())
}

// adopt takes over what an imported schedule decides, and refuses what was
// asked otherwise.
func (s *Spec) adopt(from *schedule.Schedule) error {
	switch {
	case s.Collective != "" && s.Collective != from.Collective:
		return &FieldError{"collective", fmt.Sprintf("%s, but the schedule is of %s", s.Collective, from.Collective)}
	case s.Ranks != 0 && s.Ranks != from.Ranks:
		return &FieldError{"ranks", fmt.Sprintf("%d ranks, but the schedule is for %d", s.Ranks, from.Ranks)}
	case s.Root != 0 && s.Root != from.Root:
		return &FieldError{"root", fmt.Sprintf("root %d, but the schedule's is %d", s.Root, max(from.Root, 0))}
	case s.Chunks != 0:
		return &FieldError{"chunks", fmt.Sprintf("%d chunks, but the schedule has its own: %d", s.Chunks, from.Chunks)}
	case s.Algorithm != "" && s.Algorithm != "auto" && s.Algorithm != from.Algorithm:
		return &FieldError{"algorithm", fmt.Sprintf("%s, but the schedule is called %s", s.Algorithm, from.Algorithm)}
	}
	s.Collective, s.Ranks, s.Root = from.Collective, from.Ranks, max(from.Root, 0)
	s.PerNode, s.Algorithm = from.RanksPerNode, from.Algorithm
	return nil
}

// SlicesFor returns how many slices each chunk of sched is cut into: as asked,
// or so that a slice has about the length that its link carries best.
func (s Spec) SlicesFor(sched *schedule.Schedule) int {
	if s.Slices > 0 {
		return s.Slices
	}
	if s.Called() {
		return s.calls()
	}
	slice := tcpSlice
	if s.Link == Shm && !s.Pace.Paced() {
		slice = shmSlice
	}
	longest := sched.ChunkLen(s.Elements(), 0) * s.DType.Width()
	return min(max(1, (longest+slice-1)/slice), MaxSlices)
}

const (
	tcpSlice = 512 << 10 // few large send calls
	shmSlice = 256 << 10 // as much as a slot
)
