package present

import (
	"strconv"
	"strings"
	"time"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/locale"
)

// sizeTime prints a modelled time, with the sign for micro, and in minutes,
// hours or days once seconds say little.
func sizeTime(s unit.Seconds) string {
	switch {
	case s < 600:
		return duration(s)
	case s < 2*3600:
		return significant(float64(s)/60, 3) + " min"
	case s < 2*86400:
		return significant(float64(s)/3600, 3) + " h"
	}
	return significant(float64(s)/86400, 3) + " d"
}

// sizeRange prints an interval, with one unit where both ends have the same.
func sizeRange(low, high unit.Seconds) string {
	from, to := sizeTime(low), sizeTime(high)
	if from == to {
		return from
	}
	return joinRange(from, to)
}

// sizeLatency prints α: a latency of nothing is one that is left out.
func sizeLatency(d time.Duration) string { return sizeTime(unit.FromDuration(d)) }

// sizeBytes prints an amount of data to three digits, in decimal units.
func sizeBytes(b unit.Bytes) string {
	return sized(float64(b), 3, []step{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}})
}

// sizeGrouped prints a whole number with commas between thousands.
func sizeGrouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// sizeRatio prints how many times, to three digits.
func sizeRatio(v float64) string { return significant(v, 3) }

// sizeSpans cuts a message at its stars: what stands between two is strong.
func sizeSpans(message string) []views.SizeSpan {
	var spans []views.SizeSpan
	for i, text := range strings.Split(message, "*") {
		if text != "" {
			spans = append(spans, views.SizeSpan{Text: text, Strong: i%2 == 1})
		}
	}
	return spans
}

// sizePlain is the message without its stars.
func sizePlain(message string) string { return strings.ReplaceAll(message, "*", "") }

// fabricMessages name the fabrics.
var fabricMessages = map[string]string{
	"ethernet-slow":  "size.fabric.ethernet-slow",
	"article":        "size.fabric.article",
	"infiniband-100": "size.fabric.infiniband-100",
	"roce-200":       "size.fabric.roce-200",
	"infiniband-400": "size.fabric.infiniband-400",
}

func sizeFabricName(l locale.Locale, f sizing.Fabric) string {
	if message, known := fabricMessages[f.Key]; known {
		return l.T(message)
	}
	if f.Name != "" {
		return f.Name
	}
	return f.Key // of a report that an earlier program has saved
}

// basisMessages name where a figure comes from.
var basisMessages = map[sizing.Basis]string{
	sizing.Stated:   "size.basis.stated",
	sizing.Rated:    "size.basis.rated",
	sizing.Measured: "size.basis.measured",
	sizing.Assumed:  "size.basis.assumed",
	sizing.Given:    "size.basis.given",
}

func sizeBasis(l locale.Locale, f sizing.Fabric) string {
	return l.T("size.basis.both", locale.Values{
		"Latency": l.T(basisMessages[f.LatencyBasis]), "Bandwidth": l.T(basisMessages[f.BandwidthBasis]),
	})
}

// countingMessages name what is counted of which algorithm.
var countingMessages = map[sizing.Counting]string{
	sizing.CentralOneWay: "size.counting.one-way",
	sizing.Central:       "size.counting.both",
	sizing.Ring:          "size.counting.ring",
}

// phaseMessages name the phases that a page about sizes calls otherwise than a
// lesson does.
var phaseMessages = map[string]string{
	"collect":        "size.phase.collect",
	"return":         "size.phase.return",
	"reduce-scatter": "size.phase.reduce-scatter",
	"all-gather":     "size.phase.all-gather",
}

func sizePhase(l locale.Locale, key string) string {
	if message, known := phaseMessages[key]; known {
		return l.T(message)
	}
	return phaseTerm(l, key)
}

// sizeModelName is what the model is called, empty for one by its count alone.
func sizeModelName(s sizing.Step) string {
	if s.ModelName != "" {
		return s.ModelName
	}
	if model, known := sizing.FindModel(s.Model); known {
		return model.Name
	}
	return s.Model
}

// sizeModelSource is where the model's shape is published, empty for none.
func sizeModelSource(s sizing.Step) string {
	if model, known := sizing.FindModel(s.Model); known && s.ModelSource == "" {
		return model.Source
	}
	return s.ModelSource
}
