package calibrate

import (
	"slices"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// probe is a kind of run to measure.
type probe struct {
	collective schedule.Collective
	algorithm  string
	size       unit.Bytes
}

// courses are what is measured with every link and number of ranks, the most
// telling first. The first course is needed for a model at all: what a message
// costs, and what moving and adding up cost where bytes stay near the
// processor. The second says what they cost from memory. The rest tells
// algorithms and sizes apart whose times the costs alone miss.
var courses = [][]probe{
	{
		{schedule.AllReduce, "direct", 8},
		{schedule.AllReduce, "ring", 8},
		{schedule.AllReduce, "ring", 4 * unit.KiB},
		{schedule.AllReduce, "ring", 64 * unit.KiB},
		{schedule.AllGather, "ring", 64 * unit.KiB},
		{schedule.AllReduce, "ring", unit.MiB},
		{schedule.AllGather, "ring", unit.MiB},
	},
	{
		{schedule.AllReduce, "ring", 16 * unit.MiB},
		{schedule.AllReduce, "direct", 64 * unit.KiB},
		{schedule.AllReduce, "direct", unit.MiB},
		{schedule.AllReduce, "ring", 4 * unit.MiB},
		{schedule.AllGather, "ring", 16 * unit.MiB},
	},
	{
		{schedule.AllReduce, "recursive-doubling", 8},
		{schedule.AllGather, "ring", 4 * unit.KiB},
		{schedule.AllReduce, "recursive-doubling", 64 * unit.KiB},
		{schedule.AllReduce, "halving-doubling", 64 * unit.KiB},
		{schedule.AllReduce, "recursive-doubling", unit.MiB},
		{schedule.AllReduce, "halving-doubling", unit.MiB},
		{schedule.AllReduce, "ring", 256 * unit.KiB},
		{schedule.AllReduce, "direct", 16 * unit.MiB},
		{schedule.AllToAll, "pairwise", 64 * unit.KiB},
		{schedule.ReduceScatter, "ring", 64 * unit.KiB},
		{schedule.Broadcast, "binomial-tree", 64 * unit.KiB},
		{schedule.AllToAll, "pairwise", unit.MiB},
		{schedule.ReduceScatter, "ring", unit.MiB},
		{schedule.Broadcast, "binomial-tree", unit.MiB},
		{schedule.AllReduce, "halving-doubling", 16 * unit.MiB},
		{schedule.AllReduce, "recursive-doubling", 16 * unit.MiB},
		{schedule.ReduceScatter, "ring", 16 * unit.MiB},
		{schedule.AllToAll, "pairwise", 16 * unit.MiB},
		{schedule.Broadcast, "binomial-tree", 16 * unit.MiB},
	},
	{
		{schedule.AllReduce, "ring", 64 * unit.MiB},
		{schedule.AllReduce, "direct", 256 * unit.KiB},
		{schedule.AllReduce, "halving-doubling", 256 * unit.KiB},
		{schedule.AllReduce, "recursive-doubling", 256 * unit.KiB},
		{schedule.AllGather, "ring", 256 * unit.KiB},
		{schedule.AllReduce, "direct", 4 * unit.MiB},
		{schedule.AllReduce, "halving-doubling", 4 * unit.MiB},
		{schedule.AllReduce, "recursive-doubling", 4 * unit.MiB},
		{schedule.AllGather, "ring", 4 * unit.MiB},
		{schedule.AllGather, "direct", unit.MiB},
		{schedule.AllToAll, "direct", unit.MiB},
		{schedule.AllReduce, "direct", 64 * unit.MiB},
		{schedule.AllReduce, "halving-doubling", 64 * unit.MiB},
		{schedule.AllGather, "ring", 64 * unit.MiB},
	},
}

// crowdedRanks bounds the ranks of a calibration on a machine that offers many
// more than it has processors.
const crowdedRanks = 8

// RankCounts are the numbers of ranks that a machine is calibrated with: two,
// as many as it has processors, and as many as it offers, at most twice the
// processors or 8.
func RankCounts(processors, most int) []int {
	var counts []int
	for _, n := range []int{2, min(processors, most), min(most, max(2*processors, crowdedRanks))} {
		if n >= 2 && n <= most && !slices.Contains(counts, n) {
			counts = append(counts, n)
		}
	}
	return counts
}

// Plan lists the runs that calibrate a machine with so many processors and
// ranks, the most telling first, and how many of them are needed for a model.
func Plan(links []trace.Link, processors, most int) (specs []trace.Spec, needed int) {
	counts := RankCounts(processors, most)
	for i, course := range courses {
		for _, p := range course {
			for _, ranks := range counts {
				for _, link := range links {
					specs = append(specs, p.spec(link, ranks))
				}
			}
		}
		if i == 0 {
			needed = len(specs)
		}
	}
	return specs, needed
}

func (p probe) spec(link trace.Link, ranks int) trace.Spec {
	whole := unit.Bytes(schedule.Float32.Width() * ranks) // so that there are equal blocks
	return trace.Spec{
		Collective: p.collective, Algorithm: p.algorithm, Ranks: ranks, Size: (p.size + whole - 1) / whole * whole,
		DType: schedule.Float32, Op: schedule.Sum, Backend: trace.Host, Link: link, Iterations: iterations(p.size),
	}
}

// iterations are as many as a good median takes, as far as they are cheap.
func iterations(size unit.Bytes) int {
	switch {
	case size <= unit.MiB:
		return 51
	case size <= 4*unit.MiB:
		return 21
	case size <= 16*unit.MiB:
		return 7
	}
	return 5
}
