package site

import (
	"slices"
	"strings"
	"time"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/catalog"
	"lockstep/sizing/hardware"
)

// Link is a network between nodes that can be chosen: one of the five example
// fabrics, or one of the catalogue.
type Link struct {
	sizing.Fabric        // of one NIC
	Words         string // as hardware.Read understands them
	Source        string
}

// Gbits is a NIC's rate in Gb/s.
func (l Link) Gbits() float64 { return float64(l.Bandwidth) * 8 / 1e9 }

// exampleWords name the kinds of the example fabrics.
var exampleWords = map[string]string{
	"ethernet-slow": "Ethernet TCP", "article": "Ethernet TCP", "infiniband-100": "InfiniBand EDR", "roce-200": "RoCE", "infiniband-400": "InfiniBand NDR",
}

// familyWords name the families of the catalogue's fabrics; others are called
// as they are.
var familyWords = map[string]string{
	"ethernet-tcp": "Ethernet TCP", "tcpx": "", "roce": "RoCE", "infiniband": "InfiniBand", "efa": "EFA", "slingshot": "Slingshot", "omni-path": "Omni-Path", "hccs-roce": "RoCE",
}

// ncclStep is what NCCL's tuning model counts for a step of a ring between
// nodes, whatever the network; inside are those for links within a node.
const (
	ncclStep   = 14 * time.Microsecond
	nvlinkStep = 3400 * time.Nanosecond
	pcieStep   = 5700 * time.Nanosecond
	tcpStep    = 24600 * time.Nanosecond // measured on 1 Gb/s Ethernet, see sizing.Fabrics
)

const fromTuning = "NCCL's tuning model counts 14 us for a ring step over any network, 3.4 us over NVLink, 5.7 us over PCIe (Simple protocol): NVIDIA/nccl, src/graph/tuning.cc"

// Links lists the example fabrics, then the catalogue's networks.
func Links(known *catalog.Catalog) []Link {
	var all []Link
	for _, f := range sizing.Fabrics() {
		all = append(all, Link{Fabric: f, Words: exampleWords[f.Key], Source: f.Source})
	}
	for _, f := range known.Fabrics {
		if f.Rate <= 0 || !f.JoinsNodes() {
			continue
		}
		words, special := familyWords[f.Family]
		if !special {
			words = f.Family
		}
		if !strings.Contains(f.Generation, words) { // RoCEv2 says already that it is RoCE
			words = strings.TrimSpace(words + " " + f.Generation)
		} else {
			words = f.Generation
		}
		l := Link{Words: words, Source: f.Source, Fabric: sizing.Fabric{
			Key: f.ID, Name: words, Bandwidth: unit.Rate(f.Rate * 1e9 / 8), BandwidthBasis: sizing.Rated, Latency: ncclStep, LatencyBasis: sizing.Assumed, Source: fromTuning,
		}}
		if f.Family == "ethernet-tcp" {
			example := sizing.Fabrics()[0]
			l.Latency, l.Fabric.Source = tcpStep, example.Source
		}
		all = append(all, l)
	}
	return all
}

// FindLink returns the link of a key, or false.
func FindLink(known *catalog.Catalog, key string) (Link, bool) {
	all := Links(known)
	i := slices.IndexFunc(all, func(l Link) bool { return l.Key == key })
	if i < 0 {
		return Link{}, false
	}
	return all[i], true
}

// faster is the next faster network of the same kind, of those that are faster
// the slowest. ok is false where there is none.
func faster(known *catalog.Catalog, kind hardware.Network, gbits float64) (best Link, ok bool) {
	for _, l := range Links(known) {
		if l.Gbits() <= gbits*1.01 || ok && l.Gbits() >= best.Gbits() || networkOf(l.Words) != kind {
			continue
		}
		best, ok = l, true
	}
	return best, ok
}

// networkOf is the kind of network that words mean.
func networkOf(words string) hardware.Network {
	return hardware.Read(hardware.Words{InterLink: words, Ranks: 2, Nodes: 2, PerNode: 1}).Network
}
