package unit

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
)

// scales maps a unit prefix to its factor. Both k and K are read as 1,000
// because people write both; the binary ones need their i.
var scales = map[string]*big.Rat{
	"": ratio(1), "k": ratio(1e3), "K": ratio(1e3), "M": ratio(1e6), "G": ratio(1e9), "T": ratio(1e12),
	"Ki": ratio(1 << 10), "Mi": ratio(1 << 20), "Gi": ratio(1 << 30), "Ti": ratio(1 << 40),
}

func ratio(v int64) *big.Rat { return new(big.Rat).SetInt64(v) }

const (
	bytesAccepted    = "accepted: a number with B, kB, MB, GB, TB, KiB, MiB, GiB or TiB, or plain bytes, such as 64MiB, 1.2GB or 8"
	rateAccepted     = "accepted: a number with a unit per second, such as 100Gb/s (bits), 12.5GB/s (bytes) or 1GiB/s"
	durationAccepted = "accepted: a number with ns, us, ms or s, such as 5us or 1.2ms"
)

// AmbiguousError is the error about a quantity that names a power but not of
// what, so that it can be read in two ways.
type AmbiguousError struct {
	Kind          string // size or rate
	Given         string
	First, Second Reading
}

// Reading is one way to read an ambiguous quantity: how it is written so that
// it means nothing else, and what it then counts in.
type Reading struct{ Text, Means string }

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s %q is ambiguous: write %s (%s) or %s (%s)", e.Kind, e.Given, e.First.Text, e.First.Means, e.Second.Text, e.Second.Means)
}

// ParseBytes reads a size such as 64MiB, 1.2GB or 8 (bytes). The value must
// be a whole number of bytes, at least 0. Bits are refused, and so is a
// prefix without a unit, by an AmbiguousError.
func ParseBytes(text string) (Bytes, error) {
	number, suffix, err := split(text)
	if err != nil {
		return 0, fmt.Errorf("size %q: %w; %s", text, err, bytesAccepted)
	}
	var prefix string
	switch {
	case suffix == "":
	case strings.HasSuffix(suffix, "B"):
		prefix = strings.TrimSuffix(suffix, "B")
	case (strings.HasSuffix(suffix, "b") || strings.HasSuffix(suffix, "bit")) && scales[strings.TrimSuffix(strings.TrimSuffix(suffix, "it"), "b")] != nil:
		return 0, fmt.Errorf("size %q is in bits; sizes are in bytes: write a capital B; %s", text, bytesAccepted)
	case len(suffix) == 1 && scales[suffix] != nil:
		n := typed(text, suffix)
		return 0, &AmbiguousError{Kind: "size", Given: text,
			First: Reading{n + decimal(suffix) + "B", "powers of 1,000"}, Second: Reading{n + strings.ToUpper(suffix) + "iB", "powers of 1,024"}}
	default:
		return 0, fmt.Errorf("size %q: unknown unit %q; %s", text, suffix, bytesAccepted)
	}
	scale, ok := scales[prefix]
	if !ok {
		return 0, fmt.Errorf("size %q: unknown unit %q; %s", text, suffix, bytesAccepted)
	}
	v := number.Mul(number, scale)
	if !v.IsInt() {
		return 0, fmt.Errorf("size %q is not a whole number of bytes", text)
	}
	if !v.Num().IsInt64() {
		return 0, fmt.Errorf("size %q is more than %d bytes", text, int64(math.MaxInt64))
	}
	return Bytes(v.Num().Int64()), nil
}

// ParseRate reads a data rate such as 100Gb/s (bits), 12.5GB/s or 1GiB/s. It
// must be greater than 0; "bps" is read as b/s. A unit that names neither
// bits nor bytes is refused by an AmbiguousError.
func ParseRate(text string) (Rate, error) {
	number, suffix, err := split(text)
	if err != nil {
		return 0, fmt.Errorf("rate %q: %w; %s", text, err, rateAccepted)
	}
	perSecond := true
	unit := suffix
	switch {
	case strings.HasSuffix(unit, "/s"):
		unit = strings.TrimSuffix(unit, "/s")
	case strings.HasSuffix(unit, "bps"):
		unit = strings.TrimSuffix(unit, "ps")
	default:
		perSecond = false
	}
	bits := false
	prefix := unit
	switch {
	case strings.HasSuffix(unit, "bit"):
		bits, prefix = true, strings.TrimSuffix(unit, "bit")
	case strings.HasSuffix(unit, "b"):
		bits, prefix = true, strings.TrimSuffix(unit, "b")
	case strings.HasSuffix(unit, "B"):
		prefix = strings.TrimSuffix(unit, "B")
	case scales[unit] != nil:
		n := typed(text, suffix) + decimal(unit)
		return 0, &AmbiguousError{Kind: "rate", Given: text, First: Reading{n + "b/s", "bits"}, Second: Reading{n + "B/s", "bytes"}}
	}
	scale, ok := scales[prefix]
	if !ok {
		return 0, fmt.Errorf("rate %q: unknown unit %q; %s", text, suffix, rateAccepted)
	}
	if !perSecond {
		return 0, fmt.Errorf("rate %q has no time in it: write %s/s; %s", text, strings.TrimSpace(text), rateAccepted)
	}
	v := number.Mul(number, scale)
	if bits {
		v.Quo(v, ratio(8))
	}
	f, _ := v.Float64()
	if f <= 0 || math.IsInf(f, 0) {
		return 0, fmt.Errorf("rate %q: must be greater than 0; %s", text, rateAccepted)
	}
	return Rate(f), nil
}

// ParseDuration reads a time such as 5us, 1.2ms or 0s, at least 0. A number
// without a unit is refused, but for 0.
func ParseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
	// "5m" could be meant as 5 ms, and an hour is no latency: neither is read.
	if minutes := strings.ReplaceAll(text, "ms", ""); err != nil || strings.ContainsAny(minutes, "mh") {
		return 0, fmt.Errorf("time %q: %s", text, durationAccepted)
	}
	if d < 0 {
		return 0, fmt.Errorf("time %q: must not be negative; %s", text, durationAccepted)
	}
	return d, nil
}

// split cuts "1.2 GB" into its number and its unit. Thousands separators,
// signs and exponents are not read: they are rare in what people type and
// common in what they mistype.
func split(text string) (*big.Rat, string, error) {
	t := strings.TrimSpace(text)
	end := strings.IndexFunc(t, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(t)
	}
	if end == 0 {
		return nil, "", fmt.Errorf("does not begin with a number")
	}
	// A Rat of unbounded length would cost unbounded time on hostile input.
	if end > 40 {
		return nil, "", fmt.Errorf("the number is too long")
	}
	number, ok := new(big.Rat).SetString(t[:end])
	if !ok || t[:end] == "." {
		return nil, "", fmt.Errorf("%q is not a number", t[:end])
	}
	return number, strings.TrimSpace(t[end:]), nil
}

// typed is the number of a quantity as it was typed.
func typed(text, suffix string) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), suffix))
}

// decimal spells a prefix as its unit is written: kB, not KB, but KiB.
func decimal(prefix string) string {
	if prefix == "K" {
		return "k"
	}
	return prefix
}
