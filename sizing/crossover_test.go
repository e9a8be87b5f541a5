package sizing_test

import (
	"cmp"
	"errors"
	"math/big"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
)

// The closed form that the page prints beside the pair of the article.
func TestCentralAndRingCross(t *testing.T) {
	net := cost.Network{Latency: 50 * time.Microsecond, Bandwidth: 1e9}
	for n := 3; n <= 64; n++ {
		x, crosses, err := sizing.Cross(schedule.AllReduce, "ring", "central", n, net)
		if err != nil || !crosses {
			t.Fatalf("%d ranks: crosses %v, %v", n, crosses, err)
		}
		want := big.NewRat(int64(n*(n-2)), int64((n-1)*(n-1)))
		if got := new(big.Rat).Quo(x.Alphas, x.Vectors); got.Cmp(want) != 0 || x.First != "central" || x.Then != "ring" {
			t.Errorf("%d ranks: S = αB × %s with %s first, want n(n-2)/(n-1)² = %s with central first", n, got, x.First, want)
		}
	}
	if x, _, _ := sizing.Cross(schedule.AllReduce, "central", "ring", 10, net); x.Size != 49383 {
		t.Errorf("ten ranks cross at %d bytes, want 49383", x.Size)
	}
}

// Every pair costs the same at the crossover, the first less below it and the
// other less above: bisection on the model would find the same place.
func TestCrossoverIsWherePricesMeet(t *testing.T) {
	crossings := 0
	for _, a := range schedule.Catalog() {
		for _, b := range schedule.Catalog() {
			for _, n := range []int{2, 3, 4, 7, 10, 64} {
				if a.Collective != b.Collective || a.Algorithm == b.Algorithm || n < max(a.MinRanks, b.MinRanks) {
					continue
				}
				net := cost.Network{Latency: 12 * time.Microsecond, Bandwidth: 12.5e9}
				x, crosses, err := sizing.Cross(a.Collective, a.Algorithm, b.Algorithm, n, net)
				if err != nil {
					t.Fatal(err)
				}
				low, high := bisect(t, a, b, n, net)
				if !crosses {
					if high != 0 {
						t.Errorf("%s %s and %s, %d ranks: no crossover, yet the prices meet at %d bytes", a.Collective, a.Algorithm, b.Algorithm, n, high)
					}
					continue
				}
				crossings++
				if x.Size < low-1 || x.Size > high+1 {
					t.Errorf("%s %s and %s, %d ranks: cross at %d bytes, bisection says %d to %d", a.Collective, a.Algorithm, b.Algorithm, n, x.Size, low, high)
				}
			}
		}
	}
	if crossings == 0 {
		t.Error("no pair crosses")
	}
}

// bisect returns two neighbouring sizes between which the cheaper algorithm
// changes, or zeros if it never does. Two that only come to cost the same do
// not cross.
func bisect(t *testing.T, a, b schedule.Entry, n int, net cost.Network) (low, high unit.Bytes) {
	t.Helper()
	order := func(size unit.Bytes) int {
		q := cost.Question{Collective: a.Collective, Ranks: n, Size: size, Network: net}
		first, err := q.Price(a.Algorithm)
		if err != nil {
			t.Fatal(err)
		}
		second, err := q.Price(b.Algorithm)
		if err != nil {
			t.Fatal(err)
		}
		return cmp.Compare(first.Time, second.Time)
	}
	low, high = 1, unit.TB
	below, above := order(low), order(high)
	if below*above >= 0 {
		return 0, 0
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; order(middle) == above {
			high = middle
		} else {
			low = middle
		}
	}
	return low, high
}

func TestCrossRefuses(t *testing.T) {
	net := cost.Network{Bandwidth: 1e9}
	if _, crosses, err := sizing.Cross(schedule.AllReduce, "central", "ring", 10, net); err != nil || crosses {
		t.Errorf("without latency: crosses %v, %v", crosses, err)
	}
	var bad *schedule.RequestError
	if _, _, err := sizing.Cross(schedule.AllReduce, "central", "none", 10, net); !errors.As(err, &bad) || bad.Field != "algorithm" {
		t.Errorf("an unknown algorithm: %v", err)
	}
	if _, _, err := sizing.Cross(schedule.AllReduce, "central", "ring", 10, cost.Network{}); !errors.As(err, &bad) || bad.Field != "bandwidth" {
		t.Errorf("no bandwidth: %v", err)
	}
}

// Whoever is the faster one between two crossings is so all the way, and the
// other one beyond: sampled against the prices, also where times have corners.
func TestCrossingsAreAllOfThem(t *testing.T) {
	net := cost.Network{Latency: 12 * time.Microsecond, Bandwidth: 12.5e9}
	entries, several := schedule.Catalog(), 0
	for _, a := range entries {
		for _, b := range entries {
			if a.Collective != b.Collective || a.Algorithm >= b.Algorithm || a.Collective == schedule.Barrier {
				continue
			}
			for _, n := range []int{3, 7, 12, 64} {
				all, err := sizing.Crossings(a.Collective, a.Algorithm, b.Algorithm, n, 4, 0, net)
				if err != nil {
					t.Fatal(err)
				}
				if len(all) > 1 {
					several++
				}
				for size := 256.0; size < 1e11; size *= 1.7 {
					faster, near := "", false
					for _, x := range all {
						near = near || size > float64(x.Size)-2 && size < float64(x.Size)+2
						if float64(x.Size) < size {
							faster = x.Then
						} else if faster == "" {
							faster = x.First
						}
					}
					if faster == "" || near {
						continue
					}
					q := cost.Question{Collective: a.Collective, Ranks: n, RanksPerNode: 4, Size: unit.Bytes(size), Network: net}
					one, err := q.PriceOf(a)
					if err != nil {
						t.Fatal(err)
					}
					two, err := q.PriceOf(b)
					if err != nil {
						t.Fatal(err)
					}
					if one.Time < two.Time && faster != a.Algorithm || one.Time > two.Time && faster != b.Algorithm {
						t.Fatalf("%s %s and %s, %d ranks: at %v bytes %s is said to be the faster, of %v and %v; crossings %+v",
							a.Collective, a.Algorithm, b.Algorithm, n, size, faster, one.Time, two.Time, all)
					}
				}
			}
		}
	}
	t.Logf("%d pairs cross more than once", several)
}
