package trained

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"testing"

	"lockstep/sizing/catalog"
)

var update = flag.Bool("update", false, "fit again, and write constants.json")

// keptTable is the table that is kept with the package, and the catalogue to
// read it by.
func keptTable(t *testing.T) (*Table, *catalog.Catalog) {
	t.Helper()
	file, err := os.Open("data/throughput.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := ReadTable(file)
	if err != nil {
		t.Fatal(err)
	}
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return table, known
}

// measuredRuns are the timed runs of that table.
func measuredRuns(t *testing.T) ([]sample, []leftOut) {
	t.Helper()
	return samples(keptTable(t))
}

// TestConstantsAreFittedToTheTable fits again and holds every run's prediction
// against that of the constants that are kept.
func TestConstantsAreFittedToTheTable(t *testing.T) {
	if raceEnabled {
		t.Skip("arithmetic alone; run without the race detector")
	}
	runs, _ := measuredRuns(t)
	fresh, err := fit(runs, textbook())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		write(t, runs, fresh)
		return
	}
	kept, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		was, is := kept.fit.predict(&r.Run), fresh.predict(&r.Run)
		if math.Abs(was/is-1) > 0.005 {
			t.Fatalf("row %s: %.4g s by the constants that are kept, %.4g s by a fit; fit again with -update", r.Row.ID, was, is)
		}
	}
}

func write(t *testing.T, runs []sample, f fitted) {
	t.Helper()
	k := kept{Version: 1, Runs: len(runs), Constants: map[string]float64{}, Effects: map[string]float64{}, Widths: map[string]Width{}, Families: map[string][]string{}}
	for i, p := range priors {
		k.Constants[p.name] = short(f.constants[i])
	}
	for key, e := range f.effects {
		if math.Abs(e) >= 5e-5 {
			k.Effects[key] = math.Round(e*1e4) / 1e4
		}
	}
	a := newAccuracy(t, runs, f)
	for group := range a.groups {
		k.Widths[group] = Width{Known: short(knownWidth(a.sixfold(group), a.mixes(group))), New: short(newWidth(a.byFamily(group), a.mixes(group)))}
	}
	for _, r := range runs {
		if g := r.group(); !slices.Contains(k.Families[g], r.Family) {
			k.Families[g] = append(k.Families[g], r.Family)
		}
	}
	for g := range k.Families {
		slices.Sort(k.Families[g])
	}
	text, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("constants.json", append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

// short keeps five digits.
func short(v float64) float64 {
	if v == 0 {
		return 0
	}
	by := math.Pow(10, 4-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*by) / by
}
