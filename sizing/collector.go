package sizing

import (
	"math/big"

	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Collector is data-parallel training whose gradients go through one worker:
// every step each worker computes its share, then one collects the gradients
// of the others, one after the other through its port. Latency is left out.
//
// With c the time of one gradient through the port, a step of w workers takes
//
//	step(w) = t/w + (w-1)·c        c = S/B, or 2·S/B with the way back
//
// which falls while w < √(t/c), rises after it, and from w > t/c on is longer
// than the step of a single worker.
type Collector struct {
	Size    unit.Bytes   // of the gradients, the same from every worker
	Rate    unit.Rate    // of a port, each way
	Compute unit.Seconds // of a whole step on one worker
	Return  bool         // whether the way back counts
}

// Collecting returns how long w workers communicate in a step: (w-1)·c.
func (c Collector) Collecting(w int) unit.Seconds {
	return seconds(new(big.Rat).Mul(c.through(), big.NewRat(int64(w-1), 1)))
}

// Step returns how long a step of w workers takes.
func (c Collector) Step(w int) unit.Seconds { return seconds(c.step(w)) }

// Speedup returns how many times faster w workers are than one. Without any
// computing it is 1 for one worker and 0 for more.
func (c Collector) Speedup(w int) float64 {
	one, many := c.step(1), c.step(w)
	if many.Sign() == 0 {
		return 1
	}
	f, _ := one.Quo(one, many).Float64()
	return f
}

// Best returns the number of workers with the shortest step; of two equal
// ones the smaller.
func (c Collector) Best() int {
	if c.Compute <= 0 {
		return 1
	}
	// The step is convex in w and shortest at √(t/c).
	ratio := c.ratio()
	root := new(big.Int).Sqrt(new(big.Int).Quo(ratio.Num(), ratio.Denom()))
	if !root.IsInt64() || root.Int64() >= maxWorkers {
		return maxWorkers
	}
	w := max(1, int(root.Int64()))
	if c.step(w+1).Cmp(c.step(w)) < 0 {
		return w + 1
	}
	return w
}

// SlowerFrom returns the least number of workers above one whose step is
// longer than that of one worker: the first above t/c.
func (c Collector) SlowerFrom() int {
	ratio := c.ratio()
	below := new(big.Int).Quo(ratio.Num(), ratio.Denom())
	if !below.IsInt64() || below.Int64() >= maxWorkers {
		return maxWorkers
	}
	return max(2, int(below.Int64())+1)
}

// RingStep returns how long the same step takes when the gradients go round a
// ring: t/w + 2(w-1)/w·S/B.
func (c Collector) RingStep(w int) unit.Seconds {
	return seconds(new(big.Rat).Add(c.share(w), c.ring(w)))
}

// Ring returns how long a ring of w workers communicates: 2(w-1)/w·S/B.
func (c Collector) Ring(w int) unit.Seconds { return seconds(c.ring(w)) }

// maxWorkers bounds what Best and SlowerFrom return: more than there are.
const maxWorkers = 1 << 40

func (c Collector) ring(w int) *big.Rat {
	return new(big.Rat).Mul(c.transfer(), big.NewRat(2*int64(w-1), int64(w)))
}

func (c Collector) step(w int) *big.Rat {
	collecting := new(big.Rat).Mul(c.through(), big.NewRat(int64(w-1), 1))
	return collecting.Add(collecting, c.share(w))
}

// share is the computing of one of w workers.
func (c Collector) share(w int) *big.Rat {
	return new(big.Rat).Mul(c.compute(), big.NewRat(1, int64(w)))
}

func (c Collector) compute() *big.Rat { return decimal(float64(c.Compute)) }

// transfer is S/B, through is what one worker's gradients keep the port busy.
func (c Collector) transfer() *big.Rat {
	return new(big.Rat).Quo(new(big.Rat).SetInt64(int64(c.Size)), decimal(float64(c.Rate)))
}

func (c Collector) through() *big.Rat {
	if c.Return {
		return new(big.Rat).Mul(c.transfer(), big.NewRat(2, 1))
	}
	return c.transfer()
}

// ratio is t/c.
func (c Collector) ratio() *big.Rat { return new(big.Rat).Quo(c.compute(), c.through()) }

// Check returns a *schedule.RequestError for the first field that is unusable.
func (c Collector) Check() error {
	switch {
	case c.Size <= 0:
		return refuse("size", "%d bytes; accepted: more than 0", c.Size)
	case !(c.Compute >= 0) || c.Compute > 1e12:
		return refuse("compute", "%v s; accepted: 0 or more", float64(c.Compute))
	}
	return cost.Network{Bandwidth: c.Rate}.Check()
}
