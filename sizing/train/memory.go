package train

import "math"

// Memory is what an accelerator of the fullest pipeline stage holds at the peak
// of a step, in bytes.
type Memory struct{ Weights, Gradients, Optimizer, Activations, Buffers float64 }

// Total is all of it.
func (m Memory) Total() float64 {
	return m.Weights + m.Gradients + m.Optimizer + m.Activations + m.Buffers
}

// Storage is what software keeps beside what the formulas of a model ask for.
type Storage struct {
	Logit    float64 // bytes of each logit
	Gathered float64 // buffers of a micro-batch's hidden states in 16 bits, with shards and tensor parallelism
	Extra    float64 // bytes whatever the model
}

// runtime is what a driver, its libraries and their streams take.
const runtime = 0.5 * (1 << 30)

// recomputedLive is how many layers' activations are there while their part is
// computed again.
const recomputedLive = 1.3

// Memory adds it up: the larger of the first stage, which has most micro-batches
// in flight, and the last, which has the logits.
//
// States: 2 bytes of weight, 4 of gradient and 12 of optimizer a parameter, the
// last divided among data-parallel ranks from ZeRO-1 on, all of it with sharded
// parameters. Source of the activations: the tensors that a backward pass of
// fused kernels reads, counted as Korthikanti et al. (2022) do.
func (q Case) Memory(s Storage) Memory {
	first, last := q.held(s, true), q.held(s, false)
	if q.Layout.PP > 1 && last.Total() > first.Total() || q.Layout.PP <= 1 {
		return last
	}
	return first
}

// held is the memory of one stage. Without a pipeline the last is also the
// first.
func (q Case) held(s Storage, first bool) Memory {
	l, shape, w := q.Layout, q.Shape, q.Shape.Weights()
	replicas := l.DP * l.CP
	layers := math.Max(shape.Attends, shape.Plain+shape.Mixing) + shape.Scans.Layers
	slots := math.Ceil(layers / l.PP)
	share := slots / layers
	// Leading layers without experts lie on the first stage.
	plain, mixing := shape.Plain*share, shape.Mixing*share
	if shape.Mixing > 0 && shape.Scans.Layers == 0 {
		plain = math.Min(shape.Plain, slots)
		if !first {
			plain = slots - math.Min(shape.Mixing, slots)
		}
		mixing = slots - plain
	}
	tables := 1.0
	if l.PP <= 1 && !shape.Tied {
		tables = 2
	}
	dense := (share*(shape.Attends*w.Attention+shape.Scans.Layers*w.Scan) + plain*w.Plain + mixing*w.Shared + tables*w.Table) / l.TP
	experts := mixing * shape.Experts.Count * w.Expert / l.EP
	expertReplicas := math.Max(1, replicas*l.TP/l.EP)

	var m Memory
	switch {
	case l.Adapters:
		m.Weights = 2 * (dense + experts)
		if l.Shards == Parameters {
			m.Weights = 2 * (dense/replicas + experts/expertReplicas)
		}
	case l.Shards == Parameters || l.Shards == Gradients:
		owned := dense/replicas + experts/expertReplicas
		m.Weights, m.Gradients, m.Optimizer, m.Buffers = 4*owned, 4*owned, 8*owned, owned
		if l.Shards == Gradients {
			m.Weights = 2 * (dense + experts)
		}
		if l.PP > 1 {
			m.Weights += 2 * (dense + experts)
			m.Gradients += 2 * (dense + experts)
		}
	case l.Shards == OptimizerState:
		m.Weights, m.Gradients, m.Optimizer = 2*(dense+experts), 4*(dense+experts), 12*(dense/replicas+experts/expertReplicas)
	default:
		m.Weights, m.Gradients, m.Optimizer = 2*(dense+experts), 4*(dense+experts), 12*(dense+experts)
	}

	flying := 1.0
	if first && l.PP > 1 {
		flying = math.Min(l.MicroBatches(), l.PP)
		if l.Virtual > 1 {
			flying *= 1 + (l.PP-1)/(l.PP*l.Virtual)
		}
	}
	m.Activations = q.activations(share, flying)
	if !first || l.PP <= 1 {
		m.Activations += s.Logit * l.tokens() * shape.Vocab / l.TP
	}
	m.Buffers += 3.5 * shape.Vocab * shape.Hidden / l.TP
	if l.Shards == Parameters {
		layer := (w.Attention + math.Max(w.Plain, w.Shared)) / l.TP
		if shape.Mixing > 0 {
			layer += shape.Experts.Count * w.Expert / l.EP
		}
		m.Buffers += 2 * (2*layer + w.Table/l.TP)
		if l.TP > 1 {
			m.Buffers += s.Gathered * 2 * l.tokens() * shape.Hidden
		}
	}
	m.Buffers += runtime + s.Extra
	return m
}

// activations of a stage's share of the layers, with so many micro-batches in
// flight.
func (q Case) activations(share, flying float64) float64 {
	l, s, tok := q.Layout, q.Shape, q.Layout.tokens()
	whole := 1.0 // what tensor parallelism alone does not divide
	if !l.SequenceParallel {
		whole = l.TP
	}
	attention := 10*s.Hidden*whole + 2*s.qkv()
	if !q.Fused && l.Recompute == Keep {
		attention += 5 * s.Heads * l.Sequence / l.CP
	}
	if l.CP > 1 {
		attention += 4 * s.Hidden // what a ring of keys and values keeps of each turn
	}
	plain := 2 * (s.Gates + 1) * s.FFN
	mixing := 2*s.Hidden + s.Experts.PerToken*(4*s.Experts.Width+2*(s.Gates+1)*s.Experts.FFN) + 2*(s.Gates+1)*s.Experts.Shared
	if s.Experts.Count == 0 {
		mixing = 0
	}
	scan := 4*s.Hidden + 2*(2*s.Scans.Inner+2*s.Scans.Groups*s.Scans.State)
	all := tok / l.TP * (s.Attends*attention + s.Plain*plain + s.Mixing*mixing)
	if s.Scans.Layers > 0 {
		all += tok / l.TP * s.Scans.Layers * scan
	}
	layers := math.Max(s.Attends, s.Plain+s.Mixing) + s.Scans.Layers
	switch l.Recompute {
	case All:
		kept := 2 * s.Hidden * tok * layers
		if l.SequenceParallel {
			kept /= l.TP
		}
		return share*flying*kept + recomputedLive*all/layers
	case EveryOp:
		return 0.6 * share * flying * all
	}
	return share * flying * all
}
