// Package leastsquares solves weighted least-squares problems of a few dozen
// unknowns.
package leastsquares

import (
	"errors"
	"math"
)

// Equations are the normal equations of a least-squares problem.
type Equations struct {
	n      int
	square [][]float64 // with the right side as the last column
}

// New returns the equations of n unknowns, none entered yet.
func New(n int) *Equations {
	e := &Equations{n: n, square: make([][]float64, n)}
	for i := range e.square {
		e.square[i] = make([]float64, n+1)
	}
	return e
}

// Unknowns is how many there are.
func (e *Equations) Unknowns() int { return e.n }

// Add enters that row · x should be value.
func (e *Equations) Add(row []float64, value, weight float64) {
	for i, a := range row {
		if a == 0 {
			continue
		}
		for j, b := range row {
			e.square[i][j] += weight * a * b
		}
		e.square[i][e.n] += weight * a * value
	}
}

// ErrSingular is returned where the rows leave an unknown open.
var ErrSingular = errors.New("the rows leave an unknown open")

// Solve returns x. It uses e up.
func (e *Equations) Solve() ([]float64, error) {
	for i := range e.n {
		e.square[i][i] += 1e-6 // an unknown that nothing shows stays where it is
	}
	for i := range e.n {
		at := i
		for k := i + 1; k < e.n; k++ {
			if math.Abs(e.square[k][i]) > math.Abs(e.square[at][i]) {
				at = k
			}
		}
		e.square[i], e.square[at] = e.square[at], e.square[i]
		if e.square[i][i] == 0 {
			return nil, ErrSingular
		}
		for k := i + 1; k < e.n; k++ {
			factor := e.square[k][i] / e.square[i][i]
			for j := i; j <= e.n; j++ {
				e.square[k][j] -= factor * e.square[i][j]
			}
		}
	}
	x := make([]float64, e.n)
	for i := e.n - 1; i >= 0; i-- {
		x[i] = e.square[i][e.n]
		for j := i + 1; j < e.n; j++ {
			x[i] -= e.square[i][j] * x[j]
		}
		x[i] /= e.square[i][i]
	}
	return x, nil
}
