package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestTrainingStepIsSharedAsPDF goes from the empty form to a Chinese PDF in the
// hands of somebody without a session.
func TestTrainingStepIsSharedAsPDF(t *testing.T) {
	t.Parallel()
	address, key := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/zh/size/step", false)
	headline := evaluate[string](p, `document.querySelector("[data-headline]").dataset.headline`)
	if !strings.Contains(headline, "每步") {
		t.Fatalf("the page answers %q", headline)
	}
	p.do(chromedp.Click(`#size-save`), chromedp.WaitReady(`#key`)) // log in first
	p.do(chromedp.SetValue(`#key`, key), chromedp.Click(`main form button`), chromedp.WaitReady(`#report-title`))
	p.do(chromedp.SetValue(`#report-title`, "训练一步要多久"), chromedp.Click(`.report-form button`), chromedp.WaitReady(`.paper`))
	for _, theme := range themes {
		p.prefer(theme)
		for _, width := range widths {
			at := fmt.Sprintf("report-step-%s-%d", theme, width)
			p.do(chromedp.EmulateViewport(width, 900))
			p.picture(at)
			if over := evaluate[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("%s is %d px too wide", at, over)
			}
		}
	}
	p.do(chromedp.Click(`.report-share summary`), chromedp.Click(`.report-share form button`), chromedp.WaitReady(`.report-share .made a`))
	link := evaluate[string](p, `document.querySelector(".report-share .made a").href`)

	page := string(taken(t, link))
	if !strings.Contains(page, "训练一步要多久") || !strings.Contains(page, headline) {
		t.Errorf("the link shows %.500s", page)
	}
	file := filepath.Join(t.TempDir(), "report.pdf")
	if err := os.WriteFile(file, taken(t, link+"/file?format=pdf"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		missing(t, "pdftotext (poppler-utils)")
	}
	text, err := exec.Command("pdftotext", file, "-").Output()
	if err != nil {
		t.Fatalf("read the PDF: %v", err)
	}
	unbroken := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for _, want := range []string{headline, "训练一步要多久", "来源和版本"} {
		if !strings.Contains(unbroken(string(text)), unbroken(want)) {
			t.Errorf("%q is not in the PDF:\n%.800s", want, text)
		}
	}
	if strings.Contains(string(text), "□") {
		t.Error("the PDF lacks characters")
	}
}

// taken fetches an address without a session.
func taken(t *testing.T, address string) []byte {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", address, answer.Status, err)
	}
	return content
}
