package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"lockstep/engine/unit"
	"lockstep/sizing/plan"
)

// writeSensitivity prints the base, then a line for each change.
func writeSensitivity(w io.Writer, s plan.Sensitivity) error {
	if _, err := fmt.Fprintln(w, headline(s.Base)); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nCHANGE\tFROM\tTO\tUNIT\tGAIN\tSTEP\tTOKENS/S\tFITS\tLAYOUT")
	for _, c := range s.Changes {
		fmt.Fprintf(table, "%s\t%.4g\t%.4g\t%s\t%+.1f %%\t%s\t%.0f\t%v\t%s\n", c.Code, c.From, c.To, c.Unit, 100*c.Gain, unit.Seconds(c.Step.Value), c.Tokens, c.Fits, strategyText(c.Strategy))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "modelled; gain is in tokens a second; one thing is changed at a time, and the layout found anew")
	return err
}
