package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/calibrate"
)

type calibrateCommand struct {
	dataFlag
	LocalRanks int           `default:"4" placeholder:"N" help:"Rank processes that this machine offers, 2 to 64 (default: 4)."`
	For        time.Duration `default:"30s" placeholder:"TIME" help:"Ends the measuring, once what is needed is measured (default: 30s)."`
	Show       bool          `help:"Measure nothing; print what was found before."`
	Check      bool          `help:"Measure nothing anew but runs of many kinds and sizes, beside what is predicted for them: takes minutes."`
	JSON       bool          `name:"json" help:"One JSON document."`

	Name  string   `placeholder:"N" help:"Measure nothing here: keep the logs that follow under this name, for console predict --machine N."`
	Files []string `arg:"" optional:"" name:"file" help:"Logs of nccl-tests, rccl-tests, OSU or hccl_test of another system; - for standard input."`
	statementFlags
}

// Run measures what this machine is like, keeps it for predictions and auto,
// and prints it.
func (c calibrateCommand) Run(ctx context.Context, term terminal) error {
	switch {
	case c.Name != "":
		return c.keep(ctx, term)
	case len(c.Files) > 0:
		return usage("name", errors.New("missing; logs are kept under a name: accepted is --name N FILE…"))
	case c.LocalRanks < 2 || c.LocalRanks > maxLocalRanks:
		return usage("local-ranks", fmt.Errorf("%d is out of range; accepted: 2 to %d, as a single rank sends nothing", c.LocalRanks, maxLocalRanks))
	case c.For <= 0 || c.For > time.Hour:
		return usage("for", fmt.Errorf("%v; accepted: a time such as 30s, at most an hour", c.For))
	case c.Show && c.Check:
		return usage("show", errors.New("not together with --check"))
	}
	dir, err := c.folder()
	if err != nil {
		return err
	}
	stayAwake()
	return withRunner(ctx, dir, c.LocalRanks, func(ctx context.Context, r *runner) error {
		var found calibrate.Calibration
		var err error
		if c.Show || c.Check {
			found, err = r.store.Calibrations().Calibration(ctx, r.machine)
			if errors.Is(err, calibrate.ErrNone) {
				err = failure{code: "not-calibrated", err: fmt.Errorf("%w; console calibrate measures it", err)}
			}
		} else {
			line := newCalibrationLine(term.err)
			found, err = r.calibrate(ctx, c.LocalRanks, c.For, line.show)
			line.clear()
		}
		switch {
		case err != nil:
			return err
		case c.Check:
			return c.check(ctx, term, r, found)
		case c.JSON:
			return json.NewEncoder(term.out).Encode(found)
		}
		return writeCalibration(term.out, found)
	})
}

// writeCalibration prints what a machine was found to be like.
func writeCalibration(w io.Writer, c calibrate.Calibration) error {
	if c.Restless() {
		fmt.Fprintln(w, "other work disturbed the measuring; calibrate again when the machine is quiet")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "calibrated %s: %s in %s\n", c.Made.Local().Format("2006-01-02 15:04:05"), count(len(c.Measured), "run"), c.Took)
	fmt.Fprintf(table, "machine\t%s, %s, %s, %s\n\n", c.Machine.CPU, count(c.Machine.CPUs, "processor"), c.Machine.Kernel, c.Machine.Build)
	fmt.Fprintln(table, "LINK\tRANKS\tSMALLEST ALL-REDUCE\tBUFFERS OF A RANK\tMOVING\tADDING UP BESIDES")
	for _, f := range c.Found {
		link, ranks, least := string(f.Link), fmt.Sprint(f.Ranks), "-"
		if t := c.Least(f.Link, f.Ranks); t > 0 {
			least = t.String()
		}
		for _, b := range f.Bytes {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", link, ranks, least, b.Span, unit.Rate(1/b.Move), unit.Rate(1/b.Reduce))
			link, ranks, least = "", "", ""
		}
	}
	return table.Flush()
}

// calibrationLine shows how far a calibration is: on a terminal as a line that
// is written over, elsewhere not at all.
type calibrationLine struct {
	w      io.Writer
	screen bool
}

func newCalibrationLine(w io.Writer) calibrationLine {
	f, ok := w.(*os.File)
	return calibrationLine{w, ok && term.IsTerminal(int(f.Fd()))}
}

func (l calibrationLine) show(p calibrate.Progress) {
	if !l.screen {
		return
	}
	m := p.Latest
	fmt.Fprintf(l.w, "\r\x1b[K%s %s/%s, %s, %s, %s: %s", bar(float64(p.Done)/float64(max(1, p.Of))),
		m.Collective, m.Algorithm, count(m.Ranks, "rank"), m.Size, m.Link, m.Time)
}

func (l calibrationLine) clear() {
	if l.screen {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

// checked is a run beside its prediction.
type checked struct {
	Link       trace.Link   `json:"link"`
	Ranks      int          `json:"ranks"`
	Collective string       `json:"collective"`
	Algorithm  string       `json:"algorithm"`
	Auto       bool         `json:"auto"`
	Size       unit.Bytes   `json:"size_bytes"`
	Predicted  unit.Seconds `json:"predicted_s"`
	Low        unit.Seconds `json:"low_s"`
	High       unit.Seconds `json:"high_s"`
	Measured   unit.Seconds `json:"measured_s"`
	Basis      string       `json:"basis"`
}
