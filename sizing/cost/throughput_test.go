package cost

import (
	"math"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

func TestThroughputGoesBothWays(t *testing.T) {
	for _, c := range schedule.Collectives() {
		for _, ranks := range []int{2, 3, 8, 1024} {
			one := ThroughputIn(c, ranks, unit.GB, 0.042)
			if c == schedule.Barrier {
				if one != (Throughput{}) {
					t.Errorf("a barrier has %+v", one)
				}
				continue
			}
			if want := c.BusFactor(ranks) * 1e9 / 0.042; math.Abs(float64(one.Bus)/want-1) > 1e-12 {
				t.Errorf("%s, %d ranks: bus bandwidth %v, want %v", c, ranks, float64(one.Bus), want)
			}
			for _, other := range []Throughput{ThroughputAt(c, ranks, unit.GB, one.Alg), ThroughputAtBus(c, ranks, unit.GB, one.Bus)} {
				if math.Abs(float64(other.Time)/0.042-1) > 1e-12 || math.Abs(float64(other.Bus/one.Bus)-1) > 1e-12 {
					t.Errorf("%s, %d ranks: %+v leads back to %+v", c, ranks, one, other)
				}
			}
		}
	}
}

// What a prediction says and what is computed from its time are the same.
func TestThroughputIsThatOfPredictions(t *testing.T) {
	q := Question{Collective: schedule.AllReduce, Ranks: 8, Size: unit.GB, Network: Network{Bandwidth: 50e9}}
	p, err := q.Predict("ring")
	if err != nil {
		t.Fatal(err)
	}
	got := ThroughputIn(q.Collective, q.Ranks, q.Size, p.Time)
	if math.Abs(got.Alg.GBytes()/p.AlgBW-1) > 1e-9 || math.Abs(got.Bus.GBytes()/p.BusBW-1) > 1e-9 || math.Abs(p.BusBW-50) > 1e-9 {
		t.Errorf("%+v, the prediction has %v and %v", got, p.AlgBW, p.BusBW)
	}
}

func TestNothingHasNoThroughput(t *testing.T) {
	for _, got := range []Throughput{
		ThroughputIn(schedule.AllReduce, 8, 0, 1), ThroughputIn(schedule.AllReduce, 8, 1, 0), ThroughputIn(schedule.AllReduce, 8, 1, unit.Seconds(math.NaN())),
		ThroughputIn(schedule.AllReduce, 1, 1, 1), ThroughputAt(schedule.AllReduce, 8, 1, 0), ThroughputAtBus(schedule.AllReduce, 8, 1, 0), ThroughputAtBus(schedule.Barrier, 8, 1, 1),
	} {
		if got != (Throughput{}) {
			t.Errorf("%+v, want nothing", got)
		}
	}
}
