package plan

import (
	"math"
	"slices"

	"lockstep/sizing/train"
	"lockstep/sizing/trained"
)

// Estimate is the answer, as one document. Times are seconds, sizes bytes.
type Estimate struct {
	Version       int             `json:"version"`
	Model         string          `json:"model"`
	System        string          `json:"system"`
	Fabric        string          `json:"fabric,omitzero"`
	Nodes         int             `json:"nodes"`
	Accelerators  int             `json:"accelerators"`
	Sequence      int             `json:"seq_len"`
	Batch         int             `json:"global_batch"`
	Precision     string          `json:"precision"`
	Strategy      Layout          `json:"strategy"`
	Step          Bounded         `json:"step_time_s"`
	Grade         trained.Grade   `json:"grade"`
	Breakdown     Breakdown       `json:"breakdown_s"`
	Terms         []Term          `json:"terms"`
	Communication []Communication `json:"communication"`
	Memory        Memory          `json:"memory_bytes"`
	Tokens        float64         `json:"tokens_per_s_per_accelerator"`
	MFU           float64         `json:"mfu"`
	Efficiency    float64         `json:"scaling_efficiency"` // against one replica of the same layout, with nothing to exchange
	Bottleneck    string          `json:"bottleneck"`
	Alternatives  []Alternative   `json:"alternatives"`
	Tried         int             `json:"layouts_tried"`
	Advice        []Note          `json:"advice"`
	Assumptions   []Note          `json:"assumptions"`
	Warnings      []Note          `json:"warnings"`
}

// Layout is a strategy with every degree filled in.
type Layout struct {
	TP        int    `json:"tp"`
	PP        int    `json:"pp"`
	Virtual   int    `json:"vpp"`
	CP        int    `json:"cp"`
	EP        int    `json:"ep"`
	DP        int    `json:"dp"`
	Zero      int    `json:"zero"`
	Micro     int    `json:"micro_batch"`
	Count     int    `json:"micro_batches"`
	Recompute string `json:"recompute"`
	Sequence  bool   `json:"sequence_parallel"`
	Overlap   bool   `json:"overlap"` // of gradients with the backward pass
}

// Bounded is a figure and the interval that holds it nine times in ten.
type Bounded struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Breakdown adds up to the step.
type Breakdown struct {
	Compute    float64 `json:"compute"`
	Exposed    float64 `json:"exposed_communication"`
	Overlapped float64 `json:"overlapped_communication"` // beside computing, and in no sum
	Bubble     float64 `json:"bubble"`
	Other      float64 `json:"other"`
}

// Term is one part of the step.
type Term struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Formula string  `json:"formula"`
}

// Communication is one collective of the step.
type Communication struct {
	Purpose    string  `json:"purpose"`
	Collective string  `json:"collective"`
	Algorithm  string  `json:"algorithm"`
	Group      int     `json:"group_size"`
	Spans      string  `json:"spans"` // node, rack or cluster
	Bytes      float64 `json:"bytes"`
	Count      float64 `json:"count_per_step"`
	Time       float64 `json:"time_s"` // of all of a step, as if alone
	Exposed    float64 `json:"exposed_s"`
}

// Memory is that of the fullest accelerator.
type Memory struct {
	Weights     float64 `json:"weights"`
	Gradients   float64 `json:"gradients"`
	Optimizer   float64 `json:"optimizer"`
	Activations float64 `json:"activations"`
	Buffers     float64 `json:"buffers"`
	Total       float64 `json:"total"`
	Capacity    float64 `json:"capacity"`
	Fits        bool    `json:"fits"` // even if the peak is as far above its formula as any that was measured
}

// Alternative is another layout.
type Alternative struct {
	Strategy Layout  `json:"strategy"`
	Step     float64 `json:"step_time_s"`
	Memory   float64 `json:"memory_bytes"`
	Fits     bool    `json:"fits"`
}

// shown is how many layouts beside the best are told.
const shown = 5

// Estimate finds a layout and prices it. Errors are *schedule.RequestError.
func (a Ask) Estimate(m *trained.Model) (Estimate, error) {
	if err := a.check(); err != nil {
		return Estimate{}, err
	}
	base, err := a.run(train.Layout{TP: 1, PP: 1, CP: 1, DP: float64(a.accelerators()), EP: 1, Virtual: 1, Flushes: 1, Sequence: float64(a.Sequence), Micro: 1, Global: float64(a.accelerators())})
	if err != nil {
		return Estimate{}, err
	}
	if err := a.divides(base); err != nil {
		return Estimate{}, err
	}
	found, tried := a.search(m, base)
	if len(found) == 0 {
		return Estimate{}, refuse("strategy", "no layout of %d accelerators is left; tp·pp·cp must divide their number, dp be what remains, and the micro-batch divide what a replica takes of the batch", a.accelerators())
	}
	run := base.With(found[0].layout)
	e := a.answer(m, run)
	e.Tried = tried
	for _, c := range found[1:min(len(found), 1+shown)] {
		e.Alternatives = append(e.Alternatives, Alternative{Strategy: laid(c.layout), Step: c.seconds, Memory: c.memory, Fits: trained.Fits(c.memory, base.Capacity())})
	}
	return e, nil
}

// divides refuses a strategy that its cluster or model cannot take, by the
// setting that is wrong.
func (a Ask) divides(base trained.Run) error {
	s, n, shape := a.Strategy, a.accelerators(), base.Case.Shape
	for _, d := range []struct {
		name  string
		value int
	}{{"tp", s.TP}, {"pp", s.PP}, {"cp", s.CP}, {"dp", s.DP}} {
		if d.value > 0 && n%d.value != 0 {
			return refuse("strategy", "%s=%d does not divide %d accelerators", d.name, d.value, n)
		}
	}
	layers := int(max(shape.Attends, shape.Plain+shape.Mixing) + shape.Scans.Layers)
	switch {
	case max(1, s.TP)*max(1, s.PP)*max(1, s.CP)*max(1, s.DP) > n:
		return refuse("strategy", "tp·pp·cp·dp is more than %d accelerators", n)
	case s.TP > 0 && int(shape.Heads)%s.TP != 0:
		return refuse("strategy", "tp=%d does not divide the model's %v attention heads", s.TP, shape.Heads)
	case s.PP > layers:
		return refuse("strategy", "pp=%d is more than the model's %d layers", s.PP, layers)
	case s.EP > 1 && shape.Experts.Count == 0:
		return refuse("strategy", "ep=%d; the model has no experts", s.EP)
	case s.EP > 1 && int(shape.Experts.Count)%s.EP != 0:
		return refuse("strategy", "ep=%d does not divide the model's %v experts", s.EP, shape.Experts.Count)
	case a.Batch > 0 && s.DP > 0 && a.Batch%s.DP != 0:
		return refuse("global_batch", "%d sequences cannot be divided among dp=%d", a.Batch, s.DP)
	}
	return nil
}

func laid(l train.Layout) Layout {
	return Layout{
		TP: int(l.TP), PP: int(l.PP), Virtual: int(l.Virtual), CP: int(l.CP), EP: int(l.EP), DP: int(l.DP), Zero: int(l.Shards), Micro: int(l.Micro),
		Count: int(math.Ceil(l.MicroBatches())), Recompute: map[train.Recompute]string{train.Keep: "none", train.Attention: "selective", train.All: "full"}[l.Recompute],
		Sequence: l.SequenceParallel, Overlap: true,
	}
}

// answer puts a priced run into a document.
func (a Ask) answer(m *trained.Model, r trained.Run) Estimate {
	q, factor := m.Price(r)
	step, p, l := q.Step(), m.Predict(r), r.Case.Layout
	e := Estimate{
		Version: 1, Model: a.Model.ID, System: a.System.ID, Nodes: a.Nodes, Accelerators: a.accelerators(), Sequence: a.Sequence, Batch: int(l.Global),
		Precision: a.Precision, Strategy: laid(l), Step: Bounded{p.Seconds, p.Low, p.High}, Grade: p.Grade,
		Advice: []Note{}, Assumptions: []Note{}, Warnings: []Note{}, Communication: []Communication{}, Alternatives: []Alternative{},
	}
	if a.Fabric != nil {
		e.Fabric = a.Fabric.ID
	}
	b := &e.Breakdown
	for _, part := range step.Parts {
		seconds := part.Seconds * factor
		switch part.Name {
		case "products", "attention", "elements", "head":
			b.Compute += seconds
		case "exchange", "shards", "pipe", "data":
			b.Exposed += seconds
		case "bubble":
			b.Bubble += seconds
		default:
			b.Other += seconds
		}
		if seconds > 0 {
			e.Terms = append(e.Terms, Term{part.Name, seconds, part.Formula})
		}
	}
	var all float64
	for _, x := range q.Exchanges() {
		all += x.Each * x.Count * factor
		e.Communication = append(e.Communication, Communication{
			Purpose: x.Purpose, Collective: x.Collective, Algorithm: algorithm(x.Collective), Group: int(x.Group), Spans: a.spans(x.Reach), Bytes: x.Bytes, Count: x.Count,
			Time: x.Each * x.Count * factor, Exposed: math.Min(x.Shown, x.Each*x.Count) * factor,
		})
	}
	b.Overlapped = math.Max(0, all-b.Exposed)
	mem := r.Memory()
	e.Memory = Memory{mem.Weights, mem.Gradients, mem.Optimizer, mem.Activations, mem.Buffers, mem.Total(), r.Capacity(), trained.Fits(mem.Total(), r.Capacity())}
	e.Tokens = l.Global * l.Sequence / p.Seconds / float64(a.accelerators())
	e.MFU = r.Operations() / p.Seconds / float64(a.accelerators()) / r.Peak()
	alone := l
	alone.DP, alone.Global = 1, l.Global/l.DP
	if l.Shards != train.Replicated {
		alone.Shards = train.OptimizerState
	}
	one, oneFactor := m.Price(r.With(alone))
	e.Efficiency = math.Min(1, one.Seconds()*oneFactor/p.Seconds)
	e.Bottleneck = bottleneck(e)
	a.notes(&e, r)
	return e
}

// spans says how far a group of ranks reaches.
func (a Ask) spans(reach float64) string {
	switch {
	case reach <= float64(max(1, a.System.PerNode)):
		return "node"
	case reach <= float64(max(1, a.System.Domain)):
		return "rack"
	}
	return "cluster"
}

// algorithm is what a vendor's library takes for large messages.
func algorithm(collective string) string {
	switch collective {
	case "all-to-all":
		return "pairwise"
	case "send-recv":
		return "direct"
	}
	return "ring"
}

// bottleneck is the largest part of the step.
func bottleneck(e Estimate) string {
	b := e.Breakdown
	parts := []struct {
		name    string
		seconds float64
	}{{"compute", b.Compute}, {"communication", b.Exposed}, {"bubble", b.Bubble}, {"other", b.Other}}
	return slices.MaxFunc(parts, func(x, y struct {
		name    string
		seconds float64
	}) int {
		return compare(x.seconds, y.seconds)
	}).name
}
