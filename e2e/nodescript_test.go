package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// startAgent starts an agent for the console that serves a data folder, and
// reads its first line: agent NAME DATA ARG…
func startAgent(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: agent NAME DATA ARG…")
	}
	v, name := visiting(ts), args[0]
	address, err := os.ReadFile(ts.MkAbs(filepath.Join(args[1], "serving-agents")))
	ts.Check(err)
	environ := []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "TMPDIR=" + ts.Getenv("TMPDIR")}
	agent, err := start(ts.MkAbs("."), environ, append([]string{"agent", "--join", strings.TrimSpace(string(address)), "--name", name}, args[2:]...)...)
	ts.Check(err)
	ts.Defer(agent.kill)
	if v.agents == nil {
		v.agents = map[string]*served{}
	}
	v.agents[name] = agent
	line, err := agent.line()
	if err != nil {
		ts.Fatalf("agent %s prints nothing: %v\n%s", name, err, agent.said())
	}
	fmt.Fprintln(ts.Stdout(), line)
}

// endAgent waits for an agent's end, or brings it about, and prints its log:
// agentends NAME STATUS [stop]
func endAgent(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: agentends NAME STATUS [stop]")
	}
	agent := visiting(ts).agents[args[0]]
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if len(args) == 3 {
		ts.Check(agent.process.Process.Signal(syscall.SIGTERM))
	}
	status, err := agent.wait()
	ts.Check(err)
	if status != want {
		ts.Fatalf("agent %s: exit status %d, want %d\n%s", args[0], status, want, agent.said())
	}
	fmt.Fprint(ts.Stdout(), agent.said())
}
