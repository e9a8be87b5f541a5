package draw

import (
	"slices"
	"strings"
	"testing"
)

// two is a hub's queue of two: both are ready at once, one waits, and then
// both get something back.
func two(now float64, narrow bool) (string, Reel) {
	return Queue{
		Frame: QueueFrame(narrow), Narrow: narrow, Key: "q-", Hub: "Rank 0", Port: "1 GB/s", Now: now,
		Peers: []Queuer{
			{Name: "R1", Short: "1", In: &Turn{0, 0, 2}, Out: &Turn{4, 4, 6}},
			{Name: "R2", Short: "2", In: &Turn{0, 2, 4}, Out: &Turn{4, 6, 8}},
		},
		Count: []Line{{0, 2, "first " + Percent + "%"}, {2, 4, "second " + Percent + "%"}},
	}.SVG()
}

func TestQueue(t *testing.T) {
	svg, _ := two(3, false)
	golden(t, "queue", svg)
	svg, _ = two(3, true)
	golden(t, "queue-narrow", svg)
}

// A reel leads from any drawing to that of any other moment: what Go draws at
// a moment is what a script makes of another moment's drawing.
func TestReelHoldsEveryMoment(t *testing.T) {
	_, reel := two(0, false)
	_, narrow := two(0, true)
	for _, now := range []float64{0, 1.5, 2, 3, 4, 5, 6.5, 8} {
		svg, again := two(now, false)
		small, _ := two(now, true)
		svg += small
		if len(again) != len(reel) {
			t.Fatalf("at %v the reel has %d parts, at 0 %d", now, len(again), len(reel))
		}
		for _, part := range slices.Concat(reel, narrow) {
			want := "<tag" + part.attributes(now)
			if !strings.Contains(svg, strings.TrimPrefix(want, "<tag")) {
				t.Errorf("at %v part %s is not drawn as its reel says: %s", now, part.Key, want)
			}
			if len(part.Lines) > 0 && !strings.Contains(svg, ">"+Said(part.Lines, now)+"</text>") {
				t.Errorf("at %v part %s does not say %q", now, part.Key, Said(part.Lines, now))
			}
		}
	}
}

func TestQueueMovesUp(t *testing.T) {
	_, reel := two(0, false)
	for _, part := range reel {
		if part.Key != "q-tile-1" {
			continue
		}
		for at, class := range map[float64]string{0: "g-waiting", 2: "g-served", 4: "g-waiting", 7: "g-served", 8: "g-away"} {
			if got := part.look(at).Class; got != class {
				t.Errorf("at %v the second is %s, want %s", at, got, class)
			}
		}
		return
	}
	t.Error("the second has no tile")
}

// columns has two ranks of two blocks, one of which fills.
func columns(now float64, many bool) string { return columnsIn(ColumnsWidth, now, many) }

func columnsIn(width, now float64, many bool) string {
	ranks := []RankColumn{
		{Name: "R0", Sends: []Turn{{0, 0, 2}}, Blocks: []Block{
			{[]BlockChange{{Share: 0.5}, {From: 0, Share: 0.5, Coming: true}, {From: 2, Share: 1, Final: true, Own: true}}},
			{[]BlockChange{{Share: 0.5}}},
		}},
		{Name: "R1", Blocks: []Block{{[]BlockChange{{Share: 0.5}}}, {[]BlockChange{{Share: 1, Final: true}}}}},
	}
	if many {
		for i := range ranks {
			ranks[i].Blocks = nil
			ranks[i].Part, ranks[i].Whole = Grow{To: 2}, Grow{From: 2, To: 4}
		}
	}
	svg, _ := Columns{Frame: Frame{Width: width, Height: ColumnsHeight}, Key: "c-", Ring: true, Ranks: ranks, Now: now}.SVG()
	return svg
}

func TestColumns(t *testing.T) {
	golden(t, "race-columns", columns(1, false))
	golden(t, "race-columns-many", columns(3, true))
	golden(t, "race-columns-narrow", columnsIn(ColumnsNarrow, 1, false))
	if before, after := columns(1, false), columns(3, false); before == after || !strings.Contains(after, `class="g-comm" transform="scale(1 1)"`) {
		t.Errorf("a block that is complete is not drawn so: %s", after)
	}
}

func TestLanes(t *testing.T) {
	lanes := func(stated bool, width float64) string {
		svg, _ := Lanes{
			Frame: Frame{Width: width, Height: LanesHeight(2, stated), Title: "race"}, Key: "w-", Stated: stated,
			X: Marked(NiceTicks(21.6, 6), false, "", seconds), Now: 12, End: 21.6, Clock: "12 s",
			Rows: []Lane{
				{Name: "a", Spans: []LaneSpan{{0, 10.8, "collect"}, {10.8, 21.6, "return"}}, Figure: "21.6 s", Note: "both"},
				{Name: "b", Spans: []LaneSpan{{0, 2.16, "too long for its span"}}, Figure: "2.16 s", Note: "said here"},
			},
			Rules: []Rule{{At: 10.8, Label: "one way"}},
		}.SVG()
		return svg
	}
	golden(t, "lanes", lanes(false, 880))
	golden(t, "lanes-narrow", lanes(true, 340))
}

func TestSaid(t *testing.T) {
	lines := []Line{{0, 2, "a " + Percent}, {2, 4, "b"}, {6, 8, "c " + Percent}}
	for at, want := range map[float64]string{0: "a 0", 1: "a 50", 2: "b", 5: "", 7: "c 50", 8: "c 100", 9: ""} {
		if got := Said(lines, at); got != want {
			t.Errorf("at %v: %q, want %q", at, got, want)
		}
	}
}
