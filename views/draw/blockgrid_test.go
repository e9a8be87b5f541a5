package draw

import (
	"fmt"
	"strings"
	"testing"
)

// blockGrid is a grid in which rank r has the first r contributions to each
// block, and the last rank has stopped.
func blockGrid(ranks, rows int) BlockGrid {
	g := BlockGrid{Title: "who has what", Desc: "some cells"}
	for rank := range ranks {
		column := GridColumn{Name: fmt.Sprintf("Rank %d", rank), Share: float64(rank) / float64(ranks), State: RankMoves, Lines: [2]string{"recv", "send & wait"}}
		if rank == ranks-1 {
			column.State, column.Framed = RankStuck, true
		}
		for row := range rows {
			cell := BlockCell{Rank: rank, Block: row, Ticks: make([]CellTick, ranks), Final: row == 0}
			for k := range cell.Ticks {
				cell.Ticks[k] = TickOff
				if k <= rank {
					cell.Ticks[k] = TickOn
				}
			}
			if row == rank {
				cell.Role = Receives
			}
			column.Cells = append(column.Cells, cell)
		}
		g.Columns = append(g.Columns, column)
	}
	return g
}

func TestBlockGrid(t *testing.T) {
	golden(t, "blockgrid-3", blockGrid(3, 2).SVG())
	golden(t, "blockgrid-8", blockGrid(8, 1).SVG())
	golden(t, "blockgrid-12", blockGrid(12, 1).SVG())
	golden(t, "blockgrid-20", blockGrid(20, 2).SVG())
}

func TestBlockGridIsWideEnoughAndNoWider(t *testing.T) {
	for ranks := 1; ranks <= 8; ranks++ {
		svg := blockGrid(ranks, ranks).SVG()
		var width, height float64
		if _, err := fmt.Sscanf(svg, `<svg class="blockgrid" viewBox="0 0 %f %f"`, &width, &height); err != nil {
			t.Fatal(err)
		}
		if width > gridWidth+2*gridPad {
			t.Errorf("%d ranks are %v wide", ranks, width)
		}
	}
}

func TestLargeGridHasOneNodeForACell(t *testing.T) {
	svg := blockGrid(64, 64).SVG()
	if got := strings.Count(svg, "data-cell="); got != 64*64 {
		t.Errorf("%d cells", got)
	}
	if got := strings.Count(svg, "<rect"); got > 64*64+3*64+64 {
		t.Errorf("%d rects", got)
	}
	if !strings.Contains(svg, `class="g-heat-8"`) || strings.Contains(svg, "g-heat-9") || strings.Contains(svg, "g-heat-0\"") {
		t.Error("the shades do not go from one contribution to all")
	}
}

func TestWaitGraph(t *testing.T) {
	golden(t, "waitgraph", WaitGraph{
		Title: "0 and 3 wait for 1; 1 waits for 2", WaitFor: "wait for",
		Far:   []WaitBox{{Title: "Ranks 0, 3", Note: "held up"}},
		Near:  []WaitBox{{Title: "Rank 1", Note: "half of block 4", Says: "cannot send to"}, {Title: "Rank 4", Note: "nothing", Says: "cannot receive from"}},
		Cause: WaitBox{Title: "Rank 2", Note: "frozen <T>"},
	}.SVG())
	golden(t, "waitgraph-near", WaitGraph{
		Title: "1 waits for 0", Near: []WaitBox{{Title: "Rank 1", Says: "cannot receive from"}}, Cause: WaitBox{Title: "Rank 0"},
	}.SVG())
}
