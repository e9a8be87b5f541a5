package rank

import (
	"encoding/binary"
	"fmt"
	"math"

	"lockstep/engine/schedule"
)

// Fill writes elements first, first+1, … of a rank's in buffer to dst.
type Fill func(rank, first int, dst []byte)

// NewFill returns the inputs of runs in a data type.
//
// Every value is an integer from 1 to 4,096, so that the sum over up to 1,024
// ranks stays below 2^22 and is exact in float32 in whatever order it is
// taken. No two of 64 ranks have the same value in the same place, so one
// contribution counted twice in place of another shows in every element; none
// is 0, so a missing one does too.
func NewFill(t schedule.DType) (Fill, error) {
	if t != schedule.Float32 {
		return nil, fmt.Errorf("find inputs of data type %q: accepted: %s", t, schedule.Float32)
	}
	return fillFloat32, nil
}

func fillFloat32(rank, first int, dst []byte) {
	for i := 0; i+4 <= len(dst); i += 4 {
		binary.LittleEndian.PutUint32(dst[i:], math.Float32bits(float32(value(rank, first))))
		first++
	}
}

// value returns the input of a rank at an element. The low six bits walk with
// the rank, which keeps ranks apart; the high six are a hash of both, without
// which sums over all ranks would hardly depend on the element.
func value(rank, element int) uint32 {
	// The finaliser of MurmurHash3, which spreads neighbouring elements.
	h := uint32(element) ^ uint32(uint64(element)>>32)*0x27d4eb2f
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	h ^= h >> 16
	own := h * (0x9e3779b1 * (2*uint32(rank) + 1))
	return 1 + own>>26<<6 + (h+uint32(rank))&63
}
