package diagnose

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/benchlog"
)

// cliffs looks for sizes at which time jumps, or a region that is slow between
// two that are not.
func (c *chart) cliffs() {
	for i := 0; i+1 < len(c.curve); i++ {
		a, b := c.curve[i], c.curve[i+1]
		grown := float64(b.size) / float64(a.size)
		if a.size < 8<<10 || grown > 64 {
			continue
		}
		values := trace.Values{"small": a.size.String(), "large": b.size.String(), "small_time": micros(a.time), "large_time": micros(b.time),
			"small_line": strconv.Itoa(a.line), "large_line": strconv.Itoa(b.line)}
		f := Finding{Code: Cliff, Severity: Warn, Evidence: fmt.Sprintf("lines %d and %d: %s and %s", a.line, b.line, micros(a.time), micros(b.time)), Values: values}
		switch {
		case b.time < 0.6*a.time && i > 0 && c.curve[i-1].time <= a.time:
			values["why"], f.Message = "slower", fmt.Sprintf("%s takes longer than %s", a.size, b.size)
			f.Check = "the library changes protocol or algorithm there; one of them is slow on this system: compare NCCL_PROTO=Simple, and look at GPUDirect across the link between sockets"
		case b.time > 3*grown*a.time:
			values["why"], values["times"] = "jump", figure(b.time/a.time)
			f.Message = fmt.Sprintf("from %s to %s time grows %s times", a.size, b.size, values["times"])
			f.Check = "buffers that no longer fit, a switch of protocol, loss on the network (PFC and ECN counters), or another job at that moment: run again"
		default:
			continue
		}
		c.add(f)
		return
	}
	c.falls()
}

// falls looks for bandwidth that is lost towards the largest size.
func (c *chart) falls() {
	n := len(c.curve)
	if n <= 2 {
		return
	}
	last, peak := c.curve[n-1], c.peak()
	if last.bus > 0 && last.bus < 0.7*peak.bus {
		c.add(Finding{Code: FallsOff, Severity: Warn, Message: fmt.Sprintf("bus bandwidth falls from %s to %s GB/s towards the largest size", figure(peak.bus), figure(last.bus)),
			Evidence: fmt.Sprintf("lines %d and %d: %s and %s", peak.line, last.line, peak.size, last.size), Check: "heat and power limits, loss on the network under sustained load, NUMA placement of buffers",
			Values: trace.Values{"peak": figure(peak.bus), "last": figure(last.bus), "peak_line": strconv.Itoa(peak.line), "last_line": strconv.Itoa(last.line),
				"peak_size": peak.size.String(), "last_size": last.size.String()}})
	}
}

// peak is the largest bus bandwidth of the curve.
func (c *chart) peak() (peak point) {
	for _, p := range c.curve {
		if p.bus > peak.bus {
			peak = p
		}
	}
	return peak
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
	var cold []benchlog.Row
	for i, r := range rows[:len(rows)-1] {
		if float64(r.Time) > 1.8*float64(rows[i+1].Time) { // a larger one was much quicker
			cold = append(cold, r)
		}
	}
	if len(cold) == 0 || len(cold) > len(rows)/3 {
		return
	}
	var said, lines []string
	for _, r := range cold[:min(len(cold), 4)] {
		said = append(said, fmt.Sprintf("line %d: %s at %s", r.Line, r.Time, r.Size))
		lines = append(lines, strconv.Itoa(r.Line))
	}
	c.add(Finding{Code: ColdRows, Severity: Info, Message: fmt.Sprintf("%d small sizes took longer than larger ones: connections were being set up, or something else ran", len(cold)),
		Evidence: strings.Join(said, "; "), Check: "leave these rows out; more warm-up (-w 20) makes them vanish",
		Values: trace.Values{"rows": strconv.Itoa(len(cold)), "lines": strings.Join(lines, ", "), "time": cold[0].Time.String(), "size": cold[0].Size.String()}})
}

// inPlace compares both halves of the table.
func (c *chart) inPlace() {
	worst, at := 1.0, benchlog.Row{}
	out := map[unit.Bytes]benchlog.Row{}
	for _, r := range c.log.Rows {
		if !r.InPlace {
			out[r.Size] = r
		} else if o, both := out[r.Size]; both && r.Size >= 1<<20 && r.Time > 0 && o.Time > 0 {
			if ratio := math.Exp(math.Abs(math.Log(float64(o.Time / r.Time)))); ratio > worst {
				worst, at = ratio, r
			}
		}
	}
	if worst > 1.5 {
		c.add(Finding{Code: InPlaceDiffers, Severity: Info, Message: fmt.Sprintf("out of place and in place differ by up to %s times", figure(worst)),
			Evidence: fmt.Sprintf("line %d: %s and %s at %s", at.Line, out[at.Size].Time, at.Time, at.Size),
			Check:    "the first half is measured first: a cold start or a disturbance; run again",
			Values:   trace.Values{"times": figure(worst), "line": strconv.Itoa(at.Line), "out_time": out[at.Size].Time.String(), "in_time": at.Time.String(), "size": at.Size.String()}})
	}
}

// average warns of the figure that is quoted most and means least, and of one
// that looks too good.
func (c *chart) average() {
	peak := c.peak()
	if avg := float64(c.log.AvgBusBW) / 1e9; avg > 0 && peak.bus > 1.3*avg {
		c.add(Finding{Code: AverageMisread, Severity: Info, Message: fmt.Sprintf("\"Avg bus bandwidth\" %s GB/s is the mean over all sizes, small ones included; the system reaches %s GB/s", figure(avg), figure(peak.bus)),
			Evidence: fmt.Sprintf("line %d: %s GB/s at %s", peak.line, figure(peak.bus), peak.size), Check: "compare systems at one size, such as 1 GiB",
			Values: trace.Values{"average": figure(avg), "peak": figure(peak.bus), "line": strconv.Itoa(peak.line), "size": peak.size.String()}})
	}
	if c.known && c.log.Ranks > 1 && c.log.Collective == schedule.AllReduce && c.system.Domains > 1 && c.system.NIC > 0 && peak.bus > c.system.NIC*1.05 {
		c.add(Finding{Code: AboveTheWire, Severity: Info, Message: fmt.Sprintf("%s GB/s of bus bandwidth is more than the %s GB/s of a rank's NIC, and can be", figure(peak.bus), figure(c.system.NIC)),
			Evidence: "bus bandwidth counts what a rank would send in a ring over all; within nodes most of it goes over the faster links", Check: "compare with NIC rate · (n-1)/(nodes-1)",
			Values: trace.Values{"bus": figure(peak.bus), "nic": figure(c.system.NIC)}})
	}
}

// figure prints a bandwidth in GB/s, or a ratio, with three significant digits.
func figure(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	text := strconv.FormatFloat(v, 'f', min(decimals, 6), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// micros prints a time given in microseconds.
func micros(us float64) string { return unit.Seconds(us / 1e6).String() }
