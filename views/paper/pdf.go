package paper

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"

	"lockstep/sizing/report"
)

//go:embed fonts/text.ttf
var textFont []byte

// Measures of a page, in millimetres: A4 with its margins.
const (
	marginSide = 17.0
	marginTop  = 17.0
	marginFoot = 18.0
	pageWidth  = 210.0
	textWidth  = pageWidth - 2*marginSide
	pageHeight = 297.0
)

// Ink and paper of a page, red, green and blue.
var (
	black  = [3]int{21, 23, 28}
	grey   = [3]int{84, 90, 102}
	line   = [3]int{205, 208, 214}
	accent = [3]int{58, 62, 180}
	tint   = [3]int{230, 231, 247}
)

// sheet is a PDF that is being written.
type sheet struct {
	*fpdf.Fpdf
	missing map[rune]bool // characters that the font has no shape for
}

// glyphs reads the font once.
var glyphs = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(textFont) })

// PDF writes a report on A4 pages. The font is embedded as far as it is used.
// A character that it has no shape for is shown as a box, and the end of the
// report says so.
func PDF(r report.Report, s report.Sheet, lang string) ([]byte, error) {
	p := &sheet{Fpdf: fpdf.New("P", "mm", "A4", ""), missing: map[rune]bool{}}
	p.SetCatalogSort(true)
	p.SetCreationDate(r.Saved.UTC())
	p.SetModificationDate(r.Saved.UTC())
	p.SetProducer("Lockstep", false)
	p.SetTitle(r.Cover.Title, true)
	p.SetAuthor(Author(r), true)
	p.SetLang(lang)
	p.AddUTF8FontFromBytes("text", "", textFont)
	p.SetMargins(marginSide, marginTop, marginSide)
	p.SetAutoPageBreak(true, marginFoot)
	p.AliasNbPages("{nb}")
	p.SetHeaderFunc(func() {
		if p.PageNo() > 1 {
			p.SetY(9)
			p.ink(grey, 8)
			p.CellFormat(textWidth/2, 4, p.shown(cut(r.Cover.Title, 48)), "", 0, "L", false, 0, "")
			p.CellFormat(textWidth/2, 4, p.shown(Edition(r, s)), "", 0, "R", false, 0, "")
			p.SetY(marginTop)
		}
	})
	p.SetFooterFunc(func() {
		p.SetY(-12)
		p.ink(grey, 8)
		p.CellFormat(textWidth*0.8, 4, p.shown(s.Labels.Foot), "", 0, "L", false, 0, "")
		p.CellFormat(textWidth*0.2, 4, fmt.Sprintf("%d / {nb}", p.PageNo()), "", 0, "R", false, 0, "")
	})
	p.AddPage()
	p.cover(r, s)
	for i, block := range s.Blocks {
		if block.Kind == report.Heading {
			p.room(min(p.together(s.Blocks[i:]), pageHeight/2))
		}
		p.block(block)
	}
	if len(p.missing) > 0 {
		p.note(s.Labels.Missing)
	}
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, fmt.Errorf("write PDF: %w", err)
	}
	return out.Bytes(), nil
}

// ink chooses colour and size, in points, of what is written next.
func (p *sheet) ink(colour [3]int, size float64) {
	p.SetFont("text", "", size)
	p.SetTextColor(colour[0], colour[1], colour[2])
	p.SetTextRenderingMode(0)
}

// strong is ink for what stands out: the one weight of the font, with an edge.
func (p *sheet) strong(colour [3]int, size float64) {
	p.ink(colour, size)
	p.SetTextRenderingMode(2)
	p.SetDrawColor(colour[0], colour[1], colour[2])
	p.SetLineWidth(size * 0.008)
}

// shown is text as it can be written: characters without a shape as boxes.
func (p *sheet) shown(text string) string {
	font, err := glyphs()
	if err != nil {
		return text
	}
	var buffer sfnt.Buffer
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		if at, err := font.GlyphIndex(&buffer, r); err == nil && at != 0 {
			return r
		}
		p.missing[r] = true
		return '□'
	}, text)
}

// room begins a page unless so much of this one is left.
func (p *sheet) room(height float64) {
	if p.GetY()+height > pageHeight-marginFoot {
		p.AddPage()
	}
}

// paragraph writes text over the width from x on.
func (p *sheet) paragraph(x, width, height float64, text string) {
	for _, line := range p.lines(text, width) {
		p.room(height)
		p.SetX(x)
		p.CellFormat(width, height, line, "", 1, "L", false, 0, "")
	}
}

func (p *sheet) cover(r report.Report, s report.Sheet) {
	p.SetDrawColor(black[0], black[1], black[2])
	p.SetLineWidth(0.8)
	p.Line(marginSide, marginTop, pageWidth-marginSide, marginTop)
	const factsWidth = 62.0
	p.SetY(marginTop + 5)
	top := p.GetY()
	p.strong(black, 20)
	p.paragraph(marginSide, textWidth-factsWidth-6, 9.5, p.shown(r.Cover.Title))
	p.ink(black, 11)
	p.paragraph(marginSide, textWidth-factsWidth-6, 5.6, p.shown(s.Setting))
	left := p.GetY()
	p.SetY(top)
	p.logo(r.Cover, factsWidth)
	for _, l := range Front(r, s) {
		x := pageWidth - marginSide - factsWidth
		p.ink(grey, 8.5)
		p.SetX(x)
		p.CellFormat(18, 4.6, p.shown(l.Name), "", 0, "L", false, 0, "")
		p.ink(black, 8.5)
		p.paragraph(x+18, factsWidth-18, 4.6, p.shown(l.Value))
	}
	p.SetY(max(left, p.GetY()) + 3)
	if r.Cover.Notes != "" {
		p.ink(grey, 9.5)
		p.paragraph(marginSide, textWidth, 5.2, p.shown(r.Cover.Notes))
		p.Ln(3)
	}
	p.SetDrawColor(black[0], black[1], black[2])
	p.SetLineWidth(0.2)
	p.Line(marginSide, p.GetY(), pageWidth-marginSide, p.GetY())
	p.Ln(1)
}

// logo draws the seller's logo at the right, in the width of the facts that
// follow beneath.
func (p *sheet) logo(c report.Cover, width float64) {
	wide, high := c.LogoSize()
	if wide == 0 {
		return
	}
	const most = 16.0                                              // high
	scale := min(width/float64(wide), most/float64(high), 25.4/96) // no coarser than a screen
	options := fpdf.ImageOptions{ImageType: "PNG"}
	p.RegisterImageOptionsReader("logo", options, bytes.NewReader(c.Logo))
	p.ImageOptions("logo", pageWidth-marginSide-width, p.GetY(), float64(wide)*scale, float64(high)*scale, false, options, 0, "")
	p.SetY(p.GetY() + float64(high)*scale + 3)
}

func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
