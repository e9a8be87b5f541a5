package train

import "math"

// Layout is how a model is spread and what a step holds. Degrees are at least
// 1; TP lies inside CP inside DP inside PP in the order of ranks, and EP inside
// DP.
type Layout struct {
	TP, PP, CP, DP, EP float64
	Virtual            float64 // stages of a pipeline rank; 1 without interleaving
	Sequence           float64 // tokens
	Micro, Global      float64 // sequences of a micro-batch, and of a step
	Shards             Sharding
	SequenceParallel   bool
	Recompute          Recompute
	Adapters           bool    // LoRA: weights are frozen
	Flushes            float64 // how often a step drains the pipeline; 1 as a rule
}

// Sharding is what data-parallel ranks divide among themselves.
type Sharding int

const (
	Replicated     Sharding = iota // all-reduce of gradients
	OptimizerState                 // ZeRO-1
	Gradients                      // ZeRO-2, and FSDP that keeps gathered weights
	Parameters                     // ZeRO-3, FSDP
)

// Recompute is which activations are computed again in the backward pass.
type Recompute int

const (
	Keep      Recompute = iota
	Attention           // Megatron's selective
	EveryOp             // torchtitan's selective: what is cheap to compute
	All
)

// Ranks is how many accelerators a layout takes.
func (l Layout) Ranks() float64 { return l.TP * l.PP * l.CP * l.DP }

// MicroBatches is how many a pipeline takes a step; where the batch does not
// divide it is not whole.
func (l Layout) MicroBatches() float64 { return math.Max(1, l.Global/(l.DP*l.Micro)) }

// tokens is those of a micro-batch on one rank.
func (l Layout) tokens() float64 { return l.Micro * l.Sequence / l.CP }

// stage is the pacing pipeline stage.
type stage struct {
	share float64 // of all layers
	head  float64 // of the head over the vocabulary; the first stage's embedding costs next to nothing
}

// pacing finds it. Where the layers do not divide, the head counts as one layer
// or two, if that makes them; else the stage with the head paces.
func (l Layout) pacing(layers float64, c Coefficients) stage {
	if l.PP <= 1 {
		return stage{share: 1, head: 1}
	}
	for spare := range 3 {
		if slots := (layers + float64(spare)) / l.PP; slots == math.Trunc(slots) {
			if spare > 0 {
				return stage{share: slots / layers}
			}
			if l.Virtual > 1 {
				return stage{share: slots / layers, head: c.HeadInterleaved}
			}
			return stage{share: slots / layers, head: c.HeadPlain}
		}
	}
	return stage{share: math.Ceil(layers/l.PP) / layers}
}
