package calibrate

import (
	"math"
	"sort"

	"lockstep/engine/unit"
)

// Costs say what carrying out a schedule costs the processors of one machine,
// on one link and with one number of ranks.
//
// Ranks on one machine have no ports: whatever is sent is copied by the sender's
// processor and again, or added up, by the receiver's. How long a byte takes
// depends on where it lies, near the processor or in memory, hence on how many
// bytes a run works on.
type Costs struct {
	// Hop is the time from the end of a sending to where the receiver has seen
	// it, and Piece what a slice costs a processor besides its bytes.
	Hop   unit.Seconds `json:"hop_s"`
	Piece unit.Seconds `json:"piece_s"`
	// Bytes are what bytes cost, by ascending Span. Between two of them, both
	// costs are interpolated as powers of the span; outside the nearest holds.
	Bytes []ByteCost `json:"bytes"`
}

// ByteCost is what a byte costs a processor in a run of a given span.
type ByteCost struct {
	Span   unit.Bytes `json:"span_bytes"`        // of the buffers of one rank, all together
	Move   float64    `json:"move_s_per_byte"`   // from one rank's buffer into another's, half of it at either end
	Reduce float64    `json:"reduce_s_per_byte"` // more, where it is added up instead of copied
}

// at returns the costs of a byte at a span.
func (c Costs) at(span float64) (move, reduce float64) {
	for i, share := range c.shares(span) {
		if share > 0 {
			move += share * math.Log(c.Bytes[i].Move)
			reduce += share * math.Log(c.Bytes[i].Reduce)
		}
	}
	return math.Exp(move), math.Exp(reduce)
}

// shares returns how much each of c.Bytes counts at a span: their sum is one.
func (c Costs) shares(span float64) []float64 {
	shares := make([]float64, len(c.Bytes))
	after := sort.Search(len(c.Bytes), func(i int) bool { return float64(c.Bytes[i].Span) >= span })
	switch {
	case after == 0:
		shares[0] = 1
	case after == len(c.Bytes):
		shares[after-1] = 1
	default:
		shares[after] = between(float64(c.Bytes[after-1].Span), span, float64(c.Bytes[after].Span))
		shares[after-1] = 1 - shares[after]
	}
	return shares
}

// between returns how far x is on the way from low to high, by their
// logarithms.
func between(low, x, high float64) float64 { return math.Log(x/low) / math.Log(high/low) }
