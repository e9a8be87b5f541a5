package present

import (
	"math"
	"net/url"
	"strconv"

	"lockstep/engine/unit"
)

// WhyAsk is the state of the page on why training communicates as its address
// says it: everything within its limits, and what was given in its place.
type WhyAsk struct {
	Step     int     // of the small example, from 1
	Billions float64 // of parameters
	Bytes    int     // of a parameter's gradient
	Workers  int
	Compute  float64 // seconds that each worker computes in a step

	network lessonNetwork
	notes   []unmet
	numberFields
}

var (
	whyBillionsLimits = storyLimits{name: "params", label: "why.field.params", unit: "why.unit.params", least: 0.001, most: 10_000, usual: 7, sliderLow: 0.5, slider: 100, step: 0.5}
	whyWorkersLimits  = storyLimits{name: "workers", label: "why.field.workers", unit: "why.unit.workers", least: 2, most: 1024, usual: 64, whole: true, sliderLow: 2, slider: 256, step: 1}
	whyComputeLimits  = storyLimits{name: "compute", label: "why.field.compute", unit: "story.unit.compute", least: 0.001, most: 1_000_000, usual: 2, sliderLow: 0.1, slider: 20, step: 0.1}
)

// Defaults of what is no number on its own.
const (
	whyBytes   = 2 // BF16
	whyNetwork = "ib-400g"
)

// ReadWhy reads the state from a query. What is out of range becomes the
// nearest value that exists; what cannot be read becomes the usual.
func ReadWhy(query url.Values) WhyAsk {
	a := WhyAsk{numberFields: newNumberFields(), Step: 1, Bytes: whyBytes}
	a.Billions = a.number(query, whyBillionsLimits)
	a.Workers = int(a.number(query, whyWorkersLimits))
	a.Compute = a.number(query, whyComputeLimits)
	if text := query.Get("bytes"); text != "" {
		if n, err := strconv.Atoi(text); err == nil {
			a.Bytes = nearestOf(n, storyBytes)
		}
		if strconv.Itoa(a.Bytes) != text {
			a.notes = append(a.notes, unmet{reason: unknown, label: "why.field.bytes", given: text, accepted: storyBytesAccepted(), used: strconv.Itoa(a.Bytes) + " B"})
		}
	}
	step, note := countField{"unmet.step", "k", 1, whySteps, 1}.read(query.Get("k"))
	if a.Step = step; note != nil {
		a.notes = append(a.notes, *note)
	}
	a.readNetwork(query.Get("net"))
	return a
}

func (a *WhyAsk) readNetwork(given string) {
	for _, n := range lessonNetworks() {
		if n.id == whyNetwork && a.network.id == "" || n.id == given {
			a.network = n
		}
	}
	if given != "" && a.network.id != given {
		a.notes = append(a.notes, unmet{reason: unknown, label: "why.field.net", given: given, accepted: listOf(networkIDs()), named: a.network.message})
	}
}

// size is the gradient of one worker.
func (a WhyAsk) size() unit.Bytes {
	return unit.Bytes(math.Round(a.Billions * 1e9 * float64(a.Bytes)))
}

// query is the state as it stands in an address, at another step of the
// example: only what is not the usual.
func (a WhyAsk) query(step int) url.Values {
	q := url.Values{}
	set := func(name, value, usual string) {
		if value != usual {
			q.Set(name, value)
		}
	}
	set("k", strconv.Itoa(step), "1")
	set("params", typed(a.Billions), typed(whyBillionsLimits.usual))
	set("bytes", strconv.Itoa(a.Bytes), strconv.Itoa(whyBytes))
	set("net", a.network.id, whyNetwork)
	set("workers", strconv.Itoa(a.Workers), typed(whyWorkersLimits.usual))
	set("compute", typed(a.Compute), typed(whyComputeLimits.usual))
	return q
}
