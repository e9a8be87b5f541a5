package conduct

import (
	"errors"
	"fmt"
	"time"

	"lockstep/cluster/inventory"
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

// look notes which hosts are silent.
func (r *Conductor) look(now time.Time) {
	for _, h := range r.hosts {
		if h.Silent(now) > overdue {
			r.away[h] = now
		}
	}
}

// present returns for how long a host has been heard without a break. When it
// comes back after one, its own sign of life may come before those of its
// ranks, which are given time anew: what they said meanwhile is on its way.
func (r *Conductor) present(h Host, now time.Time) time.Duration { return now.Sub(r.away[h]) }

// together returns for how long all hosts have been heard: while one is not,
// what its ranks do is not known, and what others wait for may be its doing.
func (r *Conductor) together(now time.Time) time.Duration {
	last := time.Time{}
	for _, at := range r.away {
		if at.After(last) {
			last = at
		}
	}
	return now.Sub(last)
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

// unstarted ends a run one of whose processes could not be started.
func (r *Conductor) unstarted(i int, err error) {
	if lost := new(LostError); errors.As(err, &lost) {
		r.lose(r.cfg.Hosts[i], lost.Why, time.Now())
		return
	}
	f := trace.Failure{Kind: trace.StartFailed, Culprit: r.culprit(i), Step: -1, Message: fmt.Sprintf("%s could not be started: %v", r.name(i), err)}
	f.Because(err)
	r.fail(f)
}

// lose ends a run one of whose hosts can no longer be reached.
func (r *Conductor) lose(h Host, why error, at time.Time) {
	f := Lost(h.Name(), why)
	if f.Kind == trace.AgentLost {
		f.DetectedAfter = h.Silent(at).Seconds()
	}
	if step := r.firstUnfinished(func(rank int) bool { return r.cfg.Hosts[rank] == h }); step != nil && r.begun() {
		f.Step, f.Round = step.ID, step.Round
	}
	if f.Step >= 0 {
		f.Message += fmt.Sprintf(", in round %d", f.Round)
	}
	r.fail(f)
}

// Lost returns the failure of a run that has lost a node, before its first
// step; or whose node has ended it by its own limit.
func Lost(node string, why error) trace.Failure {
	f := trace.Failure{Kind: trace.AgentLost, Culprit: trace.Culprit{Node: node}, Step: -1, Message: fmt.Sprintf("node %s was lost: %v", node, why)}
	f.Because(why)
	if f.Values["why"] == string(inventory.OverSeconds) {
		f.Kind, f.Message = trace.NodeLimit, fmt.Sprintf("node %s ended the run: %v", node, why)
	}
	return f
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
