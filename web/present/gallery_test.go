package present

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/views"
)

func gallery(t *testing.T, lang string) views.Gallery {
	t.Helper()
	css, err := os.ReadFile(filepath.Join("..", "..", "static", "css", "tokens.css"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Gallery(frames(t)[lang], GalleryMaterial{Tokens: string(css), Desk: desk(t)})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGalleryShowsEveryLayout(t *testing.T) {
	g := gallery(t, "en")
	layouts := map[schedule.Layout]bool{}
	for _, e := range schedule.Catalog() {
		layouts[e.Layout] = true
	}
	if least := 2 * len(layouts); len(g.Stages) < least || len(g.Phones) == 0 {
		t.Errorf("%d stages and %d for phones of %d layouts", len(g.Stages), len(g.Phones), len(layouts))
	}
	ids := map[string]bool{}
	for _, p := range append(g.Stages, g.Phones...) {
		_, rest, _ := strings.Cut(p.SVG, ` id="`)
		id, _, _ := strings.Cut(rest, `"`)
		if ids[id] {
			t.Errorf("two drawings are called %s", id)
		}
		ids[id] = true
	}
}

func TestGalleryShowsEveryState(t *testing.T) {
	g := gallery(t, "zh")
	seen := map[string]bool{}
	for _, s := range g.States {
		seen[s.Run.State.Kind] = true
		if s.Run.Grid.SVG == "" {
			t.Errorf("%s has no grid", s.Name)
		}
	}
	for _, kind := range []string{"ok", "run", "off", "bad"} {
		if !seen[kind] {
			t.Errorf("no run is %s", kind)
		}
	}
	if g.Failed.Blame == nil || g.Failed.Blame.Graph == "" || g.Done.Grid.Replay == nil || g.Running.Lab == nil || g.Running.Cancel == nil {
		t.Error("a part of a run's page is missing")
	}
	wrong := 0
	for _, f := range g.Fields {
		if f.Wrong != "" && len(f.Fixes) > 0 {
			wrong++
		}
	}
	if wrong == 0 || wrong == len(g.Fields) {
		t.Errorf("%d of %d fields are wrong", wrong, len(g.Fields))
	}
}

// The contrasts that the gallery prints hold; static/tokens_test.go asks more.
func TestGalleryContrasts(t *testing.T) {
	if got := contrastRatio("#000000", "#ffffff"); got < 20.99 || got > 21.01 {
		t.Fatalf("black on white has contrast %v", got)
	}
	colours := gallery(t, "en").Colours
	if len(colours) < 50 {
		t.Fatalf("only %d colours", len(colours))
	}
	for _, c := range colours {
		if c.Needs == "nothing" {
			continue
		}
		for theme, swatch := range map[string]views.GallerySwatch{"light": c.Light, "dark": c.Dark} {
			if len(swatch.Contrast) < len(c.Needs) || len(swatch.Contrast) == len(c.Needs) && swatch.Contrast < c.Needs {
				t.Errorf("%s: %s against %s has contrast %s, needs %s", theme, c.Token, c.Against, swatch.Contrast, c.Needs)
			}
		}
	}
}
