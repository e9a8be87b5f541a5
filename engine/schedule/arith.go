package schedule

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// DType is an element type by its name on the command line. Elements lie in
// memory little-endian.
type DType string

// The element types.
const (
	Float32  DType = "float32"
	Float64  DType = "float64"
	Float16  DType = "float16"  // IEEE 754 binary16
	BFloat16 DType = "bfloat16" // the upper half of a float32
	Int32    DType = "int32"
	Int64    DType = "int64"
	Uint8    DType = "uint8"
)

// DTypes lists all of them, the default first.
func DTypes() []DType { return []DType{Float32, Float64, Float16, BFloat16, Int32, Int64, Uint8} }

// Width returns the bytes of an element, 0 for an unknown type.
func (t DType) Width() int {
	switch t {
	case Float64, Int64:
		return 8
	case Float32, Int32:
		return 4
	case Float16, BFloat16:
		return 2
	case Uint8:
		return 1
	}
	return 0
}

// ReduceOp is how reductions combine, by its name on the command line.
type ReduceOp string

// The reductions. Integers wrap round. Min and max are Go's builtins: a NaN
// wins, and −0 is below +0. Avg is the sum, and one division by the number of
// ranks of each element of the result.
const (
	Sum  ReduceOp = "sum"
	Prod ReduceOp = "prod"
	Min  ReduceOp = "min"
	Max  ReduceOp = "max"
	Avg  ReduceOp = "avg"
)

// ReduceOps lists all of them, the default first.
func ReduceOps() []ReduceOp { return []ReduceOp{Sum, Prod, Min, Max, Avg} }

// Arithmetic returns the reference arithmetic of a reduction. It is written
// for plainness: executors have their own kernels, and are held against it.
// Of two 16-bit floats both are widened to float32, combined, and the result
// rounded to the nearest, ties to even.
func Arithmetic(t DType, op ReduceOp) (Combine, error) {
	if t.Width() == 0 {
		return nil, fmt.Errorf("unknown data type %q; accepted: %s", t, words(DTypes()))
	}
	var combine Combine
	switch t {
	case Float32:
		combine = each(float32Elements, binaryOp[float32](op))
	case Float64:
		combine = each(float64Elements, binaryOp[float64](op))
	case Float16:
		combine = each(float16Elements, binaryOp[float32](op))
	case BFloat16:
		combine = each(bfloat16Elements, binaryOp[float32](op))
	case Int32:
		combine = each(int32Elements, binaryOp[int32](op))
	case Int64:
		combine = each(int64Elements, binaryOp[int64](op))
	case Uint8:
		combine = each(uint8Elements, binaryOp[uint8](op))
	}
	if combine == nil {
		return nil, fmt.Errorf("unknown reduction %q; accepted: %s", op, words(ReduceOps()))
	}
	return combine, nil
}

// Finish returns what is done to every element of a result once all n ranks
// are in it, nil for nothing: avg divides, integers truncating.
func Finish(t DType, op ReduceOp, n int) func(data []byte) {
	if op != Avg {
		return nil
	}
	switch t {
	case Float32:
		return divide(float32Elements, func(v float32) float32 { return v / float32(n) })
	case Float64:
		return divide(float64Elements, func(v float64) float64 { return v / float64(n) })
	case Float16:
		return divide(float16Elements, func(v float32) float32 { return v / float32(n) })
	case BFloat16:
		return divide(bfloat16Elements, func(v float32) float32 { return v / float32(n) })
	case Int32:
		return divide(int32Elements, func(v int32) int32 { return v / int32(n) })
	case Int64:
		return divide(int64Elements, func(v int64) int64 { return v / int64(n) })
	case Uint8:
		return divide(uint8Elements, func(v uint8) uint8 { return uint8(int(v) / n) })
	}
	return nil
}

// Reduces reports whether the collective combines contributions, so that a
// ReduceOp has a meaning.
func (c Collective) Reduces() bool { return c == ReduceTo || c == ReduceScatter || c == AllReduce }

type number interface {
	float32 | float64 | int32 | int64 | uint8
}

// binaryOp returns nil for an unknown reduction.
func binaryOp[T number](op ReduceOp) func(a, b T) T {
	switch op {
	case Sum, Avg:
		return func(a, b T) T { return a + b }
	case Prod:
		return func(a, b T) T { return a * b }
	case Min:
		return func(a, b T) T { return min(a, b) }
	case Max:
		return func(a, b T) T { return max(a, b) }
	}
	return nil
}

// elements is how elements of a type lie in memory; values of 16 bits are
// worked with as float32.
type elements[T number] struct {
	width int
	load  func([]byte) T
	store func([]byte, T)
}

var (
	little          = binary.LittleEndian
	float32Elements = elements[float32]{4,
		func(b []byte) float32 { return math.Float32frombits(little.Uint32(b)) },
		func(b []byte, v float32) { little.PutUint32(b, math.Float32bits(v)) }}
	float64Elements = elements[float64]{8,
		func(b []byte) float64 { return math.Float64frombits(little.Uint64(b)) },
		func(b []byte, v float64) { little.PutUint64(b, math.Float64bits(v)) }}
	float16Elements = elements[float32]{2,
		func(b []byte) float32 { return FromFloat16(little.Uint16(b)) },
		func(b []byte, v float32) { little.PutUint16(b, ToFloat16(v)) }}
	bfloat16Elements = elements[float32]{2,
		func(b []byte) float32 { return FromBFloat16(little.Uint16(b)) },
		func(b []byte, v float32) { little.PutUint16(b, ToBFloat16(v)) }}
	int32Elements = elements[int32]{4,
		func(b []byte) int32 { return int32(little.Uint32(b)) },
		func(b []byte, v int32) { little.PutUint32(b, uint32(v)) }}
	int64Elements = elements[int64]{8,
		func(b []byte) int64 { return int64(little.Uint64(b)) },
		func(b []byte, v int64) { little.PutUint64(b, uint64(v)) }}
	uint8Elements = elements[uint8]{1,
		func(b []byte) uint8 { return b[0] },
		func(b []byte, v uint8) { b[0] = v }}
)

func each[T number](e elements[T], f func(a, b T) T) Combine {
	if f == nil {
		return nil
	}
	return func(dst, src []byte) {
		for i := 0; i+e.width <= len(dst); i += e.width {
			e.store(dst[i:], f(e.load(dst[i:]), e.load(src[i:])))
		}
	}
}

func divide[T number](e elements[T], f func(T) T) func([]byte) {
	return func(data []byte) {
		for i := 0; i+e.width <= len(data); i += e.width {
			e.store(data[i:], f(e.load(data[i:])))
		}
	}
}

func words[T ~string](list []T) string {
	all := make([]string, len(list))
	for i, w := range list {
		all[i] = string(w)
	}
	return strings.Join(all, ", ")
}
