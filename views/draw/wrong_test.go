package draw

import (
	"strings"
	"testing"
)

// What is wrong with a broken schedule is said in classes that stand beside
// those of a right one, in every way a cell and a move can be drawn.
func TestWhatIsWrongHasAClass(t *testing.T) {
	var large strings.Builder
	BlockCell{Ticks: ticks("xoxx"), Role: Receives, Wrong: true}.Write(&large, CellLarge, 0, 0)
	if !strings.Contains(large.String(), `class="cell-block hue-0 receives wrong"`) {
		t.Error(large.String())
	}
	stage := func(ranks int) Stage {
		s := Stage{Layout: RingLayout, ID: "stage", Slots: 2}
		for range ranks {
			s.Cards = append(s.Cards, Card{Cells: make([]BlockCell, ranks)})
		}
		for i := range s.Cards[0].Cells {
			s.Cards[0].Cells[i].Ticks = make([]CellTick, ranks)
		}
		s.Cards[0].Cells[1].Wrong = true
		s.Moves = []Move{{From: 0, To: 1, Kind: "ghost", Value: "lost"}, {From: 1, To: 2, Kind: "wrong"}}
		return s
	}
	small := stage(4)
	for _, p := range small.Paths() {
		if p.Kind == "" {
			t.Errorf("a move lost its class: %+v", p)
		}
	}
	if svg := small.SVG(); !strings.Contains(svg, `class="move ghost"`) || !strings.Contains(svg, `class="move wrong"`) || !strings.Contains(svg, ">lost<") {
		t.Error(svg)
	}
	if svg := stage(40).SVG(); !strings.Contains(svg, `class="h0 wrong"`) {
		t.Error("the heat map marks nothing")
	}
	nodes := small
	nodes.Layout, nodes.PerNode = NodesLayout, 1
	if kind := nodes.Paths()[0].Kind; kind != "far ghost" {
		t.Errorf("across nodes a missing move is %q", kind)
	}
}
