package local

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"time"

	"lockstep/cluster/conduct"
	"lockstep/cluster/inventory"
	"lockstep/cluster/worker"
	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Share is which ranks of a run are on this machine, and how others reach them.
// The zero value is all of them, out of others' reach.
type Share struct {
	First, End int        // the ranks, End excluded; 0 and 0 for all
	Bind       netip.Addr // where they listen for those of other hosts; zero for loopback
	Ports      link.Ports
	Advertise  string // the host that those of other hosts dial; "" for Bind
	Sealed     []bool // by rank, the peers to which edges are encrypted; nil for none
}

// Host is this machine as a host of a run. One goroutine owns it, and locks its
// thread from before the first Launch until all processes have ended: the
// kernel ends a rank when the thread that started it ends.
type Host struct {
	cfg     Config
	plan    *conduct.Plan
	share   Share
	place   worker.Place // what is the same for all ranks here
	segment *os.File     // what the ranks share memory by; nil where they do not
}

// Open makes room for ranks of a run.
func (f *Fleet) Open(plan *conduct.Plan, share Share) (*Host, error) {
	if share.First == 0 && share.End == 0 {
		share.End = plan.Spec.Ranks
	}
	if share.First < 0 || share.End > plan.Spec.Ranks || share.First >= share.End {
		return nil, fmt.Errorf("carry ranks %d to %d of %d: no such ranks", share.First, share.End-1, plan.Spec.Ranks)
	}
	need := unit.Bytes(0)
	for i := share.First; i < share.End; i++ {
		need += plan.Bytes(i)
	}
	if has := inventory.Read().Memory; has > 0 && need > has {
		return nil, fmt.Errorf("the buffers of %d ranks take %s, this machine has %s of memory", share.End-share.First, need, has)
	}
	h := &Host{cfg: f.cfg, plan: plan, share: share}
	if err := h.settle(); err != nil {
		return nil, err
	}
	return h, nil
}

// Name is "": this machine.
func (h *Host) Name() string { return "" }

// Silent is 0: this machine is always heard.
func (h *Host) Silent(time.Time) time.Duration { return 0 }

// Lost waits for ctx to end: this machine is not lost while anybody asks.
func (h *Host) Lost(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Launch starts the process of a rank.
func (h *Host) Launch(rank int) (conduct.Process, error) {
	p, err := start(h.cfg, h.segment)
	if err != nil {
		return nil, err
	}
	p.job = h.plan.Job(rank, h.seat(rank))
	return p, nil
}

// Close lets go of the memory that the ranks share.
func (h *Host) Close() error {
	if h.segment == nil {
		return nil
	}
	return h.segment.Close()
}

// sharedBelow is the longest slice for which both directions between two ranks
// do better on one connection: what acknowledges one rides on the other.
// Longer ones would hold each other up on a socket's lock.
const sharedBelow = 256 << 10

// burst is how many slices of a step go in a row through shared memory: the
// second is on its way while the next step waits for the first. Over TCP, whose
// own buffers do that, one at a time is up to a fifth faster at 64 MiB. Between
// hosts whole steps go: a link stands empty while the one slice is on its way.
const burst = 2

// settle ties the ranks to this machine: what is the same for all of them.
// Where they share memory it makes the segment.
func (h *Host) settle() error {
	spec, here, edges := h.plan.Spec, h.share.End-h.share.First, h.plan.Edges()
	p := &h.place
	*p = worker.Place{
		// A paced run is for eyes: it goes step by step, and leaves the
		// processors to those who show it.
		Crowded: here > runtime.NumCPU() || spec.Pace.Paced(),
		// A rank alone on its host has nobody to keep clear of, and would not
		// notice that others have its processor: another run's, or those of
		// hosts that share a machine.
		Pinned: here > 1 && !spec.Pace.Paced(),
		Shared: !slices.ContainsFunc(edges, func(e rank.Edge) bool { return e.Longest >= sharedBelow }),
		Bind:   h.share.Bind, Ports: h.share.Ports, Advertise: h.share.Advertise, Sealed: h.share.Sealed,
	}
	if !spec.Pace.Paced() && here == spec.Ranks {
		p.Burst = 1
	}
	if spec.Link != trace.Shm {
		return nil
	}
	if here < spec.Ranks {
		return errors.New("share memory: some of the ranks are on other hosts")
	}
	piece := 0
	if rate := spec.Pace.Rate; rate > 0 {
		piece = rank.PieceBytes(rate)
	}
	plan := link.PlanShm(spec.Ranks, edges, piece)
	segment, err := link.NewSegment(plan.Size)
	if err != nil {
		return err
	}
	p.Shm, h.segment = &plan, segment
	if !spec.Pace.Paced() {
		p.Burst = burst
	}
	return nil
}

// seat is a rank's own place: of the rings those that end at it.
func (h *Host) seat(i int) worker.Place {
	p := h.place
	p.Seat = i - h.share.First
	if p.Shm != nil {
		own := *p.Shm
		own.Rings = slices.DeleteFunc(slices.Clone(own.Rings), func(ring link.Ring) bool { return ring.Src != i && ring.Dst != i })
		p.Shm = &own
	}
	return p
}
