package sizing

import (
	"fmt"
	"math/big"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Crossover is the size at which two algorithms for one collective cost the
// same. An algorithm's time is a number of latencies plus a multiple of S/B,
// so two of them meet in one size at most:
//
//	S = α·B × Alphas/Vectors
type Crossover struct {
	Size    unit.Bytes // rounded to a byte
	Alphas  *big.Rat   // latencies that First pays less than the other
	Vectors *big.Rat   // multiples of S that First carries more than the other
	First   string     // the algorithm that is faster below Size
	Then    string     // the one that is faster above
}

// Cross returns where algorithms a and b meet for so many ranks on network n,
// and false if one of them is never slower than the other at any size above
// zero. Errors are *schedule.RequestError.
func Cross(c schedule.Collective, a, b string, ranks int, n cost.Network) (Crossover, bool, error) {
	if err := n.Check(); err != nil {
		return Crossover{}, false, err
	}
	alphasA, vectorsA, err := loads(c, a, ranks)
	if err != nil {
		return Crossover{}, false, err
	}
	alphasB, vectorsB, err := loads(c, b, ranks)
	if err != nil {
		return Crossover{}, false, err
	}
	// In front of the crossover is who pays fewer latencies.
	x := Crossover{First: a, Then: b, Alphas: new(big.Rat).Sub(alphasB, alphasA), Vectors: new(big.Rat).Sub(vectorsA, vectorsB)}
	if x.Alphas.Sign() < 0 {
		x.First, x.Then = b, a
		x.Alphas.Neg(x.Alphas)
		x.Vectors.Neg(x.Vectors)
	}
	if x.Alphas.Sign() <= 0 || x.Vectors.Sign() <= 0 || n.Latency == 0 || ranks < 2 {
		return Crossover{}, false, nil
	}
	size := big.NewRat(int64(n.Latency), 1e9)
	size.Mul(size, new(big.Rat).SetFloat64(float64(n.Bandwidth)))
	size.Mul(size, x.Alphas).Quo(size, x.Vectors)
	whole, _ := size.Add(size, big.NewRat(1, 2)).Float64()
	if whole >= 1<<62 {
		return Crossover{}, false, nil // no buffer is as long
	}
	x.Size = unit.Bytes(whole)
	return x, true, nil
}

// loads sums up the closed forms of an algorithm: the latencies that it pays
// and the multiples of S that it carries.
func loads(c schedule.Collective, algorithm string, ranks int) (alphas, vectors *big.Rat, err error) {
	entry, err := schedule.Find(c, algorithm)
	if err != nil {
		return nil, nil, err
	}
	alphas, vectors = new(big.Rat), new(big.Rat)
	vars := schedule.Vars{"n": float64(ranks), "k": 1}
	for _, term := range entry.Terms {
		more, err := term.Alphas.Exact(vars)
		if err != nil {
			return nil, nil, fmt.Errorf("cross %s/%s: %w", c, algorithm, err)
		}
		alphas.Add(alphas, more)
		if more, err = term.Bytes.Exact(vars); err != nil {
			return nil, nil, fmt.Errorf("cross %s/%s: %w", c, algorithm, err)
		}
		vectors.Add(vectors, more)
	}
	return alphas, vectors, nil
}
