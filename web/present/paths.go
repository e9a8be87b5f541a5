package present

import (
	"slices"

	"lockstep/engine/schedule"
)

// pathsPath is the place of the paths below the language.
const pathsPath = "learn/paths"

// path is an order in which to go through pages, with minutes.
type path struct {
	id    string
	stops []pathStop
}

// pathStop is a page of a path. What to see, say and ask there are messages.
type pathStop struct {
	key     string
	minutes int
	links   []deepLink // the first of them that exists is shown
	lab     string     // the lab that it is, which says itself what to see and to ask; empty for none
}

func (p path) message() string { return "path." + p.id }
func (p path) path() string    { return pathsPath + "/" + p.id }

// minutes is how long the whole path takes.
func (p path) minutes() int {
	sum := 0
	for _, stop := range p.stops {
		sum += stop.minutes
	}
	return sum
}

// findPath returns the path of an id, or false.
func findPath(id string) (path, bool) {
	all := paths()
	i := slices.IndexFunc(all, func(p path) bool { return p.id == id })
	if i < 0 {
		return path{}, false
	}
	return all[i], true
}

// paths lists the paths: before a customer, a lab of a course, and the choice
// of a fabric.
func paths() []path {
	ring := func(query ...string) deepLink { return lessonAt(schedule.AllReduce, "ring", query...) }
	return []path{
		{"customer", []pathStop{
			{"why", 2, []deepLink{linkTo("learn/why"), ring("n", "4")}, ""},
			{"central", 3, []deepLink{linkTo(centralServerPath)}, ""},
			{"ring", 3, []deepLink{ring("n", "4", "step", "1")}, ""},
			{"race", 2, []deepLink{linkTo(racePath, "a", "central", "b", "ring", "n", "10", "size", "1.2GB", "net", "article")}, ""},
			{"words", 2, []deepLink{linkTo("learn/bandwidth"), ring("n", "8", "net", "ib-400g", "size", "1GB", "step", "14")}, ""},
			{"questions", 3, []deepLink{linkTo("learn/customer"), sizeAt("infiniband-400")}, ""},
		}},
		{"lab", labStops()},
		{"fabric", []pathStop{
			{"clock", 4, []deepLink{ring("n", "8", "net", "tcp-10g", "size", "64MB", "step", "7")}, ""},
			{"faster", 3, []deepLink{ring("n", "8", "net", "ib-400g", "size", "64MB", "step", "7")}, ""},
			{"latency", 5, []deepLink{linkTo(racePath, "a", labCrossRival, "b", "ring", "n", "8", "net", "ib-400g", "size", "64kB")}, ""},
			{"nodes", 6, []deepLink{linkTo("learn/topology"), lessonAt(schedule.AllReduce, "hierarchical", "n", "8", "step", "3", "net", "ib-400g", "size", "64MB")}, ""},
			{"exchange", 4, []deepLink{lessonAt(schedule.AllToAll, "pairwise", "n", "8", "step", "1", "net", "ib-400g", "size", "64MB")}, ""},
			{"switch", 3, []deepLink{lessonAt(schedule.AllReduce, "in-network", "n", "8", "step", "1", "net", "ib-400g", "size", "64MB")}, ""},
			{"size", 5, []deepLink{sizeAt("roce-200")}, ""},
		}},
	}
}

// sizeAt leads to the sizing of the customer's example on a fabric: with its
// computing, so that the share is the one that the customer's page says.
func sizeAt(fabric string) deepLink {
	return deepLink{path: "size", query: SizeValues(customerStep("llama3-8b", 8, fabric, customerMillions))}
}

// labStops are the sheets of the labs, one after the other.
func labStops() []pathStop {
	var stops []pathStop
	for _, l := range labs() {
		stops = append(stops, pathStop{l.id, l.minutes, []deepLink{linkTo(l.path())}, l.id})
	}
	return stops
}
