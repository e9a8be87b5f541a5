package measured

import (
	"fmt"
	"math"

	"lockstep/sizing/leastsquares"
)

// Sample is a measurement to fit to.
type Sample struct {
	Case
	Time   float64 // us
	Weight float64
}

// Fitting.
const (
	scatter = 0.1 // deviation of the logarithm of a measured time; residuals far above count by their size, not its square
	passes  = 40
	settled = 1e-4 // logarithm by which no constant moves any more
	nudge   = 1e-4 // logarithm by which a constant is moved to see what follows
)

// Fit finds the constants under which times are nearest to the samples', by
// Gauss and Newton on the logarithms of both, each constant held to what was
// expected of it (priors). A constant that no sample shows stays there.
func Fit(samples []Sample) (Constants, error) {
	var theta, first [constants]float64 // logarithms
	for i, p := range priors {
		theta[i] = math.Log(p.value)
		first[i] = theta[i]
	}
	constantsAt := func(theta *[constants]float64) (k Constants) {
		for i, t := range theta {
			k[i] = math.Exp(t)
		}
		return k
	}
	slope := make([]float64, constants)
	for range passes {
		k := constantsAt(&theta)
		var nudged [constants]Constants
		for i := range nudged {
			nudged[i] = k
			nudged[i][i] *= math.Exp(nudge)
		}
		e := leastsquares.New(int(constants))
		for i := range samples {
			s := &samples[i]
			told := k.Time(s.Case).Total()
			off := math.Log(s.Time / told)
			for j := range slope {
				slope[j] = math.Log(nudged[j].Time(s.Case).Total()/told) / nudge
			}
			e.Add(slope, off, s.Weight/(scatter*scatter)/math.Sqrt(1+off*off/(scatter*scatter)))
		}
		for i, p := range priors {
			clear(slope)
			slope[i] = 1
			e.Add(slope, first[i]-theta[i], 1/(p.sd*p.sd))
		}
		moves, err := e.Solve()
		if err != nil {
			return k, fmt.Errorf("fit constants: %w", err)
		}
		most := 0.0
		for i, m := range moves {
			m = max(-0.3, min(0.3, m)) // a step too long is taken in several
			theta[i] += m
			most = max(most, math.Abs(m))
		}
		if most < settled {
			break
		}
	}
	return constantsAt(&theta), nil
}
