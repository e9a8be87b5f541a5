package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// startRun fills the form of /en/runs/new with what the query says, sends it
// and returns the path of the run's page.
func startRun(p *tab, query string) string {
	p.t.Helper()
	p.open("/en/runs/new?"+query, false)
	p.do(chromedp.Click(`form.newrun .go button.primary`), chromedp.WaitReady(`[data-run]`))
	return evaluate[string](p, `location.pathname`)
}

// waitAcross is waitFor on a page that comes anew by itself meanwhile. It holds
// only on a page that stands whole: text near the top of a page is there before
// its grid has been read, and its buttons before their scripts.
func (p *tab) waitAcross(expression string) {
	p.t.Helper()
	whole := `"installed" in document.documentElement.dataset && (` + expression + `)`
	deadline := time.After(patience)
	for {
		held, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](whole))
		if err == nil && held {
			return
		}
		select {
		case <-deadline:
			p.t.Fatalf("wait for %s: %v", expression, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// TestRunIsWatchedToItsEnd starts a paced run from the form, sees the cells
// fill without a reload, and the page of the ended run come by itself.
func TestRunIsWatchedToItsEnd(t *testing.T) {
	t.Parallel()
	address, key := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/?key="+key, false)
	path := startRun(p, "n=4&size=16MB&pace=rate&rate=4MB/s")
	if !strings.HasPrefix(path, "/en/runs/0") {
		t.Fatalf("the form leads to %s", path)
	}
	const final = `document.querySelectorAll(".blockgrid .final").length`
	p.waitAcross(`document.querySelectorAll(".blockgrid .receives").length === 4`)
	evaluate[bool](p, `window.stayed = true`)
	p.waitAcross(final + ` >= 4`)
	if !evaluate[bool](p, `window.stayed === true`) {
		t.Error("the cells have filled by a reload")
	}
	if ticks := evaluate[int](p, `document.querySelectorAll(".blockgrid .tick-on").length`); ticks <= 16 {
		t.Errorf("%d ticks: no contribution has arrived", ticks)
	}
	p.waitAcross(`document.body.innerText.includes("Done, every bit of the result checked")`)
	if got := evaluate[int](p, final); got != 16 {
		t.Errorf("%d of 16 cells are final", got)
	}
	// The trace plays, by script and by link alike.
	p.do(chromedp.Click(`[data-go="first"]`))
	p.waitAcross(final + ` === 0`)
	p.open(path+"?step=3", false)
	if got := evaluate[int](p, final); got != 4 {
		t.Errorf("after step 3 of the replay %d cells are final, want 4", got)
	}
	p.open("/en/runs", false)
	if row := evaluate[string](p, `document.querySelector("tbody tr").innerText`); !strings.Contains(row, "done") || !strings.Contains(row, "paced") {
		t.Errorf("the list says %q", row)
	}
}

// TestSecondViewerJoins opens the page of a run under way a second time.
func TestSecondViewerJoins(t *testing.T) {
	t.Parallel()
	address, key := newServed(t)
	browser := newBrowser(t)
	p := newTab(t, browser, address)
	p.open("/?key="+key, false)
	path := startRun(p, "n=2&size=8MB&pace=rate&rate=1MB/s")
	p.waitAcross(`document.querySelectorAll(".blockgrid .final").length >= 2`)
	second := newTab(t, browser, address)
	second.open(path, false)
	if got := evaluate[int](second, `document.querySelectorAll(".blockgrid .final").length`); got < 2 {
		t.Errorf("the second viewer sees %d final cells, the first at least 2", got)
	}
	p.do(chromedp.Click(`button.danger`))
	for _, viewer := range []*tab{p, second} {
		viewer.waitAcross(`document.body.innerText.includes("Cancelled at")`)
	}
}

// TestKilledRankIsNamedOnItsPage ends a rank's process and reads who is to blame.
func TestKilledRankIsNamedOnItsPage(t *testing.T) {
	t.Parallel()
	address, key := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/?key="+key, false)
	startRun(p, "n=4&size=16MB&pace=rate&rate=1MB/s")
	p.waitAcross(`document.querySelector(".lab-row") !== null && document.querySelector("[data-share]").value > 4`)
	p.do(chromedp.Click(`.lab-row:nth-child(3) button[value="kill"]`))
	p.waitAcross(`document.querySelector(".callout.bad") !== null`)
	text := evaluate[string](p, `document.querySelector("main").innerText`)
	for _, want := range []string{"Rank 2 died, so everyone stopped.", "Who is waiting for whom", "Run again"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	if framed := evaluate[string](p, `document.querySelector(".blamed").dataset.rank`); framed != "2" {
		t.Errorf("rank %s is framed", framed)
	}
}

// TestRunPagesFitAndAreAccessible looks at the pages that only runs bring
// about: one that is done, one that has failed, the list of them.
func TestRunPagesFitAndAreAccessible(t *testing.T) {
	t.Parallel()
	axe, drawn := axeSource(t), sample(t)
	address, key := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/?key="+key, false)
	done := startRun(p, "n=4&size=4MB&pace=rate&rate=8MB/s")
	p.waitAcross(`document.querySelector("[data-replay]") !== null`)
	failed := startRun(p, "n=4&size=16MB&pace=rate&rate=1MB/s")
	p.waitAcross(`document.querySelector(".lab-row") !== null && document.querySelector("[data-share]").value > 4`)
	p.do(chromedp.Click(`.lab-row:nth-child(2) button[value="kill"]`))
	p.waitAcross(`document.querySelector(".callout.bad") !== null`)
	for _, page := range []page{
		{name: "run-done", path: strings.TrimPrefix(done, "/en") + "?step=3"},
		{name: "run-failed", path: strings.TrimPrefix(failed, "/en")},
		{name: "runs", path: "/runs"},
	} {
		checkPage(p, axe, page, drawn)
	}
}
