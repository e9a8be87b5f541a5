package link

import (
	"testing"
	"time"

	"lockstep/engine/unit"
)

func TestPortKeepsItsRate(t *testing.T) {
	p := newPort(100e6)
	start := time.Now()
	p.begin(start)
	var through time.Time
	for range 1000 {
		through = p.reserve(64 << 10)
	}
	want := over(1000*64<<10, 100e6) - p.allowance
	if got := through.Sub(start); (got - want).Abs() > time.Microsecond {
		t.Errorf("64 MB at 100 MB/s take %v, want %v", got, want)
	}
}

func TestPortDoesNotSaveUp(t *testing.T) {
	p := newPort(1e6)
	start := time.Now()
	p.begin(start)
	p.reserve(1000)
	later := start.Add(time.Hour)
	p.begin(later)
	if wait := p.reserve(10_000).Sub(later); wait < 8*time.Millisecond-p.allowance {
		t.Errorf("after an idle hour 10 ms of bytes take %v", wait)
	}
}

func TestMessageMakesUpForDelay(t *testing.T) {
	p := newPort(1e6)
	start := time.Now()
	p.begin(start)
	p.reserve(100_000)
	// It is now a second later and the same message goes on: what it was
	// held up is not lost.
	if through := p.reserve(100_000); through.Sub(start) > 200*time.Millisecond {
		t.Errorf("the second half is through after %v, want 200 ms", through.Sub(start))
	}
}

func TestPieces(t *testing.T) {
	for rate, want := range map[float64]int{1000: 2, 1e6: 2000, 100e6: 64 << 10, 1e12: 64 << 10} {
		if got := newPort(unit.Rate(rate)).piece; got != want {
			t.Errorf("at %g B/s pieces of %d, want %d", rate, got, want)
		}
	}
}
