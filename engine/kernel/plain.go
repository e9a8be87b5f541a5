package kernel

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"lockstep/engine/schedule"
)

// newPlain returns a reduction in plain Go. It is given at least one element,
// and whole ones only.
func newPlain(t schedule.DType, op schedule.ReduceOp) (Reduce, error) {
	reference, err := schedule.Arithmetic(t, op)
	if err != nil {
		return nil, fmt.Errorf("find a reduce kernel: %w", err)
	}
	f := foldOf(op)
	switch t {
	case schedule.Float32:
		return viewed(f, combine[float32], reference), nil
	case schedule.Float64:
		return viewed(f, combine[float64], reference), nil
	case schedule.Float16:
		return viewed(f, combineFloat16, reference), nil
	case schedule.BFloat16:
		return viewed(f, combineBFloat16, reference), nil
	case schedule.Int32:
		return viewed(f, combine[int32], reference), nil
	case schedule.Int64:
		return viewed(f, combine[int64], reference), nil
	}
	return viewed(f, combine[uint8], reference), nil
}

type number interface {
	float32 | float64 | int32 | int64 | uint8
}

func combine[T number](f fold, dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)] // proves the bounds to the compiler
	switch f {
	case sum:
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	case product:
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	case least:
		for i := range dst {
			dst[i] = min(a[i], b[i])
		}
	case greatest:
		for i := range dst {
			dst[i] = max(a[i], b[i])
		}
	}
}

// widened is how many 16-bit elements are looked at as float32 at a time: few
// enough for the stack and the first cache, enough to make the loops pay.
const widened = 128

func combineFloat16(f fold, dst, a, b []uint16) {
	var x, y [widened]float32
	for len(dst) > 0 {
		n := min(len(dst), widened)
		for i := range n {
			x[i], y[i] = schedule.FromFloat16(a[i]), schedule.FromFloat16(b[i])
		}
		combine(f, x[:n], x[:n], y[:n])
		for i := range n {
			dst[i] = schedule.ToFloat16(x[i])
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

func combineBFloat16(f fold, dst, a, b []uint16) {
	var x, y [widened]float32
	for len(dst) > 0 {
		n := min(len(dst), widened)
		for i := range n {
			x[i], y[i] = schedule.FromBFloat16(a[i]), schedule.FromBFloat16(b[i])
		}
		combine(f, x[:n], x[:n], y[:n])
		for i := range n {
			dst[i] = schedule.ToBFloat16(x[i])
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// viewed runs combine on the elements in place, and merged on memory that has
// no view of them: misaligned, or of a host that is not little-endian as they
// are.
func viewed[T number | uint16](f fold, combine func(f fold, dst, a, b []T), reference schedule.Combine) Reduce {
	slow := merged(reference)
	var element T
	align := unsafe.Alignof(element)
	if align > 1 && binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return slow
	}
	return func(dst, a, b []byte) {
		if (address(dst)|address(a)|address(b))&(align-1) != 0 {
			slow(dst, a, b)
			return
		}
		combine(f, view[T](dst), view[T](a), view[T](b))
	}
}

// merged is Reduce by the reference, which merges into its first operand. That
// dst may be b is no trouble: every fold commutes.
func merged(reference schedule.Combine) Reduce {
	return func(dst, a, b []byte) {
		if address(dst) == address(b) {
			b = a
		} else {
			copy(dst, a)
		}
		reference(dst, b)
	}
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

func view[T any](b []byte) []T {
	var element T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(element)))
}
