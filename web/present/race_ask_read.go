package present

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

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

// readChunks takes into how many pieces both cut, as far as a screen shows
// them.
func (r *RaceAsk) readChunks(text string) {
	r.most = lessonMaxRows
	for _, name := range []string{r.A, r.B} {
		s, err := schedule.Build(schedule.Request{Collective: r.Collective, Algorithm: name, Ranks: r.Ranks, Root: r.Root, RanksPerNode: r.PerNode, Chunks: 1})
		if err != nil || r.Collective == schedule.Barrier {
			r.most = 1
			break
		}
		r.most = min(r.most, max(1, lessonMaxRows/s.Chunks))
	}
	if text == "" || text == "0" || r.Collective == schedule.Barrier {
		return
	}
	v, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		v = 1
	}
	r.Chunks = min(max(v, 1), r.most)
	if strconv.Itoa(r.Chunks) != strings.TrimSpace(text) {
		r.note("lesson.note.chunks", text, strconv.Itoa(r.Chunks))
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
