package train

import "lockstep/sizing/catalog"

// Shape is what a decoder multiplies, in elements. Counts are float64 because
// every formula divides them.
type Shape struct {
	Hidden, FFN, Vocab     float64
	Heads, KVHeads         float64
	HeadDim                float64
	Gates                  float64 // 1 for gated feed-forward layers, else 0
	Tied                   bool
	AttentionShare         float64 // of full attention that is computed, for sliding or sparse attention; 1 for all
	Latent                 Latent  // compressed attention; zero without
	Attends, Plain, Mixing float64 // how many layers attend, have a plain feed-forward part, have experts
	Experts                Experts
	Scans                  Scans // state-space layers of a hybrid; zero without
}

// Latent is multi-head latent attention.
type Latent struct{ QueryRank, KVRank, Nope, Rope, Value float64 }

// Experts is what a layer with experts holds.
type Experts struct {
	Count, PerToken, FFN float64
	Shared               float64 // width of the shared experts together
	Width                float64 // of what is sent to an expert; the hidden size, or a latent one
}

// Scans are Mamba layers.
type Scans struct{ Layers, Inner, Groups, State float64 }

// ShapeOf reads a catalogue's model. ok is false for one that is no decoder or
// lacks a figure.
func ShapeOf(m catalog.Model) (s Shape, ok bool) {
	if _, counted := m.Count(); !counted {
		return Shape{}, false
	}
	s = Shape{
		Hidden: float64(m.Hidden), FFN: float64(m.FFN), Vocab: float64(m.Vocab),
		Heads: float64(m.Heads), KVHeads: float64(m.KVHeads), HeadDim: float64(m.HeadDim),
		Tied: m.Tied, AttentionShare: 1, Attends: float64(m.Layers), Plain: float64(m.Layers),
	}
	if s.KVHeads == 0 {
		s.KVHeads = s.Heads
	}
	if s.HeadDim == 0 {
		s.HeadDim = s.Hidden / s.Heads
	}
	if m.Gated {
		s.Gates = 1
	}
	if m.Attends == catalog.Latent {
		s.Latent = Latent{float64(m.QueryRank), float64(m.KVRank), float64(m.NopeDim), float64(m.RopeDim), float64(m.ValueDim)}
	}
	if m.Experts > 0 {
		s.Mixing = float64(max(m.Layers-m.FirstDense, 0) / max(m.ExpertEvery, 1))
		s.Plain = float64(m.Layers) - s.Mixing
		s.Experts = Experts{Count: float64(m.Experts), PerToken: float64(m.PerToken), FFN: float64(m.ExpertFFN), Width: s.Hidden}
		if s.Experts.FFN == 0 {
			s.Experts.FFN = s.FFN
		}
		each := float64(m.SharedFFN)
		if each == 0 {
			each = s.Experts.FFN
		}
		s.Experts.Shared = float64(m.Shared) * each
	}
	return s, true
}

// product is one matrix multiplication of every token: in × out elements, with
// the side that tensor parallelism cuts.
type product struct {
	in, out float64
	cut     side
}

type side int

const (
	whole side = iota // every rank multiplies all of it
	columns
	rows
)

// on is a product as one of t tensor-parallel ranks multiplies it.
func (p product) on(t float64) (in, out float64) {
	switch p.cut {
	case columns:
		return p.in, p.out / t
	case rows:
		return p.in / t, p.out
	}
	return p.in, p.out
}

// projections are the products of one attention block, the output included.
func (s Shape) projections() []product {
	if l := s.Latent; l.KVRank > 0 {
		query := s.Heads * (l.Nope + l.Rope)
		ps := []product{{s.Hidden, l.KVRank + l.Rope, whole}, {l.KVRank, s.Heads * (l.Nope + l.Value), columns}, {s.Heads * l.Value, s.Hidden, rows}}
		if l.QueryRank > 0 {
			return append(ps, product{s.Hidden, l.QueryRank, whole}, product{l.QueryRank, query, columns})
		}
		return append(ps, product{s.Hidden, query, columns})
	}
	return []product{{s.Hidden, (s.Heads + 2*s.KVHeads) * s.HeadDim, columns}, {s.Heads * s.HeadDim, s.Hidden, rows}}
}

// forward are the products of a feed-forward block of some width.
func (s Shape) forward(width float64) []product {
	return []product{{s.Hidden, (1 + s.Gates) * width, columns}, {width, s.Hidden, rows}}
}

// qkv is the elements of queries, keys and values of a token.
func (s Shape) qkv() float64 {
	if l := s.Latent; l.KVRank > 0 {
		return s.Heads * (2*(l.Nope+l.Rope) + l.Value)
	}
	return (s.Heads + 2*s.KVHeads) * s.HeadDim
}

// reach is the head dimension that attention multiplies by: the mean of keys'
// and values'.
func (s Shape) reach() float64 {
	if l := s.Latent; l.KVRank > 0 {
		return (l.Nope + l.Rope + l.Value) / 2
	}
	return s.HeadDim
}

// Weights is the parameters of one of each kind of layer, and of the table of
// tokens.
type Weights struct{ Attention, Plain, Shared, Expert, Scan, Table float64 }

// Weights counts parameters; norms and biases, below a thousandth, are left out.
func (s Shape) Weights() Weights {
	sum := func(ps []product) (n float64) {
		for _, p := range ps {
			n += p.in * p.out
		}
		return n
	}
	w := Weights{Attention: sum(s.projections()), Plain: sum(s.forward(s.FFN)), Table: s.Hidden * s.Vocab}
	if s.Experts.Count > 0 {
		w.Shared = sum(s.forward(s.Experts.Shared)) + s.Hidden*s.Experts.Count
		w.Expert = (2 + s.Gates) * s.Experts.Width * s.Experts.FFN
		if s.Experts.Width != s.Hidden {
			w.Shared += 2 * s.Hidden * s.Experts.Width
		}
	}
	if s.Scans.Layers > 0 {
		w.Scan = s.Hidden*(2*s.Scans.Inner+2*s.Scans.Groups*s.Scans.State) + s.Scans.Inner*s.Hidden
	}
	return w
}

// Parameters is all of them, and those that one token meets.
func (s Shape) Parameters() (total, active float64) {
	w := s.Weights()
	body := s.Attends*w.Attention + s.Plain*w.Plain + s.Mixing*w.Shared + s.Scans.Layers*w.Scan
	tables := 2.0
	if s.Tied {
		tables = 1
	}
	total = body + s.Mixing*s.Experts.Count*w.Expert + tables*w.Table
	active = body + s.Mixing*s.Experts.PerToken*w.Expert + tables*w.Table
	return total, active
}

// Operations is the floating-point operations of one token's training, forward
// and backward: six a parameter that it meets, the embedding left out and the
// head counted, and attention over a sequence. causal counts half the sequence.
//
// Source of the count: Narayanan et al., "Efficient Large-Scale Language Model
// Training on GPU Clusters" (2021), section 5, without recomputation.
func (s Shape) Operations(sequence float64, causal bool) float64 {
	w := s.Weights()
	met := s.Attends*w.Attention + s.Plain*w.Plain + s.Mixing*(w.Shared+s.Experts.PerToken*w.Expert) + s.Scans.Layers*w.Scan + w.Table
	seen := 1.0
	if causal {
		seen = 0.5
	}
	return 6*met + 12*s.Attends*s.Heads*s.reach()*sequence*seen*s.AttentionShare + s.Scans.Layers*18*s.Scans.Inner*s.Scans.State
}
