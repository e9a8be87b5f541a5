package draw

import (
	"math"
	"slices"
)

// rails draws what joins GPUs: along each row of theirs a line over them, and
// down the left edge what joins the rows.
func (t Topology) rails(c *canvas, shelves []shelf, places map[int]area) {
	var lanes []float64
	for _, s := range shelves {
		lanes = append(lanes, s.lanes...)
	}
	tracks := t.tracks()
	for i, rail := range t.Rails {
		if len(rail.GPUs) < 2 {
			continue
		}
		track := float64(tracks[i])*topologyTrack + 5
		type span struct{ from, to, y float64 }
		var spans []span
		for _, lane := range lanes {
			at := span{math.Inf(1), math.Inf(-1), lane - track}
			for _, n := range rail.GPUs {
				p, drawn := places[n]
				if !drawn || p.top != lane {
					continue
				}
				centre := p.left + p.width/2
				at.from, at.to = math.Min(at.from, centre), math.Max(at.to, centre)
				c.line("topology-rail", centre, p.top, centre, at.y)
			}
			if at.from <= at.to {
				spans = append(spans, at)
			}
		}
		if len(spans) == 0 {
			continue
		}
		if len(spans) > 1 { // down the left edge
			edge := 2 + float64(tracks[i])*4
			for k := range spans {
				spans[k].from = edge
			}
			c.line("topology-rail", edge, spans[0].y, edge, spans[len(spans)-1].y)
		}
		for _, at := range spans {
			c.line("topology-rail", at.from, at.y, at.to, at.y)
		}
		if t.roomFor(rail, i, spans[0].from, spans[0].y, places) {
			c.within(math.Max(spans[0].from, topologyGap+topologyInset), spans[0].y-6, start, "topology-says topology-on", rail.Words)
		}
	}
}

// topologyTracks is how many rails run over each other at the most; more share
// the last place.
const topologyTracks = 3

// tracks gives each rail its place over the GPUs, the lowest that no rail
// before it takes over the same numbers.
func (t Topology) tracks() []int {
	tracks := make([]int, len(t.Rails))
	for i, rail := range t.Rails {
		for j, other := range t.Rails[:i] {
			if len(rail.GPUs) > 0 && len(other.GPUs) > 0 && tracks[i] == tracks[j] &&
				slices.Min(rail.GPUs) <= slices.Max(other.GPUs) && slices.Min(other.GPUs) <= slices.Max(rail.GPUs) {
				tracks[i] = min(tracks[i]+1, topologyTracks-1)
			}
		}
	}
	return tracks
}

// roomFor reports whether the words of a rail do not run into the next rail of
// the row.
func (t Topology) roomFor(rail TopologyRail, index int, from, y float64, places map[int]area) bool {
	for i, other := range t.Rails {
		if i == index {
			continue
		}
		for _, n := range other.GPUs {
			p, drawn := places[n]
			if drawn && math.Abs(p.top-y) < 2*labelLine && p.left+p.width/2 > from-4 && p.left < from+measure(rail.Words) {
				return false
			}
		}
	}
	return true
}
