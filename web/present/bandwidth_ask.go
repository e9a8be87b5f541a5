package present

import (
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Ends and defaults of the calculator. The defaults are an example, not a
// measurement: eight ranks that keep five sixths of a 400 Gb/s port busy.
const (
	bandwidthRanks   = 8
	bandwidthSize    = unit.GB
	bandwidthMaxSize = 64 * unit.TiB
	bandwidthTime    = unit.Seconds(0.042)
	bandwidthMinTime = unit.Seconds(1e-9)
	bandwidthMaxTime = unit.Seconds(1e6)
	bandwidthWire    = unit.Rate(50e9)
	bandwidthMinRate = unit.Rate(1)
	bandwidthMaxRate = unit.Rate(1e15)
)

// BandwidthAsk is the state of the calculator as its address says it: every
// field within its limits, and what was given in its place.
type BandwidthAsk struct {
	Collective schedule.Collective
	Ranks      int
	Size       unit.Bytes
	Measured   cost.Throughput
	Wire       unit.Rate // of a port, one direction

	measured string // as it stands in the field
	bus      bool   // a bandwidth in it is bus bandwidth
	notes    map[string]bandwidthNote
}

// bandwidthNote is what was not taken as it was given.
type bandwidthNote struct{ message, given, accepted, used string }

// bandwidthCollectives are those that have a bandwidth.
func bandwidthCollectives() []schedule.Collective {
	return slices.DeleteFunc(schedule.Collectives(), func(c schedule.Collective) bool { return c == schedule.Barrier })
}

// ReadBandwidth reads the state from a query. What is out of range becomes the
// nearest value that exists; what cannot be read becomes the default.
func ReadBandwidth(query url.Values) BandwidthAsk {
	a := BandwidthAsk{Collective: schedule.AllReduce, notes: map[string]bandwidthNote{}}
	if c := schedule.Collective(query.Get("collective")); c != "" {
		if slices.Contains(bandwidthCollectives(), c) {
			a.Collective = c
		} else {
			a.note("collective", "bandwidth.unknown", string(c), listOf(bandwidthCollectives()), "")
		}
	}
	a.Ranks = a.readRanks(trimmed(query, "n"))
	a.Size = a.readSize(trimmed(query, "size"))
	a.Wire = a.readRate("wire", trimmed(query, "wire"), bandwidthWire)
	switch as := query.Get("as"); as {
	case "", "algbw", "busbw":
		a.bus = as == "busbw"
	default:
		a.note("as", "story.unread", as, "algbw, busbw", "algbw")
	}
	a.readMeasured(trimmed(query, "measured"))
	return a
}

func trimmed(query url.Values, name string) string { return strings.TrimSpace(query.Get(name)) }

func (a *BandwidthAsk) note(field, message, given, accepted, used string) {
	a.notes[field] = bandwidthNote{message, clipped(given), accepted, used}
}

func (a *BandwidthAsk) readRanks(text string) int {
	if text == "" {
		return bandwidthRanks
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		a.note("n", "story.unreadable", text, fromTo("2", strconv.Itoa(schedule.MaxRanks)), strconv.Itoa(bandwidthRanks))
		return bandwidthRanks
	}
	taken := min(max(n, 2), schedule.MaxRanks)
	if taken != n {
		a.note("n", "story.nearest", text, fromTo("2", strconv.Itoa(schedule.MaxRanks)), strconv.Itoa(taken))
	}
	return taken
}

func (a *BandwidthAsk) readSize(text string) unit.Bytes {
	if text == "" {
		return bandwidthSize
	}
	size, err := unit.ParseBytes(text)
	if err != nil {
		a.note("size", "story.unread", text, bytesExample, bandwidthSize.String())
		return bandwidthSize
	}
	taken := min(max(size, 1), bandwidthMaxSize)
	if taken != size {
		a.note("size", "story.nearest", text, fromTo("1 B", bandwidthMaxSize.String()), taken.String())
	}
	return taken
}

// twoReadings reports whether a quantity was refused because it can be read in
// two ways.
func twoReadings(err error) bool {
	two := new(unit.AmbiguousError)
	return errors.As(err, &two)
}

func (a *BandwidthAsk) readRate(field, text string, usual unit.Rate) unit.Rate {
	if text == "" {
		return usual
	}
	rate, err := unit.ParseRate(text)
	switch {
	case twoReadings(err):
		a.note(field, "bandwidth.ambiguous", text, "", usual.String())
		return usual
	case err != nil:
		a.note(field, "story.unread", text, rateExample, usual.String())
		return usual
	}
	taken := min(max(rate, bandwidthMinRate), bandwidthMaxRate)
	if taken != rate {
		a.note(field, "story.nearest", text, fromTo(bandwidthMinRate.String(), bandwidthMaxRate.String()), taken.String())
	}
	return taken
}

// readMeasured takes a time or a rate; which of the two, its unit says.
func (a *BandwidthAsk) readMeasured(text string) {
	a.measured = text
	if text == "" {
		a.measured = tight(bandwidthTime.String())
	}
	rate, rateErr := unit.ParseRate(text)
	if rateErr == nil {
		at := cost.ThroughputAt
		if a.bus {
			at = cost.ThroughputAtBus
		}
		a.Measured = at(a.Collective, a.Ranks, a.Size, min(max(rate, bandwidthMinRate), bandwidthMaxRate))
		return
	}
	t := bandwidthTime
	if text != "" {
		switch d, err := unit.ParseDuration(strings.ReplaceAll(text, "µ", "u")); {
		case err == nil:
			t = min(max(unit.FromDuration(d), bandwidthMinTime), bandwidthMaxTime)
			if math.Abs(float64(t-unit.FromDuration(d))) > 0 {
				a.note("measured", "story.nearest", text, fromTo(duration(bandwidthMinTime), duration(bandwidthMaxTime)), duration(t))
			}
		case twoReadings(rateErr) && strings.Trim(text, "0123456789.") != "": // a bare number may be a time as well
			a.note("measured", "bandwidth.ambiguous", text, "", duration(t))
		default:
			a.note("measured", "story.unread", text, "42ms, 24GB/s, 190Gb/s", duration(t))
		}
	}
	a.Measured = cost.ThroughputIn(a.Collective, a.Ranks, a.Size, t)
}
