package catalog

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// together checks fields against each other, when each is right by itself.
func (r *reader) together() {
	switch r.kind {
	case Accelerators:
		r.atMost("scaleup_peer_bandwidth_gbytes_per_s_per_direction", "scaleup_bandwidth_gbytes_per_s_per_direction")
		r.atMost("measured_max_bf16_matmul_tflops", "bf16_dense_tflops")
	case Systems:
		// A port gives its rate to each side, so a rate that is summed up over
		// both is the mistake that a check can find.
		if own := r.n("scaleup_bandwidth_gbytes_per_s_per_direction"); own > 0 {
			if a, err := r.known.Accelerator(r.text1("accelerator")); err == nil && a.ScaleUpRate > 0 && own > a.ScaleUpRate {
				e := r.refuse("scaleup_bandwidth_gbytes_per_s_per_direction", TooMuch, own)
				e.Other, e.Bound, e.Whose = "accelerator", plain(a.ScaleUpRate)+" GB/s", a.ID
			}
		}
	case Fabrics:
		if r.has("typical_effective_fraction") && !r.has("effective_fraction_kind") {
			r.refuse("effective_fraction_kind", Needs, "").Other = "typical_effective_fraction"
		}
	case Models:
		r.model()
	}
}

func (r *reader) has(key string) bool { return r.given[key] != nil }

func (r *reader) n(key string) float64 {
	v, _ := r.given[key].(float64)
	return v
}

func (r *reader) text1(key string) string {
	v, _ := r.given[key].(string)
	return v
}

// atMost refuses a figure above another that bounds it.
func (r *reader) atMost(key, other string) {
	if r.has(key) && r.has(other) && r.n(key) > r.n(other) {
		e := r.refuse(key, TooMuch, r.n(key))
		e.Other, e.Bound = other, plain(r.n(other))
	}
}

// model checks that a shape is one.
func (r *reader) model() {
	heads, kv := int(r.n("attention_heads")), int(r.n("kv_heads"))
	if heads > 0 && kv > 0 && r.text1("attention_type") != Latent {
		switch {
		case kv > heads:
			r.atMost("kv_heads", "attention_heads")
		case heads%kv != 0:
			e := r.refuse("kv_heads", Conflict, kv)
			e.Other, e.Bound = "attention_heads", fmt.Sprintf("a divisor of %d", heads)
		}
	}
	if hidden := int(r.n("hidden_size")); hidden > 0 && heads > 0 && !r.has("head_dim") && hidden%heads != 0 && r.text1("attention_type") != Latent {
		r.refuse("head_dim", Needs, "").Other = "attention_heads"
	}
	for key, needs := range map[string]string{
		"experts": "experts_per_token", "experts_per_token": "experts", "shared_experts": "experts", "first_dense_layers": "experts",
	} {
		if r.n(key) > 0 && !r.has(needs) {
			r.refuse(needs, Needs, "").Other = key
		}
	}
	r.atMost("experts_per_token", "experts")
	r.atMost("first_dense_layers", "layers")
	if r.text1("attention_type") == Latent {
		for _, key := range []string{"kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"} {
			if !r.has(key) {
				r.refuse(key, Needs, "").Other = "attention_type"
			}
		}
	}
	if len(r.wrong) == 0 && !r.has("total_params") {
		var m Model
		if err := r.into(&m); err != nil {
			r.refuse("total_params", Countless, "")
		} else if _, told := m.Count(); !told {
			r.refuse("total_params", Countless, "")
		}
	}
}

// into fills a typed entry with what was given.
func (r *reader) into(v any) error { return remade(r.given, v) }

func remade(given, v any) error {
	text, err := json.Marshal(given)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// completed is the entry with what follows from its fields.
func completed(k Kind, given map[string]any) ([]byte, error) {
	switch k {
	case Accelerators:
		var a Accelerator
		if err := remade(given, &a); err != nil {
			return nil, err
		}
		return json.Marshal(a)
	case Systems:
		var s System
		if err := remade(given, &s); err != nil {
			return nil, err
		}
		s.NodeRate = float64(s.NICs) * s.NICRate
		s.Share = rounded(s.NodeRate / 8 / float64(s.PerNode))
		return json.Marshal(s)
	case Fabrics:
		var f Fabric
		if err := remade(given, &f); err != nil {
			return nil, err
		}
		f.ByteRate = f.Rate / 8
		return json.Marshal(f)
	}
	var m Model
	if err := remade(given, &m); err != nil {
		return nil, err
	}
	m.complete()
	return json.Marshal(m)
}

// rounded cuts what division leaves behind the sixth digit.
func rounded(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return v
}

// complete counts a model's parameters and sets them beside the stated ones.
func (m *Model) complete() {
	if m.Attends == "" && m.Heads > 0 {
		switch {
		case m.KVHeads == 1 && m.Heads > 1:
			m.Attends = "mqa"
		case m.KVHeads > 0 && m.KVHeads < m.Heads:
			m.Attends = "gqa"
		default:
			m.Attends = "mha"
		}
	}
	if m.Heads > 0 && m.KVHeads == 0 {
		m.KVHeads = m.Heads
	}
	if m.Heads > 0 && m.HeadDim == 0 && m.Attends != Latent {
		m.HeadDim = m.Hidden / m.Heads
	}
	n, told := m.Count()
	if !told {
		return
	}
	m.Params, m.Active = n.Total, n.Active
	if m.Stated > 0 {
		m.Off = rounded(n.Total/m.Stated - 1)
	}
	if m.Claimed > 0 && n.Active > 0 {
		m.OffActive = rounded(n.Active/m.Claimed - 1)
	}
}
