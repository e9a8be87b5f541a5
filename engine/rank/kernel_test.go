package rank_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

func TestKernelEqualsTheReferenceBitForBit(t *testing.T) {
	kernel := must(rank.NewKernel(schedule.Float32, schedule.Sum))(t)
	reference := must(schedule.Arithmetic(schedule.Float32, schedule.Sum))(t)
	special := []float32{
		0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1 << 24, 1<<24 + 2, 1e-38, 3e-39,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{0, 1, 2, 3, 7, 8, 9, 31, 64, 65, 1000, 4097} {
		for misaligned := range 4 {
			dst := make([]byte, length*4+misaligned)[misaligned:]
			src := make([]byte, length*4+3-misaligned)[3-misaligned:]
			for i := range length {
				a, b := random.Uint32(), random.Uint32()
				if i%2 == 0 { // every pair of special values comes by
					a = math.Float32bits(special[i/2%len(special)])
					b = math.Float32bits(special[i/2/len(special)%len(special)])
				}
				binary.LittleEndian.PutUint32(dst[i*4:], a)
				binary.LittleEndian.PutUint32(src[i*4:], b)
			}
			want := append([]byte(nil), dst...)
			reference(want, src)
			kernel(dst, src)
			for i := range length {
				got, want := binary.LittleEndian.Uint32(dst[i*4:]), binary.LittleEndian.Uint32(want[i*4:])
				if got != want && !(isNaN(got) && isNaN(want)) {
					t.Fatalf("length %d, misaligned %d, element %d: %08x, want %08x", length, misaligned, i, got, want)
				}
			}
		}
	}
}

func isNaN(bits uint32) bool { return bits&0x7f800000 == 0x7f800000 && bits&0x7fffff != 0 }

func BenchmarkKernel(b *testing.B) {
	kernel := must(rank.NewKernel(schedule.Float32, schedule.Sum))(b)
	dst, src := make([]byte, 256<<10), make([]byte, 256<<10)
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		kernel(dst, src)
	}
}
