package kernel

import (
	"fmt"

	"lockstep/engine/schedule"
)

// Reduce sets dst[i] = a[i] op b[i] for every whole element. The three are
// equally long in bytes, or it panics; bytes after the last whole element are
// left alone. dst may be a or b themselves, but may not overlap them
// otherwise. No alignment is needed, and nothing is allocated.
//
// The bits are those of schedule.Arithmetic on (a, b), except that where the
// result is a NaN its sign and payload are any, and may differ between
// processors and between places in the vector.
type Reduce func(dst, a, b []byte)

// NewReduce returns the fastest loop this processor has for a reduction. Avg
// adds: the division comes once at the end, see schedule.Finish. A type or
// reduction that package schedule does not know is an error.
func NewReduce(t schedule.DType, op schedule.ReduceOp) (Reduce, error) {
	plain, err := newPlain(t, op)
	if err != nil {
		return nil, err
	}
	for _, v := range variants() {
		if k := v.kernels(t)[foldOf(op)]; k != nil {
			return v.reduce(k, plain, t.Width()), nil
		}
	}
	return guarded(plain, t.Width()), nil
}

// fold is a reduction as the loops know it: avg and sum are the same.
type fold int

const (
	sum fold = iota
	product
	least
	greatest
	folds // how many there are
)

// foldOf is for reductions that schedule.Arithmetic accepts.
func foldOf(op schedule.ReduceOp) fold {
	switch op {
	case schedule.Prod:
		return product
	case schedule.Min:
		return least
	case schedule.Max:
		return greatest
	}
	return sum
}

// loop is a loop in assembly over n bytes, n a multiple of the element and at
// least one vector. It knows of no slices, so nothing but its caller keeps it
// inside them.
type loop func(dst, a, b *byte, n int)

// variant is one instruction set's loops.
type variant struct {
	name    string
	vector  int                                // bytes; the least that a loop can be given
	kernels func(t schedule.DType) [folds]loop // nil where an instruction is missing
}

// piece bounds the bytes of one call into assembly. The scheduler cannot stop
// a goroutine inside one, so this bounds what a garbage collection waits for:
// tens of microseconds.
const piece = 256 << 10

// reduce joins a loop and the plain code that takes what is shorter than a vector.
func (v variant) reduce(k loop, plain Reduce, width int) Reduce {
	return func(dst, a, b []byte) {
		checkLengths(dst, a, b)
		whole := len(dst) &^ (width - 1)
		dst, a, b = dst[:whole], a[:whole], b[:whole]
		for len(dst) >= v.vector {
			n := min(len(dst), piece)
			k(&dst[0], &a[0], &b[0], n)
			dst, a, b = dst[n:], a[n:], b[n:]
		}
		if len(dst) > 0 {
			plain(dst, a, b)
		}
	}
}

// guarded is the plain code with the panic that Reduce promises.
func guarded(plain Reduce, width int) Reduce {
	return func(dst, a, b []byte) {
		checkLengths(dst, a, b)
		whole := len(dst) &^ (width - 1)
		if whole > 0 {
			plain(dst[:whole], a[:whole], b[:whole])
		}
	}
}

func checkLengths(dst, a, b []byte) {
	if len(a) != len(dst) || len(b) != len(dst) {
		panic(fmt.Sprintf("reduce %d bytes and %d bytes into %d: the three must be equally long", len(a), len(b), len(dst)))
	}
}
