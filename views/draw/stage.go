package draw

import (
	"fmt"
	"html"
)

// StageLayout is how the ranks of a stage stand.
type StageLayout uint8

// The layouts. Ring and Row stand in one row; a move to anyone but the right
// neighbour goes over the top. In a Star everyone stands above the center,
// whose port all moves pass in a queue. A Tree stands level by level below its
// root, Nodes in a frame a node, and around a Switch everyone has a line in and
// a line out.
const (
	RowLayout StageLayout = iota
	RingLayout
	StarLayout
	TreeLayout
	NodesLayout
	SwitchLayout
)

// Stage is what every rank holds at one step, and what moves. It knows ranks,
// cells and moves, no algorithm.
type Stage struct {
	Layout StageLayout
	Narrow bool   // for a phone
	ID     string // of the svg; unique in the page
	Title  string
	Desc   string // says the picture in words
	Center int    // of a Star
	Cards  []Card // by rank, all with the same number of cells
	Moves  []Move // of this step
	Split  int    // of a row of cards: cells above a gap; 0 for no gap
	Arcs   bool   // of a row of cards: some move of some step does not go to the right neighbour
	Feet   bool   // every card has a line below its cells, for Foot
	Slots  int    // the most moves of any step: so many are drawn, the rest hidden

	WrapWord string // beside the link that leads from the last rank to the first
	PortWord string // above the queue of a Star, in a Switch

	Parents   [][]int  // of a Tree: by tree, then by rank; NoParent for the root and for who is not in it
	PerNode   int      // of Nodes: ranks in a node; the last may have fewer, 0 puts all in one
	Nodes     []string // of Nodes: their names
	Rails     []string // of Nodes: the names of the same place in every node; may be empty
	EdgeWords []string // what the kinds of edges are: of a Tree by tree, of Nodes inside, across and rails; may be empty

	Asked *Asked // what a question points at; nil for none
}

// Card is one rank.
type Card struct {
	Name  string // Rank 3
	Short string // 3, where there is no room
	Foot  string // below the cells
	Note  string // beside the name, where there is room
	Idle  bool   // neither sends nor receives in a step in which others do
	Cells []BlockCell
}

// Move is one message of the step.
type Move struct {
	From, To         int // ranks; one may be Fabric where there is a Switch
	FromCell, ToCell int // which of their cells
	Block            int // whose hue is on the message, and whose number but for Number
	Number           string
	More             bool // it carries others too
	Value            string
	Wait             string // below its place in the queue of a Star
	Tree             int    // of a Tree: which of them it goes along
	Kind             string // one more class: wrong for one that should not be, ghost for one that should; mostly empty
}

// Mark is the number on the message, with a plus where it carries more blocks.
func (m Move) Mark() string {
	mark := m.Number
	if mark == "" {
		mark = fmt.Sprint(m.Block)
	}
	if m.More {
		mark += "+"
	}
	return mark
}

// MovePath is where a Move goes: the path that it is drawn with and the point
// where the message rests on it.
type MovePath struct {
	D    string
	X, Y float64
	Bare bool // there is only room for a tip, which D outlines
	// Kind is more classes: that of the Move; far from node to node, other along
	// the second tree, in and out of a switch; mostly empty.
	Kind string
}

// Heat reports whether the stage has too many cells for hues: then they are
// painted in one ramp.
func (s Stage) Heat() bool { return s.form().heat }

// Arrows reports whether the stage has room for moves.
func (s Stage) Arrows() bool {
	f := s.form()
	return !f.heat || f.dots
}

// SVG draws the stage.
func (s Stage) SVG() string {
	f := s.form()
	c := &canvas{width: f.width}
	class := "stage wide"
	if s.Narrow {
		class = "stage narrow"
	}
	if f.cell.tick > 0 && f.cell.tick < 8 {
		class += " fine"
	}
	if f.height > wideTall+1 {
		class += " tall"
	}
	fmt.Fprintf(c, `<svg class="%s" id="%s" viewBox="0 0 %s %s" role="img" aria-labelledby="%[2]s-t %[2]s-d" focusable="false">`+
		`<title id="%[2]s-t">%[5]s</title><desc id="%[2]s-d">%[6]s</desc>`,
		class, s.ID, number(f.width), number(f.height), html.EscapeString(s.Title), html.EscapeString(s.Desc))
	if f.heat && !f.dots {
		s.writeHeat(c, f)
		s.writeAsked(c, f)
		return c.close()
	}
	fmt.Fprintf(c, `<defs><marker id="%s-tip" viewBox="0 0 10 10" refX="8.5" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="g-tip" d="M0 0L10 5L0 10z"/></marker></defs>`, s.ID)
	s.writeGround(c, f)
	for rank := range s.Cards {
		s.writeCard(c, f, rank)
	}
	s.writeMoves(c, f)
	s.writeAsked(c, f)
	return c.close()
}

// writeGround draws what lies below the cards.
func (s Stage) writeGround(c *canvas, f form) {
	if f.places == nil {
		return
	}
	switch s.Layout {
	case TreeLayout:
		s.writeTree(c, f)
	case NodesLayout:
		s.writeNodes(c, f)
	case SwitchLayout:
		s.writeSwitch(c, f)
	}
	s.writeKey(c, f)
	if f.dots {
		lines := s.dotLines(f)
		for i, line := range lines {
			y := f.height - 6 - float64(len(lines)-1-i)*labelLine
			fmt.Fprintf(c, `<text class="t-mut" x="6" y="%s" font-size="%s">%s</text>`, number(y), number(heatText), html.EscapeString(line))
		}
	}
}

func (s Stage) writeCard(c *canvas, f form, rank int) {
	card, x, y := s.Cards[rank], f.x(rank), f.y(rank)
	class := "stage-card"
	if card.Idle {
		class += " idle"
	}
	fmt.Fprintf(c, `<rect class="%s" data-card="%d" x="%s" y="%s" width="%s" height="%s" rx="5"/>`,
		class, rank, number(x), number(y), number(f.cardWidth), number(f.cardHeight))
	name, at := card.Name, x+f.cardWidth/2
	anchored := middle
	if f.short {
		name = card.Short
	}
	if f.notes {
		at, anchored = x+14, start
		fmt.Fprintf(c, `<text class="t-mut" data-note="%d" x="%s" y="%s" font-size="15" text-anchor="end">%s</text>`,
			rank, number(x+f.cardWidth-12), number(y+f.head*0.63), html.EscapeString(card.Note))
	}
	under := y + f.head*0.66
	switch {
	case f.upright:
		at, under = x+f.pad/2, y+f.cardHeight/2+f.name*0.36
	case f.stagger && f.dots:
		under = y + 12 + float64(f.beside.place[rank]%2)*12
	}
	fmt.Fprintf(c, `<text class="t-rank" x="%s" y="%s" font-size="%s"%s>%s</text>`,
		number(at), number(under), number(f.name), anchored, html.EscapeString(name))
	if f.dots {
		f.writeDots(c, rank, card.Cells)
		return
	}
	for i, cell := range card.Cells {
		at := f.cellAt(rank, i)
		cell.Write(&c.Builder, f.cell, at.x, at.y)
	}
	if s.Feet {
		fmt.Fprintf(c, `<text class="t-mut" data-foot="%d" x="%s" y="%s" font-size="13" text-anchor="middle">%s</text>`,
			rank, number(x+f.cardWidth/2), number(y+f.cardHeight-5), html.EscapeString(card.Foot))
	}
}
