package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lockstep/engine/trace"
)

// folder is a data folder with the consoles that a test runs on it.
type folder struct {
	t   *testing.T
	dir string
}

func newFolder(t *testing.T) folder { return folder{t, t.TempDir()} }

// begin starts the console on the folder; it is killed at the end of the test.
func (f folder) begin(args ...string) *served {
	f.t.Helper()
	environ := append(os.Environ(), "LOCKSTEP_DATA="+filepath.Join(f.dir, "data"))
	console, err := start(f.dir, environ, args...)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(console.kill)
	return console
}

// run starts a ring of four ranks, with more flags.
func (f folder) run(flags ...string) *served {
	f.t.Helper()
	return f.begin(append([]string{"run", "--collective", "all-reduce", "--algorithm", "ring", "--ranks", "4", "--size", "1MiB", "--json"}, flags...)...)
}

// end waits for a console and returns its exit status and what it printed.
func (f folder) end(console *served) (int, []byte) {
	f.t.Helper()
	status, err := console.wait()
	if err != nil {
		f.t.Fatalf("%v\n%s", err, console.said())
	}
	var out []byte
	for line := range console.lines {
		out = append(append(out, line...), '\n')
	}
	return status, out
}

// document ends a console that prints a run.
func (f folder) document(console *served) (int, trace.Run) {
	f.t.Helper()
	status, out := f.end(console)
	var run trace.Run
	if err := json.Unmarshal(out, &run); err != nil {
		f.t.Fatalf("read run: %v in %q\n%s", err, out, console.said())
	}
	return status, run
}

// saved returns a run as the folder has it.
func (f folder) saved(id string) trace.Run {
	f.t.Helper()
	_, run := f.document(f.begin("run", "show", id, "--json"))
	return run
}

// eventually waits for what real processes do in their own time.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// says waits for a line on the console's standard error.
func says(t *testing.T, console *served, line string) {
	t.Helper()
	eventually(t, fmt.Sprintf("%q", line), func() bool { return strings.Contains(console.said(), line+"\n") })
}

// stepwise keeps a run busy for seconds, if nobody ends it.
var stepwise = []string{"--pace", "step", "--iterations", "20"}

func TestRunCarriesOutTheScheduleThatIsShown(t *testing.T) {
	f := newFolder(t)
	status, run := f.document(f.run("--chunks", "2"))
	if status != 0 || run.Outcome != trace.Done || !run.Verified {
		t.Fatalf("status %d, run %+v", status, run)
	}
	_, out := f.end(f.begin("schedule", "--collective", "all-reduce", "--algorithm", "ring", "--ranks", "4", "--chunks", "2", "--format", "json"))
	var shown struct{ Hash string }
	if err := json.Unmarshal(out, &shown); err != nil {
		t.Fatal(err)
	}
	if shown.Hash == "" || run.ScheduleHash != shown.Hash {
		t.Errorf("run has schedule %q, shown is %q", run.ScheduleHash, shown.Hash)
	}
	if run.BusBW == 0 || run.BusBW != run.AlgBW*1.5 || run.Times.Min > run.Times.Median || run.Times.Median > run.Times.P95 {
		t.Errorf("figures that do not fit: %+v, %+v", run, run.Times)
	}
}

func TestProcessesQueueForTheFolder(t *testing.T) {
	f := newFolder(t)
	first := f.run(stepwise...)
	says(t, first, "run 0001 running")
	second := f.run()
	says(t, second, "run 0002 queued behind 1")
	if run := f.saved("2"); run.Outcome != trace.Queued {
		t.Errorf("second run is %s while the first runs", run.Outcome)
	}
	if err := first.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status, run := f.document(first); status != 1 || run.Outcome != trace.Cancelled || run.Failure != nil {
		t.Errorf("first run, told to stop: status %d, %+v", status, run)
	}
	if status, run := f.document(second); status != 0 || run.Outcome != trace.Done || run.ID != "0002" {
		t.Errorf("second run: status %d, %+v", status, run)
	}
}

func TestInterruptedRunKeepsItsTrace(t *testing.T) {
	f := newFolder(t)
	console := f.run(stepwise...)
	eventually(t, "the first iteration", func() bool { return strings.Contains(console.said(), "iteration 1 of 20") })
	ranks := children(t, console.process.Process.Pid)
	if err := console.process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	status, run := f.document(console)
	if status != 1 || run.Outcome != trace.Cancelled || run.Events == 0 || run.Times != nil {
		t.Errorf("status %d, run %+v", status, run)
	}
	for _, pid := range ranks {
		if alive(pid) {
			t.Errorf("rank process %d is left", pid)
		}
	}
	if kept := f.saved("1"); kept.Outcome != trace.Cancelled || kept.Events != run.Events {
		t.Errorf("kept: %+v", kept)
	}
}

func TestKilledConsoleLeavesNothing(t *testing.T) {
	f := newFolder(t)
	console := f.run(stepwise...)
	says(t, console, "run 0001 running")
	var ranks []int
	eventually(t, "four rank processes", func() bool {
		ranks = children(t, console.process.Process.Pid)
		return len(ranks) == 4
	})
	waiting := f.run()
	says(t, waiting, "run 0002 queued behind 1")
	console.kill()
	// The next run does not wait for anybody to tidy up.
	if status, run := f.document(waiting); status != 0 || run.Outcome != trace.Done {
		t.Errorf("the next run: status %d, %+v, %+v", status, run, run.Failure)
	}
	run := f.saved("1")
	if run.Outcome != trace.Failed || run.Failure == nil || run.Failure.Kind != trace.ConsoleStopped || !strings.HasPrefix(run.Failure.Message, "console stopped") {
		t.Errorf("run of the killed console: %s, %+v", run.Outcome, run.Failure)
	}
	eventually(t, "the rank processes to end", func() bool { return !slices.ContainsFunc(ranks, alive) })
	locks, err := filepath.Glob(filepath.Join(f.dir, "data", "owners", "*"))
	if err != nil || len(locks) > 1 { // the killed one's, until the next console comes
		t.Errorf("locks left: %v, %v", locks, err)
	}
	f.document(f.run("--iterations", "1"))
	if locks, _ := filepath.Glob(filepath.Join(f.dir, "data", "owners", "*")); len(locks) != 0 {
		t.Errorf("locks left after the next console: %v", locks)
	}
}

func TestKilledRankIsNamed(t *testing.T) {
	f := newFolder(t)
	console := f.run(stepwise...)
	eventually(t, "the first iteration", func() bool { return strings.Contains(console.said(), "iteration 1 of 20") })
	ranks := children(t, console.process.Process.Pid)
	if len(ranks) != 4 {
		t.Fatalf("%d rank processes", len(ranks))
	}
	victim, err := os.FindProcess(ranks[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Kill(); err != nil {
		t.Fatal(err)
	}
	status, run := f.document(console)
	if status != 1 || run.Outcome != trace.Failed || run.Failure == nil || run.Failure.Kind != trace.ProcessDied || run.Failure.Culprit.Rank == nil || run.Verified {
		t.Errorf("status %d, run %+v, failure %+v", status, run, run.Failure)
	}
	if status, run := f.document(f.run("--iterations", "1")); status != 0 || run.Outcome != trace.Done {
		t.Errorf("the next run: status %d, %+v", status, run)
	}
}

// children returns the processes that a process has started.
func children(t *testing.T, pid int) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("looks for processes in /proc")
	}
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread may have ended
		for _, field := range strings.Fields(string(text)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, child)
		}
	}
	return pids
}

// alive reports whether a process still does anything; one that only nobody
// has waited for does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return len(rest) > 0 && rest[0] != 'Z' && rest[0] != 'X'
}
