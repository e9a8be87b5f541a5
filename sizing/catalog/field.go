package catalog

// Takes is what a field holds.
type Takes string

// What fields take.
const (
	TakesText   Takes = "text"
	TakesWhole  Takes = "whole"  // a whole number
	TakesNumber Takes = "number" // in the field's unit
	TakesFlag   Takes = "flag"   // true or false
	TakesWord   Takes = "word"   // one of Words
	TakesTexts  Takes = "texts"  // a list
	TakesEntry  Takes = "entry"  // the ID of an entry of Of
)

// Group is the fields that belong together for people.
type Group string

// The groups, in their order. The first is what an entry can hardly do without.
const (
	GroupMain    Group = "main"
	GroupDetail  Group = "detail"
	GroupExperts Group = "experts"
	GroupLatent  Group = "latent"
	GroupOrigin  Group = "origin"
)

// Groups lists them.
func Groups() []Group {
	return []Group{GroupMain, GroupDetail, GroupExperts, GroupLatent, GroupOrigin}
}

// Field is what one key of an entry takes.
type Field struct {
	Key         string // in JSON
	Group       Group
	Takes       Takes
	Unit        string  // of a number, empty for none
	Least, Most float64 // of a number; of a text the characters
	Needed      bool
	Words       []string
	Of          Kind
}

const (
	maxID    = 40
	maxName  = 80
	maxText  = 400
	maxLarge = 1e6
)

// Fields lists what an entry of a kind is made of, in the order of its form.
func Fields(k Kind) []Field {
	fields := []Field{{Key: "id", Group: GroupMain, Takes: TakesText, Least: 1, Most: maxID, Needed: true}}
	origin := text("notes", maxText).in(GroupOrigin)
	switch k {
	case Accelerators:
		fields = append(fields, acceleratorFields()...)
	case Systems:
		fields = append(fields, systemFields()...)
	case Fabrics:
		fields = append(fields, fabricFields()...)
	case Models:
		fields = append(fields, modelFields()...)
		origin.Key = "note"
	}
	bases := make([]string, 0, 3)
	for _, b := range Bases() {
		bases = append(bases, string(b))
	}
	return append(fields,
		text("source", maxText).needed().in(GroupOrigin),
		word("basis", bases...).needed().in(GroupOrigin),
		Field{Key: "unverified_fields", Group: GroupOrigin, Takes: TakesTexts, Most: maxName},
		origin,
	)
}

func text(key string, most float64) Field {
	return Field{Key: key, Group: GroupMain, Takes: TakesText, Most: most}
}

func whole(key string, least, most float64) Field {
	return Field{Key: key, Group: GroupMain, Takes: TakesWhole, Least: least, Most: most}
}

func number(key, unit string, least, most float64) Field {
	return Field{Key: key, Group: GroupMain, Takes: TakesNumber, Unit: unit, Least: least, Most: most}
}

func flag(key string) Field { return Field{Key: key, Group: GroupMain, Takes: TakesFlag} }

func word(key string, words ...string) Field {
	return Field{Key: key, Group: GroupMain, Takes: TakesWord, Words: words}
}

func (f Field) needed() Field    { f.Needed = true; return f }
func (f Field) in(g Group) Field { f.Group = g; return f }

// The bounds leave room for what will be built, and none for a wrong unit: a
// rate in bits where bytes are asked for, memory in bytes.

func acceleratorFields() []Field {
	tflops := func(key string) Field { return number(key, "TFLOP/s", 0.1, maxLarge) }
	return []Field{
		text("name", maxName).needed(),
		text("vendor", maxName),
		number("memory_gb", "GB", 1, 10_000).needed(),
		number("memory_bandwidth_gbytes_per_s", "GB/s", 1, 200_000).needed(),
		tflops("bf16_dense_tflops").needed(),
		text("scaleup_link", maxName),
		number("scaleup_bandwidth_gbytes_per_s_per_direction", "GB/s", 0.1, 50_000),
		number("tdp_w", "W", 1, 50_000),
		whole("year", 2000, 2100).in(GroupDetail),
		text("memory_type", maxName).in(GroupDetail),
		tflops("tf32_dense_tflops").in(GroupDetail),
		tflops("fp16_dense_tflops").in(GroupDetail),
		tflops("fp8_dense_tflops").in(GroupDetail),
		tflops("fp4_dense_tflops").in(GroupDetail),
		whole("scaleup_link_count", 1, 1000).in(GroupDetail),
		number("scaleup_peer_bandwidth_gbytes_per_s_per_direction", "GB/s", 0.1, 50_000).in(GroupDetail),
		text("pcie", maxName).in(GroupDetail),
		tflops("measured_max_bf16_matmul_tflops").in(GroupDetail),
	}
}

func systemFields() []Field {
	return []Field{
		text("name", maxName).needed(),
		{Key: "accelerator", Group: GroupMain, Takes: TakesEntry, Of: Accelerators, Needed: true},
		whole("accelerators_per_node", 1, 1024).needed(),
		whole("scaleup_domain_size", 1, 16_384).needed(),
		number("scaleup_bandwidth_gbytes_per_s_per_direction", "GB/s", 0.1, 50_000),
		whole("nics_per_node", 1, 1024).needed(),
		number("nic_gbits_per_s_each", "Gb/s", 0.1, 12_800).needed(),
		text("nic_type", maxName).needed(),
		text("scaleup_topology", maxName).in(GroupDetail),
		number("host_ram_gb", "GB", 1, 1_000_000).in(GroupDetail),
		number("power_kw", "kW", 0.01, 10_000).in(GroupDetail),
		number("intra_node_allreduce_busbw_gbytes_per_s", "GB/s", 0.01, 50_000).in(GroupDetail),
		{Key: "cloud_instances", Group: GroupDetail, Takes: TakesTexts, Most: maxName},
	}
}

func fabricFields() []Field {
	return []Field{
		text("generation", maxName).needed(),
		text("family", maxName).needed(),
		number("line_rate_gbits_per_s", "Gb/s", 0.01, 100_000).needed(),
		number("typical_effective_fraction", "", 0.01, 1),
		word("effective_fraction_kind", "measured_p2p", "measured_allreduce_busbw", "measured_allreduce_algbw_2nodes", "acceptance_threshold_lower_bound", "planning_constant"),
		number("one_way_latency_us", "us", 0.01, 1_000_000),
		flag("supports_sharp"),
		text("effective_fraction_basis", maxText).in(GroupDetail),
		text("latency_basis", maxText).in(GroupDetail),
		number("nccl_net_latency_us", "us", 0.01, 1_000_000).in(GroupDetail),
		text("in_network_reduction", maxText).in(GroupDetail),
		number("max_message_rate_million_per_s", "M/s", 0.001, 100_000).in(GroupDetail),
		number("typical_oversubscription_ratio", "", 1, 100).in(GroupDetail),
		text("oversubscription_basis", maxText).in(GroupDetail),
	}
}

func modelFields() []Field {
	const width = 1 << 20
	return []Field{
		text("name", maxName).needed(),
		word("kind", "decoder", "encoder", "cnn", "abstract").needed(),
		number("total_params", "", 1000, 1e15),
		whole("layers", 1, 10_000),
		whole("hidden_size", 1, width),
		whole("ffn_hidden_size", 1, 4*width),
		whole("attention_heads", 1, 8192),
		whole("kv_heads", 1, 8192),
		whole("head_dim", 1, 8192),
		whole("vocab_size", 1, 10_000_000),
		whole("max_seq_len", 1, 100_000_000),
		flag("gated_ffn"),
		flag("tie_embeddings"),
		text("family", maxName).in(GroupDetail),
		word("position_embedding", "rope", "learned", "alibi").in(GroupDetail),
		word("norm", "rms", "layer").in(GroupDetail),
		whole("norms_per_layer", 1, 8).in(GroupDetail),
		flag("qkv_bias").in(GroupDetail),
		flag("linear_bias").in(GroupDetail),
		flag("qk_norm").in(GroupDetail),
		flag("embedding_norm").in(GroupDetail),
		flag("attention_sinks").in(GroupDetail),
		flag("head_bias").in(GroupDetail),
		word("total_params_basis", "published_exact", "published_rounded", "nominal_name").in(GroupDetail),
		number("active_params", "", 1000, 1e15).in(GroupDetail),
		whole("experts", 1, 100_000).in(GroupExperts),
		whole("experts_per_token", 1, 100_000).in(GroupExperts),
		whole("moe_ffn_hidden_size", 1, 4*width).in(GroupExperts),
		whole("shared_experts", 0, 1000).in(GroupExperts),
		whole("shared_expert_ffn_hidden_size", 1, 4*width).in(GroupExperts),
		whole("first_dense_layers", 0, 10_000).in(GroupExperts),
		whole("moe_layer_freq", 1, 1000).in(GroupExperts),
		word("attention_type", "mha", "gqa", "mqa", Latent).in(GroupLatent),
		whole("q_lora_rank", 0, width).in(GroupLatent),
		whole("kv_lora_rank", 1, width).in(GroupLatent),
		whole("qk_nope_head_dim", 1, 8192).in(GroupLatent),
		whole("qk_rope_head_dim", 1, 8192).in(GroupLatent),
		whole("v_head_dim", 1, 8192).in(GroupLatent),
		whole("mtp_layers", 0, 1000).in(GroupLatent),
	}
}
