package draw

import (
	"strconv"
	"strings"
	"testing"
)

// regions is a plane of three: one in two parts, one too small for its name.
func regions() RegionChart {
	return RegionChart{
		Frame: Frame{Width: 420, Height: 290, Title: "Fastest", Desc: "a <b> below"}, Key: "k-",
		X:       Marked(DecadeTicks(1e3, 1e9, 6), true, "size", func(v float64) string { return strconv.FormatFloat(v, 'g', 2, 64) }),
		Y:       Axis{Low: 2, High: 9, Name: "ranks", Ticks: []Tick{{2, "2"}, {8, "8"}}},
		Regions: []Region{{Name: "Alpha <1>", Hue: 1, URL: "/a?b=1&c=2", Says: "to Alpha"}, {Name: "Beta of a long name that nothing holds", Hue: 2, URL: "/b"}, {Name: "Gamma", Hue: 7}},
		Rows: [][]Run{
			{{1, 1e4, 0}, {1e4, 1e30, 2}},
			{{1, 2e4, 0}, {2e4, 1e30, 2}},
			{{1, 5e4, 0}, {5e4, 1e30, 2}},
			{{1, 5e4, 0}, {5e4, 2e6, 1}, {2e6, 1e30, 2}},
			{{1, 5e4, 0}, {5e4, 3e6, 1}, {3e6, 1e30, 2}},
			{{1, 6e4, 0}, {6e4, 1e30, 2}},
			{},
			{{1, 1e30, 0}},
		},
		Here: Point{1e6, 3}, HereSay: "here",
	}
}

func TestRegionChart(t *testing.T) {
	golden(t, "regions", regions().SVG())
	alone := regions()
	alone.HereSay, alone.Regions[0].URL, alone.Regions[1].URL = "", "", ""
	golden(t, "regions-plain", alone.SVG())
	golden(t, "region-swatch", RegionSwatch(3))
}

// A region is at most one link, which can be hit; a drawing without links is
// an image.
func TestRegionsThatLink(t *testing.T) {
	svg := regions().SVG()
	if strings.Count(svg, "<a ") != 2 || !strings.Contains(svg, `role="group"`) {
		t.Errorf("want two links in a group: %s", svg)
	}
	small := regions()
	small.Rows = [][]Run{{{1, 1e30, 0}}, {{1, 1e30, 1}}, {{1, 1e30, 0}}, {{1, 1e30, 1}}, {{1, 1e30, 0}}, {{1, 1e30, 1}}, {{1, 1e30, 0}}, {{1, 1e30, 1}}}
	small.Height = 150
	if svg := small.SVG(); strings.Contains(svg, "<a ") {
		t.Errorf("stripes are links: %s", svg)
	}
}

// An outline goes round exactly what the rows say.
func TestPatchesCoverTheirRows(t *testing.T) {
	r := regions()
	x, y := Log(1e3, 1e9, 0, 600), Linear(1.5, 9.5, 80, 0)
	for region, want := range []float64{0, 1, 2} {
		area := 0.0
		for _, p := range r.patches(region, x, y) {
			for i, s := range p.stripes {
				area += (s.right - s.left) * (p.low(p.first+i) - p.top(p.first+i))
			}
		}
		sum := 0.0
		for _, runs := range r.Rows {
			for _, run := range runs {
				if run.Region == region {
					sum += 10 * (x.At(min(run.To, 1e9)) - x.At(max(run.From, 1e3)))
				}
			}
		}
		if diff := area - sum; diff > 1 || diff < -1 {
			t.Errorf("region %v covers %v, its rows %v", want, area, sum)
		}
	}
	if got := len(r.patches(0, x, y)); got != 2 {
		t.Errorf("region 0 has %d parts, want 2", got)
	}
}

func TestCursor(t *testing.T) {
	l := LineChart{
		Frame: Frame{Width: 384, Height: 232, Title: "Crossing"},
		X:     Marked(DecadeTicks(1e3, 1e9, 3), true, "size", seconds),
		Y:     Marked(DecadeTicks(1e-5, 10, 3), true, "", seconds),
		Series: []Series{
			{Points: []Point{{1e3, 1e-4}, {1e9, 20}}, Ink: Dashed, Label: "a <b>", LabelBack: 1, LabelSide: AboveRight},
			{Points: []Point{{1e3, 1e-3}, {1e9, 2}}, Label: "c", LabelSide: BelowLeft},
		},
		Cursor: &Cursor{At: 1, Stops: []CursorStop{
			{X: 1e3, Label: "1 kB", Dots: []CursorMark{{1e-4, "100 µs", false}, {1e-3, "1 ms", true}}},
			{X: 1e6, Label: "1 MB", Dots: []CursorMark{{2e-2, "20 ms", false}, {4e-2, "40 ms", true}}},
			{X: 1e9, Label: "1 <GB>", Dots: []CursorMark{{20, "20 s", true}, {2, "2 s", false}}},
		}},
	}
	golden(t, "line-cursor", l.SVG())
	places := l.Places()
	if first, last := places[0], places[2]; first.X != CursorLeft || last.X != 384-CursorRight || first.Dots[1].Side != 1 || last.Dots[0].Side != 0 || last.Dots[1].Side != 3 {
		t.Errorf("places are %+v", places)
	}
	if l.Cursor = nil; l.Places() != nil {
		t.Error("a chart without a cursor has places for it")
	}
}

func TestColumnsOfNodesAndSwitches(t *testing.T) {
	ranks := make([]RankColumn, 5)
	for i := range ranks {
		ranks[i] = RankColumn{Name: "R" + strconv.Itoa(i), Blocks: []Block{{Changes: []BlockChange{{}}}}}
	}
	c := Columns{Frame: Frame{Width: ColumnsWidth, Height: ColumnsHeight}, Key: "n-", Ranks: ranks, PerNode: 3, Nodes: []string{"node 0", "node <1>"}}
	svg, _ := c.SVG()
	golden(t, "race-columns-nodes", svg)
	c.PerNode, c.Nodes, c.Switch, c.Works, c.Now = 0, nil, "switch", []Turn{{Start: 1, End: 2}}, 1.5
	svg, reel := c.SVG()
	golden(t, "race-columns-switch", svg)
	if len(reel[0].Looks) != 3 || reel[0].Key != "n-switch" {
		t.Errorf("the switch looks like %+v", reel[0])
	}
}
