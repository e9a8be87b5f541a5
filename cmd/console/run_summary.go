package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// writeRun prints how a run ended, first of all, then what was measured beside
// what was predicted, and where the rest is to be found.
func writeRun(w io.Writer, r trace.Run) error { return writeRunAt(w, r, "") }

// writeRunAt prints a run that is kept by the console at an address, or here
// where that is empty.
func writeRunAt(w io.Writer, r trace.Run, console string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "run %s %s: %s among %s over %s\n", r.ID, verdict(r), subject(r), count(r.Ranks, "rank"), r.Link)
	if f := r.Failure; f != nil {
		fmt.Fprintf(table, "\nfailure\t%s\n", f.Message)
		fmt.Fprintf(table, "kind\t%s%s\n", f.Kind, blame(f))
	}
	fmt.Fprintln(table)
	if t := r.Times; t != nil {
		fmt.Fprintf(table, "measured\tmin %s\tmedian %s\t%s %s\tof %s\n",
			unit.Seconds(t.Min), unit.Seconds(t.Median), tail(r.Iterations), unit.Seconds(t.P95), count(r.Iterations, "iteration"))
	}
	if r.Predicted > 0 {
		fmt.Fprintf(table, "predicted\t%s by the cost model%s\n", unit.Seconds(r.Predicted), compared(r))
	}
	if r.AlgBW > 0 {
		fmt.Fprintf(table, "bandwidth\talgorithm %s\tbus %s\n", gbytes(r.AlgBW), gbytes(r.BusBW))
	}
	if r.Pace != nil {
		fmt.Fprintf(table, "paced\t%s: for eyes, not for statistics\n", pace(*r.Pace))
	}
	if r.Root != nil {
		fmt.Fprintf(table, "root\trank %d\n", *r.Root)
	}
	for i, node := range r.NodeNames {
		fmt.Fprintf(table, "node %s\t%s\n", node, placed(r, i))
	}
	switch r.Encryption {
	case trace.Sealed:
		fmt.Fprintln(table, "between nodes\tencrypted")
	case trace.Plain:
		fmt.Fprintln(table, "between nodes\tin the clear, both ends proven")
	}
	if r.PerNode > 0 && len(r.NodeNames) == 0 {
		fmt.Fprintf(table, "nodes\t%s to a node\n", count(r.PerNode, "rank"))
	}
	if r.ScheduleHash != "" {
		from := ""
		if r.Imported {
			from = ", from a file"
		}
		fmt.Fprintf(table, "schedule\t%s%s\n", short(r.ScheduleHash), from)
	}
	if r.Outcome.Final() {
		fmt.Fprintf(table, "trace\t%s, %s per chunk\n", count(r.Events, "event"), count(r.Slices, "slice"))
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(table, "note\t%s\n", warning.Message)
	}
	if console != "" {
		console = " --console " + console
	}
	fmt.Fprintf(table, "again\tconsole run show %s%s\n", r.ID, console)
	return table.Flush()
}

// placed names the ranks that were on the node with an index.
func placed(r trace.Run, node int) string {
	first, last := -1, -1
	for rank := range r.Ranks {
		if r.NodeOf(rank) == node {
			if first < 0 {
				first = rank
			}
			last = rank
		}
	}
	switch {
	case first < 0:
		return "no ranks"
	case first == last:
		return fmt.Sprintf("rank %d", first)
	}
	return fmt.Sprintf("ranks %d to %d", first, last)
}

// tail is what the 95th percentile of so many iterations is: of fewer than 20
// nothing but the longest.
func tail(iterations int) string {
	if iterations < 20 {
		return "max"
	}
	return "p95"
}

// subject names the collective and the algorithm, and what they moved: a
// barrier moves nothing.
func subject(r trace.Run) string {
	text := string(r.Collective) + "/" + r.Algorithm
	switch {
	case r.Collective == schedule.Barrier:
		return text
	case r.Collective.Reduces() && r.Op != schedule.Sum:
		return fmt.Sprintf("%s of %s, %s %s", text, r.Size, r.DType, r.Op)
	}
	return fmt.Sprintf("%s of %s, %s", text, r.Size, r.DType)
}

// verdict says the outcome, and of a finished run that its result is right.
func verdict(r trace.Run) string {
	if r.Verified {
		return string(r.Outcome) + ", every element verified"
	}
	return string(r.Outcome)
}

// blame says who and where, as far as it is known.
func blame(f *trace.Failure) string {
	var parts []string
	if f.Culprit.Rank != nil {
		parts = append(parts, fmt.Sprintf("rank %d", *f.Culprit.Rank))
	}
	if f.Culprit.Link != "" {
		parts = append(parts, "link "+f.Culprit.Link)
	}
	if f.Culprit.Node != "" {
		parts = append(parts, "node "+f.Culprit.Node)
	}
	if f.Step >= 0 {
		parts = append(parts, fmt.Sprintf("step %d in round %d", f.Step, f.Round))
	}
	if f.DetectedAfter > 0 {
		parts = append(parts, fmt.Sprintf("noticed after %s", unit.Seconds(f.DetectedAfter)))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// compared puts the measured median beside the prediction.
func compared(r trace.Run) string {
	if r.Times == nil || r.Times.Median <= 0 {
		return ""
	}
	return fmt.Sprintf("; measured is %.2f times that", r.Times.Median/r.Predicted)
}

func gbytes(v float64) string { return fmt.Sprintf("%.3g GB/s", v) }

func pace(p trace.Pace) string {
	switch {
	case p.Step && p.Rate > 0:
		return "step by step, ports at " + p.Rate.String()
	case p.Step:
		return "step by step"
	}
	return "ports at " + p.Rate.String()
}

func short(hash string) string { return hash[:min(len(hash), 12)] }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
