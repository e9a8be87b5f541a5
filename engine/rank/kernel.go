package rank

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"lockstep/engine/schedule"
)

// Kernel merges src into dst, element by element. Both hold the same number of
// whole elements and do not overlap. It gives the same bits as
// schedule.Arithmetic, the payload of a NaN excepted.
type Kernel func(dst, src []byte)

// NewKernel returns the kernel of a reduction.
func NewKernel(t schedule.DType, op schedule.ReduceOp) (Kernel, error) {
	if t != schedule.Float32 || op != schedule.Sum {
		return nil, fmt.Errorf("find a kernel for %s of %s: accepted: %s of %s", op, t, schedule.Sum, schedule.Float32)
	}
	return sumFloat32, nil
}

func sumFloat32(dst, src []byte) {
	n := len(dst) / 4
	if n == 0 {
		return
	}
	to, ok := floats(dst)
	from, both := floats(src)
	if !ok || !both {
		sumFloat32Bytes(dst, src)
		return
	}
	from = from[:len(to)] // proves the bound to the compiler
	for i := range to {
		to[i] += from[i]
	}
}

// sumFloat32Bytes is for memory that has no view of floats.
func sumFloat32Bytes(dst, src []byte) {
	for i := 0; i+4 <= len(dst); i += 4 {
		a := math.Float32frombits(binary.LittleEndian.Uint32(dst[i:]))
		b := math.Float32frombits(binary.LittleEndian.Uint32(src[i:]))
		binary.LittleEndian.PutUint32(dst[i:], math.Float32bits(a+b))
	}
}

// floats returns b as the float32s that it holds. It reports false where the
// host cannot look at them in place: misaligned, or not little-endian as the
// wire is.
func floats(b []byte) ([]float32, bool) {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)%unsafe.Alignof(float32(0)) != 0 || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, false
	}
	return unsafe.Slice((*float32)(p), len(b)/4), true
}
