package main

import (
	"context"
	"fmt"
	"time"
)

// The programs of a round, in this order; a peer that is not there is nil.
const (
	ours = iota
	openMPI
	gloo
	programs
)

// round is each program's sample of one cell, taken one after the other.
type round struct {
	place    placement
	exchange float64 // nanoseconds, the median of the probes
	samples  [programs]sample
}

// contest measures cells.
type contest struct {
	programs [programs]program
	rounds   int           // of a cell
	budget   time.Duration // of a cell: once it is spent, fewestRounds are enough
	probe    func() float64
	now      func() time.Time
}

const (
	fewestRounds = 3
	mostTries    = 3 // of a round during which the placement changed
)

// play measures a cell: rounds in which the programs take turns, a probe before
// and after each. A round that saw the placement change is tried again; the last
// try is kept, marked changed. A program that fails once is left out from there
// on, its error in place of its sample.
func (b contest) play(ctx context.Context, c cell) ([]round, error) {
	begun := b.now()
	var failed [programs]error
	var played []round
	for len(played) < b.rounds && (len(played) < fewestRounds || b.now().Sub(begun) < b.budget) {
		var r round
		for try := 0; try == 0 || r.place == changed && try < mostTries; try++ {
			r = round{}
			seen := []float64{b.probe()}
			for i, p := range b.programs {
				if p == nil || failed[i] != nil {
					r.samples[i].err = failed[i]
					continue
				}
				got, err := p.measure(ctx, c)
				if ctx.Err() != nil {
					return nil, fmt.Errorf("measure %s: %w", c, ctx.Err())
				}
				if err != nil {
					failed[i] = fmt.Errorf("%s, %s: %w", p.name(), c, err)
					got = sample{err: failed[i]}
				}
				r.samples[i] = got
				seen = append(seen, b.probe())
			}
			r.place, r.exchange = togetherOf(seen), median(seen)
		}
		played = append(played, r)
	}
	return played, nil
}

// problems are the errors of the rounds, each once.
func problems(played []round) (failed []error) {
	var seen [programs]bool
	for _, r := range played {
		for i, s := range r.samples {
			if s.err != nil && !seen[i] {
				seen[i] = true
				failed = append(failed, s.err)
			}
		}
	}
	return failed
}
