package sizing

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// article is the article's case: 300 million float32 gradients, ten workers,
// 1 GB/s.
func article(t interface{ Fatal(...any) }) Step {
	fabric, found := FindFabric("article")
	if !found {
		t.Fatal("the article's fabric is missing")
	}
	return Step{Parameters: 300_000_000, Width: 4, Nodes: 10, PerNode: 1, Fabric: fabric}
}

func TestTheArticlesStepToTheLastDigit(t *testing.T) {
	e, err := article(t).Estimate()
	if err != nil {
		t.Fatal(err)
	}
	if want := (Times{OneWay: 10.8, Central: 21.6, Ring: 2.16}); e.Times != want {
		t.Errorf("times are %+v, want %+v", e.Times, want)
	}
	if e.Size != 1200*unit.MB || e.Workers != 10 || e.Scaling != nil {
		t.Errorf("size %v, %d workers, scaling %v", e.Size, e.Workers, e.Scaling)
	}
	if len(e.Costs) == 0 || e.Costs[0].Time > e.Costs[len(e.Costs)-1].Time {
		t.Errorf("costs are not fastest first: %v", e.Costs)
	}
	for _, p := range e.Curve {
		if p.Workers == 2 && p.Times != (Times{OneWay: 1.2, Central: 2.4, Ring: 1.2}) {
			t.Errorf("two workers: %+v", p.Times)
		}
	}
}

// With ten seconds of computing, collecting alone makes 10/w + 1.2(w-1): 5.73 s
// at three workers, 8.65 s at seven or eight, 10.71 s at nine.
func TestTheArticlesSpeedUpPeaksAndFalls(t *testing.T) {
	step := article(t)
	step.Compute = 10
	e, err := step.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	type turn struct {
		Counting         Counting
		Best, SlowerFrom int
	}
	var got []turn
	for _, s := range e.Scaling {
		got = append(got, turn{s.Counting, s.Best, s.SlowerFrom})
	}
	want := []turn{{CentralOneWay, 3, 9}, {Central, 2, 5}, {Ring, MaxWorkers, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("turning points (-want +got):\n%s", diff)
	}
	if got, want := float64(e.Scaling[2].StepTime), 1+2.16; got != want {
		t.Errorf("ring step takes %v, want %v", got, want)
	}
}

// TestTurningPointsAreThoseOfTheWholeCurve holds the halving against looking
// at every number of workers.
func TestTurningPointsAreThoseOfTheWholeCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := article(t)
		step.Parameters = rapid.Int64Range(1, 1e12).Draw(t, "parameters")
		step.Compute = unit.Seconds(rapid.Float64Range(1e-4, 1e4).Draw(t, "compute"))
		f := rapid.SampledFrom(Fabrics()).Draw(t, "fabric")
		q := step.question(f, 2)
		two, err := q.Price("ring")
		if err != nil {
			t.Fatal(err)
		}
		alpha, transfer := f.Latency.Seconds(), float64(two.Time)-2*f.Latency.Seconds() // S/B
		at := func(w int) unit.Seconds {
			n := float64(w)
			return step.Compute/unit.Seconds(w) + unit.Seconds(2*(n-1)*(alpha+transfer/n))
		}
		best, slower := turningPoints(step.Compute, at)
		shortest, bestTime := 1, step.Compute
		for w := 2; w <= MaxWorkers; w++ {
			if at(w) < bestTime {
				shortest, bestTime = w, at(w)
			}
		}
		if at := func(w int) unit.Seconds { return map[bool]unit.Seconds{true: step.Compute, false: at(w)}[w == 1] }; !near(at(best), at(shortest)) {
			t.Fatalf("best of %d workers takes %v, of %d %v", best, at(best), shortest, at(shortest))
		}
		if slower > 0 && (at(slower) <= step.Compute || slower > 2 && slower-1 >= best && best > 1 && at(slower-1) > step.Compute) {
			t.Fatalf("slower from %d: %v, then %v, alone %v", slower, at(slower-1), at(slower), step.Compute)
		}
		if slower == 0 && at(MaxWorkers) > step.Compute {
			t.Fatalf("never slower, but %v of %v at %d", at(MaxWorkers), step.Compute, MaxWorkers)
		}
	})
}

func near(a, b unit.Seconds) bool { return a-b < 1e-9*b && b-a < 1e-9*b }

func TestOneWorkerDoesNotCommunicate(t *testing.T) {
	step := article(t)
	step.Nodes, step.Compute = 1, 10
	e, err := step.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	if e.Times != (Times{}) || e.Scaling[0].Speedup != 1 {
		t.Errorf("times %+v, speed-up %v", e.Times, e.Scaling[0].Speedup)
	}
}

func TestEstimateSurvivesItsDocument(t *testing.T) {
	step := article(t)
	step.Compute = 10
	e, err := step.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	first, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back Estimate
	if err := json.Unmarshal(first, &back); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(back)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(first), string(second)); diff != "" {
		t.Errorf("document (-first +second):\n%s", diff)
	}
}

func TestDoubtsFollowTheStep(t *testing.T) {
	step := article(t)
	if diff := cmp.Diff([]Doubt{PhysicsOnly}, step.doubts()); diff != "" {
		t.Errorf("small and flat (-want +got):\n%s", diff)
	}
	step.PerNode, step.Compute = 8, 1
	step.Parameters = 70_553_706_496
	if diff := cmp.Diff([]Doubt{PhysicsOnly, Flat, TooLarge, NoOverlap}, step.doubts()); diff != "" {
		t.Errorf("large, eight a node, with computing (-want +got):\n%s", diff)
	}
}

func TestUnusableSteps(t *testing.T) {
	for _, test := range []struct {
		field  string
		change func(*Step)
	}{
		{"params", func(s *Step) { s.Parameters = 0 }},
		{"params", func(s *Step) { s.Parameters = MaxParameters + 1 }},
		{"bytes", func(s *Step) { s.Width = 9 }},
		{"nodes", func(s *Step) { s.Nodes = 0 }},
		{"per_node", func(s *Step) { s.PerNode = 0 }},
		{"per_node", func(s *Step) { s.Nodes, s.PerNode = 128, 9 }},
		{"compute", func(s *Step) { s.Compute = -1 }},
		{"bandwidth", func(s *Step) { s.Fabric.Bandwidth = 0 }},
	} {
		s := article(t)
		test.change(&s)
		_, err := s.Estimate()
		var unusable *schedule.RequestError
		if !errors.As(err, &unusable) || unusable.Field != test.field {
			t.Errorf("%+v: %v; want an error about %s", s, err, test.field)
		}
	}
}

func TestTablesAreUsable(t *testing.T) {
	if len(Models()) != 5 || len(Fabrics()) != 5 {
		t.Fatalf("%d models, %d fabrics", len(Models()), len(Fabrics()))
	}
	for _, m := range Models() {
		if found, ok := FindModel(m.Key); !ok || found != m || m.Parameters < 1 || m.Source == "" {
			t.Errorf("model %+v", m)
		}
	}
	slowest := unit.Rate(0)
	for _, f := range Fabrics() {
		if found, ok := FindFabric(f.Key); !ok || found != f || (f.Source == "") != (f.Key == "article") || f.Network().Check() != nil {
			t.Errorf("fabric %+v", f)
		}
		if f.Bandwidth < slowest {
			t.Errorf("%s is slower than the one before it", f.Key)
		}
		slowest = f.Bandwidth
	}
}

// TestStepAgreesWithTheCollector: without latency the turning points are those
// of the collector's own closed forms.
func TestStepAgreesWithTheCollector(t *testing.T) {
	step := article(t)
	for _, compute := range []unit.Seconds{0.5, 1.2, 3, 10, 100, 1000} {
		step.Compute = compute
		p, err := newPricing(step)
		if err != nil {
			t.Fatal(err)
		}
		scaling, err := p.scaling(step.Fabric)
		if err != nil {
			t.Fatal(err)
		}
		for i, back := range []bool{false, true} {
			c := Collector{Size: step.Gradients(), Rate: step.Fabric.Bandwidth, Compute: compute, Return: back}
			if got := scaling[i]; got.Best != c.Best() || got.SlowerFrom != c.SlowerFrom() && c.SlowerFrom() <= MaxWorkers {
				t.Errorf("%v, %s: best %d, slower from %d; the collector says %d and %d", compute, got.Counting, got.Best, got.SlowerFrom, c.Best(), c.SlowerFrom())
			}
		}
	}
}

// TestStepCostsWhatTheCostModelSays holds the times against cost.Question, bit
// for bit.
func TestStepCostsWhatTheCostModelSays(t *testing.T) {
	step := article(t)
	p, err := newPricing(step)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Fabrics() {
		for _, workers := range []int{1, 2, 3, 7, 10, 64, 1000, MaxWorkers} {
			got, err := p.times(f, workers)
			if err != nil {
				t.Fatal(err)
			}
			q := step.question(f, workers)
			central, err := q.Price("central")
			if err != nil {
				t.Fatal(err)
			}
			ring, err := q.Price("ring")
			if err != nil {
				t.Fatal(err)
			}
			if want := (Times{central.Terms[0].Time, central.Time, ring.Time}); got != want {
				t.Errorf("%s, %d workers: %+v, want %+v", f.Key, workers, got, want)
			}
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	step := article(b)
	step.Nodes, step.Compute = 512, 10
	for b.Loop() {
		if _, err := step.Estimate(); err != nil {
			b.Fatal(err)
		}
	}
}
