package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestParseTimes(t *testing.T) {
	if got, err := parseTimes([]byte("0.000001250\n0.5\n"), 2); err != nil || !slices.Equal(got, []float64{1.25e-6, 0.5}) {
		t.Errorf("got %v, %v", got, err)
	}
	for text, want := range map[string]string{
		"0.5\n":           "the peer printed 1 of 2 times",
		"":                "the peer printed 0 of 2 times",
		"0.5\nwarning\n":  `read the peer's times: "warning" is none`,
		"0.5\n-1\n":       `read the peer's times: "-1" is none`,
		"0.5\n0.5\n0.5\n": "the peer printed 3 of 2 times",
	} {
		if _, err := parseTimes([]byte(text), 2); err == nil || err.Error() != want {
			t.Errorf("of %q: %v, want %s", text, err, want)
		}
	}
}

// The fastest way counts; one far slower is not tried again in that cell.
func TestBestWay(t *testing.T) {
	slow := map[string]float64{"1": 1.4, "32": 1, "counts": 9}
	var tried []string
	p := &peer{hopeful: make(map[cell][]way),
		ways: func(cell) []way {
			return []way{{arg: "1"}, {text: "32 slices", arg: "32"}, {text: "with counts", arg: "counts"}}
		},
		time: func(_ context.Context, _ cell, w way, _ repeats) ([]float64, error) {
			tried = append(tried, w.arg)
			return []float64{slow[w.arg] * 2, slow[w.arg], slow[w.arg] / 2}, nil
		}}
	c := cell{size: 8}
	for range 2 {
		if got, err := p.measure(t.Context(), c); err != nil || got != (sample{how: "32 slices", median: 1, fastest: 0.5}) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	slow["1"] = 0.5
	if got, err := p.measure(t.Context(), c); err != nil || got.how != "" || got.median != 0.5 {
		t.Errorf("once the plain call is faster: %+v, %v", got, err)
	}
	if want := []string{"1", "32", "counts", "1", "32", "1", "32"}; !slices.Equal(tried, want) {
		t.Errorf("tried %v, want %v", tried, want)
	}
	if _, err := p.measure(t.Context(), cell{size: 16}); err != nil || tried[len(tried)-1] != "counts" {
		t.Errorf("another cell tries all ways: %v, %v", tried, err)
	}
}

func TestOpenMPIVersion(t *testing.T) {
	if got, err := openMPIVersion("mpirun (Open MPI) 4.1.4\n\nReport bugs to …\n"); err != nil || got != "4.1.4" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := openMPIVersion("HYDRA build details:\n"); err == nil {
		t.Error("took another mpirun for Open MPI")
	}
}

func TestOpenMPIArguments(t *testing.T) {
	line := strings.Join(mpirunArgs(cell{"all-reduce", "shm", 2, 8}, "vader"), " ")
	if !strings.Contains(line, "--mca btl vader,self") || strings.Contains(line, "tcp") {
		t.Errorf("shared memory: %s", line)
	}
	line = strings.Join(mpirunArgs(cell{"all-reduce", "tcp", 64 * runtime.NumCPU(), 8}, "vader"), " ")
	if !strings.Contains(line, "--mca btl tcp,self --mca btl_tcp_if_include lo") || !strings.Contains(line, "--oversubscribe") {
		t.Errorf("more ranks than processors over TCP: %s", line)
	}
	for _, c := range []struct {
		cell cell
		want string
	}{
		{cell{"all-reduce", "shm", 2, 8}, "[1]"}, {cell{"all-reduce", "shm", 2, 1 << 20}, "[1 32]"}, {cell{"broadcast", "tcp", 2, 1 << 20}, "[1 64]"},
		{cell{"all-gather", "tcp", 2, 1 << 20}, "[1]"}, {cell{"reduce-scatter", "tcp", 2, 8}, "[1 counts]"},
	} {
		var args []string
		for _, w := range openMPIWays(c.cell) {
			args = append(args, w.arg)
		}
		if fmt.Sprint(args) != c.want {
			t.Errorf("ways of %s: %v, want %s", c.cell, args, c.want)
		}
	}
}

// Both peers build, carry all collectives out in all ways, and check them.
func TestOpenMPIPeer(t *testing.T) {
	for _, program := range []string{"mpicc", "mpirun"} {
		if _, err := exec.LookPath(program); err != nil {
			missing(t, program)
		}
	}
	p, err := buildOpenMPI(t.Context(), "peers", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	carryOut(t, p, "shm", 1<<10)
	carryOut(t, p, "tcp", 1<<20) // also in slices
	if _, err := p.time(t.Context(), cell{"all-to-none", "shm", 2, 8}, way{arg: "1"}, repeats{1, 1}); err == nil || !strings.Contains(err.Error(), "usage: openmpi COLLECTIVE") {
		t.Errorf("an unknown collective: %v", err)
	}
}

func TestGlooPeer(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("g++ is missing")
	}
	if _, err := os.Stat("/usr/include/gloo/allreduce.h"); err != nil {
		t.Skip("Gloo is missing (libgloo-dev)")
	}
	p, err := buildGloo(t.Context(), "peers", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	carryOut(t, p, "tcp", 1<<10)
	if _, err := p.time(t.Context(), cell{"all-to-none", "tcp", 2, 8}, way{arg: "plain"}, repeats{1, 1}); err == nil || !strings.Contains(err.Error(), "unknown collective all-to-none") {
		t.Errorf("an unknown collective: %v", err)
	}
}

func carryOut(t *testing.T, p *peer, link string, size int64) {
	t.Helper()
	for _, collective := range everything().collectives {
		c := cell{collective, link, 2, size}
		for _, w := range p.ways(c) {
			got, err := p.time(t.Context(), c, w, repeats{1, 3})
			if errors.Is(err, errNotOffered) {
				t.Logf("%s: %s: %v", p.label, collective, err)
			} else if err != nil || slices.Min(got) <= 0 {
				t.Errorf("%s: %s, %q: %v, %v", p.label, collective, w.text, got, err)
			}
		}
	}
}
