package measured

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"lockstep/engine/unit"
)

// weighted is a value that counts so much.
type weighted struct{ value, weight float64 }

// quantile of values by their weights.
func quantile(values []weighted, q float64) float64 {
	slices.SortFunc(values, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	total, sum := 0.0, 0.0
	for _, v := range values {
		total += v.weight
	}
	for _, v := range values {
		if sum += v.weight; sum >= q*total {
			return v.value
		}
	}
	return values[len(values)-1].value
}

// nominal is what intervals are made to hold of what was left out. That is more
// than they are to hold of systems that are new, since those differ more.
const nominal = 0.95

// widths are the intervals that follow from rows: the quantiles of measured over
// predicted, each run counting as the root of its rows.
func widths(rows []leftOut) Spread {
	counts := map[string]int{}
	key := func(r leftOut) string { return r.ID + band(r.Grade, r.Size) }
	for _, r := range rows {
		counts[key(r)]++
	}
	values := map[string][]weighted{}
	for _, r := range rows {
		if r.Health == Sick {
			continue
		}
		weight := 1 / math.Sqrt(float64(counts[key(r)]))
		if r.Health == Unknown {
			weight /= 2
		}
		b := band(r.Grade, r.Size)
		values[b] = append(values[b], weighted{r.Time / r.Predicted, weight})
	}
	spread := Spread{}
	for b, v := range values {
		spread[b] = [2]float64{quantile(v, (1-nominal)/2), quantile(v, (1+nominal)/2)}
	}
	// Less evidence is never surer; and of small sizes too little is known for
	// the same hardware elsewhere to say more.
	for _, size := range []unit.Bytes{0, big} {
		b, c, d := band(Sibling, size), band(Related, size), band(Physics, size)
		if size < big {
			spread[b] = hull(spread[b], spread[c])
		}
		spread[d] = hull(spread[c], spread[d])
	}
	return spread
}

// holdIntervals says of each row whether an interval holds it that was made
// from the rows of other machines alone: none of its source and family.
func holdIntervals(rows []leftOut, folds map[string]fold) []leftOut {
	made := map[fold]Spread{}
	held := slices.Clone(rows)
	for i, r := range held {
		of := folds[r.ID]
		spread, known := made[of]
		if !known {
			spread = widths(where(rows, func(r leftOut) bool { return folds[r.ID] != of }))
			made[of] = spread
		}
		w := spread[band(r.Grade, r.Size)]
		ratio := r.Time / r.Predicted
		held[i].Held = w[1] > 0 && ratio >= w[0] && ratio <= w[1]
	}
	return held
}

// keepIntervals holds the intervals that the program carries against those that
// follow from the rows, or writes them.
func keepIntervals(t *testing.T, spread Spread) {
	t.Helper()
	if *update {
		for b, w := range spread {
			spread[b] = rounded(w)
		}
		write(t, "data/evidence.json", spread)
		return
	}
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for b, w := range spread {
		if kept := l.spread[b]; math.Abs(kept[0]-w[0]) > 0.002 || math.Abs(kept[1]-w[1]) > 0.002*w[1] {
			t.Errorf("%s is %v in evidence.json, %v by the rows: go test ./sizing/measured -run Accuracy -update", b, kept, w)
		}
	}
}
