package main

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// placement says where the two processors are to each other. A virtual machine
// moves them about, and what ranks exchange by memory costs many times more when
// they share no cache: only times of one placement compare.
type placement string

const (
	near    placement = "near"
	far     placement = "far"
	changed placement = "changed" // during a round
	unknown placement = "unknown" // not measurable here
)

// nearest is the exchange that still counts as near, in nanoseconds: with a
// cache in common 30 to 90 were seen, without one 380 to 400.
const nearest = 120

func placementOf(exchange float64) placement {
	switch {
	case exchange <= 0 || math.IsInf(exchange, 0):
		return unknown
	case exchange < nearest:
		return near
	}
	return far
}

// togetherOf is the placement of what was measured between the probes.
func togetherOf(exchanges []float64) placement {
	first := placementOf(exchanges[0])
	for _, e := range exchanges[1:] {
		if placementOf(e) != first {
			return changed
		}
	}
	return first
}

const (
	exchanges = 1000                   // of a batch
	batches   = 12                     // the fastest counts: in others something else ran
	longest   = 100 * time.Millisecond // a probe: a busy processor lets no batch end
)

// line is a counter in cache lines of its own; a prefetcher takes two at a time.
type line struct {
	_     [128]byte
	count atomic.Int64
	_     [128]byte
}

// probe measures an exchange between the first two processors of this process,
// in nanoseconds: each writes a line of its own and waits for the other's, a
// barrier of two. It returns 0 where it cannot measure.
func probe() float64 {
	cpus := processors()
	if len(cpus) < 2 {
		return 0
	}
	var lines [2]line
	var gaveUp atomic.Bool
	fastest := math.Inf(1)
	deadline := time.Now().Add(longest)
	play := func(side int) {
		release, err := pinThread(cpus[side])
		if err != nil {
			gaveUp.Store(true)
			return
		}
		defer release()
		mine, other := &lines[side].count, &lines[1-side].count
		for batch := range int64(batches) {
			begun := time.Now()
			for i := range int64(exchanges) {
				turn := batch*exchanges + i + 1
				mine.Store(turn)
				for spins := 1; other.Load() < turn; spins++ {
					if spins%4096 == 0 && (gaveUp.Load() || time.Now().After(deadline)) {
						gaveUp.Store(true)
						return
					}
				}
			}
			if side == 0 {
				fastest = min(fastest, float64(time.Since(begun).Nanoseconds())/exchanges)
			}
		}
	}
	var both sync.WaitGroup
	both.Go(func() { play(0) })
	both.Go(func() { play(1) })
	both.Wait()
	if math.IsInf(fastest, 1) {
		return 0
	}
	return fastest
}
