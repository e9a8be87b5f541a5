package draw

import (
	"fmt"
	"html"
	"strings"
)

// CellTick is the state of one rank's contribution inside a BlockCell. Its name is
// the class of the tick, which scripts exchange for another.
type CellTick string

// The states of a tick. A shape goes with each, so that none rests on colour.
const (
	TickOff CellTick = "tick-off" // not there yet: hollow, grey
	TickIn  CellTick = "tick-in"  // on its way: hollow, thick accent edge
	TickNew CellTick = "tick-new" // came in this very step: filled, accent edge
	TickOn  CellTick = "tick-on"  // there since before: filled
)

// Role is what a BlockCell does in the current step. Its name is a class of
// the cell.
type Role string

// The roles of a cell.
const (
	Idle     Role = ""
	Sends    Role = "sends"
	Receives Role = "receives"
)

// BlockCell is one block on one rank, as every page of the product draws it: a
// swatch with the block's number over its hue and pattern, who has contributed,
// how many that are, and whether the block is final.
//
// It is drawn as
//
//	<g class="cell-block hue-H copy held tmp ROLE final wrong" data-cell="RANK-BLOCK">
//	  rect.cell-box  rect.cell-swatch  text.cell-no
//	  text.cell-digit[data-digit=k]       one per rank, where Digit is set and the size has room
//	  rect.tick-STATE[data-tick=k]        one per rank, up to 8 ranks
//	  text.cell-from                      of a copy, in place of ticks, bar and count
//	  rect.cell-rail  rect.cell-bar       beyond: its x scale is the share that is there
//	  text.cell-count  text.cell-role.send  text.cell-role.recv  g.cell-done
//	</g>
//
// so that a script reaches any state by setting classes, texts and one
// transform. The word of the role is always in the page; the style sheet shows
// the one that the cell's class names.
type BlockCell struct {
	Rank, Block int
	Face        *Face      // the hue and number that it has instead of its block's; nil for those
	Copy        bool       // it is moved, never combined: there or not, by its only tick
	From        string     // of a copy: whose it is, in few letters
	Scratch     bool       // what it shows stands in scratch space
	Ticks       []CellTick // by contributing rank
	Digit       string     // of the value, digit k comes from rank k; empty for none
	Final       bool
	Wrong       bool // it holds what it should not, or lacks what it should
	Role        Role
	SendWord    string // empty leaves the words out
	ReceiveWord string
}

// Face is a hue and a number.
type Face struct{ Hue, Number int }

func (c BlockCell) face() Face {
	if c.Face != nil {
		return Face{c.Face.Hue % Hues, c.Face.Number}
	}
	return Face{c.Block % Hues, c.Block}
}

// maxTicks is the most ranks that get a tick each; beyond, a bar counts.
const maxTicks = 8

// CellSize is the geometry of a BlockCell, in units of the view box.
type CellSize struct {
	Width, Height float64

	swatch, number           float64 // its width; the size of the number on it
	digit, digitAt           float64 // size and base line; 0 leaves digits out
	tick, tickAt             float64 // side and top; 0 always draws the bar
	count, countAt, countEnd float64 // size, base line, distance of its end from the right
	role, roleAt             float64 // size and base line; 0 leaves the words out
	bar                      float64 // how thick the bar is where the usual one has no room
	chip                     bool    // the swatch is all there is, over a bar
}

// The sizes of a cell.
var (
	// CellLarge has room for four digits and both words.
	CellLarge = CellSize{Width: 150, Height: 74, swatch: 28, number: 18, digit: 26, digitAt: 35, tick: 12, tickAt: 48,
		count: 15, countAt: 59, countEnd: 9, role: 18, roleAt: 34}
	// CellMedium has room for eight ticks.
	CellMedium = CellSize{Width: 88, Height: 36, swatch: 19, number: 15, tick: 5.4, tickAt: 25,
		count: 13, countAt: 17, countEnd: 6, role: 13, roleAt: 17}
	// CellSmall has room for a bar.
	CellSmall = CellSize{Width: 48, Height: 21, swatch: 20, number: 13, count: 13, countAt: 12, countEnd: 4, bar: 3.5}
	// CellPhone is CellLarge on a phone, four in a row.
	CellPhone = CellSize{Width: 72, Height: 54, swatch: 16, number: 13, digit: 18, digitAt: 25, tick: 9.6, tickAt: 34}
	// CellPhoneSmall is for up to eight in a row on a phone.
	CellPhoneSmall = CellSize{Width: 37, Height: 32, swatch: 14, number: 12, count: 12, countAt: 18, countEnd: 4}
	// CellChip is a number over a bar, where cards stand close.
	CellChip = CellSize{Width: 23, Height: 22, number: 12, chip: true}
)

// Write draws c with its upper left corner at x, y.
func (c BlockCell) Write(s *strings.Builder, size CellSize, x, y float64) {
	hue := c.face().Hue
	class := fmt.Sprintf("cell-block hue-%d", hue)
	if c.Copy {
		class += " copy"
		if c.have() > 0 {
			class += " held"
		}
	}
	if c.Scratch {
		class += " tmp"
	}
	if c.Role != Idle {
		class += " " + string(c.Role)
	}
	if c.Final {
		class += " final"
	}
	if c.Wrong {
		class += " wrong"
	}
	fmt.Fprintf(s, `<g class="%s" data-cell="%d-%d" transform="translate(%s %s)">`, class, c.Rank, c.Block, number(x), number(y))
	fmt.Fprintf(s, `<rect class="cell-box" width="%s" height="%s" rx="4"/>`, number(size.Width), number(size.Height))
	if size.chip {
		c.writeChip(s, size)
		return
	}
	inset := 3.0
	writeSwatch(s, hue, inset, inset, size.swatch, size.Height-2*inset)
	fmt.Fprintf(s, `<text class="cell-no" x="%s" y="%s" font-size="%s">%d</text>`,
		number(inset+size.swatch/2), number(c.numberAt(size, inset)), number(size.number), c.face().Number)
	left := inset + size.swatch + 5
	right := size.Width - 5
	c.writeDigits(s, size, left)
	if c.Copy {
		c.writeFrom(s, size, left, right)
	} else if size.tick > 0 && len(c.Ticks) <= maxTicks {
		c.writeTicks(s, size, left, right)
	} else {
		c.writeBar(s, size, left, right)
	}
	if size.count > 0 && !c.Copy {
		fmt.Fprintf(s, `<text class="cell-count" x="%s" y="%s" font-size="%s">%s</text>`,
			number(size.Width-size.countEnd), number(size.countAt), number(size.count), c.count(size))
	}
	if size.role > 0 && c.SendWord != "" {
		at, anchor := size.Width-9, "cell-role"
		if size.digit == 0 {
			at, anchor = left, "cell-role cell-role-left"
		}
		text := size.role
		if measure(c.SendWord) > 2*textSize { // send, not 发
			text *= 0.82
		}
		fmt.Fprintf(s, `<text class="%s send" x="%s" y="%s" font-size="%s">%s</text>`, anchor, number(at), number(size.roleAt), number(text), html.EscapeString(c.SendWord))
		fmt.Fprintf(s, `<text class="%s recv" x="%s" y="%s" font-size="%s">%s</text>`, anchor, number(at), number(size.roleAt), number(text), html.EscapeString(c.ReceiveWord))
	}
	c.writeDone(s, size, inset)
	s.WriteString(`</g>`)
}

// writeChip fills the box of a cell that has no room beside its swatch.
func (c BlockCell) writeChip(s *strings.Builder, size CellSize) {
	face := c.face()
	writeSwatch(s, face.Hue, 2.5, 2.5, size.Width-5, size.Height-9.5)
	fmt.Fprintf(s, `<text class="cell-no" x="%s" y="%s" font-size="%s">%d</text>`, number(size.Width/2), number(13), number(size.number), face.Number)
	if !c.Copy {
		c.writeBar(s, size, 2.5, size.Width-2.5)
	}
	s.WriteString(`</g>`)
}

// numberAt is the base line of the number: at the top of the swatch, in the
// middle of a low one.
func (c BlockCell) numberAt(size CellSize, inset float64) float64 {
	if size.Height-2*inset < plainBelow {
		return size.Height/2 + size.number*0.36
	}
	return inset + size.number*1.05
}

// writeDone draws the mark of a final block at the foot of the swatch, on the
// plain hue. A small cell has no room for it: there the tint and the full bar
// say it.
func (c BlockCell) writeDone(s *strings.Builder, size CellSize, inset float64) {
	side := min(size.swatch, 16)
	foot := size.Height - inset - 1
	if foot-side < inset+size.number {
		return
	}
	fmt.Fprintf(s, `<g class="cell-done"><rect class="cell-swatch" x="%s" y="%s" width="%s" height="%s"/><path d="M%s %sl%s %sl%s -%s"/></g>`,
		number(inset), number(foot-side+1), number(size.swatch), number(side),
		number(inset+size.swatch/2-side*0.3), number(foot-side*0.45), number(side*0.22), number(side*0.22), number(side*0.4), number(side*0.45))
}

// have is how many contributions are there.
func (c BlockCell) have() int {
	n := 0
	for _, tick := range c.Ticks {
		if tick == TickOn || tick == TickNew {
			n++
		}
	}
	return n
}

// count is how many contributions are there, and of how many where there is
// room to say so.
func (c BlockCell) count(size CellSize) string {
	if size.tick == 0 {
		return fmt.Sprint(c.have())
	}
	return fmt.Sprintf("%d/%d", c.have(), len(c.Ticks))
}

// plainBelow is the height under which a pattern would run through the number,
// which then tells blocks apart by itself.
const plainBelow = 20.0

// writeSwatch draws the hue with its pattern on the lower half.
func writeSwatch(s *strings.Builder, hue int, x, y, width, height float64) {
	fmt.Fprintf(s, `<rect class="cell-swatch" x="%s" y="%s" width="%s" height="%s"/>`, number(x), number(y), number(width), number(height))
	if hue > 0 && height >= plainBelow { // pattern 0 is the plain hue
		fmt.Fprintf(s, `<rect fill="url(#p%d)" x="%s" y="%s" width="%s" height="%s"/>`, hue, number(x), number(y+height/2), number(width), number(height/2))
	}
}
