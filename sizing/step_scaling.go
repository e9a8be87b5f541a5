package sizing

import (
	"slices"
	"sort"

	"lockstep/engine/unit"
)

// Counting says what is counted of which algorithm.
type Counting string

// The countings. The article counts the collecting alone.
const (
	CentralOneWay Counting = "central-one-way"
	Central       Counting = "central"
	Ring          Counting = "ring"
)

// Countings returns all of them in the order in which they are shown.
func Countings() []Counting { return []Counting{CentralOneWay, Central, Ring} }

// Times is how long one all-reduce takes under each counting.
type Times struct {
	OneWay  unit.Seconds `json:"central_one_way_s"`
	Central unit.Seconds `json:"central_s"`
	Ring    unit.Seconds `json:"ring_s"`
}

// Of returns the time under one counting.
func (t Times) Of(c Counting) unit.Seconds {
	switch c {
	case CentralOneWay:
		return t.OneWay
	case Central:
		return t.Central
	}
	return t.Ring
}

// Point is a number of workers on the curve.
type Point struct {
	Workers int `json:"workers"`
	Times
}

// Scaling is what becomes of a step when workers share its computing and then
// communicate: Compute/w + communication.
type Scaling struct {
	Counting    Counting     `json:"counting"`
	StepTime    unit.Seconds `json:"step_s"`       // with the step's own number of workers
	Speedup     float64      `json:"speedup"`      // over one worker, which does not communicate
	Best        int          `json:"best_workers"` // the number of workers with the shortest step
	BestSpeedup float64      `json:"best_speedup"`
	SlowerFrom  int          `json:"slower_from"` // workers from which the step takes longer than on one; 0: never, up to MaxWorkers
}

// scaling is nil when the computing time is not given.
func (p *pricing) scaling(f Fabric) ([]Scaling, error) {
	s := p.step
	if s.Compute == 0 {
		return nil, nil
	}
	priced := map[int]Times{}
	var failed error
	stepTime := func(c Counting, workers int) unit.Seconds {
		t, known := priced[workers]
		if !known {
			var err error
			if t, err = p.times(f, workers); err != nil {
				failed = err
			}
			priced[workers] = t
		}
		return s.Compute/unit.Seconds(workers) + t.Of(c)
	}
	var all []Scaling
	for _, c := range Countings() {
		at := func(workers int) unit.Seconds { return stepTime(c, workers) }
		best, slower := turningPoints(s.Compute, at)
		now := at(s.Workers())
		all = append(all, Scaling{
			Counting: c, StepTime: now, Speedup: float64(s.Compute / now),
			Best: best, BestSpeedup: float64(s.Compute / at(best)), SlowerFrom: slower,
		})
	}
	return all, failed
}

// turningPoints returns the number of workers with the shortest step, and the
// number from which a step takes longer than alone, 0 for none. From two
// workers on, the computing that is left falls ever more slowly and the
// communication of either algorithm never falls, so that a step's time first
// falls and then rises and both points can be found by halving.
func turningPoints(alone unit.Seconds, at func(workers int) unit.Seconds) (best, slowerFrom int) {
	best = 2 + sort.Search(MaxWorkers-2, func(i int) bool { return at(i+3) >= at(i+2) })
	if at(best) >= alone {
		best = 1
	}
	from := max(best, 2)
	if i := sort.Search(MaxWorkers-from+1, func(i int) bool { return at(from+i) > alone }); from+i <= MaxWorkers {
		slowerFrom = from + i
	}
	return best, slowerFrom
}

// curvePoints is about how many points a curve has.
const curvePoints = 96

// curve prices evenly chosen numbers of workers up to the last, all of them
// where there are few, and in any case the step's own.
func (p *pricing) curve(last int) ([]Point, error) {
	stride := (last + curvePoints - 1) / curvePoints
	chosen := []int{1, p.step.Workers(), last}
	for w := stride; w < last; w += stride {
		chosen = append(chosen, w)
	}
	slices.Sort(chosen)
	var points []Point
	for _, w := range slices.Compact(chosen) {
		t, err := p.times(p.step.Fabric, w)
		if err != nil {
			return nil, err
		}
		points = append(points, Point{w, t})
	}
	return points, nil
}

// reach is the number of workers that the curve must reach: past the step's
// own and past the points where the picture turns, if they are near.
func reach(e Estimate) int {
	const least, far = 16, 8
	last := max(least, e.Workers+e.Workers/4)
	near := far * last
	for _, s := range e.Scaling {
		for _, turn := range []int{s.Best, s.SlowerFrom} {
			if turn <= near {
				last = max(last, turn+turn/8)
			}
		}
	}
	return min(last, MaxWorkers)
}
