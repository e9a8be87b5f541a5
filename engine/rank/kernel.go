package rank

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"lockstep/engine/schedule"
)

// Kernel merges src into dst, element by element. Both hold the same number of
// whole elements and do not overlap. It gives the same bits as
// schedule.Arithmetic, the payload of a NaN excepted.
type Kernel func(dst, src []byte)

// NewKernel returns the kernel of a reduction.
func NewKernel(t schedule.DType, op schedule.ReduceOp) (Kernel, error) {
	reference, err := schedule.Arithmetic(t, op)
	if err != nil {
		return nil, fmt.Errorf("find a kernel: %w", err)
	}
	slow := Kernel(reference)
	switch t {
	case schedule.Float32:
		return viewed(loop[float32](op), slow), nil
	case schedule.Float64:
		return viewed(loop[float64](op), slow), nil
	case schedule.Float16:
		return viewed(halves(loop[float32](op), schedule.FromFloat16, schedule.ToFloat16), slow), nil
	case schedule.BFloat16:
		return viewed(halves(loop[float32](op), schedule.FromBFloat16, schedule.ToBFloat16), slow), nil
	case schedule.Int32:
		return viewed(loop[int32](op), slow), nil
	case schedule.Int64:
		return viewed(loop[int64](op), slow), nil
	case schedule.Uint8:
		return viewed(loop[uint8](op), slow), nil
	}
	return slow, nil
}

type number interface {
	float32 | float64 | int32 | int64 | uint8 | uint16
}

// loop returns the loop of a reduction; avg adds, and is divided at the end.
func loop[T number](op schedule.ReduceOp) func(to, from []T) {
	switch op {
	case schedule.Prod:
		return func(to, from []T) {
			from = from[:len(to)] // proves the bound to the compiler
			for i := range to {
				to[i] *= from[i]
			}
		}
	case schedule.Min:
		return func(to, from []T) {
			from = from[:len(to)]
			for i := range to {
				to[i] = min(to[i], from[i])
			}
		}
	case schedule.Max:
		return func(to, from []T) {
			from = from[:len(to)]
			for i := range to {
				to[i] = max(to[i], from[i])
			}
		}
	}
	return func(to, from []T) {
		from = from[:len(to)]
		for i := range to {
			to[i] += from[i]
		}
	}
}

// halves widens both sides to float32, a piece at a time, and rounds back.
func halves(loop func(to, from []float32), widen func(uint16) float32, round func(float32) uint16) func(to, from []uint16) {
	return func(to, from []uint16) {
		var a, b [256]float32
		for len(to) > 0 {
			n := min(len(to), len(a))
			for i := range n {
				a[i], b[i] = widen(to[i]), widen(from[i])
			}
			loop(a[:n], b[:n])
			for i := range n {
				to[i] = round(a[i])
			}
			to, from = to[n:], from[n:]
		}
	}
}

// viewed runs loop on the elements in place, and slow on memory that has no
// view of them.
func viewed[T number](loop func(to, from []T), slow Kernel) Kernel {
	return func(dst, src []byte) {
		to, ok := view[T](dst)
		from, both := view[T](src)
		if !ok || !both {
			slow(dst, src)
			return
		}
		if len(to) > 0 {
			loop(to, from)
		}
	}
}

// view returns b as the elements that it holds. It reports false where the
// host cannot look at them in place: misaligned, or not little-endian as the
// wire is.
func view[T number](b []byte) ([]T, bool) {
	var zero T
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)%unsafe.Alignof(zero) != 0 || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, false
	}
	return unsafe.Slice((*T)(p), len(b)/int(unsafe.Sizeof(zero))), true
}
