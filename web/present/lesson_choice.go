package present

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/views/locale"
)

// Limits and defaults of a lesson. Beyond 64 ranks or rows nobody can tell
// cells apart.
const (
	lessonMaxRanks = 64
	lessonMaxRows  = 64
	lessonRanks    = 8
	lessonSize     = 4 * unit.MB
	lessonMaxSize  = unit.TiB
	elementSize    = 4 // float32
)

// lessonNetwork is a network to choose: figures that such a network is assumed
// to have, not measured ones.
type lessonNetwork struct {
	id, message string
	cost.Network
}

// lessonNetworks lists them; the second is the default. The last is the source
// article's, which leaves latency out.
func lessonNetworks() []lessonNetwork {
	gbits := func(g float64) unit.Rate { return unit.Rate(g * 1e9 / 8) }
	return []lessonNetwork{
		{"tcp-10g", "lesson.net.tcp-10g", cost.Network{Latency: 50 * time.Microsecond, Bandwidth: gbits(10)}},
		{"roce-200g", "lesson.net.roce-200g", cost.Network{Latency: 10 * time.Microsecond, Bandwidth: gbits(200)}},
		{"ib-400g", "lesson.net.ib-400g", cost.Network{Latency: 5 * time.Microsecond, Bandwidth: gbits(400)}},
		{"nvlink-450", "lesson.net.nvlink-450", cost.Network{Latency: 3 * time.Microsecond, Bandwidth: unit.Rate(450e9)}},
		{"tcp-8g", "lesson.net.tcp-8g", cost.Network{Latency: 50 * time.Microsecond, Bandwidth: unit.Rate(1e9)}},
		{"article", "lesson.net.article", cost.Network{Bandwidth: unit.Rate(1e9)}},
	}
}

const defaultNetwork = 1

// networkIDs lists them as they stand in addresses.
func networkIDs() []string {
	var ids []string
	for _, n := range lessonNetworks() {
		ids = append(ids, n.id)
	}
	return ids
}

// choice is what a lesson's URL asks for, brought to what exists.
type choice struct {
	entry   schedule.Entry
	ranks   int
	root    int // 0 where the collective has none
	perNode int // ranks in a node; 0 where the algorithm does not look at nodes
	chunks  int // pieces per block or vector
	most    int // of them that can be drawn
	size    unit.Bytes
	network lessonNetwork
	step    int
	pace    string
	api     string
	embed   bool
	present bool
	lock    bool
	hide    []string
	notes   []string // what was asked for and does not exist
	ask     askChoice

	defect   string           // how the schedule is broken, as in URLs; empty for not at all
	defectAt int              // the ID of the move that is broken; -1 for one that is chosen
	broken   *schedule.Broken // what comes of it
}

// leastRanks is how few ranks a lesson about an algorithm can have.
func leastRanks(e schedule.Entry) int { return max(1, e.MinRanks) }

// mostRanks is how many ranks a lesson about an algorithm can show.
func mostRanks(e schedule.Entry) int { return min(lessonMaxRanks, e.MaxRanks) }

// hideable are the parts of a lesson that hide= takes away.
func hideable() []string {
	return []string{"algorithm", "ranks", "root", "G", "size", "net", "chunks", "speed", "cost", "code", "clock", "break", "ask", "out"}
}

// wholePart is what the size of a collective must be a multiple of.
func wholePart(c schedule.Collective, ranks int) unit.Bytes {
	if c.Blocks() {
		return unit.Bytes(elementSize * ranks)
	}
	return elementSize
}

// fitSize rounds to elements that can be cut.
func fitSize(c schedule.Collective, ranks int, size unit.Bytes) unit.Bytes {
	if c == schedule.Barrier {
		return 0
	}
	whole := wholePart(c, ranks)
	return (size + whole/2) / whole * whole
}

// readChoice reads everything but the step, which needs the schedule.
func readChoice(l locale.Locale, entry schedule.Entry, query url.Values) (choice, *reader) {
	r := &reader{l: l, query: query}
	c := choice{entry: entry}
	c.ranks = r.number(countField{"lesson.pick.ranks", "n", leastRanks(entry), mostRanks(entry), lessonRanks})
	if entry.Collective.Rooted() {
		c.root = r.number(countField{"lesson.pick.root", "root", 0, c.ranks - 1, 0})
	}
	if entry.Nodes {
		c.perNode = r.number(countField{"lesson.pick.nodes", "G", 1, c.ranks, schedule.PerNode(c.ranks, 0)})
	}
	c.most = c.mostPieces()
	c.chunks = r.number(countField{"lesson.pick.chunks", "chunks", 1, c.most, c.pieces()})
	c.size = r.size(entry.Collective, c.ranks)
	c.network = r.network()
	c.defect, c.defectAt = r.defect()
	c.ask, c.pace, c.api, c.hide = r.ask(), r.pace(), r.api(), r.hide()
	c.embed, c.present, c.lock = r.flag("embed"), r.flag("present"), r.flag("lock")
	return c, r
}

// request asks for the schedule of the choice, cut into so many pieces.
func (c choice) request(pieces int) schedule.Request {
	return schedule.Request{Collective: c.entry.Collective, Algorithm: c.entry.Algorithm, Ranks: c.ranks, Root: c.root, RanksPerNode: c.perNode, Chunks: pieces}
}

// mostPieces is how finely a lesson may cut a block or vector.
func (c choice) mostPieces() int {
	s, err := schedule.Build(c.request(1))
	if err != nil || c.entry.Collective == schedule.Barrier {
		return 1
	}
	return max(1, lessonMaxRows/s.Chunks)
}

// pieces is into how many the algorithm cuts by itself, as far as a lesson can
// show them.
func (c choice) pieces() int { return min(max(c.entry.Pieces, 1), c.most) }

// build makes the schedule of the choice.
func (c choice) build() (*schedule.Schedule, error) { return schedule.Build(c.request(c.chunks)) }

// elements is the length of the full buffer.
func (c choice) elements() int { return int(c.size) / elementSize }

// query is the choice as it stands in a URL: only what is not the default.
func (c choice) query() url.Values {
	q := url.Values{}
	set := func(name, value, otherwise string) {
		if value != otherwise {
			q.Set(name, value)
		}
	}
	flag := func(name string, on bool) {
		if on {
			q.Set(name, "1")
		}
	}
	set("n", strconv.Itoa(c.ranks), strconv.Itoa(lessonRanks))
	set("root", strconv.Itoa(c.root), "0")
	set("G", strconv.Itoa(c.perNode), strconv.Itoa(c.usualPerNode()))
	set("size", compactBytes(c.size), compactBytes(fitSize(c.entry.Collective, c.ranks, lessonSize)))
	set("net", c.network.id, lessonNetworks()[defaultNetwork].id)
	set("chunks", strconv.Itoa(c.chunks), strconv.Itoa(c.pieces()))
	set("step", strconv.Itoa(c.step), "0")
	set("pace", c.pace, "")
	set("api", c.api, "nccl")
	set("break", c.defect, "")
	if c.defect != "" {
		set("at", strconv.Itoa(c.defectAt), "-1")
	}
	flag("embed", c.embed)
	flag("present", c.present)
	flag("lock", c.lock)
	set("hide", strings.Join(c.hide, ","), "")
	c.ask.write(q)
	return q
}

// usualPerNode is how many ranks are in a node unless somebody says otherwise.
func (c choice) usualPerNode() int {
	if !c.entry.Nodes {
		return 0
	}
	return schedule.PerNode(c.ranks, 0)
}

// path is the lesson's own path below the language.
func (c choice) path() string { return lessonPath(c.entry) }

func lessonPath(e schedule.Entry) string { return "learn/" + string(e.Collective) + "/" + e.Algorithm }

// url is the address of the lesson with the choice, or of a document beside it.
func (c choice) url(f Frame, document string) string {
	u := url.URL{Path: f.homeURL() + c.path() + document, RawQuery: c.query().Encode()}
	return u.String()
}

// at returns the choice at another step.
func (c choice) at(step int) choice {
	c.step = step
	c.ask.rest = nil // it is about the step
	return c
}

// compactBytes prints a size as it stands in a URL: 4MB.
func compactBytes(b unit.Bytes) string { return strings.ReplaceAll(b.String(), " ", "") }
