//go:build !race

package kernel

import (
	"golang.org/x/sys/cpu"

	"lockstep/engine/schedule"
)

// avx2Loops returns the loops of vectors of 32 bytes. They need AVX2; those of
// float16 also F16C. AVX2 cannot multiply numbers of 64 bits.
func avx2Loops(t schedule.DType) [folds]loop {
	switch t {
	case schedule.Float32:
		return [...]loop{sumFloat32AVX2, prodFloat32AVX2, minFloat32AVX2, maxFloat32AVX2}
	case schedule.Float64:
		return [...]loop{sumFloat64AVX2, prodFloat64AVX2, minFloat64AVX2, maxFloat64AVX2}
	case schedule.Int32:
		return [...]loop{sumInt32AVX2, prodInt32AVX2, minInt32AVX2, maxInt32AVX2}
	case schedule.Int64:
		return [...]loop{sumInt64AVX2, nil, minInt64AVX2, maxInt64AVX2}
	case schedule.Uint8:
		return [...]loop{sumUint8AVX2, prodUint8AVX2, minUint8AVX2, maxUint8AVX2}
	case schedule.BFloat16:
		return [...]loop{sumBFloat16AVX2, prodBFloat16AVX2, minBFloat16AVX2, maxBFloat16AVX2}
	case schedule.Float16:
		if cpu.X86.HasF16C {
			return [...]loop{sumFloat16AVX2, prodFloat16AVX2, minFloat16AVX2, maxFloat16AVX2}
		}
	}
	return [folds]loop{}
}

func sumFloat32AVX2(dst, a, b *byte, n int)
func prodFloat32AVX2(dst, a, b *byte, n int)
func minFloat32AVX2(dst, a, b *byte, n int)
func maxFloat32AVX2(dst, a, b *byte, n int)

func sumFloat64AVX2(dst, a, b *byte, n int)
func prodFloat64AVX2(dst, a, b *byte, n int)
func minFloat64AVX2(dst, a, b *byte, n int)
func maxFloat64AVX2(dst, a, b *byte, n int)

func sumInt32AVX2(dst, a, b *byte, n int)
func prodInt32AVX2(dst, a, b *byte, n int)
func minInt32AVX2(dst, a, b *byte, n int)
func maxInt32AVX2(dst, a, b *byte, n int)

func sumInt64AVX2(dst, a, b *byte, n int)
func minInt64AVX2(dst, a, b *byte, n int)
func maxInt64AVX2(dst, a, b *byte, n int)

func sumUint8AVX2(dst, a, b *byte, n int)
func prodUint8AVX2(dst, a, b *byte, n int)
func minUint8AVX2(dst, a, b *byte, n int)
func maxUint8AVX2(dst, a, b *byte, n int)

func sumBFloat16AVX2(dst, a, b *byte, n int)
func prodBFloat16AVX2(dst, a, b *byte, n int)
func minBFloat16AVX2(dst, a, b *byte, n int)
func maxBFloat16AVX2(dst, a, b *byte, n int)

func sumFloat16AVX2(dst, a, b *byte, n int)
func prodFloat16AVX2(dst, a, b *byte, n int)
func minFloat16AVX2(dst, a, b *byte, n int)
func maxFloat16AVX2(dst, a, b *byte, n int)
