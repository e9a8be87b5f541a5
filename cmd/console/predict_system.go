package main

import (
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
	"lockstep/sizing/hardware"
	"lockstep/sizing/measured"
)

// table prints a CSV with predictions.
func (c predictCommand) table(term terminal) error {
	for flag, given := range map[string]bool{"collective": c.Collective != "", "size": c.Size != "", "system": c.System != "", "ranks": c.Ranks != nil} {
		if given {
			return usage(flag, errors.New("not together with --csv, whose rows say it"))
		}
	}
	library, known, err := openEvidence()
	if err != nil {
		return err
	}
	in := io.Reader(os.Stdin)
	if c.CSV != "-" {
		file, err := os.Open(c.CSV)
		if err != nil {
			return usage("csv", err)
		}
		defer file.Close()
		in = file
	}
	if err := library.PredictTable(in, term.out, known); err != nil {
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
func (c predictCommand) onSystem(term terminal) error {
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
	system, err := known.System(c.System)
	if err != nil {
		return usage("system", err)
	}
	words, err := known.Words(system, c.Nodes)
	if err != nil {
		return err
	}
	answer := library.Answer(measured.Case{Collective: collective, System: hardware.Read(words), Size: size})
	if c.JSON {
		return json.NewEncoder(term.out).Encode(answer)
	}
	return writeAnswer(term.out, system, c.Nodes, answer)
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
func writeAnswer(w io.Writer, s catalog.System, nodes int, a measured.Answer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s for %s of %s among %d ranks on %d × %s, as by %s\n", a.Time, a.Size, a.Collective, a.Ranks, nodes, s.Name, a.Algorithm)
	fmt.Fprintf(table, "between %s and %s, grade %s\n", a.Low, a.High, a.Grade)
	if a.BusBW > 0 {
		fmt.Fprintf(table, "algorithm bandwidth %s, bus bandwidth %s\n", unit.Rate(a.AlgBW*1e9), unit.Rate(a.BusBW*1e9))
	}
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
