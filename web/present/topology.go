package present

import (
	"net/url"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// topologyPath is the page's place below the language.
const topologyPath = "learn/topology"

// across is a state that is being presented, with what was played for it.
type across struct {
	f    Frame
	l    locale.Locale
	ask  TopologyAsk
	ways []sizing.Crossing
}

// Topology presents the same all-reduce done in several ways on nodes. Errors
// are of plays, for which the limits of the state leave no cause.
func Topology(f Frame, a TopologyAsk) (views.Topology, error) {
	ways, err := a.Compare()
	if err != nil {
		return views.Topology{}, err
	}
	t := across{f, f.Locale, a, ways}
	v := views.Topology{
		Page: f.page(t.t("topology.title")), Action: f.homeURL() + topologyPath, Reset: f.homeURL() + topologyPath,
		Fields: t.fields(),
		Say:    t.say(),
		Axis:   t.axis(), Least: t.least(),
		Rows:   t.rows(),
		Why:    t.why(),
		Notes:  []string{t.t("topology.note.model"), t.t("topology.note.assumed", "Inside", duration(unit.FromDuration(topologyCloseLatency)), "Across", duration(unit.FromDuration(topologyLatency))), t.t("topology.note.tree", "Pieces", ways[len(ways)-1].Chunks)},
		Layers: t.layers(), Handover: t.all("topology.hand.1", "topology.hand.2", "topology.hand.3", "topology.hand.4", "topology.hand.5"), LayersNote: t.all("topology.layers.note", "topology.layers.pxn"),
		Next: t.next(),
	}
	for i := range ways {
		v.Pictures = append(v.Pictures, t.picture(i))
	}
	for _, note := range a.notes {
		v.Asked = append(v.Asked, note.says(f.Locale))
	}
	return v, nil
}

// t is a message with values: a name, then what it stands for.
func (t across) t(id string, values ...any) string { return spoken(t.l, id, values...) }

// all are several messages.
func (t across) all(ids ...string) []string {
	var all []string
	for _, id := range ids {
		all = append(all, t.t(id))
	}
	return all
}

// name is a way by its algorithm and, for a ring, the order of its ranks.
func (t across) name(c sizing.Crossing) string {
	name := capital(algorithmName(t.l, c.Algorithm))
	switch {
	case c.Interleaved:
		return t.t("topology.name.round", "Name", name)
	case c.Algorithm == "ring":
		return t.t("topology.name.order", "Name", name)
	}
	return name
}

// fastest and slowest are ways by their place in the list.
func (t across) fastest() (fastest, slowest int) {
	for i, c := range t.ways {
		if c.Time < t.ways[fastest].Time {
			fastest = i
		}
		if c.Time > t.ways[slowest].Time {
			slowest = i
		}
	}
	return fastest, slowest
}

func (t across) bytes(b unit.Bytes) string { return sized(float64(b), 3, decimalBytes) }

// axis puts all ways on one axis of time.
func (t across) axis() views.StoryChart {
	_, last := t.fastest()
	return twoWidths(func(width float64, narrow bool) string {
		var rows []draw.StackedBar
		best, _ := t.fastest()
		for i, c := range t.ways {
			row := draw.StackedBar{Name: t.name(c), Figure: duration(c.Time), Pieces: []draw.Piece{{Length: float64(c.Time), Tone: draw.Compute}}}
			if i == best {
				row.Pieces[0].Tone = draw.Comm
			}
			rows = append(rows, row)
		}
		most := 8
		if narrow {
			most = 2
		}
		return draw.StackedBars{
			Frame: draw.Frame{Width: width, Height: draw.RowsHeight(len(rows), false, false), Title: t.t("topology.axis"), Desc: t.say(), Class: widthClass(narrow)},
			X:     draw.Marked(draw.NiceTicks(float64(t.ways[last].Time), most), false, "", func(v float64) string { return duration(unit.Seconds(v)) }),
			Rows:  rows,
		}.SVG()
	})
}

func (t across) rows() []views.TopologyRow {
	best, _ := t.fastest()
	var rows []views.TopologyRow
	for i, c := range t.ways {
		lesson := t.lesson(c)
		if c.Interleaved { // a lesson has no nodes to seat ranks on: it would be that of the other ring
			lesson = ""
		}
		rows = append(rows, views.TopologyRow{
			Name: t.name(c), URL: lesson, Fastest: i == best,
			Sent: t.bytes(c.MostSent()), Busiest: t.bytes(c.Busiest()), Rounds: strconv.Itoa(c.Rounds), Time: duration(c.Time),
			Times: t.t("story.times", "Times", ratioText(float64(c.Time)/float64(t.ways[best].Time))),
		})
	}
	return rows
}

// lesson is the lesson of a way for the same ranks.
func (t across) lesson(c sizing.Crossing) string {
	e, err := schedule.Find(schedule.AllReduce, c.Algorithm)
	if err != nil { // what was played is in the catalogue
		return ""
	}
	q := url.Values{"n": {strconv.Itoa(t.ask.Nodes * t.ask.PerNode)}, "size": {compactBytes(t.ask.Size)}}
	if e.Nodes {
		q.Set("G", strconv.Itoa(t.ask.PerNode))
	}
	return t.f.homeURL() + lessonPath(e) + "?" + q.Encode()
}

// layers tell apart who manages processes and who moves data.
func (t across) layers() []views.TopologyLayer {
	layer := func(name, processes, devices string) views.TopologyLayer {
		return views.TopologyLayer{Name: t.t(name), Processes: t.t(processes), Devices: t.t(devices)}
	}
	return []views.TopologyLayer{
		layer("topology.layer.who", "topology.layer.who.mpi", "topology.layer.who.nccl"),
		layer("topology.layer.sees", "topology.layer.sees.mpi", "topology.layer.sees.nccl"),
		layer("topology.layer.path", "topology.layer.path.mpi", "topology.layer.path.nccl"),
		layer("topology.layer.moves", "topology.layer.moves.mpi", "topology.layer.moves.nccl"),
	}
}

func (t across) next() []views.LessonLink {
	home := t.f.homeURL()
	return []views.LessonLink{
		{URL: t.lesson(t.ways[0]), Name: pairName(t.l, schedule.AllReduce, "hierarchical"), What: t.t("topology.next.hierarchical", "G", t.ask.PerNode)},
		{URL: t.lesson(t.ways[1]), Name: pairName(t.l, schedule.AllReduce, "ring"), What: t.t("topology.next.ring")},
		{URL: home + whyPath, Name: t.t("why.title"), What: t.t("learn.why.what")},
		{URL: home + "size", Name: t.t("why.next.size"), What: t.t("why.next.size.what")},
	}
}
