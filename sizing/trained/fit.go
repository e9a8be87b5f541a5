package trained

import (
	"fmt"
	"math"

	"lockstep/sizing/leastsquares"
)

// fitted is what runs have shown: constants, and effects as logarithms of
// factors. An effect that is not in it is 0.
type fitted struct {
	constants constants
	effects   map[string]float64
}

// Numbers of the fit: how far a run lies from its formula and effects as a rule,
// from where on it counts as an outlier, and when the fit has settled.
const (
	usual    = 0.05
	outlying = 1.5
	settled  = 2e-3
	rounds   = 25
)

// textbook is what is held before a run is seen.
func textbook() fitted {
	f := fitted{effects: map[string]float64{}}
	for i, p := range priors {
		f.constants[i] = p.value
	}
	return f
}

// predict is a run's time by a fit.
func (f *fitted) predict(r *Run) float64 {
	return f.constants.physics(r) * math.Exp(f.factor(r))
}

// factor is the sum of the run's effects.
func (f *fitted) factor(r *Run) (sum float64) {
	for _, e := range r.effects() {
		sum += f.effects[e.key]
	}
	return sum
}

// fit finds the constants and effects that are most likely, given runs and what
// is held of constants before: the least sum of squared deviations, each in its
// own standard deviation, where runs far off count less and less (pseudo-Huber).
// It begins at from; where it ends does not depend on that.
func fit(runs []sample, from fitted) (fitted, error) {
	columns, offs := map[string]int{}, []float64{}
	entries := make([][]int, len(runs))
	for i := range runs {
		for _, e := range runs[i].effects() {
			c, known := columns[e.key]
			if !known {
				c = int(constantCount) + len(offs)
				columns[e.key] = c
				offs = append(offs, e.off)
			}
			entries[i] = append(entries[i], c)
		}
	}
	n := int(constantCount) + len(offs)
	x := make([]float64, n)
	for i, v := range from.constants {
		x[i] = math.Log(v)
	}
	for key, c := range columns {
		x[c] = from.effects[key]
	}
	for round := range rounds {
		moved, err := improve(x, runs, entries, offs)
		if err != nil {
			return fitted{}, fmt.Errorf("fit round %d: %w", round, err)
		}
		if moved < settled {
			break
		}
	}
	f := fitted{effects: map[string]float64{}}
	for i := range f.constants {
		f.constants[i] = math.Exp(x[i])
	}
	for key, c := range columns {
		f.effects[key] = x[c]
	}
	return f, nil
}

// improve takes one step of Gauss and Newton on x, constants as logarithms
// first. It returns the largest change.
func improve(x []float64, runs []sample, entries [][]int, offs []float64) (float64, error) {
	var k constants
	for i := range k {
		k[i] = math.Exp(x[i])
	}
	slopes := make([][constantCount]float64, len(runs))
	base := make([]float64, len(runs))
	for i := range runs {
		base[i] = math.Log(k.physics(&runs[i].Run))
	}
	const step = 1e-4
	for c := range k {
		was := k[c]
		k[c] = was * math.Exp(step)
		for i := range runs {
			slopes[i][c] = (math.Log(k.physics(&runs[i].Run)) - base[i]) / step
		}
		k[c] = was
	}
	e := leastsquares.New(len(x))
	row := make([]float64, len(x))
	for i := range runs {
		residual := math.Log(runs[i].seconds) - base[i]
		for _, c := range entries[i] {
			residual -= x[c]
		}
		clear(row)
		copy(row, slopes[i][:])
		for _, c := range entries[i] {
			row[c] = 1
		}
		z := residual / usual / outlying
		e.Add(row, residual, runs[i].weight/(usual*usual)/math.Sqrt(1+z*z))
	}
	clear(row)
	for c, p := range priors {
		row[c] = 1
		e.Add(row, math.Log(p.value)-x[c], 1/(p.off*p.off))
		row[c] = 0
	}
	for j, off := range offs {
		c := int(constantCount) + j
		row[c] = 1
		e.Add(row, -x[c], 1/(off*off))
		row[c] = 0
	}
	by, err := e.Solve()
	if err != nil {
		return 0, err
	}
	var most float64
	for i, d := range by {
		d = math.Max(-0.5, math.Min(0.5, d))
		x[i] += d
		most = math.Max(most, math.Abs(d))
	}
	return most, nil
}
