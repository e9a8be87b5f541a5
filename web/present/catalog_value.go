package present

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/views"
	"lockstep/views/locale"
)

// derived are fields that follow from others: behind which one they stand, and
// their unit.
var derived = map[catalog.Kind][]struct{ behind, key, unit string }{
	catalog.Models: {
		{"kind", "computed_params", ""}, {"kind", "computed_active_params", ""},
		{"active_params", "relative_difference", percentUnit}, {"active_params", "relative_difference_active", percentUnit},
	},
	catalog.Systems: {{"nic_gbits_per_s_each", "nic_gbits_per_s_total", "Gb/s"}, {"nic_gbits_per_s_each", "nic_gbytes_per_s_per_accelerator", "GB/s"}},
	catalog.Fabrics: {{"line_rate_gbits_per_s", "line_rate_gbytes_per_s", "GB/s"}},
}

const percentUnit = "%"

// saidElsewhere are fields that a row says in another place than among its fields.
var saidElsewhere = []string{"id", "name", "generation", "source", "basis", "unverified_fields", "notes", "note"}

// noteKey is the field of an entry's notes.
func noteKey(k catalog.Kind) string {
	if k == catalog.Models {
		return "note"
	}
	return "notes"
}

// catalogFacts are all fields that an entry has, by group.
func (f Frame) catalogFacts(s catalog.Sheet, values map[string]any) []views.CatalogFacts {
	l := f.Locale
	var all []views.CatalogFacts
	for _, group := range catalog.Groups() {
		g := views.CatalogFacts{Name: entryTerm(l, "group."+string(group))}
		add := func(key, unit string, takes catalog.Takes) {
			if v, has := values[key]; has && !slices.Contains(saidElsewhere, key) {
				g.Facts = append(g.Facts, views.CatalogFact{Name: entryTerm(l, key), Value: entryValue(l, v, unit, takes), Doubt: doubtful(s.Origin, key)})
			}
		}
		for _, field := range catalog.Fields(s.Kind) {
			if field.Group != group {
				continue
			}
			add(field.Key, entryUnit(field), field.Takes)
			for _, d := range derived[s.Kind] {
				if d.behind == field.Key {
					add(d.key, d.unit, catalog.TakesNumber)
				}
			}
		}
		if len(g.Facts) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// entryUnit is the unit of a field as people write it.
func entryUnit(field catalog.Field) string {
	if field.Unit == "us" {
		return "µs"
	}
	return field.Unit
}

// entryValue writes the value of a field.
func entryValue(l locale.Locale, v any, unit string, takes catalog.Takes) string {
	switch v := v.(type) {
	case bool:
		if v {
			return l.T("catalog.yes")
		}
		return l.T("catalog.no")
	case float64:
		if unit == percentUnit {
			return percentDigits(v)
		}
		return strings.TrimSpace(plainNumber(v) + " " + unit)
	case []any:
		words := make([]string, len(v))
		for i, one := range v {
			words[i] = fmt.Sprint(one)
		}
		return strings.Join(words, ", ")
	case string:
		if takes == catalog.TakesWord {
			return entryTerm(l, "word."+v)
		}
		return v
	}
	return fmt.Sprint(v)
}

// plainNumber writes a number as exactly as it is known, whole ones with groups
// of thousands.
func plainNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) >= 10_000 && math.Abs(v) < 1e18 {
		return sizeGrouped(int64(v))
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// percentDigits writes a small share with the digits that it has.
func percentDigits(v float64) string {
	return strings.Replace(significant(100*v, 2), "-", "−", 1) + "%"
}

// withUnit is a figure with its unit, empty for one that no source tells.
func withUnit(v float64, unit string) string {
	if v == 0 {
		return ""
	}
	return plainNumber(v) + " " + unit
}

func whole(v int) string {
	if v == 0 {
		return ""
	}
	return plainNumber(float64(v))
}

// product is two numbers of a shape, empty where one is not known.
func product(a, b int) string {
	if a == 0 || b == 0 {
		return ""
	}
	return whole(a) + " × " + whole(b)
}

func headCounts(m catalog.Model) string {
	switch {
	case m.Heads == 0:
		return ""
	case m.KVHeads == 0 || m.KVHeads == m.Heads:
		return strconv.Itoa(m.Heads)
	}
	return fmt.Sprintf("%d (%d)", m.Heads, m.KVHeads)
}

// sayCount is a number of parameters as people say it, to three digits; empty for
// one that is not known.
func sayCount(l locale.Locale, v float64) string {
	if v <= 0 {
		return ""
	}
	steps := []step{{"", 1}, {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}}
	if l.Lang() == locale.Chinese {
		steps = []step{{"", 1}, {"万", 1e4}, {"亿", 1e8}, {"万亿", 1e12}}
	}
	return strings.TrimSpace(sized(v, 3, steps))
}
