package draw

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func seconds(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) + " s" }

func TestLineChart(t *testing.T) {
	over := Marked(NiceTicks(100, 5), false, "", seconds)
	golden(t, "line", LineChart{
		Frame: Frame{Width: 400, Height: 180, Title: "Bus bandwidth", Desc: "2.87 GB/s, predicted 2.90 GB/s"},
		X:     over,
		Y:     Marked(NiceTicks(2.9, 4), false, "GB/s", func(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }),
		Series: []Series{
			{Points: []Point{{0, 2.9}, {100, 2.9}}, Ink: Dashed, Label: "predicted 2.90", LabelSide: AboveLeft},
			{Points: []Point{{0, 2.8}, {15, 2.9}, {20, math.NaN()}, {25, 2.7}, {32, 2.87}}, Dots: true},
		},
		Rules: []Rule{{At: 32, Label: "now", Ink: Thin}},
	}.SVG())
	golden(t, "line-log", LineChart{
		Frame: Frame{Width: 360, Height: 260},
		X:     Marked(DecadeTicks(1e3, 1e9, 3), true, "size", func(v float64) string { return fmt.Sprintf("%.0e B", v) }),
		Y:     Marked(DecadeTicks(1e-5, 10, 3), true, "", func(v float64) string { return fmt.Sprintf("%.0e s", v) }),
		Series: []Series{
			{Points: []Point{{1e3, 1e-4}, {1e9, 20}}, Ink: Dashed, Label: "a <b>", LabelBack: 1, LabelSide: AboveRight},
			{Points: []Point{{1e3, 1e-3}, {1e9, 2}}, Label: "c", LabelSide: BelowLeft},
		},
		Marks: []Mark{{At: Point{5e4, 1e-3}, Ring: true, Drop: true, Label: "50 kB", Note: "and below", Side: BelowRight}},
	}.SVG())
}

// An area lies beneath the lines, ends where the plot does, and names itself.
func TestLineChartOfAnArea(t *testing.T) {
	golden(t, "line-area", LineChart{
		Frame: Frame{Width: 360, Height: 240, Title: "Bus bandwidth"},
		X:     Marked(DecadeTicks(1e3, 1e9, 3), true, "size", func(v float64) string { return fmt.Sprintf("%.0e B", v) }),
		Y:     Marked(DecadeTicks(1, 1000, 3), true, "", func(v float64) string { return fmt.Sprintf("%g GB/s", v) }),
		Areas: []Area{
			{Low: []Point{{1e3, 0.1}, {1e6, 50}, {1e9, 340}}, High: []Point{{1e3, 3}, {1e6, 200}, {1e9, 560}}, Label: "should be <here>", LabelBack: 1},
			{},
		},
		Series: []Series{{Points: []Point{{1e3, 1}, {1e6, 60}, {1e9, 89}}, Label: "measured", LabelSide: BelowLeft}},
	}.SVG())
}

func TestBarChart(t *testing.T) {
	columns := make([]Column, 6)
	for i := range columns {
		columns[i] = Column{Label: strconv.Itoa(i + 1), Predicted: 345, Tone: Compute}
		if i < 3 {
			columns[i].Value, columns[i].Figure = 340+10*float64(i), strconv.Itoa(340+10*i)
		}
	}
	columns[3].Value, columns[3].Tone, columns[3].Current = 200, Comm, true
	golden(t, "columns", BarChart{
		Frame:   Frame{Width: 480, Height: 200, Title: "Time per step"},
		Y:       Marked(NiceTicks(360, 3), false, "", func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }),
		Columns: columns,
		Groups:  []Group{{3, "Reduce-Scatter"}, {3, "All-Gather"}},
	}.SVG())
}

func TestStackedBars(t *testing.T) {
	golden(t, "stacked", StackedBars{
		Frame: Frame{Width: 700, Height: RowsHeight(2, true, false), Title: "Time"},
		X:     Marked(NiceTicks(15.2, 4), false, "", seconds),
		Rows: []StackedBar{
			{Name: "A", Pieces: []Piece{{12.4, Compute, "compute 12.4 s"}, {2, Comm, "TP"}, {0.3, Bubble, "too long for it"}},
				Beside: []Piece{{0.4, Hidden, ""}}, Figure: "14.7 s", Note: "14%"},
			{Name: "B", Pieces: []Piece{{12.4, Compute, ""}, {1, Latency, ""}, {1.5, Stuck, ""}}},
		},
	}.SVG())
}

func TestNiceTicks(t *testing.T) {
	for _, test := range []struct {
		high float64
		most int
		want []float64
	}{
		{21.6, 6, []float64{0, 5, 10, 15, 20, 25}},
		{21.6, 11, []float64{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22}},
		{0.3, 3, []float64{0, 0.1, 0.2, 0.3}},
		{10, 5, []float64{0, 2, 4, 6, 8, 10}},
		{1, 1, []float64{0, 1}},
		{7e9, 2, []float64{0, 5e9, 10e9}},
		{0, 4, []float64{0, 1}},
		{math.NaN(), 4, []float64{0, 1}},
	} {
		if diff := cmp.Diff(test.want, NiceTicks(test.high, test.most)); diff != "" {
			t.Errorf("NiceTicks(%v, %d) (-want +got):\n%s", test.high, test.most, diff)
		}
	}
	for high := 1e-12; high < 1e12; high *= 1.7 {
		for most := 1; most < 13; most++ {
			ticks := NiceTicks(high, most)
			last := ticks[len(ticks)-1]
			if len(ticks)-1 > most || last < high*(1-1e-8) || len(ticks) > 1 && ticks[len(ticks)-2] >= high {
				t.Fatalf("NiceTicks(%v, %d) = %v", high, most, ticks)
			}
		}
	}
}

func TestDecadeTicks(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		most      int
		want      []float64
	}{
		{1e3, 1e9, 3, []float64{1e3, 1e5, 1e7, 1e9}},
		{2e-5, 3, 9, []float64{1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10}},
		{5, 5, 4, []float64{1, 10}},
		{10, 10, 4, []float64{10, 100}},
	} {
		got := DecadeTicks(test.low, test.high, test.most)
		if len(got) != len(test.want) {
			t.Errorf("DecadeTicks(%v, %v, %d) = %v, want %v", test.low, test.high, test.most, got, test.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]/test.want[i]-1) > 1e-12 {
				t.Errorf("DecadeTicks(%v, %v, %d) = %v, want %v", test.low, test.high, test.most, got, test.want)
			}
		}
	}
}

func TestScale(t *testing.T) {
	for _, test := range []struct {
		scale       Scale
		value, want float64
	}{
		{Linear(0, 10, 100, 200), 5, 150},
		{Linear(0, 10, 200, 100), 10, 100}, // downwards, as in a picture
		{Linear(3, 3, 7, 9), 3, 7},
		{Log(1, 100, 0, 10), 10, 5},
		{Log(1, 100, 0, 10), 0, 0},
		{Log(1, 100, 0, 10), 1000, 15},
	} {
		if got := test.scale.At(test.value); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%+v at %v is %v, want %v", test.scale, test.value, got, test.want)
		}
	}
}

// What stands beside a point at the edge must not be cut.
func TestLabelsStayInside(t *testing.T) {
	svg := LineChart{
		Frame: Frame{Width: 200, Height: 100},
		X:     Axis{High: 1}, Y: Axis{High: 1},
		Series: []Series{{Points: []Point{{0, 0}, {1, 1}}, Label: "a rather long label", LabelSide: Right}},
	}.SVG()
	var x, y float64
	i := strings.Index(svg, "<text")
	if _, err := fmt.Sscanf(svg[i:], `<text class="g-label g-text-accent" x="%f" y="%f"`, &x, &y); err != nil {
		t.Fatalf("%v in %s", err, svg)
	}
	if right := x + measure("a rather long label"); right > 200 {
		t.Errorf("label ends at %v of 200", right)
	}
}
