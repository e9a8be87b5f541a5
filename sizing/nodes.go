package sizing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// Links are what probes have found between nodes.
type Links interface {
	// Links returns the newest probe of each ordered pair; a pair that was never
	// probed is absent.
	Links() []inventory.Link
}

// Across returns a planner that also plans runs on nodes, by the probes of the
// links between them.
func (p *Planner) Across(links Links) *Planner {
	return &Planner{earlier: p.earlier, machine: p.machine, links: links}
}

// errNotProbed says that a pair of a run's nodes has not been probed.
var errNotProbed = errors.New("the nodes have not been probed")

// route is what the ways between the nodes of a run are like: the usual one,
// since each probe has its noise and a minimum of many would be noise, unless
// one stands out, for which a collective waits with all its messages.
type route struct {
	cost.Network
	narrow   *inventory.Link // the one that stands out by its rate; nil for none
	measured time.Time       // of the oldest of the probes
}

const (
	// narrowFrom is below which share of the usual rate a way stands out, and
	// distantFrom above which multiple of the usual latency.
	narrowFrom  = 0.75
	distantFrom = 3
)

func (p *Planner) route(nodes []string) (route, error) {
	if p.links == nil {
		return route{}, errNotProbed
	}
	var between []inventory.Link
	for _, l := range p.links.Links() {
		if slices.Contains(nodes, l.From) && slices.Contains(nodes, l.To) && l.From != l.To && l.Fault == "" && l.Rate > 0 {
			between = append(between, l)
		}
	}
	if len(between) == 0 || len(between) < len(nodes)*(len(nodes)-1) {
		return route{}, errNotProbed
	}
	middle := len(between) / 2
	slices.SortStableFunc(between, func(a, b inventory.Link) int { return cmp.Compare(a.Latency, b.Latency) })
	r := route{measured: between[0].Time}
	r.Latency = between[middle].Latency.Duration()
	if most := between[len(between)-1].Latency.Duration(); most > distantFrom*r.Latency {
		r.Latency = most
	}
	slices.SortStableFunc(between, func(a, b inventory.Link) int { return cmp.Compare(a.Rate, b.Rate) })
	r.Bandwidth = between[middle].Rate
	if least := between[0]; float64(least.Rate) < narrowFrom*float64(r.Bandwidth) {
		r.Bandwidth, r.narrow = least.Rate, &least
	}
	for _, l := range between {
		if l.Time.Before(r.measured) {
			r.measured = l.Time
		}
	}
	return r, nil
}

// planNodes plans a run whose ranks are on nodes: played on a fabric of the
// probed links between them, with what is assumed of ranks of one machine
// within. A run on one node only is not predicted: that machine's model is not
// known here.
func (p *Planner) planNodes(spec trace.Spec) (trace.Plan, error) {
	r, err := p.route(spec.Nodes)
	known := true
	var grounds trace.Warning
	switch {
	case spec.Pace.Step:
		known, grounds = false, unpredicted("the run is held after each round", trace.Values{"why": heldByStep})
	case spec.Ranks == 1:
		known, grounds = false, unpredicted("a single rank sends nothing", trace.Values{"why": singleRank})
	case len(spec.Nodes) == 1:
		known, grounds = false, unpredicted("node "+spec.Nodes[0]+" is not calibrated", trace.Values{"why": notCalibrated, "node": spec.Nodes[0]})
	case err != nil:
		known, grounds = false, unpredicted("the links between these nodes have not been measured; probe them first", trace.Values{"why": notProbed})
	default:
		grounds = r.warning()
	}
	if !known { // something to choose an algorithm by
		r.Network = cost.Network{Latency: AssumedLatency, Bandwidth: AssumedBandwidth}
	}
	fabric := &sim.Fabric{
		PerNode: max(1, spec.PerNode), NICs: 1, Across: r.Network,
		Inside: cost.Network{Latency: AssumedLatency, Bandwidth: max(AssumedBandwidth, r.Bandwidth)},
	}
	if len(spec.Nodes) == 1 {
		fabric.PerNode = spec.Ranks
	}
	if rate := spec.Pace.Rate; rate > 0 {
		fabric.Inside.Bandwidth, fabric.Across.Bandwidth = min(rate, fabric.Inside.Bandwidth), min(rate, fabric.Across.Bandwidth)
	}
	plan := trace.Plan{Algorithm: spec.Algorithm, Warnings: []trace.Warning{grounds}}
	var line *sim.Timeline
	switch {
	case spec.Imported != nil:
		plan.Algorithm = spec.Imported.Algorithm
		line, err = playOn(spec, fabric)
	case spec.Algorithm == "" || spec.Algorithm == cost.Auto:
		plan.Algorithm, line, err = fastestOn(spec, fabric)
	default:
		if _, err := schedule.Find(spec.Collective, spec.Algorithm); err != nil {
			return trace.Plan{}, err
		}
		line, err = playOn(spec, fabric)
	}
	if err != nil {
		return trace.Plan{}, err
	}
	if known {
		plan.Predicted, plan.Rounds = line.Time, line.Rounds
	}
	return plan, nil
}

// warning says what a prediction over the route rests on.
func (r route) warning() trace.Warning {
	v := trace.Values{
		"latency": unit.FromDuration(r.Latency).String(), "bandwidth": r.Bandwidth.String(), "made": r.measured.UTC().Format("2006-01-02 15:04 UTC"),
	}
	text := fmt.Sprintf("predicted with %s and %s, the usual figures of the links between these nodes", v["latency"], v["bandwidth"])
	if r.narrow != nil {
		v["from"], v["to"] = r.narrow.From, r.narrow.To
		text = fmt.Sprintf("predicted with %s and %s, the narrowest of the links between these nodes (%s to %s)", v["latency"], v["bandwidth"], v["from"], v["to"])
	}
	return trace.Warning{Code: "probed", Message: text + ", probed " + v["made"], Values: v}
}

// candidates is how many algorithms are played to the end for a choice. The
// closed forms know no nodes, but they tell which ones are hopeless.
const candidates = 4

// fastestOn returns the algorithm that is fastest on the fabric among those
// that the closed forms hold fastest over its slow tier, and the hierarchical
// one, which they misjudge.
func fastestOn(spec trace.Spec, fabric *sim.Fabric) (string, *sim.Timeline, error) {
	prices, err := cost.Question{
		Collective: spec.Collective, Ranks: spec.Ranks, RanksPerNode: spec.PerNode, Size: spec.Size, Chunks: spec.Chunks, Network: fabric.Across,
	}.All()
	if err != nil {
		return "", nil, err
	}
	slices.SortStableFunc(prices, func(a, b cost.Price) int { return cmp.Compare(a.Time, b.Time) })
	best, played := "", 0
	var line *sim.Timeline
	for _, price := range prices {
		if !price.Executable || played >= candidates && price.Algorithm != "hierarchical" {
			continue
		}
		spec.Algorithm = price.Algorithm
		one, err := playOn(spec, fabric)
		if err != nil {
			return "", nil, err
		}
		if played++; line == nil || one.Time < line.Time {
			best, line = price.Algorithm, one
		}
	}
	if line == nil {
		return "", nil, &schedule.RequestError{Field: "algorithm", Message: fmt.Sprintf("no algorithm for %s on %d ranks runs on hosts; name one", spec.Collective, spec.Ranks)}
	}
	return best, line, nil
}

func playOn(spec trace.Spec, fabric *sim.Fabric) (*sim.Timeline, error) {
	return playWith(spec, sim.Setup{Fabric: fabric})
}
