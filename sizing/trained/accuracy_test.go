package trained

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// accuracy is how far predictions are off, group by group.
type accuracy struct {
	runs                []sample
	seen, folded, alone []float64 // predictions: with the run seen, its layout left out, its family left out
	groups              map[string][]int
}

func newAccuracy(t *testing.T, runs []sample, f fitted) accuracy {
	t.Helper()
	a := accuracy{runs: runs, groups: map[string][]int{}}
	for i := range runs {
		a.groups[runs[i].group()] = append(a.groups[runs[i].group()], i)
		a.seen = append(a.seen, f.predict(&runs[i].Run))
	}
	var err error
	if a.folded, err = leaveOut(runs, f, func(s sample) string { return s.fold() }); err != nil {
		t.Fatal(err)
	}
	if a.alone, err = leaveOut(runs, f, func(s sample) string { return s.left() }); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a accuracy) mixes(group string) bool { return a.runs[a.groups[group][0]].Mixes() }

func (a accuracy) log(i int, predicted []float64) float64 {
	return math.Log(predicted[i] / a.runs[i].seconds)
}

func (a accuracy) sixfold(group string) (errors []float64) {
	for _, i := range a.groups[group] {
		errors = append(errors, a.log(i, a.folded))
	}
	return errors
}

func (a accuracy) byFamily(group string) map[string][]float64 {
	errors := map[string][]float64{}
	for _, i := range a.groups[group] {
		errors[a.runs[i].left()] = append(errors[a.runs[i].left()], a.log(i, a.alone))
	}
	return errors
}

// mean and median of how far predictions of a group are off, in percent.
func (a accuracy) off(group string, predicted []float64) (mean, median float64) {
	var off []float64
	for _, i := range a.groups[group] {
		off = append(off, 100*math.Abs(predicted[i]/a.runs[i].seconds-1))
	}
	slices.Sort(off)
	for _, o := range off {
		mean += o / float64(len(off))
	}
	return mean, off[len(off)/2]
}

// baseline is what one gets who takes the median share of the peak that other
// families of the same source reach.
func (a accuracy) baseline(group string) float64 {
	share := func(i int) float64 {
		r := a.runs[i]
		s, l := r.Case.Shape, r.Case.Layout
		return s.Operations(l.Sequence, true) * r.tokens() / r.Row.GPUs / r.Case.Machine.Peak / r.seconds
	}
	var sum float64
	for _, i := range a.groups[group] {
		var others []float64
		for _, j := range a.groups[group] {
			if a.runs[j].left() != a.runs[i].left() {
				others = append(others, share(j))
			}
		}
		if len(others) == 0 {
			others = []float64{0.4}
		}
		slices.Sort(others)
		sum += math.Abs(share(i)/others[len(others)/2] - 1)
	}
	return 100 * sum / float64(len(a.groups[group]))
}

// holds is how many of a hundred runs lie within the interval that the other
// families of their group give.
func (a accuracy) holds(group string) float64 {
	families := a.byFamily(group)
	var within, all float64
	for family, errors := range families {
		others := maps.Clone(families)
		delete(others, family)
		width := newWidth(others, a.mixes(group))
		for _, e := range errors {
			all++
			if math.Abs(e) <= width {
				within++
			}
		}
	}
	return 100 * within / all
}

// floors is what must be reached, and what one may hope for, in percent.
var floors = map[string]struct{ floor, aim float64 }{
	"dgxc dense": {7, 5}, "mb dense": {8.5, 6}, "mb experts": {20, 12}, "foundry dense": {6.5, 5}, "titan dense": {18, 9},
	"vtrain node": {6.5, 5}, "vtrain nodes": {8, 6},
}

// elsewhere is what other tools reach on such rows, as they or others state it.
var elsewhere = map[string]string{
	"vtrain node": "vTrain 8.4", "vtrain nodes": "vTrain 14.7, Calculon 15.3", "": "llm-analysis 18–56",
}

// TestAccuracy prints how far predictions are off for a family of models that
// the fit has not seen, and holds the floors.
func TestAccuracy(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("fits the table some seventy times")
	}
	runs, out := measuredRuns(t)
	f, err := fit(runs, textbook())
	if err != nil {
		t.Fatal(err)
	}
	a := newAccuracy(t, runs, f)
	var text strings.Builder
	fmt.Fprintf(&text, "%-18s %4s | %-13s | %6s %6s | %9s %9s | %8s | %5s | %s\n",
		"group", "runs", "family unseen", "floor", "aim", "layout", "in sample", "baseline", "held", "other tools")
	for _, group := range slices.Sorted(maps.Keys(a.groups)) {
		alone, median := a.off(group, a.alone)
		folded, _ := a.off(group, a.folded)
		seen, _ := a.off(group, a.seen)
		line := floors[group]
		fmt.Fprintf(&text, "%-18s %4d | %5.1f (%5.1f) | %6s %6s | %9.1f %9.1f | %8.1f | %5.1f | %s\n", group, len(a.groups[group]), alone, median,
			blank(line.floor), blank(line.aim), folded, seen, a.baseline(group), a.holds(group), elsewhere[group])
		if line.floor > 0 && alone > line.floor {
			t.Errorf("%s: %.1f %% off on average for a family that was not seen; the floor is %v", group, alone, line.floor)
		}
		if h := a.holds(group); len(a.groups[group]) >= 20 && (h < 80 || h > 97) {
			t.Errorf("%s: an interval for new families holds %.1f %% of the runs; accepted: 80 to 97", group, h)
		}
	}
	mean, worst := a.scaling()
	fmt.Fprintf(&text, "scaling efficiency of %d series: %.1f points off on average, %.1f at most; floor 2.0, aim 1.5\n", len(a.series()), mean, worst)
	if mean > 2 {
		t.Errorf("scaling efficiency is %.1f points off; the floor is 2", mean)
	}
	t.Logf("\nMean (median) of how far a step's time is off, in percent. Left out: the family of the model, everywhere.\nBaseline: median share of the peak of the source's other families. Held: of runs, by an interval for new families.\n%s", text.String())
	reasons := map[string]int{}
	for _, o := range out {
		reasons[o.row.Source+": "+o.reason]++
	}
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("out of scope: %d rows of %s", reasons[r], r)
	}
}

func blank(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprint(v)
}

// series are runs of one table that differ in how many accelerators share a
// batch that grows with them.
func (a accuracy) series() map[string][]int {
	all := map[string][]int{}
	for _, i := range a.groups["dgxc dense"] {
		r := a.runs[i]
		if r.Kind != "" {
			continue // rows of adapters carry layouts that are not theirs
		}
		l := r.Case.Layout
		key := fmt.Sprint(r.Row.Address, r.Row.Model, r.GPU, l.TP, l.PP, l.CP, l.Micro, l.Sequence, r.Case.Shape.Attends, r.Case.Format, r.Kind, l.Global/r.Row.GPUs)
		all[key] = append(all[key], i)
	}
	maps.DeleteFunc(all, func(_ string, of []int) bool { return len(of) < 2 })
	return all
}

// scaling is how many points predicted efficiencies of the largest run of a
// series, against its smallest, are off.
func (a accuracy) scaling() (mean, worst float64) {
	series := a.series()
	for _, of := range series {
		slices.SortFunc(of, func(i, j int) int { return int(a.runs[i].Row.GPUs - a.runs[j].Row.GPUs) })
		first, last := of[0], of[len(of)-1]
		measured := a.runs[first].seconds / a.runs[last].seconds
		predicted := a.alone[first] / a.alone[last]
		off := 100 * math.Abs(predicted-measured)
		mean += off / float64(len(series))
		worst = math.Max(worst, off)
	}
	return mean, worst
}
