package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
)

// errNotOffered says that a library lacks the collective.
var errNotOffered = errors.New("not offered by this version")

// lacksCollective is the exit status by which the peer says so.
const lacksCollective = 3

// buildGloo builds the peer from the sources of this folder, for this machine's
// processor, so that Gloo's sums are vectorised.
func buildGloo(ctx context.Context, sources, scratch string) (*peer, error) {
	binary := filepath.Join(scratch, "gloo")
	if _, err := output(command(ctx, "g++", "-std=c++17", "-O3", "-march=native", "-o", binary, filepath.Join(sources, "gloo.cc"), "-lgloo", "-lpthread")); err != nil {
		return nil, fmt.Errorf("build the Gloo peer (needs g++ and Gloo, as of libgloo-dev): %w", err)
	}
	version, err := output(command(ctx, binary, "version"))
	if err != nil {
		return nil, fmt.Errorf("ask the Gloo peer for its version: %w", err)
	}
	text := strings.TrimSpace(string(version))
	if packaged, err := output(command(ctx, "dpkg-query", "--show", "--showformat=${Version}", "libgloo-dev")); err == nil {
		text += " (Debian " + string(packaged) + ")"
	}
	return &peer{
		label: "Gloo", version: text, ways: glooWays, hopeful: make(map[cell][]way),
		time: func(ctx context.Context, c cell, w way, r repeats) ([]float64, error) {
			ctx, cancel := context.WithTimeout(ctx, longestRun)
			defer cancel()
			store, err := os.MkdirTemp(scratch, "store")
			if err != nil {
				return nil, err
			}
			defer os.RemoveAll(store)
			text, err := startGloo(ctx, binary, store, c, w, r)
			if err != nil {
				return nil, fmt.Errorf("gloo: %w", err)
			}
			return parseTimes(text, r.iterations)
		},
	}, nil
}

// startGloo starts a process for every rank and returns what rank 0 printed.
// When one fails the others are ended.
func startGloo(ctx context.Context, binary, store string, c cell, w way, r repeats) (printed []byte, err error) {
	group, ctx := errgroup.WithContext(ctx)
	cpus := processors()
	for rank := range c.ranks {
		group.Go(func() error {
			if w.bound { // the process inherits what the thread that starts it is bound to
				release, err := pinThread(cpus[rank%len(cpus)])
				if err != nil {
					return fmt.Errorf("bind rank %d: %w", rank, err)
				}
				defer release()
			}
			text, err := output(command(ctx, binary, append(peerArgs(c, w, r), strconv.Itoa(rank), strconv.Itoa(c.ranks), store)...))
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() == lacksCollective {
				return errNotOffered
			}
			if err != nil {
				return fmt.Errorf("rank %d: %w", rank, err)
			}
			if rank == 0 {
				printed = text
			}
			return nil
		})
	}
	err = group.Wait()
	return printed, err
}

// glooWays are Gloo's algorithms, and ranks left alone as Gloo leaves them or
// bound to a processor, which helps it sometimes; always where they are more
// than the processors.
func glooWays(c cell) []way {
	algorithms := []way{{arg: "plain"}}
	if c.collective == "all-reduce" {
		algorithms = []way{{text: "ring", arg: "ring"}, {text: "bcube", arg: "bcube"}}
	}
	if processors() == nil {
		return algorithms
	}
	var ways []way
	for _, a := range algorithms {
		if c.ranks <= runtime.NumCPU() {
			ways = append(ways, a)
		}
		ways = append(ways, way{strings.TrimSpace(a.text + " bound"), a.arg, true})
	}
	return ways
}
