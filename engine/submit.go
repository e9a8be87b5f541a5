package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// MaxEvents bounds what one iteration of a run may report: the memory of its
// log and the size of its saved trace.
const MaxEvents = 1 << 20

// Auto as an algorithm leaves the choice to the Planner.
const Auto = "auto"

// Submit plans a run, proves its schedule right and puts it in the queue. It
// returns the queued run with its ID. Errors of bad input are a
// *trace.FieldError or a *schedule.RequestError; nothing has been stored then.
func (e *Engine) Submit(ctx context.Context, spec trace.Spec) (trace.Run, error) {
	l, err := e.prepare(ctx, spec)
	if err != nil {
		return trace.Run{}, err
	}
	if err := ctx.Err(); err != nil {
		return trace.Run{}, err
	}
	e.entering.Lock()
	defer e.entering.Unlock()
	e.mu.Lock()
	stopped, waiting := e.stopped, len(e.queue)
	e.mu.Unlock()
	switch {
	case stopped:
		return trace.Run{}, fmt.Errorf("submit run: %w", ErrStopped)
	case waiting >= e.config.MaxQueue:
		return trace.Run{}, fmt.Errorf("submit run: %w: %d of %d; wait for one to end or cancel one", ErrQueueFull, waiting, e.config.MaxQueue)
	}
	// Not to be cut short: a row that is written but not in the queue would
	// hold up every run behind it.
	ctx, cancel := keeping(ctx)
	defer cancel()
	l.run, err = e.config.Journal.Enqueue(ctx, l.run, trace.Kept{Rounds: l.rounds, Schedule: l.spec.Imported})
	if err != nil {
		return trace.Run{}, fmt.Errorf("submit run: %w", err)
	}
	run := l.run
	e.enqueue(l)
	return run, nil
}

// prepare does everything that can refuse a run.
func (e *Engine) prepare(ctx context.Context, spec trace.Spec) (*Live, error) {
	if spec.Algorithm == "" {
		spec.Algorithm = Auto
	}
	spec, err := spec.Resolve()
	if err != nil {
		return nil, err
	}
	if len(spec.Nodes) == 0 && spec.Ranks > e.config.Ranks {
		return nil, &trace.FieldError{Field: "ranks", Message: fmt.Sprintf("%d ranks; accepted: 1 to %d", spec.Ranks, e.config.Ranks)}
	}
	if most := spec.MostChunks(); spec.Chunks > most {
		return nil, &trace.FieldError{Field: "chunks", Message: fmt.Sprintf(
			"%d chunks with %d ranks; accepted: 1 to %d", spec.Chunks, spec.Ranks, most)}
	}
	if err := known(spec); err != nil {
		return nil, err
	}
	plan, err := e.plan(ctx, spec)
	if err != nil {
		return nil, err
	}
	asked := spec
	spec.Algorithm = plan.Algorithm
	sched, err := spec.Schedule()
	if err != nil {
		return nil, err
	}
	if spec.Slices, err = slicesFor(asked, sched); err != nil {
		return nil, err
	}
	if err := e.fits(spec, sched); err != nil {
		return nil, err
	}
	// Of a library's own call, what it must come to.
	proved, err := sched.Reference()
	if err == nil {
		err = schedule.Check(proved)
	}
	if err != nil {
		return nil, fmt.Errorf("check %s/%s for %d ranks: %w", sched.Collective, sched.Algorithm, sched.Ranks, err)
	}
	if spec.Slices != asked.SlicesFor(sched) { // the price depends on the slices
		again, err := e.plan(ctx, spec)
		if err != nil {
			return nil, err
		}
		plan.Predicted, plan.Rounds = again.Predicted, again.Rounds
	}
	run := trace.NewRun("", spec, time.Now())
	run.Slices, run.Predicted = spec.Slices, float64(plan.Predicted)
	if !spec.Called() {
		run.ScheduleHash = sched.Hash()
	}
	run.Warnings = append(run.Warnings, plan.Warnings...)
	return &Live{
		spec: spec, sched: sched, rounds: plan.Rounds, log: trace.NewLog(),
		run: run, changed: make(chan struct{}),
	}, nil
}

func (e *Engine) plan(ctx context.Context, spec trace.Spec) (trace.Plan, error) {
	plan, err := e.config.Planner.Plan(ctx, spec)
	if err != nil {
		return plan, fmt.Errorf("plan %s/%s: %w", spec.Collective, spec.Algorithm, err)
	}
	return plan, nil
}

// known refuses a pair that is not in the catalogue, or that hosts only show
// and price.
func known(spec trace.Spec) error {
	if spec.Imported != nil {
		if err := spec.Imported.Runnable(); err != nil {
			return &schedule.RequestError{Field: "schedule", Message: err.Error()}
		}
		return nil
	}
	if spec.Called() {
		_, err := schedule.Called(spec.Collective, spec.Ranks, spec.Root)
		return err
	}
	entry, err := schedule.Find(spec.Collective, spec.Algorithm)
	var refused *schedule.RequestError
	switch {
	case errors.As(err, &refused) && refused.Field == "algorithm":
		if spec.Algorithm == Auto {
			return nil
		}
		return &schedule.RequestError{Field: refused.Field, Message: refused.Message + ", " + Auto}
	case err != nil:
		return err
	case !entry.Executable:
		return &schedule.RequestError{Field: "algorithm", Message: fmt.Sprintf(
			"%s for %s is the network's own work: it is shown and priced, and cannot be run on hosts", spec.Algorithm, spec.Collective)}
	}
	return nil
}

// slicesFor returns the slices per chunk that spec asks for. Left to us they
// are as many as MaxEvents allows; asked for, too many are refused.
func slicesFor(spec trace.Spec, sched *schedule.Schedule) (int, error) {
	parts := 0 // of all ranks in one iteration, each reported slice by slice
	for i := range sched.Steps {
		if parts++; !sched.Steps[i].Local() {
			parts++
		}
	}
	slices, most := spec.SlicesFor(sched), max(1, MaxEvents/max(1, parts))
	if slices > most && spec.Slices > 0 {
		return 0, &trace.FieldError{Field: "slices", Message: fmt.Sprintf(
			"%d slices make %d events per iteration; accepted: auto or 1 to %d for this schedule", slices, slices*parts, most)}
	}
	return min(slices, most), nil
}

// fits refuses a run whose buffers the fleet cannot hold, or whose nodes cannot
// take it.
func (e *Engine) fits(spec trace.Spec, sched *schedule.Schedule) error {
	need, total := make([]unit.Bytes, sched.Ranks), unit.Bytes(0)
	for rank := range need {
		for _, buf := range []schedule.Buf{schedule.In, schedule.Out, schedule.Tmp} {
			need[rank] += unit.Bytes(sched.ChunkStart(spec.Elements(), sched.BufChunks(rank, buf)) * spec.DType.Width())
		}
		total += need[rank]
	}
	if len(spec.Nodes) > 0 {
		roster, ok := e.config.Fleet.(Roster)
		if !ok {
			return &trace.FieldError{Field: "nodes", Message: "this console has no nodes; accepted: none, for its own machine"}
		}
		return roster.Admit(spec, need)
	}
	if e.config.Memory > 0 && total > e.config.Memory {
		return &trace.FieldError{Field: "size", Message: fmt.Sprintf(
			"the buffers of %d ranks would take %s; accepted: what fits the %s of memory here", spec.Ranks, round(total), round(e.config.Memory))}
	}
	return nil
}

// round brings a size to whole MiB: machines have odd numbers of bytes.
func round(b unit.Bytes) unit.Bytes {
	if b < unit.MiB {
		return b
	}
	return b / unit.MiB * unit.MiB
}

// keeping returns a context for what must be written even if whoever asked
// has gone, for as long as that can sensibly take.
func keeping(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
}
