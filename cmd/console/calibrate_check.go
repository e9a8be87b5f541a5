package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/calibrate"
)

// checkedPairs are what --check runs, and checkedSizes of what sizes: some that
// a calibration measures and some between them.
var (
	checkedPairs = []struct {
		collective schedule.Collective
		algorithms []string
	}{
		{schedule.AllReduce, []string{"ring", "direct", "recursive-doubling", "halving-doubling", engine.Auto}},
		{schedule.AllGather, []string{"ring", engine.Auto}},
		{schedule.ReduceScatter, []string{"ring", engine.Auto}},
		{schedule.Broadcast, []string{"binomial-tree", engine.Auto}},
		{schedule.AllToAll, []string{"pairwise", engine.Auto}},
	}
	checkedSizes = []unit.Bytes{64 * unit.KiB, 512 * unit.KiB, unit.MiB, 8 * unit.MiB, 64 * unit.MiB}
)

// check runs what is predicted, and prints both as a table in Markdown: all, or
// as far as it got when it is interrupted.
func (c calibrateCommand) check(ctx context.Context, term terminal, r *runner, found calibrate.Calibration) error {
	model := calibrate.NewModel(found, nil)
	b := &bench{fleet: r.fleet, queue: r.queue}
	var rows []checked
	line := newCalibrationLine(term.err)
	specs := c.checks()
	for i, spec := range specs {
		row, m, err := compare(ctx, b, model, spec)
		if ctx.Err() != nil {
			break // what was checked until then is worth printing
		}
		if err != nil {
			line.clear()
			return err
		}
		rows = append(rows, row)
		line.show(calibrate.Progress{Done: i + 1, Of: len(specs), Latest: m})
	}
	line.clear()
	if c.JSON {
		return json.NewEncoder(term.out).Encode(struct {
			Version     int                   `json:"version"`
			Calibration calibrate.Calibration `json:"calibration"`
			Checked     []checked             `json:"checked"`
		}{1, found, rows})
	}
	fmt.Fprintf(term.out, "Calibrated %s: %s in %s. %s, %s, %s, %s.\n\n", found.Made.Format("2006-01-02 15:04 UTC"), count(len(found.Measured), "run"), found.Took,
		found.Machine.CPU, count(found.Machine.CPUs, "processor"), found.Machine.Kernel, found.Machine.Build)
	fmt.Fprintln(term.out, "| link | ranks | pair | size | predicted | measured | off | from | basis |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, row := range rows {
		pair := row.Collective + "/" + row.Algorithm
		if row.Auto {
			pair = row.Collective + "/auto (" + row.Algorithm + ")"
		}
		fmt.Fprintf(term.out, "| %s | %d | %s | %s | %s | %s | %+.0f %% | %s to %s | %s |\n", row.Link, row.Ranks, pair, row.Size,
			row.Predicted, row.Measured, 100*row.off(), row.Low, row.High, row.Basis)
	}
	_, err := fmt.Fprintln(term.out, "\n"+verdictOf(rows))
	return err
}

// checks lists the runs of a check.
func (c calibrateCommand) checks() (specs []trace.Spec) {
	for _, size := range checkedSizes { // the short ones first, so that it can be cut short
		for _, link := range links() {
			for _, ranks := range slices.Compact([]int{2, c.LocalRanks}) {
				for _, pair := range checkedPairs {
					for _, algorithm := range pair.algorithms {
						whole := unit.Bytes(4 * ranks)
						specs = append(specs, trace.Spec{
							Collective: pair.collective, Algorithm: algorithm, Ranks: ranks, Size: size / whole * whole, Link: link,
						})
					}
				}
			}
		}
	}
	return specs
}

// compare predicts a run, then measures it.
func compare(ctx context.Context, b *bench, model *calibrate.Model, spec trace.Spec) (checked, calibrate.Measured, error) {
	spec, err := spec.Resolve()
	if err != nil {
		return checked{}, calibrate.Measured{}, err
	}
	row := checked{Link: spec.Link, Ranks: spec.Ranks, Collective: string(spec.Collective), Size: spec.Size, Auto: spec.Algorithm == engine.Auto}
	var p calibrate.Prediction
	if row.Auto {
		spec.Algorithm, p, err = model.Fastest(spec)
	} else {
		p, err = model.Predict(spec)
	}
	if err != nil {
		return row, calibrate.Measured{}, err
	}
	row.Algorithm, row.Predicted, row.Low, row.High, row.Basis = spec.Algorithm, p.Time, p.Low, p.High, string(p.Basis)
	sched, err := spec.Schedule()
	if err != nil {
		return row, calibrate.Measured{}, err
	}
	spec.Slices = spec.SlicesFor(sched)
	took, err := b.Measure(ctx, spec)
	if err != nil {
		return row, calibrate.Measured{}, fmt.Errorf("check %s/%s of %s with %d ranks over %s: %w", spec.Collective, spec.Algorithm, spec.Size, spec.Ranks, spec.Link, err)
	}
	row.Measured = unit.Seconds(took.Median)
	return row, calibrate.NewMeasured(spec, took), nil
}

// off is how much longer than measured the prediction is, as a share.
func (c checked) off() float64 { return float64(c.Predicted/c.Measured) - 1 }

// verdictOf sums a check up.
func verdictOf(rows []checked) string {
	var off []float64
	near, inside := 0, 0
	for _, row := range rows {
		by := math.Abs(row.off())
		off = append(off, by)
		if by <= 0.15 {
			near++
		}
		if row.Low <= row.Measured && row.Measured <= row.High {
			inside++
		}
	}
	slices.Sort(off)
	if len(off) == 0 {
		return "Nothing was run."
	}
	return fmt.Sprintf("%d of %d within 15 %%; median %.0f %%, nine tenths within %.0f %%; %d inside the interval that was predicted.",
		near, len(rows), 100*off[len(off)/2], 100*off[min(len(off)-1, len(off)*9/10)], inside)
}
