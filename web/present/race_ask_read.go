package present

import (
	"slices"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// readAlgorithms takes the two that were asked for; of an unknown one or of
// twins the usual rival, or else the first that is left, takes the place.
func (r *RaceAsk) readAlgorithms(a, b string) {
	all := raceable(r.Collective)
	pick := func(label, field, asked, taken string) string {
		if slices.Contains(all, asked) && asked != taken {
			return asked
		}
		free := all[slices.IndexFunc(all, func(name string) bool { return name != taken })]
		if taken != "" && taken != raceRival && slices.Contains(all, raceRival) {
			free = raceRival
		}
		if asked != "" {
			note := unmet{reason: unknown, label: label, field: field, given: asked, accepted: listOf(all), used: free}
			if asked == taken {
				note.reason = alreadyTaken
			}
			r.unmet(&note)
		}
		return free
	}
	// What stands in b may be what a falls back to.
	r.A = pick("race.field.a", "a", a, "")
	if a == "" && r.A == b {
		r.A = pick("race.field.a", "a", "", b)
	}
	r.B = pick("race.field.b", "b", b, r.A)
}

func (r *RaceAsk) readRanks(text string) int {
	least, most := raceMinRanks, raceMaxRanks
	for _, name := range []string{r.A, r.B} {
		if e, err := schedule.Find(r.Collective, name); err == nil {
			least, most = max(least, e.MinRanks), min(most, e.MaxRanks)
		}
	}
	return r.count(countField{"race.field.n", "n", least, most, min(max(raceRanks, least), most)}, text)
}

// readPlaces takes the root and the ranks per node where they mean something.
func (r *RaceAsk) readPlaces(root, perNode string) {
	if r.Collective.Rooted() {
		r.Root = r.count(countField{"lesson.pick.root", "root", 0, r.Ranks - 1, 0}, root)
	}
	if r.nodes() {
		r.PerNode = r.count(countField{"lesson.pick.nodes", "G", 1, r.Ranks, schedule.PerNode(r.Ranks, 0)}, perNode)
	}
}

// count reads a whole number.
func (r *RaceAsk) count(f countField, given string) int {
	v, note := f.read(given)
	r.unmet(note)
	return v
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
	r.Chunks = r.count(countField{"race.field.chunks", "chunks", 1, r.most, 1}, text)
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
		r.unmet(unreadBytes(err, unmet{label: sizeMessage(r.Collective), given: text, used: used.String()}))
		return used
	}
	within := min(max(size, 1), raceMaxSize)
	taken := r.fitted(within)
	switch {
	case within != size:
		r.unmet(&unmet{reason: beyond, label: sizeMessage(r.Collective), given: text, accepted: fromTo("1 B", raceMaxSize.String()), used: taken.String()})
	case taken != size:
		r.unmet(&unmet{reason: uneven, label: sizeMessage(r.Collective), given: text, accepted: unit.Bytes(r.Ranks).String(), used: taken.String()})
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
	r.unmet(&unmet{reason: unreadable, label: "race.field.net", given: text, accepted: strings.Join(append(networkIDs(), "1GB/s,50us"), " / "), used: r.networkID})
}
