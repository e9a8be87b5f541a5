//go:build linux

package local_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/cluster/local"
	"lockstep/engine/trace"
)

// attempt is a run under way, to be tampered with.
type attempt struct {
	spec   trace.Spec
	log    *trace.Log
	cancel context.CancelFunc
	report chan trace.Report
	before int           // descriptors
	leaks  goleak.Option // goroutines that were there before
}

// begin starts a run.
func begin(t *testing.T, f *local.Fleet, spec trace.Spec) *attempt {
	t.Helper()
	spec, sched := ask(t, spec)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	a := &attempt{spec: spec, log: trace.NewLog(), cancel: cancel, report: make(chan trace.Report, 1), before: descriptors(t), leaks: goleak.IgnoreCurrent()}
	if left := children(t, os.Getpid()); len(left) > 0 {
		t.Fatalf("children %v from before", left)
	}
	go func() { a.report <- f.Execute(ctx, "r1", spec, sched, a.log) }()
	return a
}

// iteration waits until every rank has begun an iteration.
func (a *attempt) iteration(t *testing.T, i int) {
	t.Helper()
	poll(t, "an iteration", func() bool { return a.log.Iteration(a.spec.Ranks) >= i })
}

// kill sends a signal to the process of a rank. Processes are started in the
// order of ranks, so that their numbers ascend.
func (a *attempt) kill(t *testing.T, rank int, s syscall.Signal) {
	t.Helper()
	processes := children(t, os.Getpid())
	if len(processes) != a.spec.Ranks {
		t.Fatalf("processes %v of %d ranks", processes, a.spec.Ranks)
	}
	if err := syscall.Kill(processes[rank], s); err != nil {
		t.Fatal(err)
	}
}

// end waits for the report and requires that nothing is left.
func (a *attempt) end(t *testing.T, within time.Duration) trace.Report {
	t.Helper()
	var report trace.Report
	select {
	case report = <-a.report:
	case <-time.After(within * allowance):
		t.Fatalf("no report within %v", within*allowance)
	}
	if left := children(t, os.Getpid()); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
	if now := descriptors(t); now > a.before {
		t.Errorf("%d descriptors, %d before", now, a.before)
	}
	if err := goleak.Find(a.leaks); err != nil {
		t.Error(err)
	}
	return report
}

// poll waits for what another process does.
func poll(t *testing.T, what string, done func() bool) {
	t.Helper()
	for begun := time.Now(); !done(); {
		if time.Since(begun) > 30*time.Second {
			t.Fatal("waited in vain for " + what)
		}
		time.Sleep(2 * time.Millisecond) // of other processes there is no word but by looking
	}
}

// children returns the processes that a process has, zombies included.
func children(t testing.TB, parent int) []int {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var list []int
	for _, path := range paths {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if _, of := stat(pid); of == parent {
			list = append(list, pid)
		}
	}
	slices.Sort(list)
	return list
}

// stat returns a process's state and parent, "" if there is none.
func stat(pid int) (state string, parent int) {
	content, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", 0
	}
	// The name, in brackets, may hold anything.
	fields := strings.Fields(string(content[strings.LastIndexByte(string(content), ')')+1:]))
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}

func descriptors(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
