package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/sweep/carry"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// sweep compares ways to carry the collective out over a range of sizes.
// Interrupted once, it stops and reports what it had measured.
func (c runCommand) sweep(ctx context.Context, term terminal) error {
	request, err := c.sweepRequest()
	if err != nil {
		return err
	}
	dir, err := c.folder()
	if err != nil {
		return err
	}
	var done sweep.Comparison
	var notes []string
	stayAwake()
	err = withRunner(ctx, dir, trace.MaxRanks, func(ctx context.Context, r *runner) error {
		request.Ways, notes = c.ways(request.Base, r.home.Offers(ctx))
		if len(request.Ways) == 0 {
			return usage("backend", errors.New(strings.Join(notes, "; ")))
		}
		kept := r.queue.Comparisons()
		s := carry.NewSweeper(r.engine, kept, slog.New(slog.NewTextHandler(term.err, nil)))
		defer s.Close()
		begun, err := s.Start(ctx, request)
		if err != nil {
			return refusedRun(err)
		}
		line := newProgressLine(term.err)
		for stopping := ctx.Done(); ; {
			now, changed, under := s.Watch(begun.ID)
			if !under {
				break
			}
			line.say(fmt.Sprintf("comparison %s: run %d of %d", now.ID, max(len(now.Points), 1), now.Request.Len()))
			select {
			case <-changed:
			case <-stopping:
				stopping = nil
				s.Stop(ctx, begun.ID)
			}
		}
		line.clear()
		done, err = kept.Find(context.WithoutCancel(ctx), begun.ID)
		return err
	})
	if err != nil {
		return err
	}
	return c.printSweep(term, done, notes)
}

// sweepRequest reads the flags that all runs have in common.
func (c runCommand) sweepRequest() (r sweep.Request, err error) {
	switch {
	case c.Size != "":
		return r, usage("sweep", errors.New("given beside --size; accepted: one of the two"))
	case c.Console != "":
		return r, usage("sweep", errors.New("accepted without --console: a comparison runs on this machine"))
	}
	if c.Backend != "" && !slices.Contains(trace.Backends(), trace.Backend(c.Backend)) {
		return r, usage("backend", fmt.Errorf("unknown back end %q; accepted: %s, %s", c.Backend, trace.Host, trace.MPI))
	}
	if r.Range, err = sweep.ParseRange(c.Sweep); err != nil {
		return r, usage("sweep", err)
	}
	common := c
	// The sizes and the ways are filled in for each run; a size that every
	// collective and type can cut shows what is wrong with the rest.
	common.Size, common.Backend = fmt.Sprint(8*max(c.Ranks, 1)), string(trace.Host)
	if c.Algorithm == schedule.LibraryCall {
		common.Algorithm = string(trace.Auto)
	}
	if c.Collective == string(schedule.Barrier) {
		common.Size = ""
	}
	if r.Base, err = common.spec(); err != nil {
		return r, err
	}
	r.Ways = []sweep.Way{{}} // until it is known which there are
	if _, err := r.Resolve(); err != nil {
		return r, refusedRun(err)
	}
	return r, nil
}

// ways are those that the flags ask for: of one back end, or of all that this
// machine has. Notes say what it has not.
func (c runCommand) ways(base trace.Spec, offers []trace.Offer) (ways []sweep.Way, notes []string) {
	for _, o := range offers {
		asked := c.Backend == string(o.Backend)
		switch {
		case c.Backend != "" && !asked:
			continue
		case o.Missing != "":
			notes = append(notes, fmt.Sprintf("without %s: %s", o.Backend, o.Reason))
		case o.Backend == trace.Host && c.Algorithm == schedule.LibraryCall:
			if asked {
				notes = append(notes, "library is a vendor library's own call; accepted with --backend mpi")
			}
		case o.Backend == trace.Host:
			ways = append(ways, sweep.Way{Backend: o.Backend, Algorithm: c.Algorithm})
		default:
			ways = append(ways, sweep.Way{Backend: o.Backend, Algorithm: schedule.LibraryCall})
			if c.Algorithm != schedule.LibraryCall {
				ways = append(ways, sweep.Way{Backend: o.Backend, Algorithm: sweep.Named(base.Collective, c.Algorithm)})
			}
		}
	}
	return ways, notes
}

func (c runCommand) printSweep(term terminal, done sweep.Comparison, notes []string) error {
	d := done.Document()
	var err error
	if c.JSON {
		err = json.NewEncoder(term.out).Encode(d)
	} else {
		err = writeSweep(term.out, d, notes)
	}
	if err != nil {
		return fmt.Errorf("print comparison %s: %w", d.ID, err)
	}
	failed := 0
	for _, p := range d.Points {
		// What a back end that was not asked for by name does not take is said,
		// and is no failure.
		if p.Outcome != trace.Done && (p.Left == "" || c.Backend != "") {
			failed++
		}
	}
	switch {
	case d.State != sweep.Done:
		return failure{err: fmt.Errorf("comparison %s: %s", d.ID, d.State), quiet: true}
	case failed > 0:
		return failure{err: fmt.Errorf("comparison %s: %d of %d runs have no result", d.ID, failed, len(d.Points)), quiet: true}
	}
	return nil
}

// writeSweep prints a row for each size: of every way its median, its bus
// bandwidth and its time over that of the first.
func writeSweep(w io.Writer, d sweep.Document, notes []string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "comparison %s %s: %s among %s, %s, %s\n\n", d.ID, d.State, d.Collective, count(d.Ranks, "rank"), d.DType, d.Sweep)
	fmt.Fprint(table, "size")
	ways := len(d.Ways)
	for i, way := range d.Ways {
		fmt.Fprintf(table, "\t%s/%s\t", way.Backend, way.Algorithm)
		if i > 0 {
			fmt.Fprint(table, "\t")
		}
	}
	fmt.Fprintln(table)
	for i := 0; i < len(d.Points); i += ways {
		row := d.Points[i:min(i+ways, len(d.Points))]
		fmt.Fprint(table, row[0].Size)
		for j, p := range row {
			if p.Outcome != trace.Done || p.Times == nil {
				fmt.Fprintf(table, "\t%s\t", lost(p))
				if j > 0 {
					fmt.Fprint(table, "\t")
				}
				continue
			}
			fmt.Fprintf(table, "\t%s\t%s", unit.Seconds(p.Times.Median), gbytes(p.BusBW))
			if j > 0 && row[0].Times != nil && row[0].Times.Median > 0 {
				fmt.Fprintf(table, "\t%.2fx", p.Times.Median/row[0].Times.Median)
			} else if j > 0 {
				fmt.Fprint(table, "\t")
			}
		}
		fmt.Fprintln(table)
	}
	fmt.Fprintln(table)
	for _, p := range d.Points {
		if p.Says != "" {
			fmt.Fprintf(table, "note\t%s/%s at %s: %s\n", p.Backend, p.Algorithm, p.Size, p.Says)
		}
	}
	for _, note := range notes {
		fmt.Fprintf(table, "note\t%s\n", note)
	}
	return table.Flush()
}

// lost says why there is no figure.
func lost(p sweep.Measured) string {
	if p.Left != "" {
		return string(p.Left)
	}
	return string(p.Outcome)
}
