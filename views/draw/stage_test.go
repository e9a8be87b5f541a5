package draw

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// ticks makes as many ticks as the text has letters: o off, i in, n new, x on.
func ticks(text string) []CellTick {
	var all []CellTick
	for _, letter := range text {
		all = append(all, map[rune]CellTick{'o': TickOff, 'i': TickIn, 'n': TickNew, 'x': TickOn}[letter])
	}
	return all
}

func TestBlockCell(t *testing.T) {
	for name, cell := range map[string]BlockCell{
		"cell-sends":    {Rank: 0, Block: 1, Ticks: ticks("xoxx"), Digit: "2", Role: Sends, SendWord: "send", ReceiveWord: "recv"},
		"cell-arriving": {Rank: 1, Block: 1, Ticks: ticks("ixii"), Digit: "2", Role: Receives, SendWord: "send", ReceiveWord: "recv"},
		"cell-final":    {Rank: 1, Block: 1, Ticks: ticks("nxnn"), Digit: "2", Final: true},
		"cell-many":     {Rank: 3, Block: 12, Ticks: ticks("xxxxoooooooooooo")},
	} {
		var s strings.Builder
		s.WriteString("<svg>")
		for i, size := range []CellSize{CellLarge, CellMedium, CellSmall, CellPhone, CellPhoneSmall} {
			cell.Write(&s, size, 0, float64(i)*80)
		}
		s.WriteString("</svg>")
		golden(t, name, s.String())
	}
}

// However many ticks a cell has, none lies on another or on the count.
func TestTicksKeepClear(t *testing.T) {
	for n := 1; n <= maxTicks; n++ {
		for name, size := range map[string]CellSize{"large": CellLarge, "medium": CellMedium, "phone": CellPhone, "grid": cellSize(min(n, 5))} {
			cell := BlockCell{Ticks: make([]CellTick, n)}
			var s strings.Builder
			cell.Write(&s, size, 0, 0)
			var boxes []area
			if size.count > 0 {
				wide := measure(cell.count(size)) * size.count / textSize
				boxes = append(boxes, area{size.Width - size.countEnd - wide, size.countAt - size.count*0.75, wide, size.count * 0.75})
			}
			for _, m := range regexp.MustCompile(`data-tick="\d" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"`).FindAllStringSubmatch(s.String(), -1) {
				var tick area
				if _, err := fmt.Sscan(strings.Join(m[1:], " "), &tick.left, &tick.top, &tick.width, &tick.height); err != nil {
					t.Fatal(err)
				}
				for _, other := range boxes {
					if tick.meets(other) {
						t.Errorf("%s, %d ticks: %v lies on %v", name, n, tick, other)
					}
				}
				if tick.right() > size.Width || tick.bottom() > size.Height {
					t.Errorf("%s, %d ticks: %v leaves the cell", name, n, tick)
				}
				boxes = append(boxes, tick)
			}
		}
	}
}

func TestDigitsStandOverTheirTicks(t *testing.T) {
	var s strings.Builder
	BlockCell{Ticks: ticks("xoxx"), Digit: "3"}.Write(&s, CellLarge, 0, 0)
	var read strings.Builder
	for k, m := range regexp.MustCompile(`data-digit="(\d)" data-value="3" x="([\d.]+)"[^>]*>(\d)<`).FindAllStringSubmatch(s.String(), -1) {
		read.WriteString(m[3])
		tick := regexp.MustCompile(fmt.Sprintf(`data-tick="%d" x="([\d.]+)"`, k)).FindStringSubmatch(s.String())
		var digitAt, tickAt float64
		if _, err := fmt.Sscan(m[2]+" "+tick[1], &digitAt, &tickAt); err != nil {
			t.Fatal(err)
		}
		if middle := tickAt + CellLarge.tick/2; digitAt-middle > 0.1 || middle-digitAt > 0.1 {
			t.Errorf("digit %d stands at %v, its tick at %v", k, digitAt, middle)
		}
	}
	if read.String() != "3033" {
		t.Errorf("a cell without rank 1 reads %s", read.String())
	}
}

// stage makes n ranks of as many rows, with a message from each rank to the
// next, or in a star from each to rank 0.
func stage(layout StageLayout, n, rows int, narrow bool) Stage {
	s := Stage{Layout: layout, Narrow: narrow, ID: "stage", Title: "a & b", Desc: "what moves", WrapWord: "wrap-around", PortWord: "one at a time", Slots: n}
	for rank := range n {
		card := Card{Name: fmt.Sprintf("Rank %d", rank), Short: fmt.Sprint(rank), Note: "note"}
		for block := range rows {
			cell := BlockCell{Rank: rank, Block: block, Ticks: make([]CellTick, n), SendWord: "send", ReceiveWord: "recv"}
			for k := range cell.Ticks {
				cell.Ticks[k] = TickOff
				if (rank+block)%n >= k {
					cell.Ticks[k] = TickOn
				}
			}
			card.Cells = append(card.Cells, cell)
		}
		s.Cards = append(s.Cards, card)
		switch {
		case layout == StarLayout && rank > 0:
			s.Moves = append(s.Moves, Move{From: rank, To: 0, Value: "0100", Wait: "waits 1 ms"})
		case layout != StarLayout && n > 1:
			s.Moves = append(s.Moves, Move{From: rank, To: (rank + 1) % n, FromCell: rank % rows, ToCell: rank % rows, Block: rank % rows, Value: "0100"})
		}
	}
	return s
}

func TestStages(t *testing.T) {
	for name, s := range map[string]Stage{
		"stage-ring-4":        stage(RingLayout, 4, 4, false),
		"stage-ring-8":        stage(RingLayout, 8, 8, false),
		"stage-ring-16":       stage(RingLayout, 16, 16, false),
		"stage-ring-4-narrow": stage(RingLayout, 4, 4, true),
		"stage-ring-8-narrow": stage(RingLayout, 8, 8, true),
		"stage-star-4":        stage(StarLayout, 4, 1, false),
		"stage-star-9-narrow": stage(StarLayout, 9, 1, true),
		"stage-row-3":         stage(RowLayout, 3, 2, false),
		"stage-heat-20":       stage(RingLayout, 20, 20, false),
		"stage-one":           stage(RingLayout, 1, 1, false),
	} {
		golden(t, name, s.SVG())
	}
}

// Whatever the number of ranks and rows, everything stands inside the view box
// and no card on another.
func TestStagesFit(t *testing.T) {
	for _, layout := range []StageLayout{RingLayout, StarLayout} {
		for n := 1; n <= 64; n++ {
			for _, rows := range []int{1, 4, n, 64} {
				for _, narrow := range []bool{false, true} {
					s := stage(layout, n, rows, narrow)
					f := s.form()
					if f.heat {
						if right := f.left + float64(n)*f.cardWidth; right > f.width {
							t.Fatalf("%d ranks, %d rows, narrow %v: the map ends at %v of %v", n, rows, narrow, right, f.width)
						}
						continue
					}
					for rank := range n {
						if x := f.x(rank); x < 0 || x+f.cardWidth > f.width {
							t.Errorf("layout %d, %d ranks, %d rows, narrow %v: rank %d stands at %v to %v of %v", layout, n, rows, narrow, rank, x, x+f.cardWidth, f.width)
						}
						if f.cellTop(rank, rows-1)+f.cell.Height > f.height {
							t.Errorf("layout %d, %d ranks, %d rows, narrow %v: rank %d ends below the drawing", layout, n, rows, narrow, rank)
						}
					}
					if f.gap <= 0 && n > 1 && !f.star {
						t.Errorf("layout %d, %d ranks, %d rows, narrow %v: cards touch", layout, n, rows, narrow)
					}
					for i, p := range s.Paths() {
						if p.X < 0 || p.X > f.width || p.Y < 0 || p.Y > f.height {
							t.Errorf("layout %d, %d ranks, %d rows, narrow %v: message %d rests at %v, %v", layout, n, rows, narrow, i, p.X, p.Y)
						}
					}
				}
			}
		}
	}
}

func TestOnlyACompleteCellIsInk(t *testing.T) {
	for _, all := range []int{17, 33, 64} {
		for have := range all {
			if HeatClass(have, all) == "h8" {
				t.Errorf("%d of %d looks complete", have, all)
			}
			if (have == 0) != (HeatClass(have, all) == "h0") {
				t.Errorf("%d of %d is %s", have, all, HeatClass(have, all))
			}
		}
		if HeatClass(all, all) != "h8" {
			t.Errorf("%d of %d is %s", all, all, HeatClass(all, all))
		}
	}
}

func TestClockIsToScale(t *testing.T) {
	k := Clock{ID: "clock", Title: "cost", Desc: "two steps", Step: 1, Now: 2, Word: "now 2 s", Bound: 5, Limit: "bound 5 s",
		Steps: []ClockStep{{0, 0.5, 2, 1, "Step 1", "1"}, {2, 0.5, 8, 3, "Step 2", "2"}},
		Ticks: []ClockTick{{0, "0 s"}, {5, "5 s"}, {10, "10 s"}}}
	golden(t, "clock", k.SVG())
	k.Narrow = true
	golden(t, "clock-narrow", k.SVG())
	f := k.form()
	if got, want := (f.At(8)-f.At(2))/(f.At(2)-f.At(0)), 3.0; got < want-1e-9 || got > want+1e-9 {
		t.Errorf("a step of 6 s is %v times as wide as one of 2 s", got)
	}
}

func TestTrack(t *testing.T) {
	golden(t, "track", Track{Steps: 6, Step: 3, Phases: []TrackPhase{{"Reduce", 3}, {"Gather", 3}}}.SVG())
	golden(t, "track-long", Track{Steps: 126, Step: 20, Phases: []TrackPhase{{"Reduce", 63}, {"Gather", 63}}}.SVG())
	golden(t, "track-empty", Track{}.SVG())
}

func TestPictureStandsAlone(t *testing.T) {
	svg := Picture{Stage: stage(RingLayout, 4, 4, false), Style: ".a { fill: #000000; }", Head: "Ring", Notes: []string{"4 ranks"}, Source: "http://h/a?b=1&c=2"}.SVG()
	golden(t, "picture", svg)
	for _, want := range []string{`xmlns="http://www.w3.org/2000/svg"`, "<style>.a { fill: #000000; }</style>", `id="p3"`, `<a href="http://h/a?b=1&amp;c=2">`} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
}
