package diagnose

import (
	"fmt"
	"slices"
	"strconv"

	"lockstep/engine/trace"
	"lockstep/sizing/hardware"
)

// Verdict is what a table comes to.
type Verdict string

// The verdicts.
const (
	Healthy  Verdict = "healthy"  // what such a system should give
	Below    Verdict = "below"    // less than that
	Unusable Verdict = "unusable" // its figures are not what they say
	Unjudged Verdict = "unjudged" // something has to be known first: see File.Needs
)

// Need is what a table lacks to be judged.
type Need string

// The needs.
const (
	NeedsCollective Need = "collective"
	NeedsRanks      Need = "ranks"
	NeedsSystem     Need = "system"
	NeedsSizes      Need = "larger-sizes"
)

// judge compares the largest size with what such a system should give, where
// its figures can be true and bytes count.
func (c *chart) judge() {
	if c.predicted == 0 || c.doubted() {
		return
	}
	if best := c.best(); best.size >= bytesCount {
		c.share, c.reached = best.bus/c.predicted, best.bus
	}
}

// doubted reports whether a finding says that the figures do not count.
func (c *chart) doubted() bool {
	return slices.ContainsFunc(c.found, Finding.voids)
}

// voids reports whether a table with the finding is of no use.
func (f Finding) voids() bool {
	return f.Code == WrongResults || f.Code == RankCount || f.Code == Impossible
}

// slow says what the comparison came to.
func (c *chart) slow() {
	if c.predicted == 0 || c.doubted() {
		return
	}
	best := c.best()
	if best.size < bytesCount {
		c.add(Finding{Code: SmallOnly, Severity: Info, Message: "the largest size is too small to judge bandwidth", Evidence: fmt.Sprintf("the sweep ends at %s", best.size),
			Check: "run up to 1 GiB and more (-e 8G)", Values: trace.Values{"size": best.size.String()}})
		return
	}
	share := c.share
	values := trace.Values{"line": strconv.Itoa(best.line), "size": best.size.String(), "bus": figure(best.bus), "expected": figure(c.predicted), "share": fmt.Sprintf("%.0f", 100*share)}
	evidence := fmt.Sprintf("line %d: %s GB/s of bus bandwidth at %s; such a system should give about %s", best.line, figure(best.bus), best.size, figure(c.predicted))
	if len(c.system.Guesses) > 0 {
		evidence += " (" + c.system.Guesses[0].Message + ")"
	}
	f := Finding{Code: AsExpected, Severity: Info, Message: fmt.Sprintf("%.0f %% of what such a system should give", 100*share), Evidence: evidence, Values: values}
	if share < healthyLow {
		f.Code, f.Severity, f.Message = Slow, Warn, "only "+f.Message
		values["why"], f.Check = c.where(share)
		if values["why"] == "rails" {
			values["rails"] = strconv.Itoa(c.system.PerNode)
		}
		if share < 0.5 {
			f.Severity = Critical
		}
	}
	c.add(f)
}

// best is the top of the curve at sizes where bytes count: the last row, or one
// before it if the last fell off.
func (c *chart) best() point {
	best := c.curve[len(c.curve)-1]
	for _, p := range c.curve {
		if p.bus > best.bus && p.size*8 >= best.size {
			best = p
		}
	}
	return best
}

// where says what to look at first, by how far the system is off.
func (c *chart) where(share float64) (why, check string) {
	if c.system.Domains <= 1 {
		switch c.system.Scale {
		case hardware.PCIe, hardware.HostStaged:
			return "peers", "whether GPUs reach each other, PCIe ACS and the IOMMU, the link's width and generation, and NUMA: ranks bound to the processors next to their GPU"
		}
		return "links", "whether all links between GPUs are up, the fabric manager runs, and clocks are not throttled"
	}
	if onSockets(c.log.Setup) {
		return "sockets", "why the library chose sockets: another finding says what the log tells; NICs and placement come after that"
	}
	rails := c.system.PerNode
	if rails > 1 && share < 1.6/float64(rails) && len(c.log.Setup.NICs) < rails {
		return "rails", fmt.Sprintf("whether more than one of the %d rails is used: NCCL_IB_HCA, the NICs that NET/IB : Using names, and each NIC's state", rails)
	}
	if share < 0.4 {
		return "direct", "GPUDirect RDMA (nvidia-peermem or dma-buf loaded, NCCL_NET_GDR_LEVEL not forced), PCIe ACS and the IOMMU on the way from GPU to NIC, then each pair of NICs by itself"
	}
	return "network", "each NIC's rate and MTU, NUMA and PCIe placement of NICs next to GPUs, congestion and routing (adaptive routing, PFC and ECN on RoCE), and whether ranks are bound"
}

// verdict is what the findings come to.
func (c *chart) verdict() (Verdict, []Need) {
	switch {
	case c.doubted():
		return Unusable, nil
	case c.share >= healthyLow:
		return Healthy, nil
	case c.share > 0:
		return Below, nil
	case c.predicted > 0:
		return Unjudged, []Need{NeedsSizes}
	}
	var needs []Need
	if c.log.Collective == "" {
		needs = append(needs, NeedsCollective)
	}
	if c.log.Ranks == 0 {
		needs = append(needs, NeedsRanks)
	}
	if !c.known {
		needs = append(needs, NeedsSystem)
	}
	if len(needs) == 0 { // one rank, or rows of size 0 alone
		needs = append(needs, NeedsSizes)
	}
	return Unjudged, needs
}
