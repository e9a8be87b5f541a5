package benchlog

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// complete draws the conclusions about the table under way.
func (p *reader) complete() {
	p.setTool()
	p.setTimes()
	p.setSurroundings()
	p.setCollective()
	p.setRanks()
	p.setBandwidths()
	if p.unread > 0 {
		p.warn("lines-skipped", 0, map[string]string{"count": strconv.Itoa(p.unread)}, fmt.Sprintf("%d lines look like rows but do not read as any", p.unread))
	}
	if p.rows > maxRows {
		p.warn("rows-dropped", 0, nil, fmt.Sprintf("only the first %d rows are read", maxRows))
	}
}

func (p *reader) warn(code string, line int, values map[string]string, message string) {
	p.log.Warnings = append(p.log.Warnings, Warning{code, line, values, message})
}

func (p *reader) setTool() {
	switch l := &p.log; {
	case l.Tool != "":
	case p.command.hccl:
		l.Tool = HCCLTest
	case p.command.osu:
		l.Tool = OSU
	case p.command.rccl, strings.HasPrefix(l.Library, "RCCL"):
		l.Tool = RCCLTests
	case len(p.cells) > 0:
		l.Tool = NCCLTests
	}
}

// setTimes makes rows of the cells, whose times are microseconds, or, in tables
// of the first versions, milliseconds: the bandwidths beside them tell.
func (p *reader) setTimes() {
	var factors []float64
	for _, c := range p.cells {
		for _, h := range c.halves {
			if h.alg >= 0.1 && h.time > 0 && c.size > 0 {
				factors = append(factors, float64(c.size)/(h.time*h.alg*1e3))
			}
		}
	}
	perSecond := 1e6
	if len(factors) > 0 {
		slices.Sort(factors)
		switch middle := factors[len(factors)/2]; {
		case middle > 0.8 && middle < 1.25:
		case middle > 800 && middle < 1250:
			perSecond = 1e3
		default:
			p.warn("time-and-bandwidth", p.cells[0].line, map[string]string{"factor": fmt.Sprintf("%.3g", middle)},
				fmt.Sprintf("size over time is %.3g times the algorithm bandwidth that is printed beside it; times are taken as microseconds", middle))
		}
	}
	for _, c := range p.cells {
		p.log.Rows = append(p.log.Rows, c.rows(c.line, perSecond)...)
	}
}

// setSurroundings reads what the list of devices says.
func (p *reader) setSurroundings() {
	l := &p.log
	for rank, d := range p.devices {
		l.Listed = max(l.Listed, rank+1) // lists of many ranks are shortened
		if l.GPU == "" || d.gpu != "" && d.gpu < l.GPU {
			l.GPU = d.gpu
		}
	}
	l.Nodes = len(p.hosts)
	l.NodesFrom = Said
	if len(p.devices) == 0 {
		l.Listed = p.command.ranks()
		l.Nodes, l.NodesFrom = p.command.nodes, Command
	}
	if l.Nodes == 0 {
		l.NodesFrom = ""
		if p.says.Nodes > 0 {
			l.Nodes, l.NodesFrom = p.says.Nodes, Stated
		}
	}
}

// setCollective decides for the best source that the columns allow.
func (p *reader) setCollective() {
	l := &p.log
	if l.CollectiveFrom == Said {
		return
	}
	allowed := p.allowed()
	fits := func(c schedule.Collective) bool { return allowed == nil || slices.Contains(allowed, c) }
	if c := p.command.collective; c != "" && fits(c) {
		l.Collective, l.CollectiveFrom = c, Command
		return
	}
	named, known := collectiveOf(strings.TrimSuffix(p.name, path.Ext(p.name)))
	switch {
	case known && fits(named):
		l.Collective, l.CollectiveFrom = named, Named
	case len(allowed) == 1:
		l.Collective, l.CollectiveFrom = allowed[0], Layout
		if known {
			p.warn("name-and-columns", 0, map[string]string{"named": string(named), "found": string(allowed[0])},
				fmt.Sprintf("the file's name says %s, but its columns are those of %s", named, allowed[0]))
		}
	case p.says.Collective != "" && fits(p.says.Collective):
		l.Collective, l.CollectiveFrom = p.says.Collective, Stated
	}
}

// allowed lists the collectives whose tables have these columns; nil for any.
func (p *reader) allowed() []schedule.Collective {
	if len(p.cells) == 0 {
		return nil
	}
	most := 0 // rows that agree on one part
	for _, rows := range p.parts {
		most = max(most, rows)
	}
	whole, parted := p.whole > most, most > p.whole
	reduces := p.log.Op != "" && p.log.Op != "none"
	rooted := p.root != "" && p.root != "-1"
	var all []schedule.Collective
	add := func(c schedule.Collective, ofWhole bool) {
		if ofWhole && !parted || !ofWhole && !whole {
			all = append(all, c)
		}
	}
	switch {
	case reduces && rooted:
		add(schedule.ReduceTo, true)
	case reduces:
		add(schedule.AllReduce, true)
		add(schedule.ReduceScatter, false)
	case rooted:
		add(schedule.Broadcast, true)
		add(schedule.Scatter, false)
		add(schedule.Gather, false)
	default:
		add(schedule.SendRecv, true)
		add(schedule.AllGather, false)
		add(schedule.AllToAll, false)
	}
	return all
}

// setRanks decides how many ranks there were.
func (p *reader) setRanks() {
	l := &p.log
	fit := p.fitting()
	if len(fit) == 1 {
		l.Implied = fit[0]
	}
	part := 0
	for n, rows := range p.parts {
		if rows > p.whole && rows > len(p.cells)/4 && (part == 0 || rows > p.parts[part]) {
			part = n
		}
	}
	switch {
	case l.Listed > 0 && len(p.devices) > 0:
		l.Ranks, l.RanksFrom = l.Listed, Said
	case l.Listed > 0:
		l.Ranks, l.RanksFrom = l.Listed, Command
	case part > 1:
		l.Ranks, l.RanksFrom = part, Layout
	case l.Implied > 0:
		l.Ranks, l.RanksFrom = l.Implied, Ratio
	case l.Tool == OSU && l.Collective == schedule.SendRecv:
		l.Ranks, l.RanksFrom = 2, Said
	case p.says.Ranks > 0 && p.says.Ranks <= maxRanks:
		l.Ranks, l.RanksFrom = p.says.Ranks, Stated
	}
}

// fitting lists the numbers of ranks whose bus factor fits the bandwidths of
// all rows that tell: those are printed with two decimals, so that only fast
// rows do. More than a few are cut off.
func (p *reader) fitting() []int {
	if p.log.Collective == "" || p.log.Collective.BusFactor(3) == 1 {
		return nil
	}
	type bound struct{ low, high, precise float64 }
	var bounds []bound
	for _, c := range p.cells {
		for _, h := range c.halves {
			if step := h.precise / 2; h.alg > 100*step {
				bounds = append(bounds, bound{(h.bus - step) / (h.alg + step), (h.bus + step) / (h.alg - step), h.alg / step})
			}
		}
	}
	slices.SortStableFunc(bounds, func(a, b bound) int { return cmp.Compare(b.precise, a.precise) })
	bounds = bounds[:min(len(bounds), 64)] // the others tell less
	if len(bounds) == 0 {
		return nil
	}
	var fit []int
	for n := 2; n <= mostFitted && len(fit) < 8; n++ {
		f := p.log.Collective.BusFactor(n)
		agree := 0
		for _, b := range bounds {
			if f >= b.low-1e-9 && f <= b.high+1e-9 {
				agree++
			}
		}
		if agree*10 >= len(bounds)*9 { // a digit may be off where a tool rounds what it had rounded
			fit = append(fit, n)
		}
	}
	return fit
}

// mostFitted is the largest number of ranks that is looked for in a ratio.
const mostFitted = 1 << 15

// setBandwidths completes what a tool leaves out.
func (p *reader) setBandwidths() {
	l := &p.log
	perPeer := l.Tool == OSU && slices.Contains([]schedule.Collective{
		schedule.AllToAll, schedule.AllGather, schedule.Gather, schedule.Scatter,
	}, l.Collective)
	if perPeer && l.Ranks == 0 {
		l.PerPeer = true
		p.warn("size-per-peer", 0, nil, "OSU counts what one rank sends to another, and the log does not say how many ranks there were")
	}
	for i := range l.Rows {
		r := &l.Rows[i]
		if perPeer && l.Ranks > 0 {
			r.Size *= unit.Bytes(l.Ranks)
			r.AlgBW, r.Told = 0, r.Told&^AlgTold
		}
		if r.AlgBW == 0 && r.Time > 0 && !l.PerPeer && r.Told&AlgTold == 0 {
			r.AlgBW = unit.Rate(float64(r.Size) / float64(r.Time))
		}
		if r.Told&BusTold == 0 && l.Ranks > 0 && l.Collective != "" && !l.PerPeer {
			r.BusBW = unit.Rate(float64(r.AlgBW) * l.Collective.BusFactor(l.Ranks))
		}
		if r.Time == 0 && r.AlgBW > 0 {
			r.Time = unit.Seconds(float64(r.Size) / float64(r.AlgBW))
		}
		if math.IsInf(float64(r.AlgBW), 0) || math.IsNaN(float64(r.AlgBW)) {
			r.AlgBW = 0
		}
	}
}
