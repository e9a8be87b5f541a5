package rank

import (
	"testing"
	"time"

	"lockstep/engine/unit"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestPortKeepsItsRate(t *testing.T) {
	p := newPort(100e6)
	p.begin(noon)
	var through time.Time
	for range 1000 {
		through = p.reserve(64 << 10)
	}
	want := over(1000*64<<10, 100e6)
	if got := through.Sub(noon); (got - want).Abs() > time.Microsecond {
		t.Errorf("64 MB at 100 MB/s take %v, want %v", got, want)
	}
}

// Small messages with pauses between them never get through faster than their
// own bytes take, however much time was left unused before.
func TestPortDoesNotSaveUp(t *testing.T) {
	for _, pause := range []time.Duration{3 * time.Millisecond, time.Second, time.Hour} {
		p := newPort(1e6)
		now := noon
		for range 10 {
			now = now.Add(pause)
			p.begin(now)
			through := p.reserve(1000)
			if took := through.Sub(now); took < time.Millisecond {
				t.Fatalf("after a pause of %v 1 ms of bytes take %v", pause, took)
			}
			now = through
			p.passed(now)
		}
	}
}

func TestIterationBeginsWithNothingSavedUp(t *testing.T) {
	p := newPort(1e6)
	p.begin(noon)
	p.reserve(1000)
	p.passed(noon.Add(time.Second)) // woken a second late
	later := noon.Add(time.Second + time.Millisecond)
	p.fresh(later)
	p.begin(later)
	if took := p.reserve(5000).Sub(later); took != 5*time.Millisecond {
		t.Errorf("5 ms of bytes take %v", took)
	}
}

func TestMessageMakesUpForDelay(t *testing.T) {
	p := newPort(1e6)
	p.begin(noon)
	p.reserve(100_000)
	// It is now a second later and the same message goes on: what it was
	// held up is not lost.
	if through := p.reserve(100_000); through.Sub(noon) > 200*time.Millisecond {
		t.Errorf("the second half is through after %v, want 200 ms", through.Sub(noon))
	}
	// Nor is it for the next message, if it was ready.
	late := noon.Add(time.Second)
	p.passed(late)
	p.begin(late.Add(gap / 2))
	if through := p.reserve(100_000); through.Sub(noon) > 300*time.Millisecond {
		t.Errorf("the next message is through after %v, want 300 ms", through.Sub(noon))
	}
	// A pause is.
	p.passed(late)
	p.begin(late.Add(time.Minute))
	if through := p.reserve(100_000); through.Sub(noon) < time.Minute {
		t.Errorf("after a pause a message is through after %v", through.Sub(noon))
	}
}

func TestBusyPortIsNotIdle(t *testing.T) {
	p := newPort(1e6)
	p.begin(noon)
	p.reserve(10_000)                       // another edge waits until 10 ms
	p.begin(noon.Add(5 * time.Millisecond)) // this one comes in between
	if took := p.reserve(10_000).Sub(noon); took != 20*time.Millisecond {
		t.Errorf("two messages of 10 ms are through after %v", took)
	}
}

func TestPieces(t *testing.T) {
	for rate, want := range map[float64]int{1000: 2, 1e6: 2000, 100e6: 64 << 10, 1e12: 64 << 10} {
		if got := newPort(unit.Rate(rate)).piece; got != want {
			t.Errorf("at %g B/s pieces of %d, want %d", rate, got, want)
		}
	}
}
