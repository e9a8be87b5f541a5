package cost

import (
	"math/big"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Auto asks for the fastest algorithm that hosts can execute.
const Auto = "auto"

// Grade says how well founded a prediction is, A best.
type Grade string

// PhysicsOnly is the grade of a time that follows from a latency and a
// bandwidth alone, with no measurement beside it.
const PhysicsOnly Grade = "D"

// reached is the share of a fabric's bandwidth bound that a healthy run can be
// expected to reach: large all-reduces across three nodes and more come to 71
// to 93 % in public measurements (listed in docs/formulas.md).
var reached = big.NewRat(70, 100)

// Interval is what a time by latency and bandwidth alone can be expected to be
// in practice: at the least the time itself, at the most that at 70 % of the
// speed.
func Interval(t unit.Seconds) (low, high unit.Seconds) {
	exact := new(big.Rat).SetFloat64(float64(t))
	if exact == nil { // not finite
		return t, t
	}
	return t, rounded(exact.Quo(exact, reached))
}

// Prediction is the document that `console predict --json` prints. A bandwidth
// that is undefined, at no bytes or no time, is absent.
type Prediction struct {
	Version      int                 `json:"version"`
	Collective   schedule.Collective `json:"collective"`
	Algorithm    string              `json:"algorithm"` // never "auto"
	Ranks        int                 `json:"ranks"`
	Size         unit.Bytes          `json:"size_bytes"`
	Time         unit.Seconds        `json:"time_s"`
	Low          unit.Seconds        `json:"low_s"`
	High         unit.Seconds        `json:"high_s"`
	AlgBW        float64             `json:"algbw_gbytes_per_s,omitempty"`
	BusBW        float64             `json:"busbw_gbytes_per_s,omitempty"`
	Grade        Grade               `json:"grade,omitempty"`
	Terms        []Term              `json:"terms"`
	Alternatives []Alternative       `json:"alternatives"` // every algorithm, this one too, fastest first
	Warnings     []trace.Warning     `json:"warnings"`
}

// Alternative is the time of one algorithm for the same question.
type Alternative struct {
	Algorithm string       `json:"algorithm"`
	Time      unit.Seconds `json:"time_s"`
}

// Predict answers q for an algorithm, or for the fastest (Auto). Errors are
// *schedule.RequestError.
func (q Question) Predict(algorithm string) (Prediction, error) {
	prices, err := q.All()
	if err != nil {
		return Prediction{}, err
	}
	var chosen Price
	if algorithm == Auto {
		chosen, err = fastest(q, prices)
	} else {
		chosen, err = q.Price(algorithm)
	}
	if err != nil {
		return Prediction{}, err
	}
	p := Prediction{
		Version: 1, Collective: q.Collective, Algorithm: chosen.Algorithm, Ranks: q.Ranks, Size: q.Size,
		Time: chosen.Time, Low: chosen.Time, High: rounded(new(big.Rat).Quo(chosen.exact, reached)),
		Grade: PhysicsOnly, Terms: chosen.Terms,
		Warnings: []trace.Warning{{
			Code: "physics-only",
			Message: "computed from the given latency and bandwidth alone, with no measurement beside it; " +
				"published runs between nodes come to 71 to 93 % of such a bound, so the upper end is the time at 70 % of the speed",
			Values: trace.Values{"least": "71", "most": "93", "taken": "70"},
		}},
	}
	if chosen.Rough {
		p.Warnings = append(p.Warnings, trace.Warning{
			Code: "rough-form",
			Message: "the closed form of this algorithm is not exact here: messages that are early take ports from others; " +
				"a play of the schedule mostly takes longer, up to 1.4 times, and up to 2.2 times where the last node is short",
		})
	}
	for _, price := range prices {
		p.Alternatives = append(p.Alternatives, Alternative{price.Algorithm, price.Time})
	}
	if q.Size > 0 && chosen.exact.Sign() > 0 {
		bandwidth := new(big.Rat).SetInt64(int64(q.Size))
		bandwidth.Quo(bandwidth, chosen.exact).Quo(bandwidth, big.NewRat(1e9, 1))
		p.AlgBW, _ = bandwidth.Float64()
		p.BusBW, _ = bandwidth.Mul(bandwidth, new(big.Rat).SetFloat64(q.Collective.BusFactor(q.Ranks))).Float64()
	}
	return p, nil
}
