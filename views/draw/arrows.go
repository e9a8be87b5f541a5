package draw

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// tokenSize is the geometry of a message on its way.
type tokenSize struct {
	width, height, swatch, number float64
	value, valueAt                float64 // size and base line; 0 leaves the value out
}

// The sizes of a message; the zero value draws none, only where it goes.
var (
	tokenLarge = tokenSize{width: 78, height: 34, swatch: 19, number: 15, value: 18, valueAt: 23.5}
	tokenSmall = tokenSize{width: 22, height: 22, swatch: 16, number: 13}
	tokenPhone = tokenSize{width: 70, height: 30, swatch: 17, number: 14, value: 17, valueAt: 21}
	tokenTiny  = tokenSize{width: 34, height: 24, value: 13, valueAt: 16.5}
	tokenMini  = tokenSize{width: 19, height: 18, swatch: 13, number: 12}
)

// Paths returns where each of the stage's moves goes.
func (s Stage) Paths() []MovePath {
	f := s.form()
	if f.heat && !f.dots {
		return nil
	}
	paths := make([]MovePath, len(s.Moves))
	for i, m := range s.Moves {
		paths[i] = s.path(f, m, i)
		paths[i].Kind = strings.TrimSpace(paths[i].Kind + " " + m.Kind)
	}
	return paths
}

func (s Stage) path(f form, m Move, i int) MovePath {
	switch {
	case f.places != nil:
		return s.lineMove(f, m)
	case f.star:
		return f.throughPort(m)
	case s.Arcs && !s.closes(m) && (s.Layout == RowLayout || m.To != m.From+1):
		return s.arc(f, m)
	case m.To == m.From+1:
		return s.toNeighbour(f, m)
	}
	return s.overTop(f, m, i)
}

// lineMove goes from card to card of a layout in lines.
func (s Stage) lineMove(f form, m Move) MovePath {
	switch s.Layout {
	case TreeLayout:
		if f.joints != nil {
			return s.jointMove(f, m)
		}
		return s.treeMove(f, m)
	case NodesLayout:
		return f.nodePath(m.From, m.To)
	}
	return f.switchPath(m)
}

// slim adds to the kind of a move that it is drawn thinner, where it has no room
// for its message either.
func (f form) slim(kind string) string {
	if f.token.width > 0 {
		return kind
	}
	return strings.TrimSpace(kind + " slim")
}

// toNeighbour goes straight to the right.
func (s Stage) toNeighbour(f form, m Move) MovePath {
	from, to := f.x(m.From)+f.cardWidth-f.pad, f.x(m.To)+f.pad
	y, target := f.middleOf(m.From, m.FromCell), f.middleOf(m.To, m.ToCell)
	if !f.arrows(s) { // no room for more than a tip
		return MovePath{D: fmt.Sprintf("M%s %sL%s %sL%s %sz", number(from+1), number(y-7), number(to-1), number(target), number(from+1), number(y+7)),
			X: (from + to) / 2, Y: y, Bare: true}
	}
	rest := (from+to)/2 + 1
	if to-from < 60 {
		rest -= 5 // so that the tip shows
	}
	return MovePath{D: fmt.Sprintf("M%s %sL%s %s", number(from+1), number(y), number(to-2), number(target)), X: rest, Y: (y + target) / 2}
}

// overTop goes up beside the sender, over all cards and down beside the
// receiver: the link that closes a ring.
func (s Stage) overTop(f form, m Move, i int) MovePath {
	from, to := f.x(m.From)+f.cardWidth-f.pad, f.x(m.To)+f.pad
	y, target := f.middleOf(m.From, m.FromCell), f.middleOf(m.To, m.ToCell)
	// Half a gap beside the cards, but inside the drawing.
	right := min(f.x(m.From)+f.cardWidth+max(min(f.gap/2, 24), 3), f.width-2)
	left := max(f.x(m.To)-max(min(f.gap/2, 24), 3), 2)
	top := f.top * 0.42
	if s.Layout != RingLayout {
		top -= float64(i%3) * 8
	}
	r := min(8, (right-from)/2, (to-left)/2)
	across, turn, bend := "-", 0, r
	if left > right {
		across, turn, bend = "", 1, -r
	}
	d := fmt.Sprintf("M%s %sH%sa%[4]s %[4]s 0 0 0 %[4]s -%[4]sV%[5]sa%[4]s %[4]s 0 0 %[7]d %[6]s%[4]s -%[4]s",
		number(from+1), number(y), number(right-r), number(r), number(top+r), across, turn)
	d += fmt.Sprintf("H%sa%[2]s %[2]s 0 0 %[5]d %[4]s%[2]s %[2]sV%[3]sa%[2]s %[2]s 0 0 0 %[2]s %[2]sH%[6]s",
		number(left+bend), number(r), number(target-r), across, turn, number(to-2))
	return MovePath{D: d, X: right + (left-right)*0.58, Y: top}
}

// closes reports whether a move is the link that closes a ring.
func (s Stage) closes(m Move) bool {
	return s.Layout == RingLayout && m.From == len(s.Cards)-1 && m.To == 0
}

// crowded is from how many moves of a step on arcs carry no message.
const crowded = 17

// arc bows over the cards from one to another, those to the right higher than
// those to the left so that two that swap do not meet.
func (s Stage) arc(f form, m Move) MovePath {
	from, to := f.x(m.From)+f.cardWidth/2, f.x(m.To)+f.cardWidth/2
	far := math.Abs(to-from) / (f.width - f.cardWidth)
	aside, high, rest := min(f.cardWidth*0.12, 12), f.top-20, 0.3
	if to < from {
		aside, high = -aside, high*0.62
	}
	lift := high * (0.42 + 0.58*math.Sqrt(far))
	kind := ""
	if len(s.Moves) >= crowded {
		kind = "crowd"
	}
	c := curve{spot{from + aside, f.top - 1}, spot{(from + to) / 2, f.top - 2*lift}, spot{to - aside, f.top - 3}}
	return c.path(rest, kind)
}

// throughPort leads through the move's place in the queue.
func (f form) throughPort(m Move) MovePath {
	outer, inward := m.From, true
	if m.From == f.center {
		outer, inward = m.To, false
	}
	edge := f.x(outer) + f.cardWidth/2
	place := f.queueLeft + (float64(f.seat(outer))+0.5)*f.queuePitch
	hub := f.centerX + f.cardWidth*(0.2+0.6*(float64(f.seat(outer))+0.5)*f.queuePitch/(f.width-2*f.queueLeft))
	bottom, above, below, centerTop := f.top+f.cardHeight, f.queueTop, f.queueTop+f.token.height, f.centerY
	if inward {
		return MovePath{D: fmt.Sprintf("M%s %sL%s %sM%[3]s %[5]sL%[6]s %[7]s", number(edge), number(bottom+2), number(place), number(above), number(below+24), number(hub), number(centerTop-2)),
			X: place, Y: above + f.token.height/2}
	}
	return MovePath{D: fmt.Sprintf("M%s %sL%s %sM%[3]s %[5]sL%[6]s %[7]s", number(hub), number(centerTop-2), number(place), number(below+24), number(above), number(edge), number(bottom+2)),
		X: place, Y: above + f.token.height/2}
}

// arrows reports whether moves are arrows, not mere tips.
func (f form) arrows(s Stage) bool { return f.star || !s.Narrow && f.gap+2*f.pad >= 30 }

// writeMoves draws every slot: those in use, then the hidden ones.
func (s Stage) writeMoves(c *canvas, f form) {
	if s.Layout == RingLayout && len(s.Cards) > 1 && f.token.value > 0 {
		words, x := s.WrapWord, f.width*0.42+f.token.width/2+14
		if !s.Narrow {
			fmt.Fprintf(c, `<text class="t-mut" x="%s" y="%s" font-size="14">%s</text>`, number(x), number(f.top*0.42-7), html.EscapeString(words))
		}
	}
	if f.star {
		fmt.Fprintf(c, `<rect class="g-port" x="%s" y="%s" width="%s" height="%s" rx="6"/>`,
			number(f.queueLeft-4), number(f.queueTop-5), number(f.width-2*f.queueLeft+8), number(f.token.height+28))
	}
	paths := s.Paths()
	for slot := range s.Slots {
		m, p, class := Move{}, MovePath{D: "M0 0"}, "move off"
		if slot < len(paths) {
			m, p, class = s.Moves[slot], paths[slot], "move"
			if p.Bare {
				class = "move bare"
			}
			if p.Kind != "" {
				class += " " + p.Kind
			}
		}
		fmt.Fprintf(c, `<g class="%s" data-move="%d"><path class="g-move" d="%s" marker-end="url(#%s-tip)"/>`, class, slot, p.D, s.ID)
		f.writeToken(c, m, p)
		c.WriteString(`</g>`)
	}
	if f.star { // over the arrows, which it crosses
		fmt.Fprintf(c, `<text class="t-rank stage-halo" data-port="" x="%s" y="%s" font-size="%s" text-anchor="middle">%s</text>`,
			number(f.width/2), number(f.queueTop-18), number(min(f.name, 16)), html.EscapeString(s.PortWord))
	}
}

// writeToken draws a message where it rests.
func (f form) writeToken(c *canvas, m Move, p MovePath) {
	t := f.token
	if t.width == 0 {
		return
	}
	fmt.Fprintf(c, `<g class="token hue-%d" transform="translate(%s %s)"><rect class="token-box" x="%s" y="%s" width="%s" height="%s" rx="4"/>`,
		m.Block%Hues, number(p.X), number(p.Y), number(-t.width/2), number(-t.height/2), number(t.width), number(t.height))
	if t.swatch > 0 {
		fmt.Fprintf(c, `<rect class="cell-swatch" x="%s" y="%s" width="%s" height="%s"/><text class="cell-no" x="%s" y="%s" font-size="%s">%s</text>`,
			number(-t.width/2+3), number(-t.height/2+3), number(t.swatch), number(t.height-6),
			number(-t.width/2+3+t.swatch/2), number(t.number*0.36), number(t.number), m.Mark())
	}
	if t.value > 0 {
		fmt.Fprintf(c, `<text class="token-value" x="%s" y="%s" font-size="%s">%s</text>`,
			number(t.swatch/2+1), number(t.valueAt-t.height/2), number(t.value), html.EscapeString(m.Value))
	}
	if f.star {
		fmt.Fprintf(c, `<text class="token-wait" x="0" y="%s" font-size="13">%s</text>`, number(t.height/2+16), html.EscapeString(m.Wait))
	}
	c.WriteString(`</g>`)
}
