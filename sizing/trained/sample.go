package trained

import (
	"fmt"
	"math"
	"strings"

	"lockstep/sizing/catalog"
)

// sample is a run whose step was timed.
type sample struct {
	Run
	seconds float64
	weight  float64
}

// leftOut is a row that carries nothing to the fit, and why.
type leftOut struct {
	row    Row
	reason string
}

// samples reads the timed runs of a table. A run that is printed in several
// units counts once, by the metric that needs the least reading.
func samples(t *Table, c *catalog.Catalog) (timed []sample, out []leftOut) {
	reader := NewReader(c)
	rank := map[Metric]int{StepTime: 0, Iteration: 0, Throughput: 1, ModelRate: 2, MachineRate: 2, MFU: 3}
	at, seen := map[string]int{}, map[string]int{}
	for i := range t.Lines {
		row, bad := t.Row(i)
		if len(bad) > 0 {
			out = append(out, leftOut{row, "no number in " + strings.Join(bad, ", ")})
			continue
		}
		if reason := unfit(row); reason != "" {
			out = append(out, leftOut{row, reason})
			continue
		}
		run, err := reader.Read(row)
		if err != nil {
			out = append(out, leftOut{row, err.Error()})
			continue
		}
		seconds, ok := run.Seconds(row.Value)
		if !ok {
			out = append(out, leftOut{row, "metric " + row.Metric + " is no step's time"})
			continue
		}
		notes, _, _ := strings.Cut(row.Notes, "; MFU vs")
		key := fmt.Sprint(row.Source, row.Address, row.Model, row.GPU, row.GPUs, row.TP, row.PP, row.DP, row.EP, row.CP, row.Sequence, row.Global, row.Micro, row.Precision, notes)
		seen[key+row.Metric]++
		key += fmt.Sprint("#", seen[key+row.Metric])
		s := sample{Run: run, seconds: seconds}
		if j, twice := at[key]; twice {
			if rank[Metric(row.Metric)] < rank[Metric(timed[j].Row.Metric)] {
				timed[j] = s
			}
			continue
		}
		at[key] = len(timed)
		timed = append(timed, s)
	}
	weigh(timed)
	return timed, out
}

// unfit names why a row cannot say anything about a step.
func unfit(r Row) string {
	switch {
	case r.Value <= 0:
		return "nothing measured"
	case r.Metric == string(PeakMemory):
		return "memory, not time"
	case r.Metric == string(TimeToTrain) || strings.HasPrefix(r.Metric, "gpu_hours"):
		return "a whole training, not a step"
	case r.TP == 0 && r.PP == 0 && r.DP == 0 && !usuallySharded(r):
		return "no layout"
	}
	return ""
}

// weigh lets many runs of one kind count less each.
func weigh(timed []sample) {
	count := map[string]float64{}
	for _, s := range timed {
		count[s.cell()]++
	}
	for i := range timed {
		timed[i].weight = math.Pow(10/math.Max(10, count[timed[i].cell()]), 0.25)
	}
}

// usuallySharded reports whether a row's software shards everything over all
// accelerators where nothing else is said.
func usuallySharded(r Row) bool {
	text := strings.ToLower(r.Source + " " + r.Model)
	return strings.Contains(text, "maxtext") || strings.Contains(text, "paxml")
}
