package measured

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/hardware"
)

// LeafPorts is how many NICs a leaf switch is taken to have below it: half of
// the ports of the usual 64-port switch for 200 to 800 Gb/s.
const LeafPorts = 32

// Shape is how the network between nodes is laid out, as far as that is told;
// the zero value tells nothing and narrows nothing. No measurement tells it,
// so what follows from it is physics.
type Shape struct {
	NICs  int // of a node; 0 is not told
	Rails int // switch planes that a node's NICs go to, NIC i to plane i mod Rails; 0 is not told
	// Oversubscription is what a leaf switch's nodes can send over what it
	// carries upward, each way; 0 and 1 are a network that narrows nowhere.
	Oversubscription float64
	// Altered says that the NICs are not those that the system is sold with.
	Altered bool
}

// leafNodes is how many nodes have their NICs of one plane on one leaf switch.
// 0 where rails are not told: then no traffic between nodes may count on
// staying below.
func (s Shape) leafNodes() int {
	if s.Rails < 1 || s.NICs < 1 {
		return 0
	}
	return LeafPorts * s.Rails / max(s.NICs, s.Rails)
}

// Narrows is by how much the tier above the leaf switches slows what a node
// sends to others, 1 for not at all. Traffic keeps to its plane, for rank i
// talks to rank i of other nodes or reaches that rank's plane through the
// domain's links first; where all nodes share a leaf, it never climbs.
func (s Shape) Narrows(c schedule.Collective, is hardware.System) float64 {
	x := max(s.Oversubscription, 1)
	if x == 1 || is.Nodes <= s.leafNodes() && !s.changesPlane(c, is) {
		return 1
	}
	return x
}

// changesPlane reports whether a collective has every rank talk to every other
// on a system whose ranks cannot reach another plane through their domain: then
// most of it climbs.
func (s Shape) changesPlane(c schedule.Collective, is hardware.System) bool {
	return s.Rails > 1 && c == schedule.AllToAll && !is.Scale.Switched()
}

// grade is the best that a case of this shape can have.
func (s Shape) grade(g Grade, is hardware.System) Grade {
	switch {
	case is.Domains <= 1:
		return g
	case s.Oversubscription > 1:
		return Physics
	case s.Altered && g < Related: // A and B stand before C
		return Related
	}
	return g
}

// warnings say what of a prediction follows from the shape alone.
func (s Shape) warnings(c schedule.Collective, is hardware.System) []trace.Warning {
	if is.Domains <= 1 {
		return nil
	}
	var all []trace.Warning
	x := fmt.Sprintf("%.3g", s.Oversubscription)
	switch narrows := s.Narrows(c, is); {
	case s.Oversubscription > 1 && narrows == 1:
		all = append(all, trace.Warning{
			Code: "shape-below-leaf",
			Message: fmt.Sprintf("with %d rails %d nodes share a leaf switch with %d ports for them (assumed), so their traffic does not meet the %s:1 oversubscription above; physics, not measured",
				s.Rails, is.Nodes, LeafPorts, x),
			Values: trace.Values{"rails": fmt.Sprint(s.Rails), "nodes": fmt.Sprint(is.Nodes), "ports": fmt.Sprint(LeafPorts), "ratio": x},
		})
	case s.Oversubscription > 1:
		all = append(all, trace.Warning{
			Code:    "shape-oversubscribed",
			Message: fmt.Sprintf("%s:1 oversubscription divides what a node can send to others; physics, not measured", x),
			Values:  trace.Values{"ratio": x},
		})
	}
	if s.Altered {
		all = append(all, trace.Warning{Code: "shape-nics", Message: "the NICs are not those that the system is sold with; their rate scales what was measured with others"})
	}
	return all
}
