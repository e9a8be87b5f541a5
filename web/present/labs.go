package present

import (
	"slices"
	"strconv"

	"lockstep/engine/schedule"
)

// labsPath is the place of the lab sheets below the language.
const labsPath = "learn/labs"

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
	link deepLink // where to do it; the zero link is nowhere
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
		return linkTo("runs/new", "collective", string(schedule.AllReduce), "algorithm", algorithm, "n", "4", "size", "64MiB")
	}
	return []lab{
		{"central-ring", 15, []labStep{
			{"guess", allReduce(central, article...).with("hide", noHelp, "lock", "1")},
			{"central", allReduce(central, article...).with("hide", onlyRanks, "step", "1")},
			{"ring", allReduce(ring, article...).with("hide", onlyRanks, "step", "1")},
			{"race", linkTo(racePath, append([]string{"a", central, "b", ring}, article...)...)},
			{"run", run(central)},
		}, labAnswers.centralRing},
		{"predict-ring", 10, []labStep{
			{"look", allReduce(ring, "n", "4", "step", "1", "hide", noHelp, "lock", "1")},
			{"predict", deepLink{}},
			{"guess", allReduce(ring, "n", "4", "step", "1", "ask", "next", "who", strconv.Itoa(labFollowed))},
			{"check", allReduce(ring, "n", "4", "step", "3")},
		}, labAnswers.predictRing},
		{"freeze", 10, []labStep{
			{"start", run(ring)},
			{"freeze", deepLink{}},
			{"watch", deepLink{}},
			{"compare", allReduce(ring, "n", "4", "step", "2")},
		}, labAnswers.freeze},
		{"slow-rank", 10, []labStep{
			{"start", run(ring)},
			{"slow", deepLink{}},
			{"find", deepLink{}},
			{"compare", allReduce(ring, "n", "4", "step", "1")},
		}, labAnswers.slowRank},
		{"crossover", 15, []labStep{
			{"ring", allReduce(ring, "n", "8", "net", labCrossNet, "size", "8kB", "hide", onlySize)},
			{"rival", allReduce(labCrossRival, "n", "8", "net", labCrossNet, "size", "8kB", "hide", onlySize)},
			{"halve", deepLink{}},
			{"race", linkTo(racePath, "a", labCrossRival, "b", ring, "n", "8", "net", labCrossNet, "size", "512kB")},
		}, labAnswers.crossover},
		{"bus-bandwidth", 10, []labStep{
			{"read", allReduce(ring, "n", "8", "net", labBusNet, "size", labBusSize, "hide", onlyRanks)},
			{"compute", deepLink{}},
			{"compare", deepLink{}},
		}, labAnswers.busBandwidth},
		{"two-halves", 10, []labStep{
			{"whole", allReduce(ring, halves...).with("step", "3", "hide", "code")},
			{"first", lessonAt(schedule.ReduceScatter, ring, halves...).with("step", "3", "hide", "code")},
			{"second", lessonAt(schedule.AllGather, ring, halves...).with("step", "0", "hide", "code")},
		}, labAnswers.twoHalves},
		{"exchange", 10, []labStep{
			{"gather", lessonAt(schedule.AllGather, ring, halves...).with("step", "3", "hide", "code")},
			{"exchange", lessonAt(schedule.AllToAll, pairwise, halves...).with("step", "3", "hide", "code")},
			{"compare", deepLink{}},
		}, labAnswers.exchange},
	}
}
