package e2e

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestRunsOfOtherPairsAreWatched watches runs whose ranks begin or end with
// other blocks than all, and plays their traces by script: in the end exactly
// those cells are final that hold the result.
func TestRunsOfOtherPairsAreWatched(t *testing.T) {
	t.Parallel()
	address, key := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/?key="+key, false)
	for _, c := range []struct {
		query string
		final int
		begin int // cells that are filled before the first step
	}{
		{"collective=scatter&algorithm=binomial-tree&n=4&root=2&size=4MB&pace=rate&rate=4MB/s", 4, 4},
		{"collective=gather&algorithm=direct&n=4&root=1&size=4MB&pace=rate&rate=4MB/s", 4, 4},
		{"collective=all-gather&algorithm=bruck&n=4&size=4MB&pace=rate&rate=4MB/s", 16, 4},
		{"collective=all-to-all&algorithm=bruck&n=4&size=4MB&pace=step", 16, 16},
		{"collective=reduce-scatter&algorithm=ring&n=4&size=4MB&pace=rate&rate=4MB/s&op=max", 4, 16},
		{"collective=barrier&algorithm=dissemination&n=4&pace=step", 4, 4},
		{"collective=all-reduce&algorithm=hierarchical&n=4&size=4MB&pace=rate&rate=8MB/s&dtype=bfloat16", 16, 16},
	} {
		path := startRun(p, c.query)
		p.waitAcross(`document.body.innerText.includes("Done, every bit of the result checked") && document.querySelector("[data-replay]") !== null`)
		const final = `document.querySelectorAll(".blockgrid .final").length`
		if got := evaluate[int](p, final); got != c.final {
			t.Errorf("%s: %d cells are final, want %d", c.query, got, c.final)
		}
		p.do(chromedp.Click(`[data-go="first"]`))
		p.waitAcross(final + ` === 0`)
		const filled = `[...document.querySelectorAll(".blockgrid [data-cell]")].filter((cell) => cell.querySelector(".tick-on")).length`
		if got := evaluate[int](p, filled); got != c.begin {
			t.Errorf("%s: %d cells are filled at the start, want %d", c.query, got, c.begin)
		}
		p.do(chromedp.Click(`[data-go="last"]`))
		p.waitAcross(final + ` === ` + strconv.Itoa(c.final))
		p.open(path+"?step=0", false) // as the server draws it
		if got := evaluate[int](p, filled); got != c.begin {
			t.Errorf("%s: the server fills %d cells at the start, want %d", c.query, got, c.begin)
		}
	}
}
