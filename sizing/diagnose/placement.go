package diagnose

import (
	"fmt"
	"strconv"

	"lockstep/engine/trace"
	"lockstep/sizing/benchlog"
)

// weight is how much something counts that costs bandwidth on some systems:
// what is slow or was not judged may be slow for it.
func (c *chart) weight() Severity {
	if c.share >= healthyLow {
		return Info
	}
	return Warn
}

// placement looks at where ranks and NICs sit: whether data crosses the link
// between processors on its way to a NIC.
func (c *chart) placement(across bool) {
	s := c.log.Setup
	if e, is := s.Get("NCCL_IGNORE_CPU_AFFINITY"); is && e.Value != "0" {
		c.add(set(NUMA, "affinity", c.weight(), e, "the library keeps to the launcher's binding, even where it is on the wrong processor", "remove it, or bind each rank to the processor next to its GPU"))
	}
	var worst benchlog.Path
	far := 0
	for _, p := range s.Far {
		if p.By != "SYS" && p.By != "NODE" {
			continue
		}
		if far++; worst.By != "SYS" && (worst.By == "" || p.By == "SYS") {
			worst = p
		}
	}
	if far == 0 || !across && c.log.Nodes == 1 {
		return
	}
	why, severity, message := "processors", c.weight(), "has no NIC beside its own processor: data to other nodes crosses the link between processors"
	if worst.By == "NODE" {
		why, severity, message = "bridges", Info, "has its nearest NIC behind another host bridge of its processor"
	}
	c.add(Finding{Code: NUMA, Severity: severity, Message: worst.Accel + " " + message, Evidence: fmt.Sprintf("line %d: %s reaches its nearest NIC by %s; so do %d of %d", worst.Line, worst.Accel, worst.By, far, len(s.Far)),
		Check:  "which NICs the node has on that processor and whether they are up and seen in the container; ranks bound to the processor of their GPU",
		Values: trace.Values{"why": why, "line": strconv.Itoa(worst.Line), "accelerator": worst.Accel, "way": worst.By, "far": strconv.Itoa(far), "all": strconv.Itoa(len(s.Far))}})
}

// The smallest packets that cost no bandwidth to speak of: what RDMA carries in
// one, and an Ethernet frame.
const (
	leastRDMA  = 2048
	leastFrame = 8000
)

// packets looks for MTUs that are small for what they carry.
func (c *chart) packets(across bool) {
	if !across {
		return
	}
	for _, m := range c.log.Setup.MTUs {
		f := Finding{Code: SmallMTU, Severity: c.weight(), Evidence: fmt.Sprintf("line %d: an MTU of %d B", m.Line, m.Bytes),
			Values: trace.Values{"line": strconv.Itoa(m.Line), "mtu": strconv.Itoa(m.Bytes)}}
		switch {
		case m.RDMA && m.Bytes < leastRDMA:
			f.Values["why"], f.Message = "rdma", fmt.Sprintf("RDMA goes in packets of %d B", m.Bytes)
			f.Check = "the MTU of NICs and switch ports on the whole way: 4,096 B for RDMA takes 4,200 B and more of Ethernet on RoCE, the subnet manager's setting on InfiniBand"
		case !m.RDMA && m.Interface != "lo" && m.Bytes < leastFrame && onSockets(c.log.Setup) && c.carries(m.Interface):
			f.Values["why"], f.Values["name"], f.Message = "interface", m.Interface, fmt.Sprintf("TCP goes over %s in frames of %d B", m.Interface, m.Bytes)
			f.Check = "jumbo frames (9,000 B) on the interface and on all switch ports of the way"
		default:
			continue
		}
		c.add(f)
		return
	}
}

// carries reports whether an interface is one that the library uses, as far as
// the log tells.
func (c *chart) carries(name string) bool {
	nics := c.log.Setup.NICs
	for _, nic := range nics {
		if nic == name {
			return true
		}
	}
	return len(nics) == 0
}
