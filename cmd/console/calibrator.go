package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/calibrate"
	"lockstep/store"
)

// firstBudget is how long a console measures the machine by itself, and
// fullBudget how long when somebody asks for it.
const (
	firstBudget = 8 * time.Second
	fullBudget  = 30 * time.Second
)

// occupyEvery is how often the queue of runs is asked whether it is empty.
const occupyEvery = 100 * time.Millisecond

// bench measures runs on this machine, each when no run wants it: what is
// submitted meanwhile goes first.
type bench struct {
	fleet engine.Fleet
	queue *store.RunQueue
	took  time.Duration // by measuring, without waiting; for one goroutine
}

// Measure carries a run out that is kept nowhere, and returns its times.
func (b *bench) Measure(ctx context.Context, spec trace.Spec) (_ trace.Times, err error) {
	sched, err := spec.Schedule()
	if err != nil {
		return trace.Times{}, err
	}
	if err := schedule.Check(sched); err != nil {
		return trace.Times{}, err
	}
	if err := b.occupy(ctx); err != nil {
		return trace.Times{}, err
	}
	defer func() {
		// Whatever becomes of ctx, runs must not wait for this process's end.
		err = errors.Join(err, b.queue.Vacate(context.WithoutCancel(ctx)))
	}()
	began := time.Now()
	defer func() { b.took += time.Since(began) }()
	log := trace.NewLog()
	defer log.Close()
	report := b.fleet.Execute(ctx, "calibration", spec, sched, log)
	switch {
	case ctx.Err() != nil:
		return trace.Times{}, context.Cause(ctx)
	case report.Failure != nil:
		return trace.Times{}, fmt.Errorf("%s: %s", report.Failure.Kind, report.Failure.Message)
	case !report.Verified || len(report.Iterations) < spec.Iterations:
		return trace.Times{}, fmt.Errorf("%d of %d iterations, verified: %t", len(report.Iterations), spec.Iterations, report.Verified)
	}
	return trace.Summarise(report.Iterations), nil
}

// occupy waits until no run waits or runs, then takes the machine.
func (b *bench) occupy(ctx context.Context) error {
	for {
		ahead, err := b.queue.Occupy(ctx)
		if err != nil || ahead == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(occupyEvery*3/4 + rand.N(occupyEvery/2)):
		}
	}
}

// links are what connects ranks on this machine, as far as this version can.
func links() []trace.Link {
	var all []trace.Link
	for _, link := range []trace.Link{trace.Shm, trace.TCP} {
		spec := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2, Size: 8, Link: link}
		if spec, err := spec.Resolve(); err == nil && spec.Link == link {
			all = append(all, link)
		}
	}
	return all
}

// calibrate measures the machine and keeps what it was found to be like.
func (r *runner) calibrate(ctx context.Context, ranks int, budget time.Duration, tell func(calibrate.Progress)) (calibrate.Calibration, error) {
	b := &bench{fleet: r.fleet, queue: r.queue}
	c, err := calibrate.Order{
		Machine: r.machine, Links: links(), Ranks: ranks, Budget: budget, Bench: b,
		Elapsed: func() time.Duration { return b.took }, Now: time.Now, Tell: tell,
	}.Run(ctx)
	if err != nil {
		return c, fmt.Errorf("calibrate this machine: %w", err)
	}
	return c, r.store.Calibrations().Save(ctx, c)
}

// calibrator calibrates the machine beside a console: once if it is not
// calibrated, and whenever somebody asks.
type calibrator struct {
	*runner
	ranks int
	log   *slog.Logger
	asked chan struct{} // holds one token when somebody asks

	mu       sync.Mutex // owns what follows
	under    bool
	progress calibrate.Progress
	failed   error // of the latest, nil if it went well
}

func newCalibrator(r *runner, ranks int, log *slog.Logger) *calibrator {
	return &calibrator{runner: r, ranks: ranks, log: log, asked: make(chan struct{}, 1)}
}

// run calibrates until ctx ends: at once if first is set and the machine is not
// calibrated, then when it is asked to. What was begun and not ended leaves
// nothing.
func (c *calibrator) run(ctx context.Context, first bool) {
	if first {
		switch _, err := c.Calibration(ctx); {
		case errors.Is(err, calibrate.ErrNone):
			c.once(ctx, firstBudget)
		case err != nil:
			c.log.WarnContext(ctx, "read calibration", "error", err)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.asked:
			c.once(ctx, fullBudget)
		}
	}
}

func (c *calibrator) once(ctx context.Context, budget time.Duration) {
	c.set(func() { c.under, c.progress, c.failed = true, calibrate.Progress{}, nil })
	_, err := c.calibrate(ctx, c.ranks, budget, func(p calibrate.Progress) { c.set(func() { c.progress = p }) })
	if ctx.Err() != nil {
		err = nil
	}
	if errors.Is(err, calibrate.ErrNothing) && c.ranks < 2 {
		err = nil // nobody to send to
	}
	if err != nil {
		c.log.WarnContext(ctx, "calibrate", "error", err)
	}
	c.set(func() { c.under, c.failed = false, err })
}

func (c *calibrator) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// Calibration returns what this machine was found to be like. The error is
// calibrate.ErrNone where it is not calibrated.
func (c *calibrator) Calibration(ctx context.Context) (calibrate.Calibration, error) {
	return c.store.Calibrations().Calibration(ctx, c.machine)
}

// Calibrating returns how far a calibration under way is, and why the latest
// one failed, nil if it did not.
func (c *calibrator) Calibrating() (p calibrate.Progress, under bool, failed error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.progress, c.under, c.failed
}

// Recalibrate asks for a calibration; one that is under way counts.
func (c *calibrator) Recalibrate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.under {
		return
	}
	select {
	case c.asked <- struct{}{}:
		c.under, c.progress = true, calibrate.Progress{} // the page that comes next shows it
	default:
	}
}
