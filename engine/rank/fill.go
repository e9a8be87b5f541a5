package rank

import (
	"encoding/binary"
	"fmt"
	"math"

	"lockstep/engine/schedule"
)

// Fill writes elements first, first+1, … of a rank's in buffer to dst.
type Fill func(rank, first int, dst []byte)

// NewFill returns the inputs of runs in a data type, for a reduction.
//
// Values are made so that the exact result is known whatever the order in
// which up to 64 ranks are combined, and so that a contribution that is
// missing, or counted twice in place of another, shows:
//
//   - Whole numbers from 1 to 4,096: their sum stays below 2^22 and is exact in
//     float32. No two of 64 ranks have the same value in the same place. The
//     narrow types have fewer: float16 1 to 32 (sums to 2,048 are exact),
//     bfloat16 1 to 4 (to 256), uint8 1 to 255 (sums wrap alike in any order).
//   - For products of floats powers of two, 2 or 1/2: ranks 2i and 2i+1 have
//     opposite ones, so that partial products stay in range. Products of
//     integers wrap, and are of odd numbers, which never come to zero.
func NewFill(t schedule.DType, op schedule.ReduceOp) (Fill, error) {
	if _, err := schedule.Arithmetic(t, op); err != nil {
		return nil, fmt.Errorf("find inputs: %w", err)
	}
	product := op == schedule.Prod
	switch t {
	case schedule.Float32:
		f := pick(product, powers, wholes(4096))
		return func(rank, first int, dst []byte) {
			for i := 0; i+4 <= len(dst); i += 4 {
				binary.LittleEndian.PutUint32(dst[i:], math.Float32bits(f(rank, first)))
				first++
			}
		}, nil
	case schedule.Float64:
		f := pick(product, powers, wholes(4096))
		return func(rank, first int, dst []byte) {
			for i := 0; i+8 <= len(dst); i += 8 {
				binary.LittleEndian.PutUint64(dst[i:], math.Float64bits(float64(f(rank, first))))
				first++
			}
		}, nil
	case schedule.Float16:
		return fill16(pick(product, powers, wholes(32)), schedule.ToFloat16), nil
	case schedule.BFloat16:
		return fill16(pick(product, powers, wholes(4)), schedule.ToBFloat16), nil
	}
	odd := uint64(0)
	if product {
		odd = 1
	}
	switch t {
	case schedule.Int32:
		return func(rank, first int, dst []byte) {
			for i := 0; i+4 <= len(dst); i += 4 {
				binary.LittleEndian.PutUint32(dst[i:], value(rank, first)|uint32(odd))
				first++
			}
		}, nil
	case schedule.Int64:
		return func(rank, first int, dst []byte) {
			for i := 0; i+8 <= len(dst); i += 8 {
				binary.LittleEndian.PutUint64(dst[i:], uint64(value(rank, first))|odd)
				first++
			}
		}, nil
	}
	return func(rank, first int, dst []byte) { // uint8
		for i := range dst {
			dst[i] = max(byte(value(rank, first)), 1) | byte(odd)
			first++
		}
	}, nil
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

func fill16(f func(rank, element int) float32, round func(float32) uint16) Fill {
	return func(rank, first int, dst []byte) {
		for i := 0; i+2 <= len(dst); i += 2 {
			binary.LittleEndian.PutUint16(dst[i:], round(f(rank, first)))
			first++
		}
	}
}

// wholes returns numbers from 1 to most, a power of two.
func wholes(most uint32) func(rank, element int) float32 {
	return func(rank, element int) float32 { return float32((value(rank, element)-1)&(most-1) + 1) }
}

// powers are 2 or 1/2.
func powers(rank, element int) float32 {
	if (value(rank/2, element)>>6^uint32(rank))&1 == 0 {
		return 2
	}
	return 0.5
}

// value returns a number from 1 to 4,096 for a rank at an element. The low six
// bits walk with the rank, which keeps ranks apart; the high six are a hash of
// both, without which sums over all ranks would hardly depend on the element.
func value(rank, element int) uint32 {
	// The finaliser of MurmurHash3, which spreads neighbouring elements.
	h := uint32(element) ^ uint32(uint64(element)>>32)*0x27d4eb2f
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	h ^= h >> 16
	own := h * (0x9e3779b1 * (2*uint32(rank) + 1))
	return 1 + own>>26<<6 + (h+uint32(rank))&63
}
