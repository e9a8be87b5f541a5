package measured

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"lockstep/engine/unit"
	"lockstep/sizing/leastsquares"
)

// Point is a size and what it took on a system.
type Point struct {
	Size unit.Bytes
	Time float64 // us
}

// Machine is a system of which there is a log: what the model has to be changed
// by to fit it.
type Machine struct {
	Latency, Pipeline, Bytes float64 // factors of the model's parts
	residual                 []residual
}

type residual struct{ size, off float64 } // logarithms

// ErrTooFew is returned for a log that says too little.
var ErrTooFew = errors.New("a log needs at least two sizes of which the time is known")

// What is expected of the factors: deviations of their logarithms. A machine is
// seldom slower by more than a few times where bytes count, and more often in
// latency.
var factorSD = [3]float64{1.2, 0.5, 1.4}

// steady are the rows of a log that count, by size. A row that is slower than a
// larger one is a cold start or a disturbance, and says nothing.
func steady(log []Point) []Point {
	points := slices.Clone(log)
	points = slices.DeleteFunc(points, func(p Point) bool { return p.Size <= 0 || !(p.Time > 0) })
	slices.SortFunc(points, func(a, b Point) int { return cmp.Compare(a.Size, b.Size) })
	kept := points[:0:0]
	for i, p := range points {
		if i+1 < len(points) && p.Time > 1.02*points[i+1].Time {
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

// Recognise fits three factors to a log of one collective, robustly, and keeps
// what then is left at its sizes.
func Recognise(k *Constants, c Case, log []Point) (Machine, error) {
	kept := steady(log)
	if len(kept) < 2 {
		return Machine{}, ErrTooFew
	}
	var theta [3]float64
	parts := func(size unit.Bytes) [3]float64 {
		at := c
		at.Size = size
		b := k.Time(at)
		return [3]float64{b.Floor + b.Inside + b.Across, b.Pipeline, b.Bytes}
	}
	for range passes {
		e := leastsquares.New(3)
		for _, p := range kept {
			part := parts(p.Size)
			sum := 0.0
			for i := range part {
				part[i] *= math.Exp(theta[i])
				sum += part[i]
			}
			off := math.Log(p.Time / sum)
			e.Add([]float64{part[0] / sum, part[1] / sum, part[2] / sum}, off, 1/(scatter*scatter)/sqrt(1+off*off/(scatter*scatter)))
		}
		for i, sd := range factorSD {
			row := make([]float64, 3)
			row[i] = 1
			e.Add(row, -theta[i], 1/(sd*sd))
		}
		moves, err := e.Solve()
		if err != nil {
			return Machine{}, err
		}
		most := 0.0
		for i, m := range moves {
			m = max(-0.5, min(0.5, m))
			theta[i] += m
			most = max(most, math.Abs(m))
		}
		if most < settled {
			break
		}
	}
	m := Machine{Latency: math.Exp(theta[0]), Pipeline: math.Exp(theta[1]), Bytes: math.Exp(theta[2])}
	for _, p := range kept {
		at := c
		at.Size = p.Size
		m.residual = append(m.residual, residual{math.Log(float64(p.Size)), math.Log(p.Time / m.plain(k.Time(at)))})
	}
	return m, nil
}

// plain is a breakdown's total with the machine's factors.
func (m Machine) plain(b Breakdown) float64 {
	return m.Latency*(b.Floor+b.Inside+b.Across) + m.Pipeline*b.Pipeline + m.Bytes*b.Bytes
}

// Time is what a case takes on the machine, in microseconds: the model by its
// factors, and what the log showed beside, between the log's sizes.
func (m Machine) Time(k *Constants, c Case) float64 {
	t := m.plain(k.Time(c))
	if len(m.residual) == 0 || c.Size <= 0 {
		return t
	}
	at := math.Log(float64(c.Size))
	i, _ := slices.BinarySearchFunc(m.residual, at, func(r residual, at float64) int { return cmp.Compare(r.size, at) })
	switch {
	case i == 0:
		return t * math.Exp(m.residual[0].off)
	case i == len(m.residual):
		return t * math.Exp(m.residual[i-1].off)
	}
	a, b := m.residual[i-1], m.residual[i]
	share := (at - a.size) / (b.size - a.size)
	return t * math.Exp(a.off+share*(b.off-a.off))
}
