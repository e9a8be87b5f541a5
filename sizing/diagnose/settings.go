package diagnose

import (
	"slices"
	"strings"

	"lockstep/engine/trace"
)

// peers looks at how ranks of a node reach each other.
func (c *chart) peers() {
	s := c.log.Setup
	if e, is := s.Get("NCCL_P2P_DISABLE"); is && e.Value != "0" {
		c.add(set(NoPeers, "disabled", Critical, e, "GPUs of a node may not reach each other: data goes through the host's memory", "remove NCCL_P2P_DISABLE"))
	} else if slices.ContainsFunc(s.Ways, func(w string) bool { return strings.HasPrefix(w, "SHM") }) {
		c.add(Finding{Code: NoPeers, Severity: Warn, Message: "ranks of a node exchange data through shared memory of the host", Evidence: "channels via SHM",
			Check:  "peer access, PCIe ACS, the IOMMU, and whether a container hides GPUs from each other; consumer cards have no peer access at all",
			Values: trace.Values{"why": "shared"}})
	}
}

// settings are variables that are known to cost when they are set by hand.
var settings = []string{
	"NCCL_ALGO", "NCCL_PROTO", "NCCL_MAX_NCHANNELS", "NCCL_MIN_NCHANNELS", "NCCL_NVLS_ENABLE", "NCCL_P2P_LEVEL", "NCCL_IB_TC", "NCCL_IB_GID_INDEX",
	"NCCL_CROSS_NIC", "NCCL_BUFFSIZE", "NCCL_TOPO_FILE",
}

// forced looks at what was set by hand and is known to cost.
func (c *chart) forced() {
	const flat = "the ring is forced: nodes and NVSwitch's adding up are not made use of"
	const without = "run once without it: the library's own choice is usually better"
	for _, name := range settings {
		e, is := c.log.Setup.Get(name)
		switch {
		case !is:
		case name == "NCCL_ALGO" && strings.EqualFold(e.Value, "Ring") && c.log.Nodes > 1:
			c.add(set(FlatTopology, "ring", Warn, e, flat, without))
		case name == "NCCL_NVLS_ENABLE" && e.Value == "0" && c.system.Scale.Switched():
			c.add(set(FlatTopology, "nvls", Warn, e, flat, without))
		default:
			f := set(ForcedSetting, "", Info, e, name+" is set by hand", without)
			f.Values["name"] = name
			if name == "NCCL_TOPO_FILE" {
				f.Values["why"], f.Message, f.Check = "topology", "the topology is given by a file", "that the file is of this very machine"
			}
			c.add(f)
		}
	}
}
