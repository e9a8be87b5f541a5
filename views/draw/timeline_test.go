package draw

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func events(labels ...string) []TimelineEvent {
	var all []TimelineEvent
	for i, label := range labels {
		all = append(all, TimelineEvent{At: 2015 + float64(i)/3, Label: label, Full: "2015, " + label, URL: "?at=" + label})
	}
	return all
}

func TestTimeline(t *testing.T) {
	t1 := Timeline{Width: 700, Name: "What happened", Lanes: []TimelineLane{
		{Name: "Standard", Events: []TimelineEvent{
			{At: 1994.37, Label: "MPI-1", Full: "May 1994, MPI-1", URL: "?at=mpi-1", Strong: true},
			{At: 2025.4, Label: "MPI-5 & more", Full: "June 2025", URL: "?at=mpi-5", Current: true},
		}},
		{Name: "Library", Mark: 2, Events: append(events("1.0", "2.0", "2.1"), TimelineEvent{At: 2019.5, Label: "sure?", Long: "Library sure?", Full: "2019", URL: "?at=x", Unsure: true})},
	}}
	golden(t, "timeline", t1.SVG())
	t1.Width, t1.Narrow = 340, true
	golden(t, "timeline-narrow", t1.SVG())
	golden(t, "timeline-empty", Timeline{Width: 340, Name: "Nothing"}.SVG())
}

// However many there are, no two events lie on each other and none leaves the
// drawing: each is a target of 24 units.
func TestEventsDoNotMeet(t *testing.T) {
	var labels []string
	for i := range 40 {
		labels = append(labels, fmt.Sprintf("event %d", i))
	}
	place := regexp.MustCompile(`<rect class="g-event-place" x="([^"]+)" y="([^"]+)" width="([^"]+)" height="27"`)
	for _, timeline := range []Timeline{{Width: 1200}, {Width: 340, Narrow: true}} {
		timeline.Lanes = []TimelineLane{{Name: "a", Events: events(labels...)}, {Name: "b", Events: events("x", "y")}}
		var all []area
		for _, m := range place.FindAllStringSubmatch(timeline.SVG(), -1) {
			var a area
			if _, err := fmt.Sscan(strings.Join(m[1:], " "), &a.left, &a.top, &a.width); err != nil {
				t.Fatal(err)
			}
			a.height = eventHigh
			if a.left < 0 || a.right() > timeline.Width {
				t.Errorf("an event reaches from %v to %v of %v", a.left, a.right(), timeline.Width)
			}
			for _, other := range all {
				if a.meets(other) {
					t.Errorf("events at %v and %v meet", a, other)
				}
			}
			all = append(all, a)
		}
		if len(all) != 42 {
			t.Errorf("%d events are drawn, want 42", len(all))
		}
	}
}
