package train

import "math"

// Exchange is a collective that a rank takes part in during a step.
type Exchange struct {
	Purpose    string // tensor, context, experts, pipeline, gradients, weights or parameters
	Collective string
	Group      float64 // ranks
	Reach      float64 // ranks of the cluster that lie between its first and its last
	Bytes      float64 // of the full buffer of one
	Count      float64 // a step
	Each       float64 // s, as if it were alone
	Shown      float64 // s of a step that computing does not hide, of all of them
}

// Exchanges lists what a step sends, as it is priced by Step.
func (q Case) Exchanges() []Exchange {
	l, s := q.Layout, q.Shape
	n := l.MicroBatches()
	blocks := s.Attends + s.Plain + s.Mixing + s.Scans.Layers
	share := l.pacing(math.Max(s.Attends, s.Plain+s.Mixing)+s.Scans.Layers, q.Coefficients).share
	passes := 2.0
	switch l.Recompute {
	case EveryOp:
		passes += q.RecomputeOp
	case All:
		passes++
	}
	var all []Exchange
	add := func(e Exchange, shown float64) {
		e.Shown = shown * e.Each * e.Count
		all = append(all, e)
	}
	if l.TP > 1 {
		e := Exchange{Purpose: "tensor", Collective: "all-reduce", Group: l.TP, Reach: l.TP, Bytes: q.hiddenBytes(), Count: n * passes * blocks * share, Each: q.tensorEach()}
		if l.SequenceParallel {
			// The same bytes as an all-gather and a reduce-scatter, half the time each.
			e.Collective, e.Each = "all-gather", e.Each/2
			add(e, q.TensorShown)
			e.Collective = "reduce-scatter"
		}
		add(e, q.TensorShown)
	}
	if l.CP > 1 {
		add(Exchange{Purpose: "context", Collective: "send-recv", Group: l.CP, Reach: l.TP * l.CP, Bytes: q.contextBytes(),
			Count: n * passes * s.Attends * share * (l.CP - 1), Each: q.contextEach() / (l.CP - 1)}, q.ContextShown)
	}
	if l.EP > 1 && s.Mixing > 0 {
		add(Exchange{Purpose: "experts", Collective: "all-to-all", Group: l.EP, Reach: l.TP * l.EP, Bytes: q.expertsBytes(),
			Count: n * passes * 2 * s.Mixing * share, Each: q.expertsEach()}, 1)
	}
	if l.PP > 1 {
		add(Exchange{Purpose: "pipeline", Collective: "send-recv", Group: 2, Reach: l.Ranks() / l.PP, Bytes: q.hiddenBytes() / l.TP,
			Count: n * 2 * max(1, l.Virtual), Each: q.pipeEach()}, 1)
	}
	replicas := l.DP * l.CP
	if replicas <= 1 || l.Adapters {
		return all
	}
	step, weights := q.Step(), q.localWeights()
	part := func(name string) float64 {
		for _, p := range step.Parts {
			if p.Name == name {
				return p.Seconds
			}
		}
		return 0
	}
	reach := l.TP * replicas
	data := func(purpose, collective string, bytes, of, count, each, shown float64) {
		e := Exchange{Purpose: purpose, Collective: collective, Group: replicas, Reach: reach, Bytes: bytes, Count: count, Each: each * of}
		e.Shown = shown * of
		all = append(all, e)
	}
	switch l.Shards {
	case Parameters, Gradients:
		count := n
		if l.PP > 1 {
			count = 1
		}
		each, shown := q.shardsMoved(), part("shards")
		if l.PP > 1 {
			each *= n
		}
		gathers, third := 2.0, 1.0/3
		if l.Shards == Gradients {
			gathers, third = 1, 0.5
		}
		data("parameters", "all-gather", 2*weights, third, gathers*count, each, shown*gathers)
		data("gradients", "reduce-scatter", 2*weights, third, count, each, shown)
	case OptimizerState:
		moved, shown := q.dataMoved(), part("data")
		data("gradients", "reduce-scatter", 4*weights, 2.0/3, 1, moved, shown)
		data("weights", "all-gather", 2*weights, 1.0/3, 1, moved, shown)
	default:
		data("gradients", "all-reduce", 2*weights, 1, 1, q.dataMoved(), part("data"))
	}
	return all
}

// localWeights is the parameters of a rank.
func (q Case) localWeights() float64 {
	local, _ := q.stored()
	return local
}
