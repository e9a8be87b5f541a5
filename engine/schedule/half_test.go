package schedule

import (
	"math"
	"math/rand/v2"
	"testing"
)

// nearest16 is the value of a 16-bit format nearest to v, ties to the even
// pattern, found by looking at all of them.
func nearest16(v float64, widen func(uint16) float32, beyond float64) uint16 {
	best, distance := uint16(0), math.Inf(1)
	for h := range 1 << 16 {
		w := float64(widen(uint16(h)))
		if math.IsNaN(w) || math.Signbit(w) != math.Signbit(v) {
			continue
		}
		if math.IsInf(w, 0) {
			w = math.Copysign(beyond, w) // where the next finite value would be
		}
		d := math.Abs(w - v)
		if d < distance || d == distance && h&1 == 0 {
			best, distance = uint16(h), d
		}
	}
	return best
}

func TestSixteenBitFloatsRoundToTheNearest(t *testing.T) {
	for name, f := range map[string]struct {
		widen  func(uint16) float32
		round  func(float32) uint16
		beyond float64
	}{"float16": {FromFloat16, ToFloat16, 65536}, "bfloat16": {FromBFloat16, ToBFloat16, math.Ldexp(1, 128)}} {
		for h := range 1 << 16 {
			v := f.widen(uint16(h))
			if back := f.round(v); back != uint16(h) && !(math.IsNaN(float64(v)) && math.IsNaN(float64(f.widen(back)))) {
				t.Fatalf("%s: %04x is %v and goes back to %04x", name, h, v, back)
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		values := []float32{65519, 65520, 65535, 5.9e-8, 2.98e-8, 2.99e-8, 6.1e-5, 6.09e-5, 1e-30, math.MaxFloat32, 0.1, -0.1, 1 + 1.0/2048, 1 + 3.0/2048, 1 + 1.0/256, 1 + 3.0/256}
		for range 60 {
			values = append(values, float32(math.Ldexp(r.Float64()+1, r.IntN(44)-28)))
		}
		for _, v := range values {
			if got, want := f.round(v), nearest16(float64(v), f.widen, f.beyond); got != want {
				t.Errorf("%s of %v is %04x (%v), nearest is %04x (%v)", name, v, got, f.widen(got), want, f.widen(want))
			}
		}
		if inf := float32(math.Inf(-1)); f.widen(f.round(inf)) != inf {
			t.Errorf("%s: -Inf becomes %v", name, f.widen(f.round(inf)))
		}
		if nan := f.widen(f.round(math.Float32frombits(0x7f800001))); nan == nan {
			t.Errorf("%s: a NaN becomes %v", name, nan)
		}
	}
}
