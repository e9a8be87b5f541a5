package present

import (
	"slices"
	"strconv"

	"lockstep/engine/schedule"
)

// labsPath is the place of the lab sheets below the language.
const labsPath = "learn/labs"

// runPath is where a run is asked for, below the language.
const runPath = "runs/new"

// lab is an exercise of a course: what to do, what to ask, and an answer that
// is computed when it is shown.
type lab struct {
	id      string
	minutes int
	steps   []labStep
	answer  func(labAnswers) (labAnswer, error)
}

// labStep is something to do. Its text is the message lab.ID.KEY.
type labStep struct {
	key  string
	link deepLink   // where to do it; the zero link is nowhere
	more []sizeLink // the same at other sizes
}

// sizeLink leads to a page at a size, by which it is called.
type sizeLink struct {
	size string
	link deepLink
}

func (l lab) message() string { return "lab." + l.id }
func (l lab) path() string    { return labsPath + "/" + l.id }

// findLab returns the lab of an id, or false.
func findLab(id string) (lab, bool) {
	all := labs()
	i := slices.IndexFunc(all, func(l lab) bool { return l.id == id })
	if i < 0 {
		return lab{}, false
	}
	return all[i], true
}

// Knobs that a lab leaves in a lesson: everything else is taken away, so that
// one thing can be turned at a time.
const (
	onlyRanks = "algorithm,size,net,chunks,code"
	noCosts   = onlyRanks + ",speed,cost,clock"
	onlySize  = "algorithm,ranks,net,chunks,code"
	noHelp    = "speed,cost,code,clock" // nothing that gives the answer away
)

// The cases that labs are about.
const (
	labRanks      = 4 // of the labs that look at single moves
	labManyRanks  = 8
	labFollowed   = 1 // the rank whose moves are predicted
	labStopped    = 2 // the rank that is frozen or slowed down
	labSlowdown   = 10
	labNetwork    = "article"
	labSize       = "1.2GB"
	labSlowSize   = "64MiB"
	labCrossNet   = "tcp-10g"
	labCrossRival = "recursive-doubling"
	labBusNet     = "ib-400g"
	labBusSize    = "1GB"
	labHalfNet    = "roce-200g"
	labHalfSize   = "4MB"
)

// labs lists the sheets in the order in which a course takes them.
func labs() []lab {
	const central, ring, pairwise = "central", "ring", "pairwise"
	allReduce := func(algorithm string, query ...string) deepLink {
		return lessonAt(schedule.AllReduce, algorithm, query...)
	}
	article := []string{"n", "8", "net", labNetwork, "size", labSize}
	halves := []string{"n", "4", "net", labHalfNet, "size", labHalfSize}
	run := func(algorithm string) deepLink {
		return linkTo(runPath, "collective", string(schedule.AllReduce), "algorithm", algorithm, "n", "4", "size", "64MiB")
	}
	return []lab{
		{"central-ring", 15, []labStep{
			{key: "guess", link: allReduce(central, article...).with("hide", noCosts)},
			{key: "central", link: allReduce(central, article...).with("hide", onlyRanks, "step", "1")},
			{key: "ring", link: allReduce(ring, article...).with("hide", onlyRanks, "step", "1")},
			{key: "race", link: linkTo(racePath, append([]string{"a", central, "b", ring}, article...)...)},
			{key: "run", link: run(central)},
		}, labAnswers.centralRing},
		{"predict-ring", 10, []labStep{
			{key: "look", link: allReduce(ring, "n", "4", "step", "1", "hide", noHelp, "lock", "1")},
			{key: "predict"},
			{key: "guess", link: allReduce(ring, "n", "4", "step", "1", "ask", "next", "who", strconv.Itoa(labFollowed))},
			{key: "check", link: allReduce(ring, "n", "4", "step", "3")},
		}, labAnswers.predictRing},
		{"freeze", 10, []labStep{
			{key: "start", link: run(ring)},
			{key: "freeze"},
			{key: "watch"},
			{key: "compare", link: allReduce(ring, "n", "4", "step", "2")},
		}, labAnswers.freeze},
		{"slow-rank", 10, []labStep{
			{key: "start", link: run(ring)},
			{key: "slow"},
			{key: "find"},
			{key: "compare", link: allReduce(ring, "n", "4", "step", "1", "net", labNetwork, "size", labSlowSize)},
		}, labAnswers.slowRank},
		{"crossover", 15, []labStep{
			{key: "ring", link: allReduce(ring, "n", "8", "net", labCrossNet, "size", "8kB", "hide", onlySize)},
			{key: "rival", link: allReduce(labCrossRival, "n", "8", "net", labCrossNet, "size", "8kB", "hide", onlySize)},
			{key: "halve", more: crossRaces()},
			{key: "race", link: linkTo(racePath, "a", labCrossRival, "b", ring, "n", "8", "net", labCrossNet, "size", "512kB")},
		}, labAnswers.crossover},
		{"bus-bandwidth", 10, []labStep{
			{key: "read", link: allReduce(ring, "n", "8", "net", labBusNet, "size", labBusSize, "hide", onlyRanks)},
			{key: "compute"},
			{key: "compare"},
		}, labAnswers.busBandwidth},
		{"two-halves", 10, []labStep{
			{key: "whole", link: allReduce(ring, halves...).with("step", "3", "hide", "code")},
			{key: "first", link: lessonAt(schedule.ReduceScatter, ring, halves...).with("step", "3", "hide", "code")},
			{key: "second", link: lessonAt(schedule.AllGather, ring, halves...).with("step", "0", "hide", "code")},
		}, labAnswers.twoHalves},
		{"exchange", 10, []labStep{
			{key: "gather", link: lessonAt(schedule.AllGather, ring, halves...).with("step", "3", "hide", "code")},
			{key: "exchange", link: lessonAt(schedule.AllToAll, pairwise, halves...).with("step", "3", "hide", "code")},
			{key: "compare"},
		}, labAnswers.exchange},
	}
}

// labCrossSizes are the sizes at which the lab on the crossover asks.
var labCrossSizes = []string{"8kB", "128kB", "512kB", "1MB", "64MB"}

// crossRaces race the two algorithms of that lab at each of its sizes.
func crossRaces() []sizeLink {
	var all []sizeLink
	for _, size := range labCrossSizes {
		all = append(all, sizeLink{size, linkTo(racePath, "a", labCrossRival, "b", "ring", "n", strconv.Itoa(labManyRanks), "net", labCrossNet, "size", size)})
	}
	return all
}

// runs reports whether a lab runs something for real.
func (l lab) runs() bool {
	return slices.ContainsFunc(l.steps, func(s labStep) bool { return s.link.path == runPath })
}
