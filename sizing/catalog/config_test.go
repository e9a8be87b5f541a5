package catalog

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

// Files as they lie beside the weights, cut down to what is read, and how many
// parameters the model is published with.
var published = []struct {
	name   string
	config string
	total  float64 // exactly
	active float64
}{
	{"Llama-3-8B", `{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192, "attention_bias": false, "tie_word_embeddings": false}`, 8_030_261_248, 0},
	{"Llama-3-70B", `{"model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672, "num_attention_heads": 64, "num_hidden_layers": 80, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192, "tie_word_embeddings": false}`, 70_553_706_496, 0},
	{"Llama-3.2-1B", `{"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": true}`, 1_235_814_400, 0},
	{"Mistral-7B", `{"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 32000, "max_position_embeddings": 32768, "sliding_window": 4096, "tie_word_embeddings": false}`, 7_241_732_096, 0},
	{"Mixtral-8x7B", `{"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "num_experts_per_tok": 2, "num_local_experts": 8, "vocab_size": 32000, "max_position_embeddings": 32768, "tie_word_embeddings": false}`, 46_702_792_704, 12_879_925_248},
	{"Qwen2.5-7B", `{"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4, "vocab_size": 152064, "max_position_embeddings": 131072, "tie_word_embeddings": false}`, 7_615_616_512, 0},
	{"Qwen2.5-0.5B", `{"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864, "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2, "vocab_size": 151936, "max_position_embeddings": 32768, "tie_word_embeddings": true}`, 494_032_768, 0},
	{"Qwen3-8B", `{"model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288, "num_attention_heads": 32, "num_hidden_layers": 36, "num_key_value_heads": 8, "head_dim": 128, "attention_bias": false, "vocab_size": 151936, "max_position_embeddings": 40960, "tie_word_embeddings": false}`, 8_190_735_360, 0},
	{"Qwen3-30B-A3B", `{"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "moe_intermediate_size": 768, "num_attention_heads": 32, "num_hidden_layers": 48, "num_key_value_heads": 4, "head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1, "mlp_only_layers": [], "vocab_size": 151936, "max_position_embeddings": 40960, "tie_word_embeddings": false}`, 30_532_122_624, 3_353_032_704},
	{"DeepSeek-V2-Lite", `{"model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408, "num_attention_heads": 16, "num_key_value_heads": 16, "num_hidden_layers": 27, "first_k_dense_replace": 1, "n_routed_experts": 64, "n_shared_experts": 2, "num_experts_per_tok": 6, "moe_layer_freq": 1, "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 102400, "max_position_embeddings": 163840, "tie_word_embeddings": false}`, 15_706_484_224, 2_661_150_208},
	{"DeepSeek-V3", `{"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_attention_heads": 128, "num_key_value_heads": 128, "num_hidden_layers": 61, "first_k_dense_replace": 3, "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "moe_layer_freq": 1, "num_nextn_predict_layers": 1, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280, "max_position_embeddings": 163840, "tie_word_embeddings": false}`, 671_026_404_352, 37_552_282_624},
	{"gpt2", `{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "vocab_size": 50257}`, 124_439_808, 0},
	{"gpt-neox-20b", `{"model_type": "gpt_neox", "hidden_size": 6144, "intermediate_size": 24576, "num_attention_heads": 64, "num_hidden_layers": 44, "vocab_size": 50432, "max_position_embeddings": 2048, "tie_word_embeddings": false}`, 20_554_567_680, 0},
	{"bloom", `{"model_type": "bloom", "n_embed": 14336, "n_layer": 70, "num_attention_heads": 112, "vocab_size": 250880, "seq_length": 2048}`, 176_247_271_424, 0},
	{"falcon-7b", `{"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71, "num_hidden_layers": 32, "multi_query": true, "parallel_attn": true, "new_decoder_architecture": false, "bias": false, "alibi": false, "vocab_size": 65024}`, 6_921_720_704, 0},
	{"phi-2", `{"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240, "num_attention_heads": 32, "num_key_value_heads": 32, "num_hidden_layers": 32, "vocab_size": 51200, "max_position_embeddings": 2048, "tie_word_embeddings": false}`, 2_779_683_840, 0},
	{"phi-3-mini", `{"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192, "num_attention_heads": 32, "num_key_value_heads": 32, "num_hidden_layers": 32, "vocab_size": 32064, "max_position_embeddings": 4096, "tie_word_embeddings": false}`, 3_821_079_552, 0},
	{"gemma-2-9b", `{"model_type": "gemma2", "hidden_size": 3584, "intermediate_size": 14336, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256, "num_hidden_layers": 42, "vocab_size": 256000, "max_position_embeddings": 8192}`, 9_241_705_984, 0},
	{"gpt-oss-20b", `{"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "num_hidden_layers": 24, "num_local_experts": 32, "num_experts_per_tok": 4, "vocab_size": 201088, "max_position_embeddings": 131072, "tie_word_embeddings": false}`, 20_914_757_184, 4_187_440_704},
	{"GLM-4.5", `{"model_type": "glm4_moe", "hidden_size": 5120, "intermediate_size": 12288, "moe_intermediate_size": 1536, "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128, "num_hidden_layers": 92, "first_k_dense_replace": 3, "n_routed_experts": 160, "n_shared_experts": 1, "num_experts_per_tok": 8, "attention_bias": true, "use_qk_norm": true, "vocab_size": 151552, "max_position_embeddings": 131072, "num_nextn_predict_layers": 1, "tie_word_embeddings": false}`, 352_797_814_784, 33_632_251_904},
}

// model reads a config.json as an own entry.
func model(t *testing.T, config string) (Model, []Warning) {
	t.Helper()
	document, warnings, err := FromConfig([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	e, err := carried(t).Read(Models, with(t, string(document), "id", `"own"`, "name", `"Own"`))
	if err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	var m Model
	if err := json.Unmarshal(e.Document, &m); err != nil {
		t.Fatal(err)
	}
	return m, warnings
}

func TestConfigsCountAsPublished(t *testing.T) {
	for _, p := range published {
		t.Run(p.name, func(t *testing.T) {
			m, warnings := model(t, p.config)
			if m.Params != p.total || m.Active != p.active {
				t.Errorf("%.0f parameters, %.0f active; published are %.0f, %.0f (%.4g off)", m.Params, m.Active, p.total, p.active, math.Abs(m.Params/p.total-1))
			}
			for _, w := range warnings {
				if w.Code != "mtp" {
					t.Errorf("warns of %s: %s", w.Code, w.Message)
				}
			}
		})
	}
}

func TestConfigNamesTheModel(t *testing.T) {
	llama := strings.Replace(published[0].config, "{", `{"_name_or_path": "acme/Our Model-7B_v1.5/", `, 1)
	document, _, err := FromConfig([]byte(llama))
	if err != nil {
		t.Fatal(err)
	}
	e, err := carried(t).Read(Models, document)
	if err != nil || e.ID != "our-model-7b_v1.5" {
		t.Errorf("ID %q, %v", e.ID, err)
	}
	if !IsConfig([]byte(llama)) || IsConfig([]byte(tiny)) || IsConfig([]byte("x")) {
		t.Error("a config.json and an entry are taken for each other")
	}
}

func TestConfigsWithDoubts(t *testing.T) {
	llama := published[0].config
	for _, test := range []struct{ config, code string }{
		{strings.Replace(llama, `"llama"`, `"newcomer"`, 1), "architecture"},
		{`{"model_type": "gemma3", "text_config": ` + strings.Replace(llama, `"llama"`, `"gemma3_text"`, 1) + `}`, "part"},
		{strings.Replace(published[8].config, `[]`, `[0, 2]`, 1), "dense-layers"},
	} {
		m, warnings := model(t, test.config)
		if len(warnings) != 1 || warnings[0].Code != test.code || m.Params < 1e9 {
			t.Errorf("%v, %.0f parameters; want a warning of %s", warnings, m.Params, test.code)
		}
	}
}

func TestConfigsThatCannotBeCounted(t *testing.T) {
	for _, test := range []struct{ config, why, says string }{
		{`{}`, "no-config", "model_type"},
		{`{"model_type": "llama", "hidden_size": 4096}`, "missing", "num_hidden_layers, num_attention_heads, vocab_size, intermediate_size"},
		{`{"model_type": "mixtral", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "vocab_size": 8, "intermediate_size": 8}`, "missing", "num_experts, num_experts_per_tok"},
		{`{"model_type": "bert", "hidden_size": 768}`, "not-decoder", "bert"},
		{`{"model_type": "seq2", "is_encoder_decoder": true}`, "not-decoder", "seq2"},
		{`{"model_type": "newcomer", "num_local_experts": 8}`, "experts", "num_local_experts"},
	} {
		_, _, err := FromConfig([]byte(test.config))
		e := new(ConfigError)
		if !errors.As(err, &e) || e.Why != test.why || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v; want %s and %q", test.config, err, test.why, test.says)
		}
	}
	if _, _, err := FromConfig([]byte("[")); err == nil {
		t.Error("no JSON is read")
	}
}
