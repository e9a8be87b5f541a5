package measured

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"

	"lockstep/sizing/hardware"
)

// constant is a constant of the model.
type constant int

// The constants. Latencies are in microseconds, bandwidths in GB/s (10⁹).
const (
	launch constant = iota // the floor of a call
	torchAdds
	rcclAdds

	latencyNVSwitch3 // of a round within a domain
	latencyNVSwitch4
	latencyNVSwitch5
	latencyNVL72
	latencyNVLink
	latencyMesh
	latencyPCIe
	latencyHost

	efficiencyNVSwitch3 // of a domain's links
	efficiencyNVSwitch4
	efficiencyNVSwitch5
	efficiencyNVL72
	efficiencyNVLink
	efficiencyMesh
	efficiencyPCIe
	efficiencyHost

	roundsGather // rounds of a gather-like collective, where an all-reduce has 2
	roundsAllToAll
	fewRanks // what a switch loses with few ranks
	nvls4    // what adding up in the switch gains
	nvls5
	allToAllInside
	sendRecvInside
	rootComplex // GB/s of a host's PCIe, for four ranks
	rootCrowd   // how it falls with more

	networkRDMA // efficiency
	networkTCPXO
	networkTCPX
	networkTCP
	latencyRDMA
	latencyEFA
	latencySlingshot
	latencyTCPXO
	latencyTCPX
	latencyTCP
	nodesPower    // how latency grows with the logarithm of domains
	onePerDomain  // what it is with one rank a domain
	twoNodes      // gain of trees on two
	allToAllCross // efficiency of an all-to-all between nodes
	loneRank      // GB/s that one rank a domain gets out of NICs
	rackLoss      // ranks at which several racks have lost half
	saturation    // where a pipeline's chunks stop growing
	fixedStart    // part of the network's latency that a pipeline pays again, TCPX and TCPXO

	constants
)

// prior is what is known of a constant before any measurement, and how well: the
// deviation of its logarithm.
type prior struct {
	name  string
	value float64
	sd    float64
}

// priors, in the order of the constants. Deviations are 0.07 for efficiencies of
// known physics, 0.35 for latencies, 0.2 to 0.5 for guesses.
var priors = [constants]prior{
	launch:    {"launch", 6, 0.35},
	torchAdds: {"torch-adds", 15, 0.35},
	rcclAdds:  {"rccl-adds", 150, 0.5},

	latencyNVSwitch3: {"latency-nvswitch-3", 1, 0.35},
	latencyNVSwitch4: {"latency-nvswitch-4", 0.8, 0.35},
	latencyNVSwitch5: {"latency-nvswitch-5", 1, 0.35},
	latencyNVL72:     {"latency-nvl72", 1, 0.35},
	latencyNVLink:    {"latency-nvlink", 1, 0.35},
	latencyMesh:      {"latency-mesh", 0.8, 0.35},
	latencyPCIe:      {"latency-pcie", 1.2, 0.35},
	latencyHost:      {"latency-host", 1.5, 0.35},

	efficiencyNVSwitch3: {"efficiency-nvswitch-3", 0.80, 0.07},
	efficiencyNVSwitch4: {"efficiency-nvswitch-4", 0.80, 0.07},
	efficiencyNVSwitch5: {"efficiency-nvswitch-5", 0.80, 0.07},
	efficiencyNVL72:     {"efficiency-nvl72", 0.80, 0.07},
	efficiencyNVLink:    {"efficiency-nvlink", 0.80, 0.07},
	efficiencyMesh:      {"efficiency-mesh", 0.72, 0.07},
	efficiencyPCIe:      {"efficiency-pcie", 0.65, 0.2},
	efficiencyHost:      {"efficiency-host", 0.12, 0.5},

	roundsGather:   {"rounds-gather", 1, 0.2},
	roundsAllToAll: {"rounds-all-to-all", 0.5, 0.5},
	fewRanks:       {"few-ranks", 1.2, 0.3},
	nvls4:          {"nvls-4", 1.3, 0.07},
	nvls5:          {"nvls-5", 1.3, 0.1},
	allToAllInside: {"all-to-all-inside", 0.95, 0.1},
	sendRecvInside: {"send-recv-inside", 0.85, 0.2},
	rootComplex:    {"root-complex", 25, 0.3},
	rootCrowd:      {"root-crowd", 0.3, 0.3},

	networkRDMA:      {"network-rdma", 0.88, 0.07},
	networkTCPXO:     {"network-tcpxo", 0.88, 0.1},
	networkTCPX:      {"network-tcpx", 0.70, 0.2},
	networkTCP:       {"network-tcp", 0.65, 0.2},
	latencyRDMA:      {"latency-rdma", 18, 0.35},
	latencyEFA:       {"latency-efa", 45, 0.35},
	latencySlingshot: {"latency-slingshot", 30, 0.35},
	latencyTCPXO:     {"latency-tcpxo", 80, 0.35},
	latencyTCPX:      {"latency-tcpx", 300, 0.35},
	latencyTCP:       {"latency-tcp", 30, 0.35},
	nodesPower:       {"nodes-power", 1, 0.2},
	onePerDomain:     {"one-per-domain", 0.6, 0.3},
	twoNodes:         {"two-nodes", 1.05, 0.1},
	allToAllCross:    {"all-to-all-across", 0.75, 0.2},
	loneRank:         {"lone-rank", 33, 0.3},
	rackLoss:         {"rack-loss", 1400, 0.5},
	saturation:       {"saturation", 300, 0.35},
	fixedStart:       {"fixed-start", 0.1, 0.5},
}

// Constants are the model's constants.
type Constants [constants]float64

// Priors are the constants before any measurement.
func Priors() (k Constants) {
	for i, p := range priors {
		k[i] = p.value
	}
	return k
}

//go:embed constants.json
var fitted []byte

// Fitted returns the constants that the program carries, fitted to all
// measurements under testdata.
func Fitted() (Constants, error) {
	var k Constants
	var byName map[string]float64
	if err := json.Unmarshal(fitted, &byName); err != nil {
		return k, fmt.Errorf("read fitted constants: %w", err)
	}
	for i, p := range priors {
		v, found := byName[p.name]
		if !found || !(v > 0) || math.IsInf(v, 0) {
			return k, fmt.Errorf("read fitted constants: %s is %v; it has to be above 0", p.name, v)
		}
		k[i] = v
	}
	return k, nil
}

// latencyInside is the constant of a scale-up link's latency.
func latencyInside(s hardware.Scale) constant {
	switch s {
	case hardware.NVSwitch3:
		return latencyNVSwitch3
	case hardware.NVSwitch4:
		return latencyNVSwitch4
	case hardware.NVSwitch5:
		return latencyNVSwitch5
	case hardware.NVL72:
		return latencyNVL72
	case hardware.NVLinkMesh:
		return latencyNVLink
	case hardware.XGMI:
		return latencyMesh
	case hardware.HostStaged:
		return latencyHost
	default:
		return latencyPCIe
	}
}

// efficiencyInside is the constant of what a scale-up link yields of its rate.
func efficiencyInside(s hardware.Scale) constant {
	return latencyInside(s) - latencyNVSwitch3 + efficiencyNVSwitch3
}

// latencyAcross and efficiencyAcross are those of a network.
func latencyAcross(n hardware.Network) constant {
	switch n {
	case hardware.EFA:
		return latencyEFA
	case hardware.Slingshot:
		return latencySlingshot
	case hardware.TCPXO:
		return latencyTCPXO
	case hardware.TCPX:
		return latencyTCPX
	case hardware.TCP:
		return latencyTCP
	default:
		return latencyRDMA
	}
}

func efficiencyAcross(n hardware.Network) constant {
	switch n {
	case hardware.TCPXO:
		return networkTCPXO
	case hardware.TCPX:
		return networkTCPX
	case hardware.TCP:
		return networkTCP
	default:
		return networkRDMA
	}
}
