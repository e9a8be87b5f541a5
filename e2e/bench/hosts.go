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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"lockstep/e2e/fabric"
)

// What is measured on hosts: the article's two ways to average gradients and
// the trees beside them, over links of known rates.
const (
	hostSize       = 4 << 20 // bytes
	hostIterations = 5
	mostWorkers    = 8
	hostPatience   = time.Minute
)

// hostRates are the rates of links, in Mb/s. The page draws the first.
var hostRates = []int{200, 1000}

// hostAlgorithms are measured in this order; the page draws those that come
// first.
var (
	hostAlgorithms = []string{"central", "ring", "binomial-tree", "double-binary-tree"}
	hostDrawn      = hostAlgorithms[:2]
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

// measureHosts runs every algorithm on 2, 4 and 8 hosts of a fabric at every
// rate, and writes hosts.md and testbed.json. Without hosts it says why and
// measures nothing.
func measureHosts(ctx context.Context, program, scratch, out string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	var all []hostSeries
	for _, mbits := range hostRates {
		series, err := measureAt(ctx, program, scratch, mbits)
		if errors.Is(err, fabric.ErrNotHere) {
			fmt.Println("hosts are not measured:", err)
			return nil
		}
		if err != nil {
			return fmt.Errorf("measure hosts at %d Mb/s: %w", mbits, err)
		}
		all = append(all, series)
	}
	text := hostDocument(all)
	fmt.Print(text)
	if out == "" {
		return nil
	}
	document, err := json.MarshalIndent(all[0].drawn(), "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(out, "hosts.md"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(out, "testbed.json"), append(document, '\n'), 0o644),
	)
}

// measureAt measures on hosts whose links have one rate, with a console of their
// own in a folder of its own.
func measureAt(ctx context.Context, program, scratch string, mbits int) (hostSeries, error) {
	series := hostSeries{Made: time.Now().UTC().Format(time.DateOnly), Mbits: float64(mbits), Size: hostSize}
	f, err := fabric.New(fabric.Config{Hosts: mostWorkers + 1, Mbits: mbits})
	if err != nil {
		return series, err
	}
	defer f.Close()
	dir, err := os.MkdirTemp(scratch, "hosts")
	if err != nil {
		return series, err
	}
	h := &hosts{fabric: f, program: program, dir: dir}
	defer h.stop()
	if err := h.start(mostWorkers); err != nil {
		return series, err
	}
	for _, algorithm := range hostAlgorithms {
		for workers := 2; workers <= mostWorkers; workers *= 2 {
			if err := ctx.Err(); err != nil {
				return series, err
			}
			row, err := h.measure(algorithm, workers)
			if err != nil {
				return series, err
			}
			series.Rows = append(series.Rows, row)
		}
	}
	return series, nil
}

// drawn is the part of a series that the page draws.
func (s hostSeries) drawn() hostSeries {
	s.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r hostRow) bool { return !slices.Contains(hostDrawn, r.Algorithm) })
	return s
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

// hostDocument is hosts.md.
func hostDocument(all []hostSeries) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Real links: the central collector, the ring and the trees on 2, 4 and 8 hosts

%s. Written by `+"`make bench-hosts`"+` and `+"`make bench`"+`.

Hosts are network namespaces of one machine, each with one link each way (tc tbf) to a switch whose queues are deep enough to drop nothing; processors and memory are shared.
A console on one of them, an agent with one rank on each of the others, joined over TLS; edges between ranks are sealed. All-reduce of
%d bytes (4 MiB) of float32, central with one slice (whole gradients, there and back, as the article counts), the others with their own slices; %d
iterations after the uncounted ones, every element verified. The prediction was made before each run, from a probe of the links, by the simulator.

With the central collector each further worker adds a whole gradient there and back. The ring grows far less: by its formula, 2(n-1)/n, to twice one gradient at most.
`, machine(), hostSize, hostIterations)
	for _, s := range all {
		fmt.Fprintf(&b, `
## Links of %g Mb/s

| algorithm | workers | predicted | median | min | median / predicted |
| --- | --- | --- | --- | --- | --- |
`, s.Mbits)
		for _, r := range s.Rows {
			fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %.3f |\n", r.Algorithm, r.Workers, duration(r.Predicted), duration(r.Time), duration(r.fastest), r.Time/r.Predicted)
		}
	}
	fmt.Fprintf(&b, `
Nine hosts share this machine's processors: where eight workers are slower than predicted, they are what it waits for.

![The two curves as the lesson draws them, measured beside predicted](../screenshots/measured-en.png)

The page /learn/central-server draws the %s rows at %d Mb/s (web/present/testbed.json, which is the file testbed.json that is written beside this one).

A test holds such runs against their predictions: `+"`make test-hosts`"+` runs it on a quiet machine, which is

    LOCKSTEP_MEASURE=1 go test ./e2e -run TestRunsOnHosts -v
`, strings.Join(hostDrawn, " and "), hostRates[0])
	return b.String()
}
