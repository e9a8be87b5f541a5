package calibrate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/calibrate"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// synthetic is a machine that is known: a bench that plays.
type synthetic struct {
	truth *calibrate.Model
	noise *rand.Rand
}

func (s synthetic) Measure(_ context.Context, spec trace.Spec) (trace.Times, error) {
	p, err := s.truth.Predict(spec)
	took := float64(p.Time) * (1 + 0.02*(s.noise.Float64()-0.5))
	return trace.Times{Min: took * 0.9, Median: took}, err
}

// newSynthetic is a machine whose bytes get dearer as they leave the caches.
func newSynthetic(cpus int) synthetic {
	costs := func(hop, piece unit.Seconds, dear float64) calibrate.Costs {
		return calibrate.Costs{Hop: hop, Piece: piece, Bytes: []calibrate.ByteCost{
			{Span: 64 << 10, Move: dear * 0.1e-9, Reduce: dear * 0.04e-9},
			{Span: 1 << 20, Move: dear * 0.12e-9, Reduce: dear * 0.05e-9},
			{Span: 16 << 20, Move: dear * 0.2e-9, Reduce: dear * 0.10e-9},
			{Span: 256 << 20, Move: dear * 0.24e-9, Reduce: dear * 0.12e-9},
		}}
	}
	return synthetic{calibrate.NewModel(calibrate.Calibration{
		Machine: calibrate.Fingerprint{CPUs: cpus},
		Found: []calibrate.Found{
			{Link: trace.TCP, Ranks: 2, Costs: costs(150e-9, 60e-9, 1)},
			{Link: trace.TCP, Ranks: 4, Costs: costs(2e-6, 300e-9, 1.2)},
		},
	}, nil), rand.New(rand.NewPCG(1, 2))}
}

// order is what a test asks of a bench; every run takes a tenth of a second.
func order(b calibrate.Bench, budget time.Duration) calibrate.Order {
	var elapsed time.Duration
	return calibrate.Order{
		Machine: calibrate.Fingerprint{CPUs: 2}, Links: []trace.Link{trace.TCP}, Ranks: 4, Budget: budget, Bench: b,
		Elapsed: func() time.Duration { elapsed += 100 * time.Millisecond; return elapsed }, Now: time.Now,
	}
}

func calibrated(t testing.TB, b calibrate.Bench, budget time.Duration) *calibrate.Model {
	t.Helper()
	c, err := order(b, budget).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return calibrate.NewModel(c, nil)
}

// every calls f with every pair that hosts can carry out, at sizes between
// those of the calibration.
func every(t *testing.T, sizes []unit.Bytes, f func(spec trace.Spec)) {
	for _, e := range schedule.Catalog() {
		if !e.Executable || e.Collective == schedule.Barrier {
			continue
		}
		for _, ranks := range []int{2, 3, 4} {
			for _, size := range sizes {
				spec, err := trace.Spec{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: ranks, Size: size * 12 / 10 / 48 * 48, Link: trace.TCP}.Resolve()
				if err != nil {
					t.Fatal(err)
				}
				f(spec)
			}
		}
	}
}

// A calibrated model meets a machine of its own kind: to within 5 % where runs
// of the same kind were measured, to within 8 % everywhere else.
func TestCalibrationRecoversTheMachine(t *testing.T) {
	s := newSynthetic(2)
	m := calibrated(t, s, time.Minute)
	every(t, []unit.Bytes{64 << 10, 300_000, 1 << 20, 5_000_000, 16 << 20, 52 << 20}, func(spec trace.Spec) {
		want, err := s.truth.Predict(spec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(spec)
		if err != nil {
			t.Fatal(err)
		}
		most := 0.08
		if got.Basis == calibrate.Same {
			most = 0.05
		}
		if off := float64(got.Time/want.Time) - 1; math.Abs(off) > most {
			t.Errorf("%s/%s of %d, %v: %v, want %v (%+.1f %%), %s", spec.Collective, spec.Algorithm, spec.Ranks, spec.Size, got.Time, want.Time, 100*off, got.Basis)
		}
	})
}

// What the model holds fastest is within 5 % of the fastest there is.
func TestTheFastestIsFast(t *testing.T) {
	s := newSynthetic(2)
	m := calibrated(t, s, time.Minute)
	seen := map[string]bool{}
	every(t, []unit.Bytes{1 << 10, 16 << 10, 64 << 10, 300_000, 1 << 20, 16 << 20, 52 << 20}, func(spec trace.Spec) {
		asked := spec
		asked.Algorithm = ""
		question := fmt.Sprintf("%+v", asked)
		if seen[question] {
			return
		}
		seen[question] = true
		got, p, err := m.Fastest(spec)
		if err != nil {
			t.Fatal(err)
		}
		_, best, err := s.truth.Fastest(spec)
		if err != nil {
			t.Fatal(err)
		}
		spec.Algorithm = got
		takes, err := s.truth.Predict(spec)
		if err != nil {
			t.Fatal(err)
		}
		if takes.Time > best.Time*1.05 {
			t.Errorf("%s of %d, %v: %s takes %v (predicted %v), the fastest %v", spec.Collective, spec.Ranks, spec.Size, got, takes.Time, p.Time, best.Time)
		}
	})
}

// ports is a machine of another kind than the model: the network that package
// sim plays, with ports that send and receive at the same time.
type ports struct{ cost.Network }

func (p ports) Measure(_ context.Context, spec trace.Spec) (trace.Times, error) {
	sched, err := spec.Schedule()
	if err != nil {
		return trace.Times{}, err
	}
	line, err := sim.Play(sched, sim.Setup{Elements: spec.Elements(), Width: 4, Network: p.Network, Slices: spec.SlicesFor(sched)})
	if err != nil {
		return trace.Times{}, err
	}
	return trace.Times{Median: float64(line.Time)}, nil
}

// Pairs that were measured are met between the sizes that were measured, also
// on a machine that is nothing like the model.
func TestMeasuredPairsAreMetOnAnyMachine(t *testing.T) {
	bench := ports{cost.Network{Latency: 5 * time.Microsecond, Bandwidth: 4e9}}
	m := calibrated(t, bench, time.Minute)
	same := 0
	every(t, []unit.Bytes{64 << 10, 300_000, 1 << 20, 5_000_000, 16 << 20}, func(spec trace.Spec) {
		got, err := m.Predict(spec)
		if err != nil {
			t.Fatal(err)
		}
		took, err := bench.Measure(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		want := unit.Seconds(took.Median)
		if got.Basis != calibrate.Same {
			return
		}
		same++
		if off := float64(got.Time/want) - 1; math.Abs(off) > 0.15 || want < got.Low || want > got.High {
			t.Errorf("%s/%s of %d, %v: %v (%v to %v), want %v (%+.1f %%)", spec.Collective, spec.Algorithm, spec.Ranks, spec.Size, got.Time, got.Low, got.High, want, 100*off)
		}
	})
	if same < 50 {
		t.Errorf("only %d predictions rest on runs of the same kind", same)
	}
}

// What is needed is measured whatever it takes, and makes a model.
func TestABudgetEndsTheMeasuring(t *testing.T) {
	s := newSynthetic(2)
	specs, needed := calibrate.Plan([]trace.Link{trace.TCP}, 2, 4)
	for budget, want := range map[time.Duration]int{0: needed, 3 * time.Second: 30 + needed - 1, time.Hour: len(specs)} {
		c, err := order(s, budget).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Measured) != want || len(c.Found) != 2 || c.Took <= 0 {
			t.Errorf("%v: %d runs of %d, %d found, took %v; want %d", budget, len(c.Measured), len(specs), len(c.Found), c.Took, want)
		}
	}
}

// failing is a bench on which one link does not work.
type failing struct {
	synthetic
	link trace.Link
	err  error
	runs int
}

func (f *failing) Measure(ctx context.Context, spec trace.Spec) (trace.Times, error) {
	if f.runs++; spec.Link == f.link {
		return trace.Times{}, f.err
	}
	return f.synthetic.Measure(ctx, spec)
}

func TestALinkThatDoesNotWorkIsLeftOut(t *testing.T) {
	broken := &failing{synthetic: newSynthetic(2), link: trace.TCP, err: errors.New("no sockets")}
	_, err := order(broken, 0).Run(t.Context())
	if !errors.Is(err, calibrate.ErrNothing) || !errors.Is(err, broken.err) || broken.runs != 1 {
		t.Errorf("%v after %d runs", err, broken.runs)
	}
	o := order(broken, 0)
	o.Ranks = 1
	if _, err := o.Run(t.Context()); !errors.Is(err, calibrate.ErrNothing) {
		t.Errorf("one rank: %v", err)
	}
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the console stops"))
	if _, err := order(newSynthetic(2), 0).Run(gone); err == nil || err.Error() != "the console stops" {
		t.Errorf("cancelled: %v", err)
	}
}

// What ended since the calibration counts beside it; another data type, other
// numbers of ranks and other links are said to be guesses.
func TestWhatAPredictionRestsOn(t *testing.T) {
	c, err := order(newSynthetic(2), time.Minute).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(m *calibrate.Model, spec trace.Spec) calibrate.Prediction {
		t.Helper()
		spec, err := spec.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(spec)
		if err != nil {
			t.Fatal(err)
		}
		if !(p.Low < p.Time && p.Time < p.High) || len(p.Rounds) == 0 || p.Rounds[len(p.Rounds)-1] > p.Time*(1+1e-9) {
			t.Errorf("%+v", p)
		}
		return p
	}
	ring := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 512 << 10, Link: trace.TCP}
	change := func(f func(*trace.Spec)) trace.Spec {
		spec := ring
		f(&spec)
		return spec
	}
	m := calibrate.NewModel(c, nil)
	for want, spec := range map[calibrate.Basis]trace.Spec{
		calibrate.Same:       ring,
		calibrate.Beyond:     change(func(s *trace.Spec) { s.Size = 128 << 20 }),
		calibrate.SameRanks:  change(func(s *trace.Spec) { s.Algorithm = "double-binary-tree" }),
		calibrate.OtherRanks: change(func(s *trace.Spec) { s.Ranks = 3; s.Size = 384 << 10 }),
		calibrate.Unlike:     change(func(s *trace.Spec) { s.DType = schedule.BFloat16 }),
	} {
		if p := ask(m, spec); p.Basis != want {
			t.Errorf("%+v rests on %q, want %q", spec, p.Basis, want)
		}
	}
	three := change(func(s *trace.Spec) { s.Ranks = 3; s.Size = 384 << 10 })
	guess := ask(m, three)
	resolved, err := three.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	known := ask(calibrate.NewModel(c, []calibrate.Measured{calibrate.NewMeasured(resolved, trace.Times{Median: 2 * float64(guess.Time)})}), three)
	if known.Basis != calibrate.Same || math.Abs(float64(known.Time/guess.Time)-2) > 1e-6 {
		t.Errorf("after a run that took twice as long as %+v: %+v", guess, known)
	}
	resolved.Link = "carrier-pigeon"
	if _, err := m.Predict(resolved); !errors.Is(err, calibrate.ErrNotCalibrated) {
		t.Errorf("another link: %v", err)
	}
}

func TestOtherWorkIsNoticed(t *testing.T) {
	quiet := calibrate.Measured{Time: 1.2, Least: 1}
	busy := calibrate.Measured{Time: 2, Least: 1}
	for want, runs := range map[bool][]calibrate.Measured{false: {quiet, quiet, quiet, busy}, true: {quiet, busy, busy, quiet}} {
		if got := (calibrate.Calibration{Measured: runs}).Restless(); got != want {
			t.Errorf("%v: %t", runs, got)
		}
	}
}

// startled is a bench on which every other run is disturbed.
type startled struct {
	synthetic
	runs int
}

func (s *startled) Measure(ctx context.Context, spec trace.Spec) (trace.Times, error) {
	took, err := s.synthetic.Measure(ctx, spec)
	if s.runs++; s.runs%2 == 1 {
		took.Median *= 5
	}
	return took, err
}

func TestDisturbedRunsAreMeasuredAgain(t *testing.T) {
	s := &startled{synthetic: newSynthetic(2)}
	c, err := order(s, time.Hour).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c.Restless() || s.runs != 2*len(c.Measured) {
		t.Errorf("%d measurements for %d runs, restless: %t", s.runs, len(c.Measured), c.Restless())
	}
}

func TestRankCounts(t *testing.T) {
	for given, want := range map[[2]int][]int{
		{2, 4}: {2, 4}, {2, 1}: nil, {2, 2}: {2}, {1, 4}: {2, 4}, {8, 4}: {2, 4}, {8, 64}: {2, 8, 16}, {2, 64}: {2, 8}, {4, 6}: {2, 4, 6},
	} {
		if got := calibrate.RankCounts(given[0], given[1]); !slices.Equal(got, want) {
			t.Errorf("%d processors, %d ranks: %v, want %v", given[0], given[1], got, want)
		}
	}
}

func BenchmarkCalibrate(b *testing.B) {
	for b.Loop() {
		calibrated(b, newSynthetic(2), time.Minute)
	}
}

func BenchmarkFastest(b *testing.B) {
	m := calibrated(b, newSynthetic(2), time.Minute)
	for _, ranks := range []int{4, 64} {
		spec, err := trace.Spec{Collective: schedule.AllReduce, Ranks: ranks, Size: 64 << 20, Link: trace.TCP}.Resolve()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := m.Fastest(spec); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Disturbed runs do not make auto take what another algorithm outdoes: central
// sends what direct sends, one behind the other.
func TestDisturbedRunsDoNotMisleadAuto(t *testing.T) {
	c, err := order(newSynthetic(2), time.Minute).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := calibrate.NewModel(c, nil)
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "direct", Ranks: 2, Size: 1 << 10, Link: trace.TCP}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	var later []calibrate.Measured
	for _, spec.Algorithm = range []string{"direct", "recursive-doubling", "ring", "halving-doubling", "hierarchical", "double-binary-tree"} {
		usual, err := before.Predict(spec)
		if err != nil {
			t.Fatal(err)
		}
		for range 9 { // more than the calibration's own
			later = append(later, calibrate.NewMeasured(spec, trace.Times{Median: 20 * float64(usual.Time)}))
		}
	}
	got, p, err := calibrate.NewModel(c, later).Fastest(spec)
	if err != nil {
		t.Fatal(err)
	}
	if got != "direct" && got != "recursive-doubling" {
		t.Errorf("takes %s (%v), which direct outdoes", got, p.Time)
	}
}
