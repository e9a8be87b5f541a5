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
	notes []storyNote
}

// Values to choose from; what an address asks for besides is added.
var (
	topologyNodes   = []int{2, 3, 4, 6, 8, 16}
	topologyPerNode = []int{2, 4, 8, 16}
	topologyNICs    = []int{1, 2, 4, 8}
	topologyOver    = []float64{1, 2, 4, 8}
	topologySizes   = []unit.Bytes{64 * unit.KB, unit.MB, 64 * unit.MiB, 1200 * unit.MB, 14 * unit.GB}
	topologyInside  = []unit.Rate{32e9, 64e9, 300e9, 450e9}
	topologyAcross  = []unit.Rate{1.25e9, 12.5e9, 25e9, 50e9, 100e9}
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
	a.Nodes = a.count(query.Get("nodes"), 2, topologyMost, a.Nodes)
	a.PerNode = a.count(query.Get("G"), 2, topologyMost, a.PerNode)
	if most := sizing.MaxTopologyRanks / a.Nodes; a.PerNode > most {
		a.notes = append(a.notes, storyNote{given: query.Get("G"), used: strconv.Itoa(most)})
		a.PerNode = most
	}
	a.NICs = a.count(query.Get("nics"), 1, topologyMaxNICs, a.NICs)
	a.Inside.Bandwidth = a.rate(query.Get("inside"), a.Inside.Bandwidth)
	a.Across.Bandwidth = a.rate(query.Get("across"), a.Across.Bandwidth)
	if given := query.Get("over"); given != "" {
		v, err := strconv.ParseFloat(given, 64)
		if err != nil || math.IsNaN(v) {
			v = a.Oversubscription
		}
		a.Oversubscription = min(max(v, 1), topologyMaxOver)
		a.noteUnless(given, typed(a.Oversubscription))
	}
	if given := query.Get("size"); given != "" {
		size, err := unit.ParseBytes(given)
		if err != nil {
			size = a.Size
		}
		// Whole elements, and something to send.
		a.Size = max(min(size, topologyMaxSize)/elementSize*elementSize, elementSize)
		if size != a.Size || err != nil {
			a.noteUnless(given, a.Size.String())
		}
	}
	return a
}

// noteUnless notes what was asked for and what is shown, unless they are the
// same.
func (a *TopologyAsk) noteUnless(given, used string) {
	if given != used {
		a.notes = append(a.notes, storyNote{given: given, used: used})
	}
}

func (a *TopologyAsk) count(given string, least, most, usual int) int {
	if given == "" {
		return usual
	}
	v, err := strconv.Atoi(given)
	if err != nil {
		v = usual
	}
	v = min(max(v, least), most)
	a.noteUnless(given, strconv.Itoa(v))
	return v
}

func (a *TopologyAsk) rate(given string, usual unit.Rate) unit.Rate {
	if given == "" {
		return usual
	}
	rate, err := unit.ParseRate(given)
	if err != nil {
		a.noteUnless(given, usual.String())
		return usual
	}
	used := min(max(rate, 1e6), 1e13)
	if used != rate {
		a.noteUnless(given, used.String())
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
	nics := field("nics", "topology.field.nics", choices(topologyNICs, a.NICs, strconv.Itoa, strconv.Itoa))
	nics.Hint = t.t("topology.hint.nics")
	return []views.StoryField{
		field("nodes", "topology.field.nodes", choices(topologyNodes, a.Nodes, strconv.Itoa, strconv.Itoa)),
		field("G", "topology.field.G", choices(slices.DeleteFunc(slices.Clone(topologyPerNode), func(g int) bool { return g*a.Nodes > sizing.MaxTopologyRanks }), a.PerNode, strconv.Itoa, strconv.Itoa)),
		nics, inside, across, over,
		field("size", "topology.field.size", choices(topologySizes, a.Size, compactBytes, unit.Bytes.String)),
	}
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
