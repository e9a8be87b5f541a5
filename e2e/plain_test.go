package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// plain is a tab in which pages run no script. It is driven by mouse and
// keyboard and waits for the browser's own events, because what a test waits
// for by script never comes either; only to look at a page at once works.
type plain struct {
	*tab
	loaded chan struct{} // holds a page that has come
}

func newPlain(t *testing.T, browser context.Context, address string) *plain {
	t.Helper()
	p := &plain{newTab(t, browser, address), make(chan struct{}, 1)}
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	err := chromedp.Listen(p.ctx, func(event any) {
		if _, is := event.(*cdppage.EventLoadEventFired); !is {
			return
		}
		select {
		case p.loaded <- struct{}{}:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// call carries out a command of the browser.
func call[P, R any](p *plain, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	result, err := chromedp.Call(p.ctx, command, params)
	if err != nil {
		p.t.Fatalf("%s: %v", command.Method, err)
	}
	return result
}

// comes waits for the page that an action leads to.
func (p *plain) comes(what string, action func()) {
	p.t.Helper()
	select {
	case <-p.loaded: // one that nobody waited for
	default:
	}
	action()
	select {
	case <-p.loaded:
	case <-time.After(patience):
		p.t.Fatalf("%s leads to no page", what)
	}
}

// visit shows a path of the console.
func (p *plain) visit(path string, failing bool) {
	p.t.Helper()
	p.expect(path, failing)
	p.comes(path, func() { call(p, cdppage.Navigate, cdppage.NavigateParams{URL: p.address + path}) })
}

// press clicks and waits for the page that it leads to.
func (p *plain) press(selector string) {
	p.t.Helper()
	p.comes(selector, func() { p.click(selector) })
}

// click clicks in the middle of the first element of a selector.
func (p *plain) click(selector string) {
	p.t.Helper()
	at := ask[[]float64](p, selector, `(e.scrollIntoView({block: "center", behavior: "instant"}), e.checkVisibility()) ?
		(box => [box.x + box.width / 2, box.y + box.height / 2])(e.getClientRects()[0]) : []`)
	if len(at) != 2 {
		p.t.Fatalf("%s is not to be seen", selector)
	}
	p.do(chromedp.MouseClickXY(at[0], at[1]))
}

// fill types over what a field holds.
func (p *plain) fill(selector, text string) {
	p.t.Helper()
	ask[bool](p, selector, `(e.focus(), e.select(), true)`)
	p.do(chromedp.KeyEvent(text))
}

// keys presses keys in a field.
func (p *plain) keys(selector string, keys ...string) {
	p.t.Helper()
	ask[bool](p, selector, `(e.focus(), true)`)
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// ask returns the value of an expression about e, the first element of a
// selector.
func ask[T any](p *plain, selector, expression string) T {
	p.t.Helper()
	if p.count(selector) == 0 {
		p.t.Fatalf("%s has no %s", p.path(), selector)
	}
	return evaluate[T](p.tab, fmt.Sprintf(`(e => %s)(document.querySelector(%q))`, expression, selector))
}

// count is how many elements of a selector there are.
func (p *plain) count(selector string) int {
	p.t.Helper()
	return evaluate[int](p.tab, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// text is what the first element of a selector says.
func (p *plain) text(selector string) string {
	p.t.Helper()
	return ask[string](p, selector, `e.innerText.trim()`)
}

// path is where the tab is, with its query.
func (p *plain) path() string {
	p.t.Helper()
	return evaluate[string](p.tab, `location.pathname + location.search`)
}
