package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/e2e/fabric"
)

// site is a console on host 0 of a fabric, with agents on others.
type site struct {
	t       *testing.T
	fabric  *fabric.Fabric
	dir     string // of everybody: hosts share their disks
	console *served
	address string // of the pages
	token   string // the file with an API token
	agents  map[string]*served
	joins   map[string]string // the files with the tokens that they joined by
}

const (
	pagePort  = "8080"
	agentPort = "8444"
)

// newSite starts a console on its own host.
func newSite(t *testing.T, cfg fabric.Config) *site {
	t.Helper()
	f, err := fabric.New(cfg)
	if errors.Is(err, fabric.ErrNotHere) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &site{t: t, fabric: f, dir: t.TempDir(), address: "http://127.0.0.1:" + pagePort, agents: map[string]*served{}, joins: map[string]string{}}
	s.serve()
	s.token = s.newToken("api", "admin")
	return s
}

// serve starts the console.
func (s *site) serve() {
	s.t.Helper()
	s.console = s.start(0, "serve", "--data", "data", "--listen", "127.0.0.1:"+pagePort, "--agent-listen", fabric.Addr(0)+":"+agentPort)
	if _, _, err := s.console.invitation(); err != nil {
		s.t.Fatal(err)
	}
}

// start runs the console with arguments on a host until the test ends.
func (s *site) start(host int, args ...string) *served {
	s.t.Helper()
	one, err := startCommand(s.fabric.Command(host, consoleBinary, args...), s.dir, os.Environ())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		one.kill()
		if s.t.Failed() {
			s.t.Logf("console %s: %s", strings.Join(args, " "), one.said())
		}
	})
	return one
}

// do runs the console with arguments on host 0 and returns what it prints on
// standard output, and its exit status.
func (s *site) do(args ...string) (out []byte, status int) {
	s.t.Helper()
	cmd := s.fabric.Command(0, consoleBinary, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, &stdout, &stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	if stderr.Len() > 0 {
		s.t.Logf("console %s: %s", strings.Join(args, " "), bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.Bytes(), cmd.ProcessState.ExitCode()
}

// newToken makes a token and returns the file that holds it.
func (s *site) newToken(kind, role string) string {
	s.t.Helper()
	args := []string{"token", "create", "--kind", kind, "--data", "data"}
	if role != "" {
		args = append(args, "--role", role)
	}
	out, status := s.do(args...)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if status != 0 || len(lines) == 0 {
		s.t.Fatalf("token create: %d\n%s", status, out)
	}
	file, err := os.CreateTemp(s.dir, kind)
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = file.WriteString(lines[len(lines)-1] + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		s.t.Fatal(err)
	}
	return file.Name()
}

// join starts an agent on a host, and returns when it is in.
func (s *site) join(host int, name string, more ...string) *served {
	s.t.Helper()
	one := s.attach(host, name, s.newToken("join", ""), more...)
	line, err := one.line()
	if err != nil || !strings.HasPrefix(line, "joined ") || !strings.HasSuffix(line, " as "+name) {
		s.t.Fatalf("the agent of %s says %q, %v\n%s", name, line, err, one.said())
	}
	return one
}

// attach starts an agent on a host.
func (s *site) attach(host int, name, tokenFile string, more ...string) *served {
	s.t.Helper()
	args := append([]string{"agent", "--join", fabric.Addr(0) + ":" + agentPort, "--token-file", tokenFile, "--name", name,
		"--state", filepath.Join(s.dir, "state-"+name)}, more...)
	one := s.start(host, args...)
	s.agents[name], s.joins[name] = one, tokenFile
	return one
}

// outcome is what the tests read of a run.
type outcome struct {
	ID        string
	Outcome   string
	Verified  bool
	Nodes     int
	NodeNames []string `json:"node_names"`
	Link      string
	Time      struct{ Min, Median float64 } `json:"time_s"`
	Predicted float64                       `json:"predicted_s"`
	Failure   *struct {
		Kind     string
		Message  string
		Detected float64 `json:"detected_after_s"`
		Culprit  struct {
			Rank *int
			Link string
			Node string
		}
	}
}

// run carries a run out through the console's API.
func (s *site) run(args ...string) outcome {
	s.t.Helper()
	o, err := s.try(args...)
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

// try is run for tests that take the console away meanwhile.
func (s *site) try(args ...string) (outcome, error) {
	out, status := s.do(append([]string{"run", "--console", s.address, "--token-file", s.token, "--json"}, args...)...)
	var o outcome
	if err := json.Unmarshal(out, &o); err != nil {
		return o, fmt.Errorf("run %s: exit status %d, %w\n%s", strings.Join(args, " "), status, err, out)
	}
	if o.Outcome == "done" && status != 0 || o.Outcome == "failed" && status != 1 {
		return o, fmt.Errorf("a run that is %s exits with %d", o.Outcome, status)
	}
	return o, nil
}

// ringOn is what most tests run: long enough to be disturbed when paced.
func ringOn(nodes string, ranks int, more ...string) []string {
	return append([]string{"--collective", "all-reduce", "--algorithm", "ring", "--ranks", strconv.Itoa(ranks), "--nodes", nodes}, more...)
}

// get asks the API, and decodes the answer.
func (s *site) get(path string, answer any) {
	s.t.Helper()
	token, err := os.ReadFile(s.token)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+"/api/v1/"+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	client := http.Client{Transport: &http.Transport{DialContext: s.fabric.DialContext(0), DisableKeepAlives: true}}
	got, err := client.Do(request)
	if err != nil {
		s.t.Fatalf("GET %s: %v", path, err)
	}
	defer got.Body.Close()
	if err := json.NewDecoder(got.Body).Decode(answer); err != nil {
		s.t.Fatalf("GET %s: %s, %v", path, got.Status, err)
	}
}

// standing returns the standing of a node by the API's list.
func (s *site) standing(name string) string {
	s.t.Helper()
	var list struct {
		Nodes []struct{ Name, Standing string }
	}
	s.get("nodes", &list)
	for _, node := range list.Nodes {
		if node.Name == name {
			return node.Standing
		}
	}
	return ""
}

// moving reports whether the newest run has come to its first iteration.
func (s *site) moving() bool {
	s.t.Helper()
	var list struct {
		Runs []struct{ ID, Outcome string }
	}
	s.get("runs", &list)
	if len(list.Runs) == 0 || list.Runs[0].Outcome != "running" {
		return false
	}
	var state struct {
		Iteration int
		Events    []json.RawMessage
	}
	s.get("runs/"+list.Runs[0].ID+"?since=0", &state)
	return state.Iteration >= 0 && len(state.Events) > 0
}

// until waits for something that becomes so.
func (s *site) until(within time.Duration, what string, holds func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(within); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%s: not within %v", what, within)
		}
	}
}

// kill ends a process that the test has brought about.
func kill(pid int) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return process.Kill()
}
