package sizing_test

import (
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
)

// Whoever is said to reign costs no more than anybody else by the cost model,
// but for what counts as level: at sizes near and far from where reigns change.
func TestWhoeverReignsIsFastest(t *testing.T) {
	net := cost.Network{Latency: 12 * time.Microsecond, Bandwidth: 12.5e9}
	alphaB := 12e-6 * 12.5e9
	for _, c := range schedule.Collectives() {
		for _, n := range []int{2, 7, 48} {
			for _, hosts := range []bool{true, false} {
				all, err := sizing.Fastest(c, n, 4, hosts)
				if err != nil || len(all) == 0 {
					t.Fatalf("%s, %d ranks: %v, %v", c, n, all, err)
				}
				sizes := []float64{1, 1e3, 1e6, 1e9, 1e12}
				for _, r := range all[1:] {
					sizes = append(sizes, r.From*alphaB*0.99, r.From*alphaB*1.01)
				}
				for _, size := range sizes {
					q := cost.Question{Collective: c, Ranks: n, RanksPerNode: 4, Size: unit.Bytes(size), Network: net}
					named, _ := sizing.ReignAt(all, float64(q.Size)/alphaB)
					price, err := q.Price(named.Algorithm)
					if err != nil {
						t.Fatal(err)
					}
					prices, err := q.All()
					if err != nil {
						t.Fatal(err)
					}
					best := math.Inf(1)
					for _, p := range prices {
						if p.Executable || !hosts {
							best = min(best, float64(p.Time))
						}
					}
					if float64(price.Time) > best*(1+sizing.Level+1e-9) || hosts && !price.Executable || price.Rough != named.Rough {
						t.Errorf("%s, %d ranks, %v: %s is said to be the fastest at %v, %v of %v", c, n, q.Size, named.Algorithm, price.Time, price.Rough, best)
					}
				}
			}
		}
	}
}

func TestOneRankAndUnknownCollectives(t *testing.T) {
	if all, err := sizing.Fastest(schedule.AllReduce, 1, 0, true); err != nil || len(all) != 1 {
		t.Errorf("one rank: %v, %v", all, err)
	}
	var bad *schedule.RequestError
	if _, err := sizing.Fastest("juggle", 4, 0, true); !errors.As(err, &bad) || bad.Field != "collective" {
		t.Errorf("an unknown collective: %v", err)
	}
	if _, err := sizing.NewAtlas(4).Plane("juggle", 0, true); !errors.As(err, &bad) {
		t.Errorf("an atlas of an unknown collective: %v", err)
	}
	if _, found := sizing.ReignAt(nil, 1); found {
		t.Error("somebody reigns where nobody does")
	}
}

// Many readers of one atlas get the same plane, which is worked out once.
func TestAtlasIsShared(t *testing.T) {
	atlas := sizing.NewAtlas(6)
	planes := make([]sizing.Plane, 8)
	var all sync.WaitGroup
	for i := range planes {
		all.Go(func() {
			var err error
			if planes[i], err = atlas.Plane(schedule.AllReduce, i%2, false); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i, p := range planes {
		if len(p.Rows) != 6 || &p.Rows[0] != &planes[i%2].Rows[0] {
			t.Errorf("reader %d has a plane of its own, of %d rows", i, len(p.Rows))
		}
	}
	far, err := atlas.Plane(schedule.AllReduce, 1<<40, false)
	near, _ := atlas.Plane(schedule.AllReduce, 6, false)
	if err != nil || &far.Rows[0] != &near.Rows[0] {
		t.Errorf("more ranks per node than there are: %v", err)
	}
}

// A curve is the price, but for rounding.
func TestCurvesArePrices(t *testing.T) {
	net := cost.Network{Latency: 12 * time.Microsecond, Bandwidth: 12.5e9}
	for _, e := range schedule.Catalog() {
		for _, n := range []int{1, 2, 7} {
			curve, err := sizing.CurveOf(e, n, 4, 3)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []unit.Bytes{0, 7000, 7 << 30} {
				q := cost.Question{Collective: e.Collective, Ranks: n, RanksPerNode: 4, Chunks: 3, Size: size, Network: net}
				price, err := q.PriceOf(e)
				if err != nil {
					t.Fatal(err)
				}
				if got := curve.Time(size, net); math.Abs(float64(got-price.Time)) > 1e-9*float64(price.Time) {
					t.Errorf("%s/%s, %d ranks, %v: the curve says %v, the price %v", e.Collective, e.Algorithm, n, size, float64(got), float64(price.Time))
				}
			}
		}
	}
}
