package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A lesson is broken, looked at, stepped through and repaired with keys alone;
// what the player shows of a broken schedule is what the server draws.
func TestALessonBreaksByKeyboard(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	openLesson(p, "/en/learn/all-reduce/ring?n=4&step=2")
	right := evaluate[string](p, `document.querySelector("[data-lesson]").dataset.scheduleHash`)
	p.do(chromedp.Focus(".break summary"), chromedp.KeyEvent(kb.Enter))
	p.waitFor(`document.querySelector(".break details").open`)
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter)) // the first way
	p.waitAcross(`location.search.includes("break=drop") && document.querySelector("[data-lesson]")?.hasAttribute("data-ready")`)
	if got := evaluate[string](p, `document.querySelector("[data-lesson]").dataset.scheduleHash`); got == right {
		t.Error("the broken schedule has the hash of the right one")
	}
	if !evaluate[bool](p, `document.querySelector("[data-broken]").checkVisibility() && document.querySelector(".break details").open`) {
		t.Error("the page does not say that it is broken")
	}
	drawn := map[int][]string{}
	for step := range 7 {
		openLesson(p, "/en/learn/all-reduce/ring?n=4&break=drop&step="+string(rune('0'+step)))
		drawn[step] = evaluate[[]string](p, shownLesson)
	}
	p.do(chromedp.Focus("[data-range]"))
	for _, press := range []struct {
		key  string
		step int
	}{{kb.Home, 0}, {kb.ArrowRight, 1}, {kb.ArrowRight, 2}, {kb.ArrowRight, 3}, {kb.End, 6}, {kb.ArrowLeft, 5}} {
		p.do(chromedp.KeyEvent(press.key))
		lessonAt(p, press.step)
		if got, want := evaluate[[]string](p, shownLesson), drawn[press.step]; strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("step %d shows %q, the server draws %q", press.step, got, want)
		}
	}
	if bad := evaluate[int](p, `document.querySelectorAll("[data-invariants] .bad").length`); bad == 0 {
		t.Error("at step 5 every invariant is said to hold")
	}
	p.do(chromedp.Focus("[data-broken] a"), chromedp.KeyEvent(kb.Enter))
	p.waitAcross(`!location.search.includes("break=") && document.querySelector("[data-lesson]")?.hasAttribute("data-ready")`)
	if got := evaluate[string](p, `document.querySelector("[data-lesson]").dataset.scheduleHash + document.querySelector("[data-lesson]").dataset.step`); got != right+"5" {
		t.Errorf("repaired, it is %s, want %s at step 5", got, right)
	}
}
