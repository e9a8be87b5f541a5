package diagnose

import (
	"fmt"
	"math"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/benchlog"
)

// Slack of what cannot be: tables print few digits, nominal rates are rounded,
// and a rate that had to be guessed may be half of the system's.
const (
	ratioSlack   = 0.02
	rateSlack    = 1.1
	guessedSlack = 2.2
	fastShare    = 1.5 // of the prediction: beyond what healthy systems differ by
)

// impossible looks for figures that no system can show.
func (c *chart) impossible() {
	c.ratios()
	c.durations()
	c.beyond()
}

// ratios holds bus over algorithm bandwidth against what the factor of the
// collective can be.
func (c *chart) ratios() {
	if c.log.Collective == "" || c.log.Collective == schedule.Barrier {
		return
	}
	low, high := c.log.Collective.BusFactor(2), c.log.Collective.BusFactor(math.MaxInt32)
	for _, r := range c.log.Rows {
		const told = benchlog.AlgTold | benchlog.BusTold
		if r.Told&told != told || r.AlgBW < 1e9 { // smaller ones have too few digits
			continue
		}
		ratio := float64(r.BusBW / r.AlgBW)
		if ratio >= low*(1-ratioSlack) && ratio <= high*(1+ratioSlack) || ratio == 0 || c.log.Ranks == 1 {
			continue
		}
		c.add(Finding{Code: Impossible, Severity: Critical, Message: fmt.Sprintf("bus over algorithm bandwidth is %s, which no number of ranks gives", figure(ratio)),
			Evidence: fmt.Sprintf("line %d: %s and %s GB/s; for %s the ratio lies between %s and %s", r.Line, figure(float64(r.BusBW)/1e9), figure(float64(r.AlgBW)/1e9), c.log.Collective, figure(low), figure(high)),
			Check:    "whether the table is of that collective, its columns are in their places and in one unit, and nobody has worked on the figures",
			Values: trace.Values{"why": "ratio", "line": strconv.Itoa(r.Line), "ratio": figure(ratio), "low": figure(low), "high": figure(high),
				"alg": figure(float64(r.AlgBW) / 1e9), "bus": figure(float64(r.BusBW) / 1e9)}})
		return
	}
}

// durations passes on that times and bandwidths contradict each other.
func (c *chart) durations() {
	for _, w := range c.log.Warnings {
		if w.Code == "time-and-bandwidth" {
			c.add(Finding{Code: Impossible, Severity: Critical, Message: "times and bandwidths contradict each other",
				Evidence: fmt.Sprintf("line %d: size over time is %s times the algorithm bandwidth beside it", w.Line, w.Values["factor"]),
				Check:    "the units of both columns, and whether figures of different runs were put together",
				Values:   trace.Values{"why": "time", "line": strconv.Itoa(w.Line), "factor": w.Values["factor"]}})
			return
		}
	}
}

// beyond holds the fastest row against what links and NICs can carry.
func (c *chart) beyond() {
	bound := c.bound()
	if !c.known || bound == 0 || len(c.curve) == 0 || c.log.PerPeer {
		return
	}
	slack := rateSlack
	if c.guessed() {
		slack = guessedSlack
	}
	peak := c.peak()
	values := trace.Values{"why": "rate", "line": strconv.Itoa(peak.line), "size": peak.size.String(), "bus": figure(peak.bus), "bound": figure(bound)}
	if peak.bus > bound*slack {
		c.add(Finding{Code: Impossible, Severity: Critical, Message: fmt.Sprintf("%s GB/s of bus bandwidth is more than the %s GB/s that such a system can carry", figure(peak.bus), figure(bound)),
			Evidence: fmt.Sprintf("line %d, %s: the bound is made of the nominal rates of links and NICs", peak.line, peak.size),
			Check:    "that the number of ranks and nodes and the system are the right ones, that bandwidths are in GB/s and not Gb/s, and that all ranks work in one group on data that is not in a cache",
			Values:   values})
		return
	}
	if !c.guessed() && c.predicted > 0 && c.best().size >= bytesCount && c.best().bus > fastShare*c.predicted {
		best := c.best()
		c.add(Finding{Code: TooFast, Severity: Warn, Message: fmt.Sprintf("%.0f %% of what such a system should give is more than healthy ones differ by", 100*best.bus/c.predicted),
			Evidence: fmt.Sprintf("line %d: %s GB/s of bus bandwidth at %s; such a system should give about %s", best.line, figure(best.bus), best.size, figure(c.predicted)),
			Check:    "the system that the log was taken for: the NICs of a node and their rate first, then the links between accelerators and the number of nodes",
			Values: trace.Values{"line": strconv.Itoa(best.line), "size": best.size.String(), "bus": figure(best.bus), "expected": figure(c.predicted),
				"share": fmt.Sprintf("%.0f", 100*best.bus/c.predicted)}})
	}
}

// guessed reports whether a rate that bounds the system is a guess.
func (c *chart) guessed() bool {
	for _, code := range []string{"nic-rate", "network", "nodes", "per-node", "link"} {
		if c.system.Guessed(code) {
			return true
		}
	}
	return false
}

// bound is the bus bandwidth that nominal rates allow whatever the algorithm,
// in GB/s: what has to enter a domain comes through its NICs, and what has to
// enter an accelerator through its links. 0 where nothing bounds it.
func (c *chart) bound() float64 {
	s, n := c.system, float64(c.log.Ranks)
	if n < 2 || c.log.Collective == "" {
		return 0
	}
	inside := s.Rate
	if c.log.Collective == schedule.AllReduce && (s.Scale.Switched() || s.SHARP) {
		inside *= c.log.Collective.BusFactor(c.log.Ranks) // switches that add up take a buffer once, not twice
	}
	if s.Domains <= 1 {
		return inside
	}
	if s.NIC <= 0 || s.Domain <= 0 {
		return 0
	}
	domains := float64(s.Domains)
	across := s.NIC * (n - 1) / (domains - 1)
	switch c.log.Collective {
	case schedule.AllReduce:
		if s.SHARP {
			across *= c.log.Collective.BusFactor(s.Domains)
		}
	case schedule.AllToAll:
		across /= s.Domain
	case schedule.Broadcast, schedule.ReduceTo:
		across = s.NIC * s.Domain
	case schedule.SendRecv:
		across = s.NIC * s.Domain // several NICs of a node may carry one pair's data
	}
	if s.Rate > 0 && s.Domain > 1 {
		across = min(across, inside+s.NIC)
	}
	return across
}
