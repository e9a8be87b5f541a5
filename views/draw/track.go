package draw

import (
	"cmp"
	"fmt"
	"html"
	"slices"
)

// Track is the scale that a slider over steps lies on: the names of the phases
// above, the numbers of the steps below.
type Track struct {
	Steps  int
	Step   int // the current one, from 1; 0 for the start
	Phases []TrackPhase
}

// TrackPhase is a run of steps.
type TrackPhase struct {
	Name  string
	Steps int
}

// Lengths of a track, in units of the view box. A slider's knob is as wide as
// twice the edge, so that its middle meets the marks.
const (
	trackWidth = 410.0
	trackEdge  = 9.0
	trackTop   = 22.0
)

// SVG draws the track. It is decoration under the slider, which says the same.
func (t Track) SVG() string {
	c := &canvas{width: trackWidth}
	fmt.Fprintf(c, `<svg class="track" viewBox="0 0 %s 54" aria-hidden="true" focusable="false">`, number(trackWidth))
	s := Linear(0, float64(max(t.Steps, 1)), trackEdge, trackWidth-trackEdge)
	names := t.names(s)
	at := 0
	for i, p := range t.Phases {
		from, to := s.At(float64(at)), s.At(float64(at+p.Steps))
		class := "track-phase"
		if t.Step > at && t.Step <= at+p.Steps {
			class += " now"
		}
		shade := "track-a"
		if i%2 == 1 {
			shade = "track-b"
		}
		fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="8"/><text class="%s" data-track="%d" x="%s" y="13" font-size="14"%s>%s</text>`,
			shade, number(from), number(trackTop), number(to-from), class, i, number(names[i].x), names[i].anchor, html.EscapeString(names[i].words))
		at += p.Steps
	}
	fmt.Fprintf(c, `<rect class="track-done" x="%s" y="%s" width="%s" height="8" transform="translate(%s) scale(%s 1) translate(%s)"/>`,
		number(trackEdge), number(trackTop), number(trackWidth-2*trackEdge), number(trackEdge), number(float64(t.Step)/float64(max(t.Steps, 1))), number(-trackEdge))
	every := t.every(s)
	for k := 0; k <= t.Steps; k++ {
		if t.Steps <= 64 || k%every == 0 {
			x := s.At(float64(k))
			c.line("g-axis", x, trackTop-3, x, trackTop+11)
		}
		if k > 0 && (k%every == 0 || k == 1 && every < 3) {
			class := "track-step"
			if k == t.Step {
				class += " now"
			}
			at, a := s.At(float64(k)-0.5), middle
			if every > 1 {
				at = s.At(float64(k))
			}
			fmt.Fprintf(c, `<text class="%s" data-step="%d" x="%s" y="51" font-size="14"%s>%d</text>`, class, k, number(min(at, trackWidth-13)), a, k)
		}
	}
	return c.close()
}

// every is at how many steps a number stands, a round one: numbers do not
// touch.
func (t Track) every(s Scale) int {
	room := measure(fmt.Sprint(t.Steps)) + 10
	for decade := 1; ; decade *= 10 {
		for _, every := range []int{decade, 2 * decade, 5 * decade} {
			if s.At(float64(every))-s.At(0) >= room || every >= t.Steps {
				return every
			}
		}
	}
}

// names are the names of the phases over them: from where a phase begins or up
// to where it ends. Where neither has room a name is left out, that of the
// shorter phase first: the slider says it as well.
func (t Track) names(s Scale) []label {
	names := make([]label, len(t.Phases))
	order := make([]int, len(t.Phases))
	from := make([]int, len(t.Phases)+1)
	for i, p := range t.Phases {
		order[i], from[i+1] = i, from[i]+p.Steps
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Phases[b].Steps, t.Phases[a].Steps) })
	var placed []area
	for _, i := range order {
		left, right := s.At(float64(from[i])), s.At(float64(from[i+1]))
		names[i] = label{x: left}
		if i+1 < len(t.Phases) {
			right -= 6 // the next name may begin right there
		}
		for _, way := range []label{{x: left}, {x: right, anchor: end}} {
			way.words = t.Phases[i].Name
			box := area{way.x, 0, boldWidth(way.words) + 6, textSize}
			if way.anchor == end {
				box.left -= box.width
			}
			if box.left >= 0 && box.right() <= trackWidth && !slices.ContainsFunc(placed, box.meets) {
				names[i] = way
				placed = append(placed, box)
				break
			}
		}
	}
	return names
}
