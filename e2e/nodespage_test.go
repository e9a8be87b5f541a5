package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestNodeJoinsAsThePageSays adds a node with what the page gives to paste, and
// watches the page take it in, change and lose it without being loaded again.
func TestNodeJoinsAsThePageSays(t *testing.T) {
	t.Parallel()
	axe, drawn := axeSource(t), sample(t)
	dir := t.TempDir()
	console, err := start(dir, os.Environ(), "serve", "--data", "data", "--listen", "127.0.0.1:0", "--agent-listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(console.kill)
	address, key, err := console.invitation()
	if err != nil {
		t.Fatal(err)
	}
	browser := newBrowser(t)
	page, watching := newTab(t, browser, address), newTab(t, browser, address)
	page.open("/?key="+key, false)
	watching.open("/en/nodes", false)
	watching.waitFor(`"installed" in document.documentElement.dataset`)
	evaluate[bool](watching, `(window.kept = true)`)

	page.open("/en/nodes", false)
	page.do(chromedp.Click(`form[action$="/nodes/invite"] button`))
	page.waitAcross(`document.querySelectorAll(".todo code").length === 3`)
	pasted := evaluate[[]string](page, `[...document.querySelectorAll(".todo code")].map(code => code.textContent.trim().replace(/\s+/g, " "))`)
	words := strings.Fields(pasted[0])
	if len(words) < 2 || words[1] != "agent" {
		t.Fatalf("the page says to run %q", pasted[0])
	}
	token := filepath.Join(dir, "join.token")
	if err := os.WriteFile(token, []byte(pasted[1]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments := append(words[1:len(words)-1], token, "--name", "gpu-a", "--state", filepath.Join(dir, "state"))
	agent, err := start(dir, os.Environ(), arguments...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.kill)
	if line, err := agent.line(); err != nil || !strings.HasPrefix(line, "joined ") {
		t.Fatalf("the agent says %q, %v\n%s", line, err, agent.said())
	}

	watching.waitFor(`document.querySelector("#node-0-name")?.textContent === "gpu-a"`)
	// By script: what the node tells of itself may arrive while the pointer is on
	// its way, and move what it aims at.
	evaluate[bool](watching, `document.querySelector("#node-0-all summary").click() ?? true`)
	watching.waitFor(`document.querySelector("#node-0-all").open`)
	page.open("/en/nodes", false)
	page.do(chromedp.Click(`#node-0-drain`))
	watching.waitFor(`document.querySelector("#node-0-resume") !== null`)
	if !evaluate[bool](watching, `window.kept === true`) {
		t.Error("the page was loaded again")
	}
	if !evaluate[bool](watching, `document.querySelector("#node-0-all").open`) {
		t.Error("what was open is closed")
	}

	for _, p := range []string{"/nodes", "/nodes/gpu-a/revoke", "/runs/new?where=nodes&node=gpu-a&n=2"} {
		checkPage(page, axe, pageAt(p), drawn)
	}
	for _, width := range []int64{widths[0], 1440} {
		page.open("/zh/nodes", false)
		page.do(chromedp.EmulateViewport(width, 900))
		evaluate[bool](page, `document.querySelectorAll("details").forEach(d => d.open = true) ?? true`)
		for _, violation := range violations(page, axe) {
			t.Errorf("with everything open, at %d px: %s", width, violation)
		}
		if over := evaluate[int](page, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("with everything open, at %d px: %d px too wide", width, over)
		}
		page.picture(fmt.Sprintf("nodes-open-%d", width))
	}

	page.open("/en/nodes", false)
	page.do(chromedp.Click(`#node-0-revoke`))
	page.waitAcross(`document.querySelector("form .btn.danger") !== null`)
	page.do(chromedp.Click(`form .btn.danger`))
	watching.waitFor(`document.querySelector("#node-0 .status.bad") !== null`)
}

// pageAt names a page by its path.
func pageAt(path string) page {
	name := strings.NewReplacer("/", "-", "?", "-", "=", "-", "&", "-").Replace(strings.TrimPrefix(path, "/"))
	return page{name: "with-a-node-" + name, path: path, session: true}
}
