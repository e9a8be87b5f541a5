package present

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/views"
	"lockstep/views/draw"
)

// planeAsk asks for the chart of all algorithms of a collective.
type planeAsk struct {
	collective schedule.Collective
	ranks      int
	perNode    int // 0 for two nodes
	size       unit.Bytes
	network    cost.Network
	networkID  string
	switches   bool     // also what only switches can do
	marked     []string // algorithms that the page is about
	toggle     string   // the address with switches the other way
}

// PlaneRanks is up to how many ranks the chart reaches, as lessons do.
const PlaneRanks = raceMaxRanks

// plane is a chart that is being presented.
type plane struct {
	planeAsk
	f       Frame
	entries []schedule.Entry // of the collective, in the catalogue's order
	rows    [][]sizing.Reign // by ranks, from one on
	shown   []schedule.Entry // those that are the fastest somewhere
	alphaB  float64          // bytes; 0 without latency
}

// which presents the chart. Errors are *schedule.RequestError.
func which(f Frame, ask planeAsk, atlas *sizing.Atlas) (views.Which, error) {
	p := plane{planeAsk: ask, f: f, alphaB: ask.network.Latency.Seconds() * float64(ask.network.Bandwidth)}
	if p.perNode == schedule.PerNode(p.ranks, 0) {
		p.perNode = 0 // the same here, and what is usual for other numbers of ranks
	}
	v := views.Which{Title: p.t("which.title", "Collective", collectiveName(f.Locale, ask.collective))}
	hidden := 0
	for _, e := range schedule.Catalog() {
		if e.Collective == ask.collective {
			p.entries = append(p.entries, e)
			if !e.Executable {
				hidden++
			}
		}
	}
	switch {
	case len(p.entries) == 1:
		v.Say = p.t("which.one", "Name", p.name(p.entries[0].Algorithm))
		return v, nil
	case ask.collective == schedule.Barrier:
		v.Say = p.t("which.barrier")
		return v, nil
	}
	all, err := atlas.Plane(ask.collective, p.perNode, !ask.switches)
	if err != nil {
		return v, err
	}
	p.rows = all.Rows
	for _, e := range p.entries {
		if p.appears(e) {
			p.shown = append(p.shown, e)
		}
	}
	v.Say = p.say()
	v.Wide, v.Narrow = p.picture(false), p.picture(true)
	v.Legend = p.legend()
	v.Notes = p.notes()
	if hidden > 0 {
		id := "which.with"
		if ask.switches {
			id = "which.without"
		}
		v.Toggle = views.WhichToggle{URL: ask.toggle, Label: p.t(id)}
	}
	return v, nil
}

func (p plane) t(id string, values ...any) string { return spoken(p.f.Locale, id, values...) }

func (p plane) name(algorithm string) string { return capital(algorithmName(p.f.Locale, algorithm)) }

// reigns are those for so many ranks. One rank has nothing to choose.
func (p plane) reigns(ranks int) []sizing.Reign {
	if ranks < 2 || ranks > len(p.rows) {
		return nil
	}
	return p.rows[ranks-1]
}

// bytes is where a reign begins on the network. Without latency every size is
// as far as sizes go.
func (p plane) bytes(all []sizing.Reign, i int) (from, to float64) {
	const far = 1e30
	end := far
	if i+1 < len(all) {
		end = all[i+1].From
	}
	if p.alphaB == 0 {
		if i+1 < len(all) {
			return 0, 0
		}
		return 0, far
	}
	return all[i].From * p.alphaB, min(end*p.alphaB, far)
}

// axis is the range of sizes that is drawn, in decades.
func (p plane) axis(narrow bool) draw.Axis {
	most := 7
	if narrow {
		most = 4
	}
	low, high := min(1e3, float64(max(p.size, 1))), max(1e10, float64(p.size))
	return draw.Marked(draw.DecadeTicks(low, high, most), true, p.t(sizeMessage(p.collective)), func(v float64) string { return sized(v, 3, decimalBytes) })
}

// appears reports whether an algorithm is the fastest somewhere in the chart.
func (p plane) appears(e schedule.Entry) bool {
	axis := p.axis(false)
	for ranks := 2; ranks <= len(p.rows); ranks++ {
		all := p.reigns(ranks)
		for i, r := range all {
			if from, to := p.bytes(all, i); r.Algorithm == e.Algorithm && to > axis.Low && from < axis.High {
				return true
			}
		}
	}
	return false
}

// winner is the fastest where the page stands.
func (p plane) winner() (sizing.Reign, bool) {
	all := p.reigns(p.ranks)
	for i := range all {
		if from, to := p.bytes(all, i); float64(p.size) >= from && float64(p.size) < to {
			return all[i], true
		}
	}
	return sizing.Reign{}, false
}

// hue keeps an algorithm's hue when others come and go: that of its place in
// the catalogue, or where another has that, the next that is free.
func (p plane) hue(of schedule.Entry) int {
	taken := map[int]bool{}
	for i, e := range p.entries {
		if !slices.ContainsFunc(p.shown, func(s schedule.Entry) bool { return s.Algorithm == e.Algorithm }) {
			continue
		}
		hue := i % draw.Hues
		for taken[hue] && len(taken) < draw.Hues {
			hue = (hue + 1) % draw.Hues
		}
		taken[hue] = true
		if e.Algorithm == of.Algorithm {
			return hue
		}
	}
	return 0
}

// picture draws the chart.
func (p plane) picture(narrow bool) string {
	r := draw.RegionChart{
		Frame: draw.Frame{Width: 800, Height: 400, Title: p.t("which.picture"), Desc: p.say(), Class: widthClass(narrow)},
		Key:   "which-wide-", X: p.axis(narrow),
		Y:    draw.Axis{Low: 2, High: float64(len(p.rows)), Name: p.t("which.ranks")},
		Here: draw.Point{X: float64(p.size), Y: float64(max(p.ranks, 2))},
	}
	if narrow {
		r.Width, r.Height, r.Key = 350, 360, "which-narrow-"
	}
	for _, n := range []int{2, 8, 16, 24, 32, 40, 48, 56, 64} {
		if n <= len(p.rows) {
			r.Y.Ticks = append(r.Y.Ticks, draw.Tick{At: float64(n), Label: strconv.Itoa(n)})
		}
	}
	if p.ranks > 1 {
		r.HereSay = p.t("which.here", "Ranks", p.ranks, "Size", sized(float64(p.size), 3, decimalBytes))
	}
	index := map[string]int{}
	for i, e := range p.shown {
		index[e.Algorithm] = i
		r.Regions = append(r.Regions, draw.Region{Name: p.name(e.Algorithm), Hue: p.hue(e), URL: p.lessonURL(e),
			Says: p.t("which.lesson", "Name", p.name(e.Algorithm))})
	}
	for ranks := 2; ranks <= len(p.rows); ranks++ {
		all := p.reigns(ranks)
		var runs []draw.Run
		for i, reign := range all {
			region, known := index[reign.Algorithm]
			if from, to := p.bytes(all, i); known && to > from {
				runs = append(runs, draw.Run{From: max(from, 1), To: to, Region: region})
			}
		}
		r.Rows = append(r.Rows, runs)
	}
	return r.SVG()
}

// lessonURL leads to the lesson of an algorithm with what the page is about.
func (p plane) lessonURL(e schedule.Entry) string {
	q := fmt.Sprintf("?n=%d&net=%s&size=%s", max(p.ranks, 1), p.networkID, tight(p.size.String()))
	if strings.Contains(p.networkID, ",") { // a lesson has only those with names
		q = fmt.Sprintf("?n=%d&size=%s", max(p.ranks, 1), tight(p.size.String()))
	}
	if e.Nodes && p.perNode > 0 {
		q += "&G=" + strconv.Itoa(p.perNode)
	}
	return p.f.homeURL() + lessonPath(e) + q
}
