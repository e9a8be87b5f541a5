package present

import (
	"encoding/json"
	"math"
	"strconv"

	"lockstep/views"
	"lockstep/views/draw"
)

// raceTable is all that a script needs to play a race: it looks up what Go has
// worked out and works out nothing but the moment.
type raceTable struct {
	End   moment      `json:"end"`
	Rate  moment      `json:"rate"`  // of the race's seconds in a second of playing
	Scale float64     `json:"scale"` // from seconds to the unit of the clock
	Unit  string      `json:"unit"`
	Faces []face      `json:"faces"` // what parts look like; most look alike
	Parts []tablePart `json:"parts"`
}

// moment is a time to seven digits, which no eye tells from all of them.
type moment float64

// MarshalJSON prints it short, and never as a later one: what begins at a
// moment has then begun when the clock stands at it.
func (m moment) MarshalJSON() ([]byte, error) {
	text := strconv.AppendFloat(nil, float64(m), 'g', 7, 64)
	if v, err := strconv.ParseFloat(string(text), 64); err == nil && v > float64(m) && m > 0 {
		text = strconv.AppendFloat(nil, v-math.Pow10(int(math.Floor(math.Log10(v)))-6), 'g', 7, 64)
	}
	return text, nil
}

// face is a class and a transform, empty for none.
type face [2]string

// tablePart is a part by its key.
type tablePart struct {
	Key   string   `json:"key"`
	Looks [][2]any `json:"looks,omitempty"` // moment, index of a face
	Grow  []any    `json:"grow,omitempty"`  // way, from, to, length
	Lines [][3]any `json:"lines,omitempty"` // from, to, text
}

var _ json.Marshaler = moment(0)

func (r *race) table() raceTable {
	scale, name := r.clockUnit()
	t := raceTable{End: moment(r.end), Rate: moment(r.rate()), Scale: scale, Unit: name}
	index := map[face]int{}
	for _, mover := range r.reel {
		part := tablePart{Key: mover.Key}
		for _, look := range mover.Looks {
			f := face{look.Class, look.Transform}
			at, known := index[f]
			if !known {
				at = len(t.Faces)
				index[f] = at
				t.Faces = append(t.Faces, f)
			}
			part.Looks = append(part.Looks, [2]any{moment(look.From), at})
		}
		if g := mover.Grow; g != nil {
			part.Grow = []any{g.Way, moment(g.From), moment(g.To), moment(g.Length)}
		}
		for _, line := range mover.Lines {
			part.Lines = append(part.Lines, [3]any{moment(line.From), moment(line.To), line.Text})
		}
		t.Parts = append(t.Parts, part)
	}
	return t
}

// placeCursor enters where the cursor of a chart is at each of its stops.
func placeCursor(t *views.RaceCrossTable, places []draw.CursorPlace) {
	for _, side := range draw.CursorSides {
		t.Sides = append(t.Sides, [3]any{side.X, side.Y, side.Anchor})
	}
	for _, p := range places {
		stop := []any{p.X, p.Word, p.Label}
		for _, dot := range p.Dots {
			stop = append(stop, dot.Y, dot.Side, dot.Label)
		}
		t.Places = append(t.Places, stop)
	}
}
