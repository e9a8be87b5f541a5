package sizing

import (
	"fmt"
	"math/big"
	"slices"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Crossover is a size at which two algorithms for one collective cost the
// same, and beyond which the other one is faster. A way through an algorithm's
// schedule takes a number of latencies plus a multiple of S/B; the ways that
// are the longest just above it meet in
//
//	S = α·B × Alphas/Vectors
type Crossover struct {
	Size    unit.Bytes // rounded to a byte
	Alphas  *big.Rat   // latencies that First pays less than the other
	Vectors *big.Rat   // multiples of S that First carries more than the other
	First   string     // the algorithm that is faster below Size
	Then    string     // the one that is faster above
}

// Cross returns the smallest of the Crossings, two nodes where the algorithms
// look at nodes, and false if there is none. Errors are *schedule.RequestError.
func Cross(c schedule.Collective, a, b string, ranks int, n cost.Network) (Crossover, bool, error) {
	all, err := Crossings(c, a, b, ranks, 0, 0, n)
	if err != nil || len(all) == 0 {
		return Crossover{}, false, err
	}
	return all[0], true, nil
}

// Crossings returns every size above zero at which another of algorithms a and
// b becomes the faster one, ascending, for so many ranks on network n; 0 ranks
// per node are two nodes, 0 chunks what each algorithm cuts by itself. It is
// empty if one of them is never slower than the other. Errors are
// *schedule.RequestError.
func Crossings(c schedule.Collective, a, b string, ranks, perNode, chunks int, n cost.Network) ([]Crossover, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	waysA, err := waysOf(c, a, ranks, perNode, chunks)
	if err != nil {
		return nil, err
	}
	waysB, err := waysOf(c, b, ranks, perNode, chunks)
	if err != nil {
		return nil, err
	}
	if n.Latency == 0 || ranks < 2 {
		return nil, nil
	}
	unitSize := big.NewRat(int64(n.Latency), 1e9) // α·B
	unitSize.Mul(unitSize, new(big.Rat).SetFloat64(float64(n.Bandwidth)))
	var all []Crossover
	for _, change := range waysA.changes(waysB) {
		whole, _ := new(big.Rat).Add(new(big.Rat).Mul(unitSize, change.at), big.NewRat(1, 2)).Float64()
		if whole >= 1<<62 {
			break // no buffer is as long
		}
		x := Crossover{Size: unit.Bytes(whole), First: a, Then: b}
		first, then := change.mine, change.other
		if change.slower {
			x.First, x.Then = b, a
			first, then = then, first
		}
		x.Alphas, x.Vectors = new(big.Rat).Sub(then.alphas, first.alphas), new(big.Rat).Sub(first.vectors, then.vectors)
		all = append(all, x)
	}
	return all, nil
}

// way is one way through a schedule: the latencies that it pays and the
// multiples of S that it carries.
type way struct{ alphas, vectors *big.Rat }

// takes returns what it takes, in latencies, at a size of so many α·B.
func (w way) takes(size *big.Rat) *big.Rat {
	t := new(big.Rat).Mul(w.vectors, size)
	return t.Add(t, w.alphas)
}

// ways are those of one algorithm: the longest is what it takes.
type ways []way

func waysOf(c schedule.Collective, algorithm string, ranks, perNode, chunks int) (ways, error) {
	entry, err := schedule.Find(c, algorithm)
	if err != nil {
		return nil, err
	}
	vars := entry.Vars(ranks, perNode, chunks)
	var all ways
	for _, terms := range entry.Ways() {
		w := way{new(big.Rat), new(big.Rat)}
		for _, term := range terms {
			alphas, err := term.Alphas.Exact(vars)
			if err != nil {
				return nil, fmt.Errorf("cross %s/%s: %w", c, algorithm, err)
			}
			vectors, err := term.Bytes.Exact(vars)
			if err != nil {
				return nil, fmt.Errorf("cross %s/%s: %w", c, algorithm, err)
			}
			w.alphas.Add(w.alphas, alphas)
			w.vectors.Add(w.vectors, vectors)
		}
		all = append(all, w)
	}
	return all, nil
}

// at returns the way that is the longest at a size and just above it.
func (all ways) at(size *big.Rat) way {
	longest := all[0]
	for _, w := range all[1:] {
		if more := w.takes(size).Cmp(longest.takes(size)); more > 0 || more == 0 && w.vectors.Cmp(longest.vectors) > 0 {
			longest = w
		}
	}
	return longest
}

// change is a size, in α·B, beyond which another of two is the faster one, and
// the ways of both that are the longest just above it.
type change struct {
	at          *big.Rat
	slower      bool // the receiver is the slower one below
	mine, other way
}

// changes are those of the receiver and others, ascending. The time of each is
// convex in the size and straight between the sizes at which two ways meet, so
// comparing once between each two of those finds all.
func (all ways) changes(others ways) []change {
	var meet []*big.Rat
	both := slices.Concat(all, others)
	for i, w := range both {
		for _, o := range both[:i] {
			if steeper := new(big.Rat).Sub(w.vectors, o.vectors); steeper.Sign() != 0 {
				at := new(big.Rat).Sub(o.alphas, w.alphas)
				if at.Quo(at, steeper).Sign() > 0 {
					meet = append(meet, at)
				}
			}
		}
	}
	slices.SortFunc(meet, (*big.Rat).Cmp)
	meet = slices.CompactFunc(meet, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	var found []change
	sign, from := 0, new(big.Rat)
	for i := range len(meet) + 1 {
		to := new(big.Rat).Add(from, big.NewRat(1, 1))
		if i < len(meet) {
			to = meet[i]
		}
		middle := new(big.Rat).Add(from, to)
		middle.Quo(middle, big.NewRat(2, 1))
		mine, other := all.at(middle), others.at(middle)
		now := mine.takes(middle).Cmp(other.takes(middle))
		if now != 0 && sign != 0 && now != sign {
			found = append(found, change{from, sign > 0, mine, other})
		}
		if now != 0 {
			sign = now
		}
		from = to
	}
	return found
}
