package draw

import (
	"fmt"
	"math"
)

// Columns draws ranks side by side, each a column of blocks that fill up: a
// column is a rank, a row a block.
type Columns struct {
	Frame        // ColumnsWidth or ColumnsNarrow by ColumnsHeight; drawings of both widths with one key share their parts
	Key   string // before the keys of the parts
	Ring  bool   // each rank sends to the next and the last to the first
	Ranks []RankColumn
	Now   float64

	PerNode int      // ranks that stand together on a node; 0 for no nodes
	Nodes   []string // what the nodes are called
	Switch  string   // what the network's own part is called; empty for none
	Works   []Turn   // when it works
}

// RankColumn is a rank of Columns.
type RankColumn struct {
	Name   string
	Blocks []Block // by row; empty where there are too many to draw
	Sends  []Turn  // when the rank sends
	// Without blocks: how the whole fills, first with parts of the result, then
	// with what is complete.
	Part, Whole Grow
}

// Block is a block on a rank over time.
type Block struct {
	Changes []BlockChange // by time; the first from the beginning
}

// BlockChange is what a block is from a moment on.
type BlockChange struct {
	From   float64
	Share  float64 // of the contributions that are in it, 0 to 1
	Coming bool    // a message into it is under way
	Final  bool    // it is complete
	Own    bool    // and was completed by adding up here
}

// Change adds what a block is from the end of a turn on, during which a message
// into it is under way. It never has less than before.
func (b *Block) Change(during Turn, to BlockChange) {
	before := b.Changes[len(b.Changes)-1]
	if during.Start < during.End {
		before.From, before.Coming = max(before.From, during.Start), true
		b.Changes = append(b.Changes, before)
	}
	to.From, to.Share = max(before.From, during.End), max(before.Share, to.Share)
	b.Changes = append(b.Changes, to)
}

// The view box of columns.
const (
	ColumnsWidth  = 880.0
	ColumnsNarrow = 340.0 // for a phone
	ColumnsHeight = 158.0
)

const (
	columnTop    = 22.0
	columnHeight = 106.0
	columnName   = 20.0 // from a column to the base line of its name
)

// SVG draws the columns at their moment and returns how they change.
func (d Columns) SVG() (string, Reel) {
	c := &reelCanvas{canvas: d.open(), now: d.Now}
	n := float64(len(d.Ranks))
	margin := 8.0
	if d.Ring && (d.Width > 400 || n < 8) {
		margin = min(34, d.Width*0.08)
	}
	pitch := (d.Width - 2*margin) / n
	width := math.Min(pitch*0.72, 72)
	d.nodes(c, margin, pitch)
	if d.Switch != "" {
		d.switching(c, margin, pitch)
	}
	for i, rank := range d.Ranks {
		center := margin + (float64(i)+0.5)*pitch
		left := center - width/2
		if len(rank.Blocks) == 0 {
			d.whole(c, i, left, width)
		} else {
			d.blocks(c, i, left, width)
		}
		if i%d.every(pitch) == 0 {
			c.text(center, columnTop+columnHeight+columnName, middle, "g-quiet", rank.Name)
		}
		if d.Ring && pitch > 40 && i < len(d.Ranks)-1 {
			c.node("path", fmt.Sprintf(`d="M%s %sH%sm-7-5l8 5l-8 5"`, number(left+width+4), number(columnTop+columnHeight/2), number(left+pitch-5)),
				d.sending(i))
		}
	}
	if d.Ring && pitch > 40 {
		first, last := margin+pitch/2-width/2, d.Width-margin-pitch/2+width/2
		y := number(columnTop + columnHeight/2)
		c.node("path", fmt.Sprintf(`d="M%s %sh10a8 8 0 0 0 8-8V16a8 8 0 0 0-8-8H%sa8 8 0 0 0-8 8V%[5]sa8 8 0 0 0 8 8H%[4]sm-7-5l8 5l-8 5"`,
			number(last+4), y, number(first-14), number(first-3), number(columnTop+columnHeight/2-8)), d.sending(len(d.Ranks)-1))
	}
	return c.close(), c.parts
}

// every is at how many ranks a name stands, a power of two: names do not touch.
func (d Columns) every(pitch float64) int {
	widest := 0.0
	for _, rank := range d.Ranks {
		widest = math.Max(widest, measure(rank.Name))
	}
	every := 1
	for float64(every)*pitch < widest+4 {
		every *= 2
	}
	return every
}

// nodes names the nodes over their ranks and draws a line between each two.
func (d Columns) nodes(c *reelCanvas, margin, pitch float64) {
	for v := 0; d.PerNode > 0 && v*d.PerNode < len(d.Ranks); v++ {
		left := margin + float64(v*d.PerNode)*pitch
		right := math.Min(left+float64(d.PerNode)*pitch, margin+float64(len(d.Ranks))*pitch)
		if v > 0 {
			c.line("g-split", left, 2, left, columnTop+columnHeight+columnName)
		}
		if v < len(d.Nodes) && measure(d.Nodes[v])+6 < right-left {
			c.text((left+right)/2, columnTop-9, middle, "g-quiet", d.Nodes[v])
		}
	}
}

// switching draws the network's own part over all ranks: strong while it works.
func (d Columns) switching(c *reelCanvas, margin, pitch float64) {
	part := Mover{Key: d.Key + "switch", Looks: []Look{{0, "g-idle", ""}}}
	for _, t := range d.Works {
		part.Looks = append(part.Looks, Look{t.Start, "g-flow", ""}, Look{t.End, "g-idle", ""})
	}
	left, right := margin+pitch/2, d.Width-margin-pitch/2
	room := measure(d.Switch)/2 + 8
	center := d.Width / 2
	path := fmt.Sprintf("M%s %sH%sM%s %[2]sH%[5]s", number(left), number(columnTop-13), number(center-room), number(center+room), number(right))
	for i := range d.Ranks {
		path += fmt.Sprintf("M%s %sv8", number(margin+(float64(i)+0.5)*pitch), number(columnTop-13))
	}
	c.node("path", `d="`+path+`"`, part)
	c.text(center, columnTop-8, middle, "g-quiet", d.Switch)
}

// sending is the arrow from a rank: strong while it sends.
func (d Columns) sending(i int) Mover {
	part := Mover{Key: fmt.Sprintf("%ssend-%d", d.Key, i), Looks: []Look{{0, "g-idle", ""}}}
	for _, t := range d.Ranks[i].Sends {
		part.Looks = append(part.Looks, Look{t.Start, "g-flow", ""}, Look{t.End, "g-idle", ""})
	}
	return part
}

func (d Columns) blocks(c *reelCanvas, i int, left, width float64) {
	rows := float64(len(d.Ranks[i].Blocks))
	pitch := columnHeight / rows
	height := pitch - math.Min(2.5, pitch*0.25)
	// A block grows sideways only, so that a column is one group.
	fmt.Fprintf(c, `<g transform="%s">`, translate(left+1, 0))
	for row, block := range d.Ranks[i].Blocks {
		top := columnTop + float64(row)*pitch
		frame := Mover{Key: fmt.Sprintf("%sf%d-%d", d.Key, i, row)}
		fill := Mover{Key: fmt.Sprintf("%sb%d-%d", d.Key, i, row)}
		for _, change := range block.Changes {
			class, held := "g-block", "g-held"
			if change.Coming {
				class = "g-block coming"
			}
			share := change.Share
			if change.Final {
				held, share = "g-done", 1
				if change.Own {
					held = "g-comm"
				}
			}
			frame.Looks = turned(frame.Looks, Look{change.From, class, ""})
			fill.Looks = turned(fill.Looks, Look{change.From, held, fmt.Sprintf("scale(%s 1)", fine(share))})
		}
		c.node("path", fmt.Sprintf(`d="M-1 %sh%sv%sh-%[2]sz"`, tenth(top), tenth(width), tenth(height)), frame)
		c.node("rect", fmt.Sprintf(`y="%s" width="%s" height="%s"`, tenth(top+1), tenth(width-2), tenth(height-2)), fill)
	}
	c.WriteString(`</g>`)
}

// tenth prints a length to a tenth: there are many blocks.
func tenth(v float64) string { return number(math.Round(v*10) / 10) }

// whole draws a rank as one column that fills from below.
func (d Columns) whole(c *reelCanvas, i int, left, width float64) {
	fmt.Fprintf(c, `<rect class="g-slot" %s/><g transform="%s">`, box4(left, columnTop, width, columnHeight), translate(left, columnTop+columnHeight))
	for _, bar := range []struct {
		key, class string
		grow       Grow
	}{{"part", "g-held", d.Ranks[i].Part}, {"whole", "g-whole", d.Ranks[i].Whole}} {
		grow := bar.grow
		grow.Way = Up
		c.node("rect", box4(0, -columnHeight, width, columnHeight), Mover{
			Key: fmt.Sprintf("%s%s-%d", d.Key, bar.key, i), Looks: []Look{{0, bar.class, ""}}, Grow: &grow,
		})
	}
	c.WriteString(`</g>`)
}
