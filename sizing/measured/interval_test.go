package measured

import (
	"cmp"
	"maps"
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

// holdIntervals tests intervals on systems that they were not made from.
func holdIntervals(t *testing.T, rows []leftOut) {
	held, total := map[string]float64{}, map[string]float64{}
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.ID]++
	}
	for _, id := range slices.Sorted(mapsKeys(counts)) {
		spread := widths(where(rows, func(r leftOut) bool { return r.ID != id }))
		for _, r := range where(rows, func(r leftOut) bool { return r.ID == id && r.Health != Sick }) {
			w := spread[band(r.Grade, r.Size)]
			if w[1] == 0 {
				continue
			}
			weight := 1 / math.Sqrt(float64(counts[id]))
			inside := 0.0
			if ratio := r.Time / r.Predicted; ratio >= w[0] && ratio <= w[1] {
				inside = weight
			}
			for _, b := range []string{band(r.Grade, r.Size), "all", "all " + string(r.Health)} {
				held[b] += inside
				total[b] += weight
			}
		}
	}
	spread := widths(rows)
	for _, b := range slices.Sorted(mapsKeys(total)) {
		w := spread[b]
		t.Logf("interval %-14s of systems it was not made from holds %4.1f %%  (×%.2f to ×%.2f)", b, 100*held[b]/total[b], w[0], w[1])
	}
	if share := held["all"] / total["all"]; share < 0.86 || share > 0.95 {
		t.Errorf("intervals hold %.1f %% of systems that they were not made from; want 86 to 95", 100*share)
	}
	if *update {
		maps.Copy(spread, ownWidths(ownUnseen(t)))
		for b, w := range spread {
			spread[b] = rounded(w)
		}
		write(t, "data/evidence.json", spread)
	}
}
