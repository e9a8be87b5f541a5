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
func ownUnseen(t testing.TB, rows []Row, folds map[string]fold) (all []leftOut) {
	t.Helper()
	models, unfitted := map[fold]Constants{}, Priors()
	for _, run := range systems(rows) {
		if run[0].Bench || run[0].Health != Healthy || len(run) < 5 {
			continue
		}
		of := folds[run[0].ID]
		k, known := models[of]
		if !known {
			var err error
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
			all = append(all, leftOut{Row: r, Predicted: m.Time(&k, r.Case), Grade: Own, Class: classMedian(r, rows, folds, schemes[0]), Unfitted: unfitted.Time(r.Case).Total()})
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

// ownHeld says of each row whether an interval of grade A holds it that was
// made from other logs, as wide as PriceOn makes it at least.
func ownHeld(rows []leftOut) []leftOut {
	made := map[string]Spread{}
	held := slices.Clone(rows)
	for i, r := range held {
		spread, known := made[r.ID]
		if !known {
			spread = ownWidths(where(rows, func(o leftOut) bool { return o.ID != r.ID }))
			made[r.ID] = spread
		}
		w, ratio := spread[band(Own, r.Size)], r.Time/r.Predicted
		held[i].Held = ratio >= w[0] && ratio <= w[1]
	}
	return held
}

// rounded is an interval as it is kept: never narrower.
func rounded(w [2]float64) [2]float64 {
	return [2]float64{math.Floor(w[0]*1000) / 1000, math.Ceil(w[1]*1000) / 1000}
}
