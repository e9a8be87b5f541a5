package rank_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

// specials are the patterns at which arithmetic goes wrong.
func specials(t schedule.DType) []uint64 {
	switch t {
	case schedule.Float32:
		var bits []uint64
		for _, v := range []float32{
			0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32,
			float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1 << 24, 1<<24 + 2, 1e-38, 3e-39,
		} {
			bits = append(bits, uint64(math.Float32bits(v)))
		}
		return bits
	case schedule.Float64:
		var bits []uint64
		for _, v := range []float64{
			0, math.Copysign(0, -1), 1, -1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 1 << 53, 1<<53 + 2,
		} {
			bits = append(bits, math.Float64bits(v))
		}
		return bits
	case schedule.Float16:
		return []uint64{0, 0x8000, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 1, 0x7c00, 0xfc00, 0x7e00, 0x6800, 0x6801, 0x03ff, 0x0400}
	case schedule.BFloat16:
		return []uint64{0, 0x8000, 0x3f80, 0xbf80, 0x7f7f, 0xff7f, 1, 0x7f80, 0xff80, 0x7fc0, 0x4380, 0x4381, 0x007f, 0x0080}
	}
	top := uint64(1) << (8*t.Width() - 1)
	return []uint64{0, 1, top - 1, top, top + 1, 2*top - 1, 3, 7}
}

func put(b []byte, v uint64, width int) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], v)
	copy(b[:width], all[:])
}

func TestKernelsEqualTheReferenceBitForBit(t *testing.T) {
	for _, dtype := range schedule.DTypes() {
		for _, op := range schedule.ReduceOps() {
			kernel := must(rank.NewKernel(dtype, op))(t)
			reference := must(schedule.Arithmetic(dtype, op))(t)
			special, width := specials(dtype), dtype.Width()
			random := rand.New(rand.NewPCG(1, 2))
			for _, length := range []int{0, 1, 2, 3, 7, 8, 9, 31, 64, 65, 255, 256, 257, 1000, 4097} {
				for misaligned := range width {
					dst := make([]byte, length*width+misaligned)[misaligned:]
					src := make([]byte, length*width+width-1-misaligned)[width-1-misaligned:]
					for i := range length {
						a, b := random.Uint64(), random.Uint64()
						if i%2 == 0 { // every pair of special values comes by
							a, b = special[i/2%len(special)], special[i/2/len(special)%len(special)]
						}
						put(dst[i*width:], a, width)
						put(src[i*width:], b, width)
					}
					want, before := bytes.Clone(dst), bytes.Clone(dst)
					reference(want, src)
					kernel(dst, src)
					for i := 0; i < len(dst); i += width {
						got, want := dst[i:i+width], want[i:i+width]
						if !bytes.Equal(got, want) && !(isNaN(dtype, got) && isNaN(dtype, want)) {
							t.Fatalf("%s of %s, length %d, misaligned %d, element %d: %x and %x give %x, want %x",
								op, dtype, length, misaligned, i/width, before[i:i+width], src[i:i+width], got, want)
						}
					}
				}
			}
		}
	}
}

func isNaN(t schedule.DType, b []byte) bool {
	switch t {
	case schedule.Float32:
		v := math.Float32frombits(binary.LittleEndian.Uint32(b))
		return v != v
	case schedule.Float64:
		v := math.Float64frombits(binary.LittleEndian.Uint64(b))
		return v != v
	case schedule.Float16:
		v := schedule.FromFloat16(binary.LittleEndian.Uint16(b))
		return v != v
	case schedule.BFloat16:
		v := schedule.FromBFloat16(binary.LittleEndian.Uint16(b))
		return v != v
	}
	return false
}

func TestUnknownKernelsAreRefused(t *testing.T) {
	for _, c := range []struct {
		dtype schedule.DType
		op    schedule.ReduceOp
	}{{"float8", schedule.Sum}, {schedule.Float32, "xor"}} {
		if _, err := rank.NewKernel(c.dtype, c.op); err == nil {
			t.Errorf("%s of %s has a kernel", c.op, c.dtype)
		}
		if _, err := rank.NewFill(c.dtype, c.op); err == nil {
			t.Errorf("%s of %s has inputs", c.op, c.dtype)
		}
	}
}

func BenchmarkKernel(b *testing.B) {
	for _, dtype := range schedule.DTypes() {
		b.Run(fmt.Sprint(dtype), func(b *testing.B) {
			kernel := must(rank.NewKernel(dtype, schedule.Sum))(b)
			dst, src := make([]byte, 256<<10), make([]byte, 256<<10)
			b.SetBytes(int64(len(dst)))
			for b.Loop() {
				kernel(dst, src)
			}
		})
	}
}
