package schedule

import (
	"math/rand/v2"
	"testing"
)

// Values that are combined with many others find each combination again,
// whichever operand comes first, and no two pairs share a number.
func TestPairsAreToldApart(t *testing.T) {
	const leaves = 300
	v := newValues(false, []int{leaves})
	made := map[[2]int32]int32{}
	r := rand.New(rand.NewPCG(3, 5))
	for range 20_000 {
		x, y := 1+r.Int32N(leaves), 1+r.Int32N(leaves)
		if r.IntN(2) == 0 {
			y = leaves // one that has very many
		}
		id := v.combine(x, y, 0)
		if other := v.combine(y, x, 0); other != id {
			t.Fatalf("%d with %d is %d, the other way round %d", x, y, id, other)
		}
		if n := v.nodes[id]; min(n.left, n.right) != min(x, y) || max(n.left, n.right) != max(x, y) {
			t.Fatalf("%d with %d is %d, which is made of %d and %d", x, y, id, n.left, n.right)
		}
		key := [2]int32{min(x, y), max(x, y)}
		if known, ok := made[key]; ok && known != id {
			t.Fatalf("%d with %d is %d, and was %d", x, y, id, known)
		}
		made[key] = id
	}
	if got := len(v.nodes) - 1 - leaves; got != len(made) {
		t.Errorf("%d numbers for %d pairs", got, len(made))
	}
}
