package catalog

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Warning is a doubt about a model that was read from a config.json.
type Warning struct {
	Code    string // "architecture", "part", "mtp", "dense-layers"
	Message string // in English
	Name    string // what it is about: an architecture, a key
}

// ConfigError says why a config.json describes no model that can be counted.
type ConfigError struct {
	Why     string   // "no-config", "missing", "not-decoder", "experts"
	Type    string   // its model_type
	Missing []string // keys, for "missing"
}

func (e *ConfigError) Error() string {
	switch e.Why {
	case "missing":
		return fmt.Sprintf("config.json of a %q model lacks %s; without them its parameters cannot be counted", e.Type, strings.Join(e.Missing, ", "))
	case "not-decoder":
		return fmt.Sprintf("config.json is of a %q model, which is no decoder of transformer layers; such a model can be entered with its total_params", e.Type)
	case "experts":
		return fmt.Sprintf("config.json is of a %q model, an unknown architecture with experts (%s); known are %s; such a model can be entered field by field",
			e.Type, strings.Join(e.Missing, ", "), strings.Join(Architectures(), ", "))
	}
	return "no config.json of Hugging Face: it has no model_type; accepted is the file as it lies beside a model's weights"
}

// IsConfig reports whether a JSON document looks like a model's config.json
// rather than an entry of the catalogue.
func IsConfig(document []byte) bool {
	given, err := object(document)
	if err != nil {
		return false
	}
	_, typed := given["model_type"]
	return typed || given["architectures"] != nil
}

// FromConfig makes the entry of a model of a Hugging Face config.json, as JSON
// for Read. Its id and name come from the name that the file may carry, and are
// empty where it carries none. An unknown architecture that has the keys of a
// usual decoder is counted as one, with a warning; anything else that cannot be
// counted is a *ConfigError.
func FromConfig(document []byte) ([]byte, []Warning, error) {
	given, err := object(document)
	if err != nil {
		return nil, nil, fmt.Errorf("read config.json: %w", err)
	}
	c := config{given: given, entry: map[string]any{"kind": "decoder", "basis": string(Stated)}}
	name, _ := given["_name_or_path"].(string)
	c.kind, _ = given["model_type"].(string)
	if inner, nested := given["text_config"].(map[string]any); nested {
		c.warn("part", c.kind, "only the language model of text_config is counted, not the other parts of %q")
		c.given = inner
		if kind, told := inner["model_type"].(string); told {
			c.kind = kind
		}
	}
	if c.kind == "" {
		return nil, nil, &ConfigError{Why: "no-config"}
	}
	if err := c.read(); err != nil {
		return nil, nil, err
	}
	if name = lastPart(name); name != "" {
		c.entry["name"], c.entry["id"] = name, idOf(name)
	}
	c.entry["family"], c.entry["source"] = c.kind, "config.json of the model; parameters counted from its shape"
	text, err := json.Marshal(c.entry)
	return text, c.warnings, err
}

// lastPart is the name of a model without its owner or folder.
func lastPart(path string) string {
	path = strings.TrimRight(strings.ReplaceAll(path, "\\", "/"), "/")
	name := path[strings.LastIndex(path, "/")+1:]
	if !printable(name) || len(name) > maxName {
		return ""
	}
	return name
}

// idOf spells a name as an ID.
func idOf(name string) string {
	id := strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name)
	id = strings.TrimLeft(id, "-._")
	return strings.TrimRight(id[:min(len(id), maxID)], "-._")
}

// config is a config.json being read.
type config struct {
	kind     string
	given    map[string]any
	entry    map[string]any
	warnings []Warning
}

func (c *config) warn(code, name, format string) {
	c.warnings = append(c.warnings, Warning{Code: code, Name: name, Message: fmt.Sprintf(format, name)})
}

// n is the number under the first of some keys that has one.
func (c *config) n(keys ...string) (float64, bool) {
	for _, key := range keys {
		if number, is := c.given[key].(json.Number); is {
			if v, err := number.Float64(); err == nil && v >= 0 && v == math.Trunc(v) {
				return v, true
			}
		}
	}
	return 0, false
}

// is is the truth under a key, or what the architecture takes without it.
func (c *config) is(key string, otherwise bool) bool {
	if v, told := c.given[key].(bool); told {
		return v
	}
	return otherwise
}

// set copies a number to a field of the entry.
func (c *config) set(field string, keys ...string) bool {
	v, told := c.n(keys...)
	if told {
		c.entry[field] = v
	}
	return told
}

// shape copies what every decoder has, and says which of the keys are missing.
func (c *config) shape(a architecture) error {
	var missing []string
	for _, key := range []struct {
		field string
		names []string
	}{
		{"hidden_size", []string{"hidden_size", "n_embd", "n_embed"}}, {"layers", []string{"num_hidden_layers", "n_layer", "num_layers"}},
		{"attention_heads", []string{"num_attention_heads", "n_head"}}, {"vocab_size", []string{"vocab_size"}},
	} {
		if !c.set(key.field, key.names...) {
			missing = append(missing, key.names[0])
		}
	}
	if !c.set("ffn_hidden_size", "intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim") {
		hidden, told := c.entry["hidden_size"].(float64)
		if a.fourfold && told {
			c.entry["ffn_hidden_size"] = 4 * hidden
		} else {
			missing = append(missing, "intermediate_size")
		}
	}
	c.set("max_seq_len", "max_position_embeddings", "n_positions", "seq_length", "n_ctx")
	if a.position == "learned" && c.entry["max_seq_len"] == nil {
		missing = append(missing, "max_position_embeddings")
	}
	c.set("kv_heads", "num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num")
	c.set("head_dim", "head_dim", "kv_channels")
	if len(missing) > 0 {
		return &ConfigError{Why: "missing", Type: c.kind, Missing: missing}
	}
	return nil
}

// read fills the entry.
func (c *config) read() error {
	if slices.Contains(notDecoders, c.kind) || c.is("is_encoder_decoder", false) {
		return &ConfigError{Why: "not-decoder", Type: c.kind}
	}
	a, known := architectures[c.kind]
	if !known {
		var experts []string
		for _, key := range slices.Sorted(maps.Keys(c.given)) {
			if strings.Contains(key, "expert") {
				experts = append(experts, key)
			}
		}
		if len(experts) > 0 {
			return &ConfigError{Why: "experts", Type: c.kind, Missing: experts}
		}
		a = architecture{gated: true, bias: attentionBias}
		c.warn("architecture", c.kind, "the architecture %q is not known; its parameters are counted as those of a Llama with this shape")
	}
	if err := c.shape(a); err != nil {
		return err
	}
	c.entry["position_embedding"], c.entry["gated_ffn"] = "rope", a.gated
	if a.position != "" {
		c.entry["position_embedding"] = a.position
	}
	c.entry["tie_embeddings"] = c.is("tie_word_embeddings", a.tied)
	for field, set := range map[string]bool{"qk_norm": a.qkNorm, "embedding_norm": a.embeddingNorm, "attention_sinks": a.sinks, "head_bias": a.headBias} {
		if set {
			c.entry[field] = true
		}
	}
	c.entry["norm"] = "rms"
	if a.layerNorm {
		c.entry["norm"] = "layer"
	}
	if a.norms > 0 {
		c.entry["norms_per_layer"] = float64(a.norms)
	}
	if a.bias != nil {
		a.bias(c)
	}
	if a.more != nil {
		if err := a.more(c); err != nil {
			return err
		}
	}
	if v, told := c.n("num_nextn_predict_layers"); told && v > 0 {
		c.entry["mtp_layers"] = v
		c.warn("mtp", "num_nextn_predict_layers", "the layers for multi-token prediction (%s) are not counted")
	}
	return nil
}
