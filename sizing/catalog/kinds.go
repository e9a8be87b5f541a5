package catalog

// Basis is what figures of an own entry rest on.
type Basis string

// The bases.
const (
	Measured Basis = "measured" // found by whoever entered it
	Stated   Basis = "stated"   // said by a data sheet, an offer, a publication
	Assumed  Basis = "assumed"  // recalled, generic, inferred or guessed
)

// Bases lists them, the firmest first.
func Bases() []Basis { return []Basis{Measured, Stated, Assumed} }

// Origin is where an entry comes from and what of it is doubtful.
type Origin struct {
	Source     string   `json:"source"`
	Verified   bool     `json:"verified"`          // false for one that is recalled, generic or inferred
	Basis      Basis    `json:"basis,omitzero"`    // said of own entries; the others are Stated where they are verified
	Own        bool     `json:"own,omitzero"`      // entered by a user
	Unverified []string `json:"unverified_fields"` // keys whose figures no source confirms; "all" for every one
}

// Rests is what the entry's figures rest on, save those in Unverified.
func (o Origin) Rests() Basis {
	switch {
	case o.Basis != "":
		return o.Basis
	case o.Verified:
		return Stated
	}
	return Assumed
}

// Accelerator is what computes. Figures that no source tells are 0, and absent
// from JSON.
type Accelerator struct {
	ID              string  `json:"id"`
	Vendor          string  `json:"vendor,omitzero"`
	Name            string  `json:"name"`
	Year            int     `json:"year,omitzero"`
	Memory          float64 `json:"memory_gb,omitzero"` // 10⁹ bytes as the maker counts
	MemoryType      string  `json:"memory_type,omitzero"`
	MemoryBandwidth float64 `json:"memory_bandwidth_gbytes_per_s,omitzero"`
	TF32            float64 `json:"tf32_dense_tflops,omitzero"`
	BF16            float64 `json:"bf16_dense_tflops,omitzero"`
	FP16            float64 `json:"fp16_dense_tflops,omitzero"`
	FP8             float64 `json:"fp8_dense_tflops,omitzero"`
	FP4             float64 `json:"fp4_dense_tflops,omitzero"`
	ScaleUp         string  `json:"scaleup_link,omitzero"`
	Links           int     `json:"scaleup_link_count,omitzero"`
	ScaleUpRate     float64 `json:"scaleup_bandwidth_gbytes_per_s_per_direction,omitzero"`
	PeerRate        float64 `json:"scaleup_peer_bandwidth_gbytes_per_s_per_direction,omitzero"` // to one other
	Power           float64 `json:"tdp_w,omitzero"`
	PCIe            string  `json:"pcie,omitzero"`
	MeasuredBF16    float64 `json:"measured_max_bf16_matmul_tflops,omitzero"`
	Notes           string  `json:"notes,omitzero"`
	Origin
}

// System is a node, or a rack that acts as one.
type System struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Accelerator string   `json:"accelerator"` // its ID
	PerNode     int      `json:"accelerators_per_node"`
	Topology    string   `json:"scaleup_topology,omitzero"`
	Domain      int      `json:"scaleup_domain_size,omitzero"`
	ScaleUpRate float64  `json:"scaleup_bandwidth_gbytes_per_s_per_direction,omitzero"`
	NICs        int      `json:"nics_per_node,omitzero"`
	NICRate     float64  `json:"nic_gbits_per_s_each,omitzero"`
	NodeRate    float64  `json:"nic_gbits_per_s_total,omitzero"`
	Share       float64  `json:"nic_gbytes_per_s_per_accelerator,omitzero"` // of NodeRate, in bytes
	NIC         string   `json:"nic_type,omitzero"`
	HostMemory  float64  `json:"host_ram_gb,omitzero"`
	Power       float64  `json:"power_kw,omitzero"`
	Clouds      []string `json:"cloud_instances,omitempty"`
	NodeBusBW   float64  `json:"intra_node_allreduce_busbw_gbytes_per_s,omitzero"` // measured
	Notes       string   `json:"notes,omitzero"`
	Origin
}

// Fabric is what joins nodes, or accelerators of a node.
type Fabric struct {
	ID             string  `json:"id"`
	Family         string  `json:"family,omitzero"`
	Generation     string  `json:"generation"`
	Rate           float64 `json:"line_rate_gbits_per_s,omitzero"`
	ByteRate       float64 `json:"line_rate_gbytes_per_s,omitzero"` // the same in bytes
	Fraction       float64 `json:"typical_effective_fraction,omitzero"`
	FractionIs     string  `json:"effective_fraction_kind,omitzero"`
	FractionBasis  string  `json:"effective_fraction_basis,omitzero"`
	Latency        float64 `json:"one_way_latency_us,omitzero"`
	LatencyBasis   string  `json:"latency_basis,omitzero"`
	NCCLLatency    float64 `json:"nccl_net_latency_us,omitzero"`
	SHARP          bool    `json:"supports_sharp"`
	InNetwork      string  `json:"in_network_reduction,omitzero"`
	MessageRate    float64 `json:"max_message_rate_million_per_s,omitzero"`
	Oversubscribed float64 `json:"typical_oversubscription_ratio,omitzero"`
	OversubBasis   string  `json:"oversubscription_basis,omitzero"`
	Notes          string  `json:"notes,omitzero"`
	Origin
}

// Model is what is trained. Its shape is counted by Count.
type Model struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Family  string  `json:"family,omitzero"`
	Kind    string  `json:"kind"`                     // decoder, encoder, cnn or abstract
	Params  float64 `json:"computed_params,omitzero"` // from its fields; 0 where they do not tell
	Stated  float64 `json:"total_params,omitzero"`
	StateIs string  `json:"total_params_basis,omitzero"`     // how exact Stated is
	Active  float64 `json:"computed_active_params,omitzero"` // of a mixture of experts
	Claimed float64 `json:"active_params,omitzero"`          // as stated

	Layers   int    `json:"layers,omitzero"`
	Hidden   int    `json:"hidden_size,omitzero"`
	FFN      int    `json:"ffn_hidden_size,omitzero"`
	Heads    int    `json:"attention_heads,omitzero"`
	KVHeads  int    `json:"kv_heads,omitzero"`
	HeadDim  int    `json:"head_dim,omitzero"`
	Vocab    int    `json:"vocab_size,omitzero"`
	Sequence int    `json:"max_seq_len,omitzero"`
	Tied     bool   `json:"tie_embeddings,omitzero"`
	Gated    bool   `json:"gated_ffn,omitzero"`
	Attends  string `json:"attention_type,omitzero"`     // mha, gqa, mqa or mla
	Position string `json:"position_embedding,omitzero"` // rope, learned or alibi

	QKVBias       bool   `json:"qkv_bias,omitzero"`
	LinearBias    bool   `json:"linear_bias,omitzero"` // of every projection
	Norms         int    `json:"norms_per_layer,omitzero"`
	Norm          string `json:"norm,omitzero"` // rms or layer; empty for layer where projections have biases, else rms
	QKNorm        bool   `json:"qk_norm,omitzero"`
	EmbeddingNorm bool   `json:"embedding_norm,omitzero"`
	Sinks         bool   `json:"attention_sinks,omitzero"` // one learned weight a head
	HeadBias      bool   `json:"head_bias,omitzero"`       // of the head over the vocabulary

	Experts     int `json:"experts,omitzero"`
	PerToken    int `json:"experts_per_token,omitzero"`
	ExpertFFN   int `json:"moe_ffn_hidden_size,omitzero"`
	Shared      int `json:"shared_experts,omitzero"`
	SharedFFN   int `json:"shared_expert_ffn_hidden_size,omitzero"` // of each; 0 for ExpertFFN
	FirstDense  int `json:"first_dense_layers,omitzero"`
	ExpertEvery int `json:"moe_layer_freq,omitzero"` // 1 for every layer, 2 for every other

	QueryRank  int `json:"q_lora_rank,omitzero"` // latent attention; 0 for queries that are not compressed
	KVRank     int `json:"kv_lora_rank,omitzero"`
	NopeDim    int `json:"qk_nope_head_dim,omitzero"`
	RopeDim    int `json:"qk_rope_head_dim,omitzero"`
	ValueDim   int `json:"v_head_dim,omitzero"`
	Predicting int `json:"mtp_layers,omitzero"` // layers for multi-token prediction; not counted

	Off       float64 `json:"relative_difference,omitzero"` // of Params from Stated
	OffActive float64 `json:"relative_difference_active,omitzero"`
	Note      string  `json:"note,omitzero"`
	Origin
}

// Parameters is how many a model has: by its fields, or as stated where they do
// not tell.
func (m Model) Parameters() float64 {
	if m.Params > 0 {
		return m.Params
	}
	return m.Stated
}
