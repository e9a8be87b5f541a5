package e2e

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// Without scripts every page shows its content, and nothing on it is dead: a
// button sends a form, a field has a button that sends it.
func TestPagesWithoutScripts(t *testing.T) {
	t.Parallel()
	address, key := newServed(t)
	browser := newBrowser(t)
	for _, session := range []bool{false, true} {
		p := newPlain(t, browser, address)
		if session {
			p.visit("/?key="+key, false)
		}
		for i, page := range pages {
			if page.session != session {
				continue
			}
			language := languages[i%len(languages)]
			p.visit("/"+language+page.path, page.failing && page.then == "")
			if len(p.text("main")) < 40 || p.text("h1") == "" && !strings.Contains(page.path, "present=1") {
				t.Errorf("%s shows only %q", page.name, p.text("main"))
			}
			for _, dead := range evaluate[[]string](p.tab, deadControls) {
				t.Errorf("%s has %s", page.name, dead)
			}
		}
	}
}

// deadControls lists what does nothing without scripts.
const deadControls = `(() => {
	const shown = (root, selector) => [...root.querySelectorAll(selector)].filter(e => e.checkVisibility() && e.type !== "hidden" && !e.disabled);
	const name = e => e.outerHTML.slice(0, 100);
	const dead = shown(document, "button").filter(e => e.type !== "submit" || !e.form).map(e => "a button without effect: " + name(e));
	for (const form of document.forms) {
		if (shown(form, "input, select, textarea").length && !shown(form, "button").some(e => e.type === "submit")) {
			dead.push("a form that nothing sends: " + name(form));
		}
	}
	if (document.querySelector("[data-ready]")) dead.push("a script that has run");
	return dead;
})()`

// lessonIs reads where a lesson stands.
func lessonIs(p *plain, what string, step int, algorithm string) {
	p.t.Helper()
	at := ask[string](p, "[data-lesson]", "e.dataset.step")
	if at != strconv.Itoa(step) || !strings.Contains(p.path(), "/learn/all-reduce/"+algorithm) {
		p.t.Errorf("%s leads to step %s of %s, want step %d of %s", what, at, p.path(), step, algorithm)
	}
	if p.count("[data-lesson][data-ready]") > 0 {
		p.t.Fatal("the player's script has run")
	}
}

// Without scripts every step of a lesson is a link away and every choice a
// form.
func TestLessonWithoutScripts(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newPlain(t, newBrowser(t), address)
	p.visit("/en/learn/all-reduce/ring?n=4&size=64MiB", false)
	narrated := map[string]bool{p.text(".narr"): true}
	for step := 1; step <= 3; step++ {
		p.press(`[data-move-to="next"]`)
		lessonIs(p, "the next step", step, "ring")
		narrated[p.text(".narr")] = true
	}
	if len(narrated) != 4 {
		t.Errorf("four steps are told in %d ways", len(narrated))
	}
	p.press(`[data-move-to="last"]`)
	lessonIs(p, "the last step", 6, "ring")
	p.press(`[data-move-to="prev"]`)
	lessonIs(p, "the step before", 5, "ring")
	p.press(`[data-move-to="first"]`)
	lessonIs(p, "the first step", 0, "ring")
	p.keys("[data-range]", kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	p.press("[data-go]")
	lessonIs(p, "the slider", 3, "ring")
	p.press(`[data-api="pytorch"]`)
	lessonIs(p, "a library", 3, "ring")
	if !ask[bool](p, `[data-api-of="pytorch"]`, `e.checkVisibility()`) || ask[bool](p, `[data-api-of="mpi"]`, `e.checkVisibility()`) {
		t.Error("the link to PyTorch does not open PyTorch")
	}
	p.keys(`.pickers select[name="n"]`, kb.ArrowDown)
	p.press("[data-apply]")
	lessonIs(p, "another number of ranks", 4, "ring") // the end of the first phase stays that
	if ask[string](p, "[data-range]", `e.getAttribute("max") ?? ""`) != "8" || !strings.Contains(p.path(), "size=64MiB") || !strings.Contains(p.path(), "api=pytorch") {
		t.Errorf("five ranks are at %s", p.path())
	}
	p.press("[data-present-link]")
	if p.count("html[data-present]") != 1 {
		t.Error("the presenter mode does not open")
	}
	p.press("[data-leave]")
	lessonIs(p, "leaving the presenter mode", 4, "ring")
}

// The stories compare and compute by forms alone.
func TestStoriesWithoutScripts(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newPlain(t, newBrowser(t), address)
	p.visit("/en/learn/race", false)
	p.press(".jumps li:last-child a")
	if done := p.count(".race-done:not(.away)"); done == 0 || !strings.Contains(p.path(), "t=") {
		t.Errorf("%d algorithms are done at %s", done, p.path())
	}
	p.fill("#race-n", "4")
	p.press(".race-form button.primary")
	if !strings.Contains(p.path(), "n=4") || ask[string](p, "#race-n", `e.getAttribute("value") ?? ""`) != "4" {
		t.Errorf("the race of 4 is at %s", p.path())
	}
	p.keys(`.race-player input[name="t"]`, kb.End)
	p.press("[data-show]")
	if done := p.count(".race-done:not(.away)"); done != 2 {
		t.Errorf("at the end %d of 2 are done: %s", done, p.path())
	}

	p.visit("/en/learn/central-server", false)
	p.fill("#f-workers", "2")
	p.press(".story-form button.primary")
	if said := p.text("[data-say]"); !strings.Contains(said, "1.2\u00a0s") || ask[string](p, "#f-workers", `e.getAttribute("value") ?? ""`) != "2" {
		t.Errorf("two workers: %s", said)
	}
	p.fill("#f-workers", "many")
	p.press(".story-form button.primary")
	if ask[string](p, "#f-workers", `e.getAttribute("aria-invalid") ?? ""`) != "true" && !strings.Contains(p.text(".story-form"), "many") {
		t.Error("what was typed wrong is lost")
	}
}

// A run is started, followed and disturbed by forms and reloads.
func TestRunWithoutScripts(t *testing.T) {
	t.Parallel()
	address, key := newServed(t)
	p := newPlain(t, newBrowser(t), address)
	p.visit("/zh/runs/new?n=3&size=6MB&rate=2MB/s", false) // no session yet
	p.fill("#key", key)
	p.press("main form button")
	if !strings.HasPrefix(p.path(), "/zh/runs/new?") {
		t.Fatalf("the key leads to %s", p.path())
	}
	p.fill("#n", "2")
	p.press(`.newrun [formmethod="get"]`)
	if ask[string](p, "#n", `e.getAttribute("value") ?? ""`) != "2" || ask[string](p, "#rate", `e.getAttribute("value") ?? ""`) != "2MB/s" {
		t.Errorf("the preview loses what was typed: %s", p.path())
	}
	p.fill("#n", "nine")
	p.expectTrouble("422")
	p.press(".newrun .go .primary")
	if ask[string](p, "#n", `e.getAttribute("value") ?? ""`) != "nine" || ask[string](p, "#n", `e.getAttribute("aria-invalid") ?? ""`) != "true" {
		t.Error("a wrong number is not refused beside its field")
	}
	p.fill("#n", "2")
	p.press(".newrun .go .primary")
	run := p.path()
	shares := map[string]bool{}
	reloadUntil(p, "the run ends", func() bool {
		shares[ask[string](p, "[data-share]", `e.getAttribute("value") ?? ""`)] = true
		return strings.Contains(p.text("[data-state]"), "完成，结果逐位核对无误")
	})
	if len(shares) < 3 {
		t.Errorf("the page came with %d states of the progress only", len(shares))
	}
	p.press(`[data-go="first"]`)
	p.press(`[data-go="next"]`)
	if p.path() != run+"?step=1" && !strings.HasPrefix(p.path(), run+"?step=1") {
		t.Errorf("the replay's links lead to %s", p.path())
	}

	p.press(".top .primary") // again
	const kill = `.lab-row:nth-child(2) button[value="kill"]`
	reloadUntil(p, "ranks can be disturbed", func() bool { return p.count(kill) > 0 })
	p.press(kill)
	reloadUntil(p, "somebody is blamed", func() bool { return p.count(".callout.bad") > 0 })
	if said := p.text(".callout.bad"); !strings.Contains(said, "Rank 1 的进程死了") {
		t.Errorf("the page says %s", said)
	}
	p.press(`form[action="/zh/logout"] button`)
	p.visit(run, false)
	if !strings.HasPrefix(p.path(), "/zh/login?next=") {
		t.Errorf("without a session a run is at %s", p.path())
	}
}

// reloadUntil takes a run's link to how it stands now until that is so.
func reloadUntil(p *plain, what string, holds func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); !holds(); p.press("noscript a") {
		if time.Now().After(deadline) || p.count("noscript a") == 0 {
			p.t.Fatalf("waited in vain until %s: %s", what, p.text("[data-state]"))
		}
	}
}
