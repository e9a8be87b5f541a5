package measured

import (
	"fmt"
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// relatives are the collectives whose constants others share in the model, as
// their bytes go the same way. An all-reduce and an all-to-all have their own.
var relatives = map[schedule.Collective]schedule.Collective{
	schedule.AllGather: schedule.ReduceScatter, schedule.ReduceScatter: schedule.AllGather,
	schedule.Broadcast: schedule.AllGather, schedule.ReduceTo: schedule.ReduceScatter,
	schedule.Gather: schedule.AllGather, schedule.Scatter: schedule.AllGather,
	schedule.SendRecv: schedule.AllGather, schedule.Barrier: schedule.AllReduce,
}

// fewRuns is the number of measured runs below which a collective of its own
// says too little, even on the hardware that was measured.
const fewRuns = 3

// lender is the collective that a case's time is borrowed from: the relative of
// one that was measured hardly anywhere, or not on such hardware where the
// relative was. Empty for a time that stands by itself.
func (l *Library) lender(c Case) schedule.Collective {
	relative, has := relatives[c.Collective]
	if !has || c.System.Ranks < 2 {
		return ""
	}
	as := c
	as.Collective = relative
	if l.runs[c.Collective] < fewRuns || !l.seen[signatureOf(c)] && l.seen[signatureOf(as)] {
		return relative
	}
	return ""
}

// How far from what was measured a case may lie.
const (
	// far is how many times the most accelerators or bytes that were measured
	// make an extrapolation that only physics stands for.
	far = 4

	// Of each doubling beyond what was measured, the factors by which a time may
	// turn out longer and shorter. Public runs of one rack system lost half of
	// their bandwidth between 128 and 1,440 accelerators, which is 1.22 a doubling;
	// bytes in proportion to a time lose less.
	slowerByRanks, fasterByRanks = 1.25, 1.05
	slowerBySize, fasterBySize   = 1.1, 1.05
)

// beyond is by how many times a case has more accelerators and more bytes than
// anything that was measured; 1 for no more.
func (l *Library) beyond(c Case) (ranks, size float64) {
	ranks, size = 1, 1
	if l.mostRanks > 0 && c.System.Domains > 1 {
		ranks = max(1, float64(c.System.Ranks)/float64(l.mostRanks))
	}
	if l.mostBytes > 0 && c.System.Ranks > 1 {
		size = max(1, float64(c.Size)/float64(l.mostBytes))
	}
	return ranks, size
}

// width is the interval of a grade at a case, as factors of its time: the wider,
// the further the case lies beyond what was measured.
func (l *Library) width(g Grade, c Case) [2]float64 {
	w, found := l.spread[band(g, c.Size)]
	if !found {
		w = [2]float64{0.3, 10}
	}
	ranks, size := l.beyond(c)
	moreRanks, moreSize := math.Log2(ranks), math.Log2(size)
	return [2]float64{
		w[0] / math.Pow(fasterByRanks, moreRanks) / math.Pow(fasterBySize, moreSize),
		w[1] * math.Pow(slowerByRanks, moreRanks) * math.Pow(slowerBySize, moreSize),
	}
}

// doubts say what of a case nobody has measured: its collective, its number of
// accelerators or its size.
func (l *Library) doubts(c Case) []trace.Warning {
	all := []trace.Warning{}
	if from := l.lender(c); from != "" {
		v := trace.Values{"collective": string(c.Collective), "relative": string(from), "runs": fmt.Sprint(l.runs[c.Collective])}
		message := fmt.Sprintf("hardly any %s has been measured (public runs: %d): its time is borrowed from its relative, %s", c.Collective, l.runs[c.Collective], from)
		switch {
		case l.runs[c.Collective] == 0:
			message = fmt.Sprintf("no %s has been measured: its time is borrowed from its relative, %s", c.Collective, from)
		case l.runs[c.Collective] >= fewRuns:
			message = fmt.Sprintf("no %s has been measured on such hardware in this shape: its time is borrowed from its relative, %s, which has", c.Collective, from)
		}
		all = append(all, trace.Warning{Code: "borrowed", Message: message, Values: v})
	}
	times := func(v float64) string { return fmt.Sprintf("%.2g", v) }
	ranks, size := l.beyond(c)
	if ranks > far {
		v := trace.Values{"ranks": fmt.Sprint(c.System.Ranks), "most": fmt.Sprint(l.mostRanks)}
		all = append(all, trace.Warning{Code: "beyond-ranks", Values: v,
			Message: fmt.Sprintf("%s accelerators, and the largest run that was measured has %s: an extrapolation, whose interval grows with every doubling", v["ranks"], v["most"])})
	}
	if size > far {
		v := trace.Values{"size": c.Size.String(), "most": l.mostBytes.String(), "times": times(size)}
		all = append(all, trace.Warning{Code: "beyond-size", Values: v,
			Message: fmt.Sprintf("%s, and the largest size that was measured is %s: an extrapolation, whose interval grows with every doubling", v["size"], v["most"])})
	}
	return all
}

// ofDoubts reports whether a warning is one of what nobody has measured, which
// a log of the very case dispels.
func ofDoubts(w trace.Warning) bool {
	return w.Code == "borrowed" || w.Code == "beyond-ranks" || w.Code == "beyond-size"
}
