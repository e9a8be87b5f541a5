package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAComparisonFillsAsItRuns starts a comparison by the form, follows it to
// its end without a reload, and looks at the finished page on a phone and on a
// desk, with axe.
func TestAComparisonFillsAsItRuns(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	address, key := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/?key="+key, false)
	p.open("/en/runs", false)
	p.open(evaluate[string](p, `new URL(document.querySelector('a[href$="/runs/compare"]').href).pathname`), false)
	p.waitFor(`"installed" in document.documentElement.dataset`)
	evaluate[bool](p, `window.leaving = true;
		for (const [name, value] of [["from", "8"], ["to", "1KiB"], ["factor", "8"]]) document.querySelector("[name=" + name + "]").value = value;
		document.querySelectorAll("[name=way]").forEach(way => { way.checked = way.value === "host"; });
		document.querySelector(".sweepform .primary").click(); true`)
	p.waitAcross(`!window.leaving && document.querySelector(".sweep .status.ok") !== null`)
	if rows := evaluate[int](p, `document.querySelectorAll(".sweep-table tbody tr").length`); rows != 3 {
		t.Errorf("%d sizes, want 3", rows)
	}
	if kind := evaluate[string](p, `fetch(location.pathname + "/time.png").then(answer => answer.headers.get("Content-Type"))`); kind != "image/png" {
		t.Errorf("the picture is %s", kind)
	}
	for _, width := range []int64{390, 1440} {
		p.do(chromedp.EmulateViewport(width, 900))
		if over := evaluate[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("at %d px it is %d px too wide", width, over)
		}
		if small := evaluate[[]string](p, smallTargets); len(small) > 0 {
			t.Errorf("at %d px targets below 24 px: %q", width, small)
		}
		for _, violation := range violations(p, axe) {
			t.Errorf("at %d px: %s", width, violation)
		}
	}
}
