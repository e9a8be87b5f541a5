package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"lockstep/engine/schedule"
)

// named is one way of doing a reduction that this machine has.
type named struct {
	name   string
	reduce Reduce
}

// ways lists plain Go and every variant in assembly that this processor can
// run. NewReduce chooses from these.
func ways(t testing.TB, dtype schedule.DType, op schedule.ReduceOp) []named {
	t.Helper()
	plain, err := newPlain(dtype, op)
	if err != nil {
		t.Fatal(err)
	}
	all := []named{{"plain", guarded(plain, dtype.Width())}}
	for _, v := range variants() {
		if loop := v.kernels(dtype)[foldOf(op)]; loop != nil {
			all = append(all, named{v.name, v.reduce(loop, plain, dtype.Width())})
		}
	}
	return all
}

func reference(t testing.TB, dtype schedule.DType, op schedule.ReduceOp) schedule.Combine {
	t.Helper()
	combine, err := schedule.Arithmetic(dtype, op)
	if err != nil {
		t.Fatal(err)
	}
	return combine
}

// specials are the patterns at which arithmetic goes wrong: zeros of both
// signs, infinities, quiet and signalling NaNs with payloads, the largest, the
// smallest normal and subnormal numbers, numbers whose sums are halfway
// between two, and numbers that carry or overflow.
func specials(t schedule.DType) []uint64 {
	switch t {
	case schedule.Float32:
		return append([]uint64{
			0x7f800001, 0xff800001, 0x7fc00000, 0xffc12345, 0x7fffffff, 0xffffffff,
			1, 2, 0x80000001, 0x007fffff, 0x00800000, 0x80800000,
		}, eachOf(func(v float64) uint64 { return uint64(math.Float32bits(float32(v))) },
			1<<24, 1<<24+2, -(1<<24+2), 1+1.0/(1<<23), math.MaxFloat32, -math.MaxFloat32, 1e-38, 3e-39, 1e30)...)
	case schedule.Float64:
		return append([]uint64{
			0x7ff0000000000001, 0xfff0000000000001, 0x7ff8000000000000, 0xfff8123456789abc, 0x7fffffffffffffff, 0xffffffffffffffff,
			1, 2, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
		}, eachOf(math.Float64bits, 1<<53, 1<<53+2, 1+1.0/(1<<52), math.MaxFloat64, -math.MaxFloat64, 1e-308, 1e300)...)
	case schedule.Float16:
		return []uint64{
			0, 0x8000, 0x3c00, 0xbc00, 0x3c01, 0x3e00, 0x4248, 0x7bff, 0xfbff, 0x7bfe, 1, 2, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x0401,
			0x7c00, 0xfc00, 0x7c01, 0xfc01, 0x7e00, 0xfe00, 0x7fff, 0xffff, 0x6800, 0x6801, 0x6802, 0x4c00, 0x1000, 0x1001, 0x5bff,
		}
	case schedule.BFloat16:
		return []uint64{
			0, 0x8000, 0x3f80, 0xbf80, 0x3f81, 0x3fc0, 0x4049, 0x7f7f, 0xff7f, 0x7f7e, 1, 2, 0x8001, 0x007f, 0x807f, 0x0080, 0x0081,
			0x7f80, 0xff80, 0x7f81, 0xff81, 0x7fc0, 0xffc0, 0x7fff, 0xffff, 0x4380, 0x4381, 0x4382, 0x3b80, 0x2000, 0x1f80, 0x7b00,
		}
	}
	top := uint64(1) << (8*t.Width() - 1)
	return []uint64{0, 1, 2, 3, 7, 15, 16, top - 1, top, top + 1, 2*top - 1, 2*top - 2, top >> 1, 0xaaaaaaaaaaaaaaaa, 0x5555555555555555}
}

// eachOf is the bits of ±0, ±1, ±∞ and the values.
func eachOf(bits func(float64) uint64, values ...float64) []uint64 {
	all := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1)}
	var list []uint64
	for _, v := range append(all, values...) {
		list = append(list, bits(v))
	}
	return list
}

func put(b []byte, v uint64, width int) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], v)
	copy(b[:width], all[:])
}

// fillOperands puts in every pair of special values, one after the other from
// a random one on, between random bits.
func fillOperands(random *rand.Rand, t schedule.DType, a, b []byte) {
	special, width := specials(t), t.Width()
	for _, operand := range [][]byte{a, b} {
		for i := 0; i < len(operand); i += 8 {
			put(operand[i:], random.Uint64(), min(8, len(operand)-i))
		}
	}
	pair := random.IntN(len(special) * len(special))
	for i := 0; i+width <= len(a); i += width {
		if random.IntN(3) > 0 {
			put(a[i:], special[pair/len(special)%len(special)], width)
			put(b[i:], special[pair%len(special)], width)
			pair++
		}
	}
}

// differs returns the first byte of the first element in which got and want
// differ, or −1. Any two NaNs are the same: which payload and sign come out
// depends on the order in which an instruction looks at its operands, on
// whether the compiler swapped them, and, in assembly, on the trick by which a
// NaN is made to win. That NaNs stand in the same places is held; nothing is
// promised of their other bits.
func differs(t schedule.DType, got, want []byte) int {
	if bytes.Equal(got, want) {
		return -1
	}
	width := t.Width()
	for i := range len(got) / width {
		g, w := got[i*width:][:width], want[i*width:][:width]
		if !bytes.Equal(g, w) && !(isNaN(t, g) && isNaN(t, w)) {
			return i * width
		}
	}
	for i := len(got) / width * width; i < len(got); i++ {
		if got[i] != want[i] {
			return i
		}
	}
	return -1
}

func isNaN(t schedule.DType, b []byte) bool {
	switch t {
	case schedule.Float32:
		return binary.LittleEndian.Uint32(b)<<1 > 0xff<<24
	case schedule.Float64:
		return binary.LittleEndian.Uint64(b)<<1 > 0x7ff<<53
	case schedule.Float16:
		return binary.LittleEndian.Uint16(b)<<1 > 0x1f<<11
	case schedule.BFloat16:
		return binary.LittleEndian.Uint16(b)<<1 > 0xff<<8
	}
	return false
}

// room is memory with guard bytes around the part that a test hands out.
type room struct{ all, inner []byte }

const guard = 128

// newRoom hands out n bytes at misalignment, 0 to 63, from a line's begin.
func newRoom(n, misalignment int) room {
	all := bytes.Repeat([]byte{0xa5}, n+2*guard+64)
	begin := guard + (misalignment-int(address(all))-guard)&63
	return room{all, all[begin : begin+n : begin+n]}
}

// intact reports whether the guards are.
func (r room) intact() bool {
	begin := int(address(r.inner) - address(r.all))
	return bytes.Count(r.all[:begin], []byte{0xa5}) == begin &&
		bytes.Count(r.all[begin+len(r.inner):], []byte{0xa5}) == len(r.all)-begin-len(r.inner)
}
