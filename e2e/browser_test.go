package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// missing skips a test for want of something, or fails it where everything
// must be there.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing", what)
	}
	t.Skipf("%s is missing", what)
}

// newBrowser starts a browser without a past for the length of the test. Each
// context that chromedp.NewContext makes of it is a tab.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		missing(t, "Chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.Flag("disable-quic", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it does not start as root otherwise
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stopAllocator)
	browser, closeBrowser := chromedp.NewContext(allocator)
	t.Cleanup(closeBrowser)
	if err := chromedp.Do(browser, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return browser
}

// newServed starts a console for the length of the test.
func newServed(t *testing.T) (address, key string) {
	t.Helper()
	console, err := start(t.TempDir(), os.Environ(), "serve", "--data", "data", "--listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(console.kill)
	address, key, err = console.invitation()
	if err != nil {
		t.Fatal(err)
	}
	return address, key
}

// tab is a page in the browser and what went wrong in it.
type tab struct {
	t       *testing.T
	ctx     context.Context
	address string // of the console

	mu       sync.Mutex
	expected string // the URL of a page that is an error itself
	troubles []string
}

// newTab opens a tab that shares its cookies with the others of the browser.
// At the end of the test it reports errors on the browser's own console and
// requests that went elsewhere.
func newTab(t *testing.T, browser context.Context, address string) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(browser)
	p := &tab{t: t, ctx: ctx, address: address}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		closeTab()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, trouble := range p.troubles {
			t.Error(trouble)
		}
	})
	return p
}

// hear takes note of what must not happen.
func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, p.address+"/") && e.Request.URL != "about:blank" {
			p.troubles = append(p.troubles, "request to another origin: "+e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		p.troubles = append(p.troubles, "exception: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			p.troubles = append(p.troubles, fmt.Sprintf("console %s: %v", e.Type, e.Args))
		}
	case *log.EventEntryAdded: // blocked by the policy, not found, and the like
		if e.Entry.Level == log.EntryLevelError && e.Entry.URL != p.expected {
			p.troubles = append(p.troubles, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

// open shows a path of the console. A page that is an error itself is named
// by failing, because the browser reports its status as one more error.
func (p *tab) open(path string, failing bool) {
	p.t.Helper()
	p.mu.Lock()
	p.expected = ""
	if failing {
		p.expected = p.address + path
	}
	p.mu.Unlock()
	p.do(chromedp.Navigate(p.address + path))
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// evaluate returns the value of an expression in the page; it waits for a
// promise.
func evaluate[T any](p *tab, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("evaluate %.60s: %v", expression, err)
	}
	return value
}

// prefer makes the browser prefer a colour scheme.
func (p *tab) prefer(scheme string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}); err != nil {
		p.t.Fatal(err)
	}
}

// picture saves the page as a picture if LOCKSTEP_SCREENSHOTS names a folder.
func (p *tab) picture(name string) {
	p.t.Helper()
	folder := os.Getenv("LOCKSTEP_SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// waitFor waits until an expression in the page is true.
func (p *tab) waitFor(expression string) {
	p.t.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience))); err != nil {
		p.t.Fatalf("wait for %s: %v", expression, err)
	}
}

// expectTrouble forgives errors that contain text, which a test brings about.
func (p *tab) expectTrouble(text string) {
	p.t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.troubles = slices.DeleteFunc(p.troubles, func(trouble string) bool { return strings.Contains(trouble, text) })
	})
}
