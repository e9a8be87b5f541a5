package catalog

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// architecture is what a model_type implies beyond the numbers of its
// config.json.
type architecture struct {
	gated, tied, layerNorm       bool
	qkNorm, embeddingNorm, sinks bool
	headBias                     bool
	fourfold                     bool   // feed-forward layers are 4 × hidden where nothing is said
	position                     string // rope where empty
	norms                        int    // per layer, 0 for 2
	bias                         func(*config)
	more                         func(*config) error
}

// Architectures lists the model types whose parameters are counted exactly.
func Architectures() []string { return slices.Sorted(maps.Keys(architectures)) }

var architectures = map[string]architecture{
	"llama":       {gated: true, bias: attentionBias},
	"mistral":     {gated: true, bias: attentionBias},
	"internlm2":   {gated: true},
	"qwen2":       {gated: true, bias: queryBias},
	"qwen3":       {gated: true, qkNorm: true, bias: attentionBias},
	"phi3":        {gated: true},
	"gemma":       {gated: true, tied: true},
	"gemma2":      {gated: true, tied: true, norms: 4},
	"gemma3_text": {gated: true, tied: true, norms: 4, qkNorm: true},
	"glm4":        {gated: true, norms: 4, bias: queryBiasIfSaid},
	"mixtral":     {gated: true, more: mixture},
	"qwen2_moe":   {gated: true, bias: queryBias, more: mixture},
	"qwen3_moe":   {gated: true, qkNorm: true, bias: attentionBias, more: mixture},
	"gpt_oss":     {gated: true, sinks: true, bias: everyBias, more: mixture},
	"glm4_moe":    {gated: true, bias: queryBiasIfSaid, more: glmMixture},
	"deepseek_v2": {gated: true, more: latentMixture},
	"deepseek_v3": {gated: true, more: latentMixture},
	"kimi_k2":     {gated: true, more: latentMixture},
	"gpt2":        {tied: true, layerNorm: true, fourfold: true, position: "learned", bias: everyBias},
	"gpt_neox":    {layerNorm: true, fourfold: true, bias: everyBias},
	"opt":         {tied: true, layerNorm: true, fourfold: true, position: "learned", bias: everyBias},
	"bloom":       {tied: true, layerNorm: true, fourfold: true, embeddingNorm: true, position: "alibi", bias: everyBias},
	"phi":         {layerNorm: true, fourfold: true, norms: 1, headBias: true, bias: everyBias},
	"falcon":      {tied: true, layerNorm: true, fourfold: true, more: falcon},
}

// notDecoders are types whose files have the keys of a decoder without being
// one.
var notDecoders = []string{
	"bert", "roberta", "xlm-roberta", "distilbert", "electra", "albert", "deberta", "deberta-v2", "modernbert", "nomic_bert",
	"t5", "mt5", "bart", "mbart", "whisper", "vit", "clip", "siglip", "dinov2", "mamba", "mamba2", "rwkv", "jamba",
}

func everyBias(c *config) { c.entry["linear_bias"] = true }
func queryBias(c *config) { c.entry["qkv_bias"] = true }

func queryBiasIfSaid(c *config) {
	if c.is("attention_bias", false) {
		queryBias(c)
	}
}

// attentionBias is for types whose biases are said.
func attentionBias(c *config) {
	switch attention := c.is("attention_bias", false); {
	case attention && c.is("mlp_bias", false):
		everyBias(c)
	case attention:
		queryBias(c)
	}
}

// need copies numbers, each under the first of its keys that there is.
func (c *config) need(fields map[string][]string) error {
	var missing []string
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if !c.set(field, fields[field]...) {
			missing = append(missing, fields[field][0])
		}
	}
	if len(missing) > 0 {
		return &ConfigError{Why: "missing", Type: c.kind, Missing: missing}
	}
	return nil
}

// mixture reads experts that stand in for the feed-forward layers.
func mixture(c *config) error {
	if err := c.need(map[string][]string{
		"experts": {"num_experts", "num_local_experts", "n_routed_experts"}, "experts_per_token": {"num_experts_per_tok", "experts_per_token"},
	}); err != nil {
		return err
	}
	if !c.set("moe_ffn_hidden_size", "moe_intermediate_size") {
		c.entry["moe_ffn_hidden_size"] = c.entry["ffn_hidden_size"]
	}
	if v, told := c.n("shared_expert_intermediate_size"); told && v > 0 {
		c.entry["shared_experts"], c.entry["shared_expert_ffn_hidden_size"] = 1.0, v
	}
	c.set("moe_layer_freq", "decoder_sparse_step")
	if first, _ := c.given["mlp_only_layers"].([]any); len(first) > 0 {
		for i, layer := range first {
			if n, is := layer.(json.Number); !is || n.String() != strconv.Itoa(i) {
				c.warn("dense-layers", "mlp_only_layers", "the layers without experts (%s) are counted as if they were the first ones")
				break
			}
		}
		c.entry["first_dense_layers"] = float64(len(first))
	}
	return nil
}

// glmMixture reads shared and routed experts that begin after some plain
// layers.
func glmMixture(c *config) error {
	if err := mixture(c); err != nil {
		return err
	}
	c.set("shared_experts", "n_shared_experts")
	c.set("first_dense_layers", "first_k_dense_replace")
	if c.is("use_qk_norm", false) {
		c.entry["qk_norm"] = true
	}
	return nil
}

// latentMixture reads attention that compresses keys and values, and experts
// where there are some.
func latentMixture(c *config) error {
	if err := c.need(map[string][]string{
		"kv_lora_rank": {"kv_lora_rank"}, "qk_nope_head_dim": {"qk_nope_head_dim"}, "qk_rope_head_dim": {"qk_rope_head_dim"}, "v_head_dim": {"v_head_dim"},
	}); err != nil {
		return err
	}
	c.entry["attention_type"] = Latent
	delete(c.entry, "head_dim") // the rotary part alone in some files
	c.set("q_lora_rank", "q_lora_rank")
	if _, told := c.n("n_routed_experts"); !told {
		return nil
	}
	if err := glmMixture(c); err != nil {
		return err
	}
	c.set("moe_layer_freq", "moe_layer_freq")
	return nil
}

// falcon has norms and key heads by its generation.
func falcon(c *config) error {
	renewed := c.is("new_decoder_architecture", false)
	switch {
	case !renewed && c.is("multi_query", true):
		c.entry["kv_heads"] = 1.0
	case !renewed:
		delete(c.entry, "kv_heads")
	}
	if count, told := c.n("num_ln_in_parallel_attn"); renewed && told && count == 1 || !renewed && c.is("parallel_attn", true) {
		c.entry["norms_per_layer"] = 1.0
	}
	if c.is("bias", false) {
		everyBias(c)
	}
	if c.is("alibi", false) {
		c.entry["position_embedding"] = "alibi"
	}
	return nil
}
