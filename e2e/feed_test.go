package e2e

import (
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// A page may open a WebSocket to its console under the page's own rules for
// what it may connect to, and hears of a run what it may hear.
func TestAPageFollowsARun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	done := exec.Command(consoleBinary, "run", "--collective", "all-reduce", "--algorithm", "ring", "--ranks", "3", "--size", "12kB", "--data", "data")
	done.Dir = dir
	if out, err := done.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, address, key := serveIn(t, dir, "127.0.0.1:0")
	p := newTab(t, newBrowser(t), address)
	const follow = `new Promise((resolve) => {
		const heard = [];
		const socket = new WebSocket(new URL('/api/v1/runs/0001/events', location.href.replace(/^http/, 'ws')));
		socket.onmessage = (e) => {
			const m = JSON.parse(e.data);
			heard.push(m.type + ' ' + m.run.outcome + ' ' + m.events.length);
			if (m.type === 'end') socket.close(1000);
		};
		socket.onclose = (e) => resolve(heard.join(', ') + ', closed ' + e.code);
	})`
	if err := chromedp.Do(p.ctx, chromedp.Navigate(address+"/en/?key="+key)); err != nil {
		t.Fatal(err)
	}
	heard, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](follow, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	// 6 local steps and 12 between the 3 ranks, of which both sides report.
	if want := "snapshot done 30, end done 0, closed 1000"; heard != want {
		t.Errorf("the page heard %q; want %q", heard, want)
	}
}
