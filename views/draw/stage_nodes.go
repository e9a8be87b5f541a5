package draw

import (
	"fmt"
	"html"
)

// Lengths around the ranks of a node, in units of the view box.
const (
	nodeGutter = 66.0 // left of the ranks, for the node's name
	nodeHead   = 18.0 // above them on a phone, for the same
	nodeRoom   = 14.0 // above and below the ranks, for arrows inside the node, beside half a message
	nodeEdge   = 6.0
	railHead   = 18.0 // above the first node, for the rails' names

	nodeBetween = 14.0 // two columns of nodes
)

// nodeSeats is how the nodes of a stage stand: columns of nodes, from top to
// bottom and then from left to right, each with its ranks in lines.
type nodeSeats struct {
	perNode, nodes int
	columns, rows  int // of nodes
	perLine, lines int // of ranks in a node
	left, pitch    float64
	head           float64 // of the drawing
	room           float64 // above and below the ranks of a node
	width          float64 // of a column of nodes, with the gap after it
}

func (s Stage) perNode() int {
	if s.PerNode < 1 {
		return len(s.Cards)
	}
	return min(s.PerNode, len(s.Cards))
}

// placeNodes seats the ranks node by node.
func (s Stage) placeNodes(f *form) {
	per := s.perNode()
	nodes := (len(s.Cards) + per - 1) / per
	foot := s.keyHeight()
	gutter, above := nodeGutter, 0.0
	if s.Narrow {
		gutter, above = nodeEdge, nodeHead
	}
	var ways []nodeSeats
	var plans, wrapped []plan
	for columns := 1; columns <= nodes; columns++ {
		rows := (nodes + columns - 1) / columns
		if columns > 1 && rows == (nodes+columns-2)/(columns-1) {
			continue // no lower than with a column less
		}
		for lines := 1; lines <= per; lines++ {
			perLine := (per + lines - 1) / lines
			if (per+perLine-1)/perLine < lines || per%2 == 0 && per%lines != 0 { // lines as full as each other, where they can be
				continue
			}
			head := 2.0
			if len(s.Rails) > 0 && nodes > 1 && lines == 1 {
				head = railHead
			}
			ways = append(ways, nodeSeats{perNode: per, nodes: nodes, columns: columns, rows: rows, perLine: perLine, lines: lines, head: head})
			way := plan{seats: columns * perLine, lines: rows * lines, gaps: -8, wrap: len(ways) - 1, rooms: 2 * rows,
				sides: float64(columns)*(gutter+2*nodeEdge) + float64(columns-1)*nodeBetween,
				more:  head + float64(rows)*(above+2*nodeRoom) + 2 + foot}
			if lines == 1 {
				plans = append(plans, way)
			} else {
				wrapped = append(wrapped, way)
			}
		}
	}
	used := s.fit(f, plans, wrapped)
	seats := ways[used.wrap]
	seats.room = nodeRoom + f.token.height/2
	seats.width = (f.width + nodeBetween) / float64(seats.columns)
	seats.left = gutter
	seats.pitch = (seats.width - nodeBetween - gutter - nodeEdge) / float64(seats.perLine)
	f.places, f.frames = make([]spot, len(s.Cards)), make([]area, nodes)
	line := f.cardHeight + f.lineGap
	tall := above + 2*seats.room + float64(seats.lines-1)*line + f.cardHeight
	for node := range nodes {
		column, row := node/seats.rows, node%seats.rows
		frame := area{float64(column) * seats.width, seats.head + float64(row)*(tall+f.lineGap), seats.width - nodeBetween, tall}
		f.frames[node] = frame
		for rank := node * per; rank < min((node+1)*per, len(s.Cards)); rank++ {
			at := rank - node*per
			f.places[rank] = spot{
				frame.left + gutter + (float64(at%seats.perLine)+0.5)*seats.pitch - f.cardWidth/2,
				frame.top + above + seats.room + float64(at/seats.perLine)*line,
			}
		}
	}
	f.nodes = seats
	f.height = seats.head + float64(seats.rows)*(tall+f.lineGap) - f.lineGap + 2 + foot
}

// writeNodes draws what lies below the cards: frames, names and rails.
func (s Stage) writeNodes(c *canvas, f form) {
	for node, frame := range f.frames {
		fmt.Fprintf(c, `<rect class="stage-node" x="%s" y="%s" width="%s" height="%s" rx="6"/>`,
			number(frame.left+1), number(frame.top), number(frame.width-2), number(frame.height))
		if node >= len(s.Nodes) {
			continue
		}
		x, y := frame.left+12, frame.middle().y+5
		if s.Narrow {
			x, y = frame.left+8, frame.top+14
		}
		fmt.Fprintf(c, `<text class="t-rank" x="%s" y="%s" font-size="14">%s</text>`, number(x), number(y), html.EscapeString(s.Nodes[node]))
	}
	if f.nodes.nodes < 2 {
		return
	}
	for rank := range s.Cards {
		x := f.card(rank).middle().x
		if rank < f.nodes.perNode*f.nodes.rows*f.nodes.columns && f.atTop(rank) && f.nodes.lines == 1 {
			if place := rank % f.nodes.perNode; place < len(s.Rails) {
				fmt.Fprintf(c, `<text class="t-mut" x="%s" y="13" font-size="13" text-anchor="middle">%s</text>`, number(x), html.EscapeString(s.Rails[place]))
			}
		}
		// On to the same place of the next node below.
		if next := rank + f.nodes.perNode; next < len(s.Cards) && f.card(next).top > f.card(rank).top {
			from, to := f.card(rank).bottom(), f.card(next).top
			if f.nodes.lines > 1 { // not through the other lines of the node
				if rank%f.nodes.perNode >= f.nodes.perLine {
					continue
				}
				from, to = f.frames[rank/f.nodes.perNode].bottom(), f.frames[next/f.nodes.perNode].top
			}
			fmt.Fprintf(c, `<path class="g-rail" d="M%s %sV%s"/>`, number(x), number(from), number(to))
		}
	}
}

// atTop reports whether a rank stands in the first node of a column.
func (f form) atTop(rank int) bool { return rank/f.nodes.perNode%f.nodes.rows == 0 }

// nodePath leads from rank to rank: above the cards to the right and below
// them to the left inside a node, along the rail or in a bow to another.
func (f form) nodePath(from, to int) MovePath {
	a, b := f.card(from), f.card(to)
	if from/f.nodes.perNode == to/f.nodes.perNode {
		if a.top != b.top {
			return f.betweenLines(from, to, "")
		}
		rise := -2 * (nodeRoom - 1) // twice as far as the curve
		p, q := spot{a.left + a.width*0.62, a.top - 1}, spot{b.left + b.width*0.38, b.top - 1}
		if from > to {
			p, q = spot{a.left + a.width*0.38, a.bottom() + 1}, spot{b.left + b.width*0.62, b.bottom() + 1}
			rise = -rise
		}
		return curve{p, spot{(p.x + q.x) / 2, p.y + rise}, q}.path(0.5, f.slim(""))
	}
	aside := min(a.width*0.25, 14)
	if f.nodes.lines > 1 && a.top != b.top {
		return f.betweenLines(from, to, "far")
	}
	if a.left == b.left && a.top != b.top && abs(from-to) == f.nodes.perNode {
		// The message rests between the frames.
		upper, lower := f.frames[min(from, to)/f.nodes.perNode], f.frames[max(from, to)/f.nodes.perNode]
		y := (upper.bottom() + lower.top) / 2
		down := bow(spot{a.middle().x + aside, a.bottom() + 1}, spot{a.middle().x + aside, b.top - 2}, 0)
		if a.top > b.top {
			down = bow(spot{a.middle().x - aside, a.top - 1}, spot{a.middle().x - aside, b.bottom() + 2}, 0)
		}
		return down.path((y-down.from.y)/(down.to.y-down.from.y), f.slim("far"))
	}
	if f.frames[from/f.nodes.perNode].left != f.frames[to/f.nodes.perNode].left && f.nodes.lines == 1 {
		return f.aroundColumns(from, to)
	}
	by := min(f.nodes.pitch*0.55, 60)
	return bow(a.middle(), b.middle(), by).outside(a.grow(1), b.grow(2)).path(0.5, f.slim("far"))
}

// betweenLines leads to a card of another line through the gaps between lines
// and, past the lines between, between columns of cards, so that it crosses no
// card. What goes down has a lane of its own.
func (f form) betweenLines(from, to int, kind string) MovePath {
	a, b := f.card(from), f.card(to)
	down, aside, lane := b.top > a.top, min(a.width*0.25, 6), 2.0
	p, q := spot{a.middle().x - aside, a.top - 1}, spot{b.middle().x - aside, b.bottom() + 2}
	out, in := a.top-f.lineGap/2+lane, b.bottom()+f.lineGap/2+lane
	if down {
		p, q = spot{a.middle().x + aside, a.bottom() + 1}, spot{b.middle().x + aside, b.top - 2}
		out, in = a.bottom()+f.lineGap/2-lane, b.top-f.lineGap/2-lane
	}
	near := abs(a.top-b.top) < 1.5*(f.cardHeight+f.lineGap)
	d := fmt.Sprintf("M%s %s", number(p.x), number(p.y))
	switch rest := (spot{p.x, out}); {
	case near && a.left == b.left:
		return MovePath{D: d + "V" + number(q.y), X: p.x, Y: p.y + (q.y-p.y)*0.45, Kind: f.slim(kind)}
	case near:
		return MovePath{D: d + fmt.Sprintf("V%sH%sV%s", number(out), number(q.x), number(q.y)), X: rest.x, Y: rest.y, Kind: f.slim(kind)}
	default:
		between := b.left - (f.nodes.pitch-f.cardWidth)/2
		return MovePath{D: d + fmt.Sprintf("V%sH%sV%sH%sV%s", number(out), number(between), number(in), number(q.x), number(q.y)), X: rest.x, Y: rest.y, Kind: f.slim(kind)}
	}
}

// aroundColumns leads to a node of another column: out below the cards, between
// the columns to the height of the other node, and into its cards from above,
// or from below where both stand side by side. All that go the same way share
// the way, one lane each direction, and no card is crossed.
func (f form) aroundColumns(from, to int) MovePath {
	a, b := f.card(from), f.card(to)
	source, target := f.frames[from/f.nodes.perNode], f.frames[to/f.nodes.perNode]
	lane, gutter := -1.5, source.right()+nodeBetween/2-2.5
	if target.left < source.left {
		lane, gutter = 1.5, source.left-nodeBetween/2+2.5
	}
	p, q := spot{a.middle().x, a.bottom() + 1}, spot{b.middle().x, b.top - 2}
	// The message rests right below its card, the lanes run at the frame's edge.
	below, beside := a.bottom()+f.nodes.room-4+lane, b.top-f.nodes.room/2+2*lane
	if a.top == b.top {
		q.y, beside = b.bottom()+2, below
	}
	d := fmt.Sprintf("M%s %sV%sH%sV%sH%sV%s", number(p.x), number(p.y), number(below), number(gutter), number(beside), number(q.x), number(q.y))
	return MovePath{D: d, X: p.x, Y: p.y + f.token.height/2, Kind: f.slim("far")}
}

func abs[T int | float64](v T) T { return max(v, -v) }
