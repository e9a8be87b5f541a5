package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestRacePlaysAndSeeks(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/en/learn/race?t=0&net=article", false)
	p.waitFor(`!document.querySelector("[data-play]").hidden`)

	served := func() string {
		return evaluate[string](p, `[...document.querySelectorAll("[data-part^='a-tile'].g-served text")].filter(e => e.getClientRects().length > 0).map(e => e.textContent).join()`)
	}
	if got := served(); got != "R1" {
		t.Errorf("at 0 s the port serves %q, want R1", got)
	}
	// To the end of the ring, by its link.
	p.do(chromedp.Click(`.jumps li:last-child a`))
	p.waitFor(`new URL(location.href).searchParams.get("t").startsWith("2.16")`)
	if got := served(); got != "R2" {
		t.Errorf("at 2.16 s the port serves %q, want R2", got)
	}
	script := evaluate[string](p, racePicture)
	p.do(chromedp.Reload())
	if server := evaluate[string](p, racePicture); server != script {
		t.Errorf("the script's picture differs from the server's:\n%s\nwant\n%s", script, server)
	}

	// Play moves the clock, pause leaves its moment in the address.
	p.waitFor(`!document.querySelector("[data-play]").hidden`)
	p.do(chromedp.Click(`[data-play]`))
	p.waitFor(`parseFloat(document.querySelector(".clock [data-clock]").textContent) > 2.4`)
	p.do(chromedp.Click(`[data-play]`))
	p.waitFor(`parseFloat(new URL(location.href).searchParams.get("t")) > 2.3`)
	if pressed := evaluate[string](p, `document.querySelector("[data-play]").getAttribute("aria-pressed")`); pressed != "false" {
		t.Errorf("after a pause the button is pressed: %s", pressed)
	}
	// Keys act while the player has the focus.
	p.do(chromedp.Focus(`[data-play]`))
	evaluate[bool](p, `document.querySelector("[data-play]").dispatchEvent(new KeyboardEvent("keydown", {key: "End", bubbles: true}))`)
	p.waitFor(`document.querySelector(".clock [data-clock]").textContent === "21.6 s"`)
	if done := evaluate[int](p, `document.querySelectorAll(".race-done:not(.away)").length`); done != 2 {
		t.Errorf("at the end %d of 2 are done", done)
	}
	if said := evaluate[string](p, `document.querySelector("[data-live]").textContent`); !strings.Contains(said, "21.6 s") || !strings.Contains(said, "Everyone has the result") {
		t.Errorf("a screen reader hears %q", said)
	}
}

// The line in the chart of times moves by keys and by pointer, at once, and then
// everything follows as the server draws it.
func TestRaceSizeMoves(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/en/learn/race?net=article&t=1", false)
	p.waitFor(`document.querySelector(".race-cross.live") !== null`)
	const slider, line = `document.querySelector("[data-cross] input[type=range]")`, `document.querySelector("[data-cursor=line]").getAttribute("transform")`
	before := evaluate[string](p, line)
	p.do(chromedp.Focus(`[data-cross] input[type=range]`), chromedp.KeyEvent(kb.ArrowLeft))
	p.waitFor(line + ` !== "` + before + `"`)
	p.waitFor(`new URL(location.href).searchParams.get("size") === "1GB" && !document.querySelector(".race.stale")`)
	if at := evaluate[string](p, `[new URL(location.href).searchParams.get("t"), document.activeElement === `+slider+`, document.querySelector("#race-size").value, document.querySelectorAll(".fig")[1].textContent].join()`); at != ",true,1 GB,1.8s" {
		t.Errorf("after a key the page is at %q", at)
	}
	// The keys go on from there, and by pointer to the other end.
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.waitFor(`new URL(location.href).searchParams.get("size") === "800MB" && !document.querySelector(".race.stale")`)
	p.do(chromedp.ScrollIntoView(`[data-cross] svg.chart`))
	box := evaluate[[]float64](p, `(b => [b.left, b.top, b.width, b.height])(document.querySelector("[data-cross] svg.chart").getBoundingClientRect())`)
	from, to, y := box[0]+0.8*box[2], box[0]+0.3*box[2], box[1]+box[3]/2
	mouse := func(kind input.DispatchMouseEventType, x float64) chromedp.Action[chromedp.Void] {
		return chromedp.MouseEvent(kind, x, y, func(e *input.DispatchMouseEventParams) {
			e.Button, e.Buttons, e.ClickCount = input.MouseButtonLeft, 1, 1
		})
	}
	p.do(mouse(input.DispatchMouseEventTypeMousePressed, from), mouse(input.DispatchMouseEventTypeMouseMoved, (from+to)/2), mouse(input.DispatchMouseEventTypeMouseMoved, to))
	p.waitFor(`document.querySelector(".race.stale") !== null`)
	p.do(mouse(input.DispatchMouseEventTypeMouseReleased, to))
	p.waitFor(`!document.querySelector(".race.stale") && /^\d+(\.\d+)?kB$/.test(new URL(location.href).searchParams.get("size"))`)
	shown := evaluate[string](p, `document.querySelector("[data-cross]").innerHTML`)
	p.do(chromedp.Reload())
	p.waitFor(`document.querySelector(".race-cross.live") !== null`)
	if again := evaluate[string](p, `document.querySelector("[data-cross]").innerHTML`); again != shown {
		t.Errorf("the page that has followed differs from the one at its address:\n%s\nwant\n%s", shown, again)
	}
}

// racePicture is what every moving part looks like; of what is away nobody
// sees where it was.
const racePicture = `[...document.querySelectorAll("[data-part]")].map(e =>
	[e.dataset.part, e.getAttribute("class"), e.classList.contains("g-away") ? "" : e.getAttribute("transform"), e.children.length ? "" : e.textContent.trim()].join(" ")).join("\n")`

func TestStoryRecomputesWhileTyping(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/en/learn/central-server", false)
	p.waitFor(`!document.querySelector("input[type=range]").hidden`)
	evaluate[bool](p, `document.querySelector("#f-workers").value = "", true`)
	p.do(chromedp.SendKeys(`#f-workers`, "2"))
	p.waitFor(`document.querySelector("[data-say]").textContent.includes("With 2 workers, collecting the gradients takes 1.2\u00a0s")`)
	if at := evaluate[string](p, `location.search`); !strings.Contains(at, "workers=2") {
		t.Errorf("the address is %s", at)
	}
	p.do(chromedp.SendKeys(`#f-workers`, "x"))
	p.waitFor(`document.querySelector("#w-workers").textContent.includes("2x")`)
	if focus := evaluate[string](p, `document.activeElement.id`); focus != "f-workers" {
		t.Errorf("the focus has gone to %q", focus)
	}
}
