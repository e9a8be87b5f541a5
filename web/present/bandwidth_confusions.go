package present

import (
	"strconv"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/views"
)

// confusion is something that people say. Its message is what they say, with
// .line what is right, with .text an example with figures.
type confusion struct {
	id      string
	message string
	lesson  views.LessonLink
	values  []any // of the example
}

// confusions lists what is commonly confused, each with figures that the cost
// model computes for it.
func (p *bandwidthPage) confusions() []views.Confusion {
	var all []views.Confusion
	for i, c := range []confusion{
		p.exceedsWire(), p.bitsAndBytes(), p.binary(), p.fallsWithRanks(), p.bothDirections(), p.perNode(),
		p.oneWay(), p.fewSteps(), p.twoPhases(), p.wholeBuffer(), p.smallMessages(), p.toEveryRank(),
	} {
		all = append(all, views.Confusion{
			ID: c.id, URL: "#" + c.id, Number: strconv.Itoa(i + 1),
			Says: p.t(c.message, c.values...), Right: p.t(c.message + ".line"), Example: p.t(c.message+".text", c.values...), Lesson: c.lesson,
		})
	}
	return all
}

// Links that the examples are computed on.
const (
	port400   = unit.Rate(50e9)  // 400 Gb/s
	port200   = unit.Rate(25e9)  // 200 Gb/s
	nvlink450 = unit.Rate(450e9) // NVLink of the fourth generation, one direction
)

func rateText(gbytes float64) string { return unit.Rate(gbytes * 1e9).String() }

func (p *bandwidthPage) exceedsWire() confusion {
	// Published: 12 nodes of 8 H100 with in-network reduction; docs/formulas.md
	// has the row and its source.
	const ranks, nodes, measured = 96, 12, 386.6
	bound := port400.GBytes() * (ranks - 1) / (nodes - 1)
	return confusion{"busbw-exceeds-wire", "confusion.exceeds-wire", p.lesson(schedule.AllReduce, "hierarchical", ""), []any{
		"Nodes", crossingNodes, "PerNode", crossingPerNode, "Wire", p.ask.Wire.String(), "Inside", nvlink450.String(), "Layered", p.layered.String(),
		"Measured", typed(measured), "Port", port400.String(), "Bound", rateText(bound)}}
}

func (p *bandwidthPage) bitsAndBytes() confusion {
	const size = 1200 * unit.MB
	right := p.predict(schedule.SendRecv, "direct", 2, size, cost.Network{Bandwidth: port400})
	wrong := p.predict(schedule.SendRecv, "direct", 2, size, cost.Network{Bandwidth: 8 * port400})
	return confusion{"bits-and-bytes", "confusion.bits", p.lesson(schedule.SendRecv, "direct", "size=1.2GB&net=ib-400g"), []any{
		"Bits", bits(port400), "Bytes", port400.String(), "Size", size.String(), "Right", duration(right.Time), "Wrong", duration(wrong.Time)}}
}

func (p *bandwidthPage) binary() confusion {
	binary := cost.ThroughputIn(schedule.AllReduce, 8, unit.GiB, bandwidthTime)
	decimal := cost.ThroughputIn(schedule.AllReduce, 8, unit.GB, bandwidthTime)
	return confusion{"gib-is-not-gb", "confusion.binary", p.lesson(schedule.AllReduce, "ring", "size=1GiB"), []any{
		"Bytes", sizeGrouped(int64(unit.GiB)), "More", shareText(float64(unit.GiB)/float64(unit.GB) - 1), "Time", duration(bandwidthTime),
		"Right", binary.Alg.String(), "Wrong", decimal.Alg.String()}}
}

func (p *bandwidthPage) fallsWithRanks() confusion {
	net := cost.Network{Bandwidth: port200}
	two := p.predict(schedule.AllReduce, "ring", 2, unit.GB, net)
	eight := p.predict(schedule.AllReduce, "ring", 8, unit.GB, net)
	many := p.predict(schedule.AllReduce, "ring", 64, unit.GB, net)
	return confusion{"algbw-falls", "confusion.falls", p.lesson(schedule.AllReduce, "ring", ""), []any{
		"Wire", port200.String(), "Two", rateText(two.AlgBW), "Eight", rateText(eight.AlgBW), "Many", rateText(many.AlgBW), "Bus", rateText(many.BusBW)}}
}

func (p *bandwidthPage) bothDirections() confusion {
	right := p.predict(schedule.AllReduce, "ring", 8, unit.GB, cost.Network{Bandwidth: nvlink450})
	wrong := p.predict(schedule.AllReduce, "ring", 8, unit.GB, cost.Network{Bandwidth: 2 * nvlink450})
	return confusion{"both-directions", "confusion.directions", p.lesson(schedule.AllReduce, "ring", "size=1GB&net=nvlink-450"), []any{
		"Both", (2 * nvlink450).String(), "One", nvlink450.String(), "Right", duration(right.Time), "Wrong", duration(wrong.Time)}}
}

func (p *bandwidthPage) perNode() confusion {
	const perNode, ranks, size = 8, 64, 16 * unit.GB
	right := p.predict(schedule.AllReduce, "ring", ranks, size, cost.Network{Bandwidth: port400})
	wrong := p.predict(schedule.AllReduce, "ring", ranks, size, cost.Network{Bandwidth: perNode * port400})
	return confusion{"per-node", "confusion.per-node", p.lesson(schedule.AllReduce, "hierarchical", ""), []any{
		"Node", bits(perNode * port400), "Each", bits(port400), "Bytes", port400.String(), "Ranks", ranks, "Size", sizeBytes(size),
		"Right", duration(right.Time), "Wrong", duration(wrong.Time)}}
}

// oneWay is the article's own case.
func (p *bandwidthPage) oneWay() confusion {
	const ranks, size = 10, 1200 * unit.MB
	article := cost.Network{Bandwidth: 1e9}
	c := sizing.Collector{Size: size, Rate: article.Bandwidth}
	central := p.predict(schedule.AllReduce, "central", ranks, size, article)
	ring := p.predict(schedule.AllReduce, "ring", ranks, size, article)
	return confusion{"one-way", "confusion.one-way",
		views.LessonLink{URL: p.f.homeURL() + centralServerPath, Name: p.t("bandwidth.lesson", "Name", p.t("story.title"))}, []any{
			"Ranks", ranks, "Size", size.String(), "Wire", article.Bandwidth.String(), "OneWay", duration(c.Collecting(ranks)),
			"Both", duration(central.Time), "Ring", duration(ring.Time)}}
}

func (p *bandwidthPage) fewSteps() confusion {
	const ranks, size = 8, 64 * unit.MiB
	net := cost.Network{Latency: bandwidthLatency, Bandwidth: port200}
	central := p.predict(schedule.AllReduce, "central", ranks, size, net)
	ring := p.predict(schedule.AllReduce, "ring", ranks, size, net)
	return confusion{"few-steps", "confusion.steps",
		views.LessonLink{
			URL:  p.f.homeURL() + racePath + "?a=central&b=ring&collective=all-reduce&n=8&net=roce-200g&size=64MiB",
			Name: p.t("bandwidth.lesson", "Name", p.t("confusion.steps.race")),
		}, []any{
			"Ranks", ranks, "Size", size.String(), "Wire", net.Bandwidth.String(), "Latency", duration(unit.FromDuration(net.Latency)),
			"FewSteps", p.rounds("central", ranks), "ManySteps", p.rounds("ring", ranks), "Few", duration(central.Time), "Many", duration(ring.Time)}}
}

// rounds is how many steps an all-reduce takes.
func (p *bandwidthPage) rounds(algorithm string, ranks int) int {
	return p.build(schedule.AllReduce, algorithm, ranks).Rounds()
}

// build makes a schedule, or remembers why it cannot.
func (p *bandwidthPage) build(c schedule.Collective, algorithm string, ranks int) *schedule.Schedule {
	s, err := schedule.Build(schedule.Request{Collective: c, Algorithm: algorithm, Ranks: ranks})
	if err != nil {
		if p.err == nil {
			p.err = err
		}
		return &schedule.Schedule{}
	}
	return s
}

func (p *bandwidthPage) twoPhases() confusion {
	const ranks, size = 10, 1200 * unit.MB
	net := cost.Network{Bandwidth: 1e9}
	scatter := p.predict(schedule.ReduceScatter, "ring", ranks, size, net)
	gather := p.predict(schedule.AllGather, "ring", ranks, size, net)
	both := p.predict(schedule.AllReduce, "ring", ranks, size, net)
	return confusion{"two-phases", "confusion.two-phases", p.lesson(schedule.ReduceScatter, "ring", ""), []any{
		"Ranks", ranks, "Size", size.String(), "Wire", net.Bandwidth.String(),
		"Scatter", duration(scatter.Time), "Gather", duration(gather.Time), "Both", duration(both.Time)}}
}

func (p *bandwidthPage) wholeBuffer() confusion {
	const ranks = 8
	net := cost.Network{Bandwidth: port200}
	right := p.predict(schedule.AllGather, "ring", ranks, unit.GiB, net)
	wrong := p.predict(schedule.AllGather, "ring", ranks, ranks*unit.GiB, net)
	return confusion{"size-is-the-whole", "confusion.size", p.lesson(schedule.AllGather, "ring", "size=1GiB"), []any{
		"Ranks", ranks, "Size", unit.GiB.String(), "Block", (unit.GiB / ranks).String(), "Wire", net.Bandwidth.String(),
		"Right", duration(right.Time), "Wrong", duration(wrong.Time)}}
}

func (p *bandwidthPage) smallMessages() confusion {
	const ranks = 8
	net := cost.Network{Latency: bandwidthLatency, Bandwidth: port200}
	small := p.predict(schedule.AllReduce, "ring", ranks, 8*unit.KiB, net)
	large := p.predict(schedule.AllReduce, "ring", ranks, unit.GiB, net)
	steps := p.rounds("ring", ranks)
	return confusion{"small-messages", "confusion.small", p.lesson(schedule.AllReduce, "recursive-doubling", "size=8KiB"), []any{
		"Ranks", ranks, "Steps", steps, "Latency", duration(unit.FromDuration(net.Latency)), "Wire", net.Bandwidth.String(), "Small", (8 * unit.KiB).String(),
		"Time", duration(small.Time), "Waiting", duration(unit.FromDuration(time.Duration(steps) * net.Latency)), "Bus", rateText(small.BusBW),
		"Large", unit.GiB.String(), "LargeBus", rateText(large.BusBW)}}
}

// toEveryRank counts what each rank receives.
func (p *bandwidthPage) toEveryRank() confusion {
	const ranks = 8
	received := func(c schedule.Collective) (most, sum unit.Bytes) {
		s := p.build(c, "direct", ranks)
		for _, chunks := range s.Traffic().Received {
			bytes := unit.Bytes(chunks) * unit.GB / unit.Bytes(max(s.Chunks, 1))
			most, sum = max(most, bytes), sum+bytes
		}
		return most, sum
	}
	one, gathered := received(schedule.Gather)
	each, everywhere := received(schedule.AllGather)
	return confusion{"to-every-rank", "confusion.every", p.lesson(schedule.AllGather, "ring", ""), []any{
		"Ranks", ranks, "Size", unit.GB.String(), "One", sizeBytes(one), "Gathered", sizeBytes(gathered), "Each", sizeBytes(each), "Everywhere", sizeBytes(everywhere)}}
}
