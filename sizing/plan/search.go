package plan

import (
	"math"
	"slices"

	"lockstep/sizing/train"
	"lockstep/sizing/trained"
)

// candidate is a layout with what a step takes and holds there.
type candidate struct {
	layout  train.Layout
	seconds float64
	memory  float64
}

// search prices every layout that the ask leaves open, the fastest that fits
// first; where none fits, the one that comes nearest to fitting. tried is how
// many there were.
func (a Ask) search(m *trained.Model, base trained.Run) (found []candidate, tried int) {
	_, factor := m.Price(base)
	for l := range a.layouts(base) {
		r := base.With(l)
		found = append(found, candidate{layout: l, seconds: m.Filled(r).Seconds() * factor, memory: r.Memory().Total()})
	}
	tried = len(found)
	slices.SortStableFunc(found, func(x, y candidate) int {
		xf, yf := trained.Fits(x.memory, base.Capacity()), trained.Fits(y.memory, base.Capacity())
		switch {
		case xf != yf && xf:
			return -1
		case xf != yf:
			return 1
		case !xf:
			return compare(x.memory, y.memory)
		}
		return compare(x.seconds, y.seconds)
	})
	return found, tried
}

func compare(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// layouts yields what the strategy leaves open: degrees that divide the cluster
// and the model, powers of two as software wants them.
func (a Ask) layouts(base trained.Run) func(func(train.Layout) bool) {
	s, shape := a.Strategy, base.Case.Shape
	n := a.accelerators()
	layers := int(max(shape.Attends, shape.Plain+shape.Mixing) + shape.Scans.Layers)
	return func(yield func(train.Layout) bool) {
		for _, tp := range degrees(s.TP, int(math.Min(base.Case.Machine.Domain, shape.Heads)), func(v int) bool { return int(shape.Heads)%v == 0 && n%v == 0 }) {
			for _, pp := range degrees(s.PP, min(64, layers), func(v int) bool { return n%(tp*v) == 0 }) {
				for _, cp := range degrees(s.CP, a.contexts(), func(v int) bool { return n%(tp*pp*v) == 0 && a.Sequence%v == 0 }) {
					if n%(tp*pp*cp) != 0 {
						continue
					}
					dp := n / (tp * pp * cp)
					if s.DP > 0 && s.DP != dp {
						continue
					}
					for _, ep := range degrees(s.EP, int(shape.Experts.Count), func(v int) bool { return int(shape.Experts.Count)%v == 0 && (dp*cp*tp)%v == 0 }) {
						if !a.within(yield, train.Layout{
							TP: float64(tp), PP: float64(pp), CP: float64(cp), DP: float64(dp), EP: float64(ep), Virtual: 1, Flushes: 1,
							Sequence: float64(a.Sequence), Global: float64(a.batch(dp)), SequenceParallel: tp > 1,
						}, layers) {
							return
						}
					}
				}
			}
		}
	}
}

// within yields the ways of running one division of the cluster.
func (a Ask) within(yield func(train.Layout) bool, l train.Layout, layers int) bool {
	s := a.Strategy
	each := int(l.Global / l.DP)
	for _, micro := range degrees(s.Micro, min(16, each), func(v int) bool { return each%v == 0 }) {
		for _, zero := range zeros(s.Zero, l) {
			for _, again := range recomputed(s.Recompute) {
				for _, virtual := range virtuals(s.Virtual, layers, int(l.PP)) {
					l.Micro, l.Shards, l.Recompute, l.Virtual = float64(micro), zero, again, float64(virtual)
					if !yield(l) {
						return false
					}
				}
			}
		}
	}
	return true
}

// degrees are the powers of two up to most that fit, or the one that is asked
// for.
func degrees(asked, most int, fits func(int) bool) []int {
	if asked > 0 {
		return []int{asked}
	}
	all := []int{1}
	for v := 2; v <= most; v *= 2 {
		if fits(v) {
			all = append(all, v)
		}
	}
	return all
}

// contexts is how far a sequence may be cut: not below 4,096 tokens a rank.
func (a Ask) contexts() int { return max(1, min(64, a.Sequence/8192)) }

func zeros(asked int, l train.Layout) []train.Sharding {
	switch {
	case asked >= 0:
		return []train.Sharding{train.Sharding(asked)}
	case l.DP*l.CP == 1:
		return []train.Sharding{train.Replicated}
	case l.PP > 1:
		return []train.Sharding{train.OptimizerState}
	}
	return []train.Sharding{train.OptimizerState, train.Parameters}
}

func recomputed(asked string) []train.Recompute {
	switch asked {
	case "none":
		return []train.Recompute{train.Keep}
	case "selective":
		return []train.Recompute{train.Attention}
	case "full":
		return []train.Recompute{train.All}
	}
	return []train.Recompute{train.Keep, train.All}
}

// virtuals are stages of a pipeline rank.
func virtuals(asked, layers, pp int) []int {
	if asked > 0 {
		return []int{asked}
	}
	if pp == 1 {
		return []int{1}
	}
	all := []int{1}
	for v := 2; v <= 8 && pp*v <= layers; v *= 2 {
		all = append(all, v)
	}
	return all
}

// batch is the sequences of a step: those asked for, or what large models
// usually take, about four million tokens, and a whole number for each replica.
func (a Ask) batch(dp int) int {
	if a.Batch > 0 {
		return a.Batch
	}
	return a.usualBatch(dp)
}

func (a Ask) usualBatch(dp int) int {
	n := max(1, 4<<20/a.Sequence)
	return max(1, n/dp) * dp
}
