package measured

import (
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

// Choice is why a vendor's library is likely to take an algorithm, and what it
// would take else.
type Choice struct {
	Code     string       `json:"code"`                // of the reason
	Reason   string       `json:"reason"`              // in English
	RunnerUp *Alternative `json:"runner_up,omitempty"` // absent where measurements tell no other way apart
}

// reasons for an algorithm, by their codes.
var reasons = map[string]string{
	"alone":            "a rank alone has nobody to send to",
	"switches-inside":  "the switches of the domain add up (NVLS), so that every byte crosses a rank's link once",
	"switches-between": "the switches between nodes add up (SHARP), so that every byte crosses a NIC once",
	"switches-both":    "the switches within each domain add up, so that only sums go between domains",
	"two-nodes":        "two nodes and no switch that adds up: trees were measured to be faster there than a ring",
	"latencies":        "latencies outweigh the bytes, and a tree has log n of them where a ring has n",
	"bytes":            "bytes outweigh latencies, and in a ring no port carries a byte more often than it has to",
	"ring-asked":       "adding up in switches is off, or the ring was asked for",
	"ring-only":        "each rank needs every other's block, and in a ring no port carries one twice",
	"pieces":           "in a chain every port carries each byte once, in pieces one after the other",
	"rounds":           "no bytes: what counts is the number of rounds, log2 n",
	"own-bytes":        "every message has one sender and one receiver; handing it on by others only adds to it",
}

// Algorithm names the algorithm of the catalogue whose shape the time has: what
// a vendor's library is likely to take. It explains a time; it does not make
// it, since libraries choose by tables of their own.
func Algorithm(c Case, b Breakdown) string {
	algorithm, _ := choose(c, b)
	return algorithm
}

// choose is Algorithm with the code of the reason.
func choose(c Case, b Breakdown) (algorithm, code string) {
	algorithm, code = shaped(c, b)
	if c.System.Ranks < 2 {
		code = "alone"
	}
	return algorithm, code
}

func shaped(c Case, b Breakdown) (algorithm, code string) {
	s := c.System
	latencies := b.Bytes < b.Inside+b.Across+b.Pipeline // they outweigh the bytes
	switch c.Collective {
	case schedule.AllReduce:
		switch {
		case s.Domains <= 1 && b.Reduced:
			return "in-network", "switches-inside"
		case s.SHARP:
			return "in-network", "switches-between"
		case s.Domains == 2 && reduces(s, s.Domain), s.Domains > 1 && s.Scale == hardware.NVL72:
			return "hierarchical", "switches-both"
		case s.Domains == 2 && s.Domain > 1 && !s.NoNVLS:
			return "double-binary-tree", "two-nodes"
		case latencies && s.Ranks > 2 && !s.NoNVLS:
			return "double-binary-tree", "latencies"
		case s.NoNVLS:
			return "ring", "ring-asked"
		}
		return "ring", "bytes"
	case schedule.AllGather, schedule.ReduceScatter:
		return "ring", "ring-only"
	case schedule.Broadcast, schedule.ReduceTo:
		return "chain", "pieces"
	case schedule.Barrier:
		return "dissemination", "rounds"
	default:
		return "direct", "own-bytes"
	}
}

// alternatives are the ways of the library that measurements tell apart, the
// one of the case first: what switches do can be left out.
func (l *Library) alternatives(c Case, algorithm string, time unit.Seconds) []Alternative {
	all := []Alternative{{algorithm, time}}
	if c.Collective != schedule.AllReduce || c.System.Ranks < 2 {
		return all
	}
	other := c
	for _, without := range []func(){func() { other.System.SHARP = false }, func() { other.System.NoNVLS = true }} {
		without()
		b := l.constants.Time(other)
		name := Algorithm(other, b)
		named := false
		for _, a := range all {
			named = named || a.Algorithm == name
		}
		if !named {
			all = append(all, Alternative{name, micro(b.Total())})
		}
	}
	return all
}

// choice explains the first of a case's alternatives.
func choice(code string, all []Alternative) Choice {
	c := Choice{Code: code, Reason: reasons[code]}
	for i := 1; i < len(all); i++ {
		if c.RunnerUp == nil || all[i].Time < c.RunnerUp.Time {
			next := all[i]
			c.RunnerUp = &next
		}
	}
	return c
}
