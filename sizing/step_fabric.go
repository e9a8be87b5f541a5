package sizing

import (
	"time"

	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Basis is where a figure comes from.
type Basis string

// The grounds that a fabric's figures stand on.
const (
	Stated   Basis = "stated"   // given by the source article
	Rated    Basis = "rated"    // the rate on the box, in bits, divided by eight
	Measured Basis = "measured" // published measurements
	Assumed  Basis = "assumed"  // nobody has measured it for this fabric
	Given    Basis = "given"    // follows from what whoever asks has typed
)

// Fabric is the network between accelerators: what one port of each carries.
type Fabric struct {
	Key            string        `json:"key"`
	Name           string        `json:"name,omitempty"`        // as its makers write it; the example fabrics are named by their keys
	Latency        time.Duration `json:"latency_ns"`            // α
	Bandwidth      unit.Rate     `json:"bandwidth_bytes_per_s"` // B, each way
	LatencyBasis   Basis         `json:"latency_basis"`
	BandwidthBasis Basis         `json:"bandwidth_basis"`
	Source         string        `json:"source,omitempty"` // of what the article does not give
}

// Network is the fabric as the cost model sees it.
func (f Fabric) Network() cost.Network {
	return cost.Network{Latency: f.Latency, Bandwidth: f.Bandwidth}
}

// Where the figures were found.
const (
	fromMPI  = "MPICH over TCP on 1 Gb/s Ethernet, OSU ping-pong 24.6 us: gist.github.com/jfgrimm/3af692a5475bdd4ed836b5a18197a209"
	fromNCCL = "NCCL's tuning model counts 14 us for a ring step over any network (Simple protocol): NVIDIA/nccl, src/graph/tuning.cc"
)

// Fabrics returns the five fabrics, slowest first. The article's own carries
// no latency, because the article counts none.
func Fabrics() []Fabric {
	const ncclStep = 14 * time.Microsecond
	return []Fabric{
		{"ethernet-slow", "", 24600 * time.Nanosecond, 0.1e9, Measured, Stated, fromMPI},
		{"article", "", 0, 1e9, Stated, Stated, ""},
		{"infiniband-100", "", ncclStep, 12.5e9, Assumed, Rated, fromNCCL},
		{"roce-200", "", ncclStep, 25e9, Assumed, Rated, fromNCCL},
		{"infiniband-400", "", ncclStep, 50e9, Assumed, Rated, fromNCCL},
	}
}

// FindFabric returns the fabric of a key, or false.
func FindFabric(key string) (Fabric, bool) {
	for _, f := range Fabrics() {
		if f.Key == key {
			return f, true
		}
	}
	return Fabric{}, false
}

// DataVersion names the state of the tables in this package. It changes
// whenever a figure in them does.
const DataVersion = "2026-12"
