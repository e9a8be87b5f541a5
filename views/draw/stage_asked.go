package draw

import (
	"fmt"
	"html"
)

// Asked is what a question about a stage points at: what it is about, what
// somebody has guessed, and what is so. A guess is dashed and the truth solid,
// and each says which it is in a word, so that nothing rests on colour. They
// are drawn over everything else, as
//
//	<g class="asked">  rect.asked-about
//	  g.asked-guess > path | rect, g.asked-word   g.asked-truth > path | rect, g.asked-word
//	</g>
type Asked struct {
	About       []AskedPlace
	Guess       []Move // where the guess sends blocks
	Truth       []Move // where they go
	GuessRanks  []int  // the ranks that the guess names
	TruthRanks  []int  // the ranks that it is
	GuessWord   string // before the number of a guessed block
	TruthWord   string // before that of a true one
	WithoutWord bool   // the moves carry no block of which one speaks
}

// AskedPlace is a cell of a rank, or all of its card.
type AskedPlace struct{ Rank, Cell int }

// WholeCard is the Cell of a place that is all of a card.
const WholeCard = -1

// writeAsked draws the question of the stage, if there is one.
func (s Stage) writeAsked(c *canvas, f form) {
	if s.Asked == nil {
		return
	}
	a := s.Asked
	fmt.Fprintf(c, `<g class="asked"><marker id="%s-guess" viewBox="0 0 10 10" refX="8.5" refY="5" markerWidth="6" markerHeight="6" orient="auto"><path class="asked-tip" d="M0 0L10 5L0 10z"/></marker>`, s.ID)
	for _, p := range a.About {
		f.writeFrame(c, "asked-about", s.placeOf(f, p).grow(askedMargin))
	}
	s.writeAnswer(c, f, guessClass, a.GuessWord, a.Guess, a.GuessRanks, askedMargin+3)
	s.writeAnswer(c, f, truthClass, a.TruthWord, a.Truth, a.TruthRanks, askedMargin)
	c.WriteString(`</g>`)
}

// The classes of the two answers.
const (
	guessClass = "asked-guess"
	truthClass = "asked-truth"
)

const (
	askedMargin = 1.5 // how far a frame stands off what it surrounds
	edgeRoom    = 2.0 // half a frame's line, and a little
)

// writeAnswer draws the guess or the truth.
func (s Stage) writeAnswer(c *canvas, f form, class, word string, moves []Move, ranks []int, margin float64) {
	if len(moves) == 0 && len(ranks) == 0 {
		return
	}
	fmt.Fprintf(c, `<g class="%s">`, class)
	for _, rank := range ranks {
		f.writeFrame(c, "asked-line", s.placeOf(f, AskedPlace{rank, WholeCard}).grow(margin))
	}
	if f.heat && !f.dots { // no room for arrows: only who is meant
		for _, m := range moves {
			f.writeFrame(c, "asked-line", s.placeOf(f, AskedPlace{m.To, WholeCard}).grow(margin))
		}
		moves = nil
	}
	for i, m := range moves {
		p := s.guessPath(f, m, i)
		length, tip := "", fmt.Sprintf(` marker-end="url(#%s-guess)"`, s.ID)
		if class == truthClass { // one long, so that a style sheet can draw it from end to end
			length, tip = ` pathLength="1"`, fmt.Sprintf(` marker-end="url(#%s-tip)"`, s.ID)
		}
		if p.Bare { // it is a tip itself
			tip = ""
		}
		fmt.Fprintf(c, `<path class="asked-line"%s d="%s"%s/>`, length, p.D, tip)
		s.writeWord(c, f, s.saidOf(f, class, word, m), spot{p.X, p.Y})
	}
	c.WriteString(`</g>`)
}

// saidOf is what stands on a move: the word and its block or, where there is no
// room beside the cells, a sign for the word.
func (s Stage) saidOf(f form, class, word string, m Move) string {
	said, gap := word, " "
	if f.token.value == 0 || s.Narrow {
		said, gap = "?", ""
		if class == truthClass {
			said = "✓"
		}
	}
	if !s.Asked.WithoutWord {
		said += gap + m.Mark()
	}
	return said
}

// writeWord writes a word in a box around a point, inside the drawing.
func (s Stage) writeWord(c *canvas, f form, words string, at spot) {
	const size, tall = 13.0, 20.0
	width := measure(words)*size/textSize + 10
	left := min(max(at.x-width/2, 1), f.width-width-1)
	top := min(max(at.y-tall/2, 1), f.height-tall-1)
	fmt.Fprintf(c, `<g class="asked-word"><rect x="%s" y="%s" width="%s" height="%s" rx="4"/><text x="%s" y="%s" font-size="%s" text-anchor="middle">%s</text></g>`,
		number(left), number(top), number(width), number(tall), number(left+width/2), number(top+tall*0.7), number(size), html.EscapeString(words))
}

// writeFrame frames an area, as much of it as is inside the drawing.
func (f form) writeFrame(c *canvas, class string, a area) {
	left, top := max(a.left, edgeRoom), max(a.top, edgeRoom)
	fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="6"/>`, class, number(left), number(top),
		number(min(a.right(), f.width-edgeRoom)-left), number(min(a.bottom(), f.height-edgeRoom)-top))
}

// placeOf is where a place stands, whatever the stage is made of.
func (s Stage) placeOf(f form, p AskedPlace) area {
	if f.heat && !f.dots {
		column := area{f.left + float64(p.Rank)*f.cardWidth, f.top, f.cardWidth - 1, float64(len(s.Cards[0].Cells))*f.pitch - 1}
		if p.Cell != WholeCard {
			column.top, column.height = column.top+float64(p.Cell)*f.pitch, f.pitch-1
		}
		return column
	}
	if p.Cell == WholeCard {
		return f.card(p.Rank)
	}
	at := f.cellAt(p.Rank, p.Cell)
	if f.dots {
		return area{at.x, at.y, f.pitch - 0.6, f.pitch - 0.6}
	}
	return area{at.x, at.y, f.cell.Width, f.cell.Height}
}

// guessPath is where a move goes that the schedule may not have: along the
// layout's own ways where it has such a one, else straight from card to card.
func (s Stage) guessPath(f form, m Move, i int) MovePath {
	if f.star && m.From != f.center && m.To != f.center {
		a, b := f.card(m.From), f.card(m.To)
		return bow(spot{a.middle().x, a.bottom() + 1}, spot{b.middle().x, b.bottom() + 2}, -min(60, a.height)).path(0.5, "")
	}
	return s.path(f, m, i)
}
