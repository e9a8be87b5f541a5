package sizing

import (
	"fmt"
	"math/big"
	"time"

	"lockstep/engine/schedule"
)

// pricing prices one step on many numbers of workers and fabrics. It reads the
// catalogue once and keeps what does not depend on the fabric; the times are
// those of cost.Question. It belongs to one goroutine.
type pricing struct {
	step          Step
	central, ring schedule.Entry
	known         map[int]stepLoads
}

// load is what an algorithm pays: latencies, and multiples of S over B.
type load struct{ alphas, vectors *big.Rat }

type stepLoads struct{ oneWay, central, ring load }

func newPricing(s Step) (*pricing, error) {
	central, err := schedule.Find(schedule.AllReduce, "central")
	if err != nil {
		return nil, err
	}
	ring, err := schedule.Find(schedule.AllReduce, "ring")
	if err != nil {
		return nil, err
	}
	return &pricing{step: s, central: central, ring: ring, known: map[int]stepLoads{}}, nil
}

// times prices both algorithms on so many workers.
func (p *pricing) times(f Fabric, workers int) (Times, error) {
	if workers == 1 {
		return Times{}, nil // nobody to send to
	}
	loads, known := p.known[workers]
	if !known {
		var err error
		if loads, err = p.loads(workers); err != nil {
			return Times{}, fmt.Errorf("price a step of %d workers: %w", workers, err)
		}
		p.known[workers] = loads
	}
	alpha := big.NewRat(int64(f.Latency), int64(time.Second))
	transfer := new(big.Rat).SetInt64(int64(p.step.Gradients()))
	transfer.Quo(transfer, new(big.Rat).SetFloat64(float64(f.Bandwidth))) // finite: checked
	in := func(l load) *big.Rat {
		sum := new(big.Rat).Mul(l.alphas, alpha)
		return sum.Add(sum, new(big.Rat).Mul(l.vectors, transfer))
	}
	return Times{OneWay: seconds(in(loads.oneWay)), Central: seconds(in(loads.central)), Ring: seconds(in(loads.ring))}, nil
}

func (p *pricing) loads(workers int) (stepLoads, error) {
	var l stepLoads
	var err error
	if l.oneWay, err = sumTerms(p.central.Terms[:1], workers); err != nil { // collecting comes first
		return stepLoads{}, err
	}
	if l.central, err = sumTerms(p.central.Terms, workers); err != nil {
		return stepLoads{}, err
	}
	l.ring, err = sumTerms(p.ring.Terms, workers)
	return l, err
}

// sumTerms adds up what terms come to for so many ranks.
func sumTerms(terms []schedule.Term, ranks int) (load, error) {
	vars := schedule.Vars{"n": float64(ranks), "k": 1}
	sum := load{new(big.Rat), new(big.Rat)}
	for _, term := range terms {
		alphas, err := term.Alphas.Exact(vars)
		if err != nil {
			return load{}, err
		}
		vectors, err := term.Bytes.Exact(vars)
		if err != nil {
			return load{}, err
		}
		sum.alphas.Add(sum.alphas, alphas)
		sum.vectors.Add(sum.vectors, vectors)
	}
	return sum, nil
}
