package calibrate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// MinSizes is how many different sizes the samples of a fit must have.
const MinSizes = 3

// Sample is a run that was measured.
type Sample struct {
	Request schedule.Request
	Size    unit.Bytes // the full buffer
	Width   int        // bytes of an element
	Slices  int        // per chunk
	Time    unit.Seconds
}

// Network is a network as the samples show it.
type Network struct {
	cost.Network
	Typical float64 // half of the samples are off by this share of their time at most
}

const (
	// start is where the search begins; where it ends does not depend on it.
	startLatency   = 50e-6 // seconds
	startBandwidth = 1e9   // bytes/s
	passes         = 8
	settled        = 0.002 // relative change at which the search ends
	weighings      = 20
	huber          = 1.345 // residuals beyond so many deviations count less
	leastScatter   = 0.01  // the deviation is not held to be less
	mostScatter    = 0.5   // typical error beyond which there is no fit
	// leastShare is the part of its time that one run at least must spend on
	// bytes: less is lost in the scatter.
	leastShare = 0.2
	// collinear is the square of the cosine between what samples say of α and
	// of 1/B beyond which they say the same.
	collinear = 0.999
)

// Fit returns the network that the samples show, or an *Unfit.
func Fit(samples []Sample) (Network, error) {
	sizes := map[unit.Bytes]bool{}
	for _, s := range samples {
		if s.Time > 0 {
			sizes[s.Size] = true
		}
	}
	if len(sizes) < MinSizes {
		return Network{}, unfit(ErrTooFew, "sizes", strconv.Itoa(len(sizes)), "needed", strconv.Itoa(MinSizes))
	}
	var rows []*row
	for _, s := range samples {
		if s.Time <= 0 {
			continue
		}
		r, err := newRow(s)
		if err != nil {
			return Network{}, fmt.Errorf("price %s/%s of %d ranks: %w", s.Request.Collective, s.Request.Algorithm, s.Request.Ranks, err)
		}
		rows = append(rows, r)
	}
	alpha, beta := startLatency, 1/startBandwidth
	for range passes {
		for _, r := range rows {
			if err := r.linearise(alpha, beta); err != nil {
				return Network{}, err
			}
		}
		a, b, err := solve(rows)
		if err != nil {
			return Network{}, err
		}
		done := math.Abs(a-alpha) <= settled*alpha && math.Abs(b-beta) <= settled*beta
		alpha, beta = a, b
		if done {
			break
		}
	}
	n := Network{Network: network(alpha, beta)}
	var off []float64
	share := 0.0
	for _, r := range rows {
		share = max(share, r.bytes*beta/r.time)
		t, err := r.play(n.Network)
		if err != nil {
			return Network{}, err
		}
		off = append(off, math.Abs(t/r.time-1))
	}
	if share < leastShare {
		return Network{}, unfit(ErrNoBytes, "percent", percent(share))
	}
	if n.Typical = median(off); n.Typical > mostScatter {
		return Network{}, unfit(ErrDisagree, "percent", percent(mostScatter))
	}
	return n, nil
}

// network returns the network of a latency and an inverse bandwidth, in SI
// units.
func network(alpha, beta float64) cost.Network {
	return cost.Network{Latency: time.Duration(math.Round(alpha * 1e9)), Bandwidth: unit.Rate(1 / beta)}
}

// solve returns α and 1/B that come nearest to the rows, as they are linear
// now.
func solve(rows []*row) (alpha, beta float64, err error) {
	weights := make([]float64, len(rows))
	for i := range weights {
		weights[i] = 1
	}
	off := make([]float64, len(rows))
	for range weighings {
		if alpha, beta, err = leastSquares(rows, weights); err != nil {
			return 0, 0, err
		}
		for i, r := range rows {
			off[i] = math.Abs((r.latencies*alpha+r.bytes*beta)/r.time - 1)
		}
		limit := huber * max(median(off)/0.6745, leastScatter)
		for i := range weights {
			weights[i] = min(1, limit/off[i]) // no residual: infinite, so 1
		}
	}
	return alpha, beta, nil
}

// leastSquares minimises the weighted squares of the relative errors, with
// neither unknown below zero.
func leastSquares(rows []*row, weights []float64) (alpha, beta float64, err error) {
	var aa, ab, bb, ay, by float64
	for i, r := range rows {
		a, b, w := r.latencies/r.time, r.bytes/r.time, weights[i]
		aa, ab, bb, ay, by = aa+w*a*a, ab+w*a*b, bb+w*b*b, ay+w*a, by+w*b
	}
	switch {
	case bb == 0:
		return 0, 0, unfit(ErrNoBytes, "percent", "0")
	case aa > 0 && ab*ab > collinear*aa*bb:
		return 0, 0, unfit(ErrAlike)
	}
	if det := aa*bb - ab*ab; det > 0 {
		alpha, beta = (ay*bb-by*ab)/det, (aa*by-ab*ay)/det
	}
	switch {
	case beta < 0 || alpha > 0 && beta == 0:
		return 0, 0, unfit(ErrNoBytes, "percent", "0")
	case alpha <= 0:
		alpha, beta = 0, by/bb
	}
	return alpha, beta, nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
