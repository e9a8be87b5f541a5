package draw

import "math"

// Scale places values on a length: in goes a value, out comes a coordinate in
// view-box units.
type Scale struct {
	low, high float64 // values
	from, to  float64 // coordinates of low and high
	log       bool
}

// Linear returns the scale that puts low at from and high at to, evenly
// between. It does not clamp. Where low equals high, everything lies at from.
func Linear(low, high, from, to float64) Scale { return Scale{low, high, from, to, false} }

// Log is Linear in the logarithm: every decade is as long as the next. Values
// must be above zero; what is not lies at from.
func Log(low, high, from, to float64) Scale {
	return Scale{math.Log10(low), math.Log10(high), from, to, true}
}

// At returns the coordinate of a value.
func (s Scale) At(value float64) float64 {
	if s.log {
		if value <= 0 {
			return s.from
		}
		value = math.Log10(value)
	}
	if s.high == s.low {
		return s.from
	}
	return s.from + (value-s.low)/(s.high-s.low)*(s.to-s.from)
}

// NiceTicks returns values from zero in steps of 1, 2 or 5 times a power of
// ten, at most `most` steps, the last at or above high: an axis that ends
// there begins at zero and holds high. Where high is not above zero it returns
// 0 and 1.
func NiceTicks(high float64, most int) []float64 {
	if !(high > 0) || math.IsInf(high, 0) || most < 1 {
		return []float64{0, 1}
	}
	exponent := math.Floor(math.Log10(high/float64(most)) + 1e-9)
	for {
		for _, leading := range []float64{1, 2, 5} {
			// In hundredths of a tick, so that 0.1 × 3 prints as 0.3.
			steps := math.Ceil(high/(leading*math.Pow(10, exponent)) - 1e-9)
			if steps > float64(most) {
				continue
			}
			ticks := make([]float64, int(steps)+1)
			for i := range ticks {
				if exponent < 0 {
					ticks[i] = float64(i) * leading / math.Pow(10, -exponent)
				} else {
					ticks[i] = float64(i) * leading * math.Pow(10, exponent)
				}
			}
			return ticks
		}
		exponent++
	}
}

// DecadeTicks returns powers of ten from at or below low to at or above high,
// every so many decades that at most `most` steps lie between. Both must be
// above zero.
func DecadeTicks(low, high float64, most int) []float64 {
	first, last := math.Floor(math.Log10(low)+1e-9), math.Ceil(math.Log10(high)-1e-9)
	if last <= first {
		last = first + 1
	}
	every := math.Max(1, math.Ceil((last-first)/math.Max(1, float64(most))))
	var ticks []float64
	for e := first; ; e += every {
		ticks = append(ticks, math.Pow(10, e))
		if e >= last {
			return ticks
		}
	}
}
