package plan

import "lockstep/sizing/trained"

// Failed is a step after something of the cluster was lost, as one document.
type Failed struct {
	Version int      `json:"version"`
	Base    Estimate `json:"base"`
	NIC     *Loss    `json:"nic_lost,omitempty"`  // one of a node's; absent where it has no other, or there is one node
	Node    *Loss    `json:"node_lost,omitempty"` // absent where there is one, or no layout is left
}

// Loss is the step then.
type Loss struct {
	Nodes    int     `json:"nodes"`                            // that work
	NIC      float64 `json:"nic_gbytes_per_s_per_accelerator"` // on the slowest node
	Strategy Layout  `json:"strategy"`
	Kept     bool    `json:"layout_kept"` // but for the replicas that went with the node
	Step     Bounded `json:"step_time_s"`
	Tokens   float64 `json:"tokens_per_s"` // of the whole cluster
	Change   float64 `json:"change"`       // in tokens a second, as a share of the base's
	Fits     bool    `json:"fits"`
}

// Failed prices the ask whole, with a NIC less and with a node less, the batch
// held. A lost NIC leaves the layout; as all wait for the slowest node, every
// rate between nodes falls with it. A lost node leaves the layout where its
// degrees divide what remains and it still fits; else the faster counts of the
// best layout on all that remains, and the same on as many nodes as it divides,
// the others idle.
// Errors are *schedule.RequestError.
func (a Ask) Failed(m *trained.Model) (Failed, error) {
	base, err := a.Estimate(m)
	if err != nil {
		return Failed{}, err
	}
	f := Failed{Version: 1, Base: base}
	a.Sequence, a.Precision, a.Batch, a.Strategy = base.Sequence, base.Precision, base.Batch, base.Strategy.fixed()
	if k := a.System.NICs; k > 1 && a.Nodes > 1 {
		b := a.withNIC(a.nic() * float64(k-1) / float64(k))
		e, err := b.Estimate(m)
		if err != nil {
			return Failed{}, err
		}
		f.NIC = b.loss(base, e, true)
	}
	f.Node, err = a.without(m, base)
	return f, err
}

// without is the step with a node less: nil where there is one, or nothing runs.
func (a Ask) without(m *trained.Model, base Estimate) (*Loss, error) {
	left := a.Nodes - 1
	if left < 1 {
		return nil, nil
	}
	s := a.Strategy
	var best *Loss
	for a.Nodes = left; a.Nodes > 0; a.Nodes-- {
		if a.accelerators()%(s.TP*s.PP*s.CP) != 0 {
			continue
		}
		e, err := a.Estimate(m)
		if err != nil && !withoutLayout(err) {
			return nil, err
		}
		if err == nil && e.Memory.Fits {
			best = a.loss(base, e, true)
		}
		break
	}
	if best != nil && best.Nodes == left {
		return best, nil
	}
	a.Nodes, a.Strategy = left, Auto()
	e, err := a.Estimate(m)
	switch {
	case withoutLayout(err):
		return best, nil
	case err != nil:
		return nil, err
	case best == nil || e.Memory.Fits && e.rate() > best.Tokens:
		best = a.loss(base, e, false)
	}
	return best, nil
}

func (a Ask) loss(base, e Estimate, kept bool) *Loss {
	return &Loss{
		Nodes: a.Nodes, NIC: a.nic(), Strategy: e.Strategy, Kept: kept, Step: e.Step, Tokens: e.rate(), Change: e.rate()/base.rate() - 1, Fits: e.Memory.Fits,
	}
}

// fixed asks for the layout again, with as many replicas as there is room for.
func (l Layout) fixed() Strategy {
	return Strategy{TP: l.TP, PP: l.PP, CP: l.CP, EP: l.EP, Virtual: l.Virtual, Micro: l.Micro, Zero: l.Zero, Recompute: l.Recompute}
}
