package present

import (
	"math"
	"slices"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/views/locale"
)

// doubtsNamed is how many fields in doubt a row names before it only counts.
const doubtsNamed = 4

// paramsApart is how far counted parameters may be from published ones, which
// are rounded, before a row says so.
const paramsApart = 0.02

// doubtful reports whether no source confirms a field.
func doubtful(o catalog.Origin, key string) bool {
	return slices.Contains(o.Unverified, key) || slices.Contains(o.Unverified, "all")
}

// catalogDoubts says what of an entry is not sure.
func (f Frame) catalogDoubts(s catalog.Sheet) []string {
	l := f.Locale
	var all []string
	switch {
	case s.Own && s.Rests() == catalog.Assumed:
		all = append(all, l.T("catalog.doubt.own"))
	case !s.Own && !s.Verified:
		all = append(all, l.T("catalog.doubt.entry"))
	}
	switch {
	case slices.Contains(s.Unverified, "all"):
		all = append(all, l.T("catalog.doubt.all"))
	case len(s.Unverified) > 0:
		names := f.entryNames(s.Unverified[:min(len(s.Unverified), doubtsNamed)])
		if more := len(s.Unverified) - doubtsNamed; more > 0 {
			names += " " + l.T("catalog.more.fields", locale.Values{"Count": more})
		}
		all = append(all, l.T("catalog.doubt.fields", locale.Values{"Fields": names}))
	}
	if m, is := s.Model(); is && m.Params > 0 && math.Abs(m.Off) > paramsApart {
		all = append(all, l.T("catalog.doubt.params", locale.Values{"Counted": sayCount(l, m.Params), "Stated": sayCount(l, m.Stated), "Off": percentDigits(math.Abs(m.Off))}))
	}
	if v, is := s.Fabric(); is {
		switch v.FractionIs {
		case "planning_constant":
			all = append(all, l.T("catalog.doubt.planning"))
		case "acceptance_threshold_lower_bound":
			all = append(all, l.T("catalog.doubt.threshold"))
		}
	}
	return all
}

// entryNames lists fields by their names.
func (f Frame) entryNames(keys []string) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = entryTerm(f.Locale, key)
	}
	between := ", "
	if f.Locale.Lang() == locale.Chinese {
		between = "、"
	}
	return strings.Join(names, between)
}
