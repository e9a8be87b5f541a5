package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

func TestPlaysHoldTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		algorithm := rapid.SampledFrom([]string{"central", "ring"}).Draw(t, "algorithm")
		ranks := rapid.IntRange(2, 12).Draw(t, "ranks")
		chunks := rapid.IntRange(1, 4).Draw(t, "chunks")
		s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: algorithm, Ranks: ranks, Chunks: chunks})
		if err != nil {
			t.Fatal(err)
		}
		setup := sim.Setup{
			Elements: rapid.IntRange(0, 5000).Draw(t, "elements"), Width: 4, Slices: 1,
			Network: cost.Network{
				Latency:   time.Duration(rapid.IntRange(0, 1e6).Draw(t, "latency")),
				Bandwidth: unit.Rate(rapid.IntRange(1e3, 1e10).Draw(t, "bandwidth")),
			},
		}
		run := func(setup sim.Setup) unit.Seconds {
			line, err := sim.Play(s, setup)
			if err != nil {
				t.Fatal(err)
			}
			return line.Time
		}
		base := run(setup)
		const rounding = 1e-9

		// Never faster than the latencies of the rounds, nor than the bytes of
		// the busiest port.
		if rounds := setup.Network.Latency.Seconds() * float64(s.Rounds()); float64(base) < rounds*(1-rounding) {
			t.Fatalf("%v is less than %d latencies", base, s.Rounds())
		}
		traffic := s.Traffic()
		shortest := setup.Elements / s.Chunks * setup.Width // whole chunks, the shorter kind
		busiest := unit.Bytes(max(slices.Max(traffic.Sent), slices.Max(traffic.Received)) * shortest)
		if bound := busiest.Over(setup.Network.Bandwidth); base < bound*(1-rounding) {
			t.Fatalf("%v is less than the busiest port's %v", base, bound)
		}

		more := setup
		more.Elements += rapid.IntRange(1, 5000).Draw(t, "more elements")
		if got := run(more); got < base*(1-rounding) {
			t.Fatalf("more bytes take %v, fewer %v", got, base)
		}
		slower := setup
		slower.Network.Latency += time.Duration(rapid.IntRange(1, 1e6).Draw(t, "more latency"))
		if got := run(slower); got < base*(1-rounding) {
			t.Fatalf("more latency takes %v, less %v", got, base)
		}
		sliced := setup
		sliced.Slices = rapid.IntRange(2, 8).Draw(t, "slices")
		if got := run(sliced); got > base*(1+rounding) {
			t.Fatalf("%d slices take %v, one %v", sliced.Slices, got, base)
		}
	})
}

// A latency that is next to nothing beside the play is no rounding: slices that
// fill a port leave the bytes and the last arrivals, not a latency each.
func TestShortLatencyIsToldApart(t *testing.T) {
	s := build(t, "ring", 5, 1)
	setup := sim.Setup{Elements: 4095, Width: 4, Slices: 1, Network: cost.Network{Latency: 1, Bandwidth: 1e3}}
	whole := play(t, s, setup).Time
	for _, setup.Slices = range []int{2, 7, 8} {
		if got := play(t, s, setup).Time; got > whole+1e-10 {
			t.Errorf("%d slices take %.12f s, one %.12f s", setup.Slices, float64(got), float64(whole))
		}
	}
}

func BenchmarkPlay(b *testing.B) {
	for _, slices := range []int{1, 16} {
		for _, algorithm := range []string{"central", "ring"} {
			s := build(b, algorithm, 64, 1)
			b.Run(fmt.Sprintf("%s-64/slices-%d", algorithm, slices), func(b *testing.B) {
				for b.Loop() {
					play(b, s, sim.Setup{Elements: 1 << 20, Width: 4, Slices: slices, Network: cost.Network{Latency: 5e4, Bandwidth: 1e9}})
				}
			})
		}
	}
}
