package train

import "math"

// Part is one named share of a step. Parts of a micro-batch are seconds of one
// micro-batch on the pacing stage; the others of the whole step.
type Part struct {
	Name    string
	Seconds float64
	Formula string // in the letters of Case
}

// Case is one question: a model in a layout on a machine. In formulas b is the
// sequences of a micro-batch, s the sequence, h the hidden size, f the
// feed-forward width, a the heads, V the vocabulary; t, p, c, d, x the degrees
// of tensor, pipeline, context, data and expert parallelism; P the peak, B the
// memory rate.
type Case struct {
	Shape   Shape
	Layout  Layout
	Machine Machine
	Format  Format
	Coefficients
}

// forward is one pass of a micro-batch over the pacing stage.
type forward struct {
	products, attention, elements, head float64
	tensor, experts, context            float64
	host                                float64
}

// pass works out the pieces.
func (q Case) pass() forward {
	var (
		s, l, m = q.Shape, q.Layout, q.Machine
		tok, t  = l.tokens(), l.TP
		layers  = max(s.Attends, s.Plain+s.Mixing) + s.Scans.Layers
		at      = l.pacing(layers, q.Coefficients)
		rate    = sustained * m.Memory
		f       forward
	)
	multiply := func(p product, times, efficiency, peak float64) float64 {
		in, out := p.on(t)
		return times * (2*tok*in*out/(peak*efficiency) + q.Moves*2*(tok*in+in*out+tok*out)/rate)
	}
	for _, p := range s.projections() {
		f.products += multiply(p, s.Attends, q.Product, m.Peak)
	}
	for _, p := range s.forward(s.FFN) {
		f.products += multiply(p, s.Plain, q.Product, m.Peak)
	}
	if s.Experts.Shared > 0 {
		for _, p := range s.forward(s.Experts.Shared) {
			f.products += multiply(p, s.Mixing, q.Product, m.Peak)
		}
	}
	if n := s.Scans.Layers; n > 0 {
		wide := 2*s.Scans.Inner + 2*s.Scans.Groups*s.Scans.State
		f.products += multiply(product{s.Hidden, wide, columns}, n, q.Product16, m.Peak16)
		f.products += multiply(product{s.Scans.Inner, s.Hidden, rows}, n, q.Product16, m.Peak16)
		f.elements += n * (7*s.Scans.Inner*s.Scans.State*tok/t/(0.25*m.Peak16) + q.Scan*2*tok*wide/t/rate)
	}
	f.attention = s.Attends * s.AttentionShare * q.scores(rate)

	spread := 1.0
	if l.SequenceParallel {
		spread = t
	}
	blocks := s.Attends + s.Plain + s.Mixing + s.Scans.Layers
	touched := blocks*5*s.Hidden/spread + s.Plain*(s.Gates+2)*s.FFN/t + s.Mixing*(s.Gates+2)*s.Experts.Shared/t + s.Attends*2*s.qkv()/t
	f.elements += q.Elements * 2 * tok * touched / rate
	if q.Quantise > 0 {
		operands := 2*blocks*s.Hidden + (s.Gates+1)*(s.Plain*s.FFN+s.Mixing*(s.Experts.Shared+s.Experts.PerToken*s.Experts.FFN))/t + s.Attends*s.qkv()/t
		f.elements += q.Quantise * 2 * tok * operands / rate
	}
	f.mix(q, tok, rate)

	if t > 1 {
		f.tensor = (s.Attends + s.Plain + s.Mixing + s.Scans.Layers) * q.TensorShown * q.tensorEach()
	}
	if l.CP > 1 {
		f.context = q.ContextShown * s.Attends * q.contextEach()
	}
	f.host = q.Host*(layers*at.share+q.HostMicro) + q.HostExpert*s.Mixing*at.share
	for _, piece := range []*float64{&f.products, &f.attention, &f.elements, &f.tensor, &f.experts, &f.context} {
		*piece *= at.share
	}
	if at.head > 0 {
		f.head = at.head * (2*tok*s.Hidden*s.Vocab/t/(m.Peak16*q.Product16) + 10*tok*s.Vocab/t/rate)
	}
	return f
}

// scores is the attention of one layer.
func (q Case) scores(rate float64) float64 {
	s, l := q.Shape, q.Layout
	reached := q.Machine.Peak16 * q.Attention * math.Pow(math.Min(1, s.HeadDim/128), q.HeadDim)
	all := 4 * s.Heads / l.TP * s.reach() * l.tokens() * l.Sequence
	if q.Fused {
		return all / 2 / reached
	}
	return all/reached + q.Scores*2*l.Micro*s.Heads/l.TP*l.Sequence*l.Sequence/l.CP/rate
}

// mix adds what experts cost.
func (f *forward) mix(q Case, tok, rate float64) {
	e, l, m := q.Shape.Experts, q.Layout, q.Machine
	if e.Count == 0 {
		return
	}
	slots := tok * e.PerToken / l.TP
	weight := q.Shape.Weights().Expert
	local := e.Count / l.EP * weight
	f.products += q.Shape.Mixing * (2*slots*weight/(m.Peak*q.Product*q.Expert) +
		q.ExpertMove*2*(local+slots*(2*e.Width+(q.Shape.Gates+2)*e.FFN))/rate)
	f.elements += q.Shape.Mixing * q.Dispatch * 4 * slots * e.Width / rate
	if l.EP <= 1 {
		return
	}
	f.experts = q.Shape.Mixing * 2 * q.expertsEach()
}

// expertsEach is one exchange of tokens with experts: what stays in the domain
// and what leaves it.
func (q Case) expertsEach() float64 {
	l, m := q.Layout, q.Machine
	near := math.Min(l.EP, max(1, m.Domain/l.TP))
	inside, across := (near-1)/l.EP, (l.EP-near)/l.EP
	return q.expertsBytes()*(inside/(q.ExpertInside*m.Inside)+across/(q.ExpertNIC*m.NIC)) + q.ExpertCall
}

// expertsBytes is what a rank hands over in one exchange, itself included, in 16
// bits.
func (q Case) expertsBytes() float64 {
	e, l := q.Shape.Experts, q.Layout
	return 2 * l.tokens() * e.PerToken / l.TP * e.Width
}

// hiddenBytes is a micro-batch's hidden states in 16 bits.
func (q Case) hiddenBytes() float64 { return 2 * q.Layout.tokens() * q.Shape.Hidden }

// tensorEach is one all-reduce of hidden states, or the all-gather and the
// reduce-scatter that stand for it.
func (q Case) tensorEach() float64 {
	t := q.Layout.TP
	return 2*(t-1)/t*q.hiddenBytes()/q.tensorRate() + q.TensorCall
}

// contextBytes is the keys and values of a rank's tokens in 16 bits.
func (q Case) contextBytes() float64 {
	return 2 * q.Layout.tokens() * 2 * q.Shape.KVHeads * q.Shape.HeadDim / q.Layout.TP
}

// contextEach is one turn of keys and values round a ring.
func (q Case) contextEach() float64 {
	return (q.Layout.CP - 1) * q.contextBytes() / q.contextRate()
}

// tensorRate is what tensor parallelism moves at.
func (q Case) tensorRate() float64 {
	if q.Layout.TP > q.Machine.Domain {
		return q.TensorAcross * 8 * q.Machine.NIC
	}
	return q.TensorRate * q.Machine.Inside
}

// contextRate is what the ring of context parallelism moves at.
func (q Case) contextRate() float64 {
	if q.Layout.TP*q.Layout.CP > q.Machine.Domain {
		return math.Min(0.6*q.Machine.Inside, q.Machine.NIC*q.Machine.Domain/q.Layout.TP)
	}
	return 0.6 * q.Machine.Inside
}

// Step is a step's time and what it is made of.
type Step struct {
	Time         float64
	Micro        float64 // of a micro-batch, forward and backward, on the pacing stage
	MicroBatches float64
	Parts        []Part
}

// Step prices one.
func (q Case) Step() Step {
	f, l, m := q.pass(), q.Layout, q.Machine
	again, attended, host := 0.0, 0.0, 1.0
	switch l.Recompute {
	case Attention:
		attended = 1
	case EveryOp:
		again = q.RecomputeOp
	case All:
		again, attended, host = 1, 1, 4.0/3
	}
	backward := 2.0
	if l.Adapters {
		backward = 1.05
	}
	products := f.products * (1 + again + backward)
	attention := f.attention * (1 + attended + 2.5)
	elements := f.elements * (2.2 + again)
	shown := (f.tensor + f.experts + f.context) * (2 + again)
	accelerator := products + attention + elements + shown + 3*f.head
	driven := math.Cbrt(math.Pow(accelerator, 3) + math.Pow(f.host*host, 3))
	micro := driven

	weights, owned := q.stored()
	if l.Shards == Parameters || l.Shards == Gradients {
		moved := q.shardsMoved()
		micro = math.Pow(math.Pow(micro, 5)+math.Pow(moved, 5), 0.2) + q.ShardShown*math.Min(moved, micro)
	}

	n := l.MicroBatches()
	bubble := q.Bubble * max(1, l.Flushes) * (l.PP - 1) / max(1, l.Virtual) * micro
	var pipe float64
	if l.PP > 1 {
		pipe = n * 2 * max(1, l.Virtual) * q.pipeEach()
	}
	var data float64
	if l.DP*l.CP > 1 && l.Shards <= OptimizerState {
		all := q.dataMoved()
		hidden := 0.0
		if q.DataHides {
			hidden = 0.6 * 2 / 3 * micro
		}
		over := all - hidden
		data = q.DataShown * (over + math.Hypot(over, 0.2*all)) / 2
	}
	optimizer := q.Optimizer * (30*owned + 6*weights) / (sustained * m.Memory)
	if l.Adapters {
		data, optimizer = 0, 0
	}
	growth := 1 + q.Spread*math.Log2(max(1, l.Ranks()/8))
	step := Step{Micro: micro, MicroBatches: n, Parts: []Part{
		{"products", n * products, "2·M·N·K ÷ (e·P) + kB·2·(MK+KN+MN) ÷ B, × (1+r+2)"},
		{"attention", n * attention, "4·a·dim·b·s²·κ ÷ t ÷ (ea·P16), × (1+r+2.5)"},
		{"elements", n * elements, "passes over what element-wise kernels touch ÷ B"},
		{"exchange", n * shown, "tensor, context and expert parallelism, what is not hidden"},
		{"head", n * 3 * f.head, "3 × (2·b·s·h·V ÷ t ÷ (e·P16) + 10·b·s·V ÷ t ÷ B)"},
		{"host", n * (driven - accelerator), "∛(accelerator³ + host³) − accelerator"},
		{"shards", n * (micro - driven), "parameters that are not there in time"},
		{"bubble", bubble, "(p−1) ÷ v micro-batches"},
		{"pipe", pipe, "4·b·s·h ÷ t ÷ rate a micro-batch"},
		{"data", data, "gradients and weights, what the backward pass does not hide"},
		{"optimizer", optimizer, "(30·owned + 6·local) ÷ B"},
		{"fixed", q.Fixed, "a step"},
		{"spread", (n*micro + bubble + pipe + data) * (growth - 1), "the slowest of many, for each doubling of ranks beyond 8"},
	}}
	step.Time = (n*micro+bubble+pipe+data)*growth + optimizer + q.Fixed
	return step
}

// Seconds is the step's time alone.
func (q Case) Seconds() float64 { return q.Step().Time }

// stored is the parameters of a rank, and those whose optimizer state it owns.
func (q Case) stored() (local, owned float64) {
	s, l, w := q.Shape, q.Layout, q.Shape.Weights()
	dense := (s.Attends*w.Attention + s.Plain*w.Plain + s.Mixing*w.Shared + s.Scans.Layers*w.Scan + 2*w.Table) / (l.TP * l.PP)
	experts := s.Mixing * s.Experts.Count * w.Expert / (l.EP * l.PP)
	replicas := l.DP * l.CP
	local, owned = dense+experts, dense+experts
	if l.Shards >= OptimizerState {
		owned = dense/replicas + experts/max(1, replicas*l.TP/l.EP)
	}
	return local, owned
}

// shardsMoved is how long a micro-batch's gathering of parameters and scattering
// of gradients takes; with a pipeline both happen once a step.
func (q Case) shardsMoved() float64 {
	l := q.Layout
	weights, _ := q.stored()
	passes := 3.0
	if l.Shards == Gradients {
		passes = 2
	}
	moved := weights * passes * (l.DP*l.CP - 1) / (l.DP * l.CP) * 2 / q.shardRate()
	if l.PP > 1 {
		moved /= l.MicroBatches()
	}
	return moved
}

// dataMoved is how long the exchange of gradients takes, and with sharded
// optimizer state that of weights.
func (q Case) dataMoved() float64 {
	l := q.Layout
	weights, _ := q.stored()
	each := q.KeepBytes
	if l.Shards == OptimizerState {
		each = q.GradientBytes
	}
	return weights * each * (l.DP*l.CP - 1) / (l.DP * l.CP) / q.shardRate()
}

// pipeEach is one hand-over between stages.
func (q Case) pipeEach() float64 {
	l := q.Layout
	rate := q.Machine.Inside / 2
	if l.TP*l.PP > q.Machine.Domain {
		rate = q.Machine.NIC
	}
	return q.Pipe*q.hiddenBytes()/l.TP/rate + q.PipeCall
}

// shardRate is what data-parallel exchange moves at: within the domain at the
// scale-up rate, across at what the NICs of the ranks that share one carry
// together.
func (q Case) shardRate() float64 {
	m, l := q.Machine, q.Layout
	inside := 0.75 * m.Inside
	if l.TP*l.CP*l.DP <= m.Domain {
		return inside * q.ShardInside
	}
	return math.Min(inside, 0.85*m.NIC*max(1, m.Domain/l.TP)) * q.ShardAcross
}
