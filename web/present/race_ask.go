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
	raceMinRanks = 2
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
	Size       unit.Bytes
	Network    cost.Network
	Present    bool

	networkID string
	time      string // what was asked for, empty for the end of the first
	notes     []raceNote
}

// raceNote is something that was asked for and does not exist.
type raceNote struct{ message, given, used string }

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
	r := RaceAsk{Collective: schedule.AllReduce, Present: query.Get("present") == "1", time: strings.TrimSpace(query.Get("t"))}
	if c := schedule.Collective(query.Get("collective")); c != "" {
		if slices.Contains(raceCollectives(), c) {
			r.Collective = c
		} else {
			r.note("race.note.collective", string(c), string(r.Collective))
		}
	}
	r.readAlgorithms(query.Get("a"), query.Get("b"))
	r.Ranks = r.readRanks(query.Get("n"))
	r.readPlaces(query.Get("root"), query.Get("G"))
	r.Size = r.readSize(query.Get("size"))
	r.readNetwork(query.Get("net"))
	return r
}

func (r *RaceAsk) note(message, given, used string) {
	r.notes = append(r.notes, raceNote{message, clipped(given), used})
}

// readAlgorithms takes the two that were asked for; of an unknown one or of
// twins the usual rival, or else the first that is left, takes the place.
func (r *RaceAsk) readAlgorithms(a, b string) {
	all := raceable(r.Collective)
	pick := func(asked, taken string) string {
		if slices.Contains(all, asked) && asked != taken {
			return asked
		}
		free := all[slices.IndexFunc(all, func(name string) bool { return name != taken })]
		if taken != "" && taken != raceRival && slices.Contains(all, raceRival) {
			free = raceRival
		}
		if asked != "" {
			r.note("race.note.algorithm", asked, free)
		}
		return free
	}
	// What stands in b may be what a falls back to.
	r.A = pick(a, "")
	if a == "" && r.A == b {
		r.A = pick("", b)
	}
	r.B = pick(b, r.A)
}

func (r *RaceAsk) readRanks(text string) int {
	least, most := raceMinRanks, raceMaxRanks
	for _, name := range []string{r.A, r.B} {
		if e, err := schedule.Find(r.Collective, name); err == nil {
			least, most = max(least, e.MinRanks), min(most, e.MaxRanks)
		}
	}
	usual := min(max(raceRanks, least), most)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		r.note("race.note.ranks", text, strconv.Itoa(usual))
		return usual
	}
	if taken := min(max(n, least), most); taken != n {
		r.note("race.note.ranks", text, strconv.Itoa(taken))
		return taken
	}
	return n
}

// readPlaces takes the root and the ranks per node where they mean something.
func (r *RaceAsk) readPlaces(root, perNode string) {
	read := func(text, message string, low, usual int) int {
		if text == "" {
			return usual
		}
		v, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			v = usual
		}
		v = min(max(v, low), r.Ranks-1+low)
		if strconv.Itoa(v) != strings.TrimSpace(text) {
			r.note(message, text, strconv.Itoa(v))
		}
		return v
	}
	if r.Collective.Rooted() {
		r.Root = read(root, "lesson.note.root", 0, 0)
	}
	if r.nodes() {
		r.PerNode = read(perNode, "lesson.note.nodes", 1, schedule.PerNode(r.Ranks, 0))
	}
}

// nodes reports whether one of the two looks at nodes.
func (r *RaceAsk) nodes() bool {
	return slices.ContainsFunc([]string{r.A, r.B}, func(name string) bool {
		e, err := schedule.Find(r.Collective, name)
		return err == nil && e.Nodes
	})
}

func (r *RaceAsk) readSize(text string) unit.Bytes {
	if r.Collective == schedule.Barrier { // it has no data
		return 0
	}
	if text == "" {
		return r.fitted(raceSize)
	}
	size, err := unit.ParseBytes(text)
	if err != nil {
		used := r.fitted(raceSize)
		r.note("race.note.size", text, used.String())
		return used
	}
	taken := r.fitted(min(max(size, 1), raceMaxSize))
	if taken != size {
		r.note("race.note.size", text, taken.String())
	}
	return taken
}

// fitted is the nearest size at or below that can be cut into equal blocks
// where blocks must be equal.
func (r *RaceAsk) fitted(size unit.Bytes) unit.Bytes {
	if n := unit.Bytes(r.Ranks); r.Collective.Blocks() {
		return max(size/n, 1) * n
	}
	return size
}

// readNetwork takes the name of one of the lessons' networks, or a bandwidth
// and a latency such as 1GB/s,50us.
func (r *RaceAsk) readNetwork(text string) {
	take := func(id string) bool {
		for _, n := range lessonNetworks() {
			if n.id == id {
				r.networkID, r.Network = n.id, n.Network
				return true
			}
		}
		return false
	}
	if text == "" {
		text = raceNetwork
	}
	if take(text) {
		return
	}
	rate, latency, _ := strings.Cut(text, ",")
	bandwidth, err := unit.ParseRate(rate)
	if err == nil && latency != "" {
		alpha, err := unit.ParseDuration(latency)
		if err == nil {
			r.Network = cost.Network{Latency: min(alpha, 1e12), Bandwidth: min(max(bandwidth, 1e3), 1e15)}
			r.networkID = tight(r.Network.Bandwidth.String()) + "," + tight(unit.FromDuration(r.Network.Latency).String())
			return
		}
	}
	take(raceNetwork)
	r.note("race.note.net", text, r.networkID)
}

// at is the moment that the page shows: that asked for, within the race. A
// time as the page prints it means the moment that it names.
func (r *RaceAsk) at(first unit.Seconds, named []unit.Seconds, end unit.Seconds) unit.Seconds {
	if r.time == "" {
		return first
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(r.time, "s"), 64)
	if err != nil || math.IsNaN(v) {
		r.note("race.note.time", r.time, duration(first))
		return first
	}
	t := unit.Seconds(v)
	for _, moment := range named {
		if moment.String() == t.String() {
			return moment
		}
	}
	if taken := min(max(t, 0), end); taken != t {
		r.note("race.note.time", r.time, duration(taken))
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
	if r.Present {
		q.Set("present", "1")
	}
	return q
}

// said are the notes in words.
func (r RaceAsk) said(l locale.Locale) []string {
	var all []string
	for _, n := range r.notes {
		all = append(all, spoken(l, n.message, "Given", n.given, "Used", n.used))
	}
	return all
}
