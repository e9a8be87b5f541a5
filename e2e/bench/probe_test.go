package main

import (
	"math"
	"slices"
	"testing"
)

func TestPlacement(t *testing.T) {
	for exchange, want := range map[float64]placement{0: unknown, math.Inf(1): unknown, 31: near, 119: near, 120: far, 400: far} {
		if got := placementOf(exchange); got != want {
			t.Errorf("placementOf(%v) = %s, want %s", exchange, got, want)
		}
	}
	for _, c := range []struct {
		seen []float64
		want placement
	}{{[]float64{50, 60, 40}, near}, {[]float64{400, 380}, far}, {[]float64{50, 50, 400}, changed}, {[]float64{50, 0}, changed}, {[]float64{0, 0}, unknown}} {
		if got := togetherOf(c.seen); got != c.want {
			t.Errorf("togetherOf(%v) = %s, want %s", c.seen, got, c.want)
		}
	}
}

// A probe ends in time on a busy machine too, measures something possible, and
// leaves no thread bound.
func TestProbe(t *testing.T) {
	before := processors()
	for range 3 {
		if e := probe(); e != 0 && (e < 1 || e > float64(longest.Nanoseconds())) {
			t.Errorf("an exchange of %v ns", e)
		}
	}
	if after := processors(); !slices.Equal(before, after) {
		t.Errorf("processors %v before, %v after", before, after)
	}
}

func TestPinThreadGivesBack(t *testing.T) {
	all := processors()
	if len(all) < 2 {
		t.Skip("needs two processors and a system that binds threads")
	}
	release, err := pinThread(all[1])
	if err != nil {
		t.Fatal(err)
	}
	if got := processors(); !slices.Equal(got, all[1:2]) {
		t.Errorf("pinned to %v, want %v", got, all[1:2])
	}
	release()
	if got := processors(); !slices.Equal(got, all) {
		t.Errorf("afterwards %v, want %v", got, all)
	}
}
