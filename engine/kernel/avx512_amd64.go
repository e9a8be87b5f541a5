//go:build !race

package kernel

import "lockstep/engine/schedule"

// avx512Loops returns the loops of vectors of 64 bytes. They need AVX512F,
// AVX512BW for elements of 8 and 16 bits, and AVX512DQ for the product of 64.
func avx512Loops(t schedule.DType) [folds]loop {
	switch t {
	case schedule.Float32:
		return [...]loop{sumFloat32AVX512, prodFloat32AVX512, minFloat32AVX512, maxFloat32AVX512}
	case schedule.Float64:
		return [...]loop{sumFloat64AVX512, prodFloat64AVX512, minFloat64AVX512, maxFloat64AVX512}
	case schedule.Int32:
		return [...]loop{sumInt32AVX512, prodInt32AVX512, minInt32AVX512, maxInt32AVX512}
	case schedule.Int64:
		return [...]loop{sumInt64AVX512, prodInt64AVX512, minInt64AVX512, maxInt64AVX512}
	case schedule.Uint8:
		return [...]loop{sumUint8AVX512, prodUint8AVX512, minUint8AVX512, maxUint8AVX512}
	case schedule.BFloat16:
		return [...]loop{sumBFloat16AVX512, prodBFloat16AVX512, minBFloat16AVX512, maxBFloat16AVX512}
	case schedule.Float16:
		return [...]loop{sumFloat16AVX512, prodFloat16AVX512, minFloat16AVX512, maxFloat16AVX512}
	}
	return [folds]loop{}
}

func sumFloat32AVX512(dst, a, b *byte, n int)
func prodFloat32AVX512(dst, a, b *byte, n int)
func minFloat32AVX512(dst, a, b *byte, n int)
func maxFloat32AVX512(dst, a, b *byte, n int)

func sumFloat64AVX512(dst, a, b *byte, n int)
func prodFloat64AVX512(dst, a, b *byte, n int)
func minFloat64AVX512(dst, a, b *byte, n int)
func maxFloat64AVX512(dst, a, b *byte, n int)

func sumInt32AVX512(dst, a, b *byte, n int)
func prodInt32AVX512(dst, a, b *byte, n int)
func minInt32AVX512(dst, a, b *byte, n int)
func maxInt32AVX512(dst, a, b *byte, n int)

func sumInt64AVX512(dst, a, b *byte, n int)
func prodInt64AVX512(dst, a, b *byte, n int)
func minInt64AVX512(dst, a, b *byte, n int)
func maxInt64AVX512(dst, a, b *byte, n int)

func sumUint8AVX512(dst, a, b *byte, n int)
func prodUint8AVX512(dst, a, b *byte, n int)
func minUint8AVX512(dst, a, b *byte, n int)
func maxUint8AVX512(dst, a, b *byte, n int)

func sumBFloat16AVX512(dst, a, b *byte, n int)
func prodBFloat16AVX512(dst, a, b *byte, n int)
func minBFloat16AVX512(dst, a, b *byte, n int)
func maxBFloat16AVX512(dst, a, b *byte, n int)

func sumFloat16AVX512(dst, a, b *byte, n int)
func prodFloat16AVX512(dst, a, b *byte, n int)
func minFloat16AVX512(dst, a, b *byte, n int)
func maxFloat16AVX512(dst, a, b *byte, n int)
