package main

import (
	"slices"
	"strings"
)

// row is what the table says of a cell in one placement.
type row struct {
	cell     cell
	place    placement
	exchange float64 // nanoseconds
	rounds   int
	load     string
	timed    [programs]timed
	toMPI    ratio
	toGloo   ratio
}

// timed sums a program's samples up: the median of the rounds' medians, and the
// fastest iteration of all.
type timed struct {
	median, fastest float64 // seconds; 0 without a sample
	how             string
}

// ratio is ours to a peer's, round by round.
type ratio struct {
	median, low, high float64 // 0 without a round that has both
}

// rowsOf sums rounds up, one row for each placement seen. Times of different
// placements are never mixed.
func rowsOf(c cell, load string, played []round) (rows []row) {
	for _, place := range []placement{near, far, changed, unknown} {
		var same []round
		var exchanges []float64
		for _, r := range played {
			if r.place == place {
				same, exchanges = append(same, r), append(exchanges, r.exchange)
			}
		}
		if len(same) == 0 {
			continue
		}
		r := row{cell: c, place: place, exchange: median(exchanges), rounds: len(same), load: load,
			toMPI: ratioTo(openMPI, same), toGloo: ratioTo(gloo, same)}
		for i := range r.timed {
			r.timed[i] = sumUp(i, same)
		}
		rows = append(rows, r)
	}
	return rows
}

func sumUp(program int, played []round) (t timed) {
	var medians, fastest []float64
	var ways []string
	for _, r := range played {
		s := r.samples[program]
		if s.median == 0 {
			continue
		}
		medians, fastest = append(medians, s.median), append(fastest, s.fastest)
		if how := s.how; !slices.Contains(ways, how) {
			ways = append(ways, how)
		}
	}
	if medians == nil {
		return t
	}
	if i := slices.Index(ways, ""); i >= 0 && len(ways) > 1 {
		ways[i] = "plain"
	}
	return timed{median(medians), slices.Min(fastest), strings.Join(ways, " or ")}
}

func ratioTo(peer int, played []round) ratio {
	var all []float64
	for _, r := range played {
		if a, b := r.samples[ours].median, r.samples[peer].median; a > 0 && b > 0 {
			all = append(all, a/b)
		}
	}
	if all == nil {
		return ratio{}
	}
	return ratio{median(all), slices.Min(all), slices.Max(all)}
}

// verdict is whether a goal is met; none where there is no ratio or the
// placement was not one and the same.
type verdict int

const (
	none verdict = iota
	met
	missed
)

func judge(r ratio, goal float64, place placement) verdict {
	switch {
	case r.median == 0 || goal == 0 || place == changed:
		return none
	case r.median <= goal:
		return met
	}
	return missed
}

func (r row) mpiVerdict() (goal float64, v verdict) {
	goal, _ = goalToMPI(r.cell)
	return goal, judge(r.toMPI, goal, r.place)
}

func (r row) glooVerdict() verdict { return judge(r.toGloo, goalToGloo, r.place) }
