//go:build linux

package span_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/span"
	"lockstep/engine/link"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

var ab = []string{"a", "b"}

// endless is a run that goes on until something happens to it; of its ranks
// 0 to 3, 2 and 3 are on b.
var endless = trace.Spec{Ranks: 4, Size: mib, Nodes: ab, Iterations: 10_000}

// children returns how many processes this one has, zombies included.
func children(t testing.TB) int {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			continue // it has just ended
		}
		// The name, in brackets, may hold anything.
		fields := strings.Fields(string(content[strings.LastIndexByte(string(content), ')')+1:]))
		if fields[1] == strconv.Itoa(os.Getpid()) {
			count++
		}
	}
	return count
}

func descriptors(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// freed requires that nothing runs any more, soon, and that the nodes take the
// next run.
func (a *attempt) freed(t *testing.T, within time.Duration) {
	t.Helper()
	begun := time.Now()
	for children(t) > 0 {
		if time.Since(begun) > allowance*within {
			t.Fatalf("%d processes after %v", children(t), time.Since(begun))
		}
		time.Sleep(2 * time.Millisecond) // of other processes there is no word but by looking
	}
	t.Logf("freed after %v", time.Since(begun).Round(time.Millisecond))
	a.complete(trace.Spec{Ranks: 2, Size: 4096, Nodes: ab, Iterations: 1})
	for now := descriptors(t); now > a.before; now = descriptors(t) {
		if time.Since(begun) > allowance*(within+time.Second) {
			t.Fatalf("%d descriptors, %d before", now, a.before)
		}
		time.Sleep(2 * time.Millisecond) // agents close theirs beside us
	}
}

// blamed requires a failure of a kind, by a rank or, where that is -1, a node.
func blamed(t *testing.T, f *trace.Failure, kind trace.FailureKind, rank int, node string) {
	t.Helper()
	if f == nil || f.Kind != kind || f.Culprit.Node != node || (f.Culprit.Rank == nil) != (rank < 0) || rank >= 0 && *f.Culprit.Rank != rank {
		t.Fatalf("failure %+v; want %s of rank %d on %s", f, kind, rank, node)
	}
	t.Logf("%s, after %.3f s", f.Message, f.DetectedAfter)
}

func TestAKilledRankOnANodeIsNamed(t *testing.T) {
	a := newCluster(t, ab...).begin(endless)
	a.iteration(25)
	begun := time.Now()
	if err := a.fleet.Signal(t.Context(), "r1", 3, trace.Kill); err != nil {
		t.Fatal(err)
	}
	f := a.end(2 * time.Second).Failure
	blamed(t, f, trace.ProcessDied, 3, "b")
	if took := time.Since(begun); took > allowance*250*time.Millisecond {
		t.Errorf("took %v", took)
	}
	if !strings.HasPrefix(f.Message, "rank 3's process on b died (signal: killed) in round ") || f.Step < 0 {
		t.Errorf("%+v", f)
	}
	a.freed(t, time.Second)
}

func TestAFrozenRankOnANodeIsNamed(t *testing.T) {
	a := newCluster(t, ab...).begin(endless)
	a.iteration(25)
	if err := a.fleet.Signal(t.Context(), "r1", 2, trace.Freeze); err != nil {
		t.Fatal(err)
	}
	f := a.end(4 * time.Second).Failure
	blamed(t, f, trace.ProcessFrozen, 2, "b")
	if f.DetectedAfter < 2 || f.DetectedAfter > 2*allowance {
		t.Errorf("%+v", f)
	}
	a.freed(t, time.Second)
}

func TestAPauseOnANodeIsNoFailure(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds by design")
	}
	a := newCluster(t, ab...).begin(trace.Spec{Ranks: 4, Size: 8 * unit.MB, Pace: trace.Pace{Rate: 4e6}, Slices: 8, Nodes: ab})
	a.iteration(0)
	if err := a.fleet.Signal(t.Context(), "r1", 3, trace.Freeze); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	if err := a.fleet.Signal(t.Context(), "r1", 3, trace.Resume); err != nil {
		t.Fatal(err)
	}
	if report := a.end(20 * time.Second); report.Failure != nil || !report.Verified {
		t.Fatalf("%+v", report.Failure)
	}
}

func TestASlowRankOnANodeIsNamedAndNotFailed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds by design")
	}
	a := newCluster(t, ab...).begin(trace.Spec{Ranks: 4, Size: 4 * unit.MB, Pace: trace.Pace{Rate: 4e6}, Nodes: ab})
	a.iteration(0)
	if err := a.fleet.Signal(t.Context(), "r1", 3, trace.Slow); err != nil {
		t.Fatal(err)
	}
	for since := a.log.Since(0); len(a.log.Warnings()) == 0; since = a.log.Since(since.Seq) {
		select {
		case <-since.Changed:
		case report := <-a.report:
			t.Fatalf("over without a warning: %+v", report.Failure)
		case <-time.After(30 * time.Second):
			t.Fatal("waited in vain for a warning")
		}
	}
	if w := a.log.Warnings()[0]; w.Code != "slow-rank" || !strings.HasPrefix(w.Message, "rank 3 on b is slow") {
		t.Errorf("%+v", w)
	}
	if err := a.fleet.Signal(t.Context(), "r1", 3, trace.Resume); err != nil {
		t.Fatal(err)
	}
	if report := a.end(40 * time.Second); report.Failure != nil || !report.Verified {
		t.Fatalf("%+v", report.Failure)
	}
}

func TestAStandstillBetweenNodesNamesThem(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds by design")
	}
	c := newCluster(t, "a")
	c.add("b", "sticks", span.AgentConfig{})
	a := c.begin(trace.Spec{Ranks: 2, Size: 40_000, Nodes: ab})
	f := a.end(8 * time.Second).Failure
	if f == nil || f.Kind != trace.LinkStalled || f.Culprit.Link == "" || !strings.Contains(f.Message, "between nodes") {
		t.Fatalf("%+v", f)
	}
	t.Log(f.Message)
}

func TestRanksThatCannotReachEachOtherAreNamed(t *testing.T) {
	c := newCluster(t, "a")
	// Nobody listens where b says that it does.
	c.add("b", "worker", span.AgentConfig{Advertise: "127.0.0.99"})
	a := c.begin(trace.Spec{Ranks: 2, Size: 4096, Nodes: ab})
	f := a.end(12 * time.Second).Failure
	if f == nil || f.Kind != trace.Unreachable || f.Culprit.Link != "0->1" || !strings.Contains(f.Message, "no connection between rank 0 on a and rank 1 on b: ") {
		t.Fatalf("%+v", f)
	}
	t.Log(f.Message)
}

func TestPortsOfANodeAreKept(t *testing.T) {
	c := newCluster(t, "a")
	c.add("b", "worker", span.AgentConfig{Ports: link.Ports{First: 1, Last: 1}}) // of root alone, or nobody's
	a := c.begin(trace.Spec{Ranks: 2, Size: 4096, Nodes: ab, Iterations: 1})
	report := a.end(12 * time.Second)
	if os.Getuid() == 0 {
		if report.Failure != nil {
			t.Logf("%+v", report.Failure)
		}
		return
	}
	if f := report.Failure; f == nil || f.Kind != trace.StartFailed {
		t.Fatalf("%+v", f)
	}
}
