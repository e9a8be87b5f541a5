package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/hardware"
	"lockstep/sizing/measured"
)

// point is the best measurement of a size: out of place or in place.
type point struct {
	size unit.Bytes
	time float64 // us
	bus  float64 // GB/s
	line int
}

// curveOf is a log's times by size, of sizes above 0.
func curveOf(log benchlog.Log) []point {
	var curve []point
	for _, r := range log.Rows {
		if r.Size <= 0 || r.Time <= 0 {
			continue
		}
		p := point{r.Size, 1e6 * float64(r.Time), float64(r.BusBW) / 1e9, r.Line}
		if i := slices.IndexFunc(curve, func(o point) bool { return o.size == p.size }); i < 0 {
			curve = append(curve, p)
		} else if p.time < curve[i].time {
			curve[i] = p
		}
	}
	slices.SortFunc(curve, func(a, b point) int { return cmp.Compare(a.size, b.size) })
	return curve
}

// chart is a log under examination.
type chart struct {
	log       benchlog.Log
	curve     []point
	system    hardware.System
	predicted float64 // GB/s of bus bandwidth at the largest size; 0 where nothing is
	limit     measured.Limit
	found     []Finding
}

func (c *chart) add(f Finding) { c.found = append(c.found, f) }

// findings examines everything, what matters most first.
func (c *chart) findings() []Finding {
	c.unknown()
	c.rankCount()
	c.wrongResults()
	c.slow()
	c.network()
	c.peers()
	c.forced()
	c.cliffs()
	c.cold()
	c.inPlace()
	c.average()
	c.notes()
	order := map[Severity]int{Critical: 0, Warn: 1, Info: 2}
	slices.SortStableFunc(c.found, func(a, b Finding) int { return order[a.Severity] - order[b.Severity] })
	return c.found
}

// unknown asks for what the log does not tell.
func (c *chart) unknown() {
	if c.log.Collective == "" {
		c.add(Finding{Code: "collective-unknown", Severity: Warn, Message: "the log does not say which collective was run", Evidence: "its columns fit several collectives",
			Check: "name the file after the collective, such as all_gather.txt, or paste the line that calls the benchmark"})
	}
	if c.log.Ranks == 0 {
		c.add(Finding{Code: "ranks-unknown", Severity: Warn, Message: "the log does not say how many ranks there were, so bus bandwidth cannot be compared", Evidence: "no list of devices, no launcher's line, no bus bandwidth",
			Check: "paste the lines above the table, or the line that calls the benchmark (mpirun -np N …)"})
	}
}

// rankCount compares the number of ranks that is stated with that of the bus
// factor.
func (c *chart) rankCount() {
	if l := c.log; l.Listed > 0 && l.Implied > 0 && l.Listed != l.Implied {
		c.add(Finding{Code: "rank-count", Severity: Critical,
			Message: fmt.Sprintf("the log speaks of %d ranks, but its bus bandwidths are those of %d", l.Listed, l.Implied),
			Evidence: fmt.Sprintf("bus over algorithm bandwidth is %.4g; %d ranks give %.4g, %d give %.4g",
				l.Collective.BusFactor(l.Implied), l.Listed, l.Collective.BusFactor(l.Listed), l.Implied, l.Collective.BusFactor(l.Implied)),
			Check:  "whether all ranks joined one communicator: several processes that each see one GPU run as many small jobs when the launcher and the library do not belong to the same MPI",
			Values: trace.Values{"listed": strconv.Itoa(l.Listed), "implied": strconv.Itoa(l.Implied)}})
	}
}

func (c *chart) wrongResults() {
	for _, r := range c.log.Rows {
		if r.Wrong > 0 {
			c.add(Finding{Code: "wrong-results", Severity: Critical, Message: "the benchmark found wrong results: no figure of this run counts",
				Evidence: fmt.Sprintf("line %d, %s: %d wrong", r.Line, r.Size, r.Wrong), Check: "memory errors (nvidia-smi -q -d ECC), the driver and the library's version; then run again with one node at a time",
				Values: trace.Values{"line": strconv.Itoa(r.Line), "size": r.Size.String(), "wrong": strconv.Itoa(r.Wrong)}})
			return
		}
	}
}

// slow compares the largest size with what such a system should give.
func (c *chart) slow() {
	if c.predicted == 0 {
		return
	}
	best := c.curve[len(c.curve)-1]
	for _, p := range c.curve { // the top of the curve, if the last row fell off
		if p.bus > best.bus && p.size*8 >= best.size {
			best = p
		}
	}
	share := best.bus / c.predicted
	if best.size < 16<<20 {
		c.add(Finding{Code: "small-only", Severity: Info, Message: "the largest size is too small to judge bandwidth", Evidence: fmt.Sprintf("the sweep ends at %s", best.size),
			Check: "run up to 1 GiB and more (-e 8G)", Values: trace.Values{"size": best.size.String()}})
		return
	}
	values := trace.Values{"bus": fmt.Sprintf("%.4g", best.bus), "expected": fmt.Sprintf("%.4g", c.predicted), "share": fmt.Sprintf("%.0f", 100*share)}
	evidence := fmt.Sprintf("line %d: %.4g GB/s of bus bandwidth at %s; such a system should give about %.4g", best.line, best.bus, best.size, c.predicted)
	if len(c.system.Guesses) > 0 {
		evidence += " (" + c.system.Guesses[0].Message + ")"
	}
	switch {
	case share >= healthyLow:
		c.add(Finding{Code: "as-expected", Severity: Info, Message: fmt.Sprintf("%.0f %% of what such a system should give", 100*share), Evidence: evidence, Values: values})
	case share >= 0.5:
		c.add(Finding{Code: "slow", Severity: Warn, Message: fmt.Sprintf("only %.0f %% of what such a system should give", 100*share), Evidence: evidence, Check: c.where(share), Values: values})
	default:
		c.add(Finding{Code: "slow", Severity: Critical, Message: fmt.Sprintf("only %.0f %% of what such a system should give", 100*share), Evidence: evidence, Check: c.where(share), Values: values})
	}
}

// where says what to look at first, by how far the system is off.
func (c *chart) where(share float64) string {
	if c.system.Domains <= 1 {
		switch c.system.Scale {
		case hardware.PCIe, hardware.HostStaged:
			return "whether GPUs reach each other (nvidia-smi topo -p2p r), PCIe ACS and the IOMMU, the link's width and generation, and NUMA: ranks bound to the processors next to their GPU"
		}
		return "whether all NVLinks are up (nvidia-smi nvlink -s), the fabric manager runs, and clocks are not throttled (nvidia-smi -q -d PERFORMANCE)"
	}
	rails := c.system.PerNode
	if rails > 1 && share < 1.6/float64(rails) && len(c.log.Setup.NICs) < rails {
		return fmt.Sprintf("whether more than one of the %d rails is used: NCCL_IB_HCA, the NICs that NET/IB : Using names, and each NIC's state (ibstat)", rails)
	}
	if share < 0.4 {
		return "GPUDirect RDMA (nvidia-peermem or dma-buf loaded, NCCL_NET_GDR_LEVEL not forced), PCIe ACS and the IOMMU on the way from GPU to NIC, then each pair of NICs by itself (ib_write_bw)"
	}
	return "each NIC's rate and MTU, NUMA and PCIe placement of NICs next to GPUs (nvidia-smi topo -m), congestion and routing (adaptive routing, PFC and ECN on RoCE), and whether ranks are bound"
}

// network looks at what the data goes over between nodes.
func (c *chart) network() {
	s := c.log.Setup
	across := c.log.Nodes > 1 || c.system.Domains > 1
	socket := slices.ContainsFunc(s.Ways, func(w string) bool { return strings.HasPrefix(w, "NET/Socket") }) ||
		slices.Contains(s.Networks, "Socket") && !slices.ContainsFunc(s.Networks, func(n string) bool { return n != "Socket" })
	if e, set := s.Get("NCCL_IB_DISABLE"); set && e.Value != "0" {
		c.add(Finding{Code: "socket-fallback", Severity: Warn, Message: "RDMA is switched off: data goes through TCP sockets and the host's memory", Evidence: fmt.Sprintf("line %d: NCCL_IB_DISABLE=%s", e.Line, e.Value),
			Check: "remove NCCL_IB_DISABLE", Values: trace.Values{"setting": "NCCL_IB_DISABLE=" + e.Value}})
	} else if socket && across {
		c.add(Finding{Code: "socket-fallback", Severity: Critical, Message: "the library uses TCP sockets between nodes", Evidence: "NET/Socket in the library's lines",
			Check: "whether RDMA devices are visible in the container or job (ibv_devices), and the library's network plug-in is found"})
	}
	gdr := slices.ContainsFunc(s.Ways, func(w string) bool { return strings.Contains(w, "GDRDMA") })
	ib := slices.ContainsFunc(s.Ways, func(w string) bool { return strings.HasPrefix(w, "NET/IB") || strings.HasPrefix(w, "NET/Libfabric") })
	if e, set := s.Get("NCCL_NET_GDR_LEVEL"); set {
		severity, message := Warn, "the distance over which GPUDirect RDMA is used is forced by hand"
		if e.Value == "0" || strings.EqualFold(e.Value, "LOC") {
			severity, message = Critical, "GPUDirect RDMA is switched off"
		}
		c.add(Finding{Code: "gdr-level-forced", Severity: severity, Message: message, Evidence: fmt.Sprintf("line %d: NCCL_NET_GDR_LEVEL=%s", e.Line, e.Value),
			Check: "remove the setting: too near a level leaves GPUDirect unused, too far a one drives it across the link between sockets, which some hosts carry at a crawl", Values: trace.Values{"setting": "NCCL_NET_GDR_LEVEL=" + e.Value}})
	}
	if ib && !gdr && across {
		c.add(Finding{Code: "gdr-off", Severity: Critical, Message: "data goes between nodes without GPUDirect RDMA, through the host's memory", Evidence: "channels via NET/IB without GDRDMA",
			Check: "nvidia-peermem or dma-buf support in the kernel, PCIe ACS off, GPU and NIC on one PCIe switch"})
	}
	for _, note := range s.Notes {
		if strings.Contains(note.Text, "RDMA Disabled") || strings.Contains(note.Text, "RDMA disabled") {
			c.add(Finding{Code: "gdr-off", Severity: Critical, Message: "the library says that GPUDirect RDMA is disabled", Evidence: fmt.Sprintf("line %d: %s", note.Line, note.Text), Check: "nvidia-peermem or dma-buf support in the kernel"})
			break
		}
	}
	perNode := c.system.PerNode
	if len(s.NICs) > 0 && perNode > 1 && len(s.NICs) < perNode && across {
		code, severity := "few-nics", Warn
		message := fmt.Sprintf("%d NICs serve %d GPUs of a node", len(s.NICs), perNode)
		if len(s.NICs) == 1 {
			code, severity, message = "one-rail", Critical, fmt.Sprintf("one NIC serves all %d GPUs of a node", perNode)
		}
		c.add(Finding{Code: code, Severity: severity, Message: message, Evidence: "the library uses " + strings.Join(s.NICs, ", "),
			Check: "whether the node has more, and NCCL_IB_HCA or the container hides them", Values: trace.Values{"nics": strconv.Itoa(len(s.NICs)), "gpus": strconv.Itoa(perNode)}})
	}
	if e, set := s.Get("NCCL_IB_HCA"); set {
		c.add(Finding{Code: "nic-list", Severity: Info, Message: "the NICs are chosen by hand", Evidence: fmt.Sprintf("line %d: NCCL_IB_HCA=%s", e.Line, e.Value),
			Check: "that the list names every NIC for data and none for storage or management; a name without = in front matches all that begin with it (mlx5_1 also takes mlx5_10)", Values: trace.Values{"setting": "NCCL_IB_HCA=" + e.Value}})
	}
	if e, set := s.Get("NCCL_SOCKET_IFNAME"); set && socket {
		c.add(Finding{Code: "nic-list", Severity: Warn, Message: "data goes over the interface that was chosen by hand", Evidence: fmt.Sprintf("line %d: NCCL_SOCKET_IFNAME=%s", e.Line, e.Value), Check: "that it is the fast one"})
	}
}

// peers looks at how ranks of a node reach each other.
func (c *chart) peers() {
	s := c.log.Setup
	if e, set := s.Get("NCCL_P2P_DISABLE"); set && e.Value != "0" {
		c.add(Finding{Code: "no-p2p", Severity: Critical, Message: "GPUs of a node may not reach each other: data goes through the host's memory", Evidence: fmt.Sprintf("line %d: NCCL_P2P_DISABLE=%s", e.Line, e.Value),
			Check: "remove NCCL_P2P_DISABLE"})
	} else if slices.ContainsFunc(s.Ways, func(w string) bool { return strings.HasPrefix(w, "SHM") }) {
		c.add(Finding{Code: "no-p2p", Severity: Warn, Message: "ranks of a node exchange data through shared memory of the host", Evidence: "channels via SHM",
			Check: "nvidia-smi topo -p2p r; PCIe ACS, the IOMMU, and whether a container hides GPUs from each other; consumer cards have no peer access at all"})
	}
}

// forced looks at what was set by hand and is known to cost.
func (c *chart) forced() {
	for _, name := range []string{"NCCL_ALGO", "NCCL_PROTO", "NCCL_MAX_NCHANNELS", "NCCL_MIN_NCHANNELS", "NCCL_NVLS_ENABLE", "NCCL_P2P_LEVEL", "NCCL_IB_TC", "NCCL_IB_GID_INDEX", "NCCL_CROSS_NIC", "NCCL_BUFFSIZE", "NCCL_TOPO_FILE", "NCCL_IGNORE_CPU_AFFINITY"} {
		e, set := c.log.Setup.Get(name)
		if !set {
			continue
		}
		f := Finding{Code: "forced-setting", Severity: Info, Message: name + " is set by hand", Evidence: fmt.Sprintf("line %d: %s=%s", e.Line, e.Name, e.Value),
			Check: "run once without it: the library's own choice is usually better", Values: trace.Values{"setting": e.Name + "=" + e.Value}}
		switch {
		case name == "NCCL_ALGO" && strings.EqualFold(e.Value, "Ring") && c.log.Nodes > 1, name == "NCCL_NVLS_ENABLE" && e.Value == "0" && c.system.Scale.Switched():
			f.Code, f.Severity, f.Message = "flat-topology", Warn, "the ring is forced: nodes and NVSwitch's adding up are not made use of"
		case name == "NCCL_TOPO_FILE":
			f.Message = "the topology is given by a file"
			f.Check = "that the file is of this very machine"
		}
		c.add(f)
	}
}

// cliffs looks for sizes at which time jumps, or a region that is slow between
// two that are not.
func (c *chart) cliffs() {
	for i := 0; i+1 < len(c.curve); i++ {
		a, b := c.curve[i], c.curve[i+1]
		grown := float64(b.size) / float64(a.size)
		if a.size < 8<<10 || grown > 64 {
			continue
		}
		switch {
		case b.time < 0.6*a.time && i > 0 && c.curve[i-1].time <= a.time:
			c.add(Finding{Code: "cliff", Severity: Warn, Message: fmt.Sprintf("%s takes longer than %s", a.size, b.size),
				Evidence: fmt.Sprintf("lines %d and %d: %.4g us and %.4g us", a.line, b.line, a.time, b.time),
				Check:    "the library changes protocol or algorithm there; one of them is slow on this system: compare NCCL_PROTO=Simple, and look at GPUDirect across the link between sockets",
				Values:   trace.Values{"small": a.size.String(), "large": b.size.String(), "small_us": fmt.Sprintf("%.4g", a.time), "large_us": fmt.Sprintf("%.4g", b.time)}})
			return
		case b.time > 3*grown*a.time:
			c.add(Finding{Code: "cliff", Severity: Warn, Message: fmt.Sprintf("from %s to %s time grows %.0f times", a.size, b.size, b.time/a.time),
				Evidence: fmt.Sprintf("lines %d and %d: %.4g us and %.4g us", a.line, b.line, a.time, b.time),
				Check:    "buffers that no longer fit, a switch of protocol, loss on the network (PFC and ECN counters), or another job at that moment: run again",
				Values:   trace.Values{"small": a.size.String(), "large": b.size.String(), "small_us": fmt.Sprintf("%.4g", a.time), "large_us": fmt.Sprintf("%.4g", b.time)}})
			return
		}
	}
	if n := len(c.curve); n > 2 {
		last, peak := c.curve[n-1], c.curve[n-1]
		for _, p := range c.curve {
			if p.bus > peak.bus {
				peak = p
			}
		}
		if last.bus > 0 && last.bus < 0.7*peak.bus {
			c.add(Finding{Code: "falls-off", Severity: Warn, Message: fmt.Sprintf("bus bandwidth falls from %.4g to %.4g GB/s towards the largest size", peak.bus, last.bus),
				Evidence: fmt.Sprintf("lines %d and %d: %s and %s", peak.line, last.line, peak.size, last.size), Check: "heat and power limits, loss on the network under sustained load, NUMA placement of buffers",
				Values: trace.Values{"peak": fmt.Sprintf("%.4g", peak.bus), "last": fmt.Sprintf("%.4g", last.bus)}})
		}
	}
}

// cold looks for rows that were measured before the system was warm.
func (c *chart) cold() {
	var rows []benchlog.Row
	for _, r := range c.log.Rows {
		if !r.InPlace && r.Size > 0 && r.Size <= 64<<10 && r.Time > 0 {
			rows = append(rows, r)
		}
	}
	if len(rows) < 4 {
		return
	}
	var cold []string
	for i, r := range rows[:len(rows)-1] {
		if float64(r.Time) > 1.8*float64(rows[i+1].Time) { // a larger one was much quicker
			cold = append(cold, fmt.Sprintf("line %d: %.4g us at %s", r.Line, 1e6*float64(r.Time), r.Size))
		}
	}
	if len(cold) > 0 && len(cold) <= len(rows)/3 {
		c.add(Finding{Code: "cold-rows", Severity: Info, Message: fmt.Sprintf("%d small sizes took longer than larger ones: connections were being set up, or something else ran", len(cold)),
			Evidence: strings.Join(cold[:min(len(cold), 4)], "; "), Check: "leave these rows out; more warm-up (-w 20) makes them vanish",
			Values: trace.Values{"rows": strconv.Itoa(len(cold))}})
	}
}

// inPlace compares both halves of the table.
func (c *chart) inPlace() {
	worst, at := 1.0, benchlog.Row{}
	out := map[unit.Bytes]benchlog.Row{}
	for _, r := range c.log.Rows {
		if !r.InPlace {
			out[r.Size] = r
		} else if o, both := out[r.Size]; both && r.Size >= 1<<20 && r.Time > 0 && o.Time > 0 {
			if ratio := math.Abs(math.Log(float64(o.Time / r.Time))); math.Exp(ratio) > worst {
				worst, at = math.Exp(ratio), r
			}
		}
	}
	if worst > 1.5 {
		c.add(Finding{Code: "in-place", Severity: Info, Message: fmt.Sprintf("out of place and in place differ by up to %.2g times", worst),
			Evidence: fmt.Sprintf("line %d: %.4g us and %.4g us at %s", at.Line, 1e6*float64(out[at.Size].Time), 1e6*float64(at.Time), at.Size),
			Check:    "the first half is measured first: a cold start or a disturbance; run again", Values: trace.Values{"times": fmt.Sprintf("%.2g", worst)}})
	}
}

// average warns of the figure that is quoted most and means least.
func (c *chart) average() {
	peak := point{}
	for _, p := range c.curve {
		if p.bus > peak.bus {
			peak = p
		}
	}
	if avg := float64(c.log.AvgBusBW) / 1e9; avg > 0 && peak.bus > 1.3*avg {
		c.add(Finding{Code: "average-misread", Severity: Info, Message: fmt.Sprintf("\"Avg bus bandwidth\" %.4g GB/s is the mean over all sizes, small ones included; the system reaches %.4g GB/s", avg, peak.bus),
			Evidence: fmt.Sprintf("line %d: %.4g GB/s at %s", peak.line, peak.bus, peak.size), Check: "compare systems at one size, such as 1 GiB",
			Values: trace.Values{"average": fmt.Sprintf("%.4g", avg), "peak": fmt.Sprintf("%.4g", peak.bus)}})
	}
	if n := c.log.Ranks; n > 1 && c.log.Collective == schedule.AllReduce && peak.bus > 0 && c.system.NIC > 0 && peak.bus > c.system.NIC*1.05 && c.system.Domains > 1 {
		c.add(Finding{Code: "above-the-wire", Severity: Info, Message: fmt.Sprintf("%.4g GB/s of bus bandwidth is more than the %.4g GB/s of a rank's NIC, and can be", peak.bus, c.system.NIC),
			Evidence: "bus bandwidth counts what a rank would send in a ring over all; within nodes most of it goes over the faster links", Check: "compare with NIC rate · (n-1)/(nodes-1)",
			Values: trace.Values{"bus": fmt.Sprintf("%.4g", peak.bus), "nic": fmt.Sprintf("%.4g", c.system.NIC)}})
	}
}

// notes passes on what the library itself complained of.
func (c *chart) notes() {
	shown := 0
	for _, note := range c.log.Setup.Notes {
		if strings.Contains(note.Text, "RDMA Disabled") || strings.Contains(note.Text, "RDMA disabled") || shown == 5 {
			continue
		}
		shown++
		c.add(Finding{Code: "library-warns", Severity: Warn, Message: "the library or the benchmark complains", Evidence: fmt.Sprintf("line %d: %s", note.Line, note.Text)})
	}
}
