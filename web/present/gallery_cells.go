package present

import (
	"fmt"
	"html"
	"strings"

	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// galleryCell is a block in a state that it can have.
type galleryCell struct {
	message string // its name
	ticks   string // a letter a rank: o off, i coming in, n new in this step, x there before
	role    draw.Role
	final   bool
	block   int
	digit   string
}

// galleryCellStates are those states.
func galleryCellStates() []galleryCell {
	return []galleryCell{
		{message: "gallery.cell.empty", ticks: "oooo", digit: "1"},
		{message: "gallery.cell.own", ticks: "xooo", block: 1, digit: "2"},
		{message: "gallery.cell.sends", ticks: "xxoo", role: draw.Sends, block: 2, digit: "3"},
		{message: "gallery.cell.coming", ticks: "xiio", role: draw.Receives, block: 3, digit: "4"},
		{message: "gallery.cell.merged", ticks: "xnno", block: 4, digit: "5"},
		{message: "gallery.cell.final", ticks: "xxxn", final: true, block: 5, digit: "6"},
		{message: "gallery.cell.stuck", ticks: "xxoo", role: draw.RoleStuck, block: 6, digit: "7"},
		{message: "gallery.cell.eight", ticks: "xxxnnooo", role: draw.Receives, block: 7},
		{message: "gallery.cell.many", ticks: "xxxxxxxxxxoooooo", block: 12},
	}
}

// galleryCellSize is a size of a cell by its name in the code, with the most
// ranks that it is used for.
type galleryCellSize struct {
	name string
	size draw.CellSize
	most int
}

func galleryCellSizes() []galleryCellSize {
	return []galleryCellSize{
		{"CellLarge", draw.CellLarge, 4}, {"CellMedium", draw.CellMedium, 16}, {"CellSmall", draw.CellSmall, 16},
		{"CellPhone", draw.CellPhone, 4}, {"CellPhoneSmall", draw.CellPhoneSmall, 16},
	}
}

func galleryCellNames() []string {
	var names []string
	for _, s := range galleryCellSizes() {
		names = append(names, s.name)
	}
	return names
}

// galleryCells draws every state in every size.
func galleryCells(l locale.Locale) []views.GalleryRow {
	var rows []views.GalleryRow
	for _, state := range galleryCellStates() {
		row := views.GalleryRow{Name: l.T(state.message)}
		cell := draw.BlockCell{Block: state.block, Role: state.role, Final: state.final, Digit: state.digit,
			SendWord: l.T("lesson.stage.send"), ReceiveWord: l.T("lesson.stage.receive")}
		for _, letter := range state.ticks {
			cell.Ticks = append(cell.Ticks, map[rune]draw.CellTick{'o': draw.TickOff, 'i': draw.TickIn, 'n': draw.TickNew, 'x': draw.TickOn}[letter])
		}
		for _, s := range galleryCellSizes() {
			if len(cell.Ticks) > s.most {
				row.Pictures = append(row.Pictures, "")
				continue
			}
			class := "stage"
			if s.size.Width < draw.CellLarge.Width {
				class += " fine"
			}
			const edge = 3 // for the thick frame of a receiver
			var drawing strings.Builder
			cell.Write(&drawing, s.size, edge, edge)
			row.Pictures = append(row.Pictures, galleryFrame(class, html.EscapeString(row.Name), s.size.Width+2*edge, s.size.Height+2*edge, drawing.String()))
		}
		rows = append(rows, row)
	}
	return rows
}

// galleryHues draws each hue with its pattern.
func galleryHues() []string {
	var all []string
	for hue := range draw.Hues {
		drawing := fmt.Sprintf(`<rect class="cell-%d" x="1" y="1" width="46" height="46"/>`, hue)
		if hue > 0 {
			drawing += fmt.Sprintf(`<rect fill="url(#p%d)" x="1" y="24" width="46" height="23"/>`, hue)
		}
		all = append(all, galleryFrame("hue", fmt.Sprintf("--c%d", hue), 48, 48, drawing))
	}
	return all
}
