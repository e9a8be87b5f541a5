package draw

import "fmt"

// Most columns and rows of cells; beyond, neighbours share one.
const (
	mostCountColumns = 96
	mostCountRows    = 192
)

// countClass is the class of a cell with so many blocks of at most that many.
// Cells stand close, so the ramp ends before its darkest: where all are alike
// the picture is grey, not black.
func countClass(count, most int) string {
	return fmt.Sprintf("h%d", (count*(heatSteps-3)+most-1)/most)
}

// writeCounts draws a cell for every rank and round: its left half what the
// rank sends, its right half what it receives.
func (r Rounds) writeCounts(c *canvas, f roundForm) {
	across := (r.Ranks + mostCountColumns - 1) / mostCountColumns
	down := max((r.Count+mostCountRows-1)/mostCountRows, 1)
	columns, rows := (r.Ranks+across-1)/across, (r.Count+down-1)/down
	sides := [2][]int{make([]int, columns*rows), make([]int, columns*rows)} // sent, received
	most := 1
	for _, t := range r.Transfers {
		if t.From == t.To || t.Round < 1 || t.Round > r.Count {
			continue
		}
		for side, rank := range []int{t.From, t.To} {
			count := &sides[side][rank/across*rows+(t.Round-1)/down]
			*count += max(t.Blocks, 1)
			most = max(most, *count)
		}
	}
	half := f.pitch * float64(across) / 2
	for column := range columns {
		for side, counts := range sides {
			x := f.left + float64(2*column+side)*half
			for row := 0; row < rows; { // neighbours alike are one path
				count, next := counts[column*rows+row], row+1
				for next < rows && counts[column*rows+next] == count {
					next++
				}
				if count > 0 {
					fmt.Fprintf(c, `<path class="%s" d="M%s %sh%sV%sh-%[4]sz"/>`, countClass(count, most), number(x+half*0.06), number(f.y(row*down+1)), number(half*0.88), number(min(f.y(next*down+1), f.bottom)))
				}
				row = next
			}
		}
	}
}
