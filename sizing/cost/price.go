package cost

import (
	"fmt"
	"math/big"
	"slices"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Term is the time of one phase.
type Term struct {
	Name    string       `json:"name"` // the key of the phase
	Time    unit.Seconds `json:"seconds"`
	Formula string       `json:"formula"` // with symbols, then with numbers
	Where   string       `json:"where"`   // the port at which the bytes queue
}

// Price is what one algorithm costs: the sum of the terms of its longest way.
type Price struct {
	Algorithm  string
	Executable bool // false for what the network would have to do itself
	Rough      bool // the form is only near the time; see schedule.Entry.Rough
	Time       unit.Seconds
	Terms      []Term

	exact *big.Rat // Time in seconds, not rounded
}

// Price prices q with the named algorithm. Errors are *schedule.RequestError.
func (q Question) Price(algorithm string) (Price, error) {
	if err := q.check(); err != nil {
		return Price{}, err
	}
	entry, err := schedule.Find(q.Collective, algorithm)
	if err != nil {
		return Price{}, err
	}
	return q.PriceOf(entry)
}

// PriceOf prices q with an entry of its collective: for who asks again and
// again. Errors are *schedule.RequestError.
func (q Question) PriceOf(entry schedule.Entry) (Price, error) {
	if err := q.check(); err != nil {
		return Price{}, err
	}
	if q.Ranks < entry.MinRanks || q.Ranks > entry.MaxRanks {
		return Price{}, &schedule.RequestError{Field: "ranks", Message: fmt.Sprintf("%d ranks: %s/%s accepts %d to %d",
			q.Ranks, q.Collective, entry.Algorithm, entry.MinRanks, entry.MaxRanks)}
	}
	return q.price(entry)
}

// All prices q with every algorithm that takes so many ranks, fastest first;
// equal ones in the catalogue's order. Errors are *schedule.RequestError.
func (q Question) All() ([]Price, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	var prices []Price
	known := false
	for _, entry := range schedule.Catalog() {
		if entry.Collective != q.Collective {
			continue
		}
		known = true
		if q.Ranks < entry.MinRanks || q.Ranks > entry.MaxRanks {
			continue
		}
		p, err := q.price(entry)
		if err != nil {
			return nil, err
		}
		prices = append(prices, p)
	}
	if !known {
		_, err := schedule.Find(q.Collective, "")
		return nil, err
	}
	if len(prices) == 0 {
		return nil, &schedule.RequestError{Field: "ranks", Message: fmt.Sprintf("no algorithm for %s takes %d ranks", q.Collective, q.Ranks)}
	}
	slices.SortStableFunc(prices, func(a, b Price) int { return a.exact.Cmp(b.exact) })
	return prices, nil
}

// Fastest returns the cheapest price among the algorithms that hosts can
// execute. Errors are *schedule.RequestError.
func (q Question) Fastest() (Price, error) {
	prices, err := q.All()
	if err != nil {
		return Price{}, err
	}
	return fastest(q, prices)
}

func fastest(q Question, prices []Price) (Price, error) {
	for _, p := range prices {
		if p.Executable {
			return p, nil
		}
	}
	return Price{}, &schedule.RequestError{Field: "algorithm", Message: fmt.Sprintf("no algorithm for %s on %d ranks runs on hosts; name one", q.Collective, q.Ranks)}
}

// price takes the way through the schedule that lasts longest.
func (q Question) price(entry schedule.Entry) (Price, error) {
	var longest Price
	for _, way := range entry.Ways() {
		p, err := q.way(entry, way)
		if err != nil {
			return Price{}, fmt.Errorf("price %s/%s: %w", entry.Collective, entry.Algorithm, err)
		}
		if longest.exact == nil || p.exact.Cmp(longest.exact) > 0 {
			longest = p
		}
	}
	return longest, nil
}

func (q Question) way(entry schedule.Entry, way []schedule.Term) (Price, error) {
	vars := entry.Vars(q.Ranks, q.RanksPerNode, q.Chunks)
	p := Price{
		Algorithm: entry.Algorithm, Executable: entry.Executable, Rough: q.Ranks > 1 && entry.IsRough(vars),
		Terms: make([]Term, 0, len(way)), exact: new(big.Rat),
	}
	for _, term := range way {
		alphas, vectors := new(big.Rat), new(big.Rat) // one rank has nobody to send to
		if q.Ranks > 1 {
			var err error
			if alphas, err = term.Alphas.Exact(vars); err != nil {
				return Price{}, err
			}
			if vectors, err = term.Bytes.Exact(vars); err != nil {
				return Price{}, err
			}
		}
		formula := q.formula(term, alphas, vectors)
		seconds := alphas.Mul(alphas, q.latency())
		seconds.Add(seconds, vectors.Mul(vectors, q.transfer()))
		p.Terms = append(p.Terms, Term{Name: term.Phase, Time: rounded(seconds), Formula: formula, Where: term.Port.String()})
		p.exact.Add(p.exact, seconds)
	}
	p.Time = rounded(p.exact)
	return p, nil
}

func rounded(v *big.Rat) unit.Seconds {
	f, _ := v.Float64()
	return unit.Seconds(f)
}
