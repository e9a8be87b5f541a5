package cost

import (
	"math/big"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// formula writes a term out, first in symbols, then in numbers:
//
//	(n-1)·α + (n-1)/n·S/B = 9 × 50 us + 9/10 × 1.2 GB ÷ 1 GB/s
//
// The symbols are the catalogue's own expressions, the factors what they come
// to, exactly.
func (q Question) formula(term schedule.Term, alphas, vectors *big.Rat) string {
	var b strings.Builder
	b.WriteString(times(term.Alphas) + "α + " + times(term.Bytes) + "S/B = ")
	b.WriteString(alphas.RatString() + " × " + unit.FromDuration(q.Network.Latency).String())
	b.WriteString(" + " + vectors.RatString() + " × " + q.Size.String() + " ÷ " + q.Network.Bandwidth.String())
	return b.String()
}

// times writes e as a factor before what it multiplies; 1 is left out.
func times(e schedule.Expr) string {
	if text := factor(e); text != "1" {
		return text + "·"
	}
	return ""
}

// factor writes e so that it can stand before a multiplication sign.
func factor(e schedule.Expr) string {
	text := strings.NewReplacer("**", "^", "*", "·").Replace(e.String())
	if e.Loose() {
		return "(" + text + ")"
	}
	return text
}
