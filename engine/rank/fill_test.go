package rank_test

import (
	"encoding/binary"
	"math"
	"testing"

	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

func inputs(t testing.TB, r, first, elements int) []float32 {
	t.Helper()
	b := make([]byte, elements*4)
	must(rank.NewFill(schedule.Float32, schedule.Sum))(t)(r, first, b)
	values := make([]float32, elements)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[i*4:]))
	}
	return values
}

func TestInputsDoNotDependOnWhereOneStarts(t *testing.T) {
	whole := inputs(t, 5, 0, 1000)
	for i, v := range inputs(t, 5, 333, 100) {
		if v != whole[333+i] {
			t.Fatalf("element %d is %v from the start and %v from 333", 333+i, whole[333+i], v)
		}
	}
}

func TestInputsAreSmallIntegers(t *testing.T) {
	for _, r := range []int{0, 1, 63, 1023} {
		for i, v := range inputs(t, r, 1<<33, 10_000) {
			if v < 1 || v > 4096 || v != float32(int(v)) {
				t.Fatalf("rank %d element %d: %v", r, i, v)
			}
		}
	}
}

func TestInputsOfRanksDifferEverywhere(t *testing.T) {
	const elements = 500
	var all [64][]float32
	for r := range all {
		all[r] = inputs(t, r, 0, elements)
	}
	for i := range elements {
		seen := map[float32]int{}
		for r := range all {
			if other, twice := seen[all[r][i]]; twice {
				t.Fatalf("ranks %d and %d have %v at element %d", other, r, all[r][i], i)
			}
			seen[all[r][i]] = r
		}
	}
}

// A chunk in the place of another must show in the sums, whatever the number
// of ranks: neighbouring elements must differ in nearly all places.
func TestSumsDependOnTheElement(t *testing.T) {
	const elements = 8192
	for _, n := range []int{1, 2, 3, 4, 8, 16, 32, 64} {
		sums := make([]float32, elements)
		for r := range n {
			for i, v := range inputs(t, r, 0, elements) {
				sums[i] += v
			}
		}
		for _, shift := range []int{1, 2, 3, 64, 256, 1024, 4096} {
			same := 0
			for i := range elements - shift {
				if sums[i] == sums[i+shift] {
					same++
				}
			}
			if same > elements/50 {
				t.Errorf("%d ranks: %d of %d sums are the same %d elements on", n, same, elements, shift)
			}
		}
	}
}

func BenchmarkFill(b *testing.B) {
	fill := must(rank.NewFill(schedule.Float32, schedule.Sum))(b)
	dst := make([]byte, 1<<20)
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		fill(3, 0, dst)
	}
}
