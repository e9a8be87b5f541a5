package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// most is how many clicks may lie between the home page and a run that has
// ended and been checked.
const mostClicks = 6

// TestShowingTheConsoleToACustomer goes the whole way of somebody who does: a
// lesson, the race, a run for real, ranks that die, freeze and lag, a sizing
// and a report that is still there the next morning.
func TestShowingTheConsoleToACustomer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	console, address, key := serveIn(t, dir, "127.0.0.1:0")
	browser := newBrowser(t)
	p := newTab(t, browser, address)
	p.do(chromedp.EmulateViewport(1440, 900))
	p.open("/?key="+key, false) // as printed
	p.waitAcross(`["/en/", "/zh/"].includes(location.pathname)`)

	showRace(p)
	showRun(p)
	p.click(`.appbar a[hreflang="zh-CN"]`)
	p.waitAcross(`document.documentElement.lang === "zh-CN"`)
	disturb(p)
	figures := saveReport(p)

	console.kill()
	serveIn(t, dir, strings.TrimPrefix(address, "http://"))
	p.open("/zh/reports", false) // the session of yesterday
	p.do(chromedp.Click(`.report-list a`))
	p.waitAcross(`document.querySelector(".paper") !== null`)
	if got := evaluate[string](p, paper); got != figures {
		t.Errorf("the report was\n%s\nand is\n%s", figures, got)
	}
	p.open("/zh/runs", false)
	if rows := evaluate[[]string](p, `[...document.querySelectorAll(".runlist tbody .status")].map(e => e.textContent.trim())`); fmt.Sprint(rows) != "[完成 失败 失败 完成]" {
		t.Errorf("the list of runs says %v", rows)
	}
}

// click clicks what a person sees, wherever it leads.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(selector))
}

// arrive waits for a page.
func (p *tab) arrive(path string) {
	p.t.Helper()
	p.waitAcross(fmt.Sprintf(`location.pathname === %q && document.readyState === "complete"`, path))
}

func showRace(p *tab) {
	p.t.Helper()
	p.open("/en/", false)
	p.click(`.ways a[href="/en/learn/race"]`)
	p.arrive("/en/learn/race")
	p.waitFor(`!document.querySelector("[data-play]").hidden`)
	p.do(chromedp.Focus(`.race-player input[name="t"]`), chromedp.KeyEvent(kb.Home))
	p.waitFor(`document.querySelectorAll(".race-done:not(.away)").length === 0`)
	p.click(`[data-play]`)
	const clock = `parseFloat(document.querySelector(".clock [data-clock]").textContent)`
	p.waitFor(clock + ` > 0.3`)
	p.click(`[data-play]`)
	p.click(`.jumps li:last-child a`)
	p.waitFor(`document.querySelectorAll(".race-done:not(.away)").length === 1`)
	p.do(chromedp.Focus(`.race-player input[name="t"]`), chromedp.KeyEvent(kb.End))
	p.waitFor(`document.querySelectorAll(".race-done:not(.away)").length === 2`)
}

// showRun goes by clicks alone from the home page to a run that has ended and
// been checked. What it does on the lesson beside counts none.
func showRun(p *tab) {
	p.t.Helper()
	clicks := 0
	click := func(selector string) {
		p.t.Helper()
		clicks++
		p.click(selector)
	}
	p.open("/en/", false)
	click(`.door a[href="/en/learn"]`)
	p.arrive("/en/learn")
	click(`main a[href="/en/learn/all-reduce/ring"]`)
	p.arrive("/en/learn/all-reduce/ring")
	playLesson(p)
	click(`.pickers a.run`)
	p.arrive("/en/runs/new")
	if !evaluate[bool](p, `document.querySelector("#pace-rate").checked && document.querySelector("#rate").value !== ""`) {
		p.t.Error("a run from a lesson is not slowed for eyes")
	}
	click(`form.newrun .go .primary`)
	p.arrive("/en/runs/0001")
	p.waitAcross(`document.querySelectorAll(".blockgrid .final").length >= 2`)
	if state := evaluate[string](p, `document.querySelector("[data-state]").innerText`); !strings.Contains(state, "step") {
		p.t.Errorf("under way the run says %q", state)
	}
	p.waitAcross(`document.querySelector("[data-state]").innerText.includes("Done, every bit of the result checked")`)
	if clicks > mostClicks {
		p.t.Errorf("a run takes %d clicks from the home page, want at most %d", clicks, mostClicks)
	}
	p.t.Logf("%d clicks from the home page to a checked run", clicks)
}

// playLesson steps and seeks, by links and by keys.
func playLesson(p *tab) {
	p.t.Helper()
	p.waitFor(`document.querySelector("[data-lesson]").hasAttribute("data-ready")`)
	p.click(`[data-move-to="next"]`)
	lessonAt(p, 1)
	p.do(chromedp.KeyEvent(kb.ArrowRight)) // the focus is on the link
	lessonAt(p, 2)
	p.click(`[data-move-to="prev"]`)
	lessonAt(p, 1)
	p.do(chromedp.KeyEvent(kb.End))
	lessonAt(p, 14)
	p.do(chromedp.KeyEvent(kb.Home))
	lessonAt(p, 0)
	p.click("[data-range]") // in its middle
	lessonAt(p, 7)
	if !strings.Contains(evaluate[string](p, `location.search`), "step=7") {
		p.t.Error("the address does not say where the lesson stands")
	}
}

// disturb lets a rank die, one freeze and one lag, by the buttons of the run's
// page, in Chinese.
func disturb(p *tab) {
	p.t.Helper()
	const under = `document.querySelector(".lab-row") !== null && document.querySelector("[data-share]").value > 2`
	again := func(id string) {
		p.t.Helper()
		p.click(`.top .primary`)
		p.arrive("/zh/runs/" + id)
		p.waitAcross(under)
	}
	button := func(rank int, signal string) string {
		return fmt.Sprintf(`.lab-row:nth-child(%d) button[value=%q]`, rank+1, signal)
	}
	blamed := func(want string) {
		p.t.Helper()
		p.waitAcross(`document.querySelector(".callout.bad") !== null`)
		if said := evaluate[string](p, `document.querySelector(".callout.bad").innerText`); !strings.Contains(said, want) {
			p.t.Errorf("the page says %q, want %q", said, want)
		}
	}
	again("0002")
	p.click(button(2, "kill"))
	blamed("Rank 2 的进程死了，所有人都停了。")
	again("0003")
	p.click(button(1, "freeze"))
	blamed("Rank 1 停住了，所有人都停了。")
	again("0004")
	p.click(button(3, "slow"))
	p.arrive("/zh/runs/0004")
	p.waitAcross(`document.querySelector(".lags")?.innerText.includes("Rank 3 慢了")`)
	p.picture("run-slow-zh")
	p.click(button(3, "resume"))
	p.waitAcross(`document.querySelector("[data-state]").innerText.includes("完成，结果逐位核对无误")`)
	if doubts := evaluate[string](p, `document.querySelector(".doubts").innerText`); !strings.Contains(doubts, "Rank 3 慢了") {
		p.t.Errorf("the run that was slow says only %q", doubts)
	}
}

// paper is what stands in a report.
const paper = `document.querySelector(".paper").innerText`

// saveReport sizes the article's case with 20 workers and returns what the
// saved report says.
func saveReport(p *tab) string {
	p.t.Helper()
	p.click(`.nav a[href="/zh/size"]`)
	p.arrive("/zh/size")
	p.waitFor(`document.querySelector("[data-plain]").hidden`)
	evaluate[bool](p, `(document.getElementById("size-nodes").select(), true)`)
	p.do(chromedp.SendKeys("#size-nodes", "20"))
	p.waitFor(`document.getElementById("size-result").innerText.includes("2.28 s") && document.getElementById("size-save").href.includes("nodes=20")`)
	p.click("#size-save")
	p.arrive("/zh/reports/new")
	p.do(chromedp.SendKeys("#report-title", "二十台"), chromedp.SendKeys("#report-customer", "某公司"))
	p.click(".report-form button")
	p.waitAcross(`document.querySelector(".paper") !== null`)
	text := evaluate[string](p, paper)
	for _, want := range []string{"二十台", "某公司", "2.28 s", "22.8 s", "45.6 s"} { // 2·19/20·1.2, 19·1.2, twice that
		if !strings.Contains(text, want) {
			p.t.Errorf("%s is not in the report", want)
		}
	}
	return text
}
