package diagnose

import (
	"math"
	"strconv"
	"strings"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/hardware"
	"lockstep/sizing/measured"
)

// A healthy system's bus bandwidth lies between these shares of the predicted
// one, at sizes where bytes count: what healthy published systems that a
// prediction had not seen did.
const (
	healthyLow  = 0.72
	healthyHigh = 1.2
)

// bytesCount is the size from which bandwidth can be judged; below latencies
// the interval of the prediction is all that is known.
const (
	bytesCount = 16 << 20
	latencies  = 1 << 20
)

// words describes the system of a log for hardware.Read. A tool that runs on
// one maker's devices stands for its usual one; assumed says so.
func words(log benchlog.Log) (w hardware.Words, assumed bool) {
	w = hardware.Words{GPU: log.GPU, Ranks: log.Ranks, Nodes: log.Nodes}
	if w.Nodes > 0 && w.Ranks > 0 {
		w.PerNode = (w.Ranks + w.Nodes - 1) / w.Nodes
	}
	switch {
	case log.GPU != "":
	case log.Tool == benchlog.RCCLTests:
		w.GPU, assumed = "MI300X", true
	case log.Tool == benchlog.HCCLTest:
		w.GPU, assumed = "Ascend 910B", true
	}
	var settings []string
	for _, e := range log.Setup.Env {
		settings = append(settings, e.Name+"="+e.Value)
	}
	w.Settings = strings.Join(settings, " ")
	switch network := strings.Join(append(log.Setup.Networks, log.Setup.Ways...), " "); {
	case strings.Contains(network, "FasTrak"):
		w.InterLink = "TCPXO"
	case strings.Contains(network, "OFI"), strings.Contains(network, "Libfabric"):
		w.InterLink = "EFA"
	case strings.Contains(network, "IB"):
		w.InterLink = "InfiniBand"
	case strings.Contains(network, "Socket"):
		w.InterLink = "TCP"
	}
	return w, assumed
}

// expect enters what the system is taken for and what it should give.
func (d *Doctor) expect(c *chart, f *File, says Statement) {
	w, assumed := words(c.log)
	w = d.onto(w, says)
	assumed = assumed && says.System == "" && says.Accelerator == ""
	c.system = hardware.Read(w)
	if w.GPU != "" && !c.system.Guessed("gpu") {
		c.known = true
		f.Taken = takenFor(c.system)
		f.Warnings = append(f.Warnings, guesses(c.system, assumed, w.GPU)...)
	}
	if !c.known || c.log.Ranks < 2 || c.log.Collective == "" || len(c.curve) == 0 || c.log.PerPeer {
		return
	}
	for _, at := range c.curve {
		p := d.library.Price(measured.Case{Collective: c.log.Collective, System: c.system, Size: at.size})
		bus := func(time float64) float64 {
			return float64(at.size) * c.log.Collective.BusFactor(c.log.Ranks) / time / 1e3
		}
		if !(p.Time > 0) || !(bus(p.Time) > 0) {
			continue
		}
		b := Band{Size: int64(at.size), Typical: bus(p.Time), Low: bus(p.High), High: bus(p.Low)}
		if share := countingShare(at.size); share > 0 {
			b.Low = blend(b.Low, b.Typical*healthyLow, share)
			b.High = blend(b.High, b.Typical*healthyHigh, share)
		}
		f.Expected.Curve = append(f.Expected.Curve, b)
		c.predicted, c.limit = b.Typical, p.Limit
		f.Expected.Low, f.Expected.High, f.Expected.Size, f.Expected.Grade = b.Low, b.High, b.Size, string(p.Grade)
	}
	if len(f.Expected.Curve) > 0 {
		if f.Expected.System = says.System; f.Expected.System == "" {
			f.Expected.System = d.known.Match(c.system)
		}
	}
}

// countingShare is how far bytes outweigh latencies at a size: 0 to 1.
func countingShare(size unit.Bytes) float64 {
	return min(1, max(0, math.Log2(float64(size)/latencies)/math.Log2(bytesCount/latencies)))
}

// blend goes from one value to another in logarithms.
func blend(from, to, share float64) float64 {
	return math.Exp((1-share)*math.Log(from) + share*math.Log(to))
}

// Taken is what a system was taken for.
type Taken struct {
	Family   string           `json:"family"`
	Scale    hardware.Scale   `json:"scale_up"`
	Rate     float64          `json:"scale_up_gbytes_per_s,omitempty"`
	Nodes    int              `json:"nodes,omitempty"`
	PerNode  int              `json:"ranks_per_node,omitempty"`
	Network  hardware.Network `json:"network,omitempty"` // between scale-up domains; empty within one
	NIC      float64          `json:"nic_gbytes_per_s_per_rank,omitempty"`
	Switches bool             `json:"in_network_reduction,omitempty"`
}

func takenFor(s hardware.System) *Taken {
	t := &Taken{Family: s.Family, Scale: s.Scale, Rate: s.Rate, Nodes: s.Nodes, PerNode: s.PerNode, Switches: s.SHARP}
	if s.Domains > 1 {
		t.Network, t.NIC = s.Network, s.NIC
	}
	return t
}

// guesses are what had to be assumed of a system, as warnings.
func guesses(s hardware.System, assumed bool, gpu string) []trace.Warning {
	var all []trace.Warning
	if assumed {
		all = append(all, trace.Warning{Code: "guessed-accelerator", Message: "the log names no accelerator; " + gpu + " is assumed for its tool", Values: trace.Values{"accelerator": gpu}})
	}
	for _, g := range s.Guesses {
		w := trace.Warning{Code: "guessed-" + g.Code, Message: g.Message, Values: trace.Values{}}
		switch g.Code {
		case "nic-rate":
			w.Values["rate"] = strconv.FormatFloat(8*s.NIC*float64(max(s.PerNode, 1)), 'f', -1, 64) + " Gb/s"
		case "nodes", "per-node", "shape":
			w.Values["per_node"] = strconv.Itoa(s.PerNode)
		}
		all = append(all, w)
	}
	return all
}
