package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"lockstep/sizing/catalog"
	"lockstep/store"
)

type catalogCommand struct {
	Print  catalogPrintCommand  `cmd:"" default:"withargs" help:"Print a part of the catalogue (the default)."`
	Add    catalogAddCommand    `cmd:"" help:"Add an own entry, or a model by its config.json."`
	Remove catalogRemoveCommand `cmd:"" help:"Remove an own entry."`
}

// Help points from the group to its default.
func (catalogCommand) Help() string {
	return "console catalog KIND prints models, systems, accelerators or fabrics with their sources; console catalog add --help says how own ones are added."
}

type catalogPrintCommand struct {
	dataFlag
	Kind string `arg:"" help:"models, systems, accelerators or fabrics."`
	JSON bool   `name:"json" help:"One JSON document with every field."`
}

// Run prints a part of the catalogue.
func (c catalogPrintCommand) Run(ctx context.Context, term terminal) error {
	kind, err := catalog.ParseKind(c.Kind)
	if err != nil {
		return argument("kind", err)
	}
	known, err := c.catalog(ctx)
	if err != nil {
		return err
	}
	for _, u := range known.Unusable {
		fmt.Fprintf(term.err, "note: the own entry %s %s is left out: %v\n", u.Kind, u.ID, u.Err)
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(known.List(kind))
	}
	table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	switch kind {
	case catalog.Models:
		fmt.Fprintln(table, "MODEL\tNAME\tPARAMETERS\tLAYERS\tHIDDEN\tHEADS\tSEQUENCE\tSOURCE")
		for _, m := range known.Models {
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\n", m.ID, m.Name, millions(m.Parameters()), m.Layers, m.Hidden, m.Heads, m.Sequence, sourced(m.Origin))
		}
	case catalog.Systems:
		fmt.Fprintln(table, "SYSTEM\tNAME\tACCELERATORS\tNICS\tNETWORK\tSOURCE")
		for _, s := range known.Systems {
			fmt.Fprintf(table, "%s\t%s\t%d × %s\t%d × %g Gb/s\t%s\t%s\n", s.ID, s.Name, s.PerNode, s.Accelerator, s.NICs, s.NICRate, s.NIC, sourced(s.Origin))
		}
	case catalog.Accelerators:
		fmt.Fprintln(table, "ACCELERATOR\tNAME\tMEMORY\tMEMORY BANDWIDTH\tBF16, DENSE\tSCALE-UP, EACH WAY\tSOURCE")
		for _, a := range known.Accelerators {
			fmt.Fprintf(table, "%s\t%s\t%g GB\t%g GB/s\t%s\t%s\t%s\n", a.ID, a.Name, a.Memory, a.MemoryBandwidth, figure(a.BF16, "TFLOP/s"), figure(a.ScaleUpRate, "GB/s"), sourced(a.Origin))
		}
	case catalog.Fabrics:
		fmt.Fprintln(table, "FABRIC\tGENERATION\tLINE RATE\tREACHED\tLATENCY\tSOURCE")
		for _, f := range known.Fabrics {
			share := "–"
			if f.Fraction > 0 {
				share = fmt.Sprintf("%.0f %% (%s)", 100*f.Fraction, f.FractionIs)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", f.ID, f.Generation, figure(f.Rate, "Gb/s"), share, figure(f.Latency, "us"), sourced(f.Origin))
		}
	}
	return table.Flush()
}

// catalog is what the program carries with the own entries of the data folder,
// if there is one. It makes none.
func (f dataFlag) catalog(ctx context.Context) (*catalog.Catalog, error) {
	known, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	dir, err := f.folder()
	if err != nil {
		if f.Data == nil { // a machine without a home has no own entries either
			return known, nil
		}
		return nil, err
	}
	if kept, err := store.Exists(dir); err != nil || !kept {
		return known, err
	}
	err = f.withStore(ctx, func(db *store.Store) error {
		own, err := db.Entries().List(ctx)
		known = known.With(own)
		return err
	})
	return known, err
}

// figure prints a figure with its unit, or a dash for one that no source tells.
func figure(v float64, unit string) string {
	if v == 0 {
		return "–"
	}
	return fmt.Sprintf("%g %s", v, unit)
}

func millions(params float64) string {
	switch {
	case params <= 0:
		return "–"
	case params < 1e9:
		return fmt.Sprintf("%.0f M", params/1e6)
	default:
		return fmt.Sprintf("%.4g B", params/1e9)
	}
}

// sourced is where an entry comes from, and whether that is certain.
func sourced(o catalog.Origin) string {
	switch {
	case o.Own:
		return "own, " + string(o.Rests()) + ": " + o.Source
	case !o.Verified:
		return "not verified: " + o.Source
	}
	return o.Source
}
