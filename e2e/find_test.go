package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSearchAnswersWhileOneTypes types into the index and finds answers there,
// at an address that shows the same again.
func TestSearchAnswersWhileOneTypes(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/en/learn", false)
	p.waitFor(`"installed" in document.documentElement.dataset`)
	p.do(chromedp.SendKeys(`#q`, "busbw"))
	p.waitFor(`document.querySelector(".found-list a")?.textContent === "bus bandwidth"`)
	if said := evaluate[string](p, `document.querySelector("[data-said]").textContent`); !strings.Contains(said, "busbw") {
		t.Errorf("the live region says %q", said)
	}
	at := evaluate[string](p, `location.pathname + location.search`)
	if at != "/en/learn?q=busbw" || evaluate[string](p, `document.activeElement.id`) != "q" {
		t.Errorf("the address is %s, or the field has lost the focus", at)
	}
	p.open(at, false)
	if first := evaluate[string](p, `document.querySelector(".found-list a").textContent`); first != "bus bandwidth" {
		t.Errorf("the address finds %s", first)
	}
}

// TestGlyphsFlyWhenPointedAt holds still what nobody points at, and whoever
// wants no motion.
func TestGlyphsFlyWhenPointedAt(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/en/", false)
	const flying = `[...document.querySelectorAll(".prim")].map(e => e.getAnimations({subtree: true}).filter(a => a.timeline === document.timeline).length)`
	if moving := evaluate[[]int](p, flying); len(moving) != 8 || moving[6] != 0 {
		t.Fatalf("%v move by themselves", moving)
	}
	evaluate[bool](p, `document.querySelectorAll(".prim a")[6].focus(), true`)
	if moving := evaluate[[]int](p, flying); moving[6] < 10 || moving[5] != 0 {
		t.Errorf("with the focus on the seventh %v move", moving)
	}
}
