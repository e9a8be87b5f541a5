package measured

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sync"
	"testing"

	"lockstep/engine/unit"
)

var update = flag.Bool("update", false, "fit constants and intervals to all measurements and write them")

// fold is what is left out together.
type fold struct{ source, family string }

// split reads data/split.csv: for each run by whom it is left out.
func split(t testing.TB) map[string]fold {
	t.Helper()
	f, err := os.Open("data/split.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	folds := map[string]fold{}
	for _, r := range records[1:] {
		folds[r[0]] = fold{r[1], r[2]}
	}
	return folds
}

// scheme is a way to leave out.
type scheme struct {
	name string
	out  func(of, other fold) bool
}

var schemes = []scheme{
	{"source and family left out", func(of, other fold) bool { return of == other }},
	{"whole family left out", func(of, other fold) bool { return of.family == other.family }},
}

// leftOut is a row with what was said of it by those that had seen none of its
// fold: a library, and the baselines.
type leftOut struct {
	Row
	Predicted float64
	Grade     Grade
	Class     float64 // by the median bus bandwidth of the same class of hardware; 0 for none
	Unfitted  float64 // by the model with nothing fitted
	Held      bool    // by an interval that others made
}

// leaveOut predicts every row, save those of the collection of few sizes, by
// what the rest says.
func leaveOut(t testing.TB, rows []Row, folds map[string]fold, s scheme) []leftOut {
	t.Helper()
	libraries := map[fold]*Library{}
	var tasks []fold
	for _, r := range rows {
		of, found := folds[r.ID]
		if !found {
			t.Fatalf("split.csv lacks %s", r.ID)
		}
		if s.out(of, fold{"", of.family}) { // all sources of a family are one
			of.source = ""
		}
		if _, known := libraries[of]; !known && !r.Bench {
			libraries[of] = nil
			tasks = append(tasks, of)
		}
	}
	var lock sync.Mutex
	var work sync.WaitGroup
	for _, of := range tasks {
		work.Go(func() {
			kept := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return s.out(of, folds[r.ID]) })
			k, err := Fit(Samples(kept))
			if err != nil {
				t.Error(err)
			}
			lock.Lock()
			defer lock.Unlock()
			libraries[of] = newLibrary(kept, k, nil)
		})
	}
	work.Wait()
	unfitted := Priors()
	var all []leftOut
	for _, r := range rows {
		if r.Bench {
			continue
		}
		of := folds[r.ID]
		if s.out(of, fold{"", of.family}) {
			of.source = ""
		}
		p := libraries[of].Price(r.Case)
		all = append(all, leftOut{Row: r, Predicted: p.Time, Grade: p.Grade, Class: classMedian(r, rows, folds, s), Unfitted: unfitted.Time(r.Case).Total()})
	}
	return all
}

func where(rows []leftOut, keep func(leftOut) bool) []leftOut {
	return slices.DeleteFunc(slices.Clone(rows), func(r leftOut) bool { return !keep(r) })
}

// TestAccuracy prints how wrong predictions are on systems that they have not
// seen beside what simpler ones reach, and holds them to the project's floors.
func TestAccuracy(t *testing.T) {
	if raceEnabled {
		t.Skip("forty fits, each ten times slower with the race detector; they share nothing")
	}
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	folds := split(t)
	if *update {
		writeConstants(t, rows)
	}
	left := make([][]leftOut, len(schemes))
	var both []leftOut
	for i, s := range schemes {
		left[i] = leaveOut(t, rows, folds, s)
		both = append(both, left[i]...)
	}
	spread := widths(both)
	held := holdIntervals(both, folds)
	var table accuracyTable
	for i, s := range schemes {
		table.section("never seen: " + s.name)
		rows := held[:len(left[i])]
		held = held[len(left[i]):]
		table.groups(rows, [][2]score{{{mean: 11, median: 7}, {mean: 8, median: 4.5}}, {{mean: 12, median: 8}, {mean: 9, median: 6}}}[i])
		copy(left[i], rows)
	}
	table.section("intervals, by grade; both ways to leave out, not sick")
	both = append(slices.Clone(left[0]), left[1]...)
	own := ownHeld(ownUnseen(t, rows, folds))
	for _, g := range []Grade{Own, Sibling, Related, Physics} {
		of, width := both, spread
		if g == Own { // each row of a log by its others
			of, width = own, ownWidths(own)
		}
		for _, size := range []unit.Bytes{big, 0} {
			b := band(g, size)
			table.holds(fmt.Sprintf("grade %s, ×%.2f to ×%.2f", b, width[b][0], width[b][1]), where(of, func(r leftOut) bool { return r.Health != Sick && band(r.Grade, r.Size) == b }), heldByGrade)
		}
	}
	table.holds("grades B, C and D", where(both, func(r leftOut) bool { return r.Health != Sick }), heldByAll)
	table.section("after one log: every other size of it")
	logs := ownHeld(afterOneLog(t, rows, folds))
	table.add("healthy, from 1 MiB", logs, bound{floor: &score{mean: 6}, aim: &score{mean: 4}})
	table.add("healthy, from 64 MiB", where(logs, func(r leftOut) bool { return r.Size >= 64<<20 }), bound{floor: &score{mean: 3.5}, aim: &score{mean: 2}})
	t.Log(table.text())
	for _, miss := range table.misses {
		t.Error(miss)
	}
	maps.Copy(spread, ownWidths(own))
	keepIntervals(t, spread)
}

func writeConstants(t *testing.T, rows []Row) {
	k, err := Fit(Samples(rows))
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]float64{}
	for i, p := range priors {
		byName[p.name] = math.Round(k[i]*1e4) / 1e4
		t.Logf("%-22s %9.4f (expected %g)", p.name, k[i], p.value)
	}
	write(t, "constants.json", byName)
}

func write(t *testing.T, name string, value any) {
	t.Helper()
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// afterOneLog fits a machine to every other size of its own log from 1 MiB on,
// and predicts the sizes between.
func afterOneLog(t testing.TB, rows []Row, folds map[string]fold) (all []leftOut) {
	t.Helper()
	models := map[fold]Constants{}
	unfitted := Priors()
	for _, run := range systems(rows) {
		of := folds[run[0].ID]
		curve := slices.DeleteFunc(slices.Clone(run), func(r Row) bool { return float64(r.Size) < big })
		if run[0].Bench || run[0].Health != Healthy || len(curve) < 5 {
			continue
		}
		k, known := models[of]
		if !known {
			var err error
			if k, err = Fit(Samples(slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return of == folds[r.ID] }))); err != nil {
				t.Fatal(err)
			}
			models[of] = k
		}
		slices.SortFunc(curve, func(a, b Row) int { return cmp.Compare(a.Size, b.Size) })
		var log []Point
		for i, r := range curve {
			if i%2 == 0 {
				log = append(log, Point{r.Size, r.Time})
			}
		}
		m, err := Recognise(&k, curve[0].Case, log)
		if err != nil {
			t.Fatalf("%s: %v", run[0].ID, err)
		}
		for i, r := range curve {
			if i%2 == 1 {
				all = append(all, leftOut{Row: r, Predicted: m.Time(&k, r.Case), Grade: Own, Class: classMedian(r, rows, folds, schemes[0]), Unfitted: unfitted.Time(r.Case).Total()})
			}
		}
	}
	return all
}

// A sick system stands out: most are slower than the model by far.
func TestSickSystemsStandOut(t *testing.T) {
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	found, all := 0, 0
	for _, run := range systems(l.rows) {
		if run[0].Health != Sick {
			continue
		}
		worst := 0.0
		for _, r := range run {
			if r.Size >= big {
				worst = max(worst, r.Time/l.Predict(r.Case).Time)
			}
		}
		if worst == 0 {
			continue
		}
		all++
		if worst > 1.6 {
			found++
		}
		t.Logf("%-28s %4.1f times as long as told", run[0].ID, worst)
	}
	if found*3 < all*2 {
		t.Errorf("%d of %d sick systems stand out; want two of three", found, all)
	}
}

func TestConstantsAreTheFit(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	k, err := Fit(Samples(rows))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := Fitted()
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range priors {
		if math.Abs(k[i]/kept[i]-1) > 0.002 {
			t.Errorf("%s is %.4f in constants.json, %.4f by the fit: go test ./sizing/measured -run Accuracy -update", p.name, kept[i], k[i])
		}
	}
}
