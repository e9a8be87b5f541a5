package sizing_test

import (
	"errors"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
)

// article is the collector of the source article: 300 million parameters of 4
// bytes at 1 GB/s.
func article(rate unit.Rate, compute unit.Seconds, back bool) sizing.Collector {
	return sizing.Collector{Size: 300_000_000 * 4, Rate: rate, Compute: compute, Return: back}
}

func TestArticleToTheLastDigit(t *testing.T) {
	oneWay, both := article(1e9, 60, false), article(1e9, 60, true)
	for _, tt := range []struct {
		what      string
		got, want unit.Seconds
	}{
		{"2 workers", oneWay.Collecting(2), 1.2},
		{"10 workers", oneWay.Collecting(10), 10.8},
		{"10 workers and back", both.Collecting(10), 21.6},
		{"1 worker", both.Collecting(1), 0},
		{"2 workers in a ring", oneWay.Ring(2), 1.2},
		{"10 workers in a ring", both.Ring(10), 2.16},
		{"a step of 10", oneWay.Step(10), 16.8},
		{"a step of 10 in a ring", oneWay.RingStep(10), 8.16},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", tt.what, float64(tt.got), float64(tt.want))
		}
	}
}

// The figures are those of the catalogue's own algorithms without latency.
func TestCollectorIsTheCatalogues(t *testing.T) {
	for w := 2; w <= 64; w++ {
		c := article(1e9, 60, false)
		q := cost.Question{Collective: schedule.AllReduce, Ranks: w, Size: c.Size, Network: cost.Network{Bandwidth: c.Rate}}
		central, err := q.Price("central")
		if err != nil {
			t.Fatal(err)
		}
		ring, err := q.Price("ring")
		if err != nil {
			t.Fatal(err)
		}
		c.Return = true
		if both := c.Collecting(w); both != central.Time {
			t.Errorf("%d workers: %v, the catalogue says %v", w, both, central.Time)
		}
		c.Return = false
		if one := c.Collecting(w); one != central.Terms[0].Time {
			t.Errorf("%d workers one way: %v, the catalogue says %v", w, one, central.Terms[0].Time)
		}
		if c.Ring(w) != ring.Time {
			t.Errorf("%d workers in a ring: %v, the catalogue says %v", w, c.Ring(w), ring.Time)
		}
	}
}

// Speed-up rises to the best number and falls below one where the page says.
func TestPeakAndBreakEven(t *testing.T) {
	for _, tt := range []struct {
		rate         unit.Rate
		compute      unit.Seconds
		back         bool
		best, slower int
	}{
		{1e8, 60, false, 2, 6}, // t/c = 5
		{1e9, 60, false, 7, 51},
		{12.5e9, 60, false, 25, 626},
		{1e8, 60, true, 2, 3},
		{1e9, 60, true, 5, 26},
		{12.5e9, 60, true, 18, 313},
		{1e8, 1, false, 1, 2}, // never pays
		{1e9, 0, false, 1, 2},
		{1e9, 2.4, false, 1, 3}, // two workers are as fast as one
	} {
		c := article(tt.rate, tt.compute, tt.back)
		best, slower := c.Best(), c.SlowerFrom()
		if best != tt.best || slower != tt.slower {
			t.Errorf("%+v: best %d, slower from %d; want %d and %d", c, best, slower, tt.best, tt.slower)
		}
		fastest := 1
		for w := 2; w <= 2*slower; w++ {
			if c.Step(w) < c.Step(fastest) {
				fastest = w
			}
			if got := c.Step(w) > c.Step(1); got != (w >= slower) {
				t.Errorf("%+v: %d workers slower than one is %v, but slower from %d", c, w, got, slower)
			}
		}
		if fastest != best {
			t.Errorf("%+v: fastest is %d, best %d", c, fastest, best)
		}
		if s := c.Speedup(best); s < 1 || c.Speedup(1) != 1 {
			t.Errorf("%+v: speed-up %v at its best, %v alone", c, s, c.Speedup(1))
		}
	}
}

func TestCollectorAtItsEnds(t *testing.T) {
	vast := sizing.Collector{Size: 1, Rate: 1e12, Compute: 1e12}
	if vast.Best() < 1000 || vast.SlowerFrom() < vast.Best() {
		t.Errorf("a byte at a terabyte a second: best %d, slower from %d", vast.Best(), vast.SlowerFrom())
	}
	for field, c := range map[string]sizing.Collector{
		"size":      {Rate: 1, Compute: 1},
		"bandwidth": {Size: 1, Compute: 1},
		"compute":   {Size: 1, Rate: 1, Compute: -1},
	} {
		var bad *schedule.RequestError
		if err := c.Check(); !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%+v: %v, want field %s", c, err, field)
		}
	}
	if err := article(1e9, 60, false).Check(); err != nil {
		t.Error(err)
	}
}
