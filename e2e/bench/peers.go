package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// program carries a cell out and times it.
type program interface {
	name() string
	measure(ctx context.Context, c cell) (sample, error)
}

// sample is what one measurement gave; times in seconds.
type sample struct {
	how             string // the algorithm, or the way of a peer; empty for its plain call
	median, fastest float64
	err             error
}

// way is one of several in which a peer can be used; the fastest counts.
type way struct {
	text  string // for the table; empty for the plain call
	arg   string // for the peer
	bound bool   // each rank to a processor, by us
}

// peer is a program of ours around somebody else's library.
type peer struct {
	label, version string
	ways           func(cell) []way
	time           func(context.Context, cell, way, repeats) ([]float64, error) // seconds of each iteration
	hopeful        map[cell][]way
}

// slowWay is how much slower than the fastest a way may be in the first round
// of a cell to be tried again in the later ones.
const slowWay = 1.5

func (p *peer) name() string { return p.label }

// measure times each way in turn and returns the fastest by its median.
func (p *peer) measure(ctx context.Context, c cell) (sample, error) {
	ways, again := p.hopeful[c]
	if !again {
		ways = p.ways(c)
	}
	var best sample
	medians := make([]float64, len(ways))
	for i, w := range ways {
		times, err := p.time(ctx, c, w, c.repeats())
		if err != nil {
			return sample{}, err
		}
		got := sampleOf(w.text, times)
		if medians[i] = got.median; i == 0 || got.median < best.median {
			best = got
		}
	}
	if !again {
		for i, w := range ways {
			if medians[i] <= slowWay*best.median {
				p.hopeful[c] = append(p.hopeful[c], w)
			}
		}
	}
	return best, nil
}

func sampleOf(how string, times []float64) sample {
	fastest := times[0]
	for _, t := range times {
		fastest = min(fastest, t)
	}
	return sample{how: how, median: median(times), fastest: fastest}
}

// parseTimes reads what a peer prints: one time in seconds a line.
func parseTimes(text []byte, want int) (times []float64, err error) {
	for line := range strings.Lines(string(text)) {
		t, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
		if err != nil || t < 0 {
			return nil, fmt.Errorf("read the peer's times: %q is none", strings.TrimSpace(line))
		}
		times = append(times, t)
	}
	if len(times) != want || want == 0 {
		return nil, fmt.Errorf("the peer printed %d of %d times", len(times), want)
	}
	return times, nil
}

func peerArgs(c cell, w way, r repeats) []string {
	return []string{c.collective, strconv.FormatInt(c.size, 10), strconv.Itoa(r.warmups), strconv.Itoa(r.iterations), w.arg}
}
