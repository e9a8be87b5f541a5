package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestSizeByForm sizes the article's case by the form alone, as a browser
// without scripts does.
func TestSizeByForm(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	scripts(p, false)
	p.open("/en/size?compute=", false)
	p.do(chromedp.SetValue(`#size-nodes`, "20"), chromedp.Click(`.size-form [data-plain]`), chromedp.WaitReady(`#size-nodes[value="20"]`))
	text := evaluate[string](p, `document.body.innerText`)
	for _, want := range []string{"2.28 s", "22.8 s", "45.6 s"} { // 2·19/20·1.2, 19·1.2, twice that
		if !strings.Contains(text, want) {
			t.Errorf("20 workers: %s is not on the page", want)
		}
	}
	p.do(chromedp.SetValue(`#size-nodes`, "ten"), chromedp.Click(`.size-form [data-plain]`), chromedp.WaitReady(`#size-nodes[value="ten"]`))
	if got := evaluate[string](p, `document.getElementById("size-nodes").value`); got != "ten" {
		t.Errorf("what was typed is lost: %q", got)
	}
	if !evaluate[bool](p, `document.getElementById("size-nodes").getAttribute("aria-invalid") === "true" && document.getElementById("size-result").classList.contains("old")`) {
		t.Error("the error or the old results are not marked")
	}
	p.do(chromedp.Click(`[data-field="nodes"] [data-fix]`), chromedp.WaitReady(`#size-nodes[value="10"]`))
	if text := evaluate[string](p, `document.body.innerText`); !strings.Contains(text, "2.16 s") || !strings.Contains(text, "10.8 s") || !strings.Contains(text, "21.6 s") {
		t.Error("the fix does not lead to the article's case")
	}
}

// TestSizeWhileTyping has the page answer by itself.
func TestSizeWhileTyping(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/en/size?compute=", false)
	p.waitFor(`document.querySelector("[data-plain]").hidden`)
	headline := func(want string) {
		t.Helper()
		p.waitFor(fmt.Sprintf(`document.querySelector(".size-lead").textContent.includes(%q)`, want))
	}
	typed := func(field, text string) {
		t.Helper()
		evaluate[bool](p, fmt.Sprintf(`document.getElementById("size-%s").select(), true`, field))
		p.do(chromedp.SendKeys("#size-"+field, text))
	}
	typed("nodes", "20")
	headline("2.28 s")
	if got := evaluate[string](p, `location.search`); !strings.Contains(got, "nodes=20") {
		t.Errorf("the address says %s", got)
	}
	if got := evaluate[string](p, `document.getElementById("size-said").textContent`); !strings.Contains(got, "2.28 s") {
		t.Errorf("the live region says %q", got)
	}

	typed("compute", "ten")
	p.waitFor(`document.querySelector('[data-field="compute"] .wrong') !== null`)
	if !evaluate[bool](p, `document.getElementById("size-result").classList.contains("old") && !document.getElementById("size-old").hidden`) {
		t.Error("the results of before are not marked as old")
	}
	headline("2.28 s") // they stay
	if got := evaluate[string](p, `document.getElementById("size-compute").value`); got != "ten" {
		t.Errorf("what was typed is lost: %q", got)
	}
	p.do(chromedp.Click(`[data-field="compute"] [data-fix]`))
	headline("One worker computes for 10 s")
	if evaluate[bool](p, `document.getElementById("size-result").classList.contains("old") || !document.getElementById("size-old").hidden`) {
		t.Error("new results are marked as old")
	}

	p.do(chromedp.SetValue(`#size-model`, "llama3-8b"))
	evaluate[bool](p, `document.getElementById("size-model").dispatchEvent(new Event("input", {bubbles: true}))`)
	p.waitFor(`document.getElementById("size-params").value === "8030261248"`)
	if got := evaluate[string](p, `document.querySelector(".appbar a[hreflang]").getAttribute("href")`); !strings.Contains(got, "model=llama3-8b") {
		t.Errorf("the other language is at %s", got)
	}
}

// TestReportOutlivesTheConsole saves a report, restarts the console on the
// same data folder, finds the report and prints it.
func TestReportOutlivesTheConsole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, address, key := serveIn(t, dir, "127.0.0.1:0")
	browser := newBrowser(t)
	p := newTab(t, browser, address)
	p.open("/en/size", false)
	p.do(chromedp.Click(`#size-save`), chromedp.WaitReady(`#key`)) // log in first
	p.do(chromedp.SetValue(`#key`, key), chromedp.Click(`main form button`), chromedp.WaitReady(`#report-title`))
	p.picture("report-new-en-light-1440")
	p.do(chromedp.Click(`.report-form button`), chromedp.WaitReady(`#report-title[aria-invalid]`)) // a title is needed
	p.expectTrouble("422")
	p.do(chromedp.SetValue(`#report-title`, `Ten "workers" \ 10`), chromedp.SetValue(`#report-customer`, "某公司"),
		chromedp.SetValue(`#report-notes`, "Which network?\nWhich algorithm?"), chromedp.Click(`.report-form button`))
	p.do(chromedp.WaitReady(`.paper`))
	const figures = `document.querySelector(".paper").innerText`
	before := evaluate[string](p, figures)
	for _, want := range []string{`Ten "workers" \ 10`, "某公司", "2.16 s", "10.8 s", "21.6 s", "LS-0001, version 1"} {
		if !strings.Contains(before, want) {
			t.Errorf("%s is not in the report", want)
		}
	}
	first.kill()

	_, address, key = serveIn(t, dir, "127.0.0.1:0")
	p = newTab(t, browser, address)
	p.open("/?key="+key, false)
	p.open("/en/reports", false)
	p.do(chromedp.Click(`.report-list a`), chromedp.WaitReady(`.paper`))
	if after := evaluate[string](p, figures); after != before {
		t.Errorf("the report was\n%s\nand is\n%s", before, after)
	}
	axe := axeSource(t)
	for _, lang := range []string{"en", "zh"} {
		for _, theme := range themes {
			p.prefer(theme)
			p.open("/en/reports/0001/v/1?lang="+lang, false)
			for _, width := range widths {
				at := fmt.Sprintf("report-%s-%s-%d", lang, theme, width)
				p.do(chromedp.EmulateViewport(width, 900))
				p.picture(at)
				if over := evaluate[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
					t.Errorf("%s is %d px too wide", at, over)
				}
				for _, violation := range violations(p, axe) {
					t.Errorf("%s: %s", at, violation)
				}
			}
		}
		p.prefer("dark") // which paper never is
		checkPrint(p, lang)
	}
	if got := evaluate[string](p, `document.documentElement.lang + " " + document.querySelector(".paper").lang`); got != "en zh-CN" {
		t.Errorf("page and report are in %s", got)
	}
}

// checkPrint prints the page and looks at its sheets.
func checkPrint(p *tab, lang string) {
	p.t.Helper()
	out, err := chromedp.Call(p.ctx, cdppage.PrintToPDF, cdppage.PrintToPDFParams{PreferCSSPageSize: new(true), PrintBackground: new(true)})
	if err != nil {
		p.t.Fatal(err)
	}
	file := filepath.Join(p.t.TempDir(), lang+".pdf")
	if folder := os.Getenv("LOCKSTEP_SCREENSHOTS"); folder != "" {
		file = filepath.Join(folder, "report-"+lang+".pdf")
	}
	if err := os.WriteFile(file, out.Data, 0o644); err != nil {
		p.t.Fatal(err)
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		missing(p.t, "pdftotext (poppler-utils)")
	}
	text, err := exec.Command("pdftotext", "-layout", file, "-").Output()
	if err != nil {
		p.t.Fatalf("read the print: %v", err)
	}
	sheets := strings.Split(strings.TrimSuffix(string(text), "\f"), "\f")
	if len(sheets) < 2 || len(sheets) > 4 {
		p.t.Errorf("%s: %d sheets, want 2 to 4", lang, len(sheets))
	}
	conclusions := map[string]string{"en": "Conclusions", "zh": "结论"}[lang]
	for _, want := range []string{conclusions, "2.16 s", "10.8 s", "21.6 s"} {
		if !strings.Contains(sheets[0], want) {
			p.t.Errorf("%s: %q is not on the first sheet:\n%s", lang, want, sheets[0])
		}
	}
	for i, sheet := range sheets {
		if number := fmt.Sprintf("%d/%d", i+1, len(sheets)); !strings.Contains(strings.ReplaceAll(sheet, " ", ""), number) {
			p.t.Errorf("%s: sheet %d does not say %s", lang, i+1, number)
		}
		if head := `Ten "workers" \ 10`; i > 0 && !strings.Contains(sheet, head) {
			p.t.Errorf("%s: sheet %d has no running head", lang, i+1)
		}
	}
}

// scripts switches the scripts of pages on or off.
func scripts(p *tab, on bool) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on}); err != nil {
		p.t.Fatal(err)
	}
}
