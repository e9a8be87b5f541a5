package draw

import (
	"fmt"
	"math"
)

// Replicas draws one step of training on several cards: a column for each
// card, from top to bottom what it has at each stage of the step. Between two
// stages a bar may go across all columns, where the cards communicate.
type Replicas struct {
	Title, Desc string
	Narrow      bool // as wide as a phone
	Names       []string
	Stages      []ReplicaStage
}

// ReplicaStage is a row of the drawing.
type ReplicaStage struct {
	Name  string
	Cells []ReplicaCell
	// Bar goes across below the row, in the accent; with Apart it says that
	// nothing does.
	Bar   string
	Apart bool
}

// ReplicaCell is what one card has at a stage.
type ReplicaCell struct {
	Words string
	Hues  []int // swatches left of the words: whose it is; several for a sum
	Alike bool  // all cards have the same
}

// Lengths of replicas, in units of the view box.
const (
	replicasWide   = 440.0
	replicasNarrow = 340.0
	replicaHigh    = 34.0
	replicaGap     = 8.0  // between columns
	replicaBetween = 18.0 // below a row, for arrows
	replicaBar     = 34.0
	replicaHead    = 24.0
)

// SVG draws the step.
func (d Replicas) SVG() string {
	width := replicasWide
	if d.Narrow {
		width = replicasNarrow
	}
	columns := float64(max(len(d.Names), 1))
	each := (width - 2 - (columns-1)*replicaGap) / columns
	left := func(i int) float64 { return 1 + float64(i)*(each+replicaGap) }
	height := replicaHead
	for i, stage := range d.Stages {
		height += labelLine + 4 + replicaHigh
		if stage.Bar != "" {
			height += 2*replicaBetween + replicaBar - 6
		} else if i < len(d.Stages)-1 {
			height += replicaBetween
		}
	}
	c := Frame{Width: width, Height: height + 2, Title: d.Title, Desc: d.Desc, Class: "replicas " + widthName(d.Narrow)}.open()
	for i, name := range d.Names {
		c.text(left(i)+each/2, 14, middle, "g-strong", name)
	}
	y := replicaHead
	for at, stage := range d.Stages {
		c.text(1, y+12, start, "g-quiet", stage.Name)
		y += labelLine + 4
		for i, cell := range stage.Cells {
			c.replica(cell, left(i), y, each)
		}
		y += replicaHigh
		switch {
		case stage.Bar != "" && stage.Apart:
			middleOf := y + replicaBetween + replicaBar/2 - 6
			for i := range stage.Cells {
				c.down(left(i)+each/2, y+2, middleOf-13)
				c.down(left(i)+each/2, middleOf+10, y+2*replicaBetween+replicaBar-10)
			}
			c.text(width/2, middleOf+5, middle, "g-quiet", stage.Bar)
			y += 2*replicaBetween + replicaBar - 6
		case stage.Bar != "":
			top := y + replicaBetween - 2
			for i := range stage.Cells {
				c.down(left(i)+each/2, y+2, top-1)
			}
			fmt.Fprintf(c, `<rect class="g-comm" x="1" y="%s" width="%s" height="%s" rx="3"/>`, number(top), number(width-2), number(replicaBar-4))
			c.text(width/2, top+20, middle, "g-on-comm g-strong", shorten(stage.Bar, width-16))
			for i := range stage.Cells {
				c.down(left(i)+each/2, top+replicaBar-3, y+2*replicaBetween+replicaBar-8)
			}
			y += 2*replicaBetween + replicaBar - 6
		case at < len(d.Stages)-1:
			for i := range stage.Cells {
				c.down(left(i)+each/2, y+2, y+replicaBetween-2)
			}
			y += replicaBetween
		}
	}
	return c.close()
}

// replica draws what one card has.
func (c *canvas) replica(cell ReplicaCell, x, y, width float64) {
	class := "replica"
	if cell.Alike {
		class += " alike"
	}
	fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="3"/>`, class, number(x), number(y), number(width), number(replicaHigh))
	swatch := 0.0
	if len(cell.Hues) > 0 {
		swatch = math.Min(width*0.28, 22)
		each := swatch / float64(len(cell.Hues))
		for i, hue := range cell.Hues {
			fmt.Fprintf(c, `<rect class="cell-%d" x="%s" y="%s" width="%s" height="%s"/>`, hue%Hues, number(x+4+float64(i)*each), number(y+4), number(each), number(replicaHigh-8))
			if hue%Hues > 0 {
				fmt.Fprintf(c, `<rect fill="url(#p%d)" x="%s" y="%s" width="%s" height="%s"/>`, hue%Hues, number(x+4+float64(i)*each), number(y+replicaHigh/2), number(each), number(replicaHigh/2-4))
			}
		}
		swatch += 4
	}
	c.text(x+swatch+(width-swatch)/2, y+replicaHigh/2+5, middle, "g-strong", cell.Words)
}

// down draws a short arrow.
func (c *canvas) down(x, from, to float64) {
	c.line("g-lead", x, from, x, to-5)
	fmt.Fprintf(c, `<path class="replica-head" d="M%s %sl-4 -6h8z"/>`, number(x), number(to))
}
