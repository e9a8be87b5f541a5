package trained

// The constants of the formulas, by what they belong to. Names are those of
// constants.json.
const (
	productVolta = iota
	productAmpere
	productHopper
	productBlackwell
	productTPU4
	productTPU5e
	productTPU5p
	productFP8Hopper
	productFP8Blackwell
	productMX
	productFP4
	productRows
	attentionVolta
	attentionAmpere
	attentionHopper
	attentionBlackwell
	attentionTPU4
	attentionTPU5e
	attentionTPU5p
	headDim
	attentionFoundry
	attentionTitan
	elements
	elementsOld
	elementsFoundry
	elementsEager
	scores
	moves
	movesOld
	movesFoundry
	movesExperts
	quantise
	quantiseBlocks
	hostOld
	hostFoundry
	hostTitan
	hostNew
	hostWide
	hostExpertsNew
	hostExpertsPost
	hostExpertsTitan
	experts
	dispatch
	expertInside
	expertNIC
	expertCall
	tensorShown
	tensorRate
	tensorRateOld
	tensorCall
	tensorAcross
	shardInside
	shardAcross
	shardShown
	dataShown
	dataShownOld
	optimizer
	fixed
	fixedOld
	fixedFoundry
	pipe
	pipeVirtual
	pipeCall
	pipeOld
	headPlain
	headVirtual
	spread
	scan
	context
	bubbleOld
	hostMicro
	constantCount
)

// constants are their values, in the order above.
type constants [constantCount]float64

// prior is what a constant is taken for before a run is seen: its value and how
// far it may be off, as the standard deviation of its logarithm. Values are
// what kernels of that kind usually reach; they are wide.
type prior struct {
	name       string
	value, off float64
}

var priors = [constantCount]prior{
	productVolta:        {"product-bf16-volta", 0.6, 0.2},
	productAmpere:       {"product-bf16-ampere", 0.75, 0.1},
	productHopper:       {"product-bf16-hopper", 0.72, 0.1},
	productBlackwell:    {"product-bf16-blackwell", 0.75, 0.1},
	productTPU4:         {"product-bf16-tpu-v4", 0.7, 0.2},
	productTPU5e:        {"product-bf16-tpu-v5e", 0.75, 0.2},
	productTPU5p:        {"product-bf16-tpu-v5p", 0.8, 0.2},
	productFP8Hopper:    {"product-fp8-hopper", 0.6, 0.12},
	productFP8Blackwell: {"product-fp8-blackwell", 0.65, 0.12},
	productMX:           {"product-mxfp8", 0.6, 0.15},
	productFP4:          {"product-nvfp4", 0.5, 0.2},
	productRows:         {"product-fp8-rows", 0.35, 0.3},
	attentionVolta:      {"attention-volta", 0.25, 0.15},
	attentionAmpere:     {"attention-ampere", 0.38, 0.15},
	attentionHopper:     {"attention-hopper", 0.36, 0.15},
	attentionBlackwell:  {"attention-blackwell", 0.42, 0.15},
	attentionTPU4:       {"attention-tpu-v4", 0.4, 0.15},
	attentionTPU5e:      {"attention-tpu-v5e", 0.4, 0.15},
	attentionTPU5p:      {"attention-tpu-v5p", 0.4, 0.15},
	headDim:             {"attention-head-dim", 0.5, 0.4},
	attentionFoundry:    {"attention-foundry-hopper", 0.7, 0.3},
	attentionTitan:      {"attention-context-torchtitan", 0.6, 0.3},
	elements:            {"elements", 2.0, 0.3},
	elementsOld:         {"elements-old", 2.0, 0.4},
	elementsFoundry:     {"elements-foundry", 1.5, 0.4},
	elementsEager:       {"elements-eager", 2.0, 0.4},
	scores:              {"scores", 6.0, 0.4},
	moves:               {"moves", 1.0, 0.3},
	movesOld:            {"moves-old", 2.0, 0.3},
	movesFoundry:        {"moves-foundry", 1.3, 0.3},
	movesExperts:        {"moves-experts", 1.5, 0.3},
	quantise:            {"quantise", 2.0, 0.3},
	quantiseBlocks:      {"quantise-blocks", 3.0, 0.3},
	hostOld:             {"host-old", 0.0012, 0.3},
	hostFoundry:         {"host-foundry", 0.0005, 0.5},
	hostTitan:           {"host-torch", 0.0003, 0.5},
	hostNew:             {"host-nemo", 0.0003, 0.4},
	hostWide:            {"host-tensor-8", 0.2, 0.7},
	hostExpertsNew:      {"host-experts-before-26.06", 0.006, 0.2},
	hostExpertsPost:     {"host-experts-26.06", 0.002, 0.3},
	hostExpertsTitan:    {"host-experts-torch", 0.002, 0.5},
	experts:             {"experts", 0.65, 0.15},
	dispatch:            {"dispatch", 2.5, 0.25},
	expertInside:        {"all-to-all-inside", 1.0, 0.25},
	expertNIC:           {"all-to-all-across", 1.8, 0.3},
	expertCall:          {"all-to-all-call", 8e-05, 0.4},
	tensorShown:         {"tensor-shown", 0.6, 0.25},
	tensorRate:          {"tensor-rate", 0.65, 0.2},
	tensorRateOld:       {"tensor-rate-old", 0.65, 0.3},
	tensorCall:          {"tensor-call", 1.5e-05, 0.5},
	tensorAcross:        {"tensor-across", 0.5, 0.4},
	shardInside:         {"shards-inside", 0.9, 0.3},
	shardAcross:         {"shards-across", 0.8, 0.3},
	shardShown:          {"shards-shown", 0.2, 0.5},
	dataShown:           {"data-shown", 0.3, 0.4},
	dataShownOld:        {"data-shown-old", 0.8, 0.4},
	optimizer:           {"optimizer", 1.0, 0.3},
	fixed:               {"fixed", 0.03, 0.7},
	fixedOld:            {"fixed-old", 0.02, 0.7},
	fixedFoundry:        {"fixed-foundry", 0.03, 0.7},
	pipe:                {"pipe", 1.0, 0.6},
	pipeVirtual:         {"pipe-virtual", 0.4, 0.5},
	pipeCall:            {"pipe-call", 0.0002, 1.0},
	pipeOld:             {"pipe-old", 1.0, 0.6},
	headPlain:           {"head-plain", 1.0, 0.2},
	headVirtual:         {"head-virtual", 0.7, 0.4},
	spread:              {"spread", 0.004, 0.7},
	scan:                {"scan", 30.0, 0.4},
	context:             {"context-shown", 0.3, 0.7},
	bubbleOld:           {"bubble-old", 1.0, 0.05},
	hostMicro:           {"host-micro-batch", 2, 0.5},
}
