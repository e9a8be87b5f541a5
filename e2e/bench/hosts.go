package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"lockstep/e2e/fabric"
)

// What is measured on hosts: the article's two ways to average gradients, over
// links of a known rate.
const (
	hostMbits      = 200
	hostSize       = 4_000_000 // bytes
	hostIterations = 5
	mostWorkers    = 8
	hostPatience   = time.Minute
)

// hostRow is one cell, as web/present/testbed.json keeps it.
type hostRow struct {
	Algorithm string  `json:"algorithm"`
	Workers   int     `json:"workers"`
	Time      float64 `json:"time_s"`
	Predicted float64 `json:"predicted_s"`
	fastest   float64
}

// hostSeries is the file that the page about the central server draws.
type hostSeries struct {
	Made  string    `json:"made"`
	Mbits float64   `json:"mbits"`
	Size  int       `json:"size_bytes"`
	Rows  []hostRow `json:"rows"`
}

// measureHosts runs both on 2, 4 and 8 hosts of a fabric, and writes hosts.md
// and testbed.json. Without hosts it says why and measures nothing.
func measureHosts(ctx context.Context, program, scratch, out string) error {
	f, err := fabric.New(fabric.Config{Hosts: mostWorkers + 1, Mbits: hostMbits})
	if errors.Is(err, fabric.ErrNotHere) {
		fmt.Println("hosts are not measured:", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	program, err = filepath.Abs(program)
	if err != nil {
		return err
	}
	h := &hosts{fabric: f, program: program, dir: scratch}
	defer h.stop()
	if err := h.start(mostWorkers); err != nil {
		return err
	}
	series := hostSeries{Made: time.Now().UTC().Format(time.DateOnly), Mbits: hostMbits, Size: hostSize}
	for _, algorithm := range []string{"central", "ring"} {
		for workers := 2; workers <= mostWorkers; workers *= 2 {
			if err := ctx.Err(); err != nil {
				return err
			}
			row, err := h.measure(algorithm, workers)
			if err != nil {
				return err
			}
			series.Rows = append(series.Rows, row)
		}
	}
	text := series.String()
	fmt.Print(text)
	if out == "" {
		return nil
	}
	document, err := json.MarshalIndent(series, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(out, "hosts.md"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(out, "testbed.json"), append(document, '\n'), 0o644),
	)
}

// hosts is a console with agents.
type hosts struct {
	fabric  *fabric.Fabric
	program string
	dir     string
	token   string
	running []*exec.Cmd
}

const hostAddress = "http://127.0.0.1:8080"

// start starts a console and agents n1, n2 and on, and has the links measured.
func (h *hosts) start(agents int) error {
	door := fabric.Addr(0) + ":8444"
	if _, err := h.begin(0, "serve", "--data", "hosts", "--listen", strings.TrimPrefix(hostAddress, "http://"), "--agent-listen", door); err != nil {
		return err
	}
	var err error
	if h.token, err = h.secret("api", "--role", "admin"); err != nil {
		return err
	}
	for i := 1; i <= agents; i++ {
		token, err := h.secret("join")
		if err != nil {
			return err
		}
		name := "n" + strconv.Itoa(i)
		line, err := h.begin(i, "agent", "--join", door, "--token-file", token, "--name", name, "--state", filepath.Join(h.dir, name))
		if err != nil {
			return err
		}
		if !strings.HasPrefix(line, "joined ") {
			return fmt.Errorf("the agent of %s says %q", name, line)
		}
	}
	_, err = h.do("node", "probe", "--console", hostAddress, "--token-file", h.token)
	return err
}

// begin starts the program on a host, and returns its first line.
func (h *hosts) begin(host int, args ...string) (string, error) {
	cmd := h.fabric.Command(host, h.program, args...)
	cmd.Dir, cmd.Env = h.dir, append(os.Environ(), "LOCKSTEP_CALIBRATE=never")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	h.running = append(h.running, cmd)
	first := make(chan string, 1)
	go func() { // ends with the program
		lines := bufio.NewScanner(out)
		lines.Scan()
		first <- lines.Text()
		for lines.Scan() { // keeps the pipe empty
		}
	}()
	select {
	case line := <-first:
		return line, nil
	case <-time.After(hostPatience):
		return "", fmt.Errorf("console %s says nothing", args[0])
	}
}

// do runs the program on the console's host.
func (h *hosts) do(args ...string) ([]byte, error) {
	cmd := h.fabric.Command(0, h.program, args...)
	cmd.Dir = h.dir
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		err = fmt.Errorf("console %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return out, err
}

// secret makes a token, in a file.
func (h *hosts) secret(kind string, more ...string) (string, error) {
	out, err := h.do(append([]string{"token", "create", "--kind", kind, "--data", "hosts"}, more...)...)
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	file, err := os.CreateTemp(h.dir, kind)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintln(file, lines[len(lines)-1])
	return file.Name(), errors.Join(err, file.Close())
}

func (h *hosts) measure(algorithm string, workers int) (hostRow, error) {
	row := hostRow{Algorithm: algorithm, Workers: workers}
	names := make([]string, workers)
	for i := range names {
		names[i] = "n" + strconv.Itoa(i+1)
	}
	args := []string{"run", "--console", hostAddress, "--token-file", h.token, "--json", "--collective", "all-reduce", "--algorithm", algorithm,
		"--ranks", strconv.Itoa(workers), "--nodes", strings.Join(names, ","), "--size", strconv.Itoa(hostSize), "--iterations", strconv.Itoa(hostIterations)}
	if algorithm == "central" {
		args = append(args, "--slices", "1") // whole gradients, there and back, as the article counts
	}
	out, err := h.do(args...)
	if err != nil {
		return row, err
	}
	var run struct {
		Time      struct{ Min, Median float64 } `json:"time_s"`
		Predicted float64                       `json:"predicted_s"`
		Verified  bool
	}
	if err := json.Unmarshal(out, &run); err != nil {
		return row, err
	}
	if !run.Verified || run.Predicted <= 0 {
		return row, fmt.Errorf("%s with %d workers: not verified or not predicted: %s", algorithm, workers, out)
	}
	row.Time, row.Predicted, row.fastest = run.Time.Median, run.Predicted, run.Time.Min
	return row, nil
}

// stop ends everything that was begun, the last first.
func (h *hosts) stop() {
	for i := len(h.running) - 1; i >= 0; i-- {
		_ = h.running[i].Process.Signal(syscall.SIGTERM)
		_ = h.running[i].Wait()
	}
}

func (s hostSeries) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Real links: the central collector and the ring on 2, 4 and 8 hosts

%s. Written by `+"`make bench`"+`.

Hosts are network namespaces of one machine, each with one link of %d Mb/s each way (tc tbf) to a switch whose queues are deep enough to drop nothing; processors and memory are shared.
A console on one of them, an agent with one rank on each of the others, joined over TLS; edges between ranks are sealed. All-reduce of
%d bytes of float32, central with one slice (whole gradients, there and back, as the article counts), the ring with its own slices; %d
iterations after the uncounted ones, every element verified. The prediction was made before each run, from a probe of the links, by the simulator.

With the central collector each further worker adds a whole gradient there and back. The ring grows far less: by its formula, 2(n-1)/n, to twice one gradient at most.

| algorithm | workers | predicted | median | min | median / predicted |
| --- | --- | --- | --- | --- | --- |
`, machine(), int(s.Mbits), s.Size, hostIterations)
	for _, r := range s.Rows {
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %.3f |\n", r.Algorithm, r.Workers, duration(r.Predicted), duration(r.Time), duration(r.fastest), r.Time/r.Predicted)
	}
	b.WriteString(`
Nine hosts share this machine's processors: where the last row is slower than predicted, they are what it waits for.

![The two curves as the lesson draws them, measured beside predicted](../screenshots/measured-en.png)

The page /learn/central-server draws these figures (web/present/testbed.json, which is the file testbed.json that is written beside this one).
`)
	return b.String()
}
