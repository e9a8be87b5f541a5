package site

import (
	"fmt"
	"time"

	"lockstep/engine/schedule"
	"lockstep/sizing"
)

// MaxNodes is the most nodes that are priced; MaxOversubscription is more than
// anybody builds.
const (
	MaxNodes            = 100_000
	MaxNICs             = 128
	MaxOversubscription = 64
)

// Reduction says whether switches add up, within NVSwitch domains and between
// nodes.
type Reduction string

// The choices.
const (
	AsBuilt Reduction = ""    // as the system's words have it
	On      Reduction = "on"  // whatever can add up does
	Off     Reduction = "off" // nothing does
)

// Ask is what is said of a site; zero values are what is not said.
type Ask struct {
	System  string `json:"system,omitempty"` // of the catalogue, or a cloud's instance; empty for figures of one's own
	Nodes   int    `json:"nodes"`
	PerNode int    `json:"accelerators_per_node,omitempty"`
	// Fabric is a Link's key in the place of the system's own network. Without a
	// system it has to be given.
	Fabric           string         `json:"fabric,omitempty"`
	NICs             int            `json:"nics_per_node,omitempty"`
	NICRate          float64        `json:"nic_gbits_per_s,omitempty"` // of one, each way
	Latency          *time.Duration `json:"latency_ns,omitempty"`      // α of a message between nodes
	Rails            int            `json:"rails,omitempty"`
	Oversubscription float64        `json:"oversubscription,omitempty"`
	InSwitch         Reduction      `json:"in_switch,omitempty"`
	// Machine is the name of a machine of which logs are kept; empty for none.
	// It takes a system, which says how the machine is built.
	Machine string `json:"machine,omitempty"`
}

func refuse(field, format string, args ...any) error {
	return &schedule.RequestError{Field: field, Message: fmt.Sprintf(format, args...)}
}

// check refuses what no site can be.
func (a Ask) check() error {
	switch {
	case a.Nodes < 1 || a.Nodes > MaxNodes:
		return refuse("nodes", "%d nodes; accepted: 1 to %d", a.Nodes, MaxNodes)
	case a.PerNode < 0 || a.PerNode > sizing.MaxWorkers:
		return refuse("per_node", "%d accelerators per node; accepted: 1 to %d", a.PerNode, sizing.MaxWorkers)
	case a.NICs < 0 || a.NICs > MaxNICs:
		return refuse("nics", "%d NICs per node; accepted: 1 to %d", a.NICs, MaxNICs)
	case !(a.NICRate >= 0 && a.NICRate <= 1e5):
		return refuse("rate", "%v Gb/s a NIC; accepted: more than 0, up to 100000", a.NICRate)
	case a.Rails < 0 || a.Rails > MaxNICs:
		return refuse("rails", "%d rails; accepted: 1 to the number of NICs", a.Rails)
	case a.Oversubscription != 0 && !(a.Oversubscription >= 1 && a.Oversubscription <= MaxOversubscription):
		return refuse("oversubscription", "%v:1; accepted: 1 (none) to %d", a.Oversubscription, MaxOversubscription)
	case a.InSwitch != AsBuilt && a.InSwitch != On && a.InSwitch != Off:
		return refuse("in_switch", "%q; accepted: on, off", string(a.InSwitch))
	case a.Latency != nil && *a.Latency < 0:
		return refuse("latency", "a latency of %v; accepted: 0 or more", *a.Latency)
	}
	return nil
}
