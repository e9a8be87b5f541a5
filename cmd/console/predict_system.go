package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/catalog"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
)

// networkFlags say how a system's nodes are joined, where that is not as it is
// sold.
type networkFlags struct {
	NICs             *int     `name:"nics" placeholder:"N" help:"NICs per node, in the place of the system's, 1 to 128."`
	Rails            *int     `placeholder:"N" help:"Switch planes that a node's NICs go to, a divisor of their number; not told if absent: then all traffic between nodes climbs."`
	Oversubscription *float64 `placeholder:"X" help:"What leaf switches' nodes can send over what the switches carry upward, such as 2 for 2:1; 1 to 64."`
	InSwitch         string   `name:"in-switch" enum:",on,off" default:"" placeholder:"on|off" help:"Whether switches add up, within NVSwitch domains and between nodes, where they can."`
}

// given names the first flag that was given; empty for none.
func (f networkFlags) given() string {
	switch {
	case f.NICs != nil:
		return "nics"
	case f.Rails != nil:
		return "rails"
	case f.Oversubscription != nil:
		return "oversubscription"
	case f.InSwitch != "":
		return "in-switch"
	}
	return ""
}

// ask is what the flags say of so many nodes of a system. A zero that somebody
// has typed is out of range, and not the same as nothing.
func (f networkFlags) ask(system string, nodes int) (site.Ask, error) {
	a := site.Ask{System: system, Nodes: nodes, InSwitch: site.Reduction(f.InSwitch)}
	for _, flag := range []struct {
		name  string
		value *int
		into  *int
	}{{"nics", f.NICs, &a.NICs}, {"rails", f.Rails, &a.Rails}} {
		if flag.value == nil {
			continue
		}
		if *flag.value < 1 {
			return a, usage(flag.name, fmt.Errorf("%d; accepted is 1 to %d", *flag.value, site.MaxNICs))
		}
		*flag.into = *flag.value
	}
	if f.Oversubscription != nil {
		if a.Oversubscription = *f.Oversubscription; !(a.Oversubscription >= 1) {
			return a, usage("oversubscription", fmt.Errorf("%v:1; accepted is 1 to %d", a.Oversubscription, site.MaxOversubscription))
		}
	}
	return a, nil
}

// table prints a CSV with predictions.
func (c predictCommand) table(term terminal) error {
	for flag, given := range map[string]bool{"collective": c.Collective != "", "size": c.Size != "", "system": c.System != "", "ranks": c.Ranks != nil} {
		if given {
			return usage(flag, errors.New("not together with --csv, whose rows say it"))
		}
	}
	if flag := c.given(); flag != "" {
		return usage(flag, errors.New("not together with --csv, whose rows say it"))
	}
	library, known, err := openEvidence()
	if err != nil {
		return err
	}
	return onTable(c.CSV, func(in io.Reader) error { return library.PredictTable(in, term.out, known) })
}

// onTable hands the table that --csv names, - for standard input, to read.
func onTable(path string, read func(io.Reader) error) error {
	in := io.Reader(os.Stdin)
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return usage("csv", err)
		}
		defer file.Close()
		in = file
	}
	if err := read(in); err != nil {
		return usage("csv", err)
	}
	return nil
}

func openEvidence() (*measured.Library, *catalog.Catalog, error) {
	library, err := measured.NewLibrary()
	if err != nil {
		return nil, nil, err
	}
	known, err := catalog.Embedded()
	return library, known, err
}

// onSystem prices a collective on nodes of a system.
func (c predictCommand) onSystem(ctx context.Context, term terminal) error {
	for flag, given := range map[string]bool{"ranks": c.Ranks != nil, "bandwidth": c.Bandwidth != "", "latency": c.Latency != ""} {
		if given {
			return usage(flag, errors.New("not together with --system, which has its own"))
		}
	}
	if c.Nodes < 1 || c.Nodes > 100_000 {
		return usage("nodes", fmt.Errorf("%d; accepted is 1 to 100000", c.Nodes))
	}
	if c.Algorithm != "auto" {
		return usage("algorithm", fmt.Errorf("%q; on a system the vendor's library chooses: accepted is auto", c.Algorithm))
	}
	if c.Collective == "" || c.Size == "" {
		return usage("collective", errors.New("missing; needed are --collective and --size"))
	}
	collective := schedule.Collective(c.Collective)
	if !slices.Contains(schedule.Collectives(), collective) {
		return usage("collective", fmt.Errorf("%q; accepted are %s", c.Collective, joined(schedule.Collectives())))
	}
	size, err := unit.ParseBytes(c.Size)
	if err != nil {
		return usage("size", err)
	}
	library, known, err := openEvidence()
	if err != nil {
		return err
	}
	ask, err := c.ask(c.System, c.Nodes)
	if err != nil {
		return err
	}
	if _, err := known.System(c.System); err != nil { // an own one, if any: the others need no data folder
		if known, err = c.catalog(ctx); err != nil {
			return err
		}
	}
	where, err := site.Describe(known, ask)
	if err != nil {
		return requestError(err)
	}
	answer, err := c.onMachine(ctx, library, where.Case(collective, size))
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(answer)
	}
	return writeAnswer(term.out, where, answer)
}

func joined[T ~string](list []T) string {
	text := ""
	for i, v := range list {
		if i > 0 {
			text += ", "
		}
		text += string(v)
	}
	return text
}

// writeAnswer prints the conclusion first, then what it is made of and what it
// rests on.
func writeAnswer(w io.Writer, s site.Site, a measured.Answer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s for %s of %s among %s on %s, as by %s\n", a.Time, a.Size, a.Collective, counted(a.Ranks, "rank"), s.Text(), a.Algorithm)
	fmt.Fprintf(table, "between %s and %s, grade %s\n", a.Low, a.High, a.Grade)
	if a.BusBW > 0 {
		fmt.Fprintf(table, "algorithm bandwidth %s, bus bandwidth %s\n", unit.Rate(a.AlgBW*1e9), unit.Rate(a.BusBW*1e9))
	}
	fmt.Fprintf(table, "chosen %s\n", s.Chosen(a))
	fmt.Fprintln(table, "\nMADE OF\tTIME\tFORMULA\tWHERE")
	for _, term := range a.Terms {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", term.Name, term.Time, term.Formula, term.Where)
	}
	fmt.Fprintln(table, "\nNEAREST MEASURED\tBUS BANDWIDTH\tSIZE\tDISTANCE\tPUBLISHED BY")
	for _, n := range a.Nearest {
		fmt.Fprintf(table, "%s\t%s\t%s\t%.2f\t%s\n", n.ID, unit.Rate(n.BusBW*1e9), n.Size, n.Distance, n.Source)
	}
	for _, warning := range a.Warnings {
		fmt.Fprintf(table, "note: %s\n", warning.Message)
	}
	return table.Flush()
}
