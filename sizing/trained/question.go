package trained

import (
	"math"

	"lockstep/sizing/catalog"
	"lockstep/sizing/train"
)

// Question is a step asked about outright, without a table. It is taken to run
// on Megatron-Core, the software that most is known of.
type Question struct {
	Model       catalog.Model
	Accelerator catalog.Accelerator
	Format      train.Format
	Layout      train.Layout
	Domain      float64 // accelerators that scale-up links join
	Inside, NIC float64 // bytes a second and direction of one accelerator
}

// Run is the question as tables' rows are read. Errors are *Unreadable.
func (q Question) Run() (Run, error) {
	shape, ok := train.ShapeOf(q.Model)
	if !ok {
		return Run{}, &Unreadable{"the model's shape: it is no decoder, or lacks a figure"}
	}
	a := q.Accelerator
	r := Run{Source: "mb", Class: nemo, Family: familyOf(q.Model.ID), count: counting{causal: true}, memory: a.Memory * giga, Version: "26.06"}
	which, known := chipOf(a.ID + " " + a.Name)
	if !known || a.Own {
		which.key, which.generation = a.ID, other
		r.Guessed = append(r.Guessed, GuessedGPU)
	}
	r.GPU, r.Gen = which.key, which.generation
	r.Case = train.Case{Shape: shape, Layout: q.Layout, Format: q.Format}
	r.Case.Fused = true
	m := train.Machine{Memory: a.MemoryBandwidth * giga, Domain: math.Max(1, q.Domain), Inside: q.Inside, NIC: q.NIC}
	m.Peak, m.Peak16 = peaks(a, q.Format)
	if m.Peak <= 0 || m.Memory <= 0 {
		return Run{}, &Unreadable{"the accelerator's peak or its memory's rate: the catalogue has neither of " + a.ID}
	}
	r.Case.Machine = m
	r.Row.GPUs = q.Layout.Ranks()
	r.peak = m.Peak16
	if q.Format != train.Sixteen {
		r.peak = m.Peak
	}
	return r, nil
}

// With is the same question in another layout.
func (r Run) With(l train.Layout) Run {
	r.Case.Layout, r.Row.GPUs = l, l.Ranks()
	return r
}

// Price is a run's step with the constants filled in, and the factor by which
// runs of its kind are off it.
func (m *Model) Price(r Run) (q train.Case, factor float64) {
	return m.Filled(r), math.Exp(m.fit.factor(&r))
}

// Filled is a run's step with the constants filled in. The factor that goes with
// it does not depend on the layout.
func (m *Model) Filled(r Run) train.Case {
	q := r.Case
	q.Coefficients = m.fit.constants.coefficients(&r)
	return q
}

// Operations is those of a step, attention over half of the sequence.
func (r Run) Operations() float64 { return r.operations(false) }

// Peak is the operations a second that MFU is a share of.
func (r Run) Peak() float64 { return r.peak }

// Capacity is the bytes of one accelerator.
func (r Run) Capacity() float64 { return r.memory }
