package draw

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden drawings")

// golden compares a drawing with the one in testdata, a tag a line.
func golden(t *testing.T, name, svg string) {
	t.Helper()
	got := strings.ReplaceAll(svg, "><", ">\n<") + "\n"
	path := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); -update rewrites it:\n%s", path, diff)
	}
	parser := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := parser.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is not well formed: %v", name, err)
		}
	}
	if strings.Contains(svg, "style=") {
		t.Errorf("%s has an inline style, which the page's policy forbids", name)
	}
}

// grid makes a grid of 4 ranks and 4 blocks.
func grid(at func(rank, block int) Cell) Grid {
	g := make(Grid, 4)
	for rank := range g {
		g[rank] = make([]Cell, 4)
		for block := range g[rank] {
			g[rank][block] = at(rank, block)
		}
	}
	return g
}

func TestBeforeAfter(t *testing.T) {
	golden(t, "all-reduce", BeforeAfter(
		grid(func(rank, block int) Cell { return Cell{Fill: Part, Hue: block, Part: rank} }),
		grid(func(_, block int) Cell { return Cell{Fill: Full, Hue: block} })))
	golden(t, "scatter", BeforeAfter(
		grid(func(rank, block int) Cell {
			if rank != 0 {
				return Cell{}
			}
			return Cell{Fill: Full, Hue: block}
		}),
		grid(func(rank, block int) Cell {
			if rank != block {
				return Cell{}
			}
			return Cell{Fill: Full, Hue: block}
		})))
}

// A flight is drawn where it arrives, under classes that say from where it
// comes; parts fly as the bars that fill the cell together.
func TestFlights(t *testing.T) {
	sum := func(from, to int) Flight {
		return Flight{From: from, To: to, Up: from, Cells: []Flown{{Row: 1, Cell: Cell{Fill: Part, Hue: 1, Part: from}}}}
	}
	before := grid(func(rank, block int) Cell { return Cell{Fill: Part, Hue: block, Part: rank} })
	after := grid(func(rank, block int) Cell {
		if rank != 1 || block != 1 {
			return Cell{}
		}
		return Cell{Fill: Full, Hue: 1}
	})
	golden(t, "flights", BeforeAfter(before, after, sum(0, 1), sum(1, 1), sum(2, 1), sum(3, 1),
		Flight{From: 2, To: 2, Cells: []Flown{{Row: 3, Cell: Cell{Fill: Full, Hue: 3}}}}))
}

func TestEveryHueHasAPattern(t *testing.T) {
	golden(t, "patterns", Patterns())
	seen := map[string]int{}
	for hue, pattern := range regexp.MustCompile(`<pattern id="p\d.*?</pattern>`).FindAllString(Patterns(), -1) {
		marks := regexp.MustCompile(`-\d|id="p\d"`).ReplaceAllString(pattern, "")
		if other, found := seen[marks]; found {
			t.Errorf("hues %d and %d have the same pattern", other, hue)
		}
		seen[marks] = hue
	}
	if len(seen) != Hues {
		t.Errorf("%d patterns for %d hues", len(seen), Hues)
	}
}

func TestHuesRepeat(t *testing.T) {
	far := grid(func(_, block int) Cell { return Cell{Fill: Full, Hue: block + Hues} })
	near := grid(func(_, block int) Cell { return Cell{Fill: Full, Hue: block} })
	if BeforeAfter(far, far) != BeforeAfter(near, near) {
		t.Errorf("hue %d is not drawn as hue 0", Hues)
	}
}

func TestBarIsToScale(t *testing.T) {
	golden(t, "bar", Bar(21.6, Segment{10.8, "g-solid"}, Segment{10.8, "g-light"}))
	if svg := Bar(21.6, Segment{2.16, "g-solid"}); !strings.Contains(svg, ` width="100" `) {
		t.Errorf("a tenth of the scale is not a tenth of the width: %s", svg)
	}
}
