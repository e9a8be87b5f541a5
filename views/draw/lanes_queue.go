package draw

import (
	"fmt"
	"slices"
)

// Turn is a message's way through a port: from Ready it waits, from Start to
// End it goes through.
type Turn struct{ Ready, Start, End float64 }

// Queuer is someone who sends to the hub, gets something from it, or both.
type Queuer struct {
	Name, Short string
	In, Out     *Turn // nil for none
}

// Queue draws a hub with one port and those who wait for it: who sends, who
// queues, how much the hub has of whom, and then how much each has back.
type Queue struct {
	Frame         // QueueWidth by QueueHeight
	Key    string // before the keys of the parts
	Hub    string
	Got    []Line // what the hub has
	Count  []Line // under its bars
	Port   string // the rate of the port
	Active []Line // under the one who is served
	Wait   []Line // under those who wait
	Peers  []Queuer
	Now    float64
}

// The view box of a queue.
const (
	QueueWidth  = 880.0
	QueueHeight = 136.0
)

const (
	queueSlots   = 7
	queueSlot    = 57.0 // between two who wait
	queueTop     = 34.0
	queueServed  = 434.0 // where the served one stands
	queueTile    = 50.0
	queueTileH   = 40.0
	queueHubLeft = 596.0
	queueBar     = 46.0
)

// SVG draws the queue at its moment and returns how it changes.
func (q Queue) SVG() (string, Reel) {
	c := &reelCanvas{canvas: q.open(), now: q.Now}
	q.hub(c)
	q.port(c)
	moments := q.moments()
	for i := range q.Peers {
		q.tile(c, i, moments)
	}
	c.words(queueServed+queueTile/2, queueTop+queueTileH+24, middle, "g-text-accent", Mover{Key: q.Key + "active", Lines: q.Active})
	c.words(2+(queueSlots*queueSlot-7)/2, queueTop+queueTileH+32, middle, "g-strong", Mover{Key: q.Key + "wait", Lines: q.Wait})
	left, right := 2.0, 2+queueSlots*queueSlot-7
	fmt.Fprintf(c, `<path class="g-axis" d="M%s %sv7H%sv-7"/>`, number(right), number(queueTop+queueTileH+5), number(left))
	return c.close(), c.parts
}

// hub draws the hub with a bar for each of its peers.
func (q Queue) hub(c *reelCanvas) {
	width := QueueWidth - queueHubLeft
	fmt.Fprintf(c, `<rect class="g-card" %s rx="6"/>`, box4(queueHubLeft, 1, width-1, QueueHeight-2))
	c.text(queueHubLeft+14, 22, start, "g-strong", q.Hub)
	c.words(QueueWidth-14, 22, end, "g-quiet", Mover{Key: q.Key + "got", Lines: q.Got})
	pitch := (width - 28) / float64(max(1, len(q.Peers)))
	every := max(1, int(24/pitch)+1)
	if pitch >= 20 {
		every = 1
	}
	bottom := queueTop + queueBar
	for i, peer := range q.Peers {
		left := queueHubLeft + 14 + float64(i)*pitch
		thick := max(pitch*0.8, 1)
		fmt.Fprintf(c, `<rect class="g-slot" %s/>`, box4(left, queueTop, thick, queueBar))
		if peer.In != nil {
			c.rising(fmt.Sprintf("%sin-%d", q.Key, i), left, bottom, thick, *peer.In, "g-comm", "g-done")
		}
		if peer.Out != nil {
			c.rising(fmt.Sprintf("%sout-%d", q.Key, i), left+thick*0.25, bottom, thick*0.5, *peer.Out, "g-back", "g-back")
		}
		if i%every == 0 {
			c.text(left+thick/2, bottom+16, middle, "g-quiet", peer.Short)
		}
	}
	c.words(queueHubLeft+14, QueueHeight-18, start, "g-quiet", Mover{Key: q.Key + "count", Lines: q.Count})
}

// rising draws a bar that fills from below while a turn lasts.
func (c *reelCanvas) rising(key string, left, bottom, thick float64, t Turn, during, after string) {
	fmt.Fprintf(c, `<g transform="%s">`, translate(left, bottom))
	c.node("rect", box4(0, -queueBar, thick, queueBar), Mover{
		Key: key, Looks: []Look{{0, during, ""}, {t.End, after, ""}}, Grow: &Grow{Way: Up, From: t.Start, To: t.End},
	})
	c.WriteString(`</g>`)
}

// port draws the way into the hub and the arrow on it.
func (q Queue) port(c *reelCanvas) {
	left, right := queueServed+queueTile+8, queueHubLeft
	middleLine := queueTop + queueTileH/2
	fmt.Fprintf(c, `<path class="g-pipe" d="M%s %sH%sM%[1]s %[4]sH%[3]s"/>`, number(left), number(queueTop), number(right), number(queueTop+queueTileH))
	c.text((left+right)/2, queueTop-10, middle, "g-quiet", q.Port)
	for _, arrow := range []struct {
		key, shape string
		of         func(Queuer) *Turn
	}{
		{"to", fmt.Sprintf(`d="M%s %sH%sm-9-6l11 6l-11 6"`, number(left+8), number(middleLine), number(right-10)), func(p Queuer) *Turn { return p.In }},
		{"fro", fmt.Sprintf(`d="M%s %sH%sm9-6l-11 6l11 6"`, number(right-8), number(middleLine), number(left+10)), func(p Queuer) *Turn { return p.Out }},
	} {
		part := Mover{Key: q.Key + arrow.key, Looks: []Look{{0, "g-away", ""}}}
		for _, at := range q.moments() {
			class := "g-away"
			if slices.ContainsFunc(q.Peers, func(p Queuer) bool { t := arrow.of(p); return t != nil && t.Start <= at && at < t.End }) {
				class = "g-flow"
			}
			part.Looks = turned(part.Looks, Look{at, class, ""})
		}
		c.node("path", arrow.shape, part)
	}
}

// tile draws a peer wherever it stands in the queue.
func (q Queue) tile(c *reelCanvas, i int, moments []float64) {
	part := Mover{Key: fmt.Sprintf("%stile-%d", q.Key, i)}
	for _, at := range moments {
		part.Looks = turned(part.Looks, q.standing(i, at))
	}
	fmt.Fprintf(c, `<g%s><rect fill="url(#hxb)" %s rx="4"/><text x="%s" y="%s" text-anchor="middle">%s</text></g>`,
		part.attributes(q.Now), box4(0, 0, queueTile, queueTileH), number(queueTile/2), number(queueTileH/2+5), q.Peers[i].Name)
	c.parts = append(c.parts, part)
}

// standing is where peer i is at a moment: served, waiting in its place, or
// away.
func (q Queue) standing(i int, at float64) Look {
	mine := q.turn(i, at)
	switch {
	case mine == nil:
		return Look{at, "g-away", ""}
	case mine.Start <= at:
		return Look{at, "g-served", translate(queueServed, queueTop)}
	}
	ahead := 0
	for j := range q.Peers {
		if t := q.turn(j, at); t != nil && t.Start > at && t.Start < mine.Start {
			ahead++
		}
	}
	if ahead >= queueSlots {
		return Look{at, "g-away", ""}
	}
	return Look{at, "g-waiting", translate(2+float64(queueSlots-1-ahead)*queueSlot, queueTop)}
}

// turn is the turn of peer i that is waiting or under way at a moment.
func (q Queue) turn(i int, at float64) *Turn {
	for _, t := range []*Turn{q.Peers[i].In, q.Peers[i].Out} {
		if t != nil && t.Ready <= at && at < t.End {
			return t
		}
	}
	return nil
}

// moments are those at which somebody's place changes, from zero, ascending.
func (q Queue) moments() []float64 {
	all := []float64{0}
	for _, p := range q.Peers {
		for _, t := range []*Turn{p.In, p.Out} {
			if t != nil {
				all = append(all, t.Ready, t.Start, t.End)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// turned adds a look unless nothing changes with it.
func turned(looks []Look, l Look) []Look {
	if n := len(looks); n > 0 && looks[n-1].Class == l.Class && looks[n-1].Transform == l.Transform {
		return looks
	}
	return append(looks, l)
}
