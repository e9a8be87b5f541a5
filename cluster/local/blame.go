package local

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lockstep/cluster/worker"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

const (
	// grace is how long a complaint waits for better evidence: the peers of a
	// dead process see its connections break before we hear of its end.
	grace = 200 * time.Millisecond
	// silence is how long a frozen process is silent: twenty heartbeats.
	silence = 2 * time.Second
	// overload is how long most ranks may be silent before it is more than a
	// loaded machine.
	overload = 10 * time.Second
	// late is a conductor that was not run for so long; the ranks were hardly
	// better off.
	late = 500 * time.Millisecond
	// standstill is how long no byte of any rank moves in a stalled run.
	standstill = 3 * time.Second
)

func rankCulprit(i int) trace.Culprit { return trace.Culprit{Rank: &i} }

// fail ends the run; the first failure counts.
func (r *run) fail(f trace.Failure) {
	if !r.ended {
		r.failure, r.ended = &f, true
	}
}

// died ends a run one of whose processes is gone.
func (r *run) died(m *member, at time.Time) {
	f := trace.Failure{Kind: trace.ProcessDied, Culprit: rankCulprit(m.rank), DetectedAfter: at.Sub(m.seen).Seconds(), Values: trace.Values{"how": m.gone}}
	f.Step, f.Round = r.reached(m)
	switch {
	case m.stage == started:
		f.Kind = trace.StartFailed
		f.Message = fmt.Sprintf("rank %d's process ended before it said hello (%s)", m.rank, m.gone)
	case len(m.times) == r.iterations():
		f.Message = fmt.Sprintf("rank %d's process died (%s) after its last step, before the result was verified", m.rank, m.gone)
	case f.Step < 0:
		f.Message = fmt.Sprintf("rank %d's process died (%s) before its first step", m.rank, m.gone)
	default:
		f.Message = fmt.Sprintf("rank %d's process died (%s) in round %d", m.rank, m.gone, f.Round)
	}
	r.fail(f)
}

// watch looks for what nobody says: silence, and complaints that have waited
// long enough.
func (r *run) watch(now time.Time) {
	if now.Sub(r.tickAt) > late {
		r.excused = now
	}
	r.tickAt = now
	for _, m := range r.members {
		if m.stage == started && now.Sub(m.begun) > r.cfg.Patience {
			r.fail(trace.Failure{Kind: trace.StartFailed, Culprit: rankCulprit(m.rank), Step: -1, DetectedAfter: now.Sub(m.begun).Seconds(),
				Message: fmt.Sprintf("rank %d's process did not say hello within %v; is %s a console of this version?", m.rank, r.cfg.Patience, r.cfg.Executable)})
			return
		}
	}
	if !r.suspect.IsZero() && now.Sub(r.suspect) > grace {
		r.complain()
		return
	}
	r.freeze(now)
	r.stall(now)
	r.lag(now)
}

// complain ends the run by what the workers complain of.
func (r *run) complain() {
	weight := func(m *member) int {
		switch {
		case m.fault == nil:
			return 3
		case m.fault.Kind == worker.FaultInternal:
			return 0
		case m.fault.Kind == worker.FaultStart:
			return 1
		}
		return 2
	}
	// Of equal complaints the first: a rank that gives up closes its links, so
	// the fault spreads from where it began.
	m := slices.MinFunc(r.members, func(a, b *member) int {
		return cmp.Or(weight(a)-weight(b), a.faultAt.Compare(b.faultAt))
	})
	fault := m.fault
	f := trace.Failure{Step: fault.Step, Round: fault.Round, DetectedAfter: time.Since(r.suspect).Seconds()}
	switch fault.Kind {
	case worker.FaultInternal:
		f.Kind, f.Culprit = trace.Internal, rankCulprit(m.rank)
		f.Message = fmt.Sprintf("rank %d found a fault in the run: %s", m.rank, fault.Message)
	case worker.FaultStart:
		f.Kind, f.Culprit = trace.StartFailed, rankCulprit(m.rank)
		f.Message = fmt.Sprintf("rank %d could not start: %s", m.rank, fault.Message)
	default:
		f.Kind = trace.LinkStalled
		if i := r.sched.Index(fault.Step); i >= 0 {
			f.Culprit.Link = fmt.Sprintf("%d->%d", r.sched.Steps[i].Src, r.sched.Steps[i].Dst)
		}
		f.Message = fmt.Sprintf("rank %d lost a connection, though every process is alive: %s", m.rank, fault.Message)
	}
	r.fail(f)
}

// freeze ends a run one of whose processes is silent although it should not
// be.
func (r *run) freeze(now time.Time) {
	quiet := func(m *member) time.Duration {
		if m.stage == started {
			return 0 // patience is for these
		}
		return min(now.Sub(m.seen), now.Sub(r.excused))
	}
	silent := 0
	for _, m := range r.members {
		if quiet(m) > silence {
			silent++
		}
	}
	if silent == 0 {
		return
	}
	m := slices.MaxFunc(r.members, func(a, b *member) int { return int(quiet(a) - quiet(b)) })
	if m.process.state() == scheduled && quiet(m) < overload {
		return // not stopped: it is hungry, and will say so when it gets a processor
	}
	if n := len(r.members); n > 1 && 2*silent > n && quiet(m) < overload {
		return // most of them: it is the machine
	}
	f := trace.Failure{Kind: trace.ProcessFrozen, Culprit: rankCulprit(m.rank), DetectedAfter: now.Sub(m.seen).Seconds()}
	f.Step, f.Round = r.reached(m)
	f.Message = fmt.Sprintf("rank %d's process is alive but has been silent for %.1f s: it is frozen", m.rank, now.Sub(m.seen).Seconds())
	if f.Step >= 0 {
		f.Message += fmt.Sprintf(" in round %d", f.Round)
	}
	r.fail(f)
}

// stall ends a run in which all processes are alive and nothing moves.
func (r *run) stall(now time.Time) {
	unfinished := false
	for _, m := range r.members {
		if m.stage < ready {
			return // the set-up has its own limits
		}
		unfinished = unfinished || len(m.times) < r.iterations()
	}
	quiet := min(now.Sub(r.movedAt), now.Sub(r.excused))
	if !unfinished || quiet <= standstill {
		return
	}
	f := trace.Failure{Kind: trace.LinkStalled, Step: -1, DetectedAfter: now.Sub(r.movedAt).Seconds()}
	f.Message = fmt.Sprintf("every process is alive, but nothing has moved for %.1f s", now.Sub(r.movedAt).Seconds())
	// Steps finish in an order that respects their IDs: the first unfinished
	// one waits for no other step.
	if step := r.firstUnfinished(); step != nil {
		f.Step, f.Round = step.ID, step.Round
		f.Culprit.Link = fmt.Sprintf("%d->%d", step.Src, step.Dst)
		f.Message += fmt.Sprintf("; the first step that did not finish is from rank %d to rank %d in round %d", step.Src, step.Dst, step.Round)
	}
	r.fail(f)
}

// reached returns the first unfinished step of a rank in the iteration that it
// was last heard of in; -1 and 0 for a rank that has not begun or is through.
func (r *run) reached(m *member) (step, round int) {
	moves := r.programs[m.rank].Moves
	if m.stage < ready || len(m.times) == r.iterations() || len(moves) == 0 {
		return -1, 0
	}
	i, _ := r.next(m.rank, r.log.Latest())
	if i == len(moves) {
		i = 0 // between iterations
	}
	return moves[i].Step, moves[i].Round
}

// next returns the index of a rank's first unfinished move and the iteration,
// by the latest events of all ranks.
func (r *run) next(i int, latest []trace.Event) (move, iteration int) {
	type part struct {
		step int
		side trace.Side
	}
	finished := map[part]int{}
	for _, e := range latest {
		if e.Rank == i {
			finished[part{e.Step, e.Side}]++
			iteration = e.Iteration
		}
	}
	moves := r.programs[i].Moves
	for j := range moves {
		if finished[part{moves[j].Step, side(moves[j].Kind)}] < r.job.Slices {
			return j, iteration
		}
	}
	return len(moves), iteration
}

// firstUnfinished returns the step with the smallest ID that some rank has not
// finished, of the earliest iteration; nil if all wait between iterations.
func (r *run) firstUnfinished() *schedule.Step {
	var first *schedule.Step
	earliest := 0
	latest := r.log.Latest() // once: it may be long
	for i := range r.programs {
		move, iteration := r.next(i, latest)
		if move == len(r.programs[i].Moves) {
			continue
		}
		step := &r.sched.Steps[r.sched.Index(r.programs[i].Moves[move].Step)]
		if first == nil || iteration < earliest || iteration == earliest && step.ID < first.ID {
			first, earliest = step, iteration
		}
	}
	return first
}
