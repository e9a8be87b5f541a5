package main

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"lockstep/sizing/catalog"
)

type catalogCommand struct {
	Kind string `arg:"" help:"models, systems, accelerators or fabrics."`
	JSON bool   `name:"json" help:"One JSON document with every field."`
}

// Run prints a part of the catalogue.
func (c catalogCommand) Run(term terminal) error {
	kind := catalog.Kind(c.Kind)
	if !slices.Contains(catalog.Kinds(), kind) {
		return usage("kind", fmt.Errorf("%q; accepted are %s", c.Kind, joined(catalog.Kinds())))
	}
	if c.JSON {
		text, err := catalog.Raw(kind)
		if err != nil {
			return err
		}
		_, err = term.out.Write(text)
		return err
	}
	known, err := catalog.Embedded()
	if err != nil {
		return err
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
	if !o.Verified {
		return "not verified: " + o.Source
	}
	return o.Source
}
