package schedule

import "math"

// FromBFloat16 widens exactly.
func FromBFloat16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// ToBFloat16 rounds to the nearest, ties to even; a NaN stays one.
func ToBFloat16(v float32) uint16 {
	bits := math.Float32bits(v)
	if v != v {
		return uint16(bits>>16) | 0x40 // quiet, and never an infinity
	}
	// Half of the last place that stays, less one where that place is even:
	// the carry then rounds, into the exponent too, up to infinity.
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// FromFloat16 widens exactly.
func FromFloat16(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero or subnormal: fraction × 2^-24
		v := float32(fraction) * (1.0 / (1 << 24))
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 0x1f: // infinity or NaN
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// ToFloat16 rounds to the nearest, ties to even; what is too large becomes an
// infinity, a NaN stays one.
func ToFloat16(v float32) uint16 {
	bits := math.Float32bits(v)
	sign := uint16(bits >> 31 << 15)
	magnitude := bits &^ (1 << 31)
	switch {
	case magnitude > 0x7f800000:
		return sign | 0x7e00
	case magnitude >= 0x47800000: // 65,536 and more
		return sign | 0x7c00
	case magnitude >= 0x38800000: // 2^-14 and more: a normal number
		rounded := magnitude + 0xfff + magnitude>>13&1 // the carry may reach infinity, rightly
		return sign | uint16((rounded-(127-15)<<23)>>13)
	}
	// Subnormal: float32 addition of 0.5 leaves, in the last bits, the value in
	// units of 2^-24, rounded to the nearest even.
	sum := math.Float32frombits(magnitude) + 0.5
	return sign | uint16(math.Float32bits(sum)-math.Float32bits(0.5))
}
