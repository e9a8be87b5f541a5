package calibrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Bench measures runs on the machine that is calibrated.
type Bench interface {
	// Measure carries a run out, alone on the machine, and returns the times of
	// its iterations. An error that is ctx's ends the calibration, any other
	// one leaves the link of the run out.
	Measure(ctx context.Context, spec trace.Spec) (trace.Times, error)
}

// Order is what a calibration is to find out, and how.
type Order struct {
	Machine Fingerprint
	Links   []trace.Link
	Ranks   int           // most of a run
	Budget  time.Duration // ends the measuring once the runs that are needed are done
	Bench   Bench
	// Elapsed is the time since the calibration began, without pauses that are
	// not its own.
	Elapsed func() time.Duration
	Now     func() time.Time
	Tell    func(Progress) // called after each run; nil for nobody
}

// Progress is how far a calibration has come.
type Progress struct {
	Done   int
	Of     int // runs in all, if the budget allows
	Latest Measured
}

// ErrNothing says that no link could be measured.
var ErrNothing = errors.New("nothing could be measured")

// Run calibrates a machine: it measures runs until the budget is used up, and
// learns from them. A machine that offers no two ranks has nothing to
// calibrate: that is ErrNothing too.
func (o Order) Run(ctx context.Context) (Calibration, error) {
	c := Calibration{Version: 1, Machine: o.Machine, Measured: []Measured{}, Found: []Found{}}
	specs, needed := Plan(o.Links, o.Machine.CPUs, o.Ranks)
	broken := map[trace.Link]error{}
	for i, spec := range specs {
		if i >= needed && o.Elapsed() >= o.Budget {
			break
		}
		if broken[spec.Link] != nil {
			continue
		}
		m, err := o.measure(ctx, spec)
		switch {
		case ctx.Err() != nil:
			return Calibration{}, context.Cause(ctx)
		case err != nil:
			broken[spec.Link] = err
			continue
		}
		c.Measured = append(c.Measured, m)
		if o.Tell != nil {
			o.Tell(Progress{Done: i + 1, Of: len(specs), Latest: m})
		}
	}
	var err error
	if c.Found, err = Learn(c.Measured, o.Machine.CPUs); err != nil {
		return Calibration{}, err
	}
	if len(c.Found) == 0 {
		errs := []error{ErrNothing}
		for _, link := range o.Links {
			errs = append(errs, broken[link])
		}
		return Calibration{}, errors.Join(errs...)
	}
	c.Made, c.Took = o.Now().UTC(), unit.FromDuration(o.Elapsed())
	return c, nil
}

func (o Order) measure(ctx context.Context, spec trace.Spec) (Measured, error) {
	spec, err := spec.Resolve()
	if err != nil {
		return Measured{}, err
	}
	sched, err := spec.Schedule()
	if err != nil {
		return Measured{}, err
	}
	spec.Slices = spec.SlicesFor(sched)
	var best Measured
	for try := 1; ; try++ {
		took, err := o.Bench.Measure(ctx, spec)
		if err != nil {
			return Measured{}, fmt.Errorf("measure %s/%s of %s with %d ranks over %s: %w", spec.Collective, spec.Algorithm, spec.Size, spec.Ranks, spec.Link, err)
		}
		if m := NewMeasured(spec, took); best.Time == 0 || m.Time < best.Time {
			best = m
		}
		if !best.disturbed() || try == tries || o.Elapsed() >= o.Budget {
			return best, nil
		}
	}
}

// tries is how often a run is measured that other work disturbs, as long as
// there is time: the model is of a quiet machine, so the shortest counts.
const tries = 3
