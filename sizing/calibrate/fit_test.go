package calibrate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/calibrate"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// measure plays a run on a network.
func measure(t interface{ Fatal(...any) }, algorithm string, ranks int, size unit.Bytes, slices int, n cost.Network) calibrate.Sample {
	s := calibrate.Sample{
		Request: schedule.Request{Collective: schedule.AllReduce, Algorithm: algorithm, Ranks: ranks}, Size: size, Width: 4, Slices: slices,
	}
	sched, err := schedule.Build(s.Request)
	if err != nil {
		t.Fatal(err)
	}
	line, err := sim.Play(sched, sim.Setup{Elements: int(size) / 4, Width: 4, Network: n, Slices: slices})
	if err != nil {
		t.Fatal(err)
	}
	s.Time = line.Time
	return s
}

// Runs that are off by up to 10 % show the network to within that.
func TestFitRecoversTheNetwork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := cost.Network{
			Latency:   time.Duration(rapid.IntRange(5_000, 500_000).Draw(t, "ns")),
			Bandwidth: unit.Rate(rapid.Float64Range(2e8, 2e10).Draw(t, "rate")),
		}
		// Noise is chance, not an opponent who would bend all runs one way.
		noise := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var samples []calibrate.Sample
		for _, size := range []unit.Bytes{256, 4 << 10, 64 << 10, 4 << 20, 64 << 20} {
			for range 4 {
				s := measure(t, rapid.SampledFrom([]string{"ring", "central"}).Draw(t, "algorithm"),
					rapid.IntRange(2, 5).Draw(t, "ranks"), size, rapid.IntRange(1, 4).Draw(t, "slices"), n)
				s.Time *= unit.Seconds(0.9 + 0.2*noise.Float64())
				samples = append(samples, s)
			}
		}
		fit, err := calibrate.Fit(samples)
		if err != nil {
			t.Fatal(err)
		}
		if r := float64(fit.Latency) / float64(n.Latency); r < 0.88 || r > 1.12 {
			t.Errorf("latency %v; want %v", fit.Latency, n.Latency)
		}
		if r := float64(fit.Bandwidth / n.Bandwidth); r < 0.88 || r > 1.12 {
			t.Errorf("bandwidth %v; want %v", fit.Bandwidth, n.Bandwidth)
		}
		if fit.Typical > 0.11 {
			t.Errorf("typical error %v of samples off by 0.1", fit.Typical)
		}
	})
}

// One run in six that took ten times as long as it should changes little.
func TestAnOutlierCountsLess(t *testing.T) {
	n := cost.Network{Latency: 40 * time.Microsecond, Bandwidth: 1e9}
	var samples []calibrate.Sample
	for i, size := range []unit.Bytes{64, 1 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20} {
		s := measure(t, "ring", 4, size, 1, n)
		if i == 3 {
			s.Time *= 10
		}
		samples = append(samples, s)
	}
	fit, err := calibrate.Fit(samples)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(float64(fit.Latency)/float64(n.Latency)-1) > 0.05 || math.Abs(float64(fit.Bandwidth/n.Bandwidth)-1) > 0.05 {
		t.Errorf("fitted %v and %v", fit.Latency, fit.Bandwidth)
	}
}

func TestWhatMakesNoNetwork(t *testing.T) {
	n := cost.Network{Latency: 40 * time.Microsecond, Bandwidth: 1e9}
	at := func(sizes ...unit.Bytes) (samples []calibrate.Sample) {
		for _, size := range sizes {
			samples = append(samples, measure(t, "ring", 4, size, 1, n))
		}
		return samples
	}
	scattered := at(64, 64<<10, 16<<20, 32<<20, 64<<20)
	for i, factor := range []unit.Seconds{1, 30, 1, 30, 0.03} {
		scattered[i].Time *= factor
	}
	falling := at(1<<20, 16<<20, 64<<20)
	for i := range falling {
		falling[i].Time = unit.Seconds(1e-3 * (3 - float64(i)))
	}
	for name, c := range map[string]struct {
		samples []calibrate.Sample
		want    error
	}{
		"none":               {nil, calibrate.ErrTooFew},
		"two sizes":          {at(64, 64, 1<<20), calibrate.ErrTooFew},
		"no times":           {make([]calibrate.Sample, 9), calibrate.ErrTooFew},
		"sizes alike":        {at(64<<20, 65<<20, 66<<20), calibrate.ErrAlike},
		"no bytes":           {at(0, 4, 8), calibrate.ErrNoBytes},
		"faster for more":    {falling, calibrate.ErrNoBytes},
		"all over the place": {scattered, calibrate.ErrDisagree},
	} {
		if fit, err := calibrate.Fit(c.samples); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v; want %v", name, fit, err, c.want)
		}
	}
}

// Where latency does not show it is none, and bytes are all.
func TestLatencyMayBeNone(t *testing.T) {
	n := cost.Network{Bandwidth: 1e9}
	var samples []calibrate.Sample
	for _, size := range []unit.Bytes{1 << 10, 1 << 20, 64 << 20} {
		s := measure(t, "ring", 4, size, 1, n)
		s.Time *= 0.99
		samples = append(samples, s)
	}
	fit, err := calibrate.Fit(samples)
	if err != nil || fit.Latency != 0 || math.Abs(float64(fit.Bandwidth)/1e9*0.99-1) > 1e-3 {
		t.Errorf("%+v, %v", fit, err)
	}
}

func BenchmarkFit(b *testing.B) {
	n := cost.Network{Latency: 40 * time.Microsecond, Bandwidth: 1e9}
	var samples []calibrate.Sample
	for i := range 16 {
		samples = append(samples, measure(b, "ring", 8, unit.Bytes(64<<i), 1+2*i, n))
	}
	for b.Loop() {
		if _, err := calibrate.Fit(samples); err != nil {
			b.Fatal(err)
		}
	}
}
