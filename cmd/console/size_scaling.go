package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"lockstep/engine/unit"
	"lockstep/sizing/plan"
)

// writeScaling prints a line for each number of nodes.
func writeScaling(w io.Writer, s plan.Scaling) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NODES\tACCELERATORS\tBATCH\tSTEP\tBETWEEN\tAND\tGRADE\tTOKENS/S\tEFFICIENCY\tLIMITED BY\tLAYOUT")
	for _, p := range s.Points {
		efficiency := "does not surely fit"
		if p.Fits {
			efficiency = fmt.Sprintf("%.0f %%", 100*p.Efficiency)
		}
		fmt.Fprintf(table, "%d\t%d\t%d\t%s\t%s\t%s\t%s\t%.0f\t%s\t%s\t%s\n", p.Nodes, p.Accelerators, p.Batch,
			unit.Seconds(p.Step.Value), unit.Seconds(p.Step.Low), unit.Seconds(p.Step.High), p.Grade, p.Tokens, efficiency, p.Bottleneck, strategyText(p.Strategy))
	}
	for _, n := range s.Without {
		fmt.Fprintf(table, "%d\tno layout: the strategy or the batch does not divide\n", n)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	batch := "the batch is the usual one of each size, about four million tokens and a sequence for each replica at the least"
	if s.Held {
		batch = "the batch is the same everywhere"
	}
	_, err := fmt.Fprintf(w, "modelled; %s; efficiency is tokens a second and accelerator against the smallest size that fits\n", batch)
	return err
}
