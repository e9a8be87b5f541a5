package diagnose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/trace"
	"lockstep/sizing/benchlog"
)

// set is a finding about a variable that somebody has set.
func set(code Code, why string, severity Severity, e benchlog.Setting, message, check string) Finding {
	text := e.Name + "=" + e.Value
	f := Finding{Code: code, Severity: severity, Message: message, Evidence: fmt.Sprintf("line %d: %s", e.Line, text), Check: check,
		Values: trace.Values{"line": strconv.Itoa(e.Line), "setting": text}}
	if why != "" {
		f.Values["why"] = why
	}
	return f
}

// network looks at what the data goes over between nodes.
func (c *chart) network() {
	across := c.log.Nodes > 1 || c.system.Domains > 1
	c.sockets(across)
	c.direct(across)
	c.cards(across)
	c.placement(across)
	c.packets(across)
}

// onSockets reports whether the library moves data through TCP sockets.
func onSockets(s benchlog.Setup) bool {
	return slices.ContainsFunc(s.Ways, func(w string) bool { return strings.HasPrefix(w, "NET/Socket") }) ||
		slices.Contains(s.Networks, "Socket") && !slices.ContainsFunc(s.Networks, func(n string) bool { return n != "Socket" })
}

// sockets looks for data that goes through TCP.
func (c *chart) sockets(across bool) {
	s := c.log.Setup
	if e, is := s.Get("NCCL_IB_DISABLE"); is && e.Value != "0" {
		c.add(set(SocketFallback, "disabled", Warn, e, "RDMA is switched off: data goes through TCP sockets and the host's memory", "remove NCCL_IB_DISABLE"))
	} else if e, is := s.Get("NCCL_NET"); is && strings.EqualFold(e.Value, "Socket") {
		c.add(set(SocketFallback, "asked", Critical, e, "TCP sockets are asked for by name", "remove NCCL_NET"))
	} else if note, none := noDevice(s); none && onSockets(s) && across {
		c.add(Finding{Code: SocketFallback, Severity: Critical, Message: "the library found no RDMA device and uses TCP sockets between nodes", Evidence: fmt.Sprintf("line %d: %s", note.Line, note.Text),
			Check: "whether RDMA devices are visible in the container or job, and whether their driver is loaded", Values: trace.Values{"why": "none", "line": strconv.Itoa(note.Line), "text": note.Text}})
	} else if onSockets(s) && across {
		c.add(Finding{Code: SocketFallback, Severity: Critical, Message: "the library uses TCP sockets between nodes", Evidence: "NET/Socket in the library's lines",
			Check: "whether RDMA devices are visible in the container or job, and the library's network plug-in is found", Values: trace.Values{"why": "socket"}})
	}
}

// noDevice is the line by which the library says that it has found no RDMA
// device.
func noDevice(s benchlog.Setup) (benchlog.Note, bool) {
	for _, note := range s.Notes {
		if strings.Contains(note.Text, "No device found") {
			return note, true
		}
	}
	return benchlog.Note{}, false
}

// direct looks for GPUDirect RDMA that is off or forced.
func (c *chart) direct(across bool) {
	s := c.log.Setup
	gdr := slices.ContainsFunc(s.Ways, func(w string) bool { return strings.Contains(w, "GDRDMA") })
	ib := slices.ContainsFunc(s.Ways, func(w string) bool { return strings.HasPrefix(w, "NET/IB") || strings.HasPrefix(w, "NET/Libfabric") })
	if e, is := s.Get("NCCL_NET_GDR_LEVEL"); is {
		why, severity, message := "level", Warn, "the distance over which GPUDirect RDMA is used is forced by hand"
		if e.Value == "0" || strings.EqualFold(e.Value, "LOC") {
			why, severity, message = "off", Critical, "GPUDirect RDMA is switched off"
		}
		c.add(set(LevelForced, why, severity, e, message,
			"remove the setting: too near a level leaves GPUDirect unused, too far a one drives it across the link between sockets, which some hosts carry at a crawl"))
	}
	if ib && !gdr && across {
		c.add(Finding{Code: DirectOff, Severity: Critical, Message: "data goes between nodes without GPUDirect RDMA, through the host's memory", Evidence: "channels via NET/IB without GDRDMA",
			Check: "nvidia-peermem or dma-buf support in the kernel, PCIe ACS off, GPU and NIC on one PCIe switch", Values: trace.Values{"why": "channels"}})
	}
	for _, note := range s.Notes {
		if saysNoRDMA(note.Text) {
			c.add(Finding{Code: DirectOff, Severity: Critical, Message: "the library says that GPUDirect RDMA is disabled", Evidence: fmt.Sprintf("line %d: %s", note.Line, note.Text), Check: "nvidia-peermem or dma-buf support in the kernel",
				Values: trace.Values{"why": "said", "line": strconv.Itoa(note.Line), "text": note.Text}})
			break
		}
	}
}

func saysNoRDMA(text string) bool {
	return strings.Contains(text, "RDMA Disabled") || strings.Contains(text, "RDMA disabled")
}

// cards looks at which NICs are used, and who has chosen them.
func (c *chart) cards(across bool) {
	s, perNode := c.log.Setup, c.system.PerNode
	if n := len(s.NICs); n > 0 && perNode > 1 && n < perNode && across {
		f := Finding{Code: FewNICs, Severity: Warn, Message: fmt.Sprintf("%d NICs serve %d GPUs of a node", n, perNode), Evidence: "the library uses " + strings.Join(s.NICs, ", "),
			Check:  "whether the node has more, and NCCL_IB_HCA or the container hides them",
			Values: trace.Values{"nics": strconv.Itoa(n), "gpus": strconv.Itoa(perNode), "names": strings.Join(s.NICs, ", ")}}
		if n == 1 {
			f.Code, f.Severity, f.Message = OneRail, Critical, fmt.Sprintf("one NIC serves all %d GPUs of a node", perNode)
			delete(f.Values, "nics")
		}
		c.add(f)
	}
	if e, is := s.Get("NCCL_IB_HCA"); is {
		c.add(set(NICList, "devices", Info, e, "the NICs are chosen by hand",
			"that the list names every NIC for data and none for storage or management; a name without = in front matches all that begin with it (mlx5_1 also takes mlx5_10)"))
	}
	if e, is := s.Get("NCCL_SOCKET_IFNAME"); is && onSockets(s) {
		c.add(set(NICList, "interface", Warn, e, "data goes over the interface that was chosen by hand", "that it is the fast one"))
	}
}

// notes passes on what the library itself complained of.
func (c *chart) notes() {
	shown := 0
	for _, note := range c.log.Setup.Notes {
		if saysNoRDMA(note.Text) || strings.Contains(note.Text, "No device found") && onSockets(c.log.Setup) || shown == 5 {
			continue
		}
		shown++
		c.add(Finding{Code: LibraryWarns, Severity: Warn, Message: "the library or the benchmark complains", Evidence: fmt.Sprintf("line %d: %s", note.Line, note.Text),
			Values: trace.Values{"line": strconv.Itoa(note.Line), "text": note.Text}})
	}
}
