package unit

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		"8": 8, "0": 0, "64MiB": 64 << 20, "1.2GB": 1_200_000_000, "1kB": 1000, "1 KB": 1000, "12B": 12,
		"0.5KiB": 512, "2TB": 2e12, "1.5 GiB": 3 << 29,
	} {
		got, err := ParseBytes(text)
		if err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestParseBytesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"100G": "100GB", "100M": "100MiB", "1K": "1kB (powers of 1,000) or 1KiB", "": "accepted", "GB": "accepted",
		"-1": "accepted", "1.5": "whole number", "1Gb": "bits", "9e9": "accepted", "99999999TiB": "more than",
		"1XB": "unknown unit", "64mib": "unknown unit", "1.2.3MB": "not a number",
	} {
		_, err := ParseBytes(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseBytes(%q) = %v; want an error with %q", text, err, want)
		}
	}
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string]Rate{
		"100Gb/s": 12.5e9, "12.5GB/s": 12.5e9, "1GiB/s": 1 << 30, "400 Gbit/s": 50e9, "10Gbps": 1.25e9, "100MB/s": 1e8,
	} {
		got, err := ParseRate(text)
		if err != nil || got != want {
			t.Errorf("ParseRate(%q) = %v, %v; want %v", text, float64(got), err, float64(want))
		}
	}
}

func TestParseRateRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"100G": "100Gb/s (bits) or 100GB/s (bytes)", "100G/s": "100Gb/s (bits) or 100GB/s (bytes)", "100": "100b/s (bits)",
		"1GB": "1GB/s", "0GB/s": "greater than 0", "fast": "accepted", "1XB/s": "unknown unit",
	} {
		_, err := ParseRate(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseRate(%q) = %v; want an error with %q", text, err, want)
		}
	}
}

// What can be read in two ways says so in its type, and both readings can be
// typed.
func TestAmbiguousQuantitiesCarryBothReadings(t *testing.T) {
	size := func(text string) error { _, err := ParseBytes(text); return err }
	rate := func(text string) error { _, err := ParseRate(text); return err }
	for _, test := range []struct {
		parse         func(string) error
		text          string
		first, second string
	}{
		{size, " 1.50 k", "1.50kB", "1.50KiB"}, {size, "64M", "64MB", "64MiB"},
		{rate, "100G", "100Gb/s", "100GB/s"}, {rate, "10K/s", "10kb/s", "10kB/s"}, {rate, "8Mi", "8Mib/s", "8MiB/s"}, {rate, "400", "400b/s", "400B/s"},
	} {
		err := test.parse(test.text)
		var two *AmbiguousError
		if !errors.As(err, &two) || two.Given != test.text || two.First.Text != test.first || two.Second.Text != test.second {
			t.Errorf("%q is refused by %v", test.text, err)
			continue
		}
		for _, reading := range []Reading{two.First, two.Second} {
			if err := test.parse(reading.Text); err != nil {
				t.Errorf("%q is offered for %q and refused: %v", reading.Text, test.text, err)
			}
		}
	}
	for _, err := range []error{size("many"), size("1Gb"), rate("1GB"), rate("1XB/s")} {
		if two := (*AmbiguousError)(nil); err == nil || errors.As(err, &two) {
			t.Errorf("%v is of two readings", err)
		}
	}
}

func TestHalvesAreRoundedAwayFromZero(t *testing.T) {
	for want, v := range map[string]float64{
		"3.13": 3.125, "-3.13": -3.125, "1.01": 1.005, "2.68": 2.675, "9.99": 9.985, "3.12": 3.1249, "125": 124.5, "12.5": 12.5, "1000": 999.5, "0": 0, "0.000125": 0.0001245,
	} {
		if got := Significant(v, 3); got != want {
			t.Errorf("%v is printed as %s, want %s", v, got, want)
		}
	}
	if got := Rate(25e9 / 8).String(); got != "3.13 GB/s" {
		t.Errorf("25 Gb/s are %s", got)
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"5us": 5e3, "1.2ms": 1.2e6, "0s": 0, "0": 0, "1 s": 1e9, "5µs": 5e3} {
		got, err := ParseDuration(text)
		if err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"5", "-1s", "soon", "", "5m", "1h", "1m5s"} {
		if _, err := ParseDuration(text); err == nil || !strings.Contains(err.Error(), "accepted") {
			t.Errorf("ParseDuration(%q) = %v; want an error that says what is accepted", text, err)
		}
	}
}

func TestBytesPrintAsTheyAreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Bytes(rapid.Int64Range(0, math.MaxInt64).Draw(t, "bytes"))
		got, err := ParseBytes(b.String())
		if err != nil || got != b {
			t.Fatalf("ParseBytes(%q) = %d, %v; want %d", b.String(), got, err, b)
		}
	})
}

func TestPrinting(t *testing.T) {
	for want, got := range map[string]string{
		"64 MiB": (64 * MiB).String(), "1.2 GB": (1200 * MB).String(), "8 B": Bytes(8).String(), "0 B": Bytes(0).String(),
		"12.5 GB/s": Rate(12.5e9).String(), "10.8 s": Seconds(10.8).String(), "50 us": Seconds(50e-6).String(),
		"0.64 ns": Seconds(0.64e-9).String(), "0 s": Seconds(0).String(), "1.23 ms": Seconds(0.00123456).String(),
	} {
		if got != want {
			t.Errorf("printed %q; want %q", got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"64MiB", "100G", "1.2GB/s", "5us", "", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if b, err := ParseBytes(text); err == nil && b < 0 {
			t.Errorf("ParseBytes(%q) = %d", text, b)
		}
		if r, err := ParseRate(text); err == nil && !(r > 0) {
			t.Errorf("ParseRate(%q) = %v", text, r)
		}
		_, _ = ParseDuration(text)
	})
}
