package measured

import (
	"maps"
	"math"
	"slices"
	"testing"

	"lockstep/engine/unit"
)

// ownUnseen predicts each inner row of every healthy public log from its other
// rows, by a model that has seen nothing of the log's fold.
func ownUnseen(t testing.TB) []leftOut {
	t.Helper()
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	folds, models := split(t), map[fold]Constants{}
	var all []leftOut
	for _, run := range systems(rows) {
		if run[0].Bench || run[0].Health != Healthy || len(run) < 5 {
			continue
		}
		of := folds[run[0].ID]
		k, known := models[of]
		if !known {
			if k, err = Fit(Samples(slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return of == folds[r.ID] }))); err != nil {
				t.Fatal(err)
			}
			models[of] = k
		}
		log, by := []Point{}, map[unit.Bytes]Row{}
		for _, r := range run {
			log, by[r.Size] = append(log, Point{r.Size, r.Time}), r
		}
		log = steady(log)
		for i := 1; i+1 < len(log); i++ {
			r := by[log[i].Size]
			m, err := Recognise(&k, run[0].Case, slices.Delete(slices.Clone(log), i, i+1))
			if err != nil {
				continue // of three rows one is too few to be left
			}
			all = append(all, leftOut{r, m.Time(&k, r.Case), Own})
		}
	}
	return all
}

// ownWidths are the intervals of grade A that follow from logs.
func ownWidths(rows []leftOut) Spread {
	all := widths(rows)
	maps.DeleteFunc(all, func(b string, _ [2]float64) bool { return b != band(Own, 0) && b != band(Own, big) })
	return all
}

// TestOwnLogIntervals holds the intervals of grade A against logs that they were
// not made from, each as wide as PriceOn makes it at least.
func TestOwnLogIntervals(t *testing.T) {
	if raceEnabled {
		t.Skip("fits many models, which the detector makes slow")
	}
	rows := ownUnseen(t)
	ids := map[string]bool{}
	for _, r := range rows {
		ids[r.ID] = true
	}
	held, total := 0.0, 0.0
	counts := map[string]float64{}
	for _, r := range rows {
		counts[r.ID]++
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		spread := ownWidths(where(rows, func(r leftOut) bool { return r.ID != id }))
		for _, r := range where(rows, func(r leftOut) bool { return r.ID == id }) {
			w, weight := spread[band(Own, r.Size)], 1/math.Sqrt(counts[id])
			if ratio := r.Time / r.Predicted; ratio >= w[0] && ratio <= w[1] {
				held += weight
			}
			total += weight
		}
	}
	share := held / total
	spread := ownWidths(rows)
	t.Logf("%d rows of %d logs; intervals hold %.1f %% of logs that they were not made from: %v", len(rows), len(ids), 100*share, spread)
	if share < 0.88 || share > 0.97 {
		t.Errorf("intervals of grade A hold %.1f %%; want 88 to 97", 100*share)
	}
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for b, w := range spread {
		w = rounded(w)
		if kept := l.spread[b]; math.Abs(kept[0]-w[0]) > 0.002 || math.Abs(kept[1]-w[1]) > 0.002 {
			t.Errorf("%s is %v in evidence.json, %v by the logs: go test ./sizing/measured -run Accuracy -update", b, kept, w)
		}
	}
}

// rounded is an interval as it is kept: never narrower.
func rounded(w [2]float64) [2]float64 {
	return [2]float64{math.Floor(w[0]*1000) / 1000, math.Ceil(w[1]*1000) / 1000}
}
