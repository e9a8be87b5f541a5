package draw

import (
	"fmt"
	"regexp"
	"strconv"
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
	phone := blockGrid(20, 8)
	phone.Narrow = true
	golden(t, "blockgrid-20-narrow", phone.SVG())
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

// A cell of a large grid is one node; whether it is final, it says itself.
func TestLargeGridHasOneNodeForACell(t *testing.T) {
	for _, narrow := range []bool{false, true} {
		g := blockGrid(64, 64)
		g.Narrow = narrow
		svg := g.SVG()
		if got := strings.Count(svg, `<path class="h`) - strings.Count(svg, `<path class="heat-`); got != 64*64 {
			t.Errorf("%d cells", got)
		}
		if got := strings.Count(svg, "<rect"); got > 4*64 {
			t.Errorf("%d rects", got)
		}
		if !strings.Contains(svg, `class="h8"`) || !strings.Contains(svg, `class="h1"`) || strings.Contains(svg, `class="h0"`) {
			t.Error("the shades do not go from one contribution to all")
		}
		if got := strings.Count(svg, " done"); got != 64 {
			t.Errorf("%d cells are final, want a row of 64", got)
		}
	}
}

// On a phone a grid from nine ranks on fits, its numbers apart from each other
// and its cells no smaller than can be seen.
func TestLargeGridFitsAPhone(t *testing.T) {
	for ranks := maxTicks + 1; ranks <= 64; ranks++ {
		for _, rows := range []int{1, 4, ranks, 64} {
			g := blockGrid(ranks, rows)
			g.Narrow = true
			svg := g.SVG()
			var width, height float64
			if _, err := fmt.Sscanf(svg, `<svg class="blockgrid narrow dense" viewBox="0 0 %f %f"`, &width, &height); err != nil {
				t.Fatalf("%d ranks: %v in %.80s", ranks, err, svg)
			}
			if width != gridNarrow || height > 420 {
				t.Errorf("%d ranks by %d rows take %v by %v", ranks, rows, width, height)
			}
			before := -100.0
			for _, m := range regexp.MustCompile(`x="([\d.]+)" y="22" font-size="13" text-anchor="middle">`).FindAllStringSubmatch(svg, -1) {
				at, err := strconv.ParseFloat(m[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				if at-before < 20 {
					t.Errorf("%d ranks: two numbers stand %v apart", ranks, at-before)
				}
				before = at
			}
		}
	}
}

func TestWaitGraph(t *testing.T) {
	for name, graph := range map[string]WaitGraph{
		"waitgraph": {
			Title: "0 and 3 wait for 1; 1 waits for 2", WaitFor: "wait for",
			Far:   []WaitBox{{Title: "Ranks 0, 3", Note: "held up"}},
			Near:  []WaitBox{{Title: "Rank 1", Note: "half of block 4", Says: "cannot send to"}, {Title: "Rank 4", Note: "nothing", Says: "cannot receive from"}},
			Cause: WaitBox{Title: "Rank 2", Note: "frozen <T>"},
		},
		"waitgraph-near": {Title: "1 waits for 0", Near: []WaitBox{{Title: "Rank 1", Says: "cannot receive from"}}, Cause: WaitBox{Title: "Rank 0"}},
	} {
		golden(t, name, graph.SVG())
		golden(t, name+"-tall", graph.Tall())
	}
}
