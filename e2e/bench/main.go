// Command bench measures the built console on this machine: collectives beside
// Open MPI and Gloo in the same rounds, what a thousand watchers cost a run, and
// lessons in a real browser. It prints tables of medians and ratios, and writes
// them to a folder that is named. Absolute times belong to the machine; the
// ratio of one placement is what compares.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// options are the flags.
type options struct {
	console, out, parts, algorithm   string
	collectives, links, ranks, sizes string
	rounds                           int
	quick, events                    bool
}

func main() {
	var o options
	flag.StringVar(&o.console, "console", "bin/console", "the built console")
	flag.StringVar(&o.out, "out", "", "folder for the tables; without it they are only printed")
	flag.StringVar(&o.parts, "parts", "", "which of hosts, collectives, watchers, lessons; all, or collectives only with a flag that narrows them")
	flag.StringVar(&o.algorithm, "algorithm", "auto", "the console's algorithm")
	flag.StringVar(&o.collectives, "collectives", "", "such as all-reduce,broadcast; all five")
	flag.StringVar(&o.links, "links", "", "of shm,tcp; both")
	flag.StringVar(&o.ranks, "ranks", "", "such as 2; 2,4")
	flag.StringVar(&o.sizes, "sizes", "", "such as 8,64KiB,1MiB; ten from 8 B to 64 MiB")
	flag.IntVar(&o.rounds, "rounds", 5, "how often each cell is measured, the programs in turns")
	flag.BoolVar(&o.quick, "quick", false, "two ranks, three sizes and two rounds: a minute or two, to see that everything works")
	flag.BoolVar(&o.events, "events", false, "measure only what progress events cost: needs a console that can leave them out (LOCKSTEP_EVENTS=off)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	chosen := everything()
	if o.quick {
		chosen = quick()
		o.rounds = min(o.rounds, 2)
	}
	chosen, err := chosen.narrow(o.collectives, o.links, o.ranks, o.sizes)
	if err != nil {
		return err
	}
	if o.rounds < 1 {
		return fmt.Errorf("-rounds: %d; accepted: 1 and more", o.rounds)
	}
	partial := o.quick || o.collectives+o.links+o.ranks+o.sizes != ""
	parts, err := partsOf(o.parts, partial)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "lockstep-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	p := console{path: o.console, data: filepath.Join(scratch, "data"), algorithm: o.algorithm, slices: "auto"}
	if o.events {
		return measureEvents(ctx, p, o.out, nil, []string{"LOCKSTEP_EVENTS=off"})
	}
	// Watchers bind this process to one processor, so what needs two comes first.
	var failed []error
	if slices.Contains(parts, "hosts") {
		if err := measureHosts(ctx, o.console, scratch, o.out); err != nil {
			failed = append(failed, fmt.Errorf("measure hosts: %w", err))
		}
	}
	if slices.Contains(parts, "collectives") {
		if err := p.calibrate(ctx); err != nil {
			return err
		}
		failed = append(failed, measureCollectives(ctx, p, scratch, o.out, chosen, o.rounds, partial))
	}
	if slices.Contains(parts, "watchers") && ctx.Err() == nil {
		if err := measureWatchers(o.console, scratch, o.out, o.rounds); err != nil {
			failed = append(failed, fmt.Errorf("measure watchers: %w", err))
		}
	}
	if slices.Contains(parts, "lessons") && ctx.Err() == nil {
		failed = append(failed, measureLessons(o.console, scratch, o.out))
	}
	return errors.Join(failed...)
}

// partsOf reads the list of parts.
func partsOf(list string, partial bool) ([]string, error) {
	all := []string{"collectives", "watchers", "lessons", "hosts"}
	switch {
	case list == "" && partial:
		return all[:1], nil
	case list == "":
		return all, nil
	}
	var failed []error
	parts := strings.Split(list, ",")
	for _, part := range parts {
		if !slices.Contains(all, part) {
			failed = append(failed, fmt.Errorf("-parts: unknown %q; accepted: %s", part, strings.Join(all, ", ")))
		}
	}
	return parts, errors.Join(failed...)
}
