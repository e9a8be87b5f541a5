package catalog

// Latent is the attention that compresses keys and values (MLA).
const Latent = "mla"

// Counted is how many parameters a shape has.
type Counted struct {
	Total  float64
	Active float64 // that one token meets; 0 for a model without experts
}

// Count adds up a decoder's parameters from its shape: attention with as many
// key and value heads as it has or compressed (MLA), plain or gated
// feed-forward layers, routed and shared experts with their router, norms,
// biases, learned positions, and the embedding once or twice. Layers for
// multi-token prediction are left out. ok is false for a shape that does not
// tell: one that is no decoder, or lacks a figure.
func (m Model) Count() (n Counted, ok bool) {
	if m.Kind != "decoder" || m.Layers < 1 || m.Hidden < 1 || m.Vocab < 1 || m.Heads < 1 || m.FFN < 1 && m.ExpertFFN < 1 {
		return Counted{}, false
	}
	hidden, layers := float64(m.Hidden), float64(m.Layers)
	experts, plain := m.expertLayers()
	width := float64(m.ExpertFFN)
	if width == 0 {
		width = float64(m.FFN)
	}
	shared := float64(m.SharedFFN)
	if shared == 0 {
		shared = width
	}
	total := layers*(m.attention()+float64(m.norms())*m.norm()) + plain*m.forward(float64(m.FFN)) + m.norm()
	if m.Experts > 0 {
		router := hidden
		if m.LinearBias {
			router++
		}
		each := float64(m.Experts) * (m.forward(width) + router)
		if m.Shared > 0 {
			each += m.forward(float64(m.Shared) * shared)
		}
		total += experts * each
	}
	total += float64(m.Vocab) * hidden
	if !m.Tied {
		total += float64(m.Vocab) * hidden
	}
	if m.Position == "learned" {
		total += float64(m.Sequence) * hidden
	}
	if m.EmbeddingNorm {
		total += m.norm()
	}
	if m.HeadBias {
		total += float64(m.Vocab)
	}
	n.Total = total
	if m.Experts > 0 {
		n.Active = total - experts*float64(m.Experts-m.PerToken)*m.forward(width)
	}
	return n, true
}

// expertLayers is how many layers have experts and how many have not.
func (m Model) expertLayers() (experts, plain float64) {
	if m.Experts == 0 {
		return 0, float64(m.Layers)
	}
	with := max(m.Layers-m.FirstDense, 0) / max(m.ExpertEvery, 1)
	return float64(with), float64(m.Layers - with)
}

// attention is the parameters of one attention block.
func (m Model) attention() float64 {
	hidden, heads, kv := float64(m.Hidden), float64(m.Heads), float64(m.KVHeads)
	dim := float64(m.HeadDim)
	if dim == 0 {
		dim = hidden / heads
	}
	if kv == 0 {
		kv = heads
	}
	var n float64
	if m.Attends == Latent {
		query := float64(m.NopeDim + m.RopeDim)
		if rank := float64(m.QueryRank); rank > 0 {
			n += hidden*rank + rank + rank*heads*query // with the norm between
		} else {
			n += hidden * heads * query
		}
		rank := float64(m.KVRank)
		n += hidden*(rank+float64(m.RopeDim)) + rank + rank*heads*float64(m.NopeDim+m.ValueDim)
		n += heads * float64(m.ValueDim) * hidden
	} else {
		n = 2*hidden*heads*dim + 2*hidden*kv*dim
		if m.QKVBias || m.LinearBias {
			n += (heads + 2*kv) * dim
		}
		if m.LinearBias {
			n += hidden
		}
	}
	if m.QKNorm {
		n += 2 * dim
	}
	if m.Sinks {
		n += heads
	}
	return n
}

// forward is the parameters of a feed-forward block of some width.
func (m Model) forward(width float64) float64 {
	into := 1.0
	if m.Gated {
		into = 2
	}
	n := (into + 1) * float64(m.Hidden) * width
	if m.LinearBias {
		n += into*width + float64(m.Hidden)
	}
	return n
}

func (m Model) norms() int {
	if m.Norms == 0 {
		return 2
	}
	return m.Norms
}

// norm is the parameters of one norm.
func (m Model) norm() float64 {
	if m.Norm == "layer" || m.Norm == "" && m.LinearBias {
		return 2 * float64(m.Hidden)
	}
	return float64(m.Hidden)
}
