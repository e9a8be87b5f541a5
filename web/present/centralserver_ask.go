package present

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views/locale"
)

// CollectorAsk is the state of the page on the central server as its address
// says it: every field within its limits, and what was given in its place.
type CollectorAsk struct {
	Millions float64 // of parameters
	Bytes    int     // of a parameter
	Rate     unit.Rate
	Workers  int
	Compute  float64 // seconds of computing in a step, on one worker
	Return   bool

	notes []unmet
	numberFields
}

// numberFields remember which numbers of a form could not be taken as they
// were given.
type numberFields struct {
	given   map[string]string // by field, what could not be taken as it was
	changed map[string]bool   // the field was moved to the nearest value that exists
}

func newNumberFields() numberFields {
	return numberFields{given: map[string]string{}, changed: map[string]bool{}}
}

// storyLimits are the least and the most of a field, and what the article has.
type storyLimits struct {
	name, label, unit  string // of the field in addresses; message ids
	least, most, usual float64
	whole              bool
	sliderLow, slider  float64 // ends of the slider, which is for showing and not for limits
	step               float64
}

var (
	millionsLimits = storyLimits{name: "params", label: "story.field.params", unit: "story.unit.params", least: 0.001, most: 10_000_000, usual: 300, sliderLow: 10, slider: 1000, step: 10}
	workersLimits  = storyLimits{name: "workers", label: "story.field.workers", unit: "story.unit.workers", least: 2, most: 10_000, usual: 10, whole: true, sliderLow: 2, slider: 100, step: 1}
	computeLimits  = storyLimits{name: "compute", label: "story.field.compute", unit: "story.unit.compute", least: 0.001, most: 1_000_000, usual: 60, sliderLow: 1, slider: 300, step: 1}
)

// storyBytes are the lengths of a parameter that people train with.
var storyBytes = []int{1, 2, 4, 8}

// storyFormats names them.
var storyFormats = map[int]string{1: "story.bytes.1", 2: "story.bytes.2", 4: "story.bytes.4", 8: "story.bytes.8"}

// storyRates are the links of the article, in its order.
var storyRates = []unit.Rate{1e8, 1e9, 12.5e9}

const storyUsualRate = unit.Rate(1e9)

// ReadCollector reads the state from a query. What is out of range becomes
// the nearest value that exists; what cannot be read becomes the article's.
func ReadCollector(query url.Values) CollectorAsk {
	a := CollectorAsk{numberFields: newNumberFields(), Bytes: 4, Rate: storyUsualRate}
	a.Millions = a.number(query, millionsLimits)
	a.Workers = int(a.number(query, workersLimits))
	a.Compute = a.number(query, computeLimits)
	if text := trimmed(query, "bytes"); text != "" {
		if n, err := strconv.Atoi(text); err == nil {
			a.Bytes = nearestOf(n, storyBytes)
		}
		if strconv.Itoa(a.Bytes) != text {
			a.unmet(&unmet{reason: unknown, label: "story.field.bytes", given: text, accepted: storyBytesAccepted(), used: strconv.Itoa(a.Bytes)})
		}
	}
	a.Rate = a.readRate(trimmed(query, "rate"))
	var note *unmet
	a.Return, note = readFlag("back", query.Get("back"))
	a.unmet(note)
	return a
}

// unmet notes a value that cannot be used; nil is none.
func (a *CollectorAsk) unmet(u *unmet) {
	if u != nil {
		a.notes = append(a.notes, *u)
	}
}

// readRate reads the link of each worker.
func (a *CollectorAsk) readRate(given string) unit.Rate {
	if given == "" {
		return storyUsualRate
	}
	rate, err := unit.ParseRate(given)
	if err != nil {
		a.unmet(unreadRate(err, unmet{label: "story.field.rate", given: given, used: storyUsualRate.String()}))
		return storyUsualRate
	}
	const least, most = unit.Rate(1e3), unit.Rate(1e15)
	used := min(max(rate, least), most)
	if used != rate {
		a.unmet(&unmet{reason: beyond, label: "story.field.rate", given: given, accepted: fromTo(least.String(), most.String()), used: used.String()})
	}
	return used
}

// storyBytesAccepted are the lengths of a parameter as they stand in addresses.
func storyBytesAccepted() string {
	var all []string
	for _, n := range storyBytes {
		all = append(all, strconv.Itoa(n))
	}
	return listOf(all)
}

// number reads a field. What is out of range becomes the nearest that exists,
// what cannot be read the usual.
func (a numberFields) number(query url.Values, limits storyLimits) float64 {
	text := strings.TrimSpace(query.Get(limits.name))
	if text == "" {
		return limits.usual
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil || math.IsNaN(v) {
		a.given[limits.name] = text
		return limits.usual
	}
	taken := min(max(v, limits.least), limits.most)
	if limits.whole {
		taken = math.Round(taken)
	}
	if taken != v {
		a.given[limits.name], a.changed[limits.name] = text, true
	}
	return taken
}

func nearestOf(n int, of []int) int {
	best := of[0]
	for _, v := range of {
		if distance(v, n) < distance(best, n) {
			best = v
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// size is what every worker sends in a step.
func (a CollectorAsk) size() unit.Bytes {
	return unit.Bytes(math.Round(a.Millions * 1e6 * float64(a.Bytes)))
}

// collector is the question, on the asked link or another.
func (a CollectorAsk) collector(rate unit.Rate, back bool) sizing.Collector {
	return sizing.Collector{Size: a.size(), Rate: rate, Compute: unit.Seconds(a.Compute), Return: back}
}

// wrong says what was not taken as it was given, empty for nothing.
func (a numberFields) wrong(l locale.Locale, limits storyLimits, used float64) string {
	given, found := a.given[limits.name]
	if !found {
		return ""
	}
	message := "story.unreadable"
	if a.changed[limits.name] {
		message = "story.nearest"
	}
	return l.T(message, locale.Values{"Given": clipped(given), "Accepted": fromTo(typed(limits.least), typed(limits.most)), "Used": typed(used)})
}

// typed prints a number as it is typed.
func typed(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
