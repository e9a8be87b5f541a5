package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// buildOpenMPI builds the peer from the sources of this folder.
func buildOpenMPI(ctx context.Context, sources, scratch string) (*peer, error) {
	binary := filepath.Join(scratch, "openmpi")
	if _, err := output(command(ctx, "mpicc", "-O2", "-o", binary, filepath.Join(sources, "openmpi.c"))); err != nil {
		return nil, fmt.Errorf("build the Open MPI peer (needs mpicc, as of libopenmpi-dev): %w", err)
	}
	text, err := output(command(ctx, "mpirun", "--version"))
	if err != nil {
		return nil, fmt.Errorf("ask mpirun for its version: %w", err)
	}
	version, err := openMPIVersion(string(text))
	if err != nil {
		return nil, err
	}
	shared := "vader"
	if major, _, _ := strings.Cut(version, "."); len(major) > 1 || major >= "5" {
		shared = "sm"
	}
	return &peer{
		label: "Open MPI", version: version, ways: openMPIWays, hopeful: make(map[cell][]way),
		time: func(ctx context.Context, c cell, w way, r repeats) ([]float64, error) {
			ctx, cancel := context.WithTimeout(ctx, longestRun)
			defer cancel()
			cmd := command(ctx, "mpirun", append(append(mpirunArgs(c, shared), binary), peerArgs(c, w, r)...)...)
			cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
			text, err := output(cmd)
			if err != nil {
				return nil, fmt.Errorf("mpirun: %w", err)
			}
			return parseTimes(text, r.iterations)
		},
	}, nil
}

// openMPIVersion finds 4.1.4 in "mpirun (Open MPI) 4.1.4".
func openMPIVersion(text string) (string, error) {
	first, _, _ := strings.Cut(text, "\n")
	version, ok := strings.CutPrefix(strings.TrimSpace(first), "mpirun (Open MPI) ")
	if !ok {
		return "", fmt.Errorf("mpirun says %q; needed is that of Open MPI", first)
	}
	return version, nil
}

// mpirunArgs leaves Open MPI its defaults but for the link. It binds ranks to
// processors by itself as long as there are enough.
func mpirunArgs(c cell, shared string) []string {
	args := []string{"-np", strconv.Itoa(c.ranks), "--mca", "pml", "ob1"}
	if c.link == "shm" {
		args = append(args, "--mca", "btl", shared+",self")
	} else {
		args = append(args, "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")
	}
	if c.ranks > runtime.NumCPU() {
		args = append(args, "--oversubscribe")
	}
	return args
}

// openMPIWays are the ways in which Open MPI does well somewhere: from 1 MiB on
// sliced by the caller; reduce-scatter also by the call with counts, whose
// algorithms are others.
func openMPIWays(c cell) []way {
	ways := []way{{arg: "1"}}
	switch c.collective {
	case "all-reduce", "broadcast":
		count := "32"
		if c.link == "tcp" {
			count = "64"
		}
		if c.size >= 1<<20 {
			ways = append(ways, way{text: count + " slices", arg: count})
		}
	case "reduce-scatter":
		ways = append(ways, way{text: "with counts", arg: "counts"})
	}
	return ways
}
