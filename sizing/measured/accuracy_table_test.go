package measured

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"lockstep/engine/schedule"
)

// score is the mean over runs of the run's mean error, and the median row's, in
// per cent; a median of 0 is none that is asked for.
type score struct {
	mean, median float64
	runs         int
}

func (s score) String() string {
	switch {
	case s.runs == 0 && s.mean == 0:
		return "–"
	case s.median == 0:
		return fmt.Sprintf("%4.1f", s.mean)
	}
	return fmt.Sprintf("%4.1f / %4.1f", s.mean, s.median)
}

// within reports whether no part is above a bound's.
func (s score) within(b score) bool {
	return s.mean <= b.mean && (b.median == 0 || s.median <= b.median)
}

// scoredBy scores what a row's prediction is taken for; 0 is none.
func scoredBy(rows []leftOut, by func(leftOut) float64) score {
	sums, counts := map[string]float64{}, map[string]int{}
	var offs []float64
	for _, r := range rows {
		told := by(r)
		if told == 0 {
			continue
		}
		off := math.Abs(told/r.Time - 1)
		sums[r.ID] += off
		counts[r.ID]++
		offs = append(offs, off)
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

func scored(rows []leftOut) score {
	return scoredBy(rows, func(r leftOut) float64 { return r.Predicted })
}

// classMedian is the baseline of anybody with the same table: the median bus
// bandwidth of runs of the same collective on the same kind of links at such
// sizes, of those that a scheme does not leave out. 0 for none.
func classMedian(r Row, rows []Row, folds map[string]fold, s scheme) float64 {
	var bus []float64
	for _, o := range rows {
		if o.Health != Sick && o.Collective == r.Collective && o.System.Scale == r.System.Scale && (o.System.Domains > 1) == (r.System.Domains > 1) &&
			o.Size >= r.Size/4 && o.Size <= r.Size*4 && !s.out(folds[r.ID], folds[o.ID]) {
			bus = append(bus, float64(o.Size)*o.Collective.BusFactor(o.System.Ranks)/o.Time)
		}
	}
	if len(bus) == 0 {
		return 0
	}
	slices.Sort(bus)
	return float64(r.Size) * r.Collective.BusFactor(r.System.Ranks) / bus[len(bus)/2]
}

// coverage is the share of rows that intervals hold, in per cent, each run
// counting as the root of its rows.
func coverage(rows []leftOut) float64 {
	counts := map[string]float64{}
	for _, r := range rows {
		counts[r.ID]++
	}
	held, total := 0.0, 0.0
	for _, r := range rows {
		weight := 1 / math.Sqrt(counts[r.ID])
		total += weight
		if r.Held {
			held += weight
		}
	}
	return 100 * held / total
}

// bound is what a group must reach and what it should; nil is nothing.
type bound struct{ floor, aim *score }

// What intervals for nine of ten must hold of each grade, of few machines
// each, and of all together, which is what each is aimed at.
var (
	heldByGrade = [2]float64{80, 97}
	heldByAll   = [2]float64{86, 95}
)

// accuracyTable is what the test prints: a line a group.
type accuracyTable struct {
	lines  []string
	misses []string
	under  string
}

func (a *accuracyTable) section(title string) {
	a.under = title
	const rest = "\t\t\t\t\t\t\t" // a line without columns would end them
	a.lines = append(a.lines, rest, strings.ToUpper(title[:1])+title[1:]+rest)
}

// add enters a group; one without rows is left out.
func (a *accuracyTable) add(name string, rows []leftOut, b bound) {
	if len(rows) == 0 {
		return
	}
	got := scored(rows)
	says := func(s *score) string {
		if s == nil {
			return ""
		}
		return s.String()
	}
	a.line(name, rows, says(b.floor), says(b.aim))
	if b.floor != nil && !got.within(*b.floor) {
		a.misses = append(a.misses, fmt.Sprintf("%s, %s: %s; want at most %s", a.under, name, got, b.floor))
	}
}

func (a *accuracyTable) line(name string, rows []leftOut, floor, aim string) {
	got := scored(rows)
	a.lines = append(a.lines, fmt.Sprintf("  %s\t%d\t%s\t%s\t%s\t%s\t%s\t%3.0f", name, got.runs, got, floor, aim,
		scoredBy(rows, func(r leftOut) float64 { return r.Class }), scoredBy(rows, func(r leftOut) float64 { return r.Unfitted }), coverage(rows)))
}

// holds enters a group whose intervals are held to bounds.
func (a *accuracyTable) holds(name string, rows []leftOut, must [2]float64) {
	share := coverage(rows)
	a.line(name, rows, fmt.Sprintf("%g–%g", must[0], must[1]), fmt.Sprintf("%g–%g", heldByAll[0], heldByAll[1]))
	if !(share >= must[0] && share <= must[1]) {
		a.misses = append(a.misses, fmt.Sprintf("%s: intervals hold %.1f %% of systems that they were not made from; want %g to %g", name, share, must[0], must[1]))
	}
}

// groups enters the rows of a scheme by health, size, collective and family;
// large is the bound of healthy systems from 1 MiB on.
func (a *accuracyTable) groups(rows []leftOut, large [2]score) {
	healthy := func(r leftOut) bool { return r.Health == Healthy && r.Size >= big }
	well := func(r leftOut) bool { return r.Health != Sick && r.Size >= big }
	a.add("healthy, from 1 MiB", where(rows, healthy), bound{&large[0], &large[1]})
	a.add("below 1 MiB, not sick", where(rows, func(r leftOut) bool { return r.Health != Sick && r.Size < big }), bound{&score{mean: 40, median: 28}, &score{mean: 30, median: 20}})
	a.add("health unknown, from 1 MiB", where(rows, func(r leftOut) bool { return r.Health == Unknown && r.Size >= big }), bound{})
	for _, b := range []struct {
		name      string
		from, end float64
	}{{"below 64 KiB", 0, 64 << 10}, {"64 KiB to 1 MiB", 64 << 10, big}, {"1 to 16 MiB", big, 16 << 20}, {"16 to 256 MiB", 16 << 20, 256 << 20}, {"from 256 MiB", 256 << 20, math.Inf(1)}} {
		a.add("healthy, "+b.name, where(rows, func(r leftOut) bool {
			return r.Health == Healthy && float64(r.Size) >= b.from && float64(r.Size) < b.end
		}), bound{})
	}
	for _, c := range schedule.Collectives() {
		a.add("healthy, from 1 MiB, "+string(c), where(rows, func(r leftOut) bool { return healthy(r) && r.Collective == c }), bound{})
	}
	var families []string
	for _, r := range rows {
		if !slices.Contains(families, r.System.Family) {
			families = append(families, r.System.Family)
		}
	}
	slices.Sort(families)
	for _, f := range families {
		a.add("not sick, from 1 MiB, "+f, where(rows, func(r leftOut) bool { return well(r) && r.System.Family == f }), bound{})
	}
	a.add("sick, from 1 MiB: slower than told, as they should be", where(rows, func(r leftOut) bool { return r.Health == Sick && r.Size >= big }), bound{})
}

// text is the table with its head and what others publish.
func (a *accuracyTable) text() string {
	var out strings.Builder
	out.WriteString("errors of time in %: mean of systems / median row\n")
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "GROUP\tSYSTEMS\tOURS\tFLOOR\tAIM\tMEDIAN OF CLASS\tNOTHING FITTED\t90 % INTERVAL HOLDS")
	for _, line := range a.lines {
		fmt.Fprintln(w, line)
	}
	_ = w.Flush() // to memory
	out.WriteString("\nFLOOR and AIM are of errors, at most; of grades, of what intervals hold. MEDIAN OF CLASS: the median bus bandwidth of the same collective on the same kind of links at such sizes, of what is not left out, where there is any." +
		"\nNOTHING FITTED: this model before any measurement. Published of others, on their own data: autoparallel's model of collectives out of sample 62 / 44.")
	return out.String()
}
