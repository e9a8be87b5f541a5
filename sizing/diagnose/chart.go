package diagnose

import (
	"cmp"
	"slices"

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
	at := map[unit.Bytes]int{}
	var curve []point
	for _, r := range log.Rows {
		if r.Size <= 0 || r.Time <= 0 {
			continue
		}
		p := point{r.Size, 1e6 * float64(r.Time), float64(r.BusBW) / 1e9, r.Line}
		if i, seen := at[p.size]; !seen {
			at[p.size] = len(curve)
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
	known     bool    // the system is one of those whose figures are known
	predicted float64 // GB/s of bus bandwidth at the largest size; 0 where nothing is
	limit     measured.Limit
	share     float64 // of it that was reached; 0 where it was not judged
	reached   float64 // GB/s
	found     []Finding
}

func (c *chart) add(f Finding) {
	f.Commands = commands(f.Code, f.Values["why"], c.system.Family)
	c.found = append(c.found, f)
}

// findings examines everything, what matters most first.
func (c *chart) findings() []Finding {
	c.unknown()
	c.rankCount()
	c.wrongResults()
	c.impossible()
	c.judge()
	c.network() // what explains a figure stands before it
	c.peers()
	c.slow()
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
