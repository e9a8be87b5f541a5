package present

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/views/raster"
)

// The embedded font has every character that a picture may be lettered with:
// all lessons in both languages, at sizes that are drawn in different ways.
func TestPicturesHaveTheirLetters(t *testing.T) {
	painter, err := raster.New()
	if err != nil {
		t.Fatal(err)
	}
	missing := map[rune]string{}
	for _, f := range []Frame{frames(t)["zh"], frames(t)["en"]} {
		for _, e := range schedule.Catalog() {
			if e.Collective == schedule.Barrier { // it has no sizes
				continue
			}
			c := comparedBy(e)
			for _, chart := range []string{chartTime, chartBus} {
				drawing, there := SweepPicture(f, c, chart, "https://host", "")
				if !there {
					t.Fatalf("%s/%s: no chart of %s", e.Collective, e.Algorithm, chart)
				}
				for _, r := range lettered(t, drawing.SVG) {
					if !painter.Has(r) && missing[r] == "" {
						missing[r] = fmt.Sprintf("a comparison of %s/%s in %s", e.Collective, e.Algorithm, f.Locale.Lang())
					}
				}
			}
		}
		for i, e := range schedule.Catalog() {
			sizes := []int{4, 8}[i%2 : i%2+1]
			if i%12 == 0 { // one that is drawn as a heat map
				sizes = []int{20}
			}
			for _, n := range sizes {
				film, err := LessonFilm(f, LessonRequest{Entry: e, Query: url.Values{"n": {fmt.Sprint(n)}, "root": {"1"}}, Origin: "https://host"}, "")
				if err != nil {
					t.Fatal(err)
				}
				for still := range film.Rests {
					for _, r := range lettered(t, film.Still(still)) {
						if !painter.Has(r) && missing[r] == "" {
							missing[r] = fmt.Sprintf("%s/%s in %s", e.Collective, e.Algorithm, f.Locale.Lang())
						}
					}
				}
			}
		}
	}
	for r, where := range missing {
		t.Errorf("the font lacks %q of %s; views/raster/fonts/build.sh makes it anew", r, where)
	}
}

// comparedBy is a comparison by an algorithm, with what the model has predicted.
func comparedBy(e schedule.Entry) sweep.Comparison {
	c := sweep.Comparison{ID: "0001", State: sweep.Done, Request: sweep.Request{
		Base:  trace.Spec{Collective: e.Collective, Ranks: 4},
		Range: sweep.Range{First: 1024, Last: 4096, Factor: 4},
		Ways:  []sweep.Way{{Backend: trace.Host, Algorithm: e.Algorithm}, {Backend: trace.MPI, Algorithm: schedule.LibraryCall}, {Backend: trace.MPI, Algorithm: e.Algorithm}},
	}}
	for i := range c.Request.Len() {
		spec, _ := c.Request.At(i)
		run := trace.Run{ID: "0001", Outcome: trace.Done, Collective: e.Collective, Ranks: 4, Size: spec.Size, Times: &trace.Times{Median: 1e-5}, Predicted: 1e-5}
		c.Points = append(c.Points, sweep.Point{Run: run})
	}
	return c
}

// lettered is what is written in a drawing.
func lettered(t *testing.T, svg string) string {
	t.Helper()
	var all strings.Builder
	inText := false
	for parser := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := parser.Token()
		if errors.Is(err, io.EOF) {
			return all.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				all.Write(token)
			}
		}
	}
}

func TestSelectionOfSteps(t *testing.T) {
	for _, c := range []struct {
		last, most int
		want       []int
		every      int
	}{
		{0, 64, []int{0}, 1}, {3, 64, []int{0, 1, 2, 3}, 1}, {7, 4, []int{0, 3, 6, 7}, 3}, {6, 3, []int{0, 3, 6}, 3}, {5, 2, []int{0, 5}, 5},
	} {
		got := choose(c.last, c.most)
		if !slices.Equal(got.steps, c.want) || got.every != c.every {
			t.Errorf("at most %d of %d steps: %v, want %v", c.most, c.last, got, c.want)
		}
	}
	for last := range 200 {
		if got := choose(last, 64); len(got.steps) > 64 || got.steps[len(got.steps)-1] != last {
			t.Errorf("of %d steps: %v", last, got.steps)
		}
	}
}

func TestLoopbackOrigins(t *testing.T) {
	for origin, want := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://[::1]:8080": true, "https://localhost": true, "https://lab.example:8443": false, "http://10.0.0.7:80": false,
	} {
		if loopback(origin) != want {
			t.Errorf("%s: %v", origin, !want)
		}
	}
}

// The drawn code has the modules of the library's, inside a quiet edge.
func TestCodeHasTheModulesOfItsLink(t *testing.T) {
	const link = "https://lab.example:8443/zh/learn/all-reduce/ring?n=16&step=5"
	m, err := codeOf(link)
	if err != nil {
		t.Fatal(err)
	}
	want, err := qr.Encode(link, qr.M, qr.Auto)
	if err != nil {
		t.Fatal(err)
	}
	_, path, _ := strings.Cut(m.SVG(), `fill="#000000" d="`)
	path, _, _ = strings.Cut(path, `"`)
	dark := map[[2]int]bool{}
	for _, row := range strings.Split(strings.TrimSuffix(path, "z"), "z") {
		var x, y, wide, back int
		if _, err := fmt.Sscanf(row, "M%d %dh%dv1h-%d", &x, &y, &wide, &back); err != nil || wide != back {
			t.Fatalf("read %q: %v", row, err)
		}
		for i := range wide {
			dark[[2]int{x + i - 4, y - 4}] = true
		}
	}
	count := 0
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			is := want.At(x, y) == color.Black
			if is {
				count++
			}
			if dark[[2]int{x, y}] != is {
				t.Fatalf("module %d, %d is dark: %v", x, y, !is)
			}
		}
	}
	if len(dark) != count || count < 100 {
		t.Errorf("%d modules are dark, want %d", len(dark), count)
	}
}

// A handout has a sheet for each step, each with a stage of its own name.
func TestHandoutHasASheetAStep(t *testing.T) {
	ring, err := schedule.Find(schedule.AllReduce, "ring")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{1: 1, 4: 7, 8: 15, 64: 14} {
		v, err := LessonHandout(frames(t)["zh"], LessonRequest{Entry: ring, Query: url.Values{"n": {fmt.Sprint(n)}}, Origin: "http://host"})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Sheets) != want || (n > 8) != (len(v.Notes) > 0) {
			t.Errorf("%d ranks: %d sheets, want %d, with notes %q", n, len(v.Sheets), want, v.Notes)
		}
		names := map[string]bool{}
		for _, sheet := range v.Sheets {
			_, id, _ := strings.Cut(sheet.Stage, ` id="`)
			id, _, _ = strings.Cut(id, `"`)
			names[id] = true
		}
		if len(names) != len(v.Sheets) {
			t.Errorf("%d ranks: stages are called %v", n, names)
		}
	}
}
