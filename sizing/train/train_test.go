package train

import (
	"math"
	"testing"

	"lockstep/sizing/catalog"
)

// simple are coefficients that make every formula its textbook self: full rates,
// no passes over memory, nothing hidden.
func simple() Coefficients {
	return Coefficients{
		Product: 1, Product16: 1, Expert: 1, Attention: 1, Fused: true, TensorRate: 1, TensorAcross: 1, TensorShown: 1,
		ExpertInside: 1, ExpertNIC: 1, ContextShown: 1, ShardInside: 1, ShardAcross: 1, ShardShown: 1, DataShown: 1,
		Pipe: 1, HeadPlain: 1, HeadInterleaved: 1, Bubble: 1, GradientBytes: 6, KeepBytes: 4,
	}
}

// small is a decoder that can be worked out by hand: 4 layers of 1,000, four
// heads, a feed-forward width of 4,000, no head to speak of.
func small() Case {
	return Case{
		Shape:  Shape{Hidden: 1000, FFN: 4000, Vocab: 1, Heads: 4, KVHeads: 4, HeadDim: 250, Tied: true, AttentionShare: 1, Attends: 4, Plain: 4},
		Layout: Layout{TP: 1, PP: 1, CP: 1, DP: 1, EP: 1, Virtual: 1, Flushes: 1, Sequence: 1000, Micro: 2, Global: 8},
		// 10¹² operations a second, memory that never holds anything up.
		Machine:      Machine{Peak: 1e12, Peak16: 1e12, Memory: 1e30, Domain: 8, Inside: 1e9, NIC: 1e8},
		Coefficients: simple(),
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*math.Abs(want) {
		t.Errorf("%s: %v; by hand %v", what, got, want)
	}
}

// TestStepByHand works a step out with pencil and paper.
func TestStepByHand(t *testing.T) {
	q := small()
	// A layer has 12·h² = 12·10⁶ parameters; a token meets 48·10⁶ and the head's
	// 1,000. Six operations each, for 2,000 tokens of a micro-batch and four of
	// those: 8,000 tokens. Attention: 4·h·s/2 a token and layer forward, three and
	// a half times in all.
	products := 6 * 48e6 * 8000.0 / 1e12
	attention := 4 * 1000 * 1000 / 2 * 4 * 3.5 * 8000.0 / 1e12
	head := 6 * 1000 * 8000.0 / 1e12
	near(t, "step", q.Seconds(), products+attention+head)

	q.Layout.Recompute = All
	near(t, "step with everything computed again", q.Seconds(), products*4/3+attention*4.5/3.5+head)

	q = small()
	q.Layout.TP = 2
	// Two all-reduces of 2·2,000·1,000 bytes a layer and pass, half of them sent
	// twice, at 10⁹ a second, forward and backward, four layers and micro-batches.
	exchange := 4 * 4 * 2 * 2 * (2 * 0.5 * 4e6 / 1e9)
	near(t, "step of two tensor-parallel ranks", q.Seconds(), (products+attention+head)/2+exchange)

	q = small()
	q.Layout.DP, q.Layout.Global = 4, 32
	q.Shape.Vocab = 0
	// 4 bytes a parameter, three quarters of them on the wire, at 0.75 of the
	// scale-up rate, and nothing hides.
	data := 4 * 48e6 * 0.75 / 0.75e9
	near(t, "step of four replicas", q.Seconds(), products+attention+(data+math.Hypot(data, 0.2*data))/2)
}

// TestPipelineByHand has four micro-batches on two stages: five of them long.
func TestPipelineByHand(t *testing.T) {
	q := small()
	q.Shape.Vocab = 0
	whole := q.Seconds()
	q.Layout.PP = 2
	hand := 4 * 2 * (2 * 2000 * 1000) / 0.5e9
	near(t, "step of two stages", q.Seconds(), whole/2*5/4+hand)
	q.Layout.Virtual = 2
	near(t, "step of two interleaved stages", q.Seconds(), whole/2*4.5/4+2*hand)
}

// TestPartsAreTheStep for layouts of every kind.
func TestPartsAreTheStep(t *testing.T) {
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range known.Models {
		shape, ok := ShapeOf(m)
		if !ok {
			continue
		}
		for _, l := range []Layout{
			{TP: 1, PP: 1, CP: 1, DP: 16, EP: 1, Shards: Parameters},
			{TP: 4, PP: 4, CP: 2, DP: 4, EP: 4, Virtual: 2, Shards: OptimizerState, SequenceParallel: true, Recompute: All},
			{TP: 8, PP: 2, CP: 1, DP: 2, EP: 2, Virtual: 1, Shards: Replicated, Recompute: Attention},
		} {
			l.Sequence, l.Micro, l.Global, l.Flushes = 4096, 1, 64, 1
			q := small()
			q.Shape, q.Layout = shape, l
			q.Coefficients.Spread, q.Coefficients.Fixed, q.Coefficients.Host = 0.01, 0.02, 0.001
			step := q.Step()
			var sum float64
			for _, p := range step.Parts {
				sum += p.Seconds
			}
			near(t, m.ID+": parts", sum, step.Time)
		}
	}
}

// TestShapesCountAsTheCatalogueDoes: parameters but for norms and biases.
func TestShapesCountAsTheCatalogueDoes(t *testing.T) {
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range known.Models {
		shape, ok := ShapeOf(m)
		if !ok {
			continue
		}
		counted, _ := m.Count()
		total, active := shape.Parameters()
		allowed := 0.006
		if m.Position == "learned" {
			allowed = 0.014 // positions are a table of their own
		}
		if math.Abs(total/counted.Total-1) > allowed {
			t.Errorf("%s: %.4g parameters by its shape, %.4g by the catalogue", m.ID, total, counted.Total)
		}
		if counted.Active > 0 && math.Abs(active/counted.Active-1) > 0.02 {
			t.Errorf("%s: %.4g active parameters by its shape, %.4g by the catalogue", m.ID, active, counted.Active)
		}
	}
}

// TestStatesByRecipe: bytes a parameter, without activations.
func TestStatesByRecipe(t *testing.T) {
	const parameters = 48e6
	for _, c := range []struct {
		shards Sharding
		dp     float64
		each   float64
	}{
		{Replicated, 1, 18}, {Replicated, 8, 18}, {OptimizerState, 8, 6 + 12.0/8}, {Parameters, 8, 16.0 / 8},
	} {
		q := small()
		q.Shape.Vocab = 0
		q.Layout.Shards, q.Layout.DP, q.Layout.Global = c.shards, c.dp, 8*c.dp
		m := q.Memory(Storage{})
		near(t, "bytes a parameter", (m.Weights+m.Gradients+m.Optimizer)/parameters, c.each)
	}
}
