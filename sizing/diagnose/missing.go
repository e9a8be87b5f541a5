package diagnose

import (
	"fmt"
	"strconv"

	"lockstep/engine/trace"
)

// unknown asks for what the log does not tell.
func (c *chart) unknown() {
	if c.log.Collective == "" {
		c.add(Finding{Code: CollectiveUnknown, Severity: Warn, Message: "the log does not say which collective was run", Evidence: "its columns fit several collectives",
			Check: "name the file after the collective, such as all_gather.txt, paste the line that calls the benchmark, or state it"})
	}
	if c.log.Ranks == 0 {
		c.add(Finding{Code: RanksUnknown, Severity: Warn, Message: "the log does not say how many ranks there were, so bus bandwidth cannot be compared", Evidence: "no list of devices, no launcher's line, no bus bandwidth",
			Check: "paste the lines above the table, or the line that calls the benchmark (mpirun -np N …), or state the number"})
	}
	if !c.known {
		c.add(Finding{Code: SystemUnknown, Severity: Warn, Message: "the log does not name an accelerator that is known, so nothing says what it should give", Evidence: "no list of devices, or one without a known name",
			Check: "paste the list of devices above the table, or state the system"})
	}
}

// rankCount compares the number of ranks that is stated with that of the bus
// factor.
func (c *chart) rankCount() {
	if l := c.log; l.Listed > 0 && l.Implied > 0 && l.Listed != l.Implied {
		c.add(Finding{Code: RankCount, Severity: Critical,
			Message: fmt.Sprintf("the log speaks of %d ranks, but its bus bandwidths are those of %d", l.Listed, l.Implied),
			Evidence: fmt.Sprintf("bus over algorithm bandwidth is %.4g; %d ranks give %.4g, %d give %.4g",
				l.Collective.BusFactor(l.Implied), l.Listed, l.Collective.BusFactor(l.Listed), l.Implied, l.Collective.BusFactor(l.Implied)),
			Check: "whether all ranks joined one communicator: several processes that each see one GPU run as many small jobs when the launcher and the library do not belong to the same MPI",
			Values: trace.Values{"listed": strconv.Itoa(l.Listed), "implied": strconv.Itoa(l.Implied),
				"ratio": fmt.Sprintf("%.4g", l.Collective.BusFactor(l.Implied)), "listed_ratio": fmt.Sprintf("%.4g", l.Collective.BusFactor(l.Listed))}})
	}
}

func (c *chart) wrongResults() {
	for _, r := range c.log.Rows {
		if r.Wrong > 0 {
			c.add(Finding{Code: WrongResults, Severity: Critical, Message: "the benchmark found wrong results: no figure of this run counts",
				Evidence: fmt.Sprintf("line %d, %s: %d wrong", r.Line, r.Size, r.Wrong), Check: "memory errors, the driver and the library's version; then run again with one node at a time",
				Values: trace.Values{"line": strconv.Itoa(r.Line), "size": r.Size.String(), "wrong": strconv.Itoa(r.Wrong)}})
			return
		}
	}
}
