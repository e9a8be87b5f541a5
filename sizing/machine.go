package sizing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/calibrate"
	"lockstep/sizing/cost"
)

// Calibrations are calibrations of machines that are kept.
type Calibrations interface {
	// Calibration returns the newest of a machine. The error is
	// calibrate.ErrNone where there is none.
	Calibration(ctx context.Context, machine calibrate.Fingerprint) (calibrate.Calibration, error)
}

// machine is the machine that runs are planned for, as it was calibrated.
type machine struct {
	kept calibrate.Fingerprint
	from Calibrations

	mu     sync.Mutex // owns what follows
	model  *calibrate.Model
	made   time.Time // of the calibration that model stands on
	newest string    // the ID of the newest run that model knows
}

// Calibrated returns a planner that knows how a machine is calibrated.
func (p *Planner) Calibrated(from Calibrations, of calibrate.Fingerprint) *Planner {
	return &Planner{earlier: p.earlier, machine: &machine{kept: of, from: from}, links: p.links}
}

// calibrated plans by the model of the machine, if there is one and the run is
// one at full speed.
func (p *Planner) calibrated(ctx context.Context, spec trace.Spec) (trace.Plan, bool, error) {
	if p.machine == nil || spec.Pace.Paced() || spec.Ranks < 2 {
		return trace.Plan{}, false, nil
	}
	model, made, err := p.model(ctx)
	if err != nil {
		return trace.Plan{}, false, err
	}
	if model == nil {
		return trace.Plan{}, false, nil
	}
	plan := trace.Plan{Algorithm: spec.Algorithm}
	var predicted calibrate.Prediction
	switch {
	case spec.Imported != nil:
		plan.Algorithm = spec.Imported.Algorithm
		predicted, err = model.Predict(spec)
	case spec.Algorithm == "" || spec.Algorithm == cost.Auto:
		plan.Algorithm, predicted, err = model.Fastest(spec)
	default:
		if _, err := schedule.Find(spec.Collective, spec.Algorithm); err != nil {
			return trace.Plan{}, false, err
		}
		predicted, err = model.Predict(spec)
	}
	switch {
	case errors.Is(err, calibrate.ErrNotCalibrated):
		return trace.Plan{}, false, nil
	case err != nil:
		return trace.Plan{}, false, err
	}
	plan.Predicted, plan.Rounds = predicted.Time, predicted.Rounds
	plan.Warnings = []trace.Warning{grounds(predicted, spec, made)}
	return plan, true, nil
}

// model returns the model of the machine and when it was calibrated, nil where
// it is not. It is made anew when there is a newer calibration or a run has
// ended since.
func (p *Planner) model(ctx context.Context) (*calibrate.Model, time.Time, error) {
	m := p.machine
	kept, err := m.from.Calibration(ctx, m.kept)
	switch {
	case errors.Is(err, calibrate.ErrNone):
		return nil, time.Time{}, nil
	case err != nil:
		return nil, time.Time{}, fmt.Errorf("read calibration: %w", err)
	}
	var runs []trace.Run
	newest := ""
	if p.earlier != nil {
		if runs, err = p.earlier.Finished(ctx, earlierRuns); err != nil {
			return nil, time.Time{}, fmt.Errorf("read earlier runs: %w", err)
		}
		if len(runs) > 0 {
			newest = runs[0].ID
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.model == nil || !m.made.Equal(kept.Made) || m.newest != newest {
		m.model, m.made, m.newest = calibrate.NewModel(kept, since(runs, kept.Made)), kept.Made, newest
	}
	return m.model, m.made, nil
}

// since are the runs that say something of the machine as it is now, oldest
// first: those that began after it was calibrated. Earlier ones were another
// build's or another machine's, perhaps.
func since(runs []trace.Run, made time.Time) []calibrate.Measured {
	var later []calibrate.Measured
	for _, r := range slices.Backward(runs) {
		if !r.Started.After(made) || !measured(r, trace.Spec{Backend: trace.Host, Link: r.Link}) {
			continue
		}
		spec := trace.Spec{
			Collective: r.Collective, Algorithm: r.Algorithm, Ranks: r.Ranks, PerNode: r.PerNode, Chunks: r.Chunks,
			Size: r.Size, DType: r.DType, Op: r.Op, Backend: r.Backend, Link: r.Link, Slices: r.Slices,
		}
		if r.Root != nil {
			spec.Root = *r.Root
		}
		later = append(later, calibrate.NewMeasured(spec, *r.Times))
	}
	return later
}

// grounds says what a prediction by the model of the machine rests on: "why"
// is its calibrate.Basis.
func grounds(p calibrate.Prediction, spec trace.Spec, made time.Time) trace.Warning {
	v := trace.Values{
		"why": string(p.Basis), "made": made.UTC().Format("2006-01-02 15:04 UTC"), "link": string(spec.Link),
		"low": p.Low.String(), "high": p.High.String(),
	}
	text := fmt.Sprintf("predicted for %s by the calibration of this machine of %s: %s to %s on a quiet machine; ", v["link"], v["made"], v["low"], v["high"])
	switch p.Basis {
	case calibrate.Same:
		text += "runs of this kind were measured at smaller and at larger sizes"
	case calibrate.Beyond:
		text += "runs of this kind were measured, but of other sizes"
	case calibrate.SameRanks:
		text += "only other algorithms or collectives were measured with as many ranks"
	case calibrate.OtherRanks:
		text += "only other numbers of ranks were measured"
	case calibrate.Unlike:
		text += "another data type and operation were measured"
	}
	return trace.Warning{Code: "calibrated", Message: text, Values: v}
}
