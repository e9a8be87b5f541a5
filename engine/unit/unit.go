package unit

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// Bytes is a number of octets, never negative once parsed.
type Bytes int64

// Decimal and binary multiples of a byte.
const (
	KB  Bytes = 1_000
	MB  Bytes = 1_000_000
	GB  Bytes = 1_000_000_000
	TB  Bytes = 1_000_000_000_000
	KiB Bytes = 1 << 10
	MiB Bytes = 1 << 20
	GiB Bytes = 1 << 30
	TiB Bytes = 1 << 40
)

// Rate is a data rate in bytes per second.
type Rate float64

// Seconds is a modelled or measured time in seconds.
type Seconds float64

// GBytes returns the rate in GB/s (1e9 bytes per second).
func (r Rate) GBytes() float64 { return float64(r) / 1e9 }

// Duration rounds s to the nearest nanosecond, saturating at the largest
// Duration.
func (s Seconds) Duration() time.Duration {
	ns := math.Round(float64(s) * 1e9)
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// FromDuration converts a Duration without loss.
func FromDuration(d time.Duration) Seconds { return Seconds(d.Seconds()) }

// Over returns the time that b bytes take at rate r. A zero rate yields +Inf
// for any positive number of bytes and 0 for none.
func (b Bytes) Over(r Rate) Seconds {
	if b == 0 {
		return 0
	}
	return Seconds(float64(b) / float64(r))
}

// String prints b as people type it, exactly, so that ParseBytes(b.String())
// == b: the shortest of the forms with at most three decimals.
func (b Bytes) String() string {
	best := strconv.FormatInt(int64(b), 10) + " B"
	for _, u := range []struct {
		name    string
		size    Bytes
		decimal bool
	}{
		{"TiB", TiB, false}, {"GiB", GiB, false}, {"MiB", MiB, false}, {"KiB", KiB, false},
		{"TB", TB, true}, {"GB", GB, true}, {"MB", MB, true}, {"kB", KB, true},
	} {
		if b < u.size {
			continue
		}
		form := ""
		switch {
		case b%u.size == 0:
			form = strconv.FormatInt(int64(b/u.size), 10) + " " + u.name
		case u.decimal && b%(u.size/1000) == 0 && b/u.size < 1000:
			form = trimFloat(float64(b)/float64(u.size), 3) + " " + u.name
		default:
			continue
		}
		if len(form) < len(best) {
			best = form
		}
	}
	return best
}

// String prints r in bytes per second with three significant digits.
func (r Rate) String() string {
	v := float64(r)
	for _, u := range []struct {
		name string
		size float64
	}{{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}} {
		if v >= u.size {
			return Significant(v/u.size, 3) + " " + u.name
		}
	}
	return Significant(v, 3) + " B/s"
}

// String prints s with three significant digits in the unit that keeps the
// number between 1 and 1,000: ns, us, ms or s.
func (s Seconds) String() string {
	v := math.Abs(float64(s))
	switch {
	case v == 0:
		return "0 s"
	case v < 1e-6:
		return Significant(float64(s)*1e9, 3) + " ns"
	case v < 1e-3:
		return Significant(float64(s)*1e6, 3) + " us"
	case v < 1:
		return Significant(float64(s)*1e3, 3) + " ms"
	}
	return Significant(float64(s), 3) + " s"
}

// Significant prints v with n significant digits, but never fewer than stand
// before the point, in plain notation and without zeros at the end of a
// fraction. Halves are rounded away from zero, as people do: 3.125 is 3.13.
func Significant(v float64, n int) string {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return trimFloat(v, max(0, n-1-int(math.Floor(math.Log10(math.Abs(v))))))
}

// trimFloat prints v with at most so many decimals. What is rounded is the
// shortest decimal that stands for v, not the binary fraction: that one is
// often a hair off the half that people see.
func trimFloat(v float64, decimals int) string {
	t := strconv.FormatFloat(v, 'f', -1, 64)
	point := strings.IndexByte(t, '.')
	if point < 0 {
		return t
	}
	if len(t)-point-1 > decimals {
		if t[point+1+decimals:] == "5" {
			if exact, ok := new(big.Rat).SetString(t); ok {
				t = exact.FloatString(decimals) // away from zero
			}
		} else {
			t = strconv.FormatFloat(v, 'f', decimals, 64)
		}
	}
	if decimals == 0 {
		return t
	}
	return strings.TrimSuffix(strings.TrimRight(t, "0"), ".")
}
