package present

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/views/locale"
)

// racePath is the page's place below the language.
const racePath = "learn/race"

// Limits of a race: more ranks than that no screen shows.
const (
	raceMinRanks = 1
	raceMaxRanks = 64
	raceMaxSize  = unit.TiB
)

// Ends of a race by default: the article's case, on a link that has latency.
const (
	raceRanks   = 10
	raceSize    = 1200 * unit.MB
	raceNetwork = "tcp-8g"
	raceRival   = "ring" // what others are compared with, where there is one
)

// RaceAsk is the state of a race as its address says it, brought to what
// exists.
type RaceAsk struct {
	Collective schedule.Collective
	A, B       string // algorithms, two different ones
	Ranks      int
	Root       int // 0 for collectives without a root
	PerNode    int // ranks in a node; 0 where neither algorithm looks at nodes
	Chunks     int // pieces per block or vector of both; 0 for what each cuts by itself
	Size       unit.Bytes
	Network    cost.Network
	Switches   bool // the chart of all algorithms has what only switches can do
	Present    bool

	networkID string
	time      string // what was asked for, empty for the end of the first
	sent      bool   // by a form
	most      int    // pieces that can be drawn
	notes     []unmet
}

// Moves reports whether the address is one that a form has made: the page has a
// better one, see RaceURL. Notes keep a page where it is, for they are said of
// its address.
func (r RaceAsk) Moves() bool { return r.sent && len(r.notes) == 0 }

// raceable lists the algorithms of a collective.
func raceable(c schedule.Collective) []string {
	var all []string
	for _, e := range schedule.Catalog() {
		if e.Collective == c {
			all = append(all, e.Algorithm)
		}
	}
	return all
}

// raceCollectives lists the collectives that have two algorithms to race.
func raceCollectives() []schedule.Collective {
	algorithms := map[schedule.Collective]int{}
	for _, e := range schedule.Catalog() {
		algorithms[e.Collective]++
	}
	return slices.DeleteFunc(schedule.Collectives(), func(c schedule.Collective) bool { return algorithms[c] < 2 })
}

// ReadRace reads the state of a race from a query.
func ReadRace(query url.Values) RaceAsk {
	r := RaceAsk{Collective: schedule.AllReduce, time: trimmed(query, "t")}
	r.Present, r.Switches = r.flag(query, "present"), r.flag(query, "switches")
	was, tenth := query.Get("was"), query.Get("tenth")
	r.sent = was != "" || tenth != ""
	if c := schedule.Collective(query.Get("collective")); c != "" {
		if slices.Contains(raceCollectives(), c) {
			r.Collective = c
		} else {
			r.unmet(&unmet{reason: unknown, label: "race.field.collective", given: string(c), accepted: listOf(raceCollectives()), used: string(r.Collective)})
		}
	}
	a, b := query.Get("a"), query.Get("b")
	if was != "" && was != string(r.Collective) { // the form still has the algorithms of another collective
		a, b = r.shared(a), r.shared(b)
	}
	r.readAlgorithms(a, b)
	r.Ranks = r.readRanks(query.Get("n"))
	r.readPlaces(query.Get("root"), query.Get("G"))
	r.readChunks(query.Get("chunks"))
	r.Size = r.readSize(query.Get("size"))
	if tenth != "" && r.Size > 0 { // the line has been moved in the chart
		at, note := countField{"", "tenth", 0, tenthOf(raceMaxSize), tenthOf(r.Size)}.read(tenth)
		r.unmet(note)
		if note == nil || note.reason == beyond {
			r.Size = r.fitted(min(max(stopSize(at), 1), raceMaxSize))
		}
	}
	r.readNetwork(query.Get("net"))
	return r
}

// shared is an algorithm by its name where the collective has it, else nothing.
func (r *RaceAsk) shared(algorithm string) string {
	if slices.Contains(raceable(r.Collective), algorithm) {
		return algorithm
	}
	return ""
}

// unmet notes a value that cannot be used; nil is none.
func (r *RaceAsk) unmet(u *unmet) {
	if u != nil {
		r.notes = append(r.notes, *u)
	}
}

// flag returns whether something is asked for.
func (r *RaceAsk) flag(query url.Values, name string) bool {
	on, note := readFlag(name, query.Get(name))
	r.unmet(note)
	return on
}

// at is the moment that the page shows: that asked for, within the race. A
// time as the page prints it means the moment that it names.
func (r *RaceAsk) at(first unit.Seconds, named []unit.Seconds, end unit.Seconds) unit.Seconds {
	if r.time == "" {
		return first
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(r.time, "s"), 64)
	if err != nil || math.IsNaN(v) {
		r.unmet(&unmet{reason: unreadable, label: "race.time", given: r.time, accepted: seconds(end) + "s", used: duration(first)})
		return first
	}
	t := unit.Seconds(v)
	for _, moment := range named {
		if moment.String() == t.String() {
			return moment
		}
	}
	if taken := min(max(t, 0), end); taken != t {
		r.unmet(&unmet{reason: beyond, label: "race.time", given: r.time, accepted: fromTo("0 s", duration(end)), used: duration(taken)})
		return taken
	}
	return t
}

// query is the state as an address says it, without the moment.
func (r RaceAsk) query() url.Values {
	q := url.Values{
		"collective": {string(r.Collective)}, "a": {r.A}, "b": {r.B}, "n": {strconv.Itoa(r.Ranks)},
		"net": {r.networkID},
	}
	if r.Size > 0 {
		q.Set("size", tight(r.Size.String()))
	}
	if r.Root > 0 {
		q.Set("root", strconv.Itoa(r.Root))
	}
	if r.PerNode > 0 {
		q.Set("G", strconv.Itoa(r.PerNode))
	}
	if r.Chunks > 0 {
		q.Set("chunks", strconv.Itoa(r.Chunks))
	}
	if r.Switches {
		q.Set("switches", "1")
	}
	if r.Present {
		q.Set("present", "1")
	}
	return q
}

// said are the notes in words.
func (r RaceAsk) said(l locale.Locale) []string {
	var all []string
	for _, n := range r.notes {
		all = append(all, n.says(l))
	}
	return all
}
