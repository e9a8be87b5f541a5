package e2e

import (
	"context"
	"errors"
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

// newBrowser returns a browser without a past for the length of the test. Each
// context that chromedp.NewContext makes of it is a tab.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	process, err := chromium()
	if errors.Is(err, exec.ErrNotFound) {
		missing(t, "Chromium")
	}
	if err != nil {
		t.Fatal(err)
	}
	browser, closeBrowser := chromedp.NewContext(process, chromedp.WithNewBrowserContext())
	t.Cleanup(closeBrowser)
	if err := chromedp.Do(browser, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("open a browser: %v", err)
	}
	return browser
}

// chromium is the one browser process of all tests, started for the first that
// needs it: each gets a profile of its own in it. TestMain ends it.
var chromium = sync.OnceValues(startChromium)

// endChromium ends the browser process, if there is one.
var endChromium = func() {}

func startChromium() (context.Context, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return nil, exec.ErrNotFound
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.Flag("disable-quic", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it does not start as root otherwise
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	process, stopProcess := chromedp.NewContext(allocator)
	endChromium = func() {
		stopProcess()
		stopAllocator()
	}
	if err := chromedp.Do(process, chromedp.Navigate("about:blank")); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return process, nil
}

// newServed starts a console for the length of the test.
func newServed(t *testing.T) (address, key string) {
	t.Helper()
	_, address, key = serveIn(t, t.TempDir(), "127.0.0.1:0")
	return address, key
}

// serveIn starts a console with its data in a folder; it is killed at the end of
// the test.
func serveIn(t *testing.T, dir, listen string) (console *served, address, key string) {
	t.Helper()
	console, err := start(dir, os.Environ(), "serve", "--data", "data", "--listen", listen)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(console.kill)
	address, key, err = console.invitation()
	if err != nil {
		t.Fatal(err)
	}
	return console, address, key
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
	if err := errors.Join(chromedp.Listen(ctx, p.hear), chromedp.Do(ctx)); err != nil {
		t.Fatal(err)
	}
	// Other tests have tabs in the same browser; to this one it has the focus.
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
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
	case *network.EventWebSocketCreated:
		if !strings.HasPrefix(e.URL, strings.Replace(p.address, "http", "ws", 1)+"/") {
			p.troubles = append(p.troubles, "socket to another origin: "+e.URL)
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
	p.expect(path, failing)
	p.do(chromedp.Navigate(p.address + path))
}

// expect says whether the page that comes is an error itself.
func (p *tab) expect(path string, failing bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = ""
	if failing {
		p.expected = p.address + path
	}
}

// do carries out actions one after the other. One whose element was replaced
// between being found and being acted on has done nothing, and is tried again.
func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for _, action := range actions {
		err := chromedp.Do(ctx, action)
		for ctx.Err() == nil && missed(err) {
			err = chromedp.Do(ctx, action)
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

// missed says whether the browser refused a command because the page it was for,
// or the element in it, had just been replaced: nothing was done, and the page
// that came may be asked again. It has one sentence for each.
func missed(err error) bool {
	return err != nil && slices.ContainsFunc([]string{
		"No node with given id found",
		"Could not find node with given id",
		"Cannot find context with specified id",
	}, func(sentence string) bool { return strings.Contains(err.Error(), sentence) })
}

// evaluate returns the value of an expression in the page; it waits for a
// promise.
func evaluate[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	for ctx.Err() == nil && missed(err) {
		value, err = chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	}
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
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	poll := chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience))
	_, err := chromedp.Run(ctx, poll)
	for ctx.Err() == nil && missed(err) {
		_, err = chromedp.Run(ctx, poll)
	}
	if err != nil {
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
