package rank_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

// What 64 ranks are given combines to the same bits in any order: the result
// is known exactly, also to a library that combines in an order of its own.
func TestInputsCombineExactlyInAnyOrder(t *testing.T) {
	const ranks, elements = 64, 300
	random := rand.New(rand.NewPCG(4, 6))
	for _, dtype := range schedule.DTypes() {
		for _, op := range schedule.ReduceOps() {
			fill, combine, width := must(rank.NewFill(dtype, op))(t), must(schedule.Arithmetic(dtype, op))(t), dtype.Width()
			inputs := make([][]byte, ranks)
			for r := range inputs {
				inputs[r] = make([]byte, elements*width)
				fill(r, 0, inputs[r])
				whole := bytes.Clone(inputs[r][10*width:])
				fill(r, 10, whole[:20*width])
				if !bytes.Equal(whole, inputs[r][10*width:]) {
					t.Fatalf("%s of %s: the inputs depend on where one starts", op, dtype)
				}
			}
			var first []byte
			for range 5 {
				var sum []byte
				for _, r := range random.Perm(ranks) {
					if sum == nil {
						sum = bytes.Clone(inputs[r])
					} else {
						combine(sum, inputs[r])
					}
				}
				if first == nil {
					first = sum
				}
				if op == schedule.Prod && dtype == schedule.Float16 {
					continue // an order that takes one half of each pair first can leave the range
				}
				if !bytes.Equal(sum, first) {
					t.Fatalf("%s of %s depends on the order", op, dtype)
				}
			}
			// One contribution in place of another, or none, shows.
			if op == schedule.Min || op == schedule.Max {
				continue
			}
			without := bytes.Clone(inputs[0])
			for r := 2; r < ranks; r++ {
				combine(without, inputs[r])
			}
			missing := bytes.Clone(without)
			combine(without, inputs[0])
			whole := bytes.Clone(missing)
			combine(whole, inputs[1])
			if bytes.Equal(missing, whole) || bytes.Equal(without, whole) {
				t.Errorf("%s of %s: a missing or doubled contribution does not show", op, dtype)
			}
		}
	}
}
