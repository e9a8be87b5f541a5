package draw

import (
	"fmt"
	"html"
)

// Fabric is the end of a move that is no rank but the switch: it has added up,
// or makes copies.
const Fabric = -1

// Lengths around the switch, in units of the view box.
const (
	switchTall = 46.0
	switchPort = 8.0
	switchSide = 12.0 // left and right of the cards, for lines around them
)

// placeSwitch seats the ranks above the switch, or half of them above and half
// below it. Where a phone has no room for that they stand left and right of it.
func (s Stage) placeSwitch(f *form) {
	n := len(s.Cards)
	reach := 66.0 // from a card to the switch
	if s.Narrow {
		reach = 56
	}
	type way struct{ perLine, above, below int }
	var ways []way
	var plans, wrapped []plan
	try := func(perLine, sides int) {
		lines := (n + perLine - 1) / perLine
		w := way{perLine: perLine, above: lines}
		if sides == 2 {
			w.above, w.below = (lines+1)/2, lines/2
		}
		more := reach*float64(min(w.below, 1)+1) + switchTall + 6
		ways = append(ways, w)
		// The gap across the switch is not one between lines.
		p := plan{seats: perLine, lines: lines, more: more, gaps: -24, sides: 2 * switchSide, wrap: len(ways) - 1}
		if lines <= 2 {
			plans = append(plans, p)
		} else {
			wrapped = append(wrapped, p)
		}
	}
	try(n, 1)
	for lines := 2; lines <= 4; lines += 2 { // lines of a third row would run over those of the second
		if perLine := (n + lines - 1) / lines; len(ways) == 1 || perLine < ways[len(ways)-1].perLine {
			try(perLine, 2)
		}
	}
	if s.Narrow {
		if _, ok := s.fitCells(f, plans); !ok {
			s.placeSides(f)
			return
		}
	}
	used := s.fit(f, plans, wrapped)
	w := ways[used.wrap]
	f.places = make([]spot, n)
	line := f.cardHeight + f.lineGap
	top := 2.0
	bottom := top + float64(w.above)*line - f.lineGap
	f.bar = area{4, bottom + reach, f.width - 8, switchTall}
	under := f.bar.bottom() + reach
	for first := 0; first < n; first += w.perLine {
		count := min(w.perLine, n-first)
		at := f.spread(w.perLine, switchSide, f.width-2*switchSide)
		y := top + float64(first/w.perLine)*line
		if row := first/w.perLine - w.above; row >= 0 {
			y = under + float64(row)*line
		}
		for i := range count {
			f.places[first+i] = spot{at[i], y}
		}
	}
	f.height = f.bar.bottom() + 4
	if w.below > 0 {
		f.height = under + float64(w.below)*line - f.lineGap + 4
	}
	f.nearLow, f.nearHigh, f.reach = bottom-f.cardHeight, under, reach
}

// placeSides seats the ranks left and right of a switch that stands upright,
// below its name.
func (s Stage) placeSides(f *form) {
	const name, bar = 26.0, 30.0
	n := len(s.Cards)
	rows := (n + 1) / 2
	f.upright, f.short, f.name = true, true, 13
	s.fitRows(f, rows, (f.width-bar)/2-2-sideReach, 0)
	line := f.cardHeight + f.gap
	f.places = make([]spot, n)
	for rank := range n {
		f.places[rank] = spot{1, name + 4 + float64(rank)*line}
		if rank >= rows {
			f.places[rank] = spot{f.width - f.cardWidth - 1, name + 4 + float64(rank-rows)*line}
		}
	}
	f.height = name + 4 + float64(rows)*line - f.gap + 6
	f.bar = area{(f.width - bar) / 2, name, bar, f.height - name - 2}
	f.reach = f.bar.left - f.card(0).right()
}

// sideReach is the least from a card beside a switch to it.
const sideReach = 54.0

// sideLeg is where a rank's line to an upright switch runs: its ends at the
// card and at the switch.
func (f form) sideLeg(rank int, inward bool) (card, port spot) {
	a := f.card(rank)
	y := a.middle().y + min(a.height*0.25, 4)
	if inward {
		y = a.middle().y - min(a.height*0.25, 4)
	}
	if a.left < f.bar.left {
		return spot{a.right() + 1, y}, spot{f.bar.left - switchPort/4, y}
	}
	return spot{a.left - 1, y}, spot{f.bar.right() + switchPort/4, y}
}

// sidePath leads from a rank into an upright switch, out of it, or through it.
// What goes in rests near the card, what comes out near the switch.
func (f form) sidePath(m Move) MovePath {
	switch {
	case m.To == Fabric:
		card, port := f.sideLeg(m.From, true)
		at := card.between(port, 0.3)
		return MovePath{D: fmt.Sprintf("M%s %sH%s", number(card.x), number(card.y), number(port.x)), X: at.x, Y: at.y, Kind: f.slim("in")}
	case m.From == Fabric:
		card, port := f.sideLeg(m.To, false)
		at := port.between(card, 0.3)
		return MovePath{D: fmt.Sprintf("M%s %sH%s", number(port.x), number(port.y), number(card.x)), X: at.x, Y: at.y, Kind: f.slim("out")}
	}
	card, port := f.sideLeg(m.From, true)
	end, exit := f.sideLeg(m.To, false)
	at := exit.between(end, 0.3)
	return MovePath{D: fmt.Sprintf("M%s %sH%sL%s %sH%s", number(card.x), number(card.y), number(port.x), number(exit.x), number(exit.y), number(end.x)), X: at.x, Y: at.y, Kind: f.slim("")}
}

// leg is where a rank's line to the switch runs: its end at the card, its end
// at the switch, and, where other cards stand between, a step aside first.
func (f form) leg(rank int, inward bool) (card, aside, port spot) {
	a := f.card(rank)
	off := min(a.width*0.27, f.token.width/2+3)
	if !inward {
		off = -off
	}
	x := a.middle().x - off
	out, edge := a.bottom()+1, f.bar.top-switchPort/2
	above := a.top < f.bar.top
	if !above {
		out, edge = a.top-1, f.bar.bottom()+switchPort/2
	}
	card, aside = spot{x, out}, spot{x, out}
	if above && a.top != f.nearLow || !above && a.top != f.nearHigh {
		aside.x = a.right() + f.gap/2 - off/12
		step := 5.0
		if !above {
			step = -step
		}
		aside.y += step
	}
	return card, aside, spot{aside.x, edge}
}

// switchPath leads from a rank into the switch, out of it, or through it.
func (f form) switchPath(m Move) MovePath {
	if f.upright {
		return f.sidePath(m)
	}
	switch {
	case m.To == Fabric:
		card, aside, port := f.leg(m.From, true)
		at := f.legRest(aside, port, 0.56)
		return MovePath{D: fmt.Sprintf("M%s %s%s%sV%s", number(card.x), number(card.y), step(card, aside), across(card, aside), number(port.y)), X: at.x, Y: at.y, Kind: f.slim("in")}
	case m.From == Fabric:
		card, aside, port := f.leg(m.To, false)
		at := f.legRest(aside, port, 0.5)
		return MovePath{D: fmt.Sprintf("M%s %sV%s%s%s", number(port.x), number(port.y), number(aside.y), across(aside, card), step(aside, card)), X: at.x, Y: at.y, Kind: f.slim("out")}
	}
	card, aside, port := f.leg(m.From, true)
	end, before, exit := f.leg(m.To, false)
	at := f.legRest(before, exit, 0.5)
	return MovePath{D: fmt.Sprintf("M%s %s%s%sV%sL%s %sV%s%s%s", number(card.x), number(card.y), step(card, aside), across(card, aside), number(port.y),
		number(exit.x), number(exit.y), number(before.y), across(before, end), step(before, end)), X: at.x, Y: at.y, Kind: f.slim("")}
}

// legRest is where a message rests on a leg: beside the switch, so far from it
// as share says, nearer where the leg comes from an outer line.
func (f form) legRest(aside, port spot, share float64) spot {
	if long := aside.y - port.y; long > f.reach || long < -f.reach {
		share *= 0.5
	}
	if aside.y < port.y {
		return spot{port.x, port.y - f.reach*share}
	}
	return spot{port.x, port.y + f.reach*share}
}

// step goes up or down from p to the height of q.
func step(p, q spot) string {
	if p.y == q.y {
		return ""
	}
	return "V" + number(q.y)
}

// across goes sideways from p to q.
func across(p, q spot) string {
	if p.x == q.x {
		return ""
	}
	return "H" + number(q.x)
}

// writeSwitch draws what lies below the cards: the switch, its ports and the
// links to them.
func (s Stage) writeSwitch(c *canvas, f form) {
	if f.upright {
		s.writeSides(c, f)
		return
	}
	for rank := range s.Cards {
		for _, inward := range []bool{true, false} {
			card, aside, port := f.leg(rank, inward)
			fmt.Fprintf(c, `<path class="g-edge" d="M%s %s%s%sV%s"/>`, number(card.x), number(card.y), step(card, aside), across(card, aside), number(port.y))
		}
	}
	fmt.Fprintf(c, `<rect class="stage-switch" x="%s" y="%s" width="%s" height="%s" rx="6"/>`,
		number(f.bar.left), number(f.bar.top), number(f.bar.width), number(f.bar.height))
	for rank := range s.Cards {
		for _, inward := range []bool{true, false} {
			_, _, port := f.leg(rank, inward)
			fmt.Fprintf(c, `<rect class="stage-socket" x="%s" y="%s" width="%s" height="%s"/>`,
				number(port.x-switchPort/2), number(port.y-switchPort/2), number(switchPort), number(switchPort))
		}
	}
	fmt.Fprintf(c, `<text class="t-rank" data-port="" x="%s" y="%s" font-size="16" text-anchor="middle">%s</text>`,
		number(f.bar.middle().x), number(f.bar.middle().y+5.5), html.EscapeString(s.PortWord))
}

// writeSides draws an upright switch, its ports and the links to them.
func (s Stage) writeSides(c *canvas, f form) {
	links, ports := "", ""
	for rank := range s.Cards {
		for _, inward := range []bool{true, false} {
			card, port := f.sideLeg(rank, inward)
			links += fmt.Sprintf("M%s %sH%s", number(card.x), number(card.y), number(port.x))
			ports += fmt.Sprintf("M%s %sh%sv3h-%[3]sz", number(port.x-switchPort/4), number(port.y-1.5), number(switchPort/2))
		}
	}
	fmt.Fprintf(c, `<path class="g-edge" d="%s"/><rect class="stage-switch" x="%s" y="%s" width="%s" height="%s" rx="6"/><path class="stage-socket" d="%s"/>`,
		links, number(f.bar.left), number(f.bar.top), number(f.bar.width), number(f.bar.height), ports)
	fmt.Fprintf(c, `<text class="t-rank" data-port="" x="%s" y="17" font-size="16" text-anchor="middle">%s</text>`,
		number(f.bar.middle().x), html.EscapeString(s.PortWord))
}
