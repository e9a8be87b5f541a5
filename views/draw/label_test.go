package draw

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Whatever series end beside each other, no two labels overlap, and none
// leaves the drawing.
func TestLabelsNeverOverlap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		width, height := 340+random.Float64()*560, 180+random.Float64()*200
		near := random.Float64() * height // points crowd around it
		var labels []label
		for i := range 2 + random.IntN(7) {
			at := spot{random.Float64() * width, min(max(near+random.NormFloat64()*12, 20), height-40)}
			note := ""
			if random.IntN(4) == 0 {
				note = "and below: 12.5 GB/s"
			}
			labels = append(labels, newLabel(at, Side(random.IntN(int(BelowRight)+1)), "g-strong", fmt.Sprintf("series %d 块", i), note))
		}
		labels = ground{width: width, top: 4, bottom: height - 30}.place(labels)
		for i, l := range labels {
			box := l.box(width)
			if box.left < 0 || box.right() > width+1e-6 || box.top < -30 || box.bottom() > height+10 {
				t.Fatalf("round %d: label %d covers %v of %v by %v", round, i, box, width, height)
			}
			for j := range i {
				if box.meets(labels[j].box(width)) {
					t.Fatalf("round %d: labels %d and %d overlap: %v and %v", round, j, i, labels[j].box(width), box)
				}
			}
		}
	}
}

// A label that has room stays where it was asked to stand.
func TestLabelsStayWhereTheyCan(t *testing.T) {
	labels := ground{width: 400, bottom: 200}.place([]label{
		newLabel(spot{100, 50}, Above, "", "one", ""),
		newLabel(spot{100, 120}, Above, "", "two", ""),
		newLabel(spot{100, 52}, Above, "", "three", ""),
	})
	if labels[0].y != 41 || labels[1].y != 111 || labels[0].moved || labels[1].moved {
		t.Errorf("labels with room have moved: %v", labels)
	}
	if labels[2].box(400).meets(labels[0].box(400)) {
		t.Errorf("a label on another has not moved: %v", labels[2])
	}
}
