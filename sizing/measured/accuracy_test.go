package measured

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"sync"
	"testing"

	"lockstep/engine/schedule"
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

// leftOut is a row with what was said of it by a library that had seen none of
// its fold.
type leftOut struct {
	Row
	Predicted float64
	Grade     Grade
}

func (l leftOut) off() float64 { return math.Abs(l.Predicted/l.Time - 1) }

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
	var all []leftOut
	for _, r := range rows {
		if r.Bench {
			continue
		}
		of := folds[r.ID]
		if s.out(of, fold{"", of.family}) {
			of.source = ""
		}
		p := libraries[of].Predict(r.Case)
		all = append(all, leftOut{r, p.Time, p.Grade})
	}
	return all
}

// score is the mean over runs of the run's mean error, and the median row's, in
// per cent.
type score struct {
	mean, median float64
	runs         int
}

func scored(rows []leftOut) score {
	sums, counts := map[string]float64{}, map[string]int{}
	var offs []float64
	for _, r := range rows {
		sums[r.ID] += r.off()
		counts[r.ID]++
		offs = append(offs, r.off())
	}
	if len(offs) == 0 {
		return score{}
	}
	s := score{runs: len(sums)}
	for id, sum := range sums {
		s.mean += 100 * sum / float64(counts[id]) / float64(len(sums))
	}
	slices.Sort(offs)
	s.median = 100 * offs[len(offs)/2]
	return s
}

func where(rows []leftOut, keep func(leftOut) bool) []leftOut {
	return slices.DeleteFunc(slices.Clone(rows), func(r leftOut) bool { return !keep(r) })
}

// TestAccuracy prints how wrong predictions are on systems that they have not
// seen, and holds them to the project's floors.
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
	healthy := func(r leftOut) bool { return r.Health == Healthy && r.Size >= big }
	small := func(r leftOut) bool { return r.Health != Sick && r.Size < big }
	floors := map[string][2]score{
		schemes[0].name: {{mean: 11, median: 7}, {mean: 40, median: 28}},
		schemes[1].name: {{mean: 12, median: 8}, {mean: 40, median: 28}},
	}
	var both []leftOut
	for _, s := range schemes {
		left := leaveOut(t, rows, folds, s)
		both = append(both, left...)
		t.Logf("%s: mean of systems / median row, %% (systems)", s.name)
		show := func(name string, keep func(leftOut) bool) score {
			got := scored(where(left, keep))
			if got.runs > 0 {
				t.Logf("  %-34s %5.1f / %4.1f  (%d)", name, got.mean, got.median, got.runs)
			}
			return got
		}
		large, little := show("healthy, from 1 MiB", healthy), show("below 1 MiB, not sick", small)
		show("health unknown, from 1 MiB", func(r leftOut) bool { return r.Health == Unknown && r.Size >= big })
		for _, b := range []struct {
			name      string
			from, end float64
		}{{"below 64 KiB", 0, 64 << 10}, {"64 KiB to 1 MiB", 64 << 10, big}, {"1 to 16 MiB", big, 16 << 20}, {"16 to 256 MiB", 16 << 20, 256 << 20}, {"from 256 MiB", 256 << 20, math.Inf(1)}} {
			show("healthy, "+b.name, func(r leftOut) bool {
				return r.Health == Healthy && float64(r.Size) >= b.from && float64(r.Size) < b.end
			})
		}
		for _, c := range schedule.Collectives() {
			show("healthy, from 1 MiB, "+string(c), func(r leftOut) bool { return healthy(r) && r.Collective == c })
		}
		var families []string
		for _, r := range left {
			if !slices.Contains(families, r.System.Family) {
				families = append(families, r.System.Family)
			}
		}
		slices.Sort(families)
		for _, f := range families {
			show("not sick, from 1 MiB, "+f, func(r leftOut) bool { return r.Health != Sick && r.Size >= big && r.System.Family == f })
		}
		for _, g := range []Grade{Sibling, Related, Physics} {
			show("not sick, from 1 MiB, grade "+string(g), func(r leftOut) bool { return r.Health != Sick && r.Size >= big && r.Grade == g })
		}
		sick := scored(where(left, func(r leftOut) bool { return r.Health == Sick && r.Size >= big }))
		t.Logf("  %-34s %5.1f / %4.1f  (%d): slower than told, as they should be", "sick, from 1 MiB", sick.mean, sick.median, sick.runs)
		for i, got := range []score{large, little} {
			if floor := floors[s.name][i]; got.mean > floor.mean || got.median > floor.median {
				t.Errorf("%s: %.1f / %.1f; want at most %.0f / %.0f", s.name, got.mean, got.median, floor.mean, floor.median)
			}
		}
	}
	baselines(t, rows, folds, healthy)
	holdIntervals(t, both)
}

// baselines prints what simpler predictions reach on the same rows: those that
// take the median bus bandwidth of the same class of hardware, of others.
func baselines(t *testing.T, rows []Row, folds map[string]fold, healthy func(leftOut) bool) {
	var left []leftOut
	for _, r := range rows {
		var bus []float64
		for _, o := range rows {
			if o.Health != Sick && !schemes[0].out(folds[r.ID], folds[o.ID]) && o.Size >= r.Size/4 && o.Size <= r.Size*4 && o.Collective == r.Collective &&
				o.System.Scale == r.System.Scale && (o.System.Domains > 1) == (r.System.Domains > 1) {
				bus = append(bus, float64(o.Size)*o.Collective.BusFactor(o.System.Ranks)/o.Time)
			}
		}
		if len(bus) == 0 || r.Bench {
			continue
		}
		slices.Sort(bus)
		left = append(left, leftOut{r, float64(r.Size) * r.Collective.BusFactor(r.System.Ranks) / bus[len(bus)/2], ""})
	}
	got := scored(where(left, healthy))
	t.Logf("baseline, median bus bandwidth of the same class at such sizes: %.1f / %.1f (%d systems that have any)", got.mean, got.median, got.runs)
	k := Priors()
	left = nil
	for _, r := range rows {
		if !r.Bench {
			left = append(left, leftOut{r, k.Time(r.Case).Total(), ""})
		}
	}
	got = scored(where(left, healthy))
	t.Logf("baseline, the model with nothing fitted: %.1f / %.1f (%d)", got.mean, got.median, got.runs)
	t.Logf("published of others, not measured here: a collectives' model out of sample, autoparallel: 62 mean, 44 median")
}

func mapsKeys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
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

// TestAccuracyAfterOneLog fits a machine to every other size of its own log and
// predicts the sizes between.
func TestAccuracyAfterOneLog(t *testing.T) {
	if raceEnabled {
		t.Skip("as above")
	}
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	folds := split(t)
	libraries := map[fold]Constants{}
	for _, b := range []struct {
		name  string
		from  float64
		floor float64
	}{{"from 1 MiB", big, 6}, {"from 64 MiB", 64 << 20, 3.5}} {
		var before, after []leftOut
		for _, run := range systems(rows) {
			of := folds[run[0].ID]
			curve := slices.DeleteFunc(slices.Clone(run), func(r Row) bool { return float64(r.Size) < big })
			if run[0].Bench || run[0].Health != Healthy || len(curve) < 5 {
				continue
			}
			k, known := libraries[of]
			if !known {
				var err error
				if k, err = Fit(Samples(slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return of == folds[r.ID] }))); err != nil {
					t.Fatal(err)
				}
				libraries[of] = k
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
				if i%2 == 1 && float64(r.Size) >= b.from {
					before = append(before, leftOut{r, k.Time(r.Case).Total(), ""})
					after = append(after, leftOut{r, m.Time(&k, r.Case), Own})
				}
			}
		}
		unseen, got := scored(before), scored(after)
		t.Logf("%s: unseen %.1f / %.1f, after every other size of its own log %.1f / %.1f (%d systems)", b.name, unseen.mean, unseen.median, got.mean, got.median, got.runs)
		if got.mean > b.floor {
			t.Errorf("%s: %.1f %%; want at most %.1f", b.name, got.mean, b.floor)
		}
	}
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
