package train

// Coefficients are the constants of the formulas for one kind of accelerator
// and one software stack. They are fitted; what a formula calls them stands
// beside each.
type Coefficients struct {
	Product    float64 // e: share of the peak that large products reach
	Product16  float64 // the same in 16 bits, for the head and for scans
	Expert     float64 // of experts' products, against Product
	Attention  float64 // ea: share of the 16-bit peak that attention reaches
	HeadDim    float64 // exponent of min(1, head dimension ÷ 128)
	Fused      bool    // attention never writes its scores
	Scores     float64 // kS: passes over the scores where it does
	Moves      float64 // kB: passes over operands and results of products
	ExpertMove float64 // kBx
	Elements   float64 // kE: passes over what element-wise kernels touch
	Quantise   float64 // k8: passes of bringing operands into 8 or 4 bits; 0 for 16
	Dispatch   float64 // kP: copies of tokens to and from experts
	Scan       float64 // kM: passes of a state-space layer

	Host       float64 // s a layer and micro-batch
	HostMicro  float64 // of a micro-batch beside its layers, in layers
	HostExpert float64 // s a layer with experts beside it

	TensorRate   float64 // share of the scale-up rate; across nodes TensorAcross of 8 NICs
	TensorAcross float64
	TensorCall   float64 // s a call
	TensorShown  float64 // share that is not hidden
	ExpertInside float64 // all-to-all inside the domain, against its rate
	ExpertNIC    float64 // across, against the NIC's: above 1, for part is hidden and a token goes once a node
	ExpertCall   float64 // s a call
	ContextShown float64

	ShardInside, ShardAcross, ShardShown float64 // of gathered and scattered shards
	DataShown                            float64
	DataHides                            bool // behind the backward pass

	Pipe, PipeCall           float64 // point-to-point, against the rate; s a call
	HeadPlain                float64 // the head beside the layers of the last stage
	HeadInterleaved          float64
	Bubble                   float64 // share of the ideal bubble
	Spread                   float64 // growth of a step for each doubling of ranks beyond 8
	Optimizer, Fixed         float64
	RecomputeOp              float64 // share of a forward pass that torchtitan's selective repeats
	GradientBytes, KeepBytes float64 // a parameter on the data-parallel wire with and without sharding
}
