package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/store"
	"lockstep/web"
)

type runListCommand struct {
	dataFlag
	remoteFlags
	Limit int  `default:"50" placeholder:"N" help:"How many at most (default: 50)."`
	JSON  bool `name:"json" help:"One JSON document."`
}

// Run prints the saved runs.
func (c runListCommand) Run(ctx context.Context, term terminal) (err error) {
	if c.Limit < 1 {
		return usage("limit", fmt.Errorf("%d runs; accepted: 1 or more", c.Limit))
	}
	if err := c.remoteFlags.alone(c.dataFlag); err != nil {
		return err
	}
	if c.Console != "" {
		runs, err := c.remoteFlags.runs(ctx, c.Limit)
		if err != nil {
			return err
		}
		return c.print(term, runs, c.Console)
	}
	dir, saved, err := c.saved()
	if err != nil {
		return err
	}
	runs := []trace.Run{}
	if saved {
		db, err := store.Open(ctx, dir)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		if runs, err = db.Runs().Recent(ctx, c.Limit); err != nil {
			return err
		}
	}
	return c.print(term, runs, dir)
}

// print prints runs, which are kept at a place.
func (c runListCommand) print(term terminal, runs []trace.Run, place string) error {
	if c.JSON {
		return json.NewEncoder(term.out).Encode(web.RunList{Version: 1, Runs: runs})
	}
	if len(runs) == 0 {
		_, err := fmt.Fprintf(term.out, "no saved runs in %s; console run --help says how to start one\n", place)
		return err
	}
	table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tCREATED\tOUTCOME\tCOLLECTIVE\tRANKS\tSIZE\tMEDIAN\tBUS BANDWIDTH")
	for _, r := range runs {
		median, bus := "-", "-"
		if r.Times != nil {
			median = unit.Seconds(r.Times.Median).String()
		}
		if r.BusBW > 0 {
			bus = gbytes(r.BusBW)
		}
		outcome := string(r.Outcome)
		if r.Failure != nil {
			outcome += ": " + string(r.Failure.Kind)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n",
			r.ID, r.Created.Local().Format(time.DateTime), outcome, subject(r), r.Ranks, r.Size, median, bus)
	}
	return table.Flush()
}

type runShowCommand struct {
	dataFlag
	remoteFlags
	ID   string `arg:"" help:"The run, such as 0007 or 7."`
	JSON bool   `name:"json" help:"The run as one JSON document."`
}

// Run prints one saved run.
func (c runShowCommand) Run(ctx context.Context, term terminal) (err error) {
	if err := c.remoteFlags.alone(c.dataFlag); err != nil {
		return err
	}
	if c.Console != "" {
		run, err := c.remoteFlags.run(ctx, c.ID)
		switch {
		case err != nil:
			return err
		case c.JSON:
			return json.NewEncoder(term.out).Encode(run)
		}
		return writeRunAt(term.out, run, c.Console)
	}
	dir, saved, err := c.saved()
	switch {
	case err != nil:
		return err
	case !saved:
		return usageError{field: "id", message: fmt.Sprintf("%s: %s; there are no saved runs in %s", trace.ErrNoRun, c.ID, dir)}
	}
	db, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	run, err := db.Runs().Find(ctx, c.ID)
	switch {
	case errors.Is(err, trace.ErrNoRun):
		return usageError{field: "id", message: err.Error() + "; console run list shows what there is"}
	case err != nil:
		return err
	case c.JSON:
		return json.NewEncoder(term.out).Encode(run)
	}
	return writeRun(term.out, run)
}

// saved returns the data folder and whether anything has been saved there.
func (f dataFlag) saved() (dir string, saved bool, err error) {
	if dir, err = f.folder(); err != nil {
		return "", false, err
	}
	if saved, err = store.Exists(dir); err != nil {
		return dir, false, fmt.Errorf("look for saved runs: %w", err)
	}
	return dir, saved, nil
}
