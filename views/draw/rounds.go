package draw

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Rounds is a whole schedule in one picture that stands alone in a file: a
// column is a rank, a row is a round, and every transfer an arrow from the
// sender at the top of its round to the receiver at its foot. It knows ranks,
// rounds and words, no algorithm.
//
// Beyond MostRoundArrows it counts instead: a cell for every rank and round,
// darker where more blocks pass; Words.Summary says so in the picture.
type Rounds struct {
	Head      string
	Notes     []string // below the head, a line each
	Desc      string   // says the picture in words
	Source    string   // the last line; may be empty
	Ranks     int
	RankWord  string // before the number of a rank, where there is room
	Phases    []RoundPhase
	Transfers []RoundTransfer
	Count     int // rounds
	Words     RoundWords
}

// RoundPhase is a named run of rounds.
type RoundPhase struct {
	Name        string
	First, Last int // rounds, from 1, inclusive
}

// RoundTransfer is one message, or one local step, of a round.
type RoundTransfer struct {
	Round    int // from 1; 0 for a local step before the first
	From, To int // ranks; a local step stays where it is
	Hue      int // of its first block
	Label    string
	Blocks   int
	Kind     RoundKind
}

// RoundKind is what a transfer does at its receiver. Each has a dash pattern
// and a head of its own.
type RoundKind uint8

// The kinds.
const (
	RoundCopy RoundKind = iota
	RoundReduce
	RoundMulticast
	RoundNetReduce
)

var roundKindNames = [...]string{"copy", "reduce", "multicast", "net"}

func (k RoundKind) String() string { return roundKindNames[int(k)%len(roundKindNames)] }

// RoundWords are the words of the picture.
type RoundWords struct {
	Round   string    // heads the numbers of rounds
	Kinds   [4]string // by RoundKind
	Local   string
	Summary string // what the cells are and why there are no arrows
	Less    string // a cell with the fewest blocks, and one with the most
	More    string
	Left    string // {} stands for how many labels were left out
}

// MostRoundArrows is how many arrows can be told from each other.
const MostRoundArrows = 1200

// Lengths of the picture, in units of the view box.
const (
	roundEdge  = 24.0
	roundLine  = 22.0 // of text
	roundLocal = 7.0
	roundMost  = 2400.0 // width and height that it stays below, where arrows are counted
)

// roundForm is the geometry of the picture.
type roundForm struct {
	width, height float64
	left, top     float64 // of the plot
	pitch, band   float64 // from rank to rank; from round to round
	counts        bool
	bottom        float64 // of the plot
}

// x is the line of a rank.
func (f roundForm) x(rank int) float64 { return f.left + (float64(rank)+0.5)*f.pitch }

// y is the upper edge of a round, from 1.
func (f roundForm) y(round int) float64 { return f.top + float64(round-1)*f.band }

func (r Rounds) form() roundForm {
	arrows, farthest, fan := 0, 1, 0
	sends := map[[2]int]int{} // by round and sender
	for _, t := range r.Transfers {
		if t.From == t.To {
			continue
		}
		if arrows++; arrows > MostRoundArrows {
			break
		}
		sends[[2]int{t.Round, t.From}]++
		fan = max(fan, sends[[2]int{t.Round, t.From}])
		farthest = max(farthest, t.To-t.From, t.From-t.To)
	}
	f := roundForm{counts: arrows > MostRoundArrows}
	f.left = roundEdge + 40 // the numbers of rounds
	for _, p := range r.Phases {
		f.left = max(f.left, roundEdge+measure(p.Name)*1.08+58)
	}
	n := float64(max(r.Ranks, 1))
	f.top = roundEdge + 30 + float64(len(r.Notes))*roundLine + 60
	f.pitch = min(max(900/n, 26), 160)
	f.band = min(max(f.pitch*0.75, 44), 64)
	if farthest > 4 { // long arrows need height, or they lie on each other
		f.band = min(f.band+float64(farthest)*2, 96)
	}
	if fan > 2 { // and many from one rank
		f.band = max(f.band, min(60+float64(fan)*24, 300))
	}
	if f.counts {
		f.pitch = min(max(900/n, 12), 60)
		f.band = min((roundMost-f.top)/float64(max(r.Count, 1)), 20)
		f.pitch = min(f.pitch, roundMost/n)
	}
	f.width = max(f.left+n*f.pitch+roundEdge, 760)
	f.bottom = f.y(r.Count + 1)
	f.height = f.bottom + roundLine*5 + roundEdge
	return f
}

// SVG draws the picture.
func (r Rounds) SVG() string {
	f := r.form()
	c := &canvas{width: f.width}
	fmt.Fprintf(c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%[1]s" height="%[2]s" role="img" aria-labelledby="t d"><title id="t">%s</title><desc id="d">%s</desc><style>%s</style>`,
		number(f.width), number(f.height), html.EscapeString(r.Head), html.EscapeString(r.Desc), roundStyle)
	c.WriteString(`<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 1L10 5L0 9z"/></marker></defs>`)
	fmt.Fprintf(c, `<rect class="paper" width="%s" height="%s"/>`, number(f.width), number(f.height))
	fmt.Fprintf(c, `<text class="head" x="%s" y="%s">%s</text>`, number(roundEdge), number(roundEdge+16), html.EscapeString(r.Head))
	for i, note := range r.Notes {
		c.text(roundEdge, roundEdge+18+float64(i+1)*roundLine, start, "mut", note)
	}
	r.writeFrame(c, f)
	left := 0
	if f.counts {
		r.writeCounts(c, f)
	} else {
		left = r.writeArrows(c, f)
	}
	r.writeFoot(c, f, left)
	return c.close()
}

// writeFrame draws the phases, the rounds and the ranks.
func (r Rounds) writeFrame(c *canvas, f roundForm) {
	right := f.x(r.Ranks-1) + f.pitch/2
	for i, p := range r.Phases {
		class := "phase"
		if i%2 == 1 {
			class = "phase odd"
		}
		if p.Last < p.First {
			continue
		}
		top, bottom := f.y(p.First), f.y(p.Last+1)
		fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, number(roundEdge-8), number(top), number(right-roundEdge+8), number(bottom-top))
		c.text(roundEdge, top+19, start, "strong", p.Name)
	}
	c.text(f.left-12, f.top-38, end, "mut", r.Words.Round)
	every := 1
	for float64(every)*f.band < 18 {
		every *= 2
	}
	for round := 1; round <= r.Count; round++ {
		if !f.counts || round == 1 {
			c.line("row", f.left-34, f.y(round), right, f.y(round))
		}
		if every == 1 || round == 1 || round%every == 0 {
			c.text(f.left-12, f.y(round)+f.band/2+5, end, "mut", fmt.Sprint(round))
		}
	}
	c.line("row", f.left-34, f.bottom, right, f.bottom)
	word := r.RankWord + " "
	if measure(fmt.Sprintf("%s%d", word, r.Ranks-1))+10 > f.pitch {
		word = ""
		c.text(f.left+f.pitch/2, f.top-38, start, "mut", r.RankWord)
	}
	every = 1
	for float64(every)*f.pitch < 22 {
		every *= 2
	}
	for rank := range r.Ranks {
		if rank%every == 0 {
			c.text(f.x(rank), f.top-18, middle, "strong", fmt.Sprintf("%s%d", word, rank))
			c.text(f.x(rank), f.bottom+22, middle, "mut", fmt.Sprint(rank))
		}
		if !f.counts {
			c.line("life", f.x(rank), f.top-6, f.x(rank), f.bottom+6)
		}
	}
}

// writeArrows draws the transfers and returns how many labels it left out.
func (r Rounds) writeArrows(c *canvas, f roundForm) (left int) {
	var labels strings.Builder
	placed := map[int][]area{} // by round
	locals := map[[2]int]int{}
	for _, t := range r.Transfers {
		if t.From == t.To {
			at := [2]int{t.Round, t.From}
			y, most := f.y(t.Round)+f.band-roundLocal-4-float64(locals[at])*3, 4
			if t.Round == 0 { // there the numbers of the ranks are near
				y, most = f.top-roundLocal-3, 1
			}
			if locals[at]++; locals[at] <= most {
				fmt.Fprintf(c, `<rect class="local" x="%s" y="%s" width="%s" height="%s"/>`,
					number(f.x(t.From)-roundLocal/2), number(y), number(roundLocal), number(roundLocal))
			}
			continue
		}
		from, to := spot{f.x(t.From), f.y(t.Round) + 6}, spot{f.x(t.To), f.y(t.Round) + f.band - 5}
		class := fmt.Sprintf("arrow %s", t.Kind)
		fmt.Fprintf(c, `<path class="%s" d="M%s %sL%s %s" marker-end="url(#tip)"/>`, class, number(from.x), number(from.y), number(to.x), number(to.y))
		fmt.Fprintf(c, `<circle class="from" cx="%s" cy="%s" r="2.6"/>`, number(from.x), number(from.y))
		if t.Kind == RoundReduce || t.Kind == RoundNetReduce {
			writePlus(c, roundPlus(from, to))
		}
		if t.Label != "" && !r.writeLabel(&labels, t, from, to, placed) {
			left++
		}
	}
	c.WriteString(labels.String()) // over all arrows
	return left
}

// roundPlus is where the mark of a reduction stands: before the tip.
func roundPlus(from, to spot) spot {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	return to.between(from, min(15/max(length, 1), 0.5))
}

func writePlus(c *canvas, at spot) {
	fmt.Fprintf(c, `<g transform="translate(%s %s)"><circle class="plus" r="5"/><path class="cross" d="M-3 0h6M0-3v6"/></g>`, number(at.x), number(at.y))
}

// writeLabel puts the block's number on an arrow where no other label of the
// round stands, or reports that there is no such place.
func (r Rounds) writeLabel(s *strings.Builder, t RoundTransfer, from, to spot, placed map[int][]area) bool {
	width := max(measure(t.Label)*0.86+8, 18)
	for _, share := range []float64{0.34, 0.5, 0.22, 0.62, 0.14, 0.72} {
		at := from.between(to, share)
		box := area{at.x - width/2, at.y - 8, width, 16}
		free := true
		for _, other := range placed[t.Round] {
			free = free && !box.meets(other)
		}
		if !free {
			continue
		}
		placed[t.Round] = append(placed[t.Round], box)
		fmt.Fprintf(s, `<g class="b%d" transform="translate(%s %s)"><rect class="tag" x="%s" y="-8" width="%s" height="16" rx="3"/><text class="no" y="4.3">%s</text></g>`,
			t.Hue%Hues, number(at.x), number(at.y), number(-width/2), number(width), html.EscapeString(t.Label))
		return true
	}
	return false
}
