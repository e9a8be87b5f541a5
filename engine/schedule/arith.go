package schedule

import (
	"encoding/binary"
	"fmt"
	"math"
)

// DType is an element type by its name on the command line.
type DType string

// Float32 is IEEE 754 binary32, little-endian in memory.
const Float32 DType = "float32"

// Width returns the bytes of an element, 0 for an unknown type.
func (t DType) Width() int {
	if t == Float32 {
		return 4
	}
	return 0
}

// ReduceOp is how reductions combine, by its name on the command line.
type ReduceOp string

// Sum adds.
const Sum ReduceOp = "sum"

// Arithmetic returns the reference arithmetic of a reduction. It is written
// for plainness: executors have their own kernels, and are held against it.
func Arithmetic(t DType, op ReduceOp) (Combine, error) {
	if t != Float32 {
		return nil, fmt.Errorf("unknown data type %q; accepted: %s", t, Float32)
	}
	if op != Sum {
		return nil, fmt.Errorf("unknown reduction %q; accepted: %s", op, Sum)
	}
	return sumFloat32, nil
}

func sumFloat32(dst, src []byte) {
	for i := 0; i+4 <= len(dst); i += 4 {
		a := math.Float32frombits(binary.LittleEndian.Uint32(dst[i:]))
		b := math.Float32frombits(binary.LittleEndian.Uint32(src[i:]))
		binary.LittleEndian.PutUint32(dst[i:], math.Float32bits(a+b))
	}
}
