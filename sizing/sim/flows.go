package sim

import (
	"math"

	"lockstep/engine/unit"
)

// flows are the transfers under way on links that they may have to share.
type flows struct {
	capacity []unit.Rate // by link
	active   []flow
	stale    bool // rates do not fit active
}

type flow struct {
	part  int32
	way   *way
	left  float64 // bytes, at since
	rate  float64 // bytes per second from since on
	since unit.Seconds
}

func newFlows(capacity []unit.Rate) *flows { return &flows{capacity: capacity} }

func (f *flows) begin(part int32, w *way, bytes int, now unit.Seconds) {
	f.active = append(f.active, flow{part: part, way: w, left: float64(bytes), since: now})
	f.stale = true
}

func (fl *flow) end() unit.Seconds {
	if fl.left == 0 {
		return fl.since
	}
	return fl.since + unit.Seconds(fl.left/fl.rate)
}

// next returns when the first of them ends; false when there is none. Rates
// are those from now on.
func (f *flows) next(now unit.Seconds) (unit.Seconds, bool) {
	if f.stale {
		f.share(now)
	}
	first := unit.Seconds(math.Inf(1))
	for i := range f.active {
		first = min(first, f.active[i].end())
	}
	return first, len(f.active) > 0
}

// end takes out and returns the parts that have ended by now, in the order in
// which they began. Ends that differ only by rounding are one moment.
func (f *flows) end(now unit.Seconds) []int32 {
	var ended []int32
	kept := f.active[:0]
	for _, fl := range f.active {
		if float64(fl.end()) <= float64(now)*(1+1e-12) {
			ended = append(ended, fl.part)
		} else {
			kept = append(kept, fl)
		}
	}
	f.stale = f.stale || len(ended) > 0
	f.active = kept
	return ended
}

// share gives every flow its fair rate from now on: all rise together; who
// reaches the rate of its ports, or meets a full link, stays where it is.
func (f *flows) share(now unit.Seconds) {
	f.stale = false
	free := make([]float64, len(f.capacity))
	for i, c := range f.capacity {
		free[i] = float64(c)
	}
	rates := make([]float64, len(f.active))
	rising := make([]bool, len(f.active))
	for i := range rising {
		rising[i] = true
	}
	for left, level := len(f.active), 0.0; left > 0; {
		demand := make([]float64, len(free))
		for i := range f.active {
			if rising[i] {
				for _, u := range f.active[i].way.uses {
					demand[u.link] += u.copies
				}
			}
		}
		rise := math.Inf(1)
		for l, d := range demand {
			if d > 0 {
				rise = min(rise, free[l]/d)
			}
		}
		for i := range f.active {
			if rising[i] {
				rise = min(rise, float64(f.active[i].way.rate)-level)
			}
		}
		level += rise
		for l, d := range demand {
			free[l] -= d * rise
		}
		for i := range f.active {
			if !rising[i] {
				continue
			}
			w := f.active[i].way
			stop := level >= float64(w.rate)*(1-1e-12)
			for _, u := range w.uses {
				stop = stop || free[u.link] <= 1e-12*float64(f.capacity[u.link])
			}
			if stop {
				rates[i], rising[i] = min(level, float64(w.rate)), false
				left--
			}
		}
	}
	for i := range f.active {
		fl := &f.active[i]
		if fl.rate == rates[i] {
			continue // its end stays what it is, to the last digit
		}
		if fl.rate > 0 {
			fl.left = max(fl.left-fl.rate*float64(now-fl.since), 0)
		}
		fl.rate, fl.since = rates[i], now
	}
}
