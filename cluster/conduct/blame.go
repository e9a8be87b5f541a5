package conduct

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
	// callStandstill is how long a library's call may take, within which nothing
	// can be seen.
	callStandstill = time.Minute
)

// culprit blames a rank, and says where it is.
func (r *Conductor) culprit(i int) trace.Culprit {
	return trace.Culprit{Rank: &i, Node: r.cfg.Hosts[i].Name()}
}

// name names a rank, with its node if it is on one.
func (r *Conductor) name(i int) string { return r.place(fmt.Sprintf("rank %d", i), i) }

// process names a rank's process likewise.
func (r *Conductor) process(i int) string { return r.place(fmt.Sprintf("rank %d's process", i), i) }

func (r *Conductor) place(what string, i int) string {
	if node := r.cfg.Hosts[i].Name(); node != "" {
		return what + " on " + node
	}
	return what
}

// fail ends the run; the first failure counts.
func (r *Conductor) fail(f trace.Failure) {
	if !r.ended {
		r.failure, r.ended = &f, true
	}
}

// died ends a run one of whose processes is gone.
func (r *Conductor) died(m *member, at time.Time) {
	f := trace.Failure{Kind: trace.ProcessDied, Culprit: r.culprit(m.rank), DetectedAfter: at.Sub(m.seen).Seconds(), Values: trace.Values{"how": m.gone}}
	f.Step, f.Round = r.reached(m)
	switch {
	case m.stage == started:
		f.Kind = trace.StartFailed
		f.Message = fmt.Sprintf("%s ended before it said hello (%s)", r.process(m.rank), m.gone)
	case len(m.times) == r.plan.iterations():
		f.Message = fmt.Sprintf("%s died (%s) after its last step, before the result was verified", r.process(m.rank), m.gone)
	case f.Step < 0:
		f.Message = fmt.Sprintf("%s died (%s) before its first step", r.process(m.rank), m.gone)
	default:
		f.Message = fmt.Sprintf("%s died (%s) in round %d", r.process(m.rank), m.gone, f.Round)
	}
	r.fail(f)
}

// watch looks for what nobody says: silence, and complaints that have waited
// long enough.
func (r *Conductor) watch(now time.Time) {
	if now.Sub(r.tickAt) > late {
		r.excused = now
	}
	r.tickAt = now
	r.look(now)
	for _, m := range r.members {
		if m.stage == started && now.Sub(m.begun) > r.cfg.Patience {
			r.fail(trace.Failure{Kind: trace.StartFailed, Culprit: r.culprit(m.rank), Step: -1, DetectedAfter: now.Sub(m.begun).Seconds(),
				Message: fmt.Sprintf("%s did not say hello within %v; is %s a console of this version?", r.process(m.rank), r.cfg.Patience, r.cfg.Program)})
			return
		}
	}
	if !r.suspect.IsZero() && now.Sub(r.suspect) > grace {
		if !r.unheard(now) {
			r.complain()
		}
		return
	}
	r.freeze(now)
	r.stall(now)
	r.lag(now)
}

// complain ends the run by what the workers complain of.
func (r *Conductor) complain() {
	weight := func(m *member) int {
		switch {
		case m.fault == nil:
			return 4
		case m.fault.Kind == worker.FaultInternal:
			return 0
		case m.fault.Kind == worker.FaultStart && r.peer(m) >= 0:
			return 1
		case m.fault.Kind == worker.FaultStart:
			return 2
		}
		return 3
	}
	// Of equal complaints the first: a rank that gives up closes its links, so
	// the fault spreads from where it began.
	m := slices.MinFunc(r.members, func(a, b *member) int {
		return cmp.Or(weight(a)-weight(b), a.faultAt.Compare(b.faultAt))
	})
	fault := m.fault
	f := trace.Failure{Step: fault.Step, Round: fault.Round, DetectedAfter: time.Since(r.suspect).Seconds()}
	if fault.Why != nil {
		why := fault.Why.Clipped()
		f.Because(&why)
	}
	switch peer := r.peer(m); {
	case fault.Kind == worker.FaultInternal:
		f.Kind, f.Culprit = trace.Internal, r.culprit(m.rank)
		f.Message = fmt.Sprintf("%s found a fault in the run: %s", r.name(m.rank), fault.Message)
	case fault.Kind == worker.FaultStart && peer >= 0:
		f.Kind, f.Culprit.Link, f.DetectedAfter = trace.Unreachable, fmt.Sprintf("%d->%d", m.rank, peer), 0 // it never was
		f.Message = fmt.Sprintf("no connection between %s and %s: %s", r.name(m.rank), r.name(peer), fault.Message)
	case fault.Kind == worker.FaultLibrary:
		f.Kind, f.Culprit, f.Values = trace.LibraryFailed, r.culprit(m.rank), trace.Values{"says": fault.Message}
		f.Message = fmt.Sprintf("the library of %s refused: %s", r.name(m.rank), fault.Message)
	case fault.Kind == worker.FaultStart:
		f.Kind, f.Culprit = trace.StartFailed, r.culprit(m.rank)
		f.Message = fmt.Sprintf("%s could not start: %s", r.name(m.rank), fault.Message)
	default:
		f.Kind = trace.LinkStalled
		if i := r.plan.Schedule.Index(fault.Step); i >= 0 {
			f.Culprit.Link = fmt.Sprintf("%d->%d", r.plan.Schedule.Steps[i].Src, r.plan.Schedule.Steps[i].Dst)
		}
		f.Message = fmt.Sprintf("%s lost a connection, though every process is alive: %s", r.name(m.rank), fault.Message)
	}
	r.fail(f)
}

// peer returns the rank that a member's complaint is about, -1 for none.
func (r *Conductor) peer(m *member) int {
	if m.fault == nil || m.fault.Peer < 0 || m.fault.Peer >= r.spec.Ranks {
		return -1
	}
	return m.fault.Peer
}

// freeze ends a run one of whose processes is silent although it should not
// be.
func (r *Conductor) freeze(now time.Time) {
	quiet := func(m *member) time.Duration {
		if m.stage == started {
			return 0 // patience is for these
		}
		return min(now.Sub(m.seen)-m.host.Silent(now), r.present(m.host, now), now.Sub(r.excused))
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
	if m.process.State() == Scheduled && quiet(m) < overload {
		return // not stopped: it is hungry, and will say so when it gets a processor
	}
	if n := len(r.members); n > 1 && 2*silent > n && quiet(m) < overload {
		return // most of them: it is the machine
	}
	f := trace.Failure{Kind: trace.ProcessFrozen, Culprit: r.culprit(m.rank), DetectedAfter: now.Sub(m.seen).Seconds()}
	f.Step, f.Round = r.reached(m)
	f.Message = fmt.Sprintf("%s is alive but has been silent for %.1f s: it is frozen", r.process(m.rank), now.Sub(m.seen).Seconds())
	if f.Step >= 0 {
		f.Message += fmt.Sprintf(" in round %d", f.Round)
	}
	r.fail(f)
}

// stall ends a run in which all processes are alive and nothing moves.
func (r *Conductor) stall(now time.Time) {
	unfinished := false
	for _, m := range r.members {
		if m.stage < ready {
			return // the set-up has its own limits
		}
		unfinished = unfinished || len(m.times) < r.plan.iterations()
	}
	quiet, most := min(now.Sub(r.movedAt), r.together(now), now.Sub(r.excused)), standstill
	if r.spec.Called() {
		most = callStandstill
	}
	if !unfinished || quiet <= most {
		return
	}
	f := trace.Failure{Kind: trace.LinkStalled, Step: -1, DetectedAfter: now.Sub(r.movedAt).Seconds()}
	f.Message = fmt.Sprintf("every process is alive, but nothing has moved for %.1f s", now.Sub(r.movedAt).Seconds())
	// Steps finish in an order that respects their IDs: the first unfinished
	// one waits for no other step.
	if step := r.firstUnfinished(func(int) bool { return true }); step != nil && !r.spec.Called() {
		f.Step, f.Round = step.ID, step.Round
		f.Culprit.Link = fmt.Sprintf("%d->%d", step.Src, step.Dst)
		f.Message += fmt.Sprintf("; the first step that did not finish is from rank %d to rank %d in round %d", step.Src, step.Dst, step.Round)
		if src, dst := r.cfg.Hosts[step.Src].Name(), r.cfg.Hosts[step.Dst].Name(); src != dst {
			f.Message += fmt.Sprintf(", between nodes %s and %s", src, dst)
		}
	}
	r.fail(f)
}

// reached returns the first unfinished step of a rank in the iteration that it
// was last heard of in; -1 and 0 for a rank that has not begun or is through.
func (r *Conductor) reached(m *member) (step, round int) {
	moves := r.plan.Programs[m.rank].Moves
	if m.stage < ready || len(m.times) == r.plan.iterations() || len(moves) == 0 {
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
func (r *Conductor) next(i int, latest []trace.Event) (move, iteration int) {
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
	moves := r.plan.Programs[i].Moves
	for j := range moves {
		if finished[part{moves[j].Step, side(moves[j].Kind)}] < r.plan.Slices {
			return j, iteration
		}
	}
	return len(moves), iteration
}

// firstUnfinished returns the step with the smallest ID that some rank of those
// asked for has not finished, of the earliest iteration; nil if all of them
// wait between iterations.
func (r *Conductor) firstUnfinished(of func(rank int) bool) *schedule.Step {
	var first *schedule.Step
	earliest := 0
	latest := r.log.Latest() // once: it may be long
	for i := range r.plan.Programs {
		if !of(i) {
			continue
		}
		move, iteration := r.next(i, latest)
		if move == len(r.plan.Programs[i].Moves) {
			continue
		}
		step := &r.plan.Schedule.Steps[r.plan.Schedule.Index(r.plan.Programs[i].Moves[move].Step)]
		if first == nil || iteration < earliest || iteration == earliest && step.ID < first.ID {
			first, earliest = step, iteration
		}
	}
	return first
}
