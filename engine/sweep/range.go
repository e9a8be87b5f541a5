package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"lockstep/engine/unit"
)

// MaxSizes bounds the sizes of a comparison.
const MaxSizes = 40

// Range is sizes from First to at most Last, each Factor times the one before.
type Range struct {
	First, Last unit.Bytes
	Factor      int
}

// accepted is how a range is written.
const accepted = "accepted: FIRST:LAST:xFACTOR such as 8:64MiB:x4"

// ParseRange reads a range such as 8:64MiB:x4; without its factor it doubles.
func ParseRange(text string) (Range, error) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) != 2 && len(parts) != 3 {
		return Range{}, fmt.Errorf("%q is no range of sizes; %s", text, accepted)
	}
	r := Range{Factor: 2}
	var err error
	if r.First, err = unit.ParseBytes(parts[0]); err != nil {
		return Range{}, err
	}
	if r.Last, err = unit.ParseBytes(parts[1]); err != nil {
		return Range{}, err
	}
	if len(parts) == 3 {
		digits, found := strings.CutPrefix(strings.TrimSpace(parts[2]), "x")
		if r.Factor, err = strconv.Atoi(digits); !found || err != nil {
			return Range{}, fmt.Errorf("%q is no factor; %s", parts[2], accepted)
		}
	}
	return r, r.check()
}

func (r Range) check() error {
	switch {
	case r.First < 1:
		return fmt.Errorf("sizes from %s; accepted: 1 byte or more", r.First)
	case r.Last < r.First:
		return fmt.Errorf("sizes from %s to %s; accepted: the smaller first", r.First, r.Last)
	case r.Factor < 2:
		return fmt.Errorf("factor %d; accepted: 2 or more", r.Factor)
	case len(r.sizes(1)) > MaxSizes:
		return fmt.Errorf("%d sizes; accepted: at most %d", len(r.sizes(1)), MaxSizes)
	}
	return nil
}

// String writes the range as ParseRange reads it.
func (r Range) String() string {
	return fmt.Sprintf("%s:%s:x%d", exact(r.First), exact(r.Last), r.Factor)
}

// exact writes bytes without rounding.
func exact(b unit.Bytes) string {
	text := strings.ReplaceAll(b.String(), " ", "")
	if again, err := unit.ParseBytes(text); err != nil || again != b {
		return strconv.FormatInt(int64(b), 10)
	}
	return text
}

// sizes lists the range in whole multiples, those between two of them taken up
// to the next: a range that people type fits every collective and type.
func (r Range) sizes(whole unit.Bytes) []unit.Bytes {
	var all []unit.Bytes
	for size := r.First; size <= r.Last && len(all) <= 4*MaxSizes; size *= unit.Bytes(r.Factor) {
		fits := (size + whole - 1) / whole * whole
		if len(all) == 0 || all[len(all)-1] != fits {
			all = append(all, fits)
		}
		if size > r.Last/unit.Bytes(r.Factor) {
			break // the next would be beyond, or beyond what an integer holds
		}
	}
	return all
}
