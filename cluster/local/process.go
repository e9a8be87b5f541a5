package local

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"lockstep/cluster/worker"
)

// process is a rank's operating-system process and the stream to it.
type process struct {
	cmd    *exec.Cmd
	in     *os.File // its standard output
	out    *os.File // its standard input
	stderr tail
	job    worker.Job
}

// start starts a process, and gives it a segment if there is one.
func start(cfg Config, segment *os.File) (*process, error) {
	childIn, out, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	in, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe: %w", err), childIn.Close(), out.Close())
	}
	p := &process{cmd: exec.Command(cfg.Executable, cfg.Args...), in: in, out: out}
	p.cmd.Env = cfg.Env
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = childIn, childOut, &p.stderr
	if segment != nil {
		p.cmd.ExtraFiles = []*os.File{segment}
		p.cmd.Env = append(slices.Clip(cfg.Env), worker.SegmentEnv+"=1")
	}
	p.cmd.SysProcAttr = attributes()
	// Whatever else holds its standard error must not hold us up.
	p.cmd.WaitDelay = time.Second
	err = p.cmd.Start()
	childIn.Close()
	childOut.Close()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", cfg.Executable, err), p.Close())
	}
	return p, nil
}

func (p *process) Read(b []byte) (int, error)  { return p.in.Read(b) }
func (p *process) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p *process) Close() error                { return errors.Join(p.in.Close(), p.out.Close()) }

// Begin hands the worker its job.
func (p *process) Begin(w *worker.Rank) error { return w.Begin(p.job) }

// Wait returns how the process ended, in the words of the operating system,
// with the first line that it complained with.
func (p *process) Wait() string {
	_ = p.cmd.Wait() // ProcessState says more
	how := p.cmd.ProcessState.String()
	if line := p.stderr.line(); line != "" {
		return how + "; " + line
	}
	return how
}

// Kill ends the process for certain; a stopped one too.
func (p *process) Kill() { _ = p.cmd.Process.Kill() }

// tail keeps the last 4 KiB of what is written to it, and the first line of a
// panic, however much follows.
type tail struct {
	mu    sync.Mutex
	text  []byte
	panic string
}

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	const keep = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - keep; over > 0 {
		t.panic, _ = t.lines()
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(b), nil
}

// line returns the line that says most: a panic's first, else the last.
func (t *tail) line() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	died, last := t.lines()
	return cmp.Or(died, last)
}

// opening returns the first line of words of what is kept: launchers say what is
// wrong first, between rules, and what follows from it later.
func (t *tail) opening() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(bytes.ToValidUTF8(t.text, nil))) {
		if line = strings.TrimSpace(line); strings.Trim(line, "-=*# ") != "" {
			return line
		}
	}
	return ""
}

// lines returns the line of a panic, if there was one, and the last line.
// Callers hold mu.
func (t *tail) lines() (died, last string) {
	died = t.panic
	for line := range strings.Lines(string(bytes.ToValidUTF8(t.text, nil))) {
		line = strings.TrimSpace(line)
		if died == "" && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "SIG") && strings.Contains(line, ": ")) {
			died = line
		}
		if line != "" {
			last = line
		}
	}
	return died, last
}
