package conduct

import (
	"fmt"
	"time"

	"lockstep/engine/trace"
)

const (
	// overdue is how long a host is silent that may be about to be lost:
	// between two and three of its signs of life are missing.
	overdue = 1200 * time.Millisecond
	// answered is how long complaints wait for a sign of life of every host,
	// at most: by then a host that is gone is known to be.
	answered = 5 * time.Second
)

// absent reports whether some host is silent: what its ranks do is not known,
// and what others wait for may be its doing.
func (r *Conductor) absent(now time.Time) bool {
	for _, h := range r.hosts {
		if h.Silent(now) > overdue {
			return true
		}
	}
	return false
}

// unheard reports whether a complaint waits for a host to give a sign of life:
// when a node is lost its peers see their connections break, perhaps before we
// do.
func (r *Conductor) unheard(now time.Time) bool {
	since := now.Sub(r.suspect)
	if since > answered {
		return false
	}
	for _, h := range r.hosts {
		if h.Silent(now) > since-grace {
			return true
		}
	}
	return false
}

// lose ends a run one of whose hosts can no longer be reached.
func (r *Conductor) lose(h Host, why error, at time.Time) {
	f := trace.Failure{
		Kind: trace.AgentLost, Culprit: trace.Culprit{Node: h.Name()}, Step: -1, DetectedAfter: h.Silent(at).Seconds(),
		Message: fmt.Sprintf("node %s was lost: %v", h.Name(), why),
	}
	if step := r.firstUnfinished(func(rank int) bool { return r.cfg.Hosts[rank] == h }); step != nil && r.begun() {
		f.Step, f.Round = step.ID, step.Round
	}
	if f.Step >= 0 {
		f.Message += fmt.Sprintf(", in round %d", f.Round)
	}
	r.fail(f)
}

// begun reports whether every rank has its edges: the steps have begun.
func (r *Conductor) begun() bool {
	for _, m := range r.members {
		if m.stage < ready {
			return false
		}
	}
	return len(r.members) == r.spec.Ranks
}
