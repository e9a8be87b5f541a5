package present

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
)

// testbedText is what `make bench` has measured of the article's two ways to
// average gradients, on hosts with links of a known rate: e2e/bench/hosts.go
// writes it.
//
//go:embed testbed.json
var testbedText []byte

// testbed is a series of runs on real links.
type testbed struct {
	Made  string     `json:"made"`  // the day
	Mbits float64    `json:"mbits"` // of every host's link, each way
	Size  unit.Bytes `json:"size_bytes"`
	Rows  []struct {
		Algorithm string       `json:"algorithm"`
		Workers   int          `json:"workers"`
		Time      unit.Seconds `json:"time_s"` // the median
		Predicted unit.Seconds `json:"predicted_s"`
	} `json:"rows"`
}

// measuredOnHosts reads the series; a test reads it too, so that it cannot be
// broken here.
func measuredOnHosts() (testbed, error) {
	var t testbed
	if err := json.Unmarshal(testbedText, &t); err != nil {
		return t, fmt.Errorf("read what was measured on hosts: %w", err)
	}
	return t, nil
}

// measured shows the article's two curves as runs on real links have drawn
// them, beside what was predicted before they began. ok is false where there is
// no series.
func (s story) measured() (views.StoryMeasured, bool) {
	t, err := measuredOnHosts()
	if err != nil || len(t.Rows) == 0 {
		return views.StoryMeasured{}, false
	}
	lines := map[string][]draw.Point{}
	most, last := 0.0, 0.0
	m := views.StoryMeasured{}
	for _, row := range t.Rows {
		x := float64(row.Workers)
		lines[row.Algorithm] = append(lines[row.Algorithm], draw.Point{X: x, Y: float64(row.Time)})
		lines[row.Algorithm+"?"] = append(lines[row.Algorithm+"?"], draw.Point{X: x, Y: float64(row.Predicted)})
		most, last = math.Max(most, float64(row.Time)), math.Max(last, x)
		m.Rows = append(m.Rows, views.StoryMeasuredRow{
			Algorithm: s.t("algorithm." + row.Algorithm), Workers: strconv.Itoa(row.Workers),
			Time: duration(row.Time), Predicted: duration(row.Predicted),
			Off: signedPercent(float64(row.Time/row.Predicted) - 1),
		})
	}
	rate := unit.Rate(t.Mbits * 1e6 / 8)
	m.Says = s.t("story.measured.says", "Size", sized(float64(t.Size), 3, decimalBytes), "Bits", bits(rate), "Rate", rate.String(), "Made", t.Made)
	m.Chart = twoWidths(func(width float64, narrow bool) string {
		x := draw.Marked(draw.NiceTicks(last, 8), false, s.t("story.workers.axis"), typed)
		y := draw.Marked(draw.NiceTicks(most*1.05, 5), false, s.t("story.measured.axis"), func(v float64) string { return duration(unit.Seconds(v)) })
		c := draw.LineChart{
			Frame: draw.Frame{Width: width, Height: 280, Title: s.t("story.measured"), Desc: m.Says, Class: widthClass(narrow)},
			X:     x, Y: y,
			Series: []draw.Series{
				{Points: lines["central?"], Ink: draw.Thin},
				{Points: lines["ring?"], Ink: draw.Thin},
				{Points: lines["central"], Ink: draw.Dashed, Label: s.t("story.measured.central"), LabelBack: 1, LabelSide: draw.AboveLeft},
				{Points: lines["ring"], Ink: draw.Accent, Label: s.t("story.measured.ring"), LabelSide: draw.AboveLeft},
			},
		}
		for _, p := range lines["central"] {
			c.Marks = append(c.Marks, draw.Mark{At: p, Ink: draw.Dashed})
		}
		for _, p := range lines["ring"] {
			c.Marks = append(c.Marks, draw.Mark{At: p, Ink: draw.Accent})
		}
		return c.SVG()
	})
	return m, true
}

// signedPercent prints a deviation.
func signedPercent(v float64) string {
	text := strconv.FormatFloat(100*math.Abs(v), 'f', 1, 64) + " %"
	if v < 0 {
		return "−" + text
	}
	return "+" + text
}
