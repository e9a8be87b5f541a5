package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// What progress events cost is measured where they are densest: slices of
// 64 KiB, the smallest that report. A ring of two cuts 1 MiB into two chunks.
const (
	eventsBytes      = 1 << 20
	eventsSlices     = "8" // of a chunk of 512 KiB
	eventsIterations = 2000
	eventsPairs      = 15
)

// errNoSwitch says that the environment did not change what events there are.
var errNoSwitch = errors.New("the console reports events in both settings: this build has no switch for them")

// measureEvents runs the console with each of two environments in turns, and
// writes what the first costs against the second, which has no events.
func measureEvents(ctx context.Context, p console, out string, with, without []string) error {
	p.algorithm, p.slices = "ring", eventsSlices
	c := cell{"all-reduce", "shm", 2, eventsBytes}
	if err := p.has(ctx, c.link); err != nil {
		return err
	}
	var pairs []eventsPair
	for tries := 0; len(pairs) < eventsPairs && tries < 2*eventsPairs; tries++ {
		pair, err := playPair(ctx, p, c, with, without)
		if err != nil {
			return err
		}
		if pair.place != changed {
			pairs = append(pairs, pair)
		}
	}
	text := fmt.Sprintf("# What progress events cost a run\n\n%s, Linux %s. Written by `make bench`.\n\n"+
		"All-reduce, ring, 2 ranks, %s, shared memory, slices of 64 KiB: the densest events there are. Each pair runs the console twice, with\n"+
		"events and with %s, in turns, %d iterations each, and counts when the placement (see collectives-shm.md) was the same throughout. A time\n"+
		"is the median over the pairs of a run's median; the ratio is with to without, pair by pair: its median and its range.\n\n%s",
		machine(), kernel(), bytesText(eventsBytes), strings.Join(without, " "), eventsIterations, eventsTable(pairs))
	fmt.Print(text)
	return write(out, "progress.md", text)
}

// eventsPair is a run with events and one without, in seconds.
type eventsPair struct {
	place         placement
	with, without sample
	events        int64 // of the run with
	load          string
}

func playPair(ctx context.Context, p console, c cell, with, without []string) (pair eventsPair, err error) {
	seen := []float64{probe()}
	var docs [2]runDocument
	for i, env := range [][]string{with, without} {
		p.env = env
		if docs[i], err = p.run(ctx, c, eventsIterations); err != nil {
			return pair, err
		}
		seen = append(seen, probe())
	}
	if docs[1].Events != 0 {
		return pair, fmt.Errorf("%w: %d and %d", errNoSwitch, docs[0].Events, docs[1].Events)
	}
	return eventsPair{
		place: togetherOf(seen), events: docs[0].Events, load: load(),
		with:    sample{median: docs[0].Time.Median, fastest: docs[0].Time.Min},
		without: sample{median: docs[1].Time.Median, fastest: docs[1].Time.Min},
	}, nil
}

// eventsTable has a row for each placement seen.
func eventsTable(pairs []eventsPair) string {
	var b strings.Builder
	b.WriteString("| placement | pairs | without | min | with | min | ratio | events of a run | load |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, place := range []placement{near, far, unknown} {
		var rounds []round
		var last eventsPair
		for _, pair := range pairs {
			if pair.place == place { // the run without takes the place of a peer
				var r round
				r.samples[ours], r.samples[openMPI] = pair.with, pair.without
				rounds, last = append(rounds, r), pair
			}
		}
		if rounds == nil {
			continue
		}
		with, without, cost := sumUp(ours, rounds), sumUp(openMPI, rounds), ratioTo(openMPI, rounds)
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s | **%.3f** (%.3f–%.3f) | %d | %s |\n", place, len(rounds), without.text(), without.fastestText(),
			with.text(), with.fastestText(), cost.median, cost.low, cost.high, last.events, last.load)
	}
	return b.String()
}
