package plan

import (
	"slices"

	"lockstep/sizing/trained"
)

// Sensitivity is what single changes would buy, as one document.
type Sensitivity struct {
	Version int      `json:"version"`
	Base    Estimate `json:"base"`
	Changes []Change `json:"changes"` // what buys most first; what does not fit last
}

// Change is a step with one thing changed, in the layout that is best then.
type Change struct {
	Code     string  `json:"code"`
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Unit     string  `json:"unit"` // of From and To
	Batch    int     `json:"global_batch"`
	Strategy Layout  `json:"strategy"`
	Step     Bounded `json:"step_time_s"`
	Tokens   float64 `json:"tokens_per_s"` // of the whole cluster
	Gain     float64 `json:"gain"`         // in tokens a second over the base, as a share of its
	Fits     bool    `json:"fits"`
}

// change is one thing made larger.
type change struct {
	code, unit string
	from, to   float64
	ask        Ask
}

// greaterPeak is how much more an accelerator's peak is taken to be; everything else
// is doubled, but for the nodes.
const greaterPeak = 1.25

// Sensitivity prices the ask and its changes. The batch is that of the base,
// but where the change is the batch, or the sequence or the nodes and none was
// asked for: then it is what is usual. Errors are *schedule.RequestError.
func (a Ask) Sensitivity(m *trained.Model) (Sensitivity, error) {
	base, err := a.Estimate(m)
	if err != nil {
		return Sensitivity{}, err
	}
	a.Sequence, a.Precision = base.Sequence, base.Precision
	s := Sensitivity{Version: 1, Base: base, Changes: []Change{}}
	for _, c := range append(a.faster(base.Batch), a.larger(base)...) {
		e, err := c.ask.Estimate(m)
		if withoutLayout(err) {
			continue
		}
		if err != nil {
			return Sensitivity{}, err
		}
		s.Changes = append(s.Changes, Change{
			Code: c.code, From: c.from, To: c.to, Unit: c.unit, Batch: e.Batch, Strategy: e.Strategy, Step: e.Step, Tokens: e.rate(), Gain: e.rate()/base.rate() - 1, Fits: e.Memory.Fits,
		})
	}
	slices.SortStableFunc(s.Changes, func(x, y Change) int {
		if x.Fits != y.Fits {
			if x.Fits {
				return -1
			}
			return 1
		}
		return compare(y.Gain, x.Gain)
	})
	return s, nil
}

// faster are the changes of hardware.
func (a Ask) faster(batch int) (all []change) {
	a.Batch = batch
	if a.Nodes > 1 {
		rate := a.nic()
		b := a.withNIC(2 * rate)
		all = append(all, change{"nic-rate", "GB/s", rate, 2 * rate, b})
	}
	if a.System.Domain > 1 {
		b, rate := a, a.inside()
		b.System.ScaleUpRate = 2 * rate
		all = append(all, change{"scale-up-rate", "GB/s", rate, 2 * rate, b})
	}
	b := a
	peak := max(b.Chip.BF16, b.Chip.FP16)
	for _, p := range []*float64{&b.Chip.BF16, &b.Chip.FP16, &b.Chip.FP8, &b.Chip.FP4} {
		*p *= greaterPeak
	}
	all = append(all, change{"accelerator-peak", "Tflop/s in 16 bits", peak, greaterPeak * peak, b})
	b = a
	b.Chip.Memory *= 2
	all = append(all, change{"memory-capacity", "GB", a.Chip.Memory, b.Chip.Memory, b})
	if bits := map[string]float64{"bf16": 16, "fp16": 16}[a.Precision]; bits > 0 && a.Chip.FP8 > 0 {
		b = a
		b.Precision = "fp8"
		all = append(all, change{"precision", "bits", bits, 8, b})
	}
	return all
}

// larger are the changes of what is run, and on how much.
func (a Ask) larger(base Estimate) (all []change) {
	batch := base.Batch
	if next := a.nodesMore(base.Strategy); next > a.Nodes {
		b := a
		b.Nodes = next
		all = append(all, change{"nodes", "nodes", float64(a.Nodes), float64(next), b})
	}
	if 2*batch <= MaxBatch {
		b := a
		b.Batch = 2 * batch
		all = append(all, change{"global-batch", "sequences", float64(batch), float64(2 * batch), b})
	}
	if 2*a.Sequence <= MaxSequence {
		b := a
		b.Sequence = 2 * a.Sequence
		all = append(all, change{"sequence", "tokens", float64(a.Sequence), float64(2 * a.Sequence), b})
	}
	return all
}

// nodesMore is the next number of nodes that the layout's degrees divide, or the
// ask's own where none does up to twice it.
func (a Ask) nodesMore(l Layout) int {
	for n := a.Nodes + 1; n <= min(2*a.Nodes, MaxNodes); n++ {
		b := a
		b.Nodes = n
		if b.accelerators()%(l.TP*l.PP*l.CP) == 0 {
			return n
		}
	}
	return a.Nodes
}

// withNIC is the ask with another rate between nodes, in GB/s and accelerator.
func (a Ask) withNIC(rate float64) Ask {
	a.Fabric = nil
	a.System.Share = rate
	return a
}
