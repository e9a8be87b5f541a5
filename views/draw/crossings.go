package draw

import (
	"fmt"
	"math"
)

// Crossings draws ranks on their nodes, who sends to whom over them, and below
// each node its NICs with what they carry: a solid bar for what leaves, a
// hollow one beside it for what comes in.
type Crossings struct {
	Title, Desc string
	Narrow      bool // as wide as a phone
	Nodes       []CrossingNode
	Hops        []CrossingHop
}

// CrossingNode is a node. All nodes of a drawing have as many ranks and NICs.
type CrossingNode struct {
	Name  string
	Ranks []string // what stands on each rank, left out where it does not fit
	NICs  []CrossingNIC
	Says  []string // below the NICs, the first that fits
}

// CrossingNIC is what one NIC sends and receives, as shares of what the
// longest bar of all drawings that are compared stands for.
type CrossingNIC struct{ Out, In float64 }

// CrossingHop joins two ranks by their seats, counted over all nodes. Share is
// what it carries, of the hop of all drawings that carries most; the line is
// the thicker.
type CrossingHop struct {
	From, To int
	Across   bool
	Share    float64
}

// Lengths of crossings, in units of the view box.
const (
	crossingWide   = 440.0
	crossingNarrow = 340.0
	crossingInset  = 6.0  // from the edge of a node to its ranks
	crossingHead   = 58.0 // over the nodes, for hops
	crossingName   = 22.0
	crossingLeast  = 5.0 // the narrowest rank
	crossingMost   = 30.0
	crossingPlug   = 9.0
	crossingBar    = 56.0 // the longest
)

// crossings is a drawing with its measures.
type crossings struct {
	Crossings
	width, gap, box, cell, left float64
	inset                       float64
	numbered                    bool // the ranks' numbers fit
	top, bottom                 float64
}

func (d Crossings) fit() crossings {
	m := crossings{Crossings: d, width: crossingWide, gap: 10, inset: crossingInset}
	if d.Narrow {
		m.width, m.gap, m.inset = crossingNarrow, 8, crossingInset/2
	}
	nodes, ranks, widest := max(len(d.Nodes), 1), 1, 0.0
	for _, node := range d.Nodes {
		ranks = max(ranks, len(node.Ranks))
		for _, words := range node.Ranks {
			widest = math.Max(widest, measure(words))
		}
	}
	if nodes > 8 {
		m.gap = 4
	}
	m.box = math.Min((m.width-2-float64(nodes-1)*m.gap)/float64(nodes), 2*m.inset+float64(ranks)*crossingMost+40)
	m.cell = math.Max(math.Min((m.box-2*m.inset)/float64(ranks), crossingMost), math.Min(crossingLeast, m.box/float64(ranks)))
	m.numbered = widest+1 <= m.cell
	m.left = (m.width - float64(nodes)*m.box - float64(nodes-1)*m.gap) / 2
	m.top = crossingHead
	m.bottom = m.top + 2*crossingInset + m.high() + crossingName
	return m
}

// high is how high a rank is.
func (m crossings) high() float64 { return math.Max(m.cell, 16) }

func (m crossings) node(i int) float64 { return m.left + float64(i)*(m.box+m.gap) }

// rank is the left edge of a rank by its place in a node.
func (m crossings) rank(node, place int) float64 {
	row := float64(len(m.Nodes[node].Ranks)) * m.cell
	return m.node(node) + (m.box-row)/2 + float64(place)*m.cell
}

// seat is the upper middle of a rank by its seat over all nodes.
func (m crossings) seat(seat int) (spot, bool) {
	for i, node := range m.Nodes {
		if seat < len(node.Ranks) {
			return spot{m.rank(i, seat) + m.cell/2, m.top + crossingInset}, seat >= 0
		}
		seat -= len(node.Ranks)
	}
	return spot{}, false
}

// SVG draws them.
func (d Crossings) SVG() string {
	m := d.fit()
	says := 0.0
	for _, node := range d.Nodes {
		if m.words(node) != "" {
			says = 20
		}
	}
	height := m.bottom + crossingPlug + 4 + crossingBar + says + 6
	c := Frame{Width: m.width, Height: height, Title: d.Title, Desc: d.Desc, Class: "crossings " + d.class()}.open()
	for i, node := range d.Nodes {
		x := m.node(i)
		fmt.Fprintf(c, `<rect class="crossing-node" x="%s" y="%s" width="%s" height="%s" rx="4"/>`, number(x), number(m.top), number(m.box), number(m.bottom-m.top))
		for place, words := range node.Ranks {
			left := m.rank(i, place)
			fmt.Fprintf(c, `<rect class="crossing-rank" x="%s" y="%s" width="%s" height="%s"/>`, number(left), number(m.top+crossingInset), number(m.cell), number(m.high()))
			if m.numbered {
				c.text(left+m.cell/2, m.top+crossingInset+m.high()/2+5, middle, "g-strong", words)
			}
		}
		if measure(node.Name) <= m.box {
			c.text(x+m.box/2, m.bottom-8, middle, "g-quiet", node.Name)
		}
		m.nics(c, node, x)
		c.text(x+m.box/2, height-8, middle, "g-strong", m.words(node))
	}
	for _, across := range []bool{false, true} { // what crosses lies on top
		for _, hop := range d.Hops {
			if hop.Across == across {
				m.hop(c, hop)
			}
		}
	}
	return c.close()
}

func (d Crossings) class() string { return widthName(d.Narrow) }

// widthName is the class of a drawing in one of two widths.
func widthName(narrow bool) string {
	if narrow {
		return "narrow"
	}
	return "wide"
}

// words is what stands below a node's NICs, as far as it fits.
func (m crossings) words(node CrossingNode) string {
	for _, words := range node.Says {
		if boldWidth(words) <= m.box+m.gap-2 {
			return words
		}
	}
	return ""
}

// nics draws the NICs of a node, those that carry nothing hollow and dashed.
func (m crossings) nics(c *canvas, node CrossingNode, x float64) {
	if len(node.NICs) == 0 {
		return
	}
	pitch := math.Min(m.box/float64(len(node.NICs)), 44)
	first := x + (m.box-pitch*float64(len(node.NICs)))/2
	bar := math.Min(pitch*0.3, 9)
	plug := math.Min(crossingPlug, pitch*0.7)
	for i, nic := range node.NICs {
		centre := first + (float64(i)+0.5)*pitch
		class := "crossing-plug"
		if nic.Out == 0 && nic.In == 0 {
			class += " off"
		}
		fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, number(centre-plug/2), number(m.bottom), number(plug), number(crossingPlug))
		top := m.bottom + crossingPlug + 2
		for _, way := range []struct {
			class string
			share float64
			left  float64
		}{{"crossing-out", nic.Out, centre - bar - 0.5}, {"crossing-in", nic.In, centre + 0.5}} {
			if way.share > 0 {
				fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, way.class, number(way.left), number(top), number(bar), number(math.Max(way.share*crossingBar, 1.5)))
			}
		}
	}
}

// hop draws an arc from one rank to another, the higher the farther, with a
// head where ranks are wide enough for one.
func (m crossings) hop(c *canvas, hop CrossingHop) {
	from, ok := m.seat(hop.From)
	to, also := m.seat(hop.To)
	if !ok || !also {
		return
	}
	span := math.Abs(to.x - from.x)
	rise := math.Min(8+span*0.16, 20)
	if hop.Across {
		rise = math.Min(24+span*0.1, crossingHead+crossingInset-6)
	}
	// Apart from what goes the other way.
	aside := math.Min(m.cell*0.18, 5)
	if to.x < from.x {
		aside = -aside
	}
	p, q := spot{from.x + aside, from.y}, spot{to.x - aside, to.y}
	class := "crossing-hop"
	if hop.Across {
		class += " across"
	}
	// A cubic with both handles at one height rises to three quarters of it.
	top := from.y - rise*4/3
	fmt.Fprintf(c, `<path class="%s" stroke-width="%s" d="M%s %sC%s %s %s %s %s %s"/>`, class, number(0.8+2.6*math.Min(math.Max(hop.Share, 0), 1)),
		number(p.x), number(p.y), number(p.x+(q.x-p.x)*0.1), number(top), number(q.x-(q.x-p.x)*0.1), number(top), number(q.x), number(q.y))
	if m.cell >= 12 {
		fmt.Fprintf(c, `<path class="%s" d="M%s %sl-3 -6h6z"/>`, class+" head", number(q.x), number(q.y))
	}
}
