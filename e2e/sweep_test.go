package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// comparison is what is looked at of `console run --sweep --json`.
type comparison struct {
	Version int
	ID      string
	State   string
	Sweep   string
	Points  []struct {
		Size      int64 `json:"size_bytes"`
		Backend   string
		Algorithm string
		Outcome   string
		Verified  bool
		Run       string
		Library   *struct{ Name string }
		Reason    string
		Times     *struct{ Median float64 } `json:"time_s"`
	}
}

// sweep runs a comparison in an environment.
func sweep(t *testing.T, environ []string, dir string, args ...string) comparison {
	t.Helper()
	cmd := exec.Command(consoleBinary, append([]string{"run", "--data", dir, "--json", "--ranks", "2", "--iterations", "2"}, args...)...)
	cmd.Env, cmd.Stderr = environ, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	var c comparison
	if err := json.Unmarshal(out, &c); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if c.Version != 1 || c.State != "done" {
		t.Fatalf("%v: %+v", args, c)
	}
	return c
}

// TestSweepComparesSizes takes sizes that four bytes cannot be cut into up to
// the next that they can.
func TestSweepComparesSizes(t *testing.T) {
	dir := t.TempDir()
	c := sweep(t, os.Environ(), dir, "--collective", "all-gather", "--backend", "host", "--sweep", "6:1KiB:x8")
	if c.ID != "0001" || c.Sweep != "6B:1KiB:x8" || len(c.Points) != 3 {
		t.Fatalf("%+v", c)
	}
	for i, p := range c.Points {
		if want := []int64{8, 48, 384}[i]; p.Size != want || p.Outcome != "done" || !p.Verified || p.Run == "" || p.Times == nil || p.Algorithm == "auto" {
			t.Errorf("point %d: %+v, want %d bytes, done", i, p, want)
		}
	}
	out, err := exec.Command(consoleBinary, "run", "--data", dir, "--ranks", "2", "--iterations", "2", "--collective", "all-reduce", "--backend", "host", "--sweep", "8:64:x8").Output()
	if err != nil || !strings.HasPrefix(string(out), "comparison 0002 done: all-reduce among 2 ranks, float32, 8B:64B:x8\n") {
		t.Errorf("%v, %s", err, out)
	}
}

// TestSweepComparesBackEnds runs host, the library's own call and the ring over
// its sends by turns; what a library lacks leaves the others.
func TestSweepComparesBackEnds(t *testing.T) {
	for _, family := range mpiFamilies {
		t.Run(family.name, func(t *testing.T) {
			environ, dir := mpiEnvironment(t, family.mpirun), t.TempDir()
			c := sweep(t, environ, dir, "--collective", "all-reduce", "--sweep", "1KiB:64KiB:x64")
			if len(c.Points) != 6 {
				t.Fatalf("%+v", c)
			}
			for i, p := range c.Points {
				if p.Outcome != "done" || !p.Verified || p.Backend != []string{"host", "mpi", "mpi"}[i%3] {
					t.Errorf("point %d: %+v", i, p)
				}
				if i%3 > 0 && (p.Library == nil || p.Library.Name != family.name || p.Algorithm != []string{"", "library", "ring"}[i%3]) {
					t.Errorf("point %d: %+v, want it by %s", i, p, family.name)
				}
			}
			c = sweep(t, environ, dir, "--collective", "all-reduce", "--op", "avg", "--sweep", "1KiB:64KiB:x64")
			if len(c.Points) != 6 || c.Points[1].Reason != "refused" || c.Points[4].Reason != "failed-before" || c.Points[5].Outcome != "done" {
				t.Errorf("avg: %+v", c.Points)
			}
		})
	}
}
