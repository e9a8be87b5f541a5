package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"lockstep/engine/schedule"
)

type scheduleCommand struct {
	Print scheduleShow  `cmd:"" default:"withargs" help:"Print the schedule of a collective (the default)."`
	List  scheduleList  `cmd:"" help:"List every collective and algorithm with its limits and closed forms."`
	Check scheduleCheck `cmd:"" help:"Prove a schedule file right, or name the step that is wrong."`
}

// Help points from the group to the flags of its default.
func (scheduleCommand) Help() string {
	return "console schedule --collective C --algorithm A --ranks N prints a schedule; console schedule print --help lists all its flags."
}

type scheduleList struct {
	JSON bool `name:"json" help:"One JSON document."`
}

func (c scheduleList) Run(term terminal) error {
	if c.JSON {
		return json.NewEncoder(term.out).Encode(schedule.List())
	}
	table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "COLLECTIVE\tALGORITHM\tRANKS\tROUNDS\tMESSAGES\tSENT BY BUSIEST\tRECEIVED BY BUSIEST")
	for _, e := range schedule.Catalog() {
		fmt.Fprintf(table, "%s\t%s\t%d–%d\t%s\t%s\t%s\t%s\n", e.Collective, e.Algorithm, e.MinRanks, e.MaxRanks, e.Rounds, e.Messages, e.Sent, e.Received)
	}
	return table.Flush()
}

// chunksFlag reads --chunks, which cannot be 0 when it is given.
func chunksFlag(given *int) (int, error) {
	if given == nil {
		return 0, nil
	}
	if *given < 1 {
		return 0, usage("chunks", fmt.Errorf("%d chunks; accepted: 1 or more", *given))
	}
	return *given, nil
}

// requestError turns a refused request into an unusable argument.
func requestError(err error) error {
	var bad *schedule.RequestError
	if errors.As(err, &bad) {
		return usage(strings.ReplaceAll(bad.Field, "_", "-"), bad)
	}
	return err
}
