package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"lockstep/engine/unit"
	"lockstep/sizing/plan"
)

// writeFailed prints the whole cluster, then what is left of it.
func writeFailed(w io.Writer, f plan.Failed) error {
	if _, err := fmt.Fprintln(w, headline(f.Base)); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nLOST\tNODES AT WORK\tTOKENS/S\tCHANGE\tSTEP\tBETWEEN\tAND\tFITS\tLAYOUT")
	for _, l := range []struct {
		what string
		loss *plan.Loss
	}{{"one NIC", f.NIC}, {"one node", f.Node}} {
		if l.loss == nil {
			fmt.Fprintf(table, "%s\tnothing to price: the cluster has no other\n", l.what)
			continue
		}
		found := " (found anew)"
		if l.loss.Kept {
			found = " (kept)"
		}
		fmt.Fprintf(table, "%s\t%d\t%.0f\t%+.1f %%\t%s\t%s\t%s\t%v\t%s\n", l.what, l.loss.Nodes, l.loss.Tokens, 100*l.loss.Change,
			unit.Seconds(l.loss.Step.Value), unit.Seconds(l.loss.Step.Low), unit.Seconds(l.loss.Step.High), l.loss.Fits, strategyText(l.loss.Strategy)+found)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "modelled; the batch is held; all wait for the node with the NIC less; restarting is not counted")
	return err
}
