package present

import (
	"math"
	"math/big"
	"regexp"
	"strings"
)

// countUnits and timeUnits are what may follow a number, with what it comes
// to. Nothing means single ones and seconds.
var (
	countUnits = map[string]string{
		"": "1", "k": "1e3", "K": "1e3", "M": "1e6", "m": "1e6", "B": "1e9", "b": "1e9", "G": "1e9", "T": "1e12", "t": "1e12",
		"万": "1e4", "百万": "1e6", "亿": "1e8", "十亿": "1e9", "万亿": "1e12",
	}
	timeUnits = map[string]string{
		"": "1", "s": "1", "sec": "1", "秒": "1", "ms": "1e-3", "毫秒": "1e-3", "us": "1e-6", "µs": "1e-6", "微秒": "1e-6",
		"min": "60", "分": "60", "分钟": "60", "h": "3600", "小时": "3600",
	}
)

// quantityText is a number as people write it: with groups of thousands or
// without, with a point, and a unit behind it.
var quantityText = regexp.MustCompile(`^([+-]?)(\d{1,3}(?:,\d{3})+|\d{1,20})(\.\d{1,20})?\s*(\pL*)$`)

// readQuantity reads a number with its unit exactly, or returns false.
func readQuantity(text string, units map[string]string) (*big.Rat, bool) {
	parts := quantityText.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return nil, false
	}
	scale, known := units[parts[4]]
	if !known {
		return nil, false
	}
	number, ok := new(big.Rat).SetString(parts[1] + strings.ReplaceAll(parts[2], ",", "") + parts[3])
	if !ok {
		return nil, false
	}
	factor, _ := new(big.Rat).SetString(scale)
	return number.Mul(number, factor), true
}

// wholeOf rounds to the nearest whole number, half away from zero, and stops
// at the ends of int64.
func wholeOf(v *big.Rat) int64 {
	half := big.NewRat(1, 2)
	if v.Sign() < 0 {
		half.Neg(half)
	}
	sum := new(big.Rat).Add(v, half)
	whole := new(big.Int).Quo(sum.Num(), sum.Denom()) // towards zero
	switch {
	case whole.IsInt64():
		return whole.Int64()
	case whole.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}
