package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// console is the program that is measured: the built one, run once a round.
type console struct {
	path, data string
	algorithm  string   // auto, or one by name
	slices     string   // auto, or as many for every chunk
	env        []string // added to the environment
}

func (console) name() string { return "Lockstep" }

// errNoLink says that this console has no link of that name.
var errNoLink = errors.New("this console has no such link")

// runDocument is what is read of `console run --json`.
type runDocument struct {
	Outcome   string `json:"outcome"`
	Verified  bool   `json:"verified"`
	Algorithm string `json:"algorithm"`
	Link      string `json:"link"`
	Events    int64  `json:"events"`
	Slices    int    `json:"slices"`
	Time      struct {
		Min    float64 `json:"min"`
		Median float64 `json:"median"`
	} `json:"time_s"`
}

func (p console) measure(ctx context.Context, c cell) (sample, error) {
	doc, err := p.run(ctx, c, c.iterations())
	if err != nil {
		return sample{}, err
	}
	return sample{how: doc.Algorithm, median: doc.Time.Median, fastest: doc.Time.Min}, nil
}

func (p console) run(ctx context.Context, c cell, iterations int) (doc runDocument, err error) {
	ctx, cancel := context.WithTimeout(ctx, longestRun)
	defer cancel()
	cmd := command(ctx, p.path, "run", "--collective", c.collective, "--algorithm", p.algorithm, "--ranks", strconv.Itoa(c.ranks),
		"--size", strconv.FormatInt(c.size, 10), "--iterations", strconv.Itoa(iterations), "--slices", p.slices, "--link", c.link,
		"--data", p.data, "--json")
	cmd.Env = append(os.Environ(), p.env...)
	text, err := output(cmd)
	if err != nil {
		return doc, fmt.Errorf("console run: %w", err)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return doc, fmt.Errorf("read the run document: %w", err)
	}
	if doc.Outcome != "done" || !doc.Verified || doc.Link != c.link {
		return doc, fmt.Errorf("console run: %s, verified %v, link %s", doc.Outcome, doc.Verified, doc.Link)
	}
	return doc, nil
}

// calibrate lets the console learn the machine, as one that serves does at its
// first start: auto goes by it.
func (p console) calibrate(ctx context.Context) error {
	if p.algorithm != "auto" {
		return nil
	}
	if _, err := output(command(ctx, p.path, "calibrate", "--for", "60s", "--data", p.data)); err != nil {
		return fmt.Errorf("console calibrate: %w", err)
	}
	return nil
}

// has asks whether this console knows the link, by using it once.
func (p console) has(ctx context.Context, link string) error {
	_, err := p.run(ctx, cell{"all-reduce", link, 2, 8}, 1)
	var refused struct {
		Error struct {
			Code  string `json:"code"`
			Field string `json:"field"`
		} `json:"error"`
	}
	var exit *failedProgram
	if errors.As(err, &exit) {
		for line := range strings.Lines(exit.said) {
			if json.Unmarshal([]byte(line), &refused) == nil && refused.Error.Field == "link" {
				return fmt.Errorf("%w: %s", errNoLink, link)
			}
		}
	}
	return err
}

// version is what the console says of itself.
func (p console) version(ctx context.Context) (string, error) {
	text, err := output(command(ctx, p.path, "version"))
	return strings.TrimSpace(string(text)), err
}

// longestRun bounds one start of a program; the slowest take 20 seconds.
const longestRun = 3 * time.Minute

// command is a program that is asked to end, and then made to, with ctx.
func command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return stopGently(cmd.Process) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// failedProgram is a program that failed, and what it said on its error output.
type failedProgram struct {
	err  error
	said string
}

func (f *failedProgram) Error() string {
	return fmt.Sprintf("%v: %s", f.err, strings.TrimSpace(f.said))
}
func (f *failedProgram) Unwrap() error { return f.err }

// output runs a program to its end and returns what it printed.
func output(cmd *exec.Cmd) ([]byte, error) {
	var printed, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &said
	if err := cmd.Run(); err != nil {
		return nil, &failedProgram{err, said.String()}
	}
	return printed.Bytes(), nil
}
