package present

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/views"
)

// TopologyAsk is the state of the page on topology as its address says it,
// brought to what exists.
type TopologyAsk struct {
	sizing.Topology
	notes []unmet
}

// Values to choose from; what an address asks for besides is added. Everything
// that is counted can be chosen whole.
var (
	topologyOver   = []float64{1, 1.5, 2, 3, 4, 8, 16}
	topologySizes  = []unit.Bytes{64 * unit.KB, unit.MB, 64 * unit.MiB, 1200 * unit.MB, 14 * unit.GB}
	topologyInside = []unit.Rate{32e9, 64e9, 300e9, 450e9}
	topologyAcross = []unit.Rate{1.25e9, 12.5e9, 25e9, 50e9, 100e9}
)

// Limits and latencies that nobody chooses. More nodes or ranks of a node than
// that no phone shows.
const (
	topologyMost         = 16
	topologyMaxNICs      = 16
	topologyMaxOver      = 64
	topologyMaxSize      = unit.TiB
	topologyLatency      = 10 * time.Microsecond // across nodes, assumed
	topologyCloseLatency = 3 * time.Microsecond  // inside, assumed
)

// usualTopology is what the page shows unless somebody says otherwise.
func usualTopology() sizing.Topology {
	return sizing.Topology{
		Nodes: 4, PerNode: 4, NICs: 2, Size: 1200 * unit.MB, Oversubscription: 1,
		Inside: cost.Network{Latency: topologyCloseLatency, Bandwidth: 450e9},
		Across: cost.Network{Latency: topologyLatency, Bandwidth: 50e9},
	}
}

// ReadTopology reads the state from a query.
func ReadTopology(query url.Values) TopologyAsk {
	a := TopologyAsk{Topology: usualTopology()}
	a.Nodes = a.count(countField{"topology.field.nodes", "nodes", 2, topologyMost, a.Nodes}, query)
	a.PerNode = a.count(countField{"topology.field.G", "G", 2, min(topologyMost, sizing.MaxTopologyRanks/a.Nodes), a.PerNode}, query)
	a.NICs = a.count(countField{"topology.field.nics", "nics", 1, topologyMaxNICs, a.NICs}, query)
	a.Inside.Bandwidth = a.rate("topology.field.inside", trimmed(query, "inside"), a.Inside.Bandwidth)
	a.Across.Bandwidth = a.rate("topology.field.across", trimmed(query, "across"), a.Across.Bandwidth)
	a.Oversubscription = a.over(trimmed(query, "over"), a.Oversubscription)
	a.Size = a.size(trimmed(query, "size"), a.Size)
	return a
}

// unmet notes a value that cannot be used; nil is none.
func (a *TopologyAsk) unmet(u *unmet) {
	if u != nil {
		a.notes = append(a.notes, *u)
	}
}

func (a *TopologyAsk) count(f countField, query url.Values) int {
	v, note := f.read(query.Get(f.name))
	a.unmet(note)
	return v
}

// over reads n of n:1.
func (a *TopologyAsk) over(given string, usual float64) float64 {
	if given == "" {
		return usual
	}
	note := unmet{reason: beyond, label: "topology.field.over", given: given, accepted: fromTo("1", strconv.Itoa(topologyMaxOver))}
	asked, err := strconv.ParseFloat(given, 64)
	if err != nil || math.IsNaN(asked) {
		note.reason, note.accepted, note.used = unreadable, "1, 1.5, 2", typed(usual)
		a.unmet(&note)
		return usual
	}
	used := min(max(asked, 1), topologyMaxOver)
	if used != asked {
		note.used = typed(used)
		a.unmet(&note)
	}
	return used
}

// size reads whole elements, of which there is at least one to send.
func (a *TopologyAsk) size(given string, usual unit.Bytes) unit.Bytes {
	if given == "" {
		return usual
	}
	const label = "topology.field.size"
	asked, err := unit.ParseBytes(given)
	if err != nil {
		a.unmet(unreadBytes(err, unmet{label: label, given: given, used: usual.String()}))
		return usual
	}
	within := min(max(asked, elementSize), topologyMaxSize)
	used := within / elementSize * elementSize
	switch {
	case within != asked:
		a.unmet(&unmet{reason: beyond, label: label, given: given, accepted: fromTo(unit.Bytes(elementSize).String(), topologyMaxSize.String()), used: used.String()})
	case used != asked:
		a.unmet(&unmet{reason: uneven, label: label, given: given, accepted: unit.Bytes(elementSize).String(), used: used.String()})
	}
	return used
}

func (a *TopologyAsk) rate(label, given string, usual unit.Rate) unit.Rate {
	if given == "" {
		return usual
	}
	rate, err := unit.ParseRate(given)
	if err != nil {
		a.unmet(unreadRate(err, unmet{label: label, given: given, used: usual.String()}))
		return usual
	}
	const least, most = unit.Rate(1e6), unit.Rate(1e13)
	used := min(max(rate, least), most)
	if used != rate {
		a.unmet(&unmet{reason: beyond, label: label, given: given, accepted: fromTo(least.String(), most.String()), used: used.String()})
	}
	return used
}

// fields is the form.
func (t across) fields() []views.StoryField {
	a := t.ask
	field := func(name, label string, options []views.StoryOption) views.StoryField {
		return views.StoryField{Name: name, Label: t.t(label), Options: options}
	}
	over := field("over", "topology.field.over", choices(topologyOver, a.Oversubscription, typed, func(v float64) string {
		if v == 1 {
			return t.t("topology.over.none")
		}
		return t.t("topology.over", "Times", typed(v))
	}))
	over.Hint = t.t("topology.hint.over")
	inside := field("inside", "topology.field.inside", choices(topologyInside, a.Inside.Bandwidth, rateValue, t.insideName))
	across := field("across", "topology.field.across", choices(topologyAcross, a.Across.Bandwidth, rateValue, func(r unit.Rate) string { return bits(r) + " = " + r.String() }))
	across.Hint = t.t("topology.hint.across")
	nics := field("nics", "topology.field.nics", choices(wholes(1, topologyMaxNICs), a.NICs, strconv.Itoa, strconv.Itoa))
	nics.Hint = t.t("topology.hint.nics")
	return []views.StoryField{
		field("nodes", "topology.field.nodes", choices(wholes(2, topologyMost), a.Nodes, strconv.Itoa, strconv.Itoa)),
		field("G", "topology.field.G", choices(wholes(2, min(topologyMost, sizing.MaxTopologyRanks/a.Nodes)), a.PerNode, strconv.Itoa, strconv.Itoa)),
		nics, inside, across, over,
		field("size", "topology.field.size", choices(topologySizes, a.Size, compactBytes, unit.Bytes.String)),
	}
}

// wholes lists the whole numbers from the least to the most.
func wholes(least, most int) []int {
	var all []int
	for v := least; v <= most; v++ {
		all = append(all, v)
	}
	return all
}

// insideNames says what such a rate inside a node is.
var insideNames = map[unit.Rate]string{
	32e9: "topology.inside.32", 64e9: "topology.inside.64", 300e9: "topology.inside.300", 450e9: "topology.inside.450",
}

func (t across) insideName(r unit.Rate) string {
	if name, found := insideNames[r]; found {
		return t.t(name)
	}
	return r.String()
}

// rateValue is a rate as it stands in an address.
func rateValue(r unit.Rate) string { return tight(r.String()) }

// choices are the options of a field: values to choose from, ascending, with
// the chosen one among them.
func choices[T int | float64 | unit.Rate | unit.Bytes](values []T, chosen T, value, name func(T) string) []views.StoryOption {
	all := append(slices.Clone(values), chosen)
	slices.Sort(all)
	var options []views.StoryOption
	for _, v := range slices.Compact(all) {
		options = append(options, views.StoryOption{Value: value(v), Name: name(v), Chosen: v == chosen})
	}
	return options
}
