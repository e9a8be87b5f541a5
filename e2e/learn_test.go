package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openLesson shows a lesson and waits until its player has taken over.
func openLesson(p *tab, path string) {
	p.t.Helper()
	p.open(path, false)
	p.waitFor(`document.querySelector("[data-lesson]").hasAttribute("data-ready")`)
}

// lessonAt waits until the player has come to rest at a step.
func lessonAt(p *tab, step int) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`document.querySelector("[data-lesson]").matches('[data-step="%d"]:not([data-moving])')`, step))
}

// shownLesson is everything a lesson shows, in the order of the page: what a
// script has set must be what the server draws.
const shownLesson = `[...document.querySelectorAll("[data-text], [data-invariants] li:not(.none), [data-costs] td, .lesson .stage text, .stage title, .stage desc, .clock-word")]
	.filter(e => !e.closest(".off")).map(e => e.textContent.trim()).concat(
	[...document.querySelectorAll(".stage [data-cell], .stage [data-tick], .stage [data-card], .stage .move:not(.off), .clock-step, .clock-name, .track-phase, .track-step")].map(e => e.getAttribute("class").split(" ").sort().join(" ")),
	[...document.querySelectorAll(".stage .move:not(.off) > path, .stage .move:not(.off) > .token, .clock-head, .stage .cell-bar")].map(e => (e.getAttribute("d") ?? e.getAttribute("transform")).replace(/\d+\.\d+/g, v => Math.round(v * 100) / 100)),
	document.querySelector("[data-range]").value, document.querySelector("[data-range]").getAttribute("aria-valuetext"))`

// Every step that the player shows must look as the server draws it, forward
// and back.
func TestPlayerShowsWhatTheServerDraws(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	for _, lesson := range []struct {
		path  string
		steps int
	}{
		{"/zh/learn/all-reduce/ring?n=4", 6}, {"/en/learn/all-reduce/central?n=9", 2}, {"/en/learn/broadcast/binomial-tree?n=8", 3},
		{"/en/learn/all-reduce/in-network?n=4", 2}, {"/zh/learn/all-reduce/hierarchical?n=6", 6}, {"/en/learn/all-reduce/double-binary-tree?n=5", 7},
		{"/zh/learn/all-to-all/bruck?n=6", 3}, {"/en/learn/scatter/binomial-tree?n=6&root=2", 3}, {"/zh/learn/reduce-scatter/recursive-halving?n=4", 2}, {"/en/learn/barrier/dissemination?n=5", 3},
	} {
		drawn := make([][]string, lesson.steps+1)
		for step := range drawn {
			openLesson(p, fmt.Sprintf("%s&step=%d", lesson.path, step))
			drawn[step] = evaluate[[]string](p, shownLesson)
		}
		openLesson(p, lesson.path)
		p.do(chromedp.Focus("[data-range]"))
		compare := func(step int, how string) {
			lessonAt(p, step)
			got := evaluate[[]string](p, shownLesson)
			if len(got) != len(drawn[step]) {
				t.Fatalf("%s, step %d %s: %d things are shown, the server draws %d", lesson.path, step, how, len(got), len(drawn[step]))
			}
			for i := range got {
				if got[i] != drawn[step][i] {
					t.Fatalf("%s, step %d %s shows %q, the server draws %q", lesson.path, step, how, got[i], drawn[step][i])
				}
			}
		}
		for step := 1; step <= lesson.steps; step++ {
			p.do(chromedp.KeyEvent(kb.ArrowRight))
			compare(step, "forward")
		}
		for step := lesson.steps - 1; step >= 0; step-- {
			p.do(chromedp.KeyEvent(kb.ArrowLeft))
			compare(step, "back")
		}
	}
}

func TestPlayerKeys(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	openLesson(p, "/en/learn/all-reduce/ring?n=4&size=64MiB")
	query := func() string { return evaluate[string](p, `location.search`) }
	p.do(chromedp.KeyEvent(kb.End)) // the focus is elsewhere
	if got := query(); strings.Contains(got, "step") {
		t.Errorf("keys act without focus: %s", got)
	}
	p.do(chromedp.Focus("[data-range]"))
	for _, press := range []struct {
		key   string
		shift bool
		step  int
	}{{kb.End, false, 6}, {kb.Home, false, 0}, {kb.ArrowRight, true, 3}, {kb.PageDown, false, 4}, {kb.PageUp, false, 3}, {kb.ArrowLeft, true, 0}} {
		if press.shift {
			p.do(chromedp.KeyEvent(press.key, chromedp.KeyModifiers(8)))
		} else {
			p.do(chromedp.KeyEvent(press.key))
		}
		lessonAt(p, press.step)
		if got := query(); strings.Contains(got, fmt.Sprintf("step=%d", press.step)) != (press.step > 0) || !strings.Contains(got, "size=64MiB") {
			t.Errorf("after %q the address says %s", press.key, got)
		}
	}
	p.do(chromedp.KeyEvent("p"))
	p.waitFor(`document.documentElement.hasAttribute("data-present") && location.search.includes("present=1")`)
	evaluate[bool](p, `document.activeElement.blur(); true`)
	p.do(chromedp.KeyEvent(kb.PageDown)) // a clicker: no focus needed now
	lessonAt(p, 1)
	p.do(chromedp.KeyEvent("b"))
	p.waitFor(`document.querySelector(".blank").checkVisibility()`)
	p.do(chromedp.KeyEvent("b"), chromedp.KeyEvent(kb.Escape))
	p.waitFor(`!document.querySelector(".blank").checkVisibility() && !document.documentElement.hasAttribute("data-present")`)
}

func TestPlayerPlaysToTheEnd(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	for _, speed := range []string{"4", "time"} {
		openLesson(p, "/en/learn/all-reduce/central?n=4")
		evaluate[bool](p, `document.querySelector("[data-speed] select").value = "`+speed+`"; true`)
		p.do(chromedp.Click("[data-play]"))
		p.waitFor(`document.querySelector("[data-play]").getAttribute("aria-label") === "Pause"`)
		lessonAt(p, 2)
		p.waitFor(`document.querySelector("[data-play]").getAttribute("aria-label") === "Play"`)
	}
}

// With reduced motion the same steps come without travel.
func TestPlayerWithReducedMotion(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	}); err != nil {
		t.Fatal(err)
	}
	openLesson(p, "/en/learn/all-reduce/ring?n=4")
	got := evaluate[string](p, `document.querySelector("[data-move-to=next]").click(),
		[...document.querySelectorAll(".stage.wide .tick-in")].length + " arriving, " + document.querySelectorAll(".stage.wide .tick-new").length + " new"`)
	if got != "0 arriving, 4 new" {
		t.Errorf("at once there are %s", got)
	}
}

// The presenter mode fits a projector without scrolling.
func TestPresenterFitsTheProjector(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.do(chromedp.EmulateViewport(1920, 1080))
	for _, path := range []string{"ring?n=4&step=3", "ring?n=8&step=5", "ring?n=16&step=5", "ring?n=64&step=60", "central?n=4&step=1", "central?n=8&step=1"} {
		for _, language := range languages {
			openLesson(p, "/"+language+"/learn/all-reduce/"+path+"&present=1")
			if over := evaluate[int](p, `document.documentElement.scrollHeight - document.documentElement.clientHeight`); over > 0 {
				t.Errorf("%s %s is %d px too tall", language, path, over)
			}
			p.picture("present-" + language + "-" + strings.NewReplacer("?", "-", "&", "-", "=", "").Replace(path))
		}
	}
}
