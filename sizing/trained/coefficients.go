package trained

import "lockstep/sizing/train"

// coefficients are the constants that a run's formulas take.
func (k *constants) coefficients(r *Run) train.Coefficients {
	old, foundry := r.Class.old(), r.Source == "foundry"
	c := train.Coefficients{
		Product16: k.sixteen(r.Gen), Expert: k[experts] / 0.72, Attention: k.attends(r.Gen), HeadDim: k[headDim], Fused: !old, Scores: k[scores],
		Moves: k[moves], ExpertMove: k[movesExperts], Elements: k[elements], Dispatch: k[dispatch], Scan: k[scan],
		Host: k[hostNew], HostMicro: k[hostMicro], TensorRate: k[tensorRate], TensorAcross: k[tensorAcross], TensorCall: k[tensorCall], TensorShown: k[tensorShown],
		ExpertInside: k[expertInside], ExpertNIC: k[expertNIC], ExpertCall: k[expertCall], ContextShown: k[context],
		ShardInside: k[shardInside], ShardAcross: k[shardAcross], ShardShown: k[shardShown], DataShown: k[dataShown], DataHides: !old,
		Pipe: k[pipe], HeadPlain: k[headPlain], HeadInterleaved: k[headVirtual], Bubble: 1, Spread: k[spread],
		Optimizer: k[optimizer], Fixed: k[fixed], RecomputeOp: 0.35, GradientBytes: 6, KeepBytes: 4,
	}
	c.Product = c.Product16
	switch f := r.Case.Format; {
	case f == train.EightRows:
		c.Product = k[productRows]
	case f == train.Eight && r.Gen == blackwell:
		c.Product = k[productFP8Blackwell]
	case f == train.Eight:
		c.Product = k[productFP8Hopper]
	case f == train.MXEight:
		c.Product = k[productMX]
	case f == train.Four:
		c.Product = k[productFP4]
	}
	switch r.Case.Format {
	case train.Eight, train.EightRows:
		c.Quantise = k[quantise]
	case train.MXEight, train.Four:
		c.Quantise = k[quantiseBlocks]
	}
	switch {
	case old:
		c.Elements, c.Moves, c.Host = k[elementsOld], k[movesOld], k[hostOld]
		if r.Case.Layout.TP >= 8 {
			c.Host *= 1 + k[hostWide]
		}
		c.TensorRate, c.TensorShown, c.DataShown, c.Pipe, c.Fixed, c.Bubble = k[tensorRateOld], 1, k[dataShownOld], k[pipeOld], k[fixedOld], k[bubbleOld]
	case foundry:
		c.Elements, c.Moves, c.Host, c.Fixed = k[elementsFoundry], k[movesFoundry], k[hostFoundry], k[fixedFoundry]
		if r.Gen == hopper {
			c.Attention *= k[attentionFoundry]
		}
	case r.Class == torch:
		c.Host = k[hostTitan]
	}
	if r.Eager {
		c.Elements = k[elementsEager]
	}
	if r.Source == "titan" && r.Case.Layout.CP > 1 {
		c.Attention *= k[attentionTitan]
	}
	if r.Case.Layout.Virtual > 1 {
		c.Pipe, c.PipeCall = k[pipeVirtual], k[pipeCall]
	}
	switch {
	case !r.Mixes():
	case r.Class == torch:
		c.HostExpert = k[hostExpertsTitan]
	case r.Version >= "26.06" || r.Version == "":
		c.HostExpert = k[hostExpertsPost]
	default:
		c.HostExpert = k[hostExpertsNew]
	}
	return c
}

// sixteen is the share of the 16-bit peak that products reach. What was never
// measured is taken for the lowest of its time.
func (k *constants) sixteen(g generation) float64 {
	switch g {
	case volta:
		return k[productVolta]
	case ampere:
		return k[productAmpere]
	case blackwell:
		return k[productBlackwell]
	case tpu4:
		return k[productTPU4]
	case tpu5e:
		return k[productTPU5e]
	case tpu5p:
		return k[productTPU5p]
	}
	return k[productHopper]
}

// attends is the share of the 16-bit peak that attention reaches.
func (k *constants) attends(g generation) float64 {
	switch g {
	case volta:
		return k[attentionVolta]
	case ampere:
		return k[attentionAmpere]
	case blackwell:
		return k[attentionBlackwell]
	case tpu4:
		return k[attentionTPU4]
	case tpu5e:
		return k[attentionTPU5e]
	case tpu5p:
		return k[attentionTPU5p]
	}
	return k[attentionHopper]
}

// physics is the step's time by the formulas alone.
func (k *constants) physics(r *Run) float64 {
	q := r.Case
	q.Coefficients = k.coefficients(r)
	return q.Seconds()
}
