package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAnAdminAddsANode logs in with name and password, asks the page for what
// a machine needs to join, starts an agent with it, sees the node come up by
// itself, and runs on it.
func TestAnAdminAddsANode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte("long enough to be one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	add := exec.Command(consoleBinary, "user", "add", "alice", "--role", "admin", "--password-file", "password", "--data", "data")
	add.Dir = dir
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("user add: %v\n%s", err, out)
	}
	console, err := start(dir, os.Environ(), "serve", "--data", "data", "--listen", "127.0.0.1:0", "--agent-listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(console.kill)
	address, _, err := console.invitation()
	if err != nil {
		t.Fatal(err)
	}
	p := newTab(t, newBrowser(t), address)
	p.open("/en/nodes", false) // which leads to the login page
	p.waitAcross(`location.pathname === "/en/login"`)
	p.do(chromedp.SendKeys("#name", "alice"), chromedp.SendKeys("#password", "long enough to be one"), chromedp.Click(`main form .btn.primary`))
	p.waitAcross(`location.pathname === "/en/nodes" && document.querySelector(".nodecard") !== null`)

	p.do(chromedp.Click(`form[action="/en/nodes/invite"] button`))
	p.waitAcross(`document.querySelector(".nodeinvite") !== null`)
	shown := evaluate[string](p, `document.querySelector(".nodeinvite").innerText`)
	listener := regexp.MustCompile(`--join\s+(\S+:\d+)`).FindStringSubmatch(shown)
	token := regexp.MustCompile(`lockstep-join-\S+`).FindString(shown)
	if listener == nil || token == "" {
		t.Fatalf("the page shows no line to paste:\n%s", shown)
	}
	p.do(chromedp.Click(`.nodeinvite a.btn[href="/en/nodes"]`))
	p.waitAcross(`location.pathname === "/en/nodes" && document.querySelector("[data-follow]") !== null`)
	evaluate[bool](p, `window.stayed = true`)

	agent := exec.Command(consoleBinary, "agent", "--join", listener[1], "--token-file", "-", "--name", "beside", "--state", filepath.Join(dir, "state"))
	agent.Stdin = strings.NewReader(token + "\n")
	node, err := startCommand(agent, dir, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.kill)
	if line, err := node.line(); err != nil || line != "joined "+listener[1]+" as beside" {
		t.Fatalf("the agent says %q, %v\n%s", line, err, node.said())
	}
	p.waitAcross(`[...document.querySelectorAll(".nodecard h2")].some((name) => name.textContent === "beside")`)
	if !evaluate[bool](p, `window.stayed === true`) {
		t.Error("the node has come by a reload")
	}

	// The token counted once.
	again := exec.Command(consoleBinary, "agent", "--join", listener[1], "--token-file", "-", "--name", "another", "--state", filepath.Join(dir, "state2"))
	again.Stdin = strings.NewReader(token + "\n")
	if out, err := again.CombinedOutput(); err == nil || strings.Contains(string(out), "joined ") {
		t.Errorf("a used token lets another in: %v\n%s", err, out)
	}

	path := startRun(p, "n=2&size=1MiB&where=nodes&node=beside")
	p.waitAcross(`document.body.innerText.includes("Done, every bit of the result checked")`)
	if text := evaluate[string](p, `document.querySelector("main").innerText`); !strings.Contains(text, "beside") {
		t.Errorf("the page of run %s does not say where its ranks were:\n%s", path, text)
	}
}
