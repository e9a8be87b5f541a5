package present

import (
	"math"
	"strconv"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/draw"
)

// A cursor on the chart of times stands at sizes that lie a tenth of a decade
// apart: 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3 and 8, the preferred numbers.

// stopSize is the size at so many tenths of a decade above one byte.
func stopSize(tenth int) unit.Bytes {
	decade, step := tenth/10, tenth%10
	if tenth < 0 || decade > 15 {
		return 0
	}
	preferred := [...]float64{1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8}
	return unit.Bytes(math.Round(preferred[step] * math.Pow10(decade)))
}

// tenthOf is the stop nearest to a size.
func tenthOf(size unit.Bytes) int { return int(math.Round(10 * math.Log10(float64(max(size, 1))))) }

// cursor lets the size be moved over the chart. The stop nearest to the size
// that is shown has that size itself.
func (r *race) cursor(v *views.RaceCross, chart *draw.LineChart, curves [2]sizing.Curve) {
	low, high := tenthOf(unit.Bytes(chart.X.Low)), tenthOf(unit.Bytes(min(chart.X.High, float64(raceMaxSize))))
	here := min(max(tenthOf(r.ask.Size), low), high)
	c := draw.Cursor{At: here - low}
	for tenth := low; tenth <= high; tenth++ {
		size := r.ask.fitted(stopSize(tenth))
		if tenth == here {
			size = r.ask.Size
		}
		a, b := curves[0].Time(size, r.ask.Network), curves[1].Time(size, r.ask.Network)
		label := sized(float64(size), 3, decimalBytes)
		c.Stops = append(c.Stops, draw.CursorStop{X: float64(size), Label: label, Dots: []draw.CursorMark{
			{Y: float64(a), Label: duration(a), Upper: a >= b}, {Y: float64(b), Label: duration(b), Upper: b > a},
		}})
		says := r.compare(label, a, b)
		if r.a.time() != r.a.price.Time || r.b.time() != r.b.price.Time {
			says += r.t("race.at.form")
		}
		v.Table.Says = append(v.Table.Says, says)
		v.Table.Sizes = append(v.Table.Sizes, tight(size.String()))
	}
	chart.Cursor = &c
	v.Table.Low = low
	v.Slider = views.RaceSlider{Low: strconv.Itoa(low), High: strconv.Itoa(high), At: strconv.Itoa(here), Says: v.Table.Says[c.At]}
	v.Keep = r.kept("size")
}

// compare says in a line which is faster at a size, and by how much.
func (r *race) compare(size string, a, b unit.Seconds) string {
	fast, slow, least, most := r.a, r.b, a, b
	if b < a {
		fast, slow, least, most = r.b, r.a, b, a
	}
	times := significant(float64(most/least), 2)
	if times == "1" {
		return r.t("race.at.same", "Size", size, "Time", duration(least))
	}
	return r.t("race.at", "Size", size, "Fast", r.name(fast), "Slow", r.name(slow), "Times", times, "Least", duration(least), "Most", duration(most))
}

// kept are the fields that a form of the race carries along, but for one and
// the moment, which belongs to one size.
func (r *race) kept(without string) []views.RaceHidden {
	var all []views.RaceHidden
	for _, name := range []string{"collective", "a", "b", "n", "root", "G", "chunks", "size", "net", "switches", "present"} {
		if value := r.ask.query().Get(name); value != "" && name != without {
			all = append(all, views.RaceHidden{Name: name, Value: value})
		}
	}
	return all
}
