package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openAsk shows a lesson that asks, once its scripts have taken over.
func openAsk(p *tab, path string) {
	p.t.Helper()
	openLesson(p, path)
	p.waitFor(`"installed" in document.documentElement.dataset`)
}

// clickOn clicks in the middle of what a selector finds on the wide stage.
func clickOn(p *tab, selector string) {
	p.t.Helper()
	p.do(chromedp.Click(`.stage.wide ` + selector))
}

// verdict waits for the answer to a guess and says what it is.
func verdict(p *tab) string {
	p.t.Helper()
	p.waitFor(`document.activeElement.matches("[data-verdict]")`)
	return evaluate[string](p, `document.activeElement.textContent.trim().replace(/\s+/g, " ") + " | " + document.querySelector("[data-tally]").textContent`)
}

// A question is answered by clicks on the stage, wrong and then right; the
// tally stays when the page comes anew, in the other language too.
func TestPredictByClick(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.do(chromedp.EmulateViewport(1440, 900))
	openAsk(p, "/en/learn/all-reduce/ring?n=4&step=2")
	p.do(chromedp.Click(`[data-ask-open]`))
	p.waitFor(`document.querySelector(".ask.open form") !== null`)
	openAsk(p, "/en/learn/all-reduce/ring?n=4&step=2&ask=next&who=0")
	clickOn(p, `[data-cell="0-2"]`)
	clickOn(p, `[data-cell="1-0"]`)
	if picked := evaluate[string](p, `[...document.querySelectorAll(".ask :checked")].map(e => e.name + e.value).join() + document.querySelectorAll(".stage.wide [data-chosen]").length`); picked != "block2,to12" {
		t.Errorf("clicks on the stage pick %s", picked)
	}
	p.do(chromedp.Click(`.ask form .primary`))
	if got := verdict(p); got != "Not quite. The receiver is right, the block is not. | 0 of 1 right" {
		t.Errorf("the wrong guess: %s", got)
	}
	p.do(chromedp.Click(`.ask-answer a[href*="who=0"]`))
	p.waitFor(`document.querySelector(".ask form") !== null && !document.querySelector(".asked-guess")`)
	clickOn(p, `[data-cell="0-1"]`)
	clickOn(p, `[data-cell="1-3"]`)
	p.do(chromedp.Click(`.ask form .primary`))
	if got := verdict(p); got != "Right. | 1 of 2 right" {
		t.Errorf("the right guess: %s", got)
	}
	if drawn := evaluate[int](p, `document.querySelectorAll(".stage.wide .asked-guess path.asked-line, .stage.wide .asked-truth path.asked-line").length`); drawn != 2 {
		t.Errorf("the stage shows %d ways, not the guess and the truth", drawn)
	}
	said := evaluate[string](p, `document.querySelector(".ask").textContent`)
	p.do(chromedp.Reload())
	p.waitFor(`"installed" in document.documentElement.dataset`)
	if again := evaluate[string](p, `document.querySelector(".ask").textContent`); again != said {
		t.Errorf("after a reload it says %q, not %q", again, said)
	}
	p.open(evaluate[string](p, `document.querySelector(".appbar a[hreflang]").getAttribute("href")`), false)
	p.waitFor(`document.querySelector("[data-tally]").textContent === "猜了 2 次，对 1 次"`)
	if right := evaluate[bool](p, `document.querySelector(".verdict").matches(".right")`); !right {
		t.Error("in the other language the answer is another")
	}
	p.do(chromedp.Click(`[data-clear]`))
	p.waitFor(`!document.querySelector("[data-tally]").checkVisibility()`)
}

// The same by keys alone; the next step brings the next question.
func TestPredictByKeyboard(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	}); err != nil {
		t.Fatal(err)
	}
	openAsk(p, "/en/learn/barrier/dissemination?n=4")
	p.do(chromedp.Focus(`[data-ask-open]`), chromedp.KeyEvent(kb.Enter))
	p.waitFor(`document.activeElement.matches(".ask fieldset input")`)
	openAsk(p, "/en/learn/barrier/dissemination?n=4&ask=value&who=1")
	p.do(chromedp.Focus(`.ask fieldset input[value="0"]`), chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.Enter))
	if got := verdict(p); got != "Not quite. 1 missing. | 0 of 1 right" {
		t.Errorf("without itself: %s", got)
	}
	// With reduced motion both stand there at once.
	if moving := evaluate[int](p, `document.getAnimations().length`); moving != 0 {
		t.Errorf("%d animations run", moving)
	}
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter)) // try again
	p.waitFor(`document.activeElement.matches(".ask fieldset input")`)
	p.do(chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.Enter))
	if got := verdict(p); got != "Right. | 1 of 2 right" {
		t.Errorf("with itself: %s", got)
	}
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter)) // show the step
	lessonAt(p, 1)
	p.waitFor(`document.querySelector(".ask form") !== null && !document.querySelector(".ask[aria-busy]")`)
	if at := evaluate[string](p, `location.search`); strings.Contains(at, "guess") || !strings.Contains(at, "ask=value") || !strings.Contains(at, "step=1") {
		t.Errorf("the next question is at %s", at)
	}
}

// Without scripts the form leads to the answer.
func TestPredictWithoutScripts(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	answer, err := http.Get(address + "/zh/learn/all-reduce/ring?n=4&step=2&ask=next&who=0&block=1&to=1")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	page := string(content)
	for _, want := range []string{"对了。", "块 1 → Rank 1", `class="asked-truth"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the answer lacks %s", want)
		}
	}
}
