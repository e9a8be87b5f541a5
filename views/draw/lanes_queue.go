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
	Frame         // QueueFrame
	Narrow bool   // for a phone: the hub below the queue
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

// SVG draws the queue at its moment and returns how it changes. The narrow
// drawing and the wide one with the same key share their parts but for the
// places in the queue: only these are in the narrow one's reel.
func (q Queue) SVG() (string, Reel) {
	c := &reelCanvas{canvas: q.open(), now: q.Now}
	f := q.form()
	q.hub(c, f)
	q.port(c, f)
	shared := len(c.parts)
	moments := q.moments()
	for i := range q.Peers {
		q.tile(c, f, i, moments)
	}
	own := c.parts[shared:len(c.parts):len(c.parts)]
	c.words(f.active.x, f.active.y, f.activeAt, "g-text-accent", Mover{Key: q.Key + "active", Lines: q.Active})
	left, right := 2.0, f.waiting(0).x+f.tile
	c.words((left+right)/2, f.top+queueTileH+f.wait, middle, "g-strong", Mover{Key: q.Key + "wait", Lines: q.Wait})
	fmt.Fprintf(c, `<path class="g-axis" d="M%s %sv7H%sv-7"/>`, number(right), number(f.top+queueTileH+5), number(left))
	if q.Narrow {
		return c.close(), own
	}
	return c.close(), c.parts
}

// hub draws the hub with a bar for each of its peers.
func (q Queue) hub(c *reelCanvas, f queueForm) {
	const inset = 14.0
	fmt.Fprintf(c, `<rect class="g-card" %s rx="6"/>`, box4(f.hub.left, f.hub.top, f.hub.width, f.hub.height))
	c.text(f.hub.left+inset, f.hub.top+21, start, "g-strong", q.Hub)
	c.words(f.hub.right()-inset+1, f.hub.top+21, end, "g-quiet", Mover{Key: q.Key + "got", Lines: q.Got})
	pitch := (f.hub.width + 1 - 2*inset) / float64(max(1, len(q.Peers)))
	every := max(1, int(24/pitch)+1)
	if pitch >= 20 {
		every = 1
	}
	top := f.hub.top + 33
	bottom := top + queueBar
	for i, peer := range q.Peers {
		left := f.hub.left + inset + float64(i)*pitch
		thick := max(pitch*0.8, 1)
		fmt.Fprintf(c, `<rect class="g-slot" %s/>`, box4(left, top, thick, queueBar))
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
	c.words(f.hub.left+inset, f.hub.bottom()-17, start, "g-quiet", Mover{Key: q.Key + "count", Lines: q.Count})
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
func (q Queue) port(c *reelCanvas, f queueForm) {
	fmt.Fprintf(c, `<path class="g-pipe" d="%s"/>`, f.pipe)
	c.text(f.rate.x, f.rate.y, f.rateAt, "g-quiet", q.Port)
	for _, arrow := range []struct {
		key, shape string
		of         func(Queuer) *Turn
	}{
		{"to", f.to, func(p Queuer) *Turn { return p.In }},
		{"fro", f.fro, func(p Queuer) *Turn { return p.Out }},
	} {
		part := Mover{Key: q.Key + arrow.key, Looks: []Look{{0, "g-away", ""}}}
		for _, at := range q.moments() {
			class := "g-away"
			if slices.ContainsFunc(q.Peers, func(p Queuer) bool { t := arrow.of(p); return t != nil && t.Start <= at && at < t.End }) {
				class = "g-flow"
			}
			part.Looks = turned(part.Looks, Look{at, class, ""})
		}
		c.node("path", `d="`+arrow.shape+`"`, part)
	}
}

// tile draws a peer wherever it stands in the queue.
func (q Queue) tile(c *reelCanvas, f queueForm, i int, moments []float64) {
	part := Mover{Key: fmt.Sprintf("%s%s-%d", q.Key, f.key, i)}
	for _, at := range moments {
		part.Looks = turned(part.Looks, q.standing(f, i, at))
	}
	fmt.Fprintf(c, `<g%s><rect fill="url(#hxb)" %s rx="4"/><text x="%s" y="%s" text-anchor="middle">%s</text></g>`,
		part.attributes(q.Now), box4(0, 0, f.tile, queueTileH), number(f.tile/2), number(queueTileH/2+5), q.Peers[i].Name)
	c.parts = append(c.parts, part)
}

// standing is where peer i is at a moment: served, waiting in its place, or
// away.
func (q Queue) standing(f queueForm, i int, at float64) Look {
	mine := q.turn(i, at)
	switch {
	case mine == nil:
		return Look{at, "g-away", ""}
	case mine.Start <= at:
		return Look{at, "g-served", translate(f.served, f.top)}
	}
	ahead := 0
	for j := range q.Peers {
		if t := q.turn(j, at); t != nil && t.Start > at && t.Start < mine.Start {
			ahead++
		}
	}
	if ahead >= f.slots {
		return Look{at, "g-away", ""}
	}
	return Look{at, "g-waiting", translate(f.waiting(ahead).x, f.top)}
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
