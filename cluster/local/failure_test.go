//go:build linux

package local_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"lockstep/engine/trace"
)

// allowance is how much slower than promised a loaded machine may be.
const allowance = 3

func TestKilledRankIsNamed(t *testing.T) {
	for victim, c := range []struct { // another rank each time
		name string
		spec trace.Spec
		at   int // iteration
	}{
		{"warm-up", trace.Spec{Ranks: 4, Size: 8 * mib, Iterations: 10_000}, 0},
		{"counted", trace.Spec{Ranks: 3, Size: 64 << 10, Iterations: 10_000}, 30},
		{"central", trace.Spec{Algorithm: "central", Ranks: 4, Size: mib, Iterations: 10_000}, 25},
		{"paced", trace.Spec{Ranks: 6, Size: 64 * mib, Pace: trace.Pace{Rate: 10e6}}, 0},
		{"steps", trace.Spec{Ranks: 5, Size: mib, Pace: trace.Pace{Step: true}}, 0},
	} {
		overBoth(t, c.name, c.spec, func(t *testing.T, spec trace.Spec) {
			f := fleet(t, "worker")
			a := begin(t, f, spec)
			a.iteration(t, c.at)
			killed := time.Now()
			a.kill(t, victim, syscall.SIGKILL)
			report := a.end(t, 2*time.Second)
			took := time.Since(killed)
			fail := report.Failure
			if fail == nil || fail.Kind != trace.ProcessDied || fail.Culprit.Rank == nil || *fail.Culprit.Rank != victim {
				t.Fatalf("failure %+v, want rank %d's death", fail, victim)
			}
			if took > allowance*250*time.Millisecond {
				t.Errorf("took %v", took)
			}
			if fail.Step < 0 || fail.Round < 1 || fail.DetectedAfter < 0 || fail.DetectedAfter > allowance*0.25 {
				t.Errorf("step %d, round %d, detected after %v s", fail.Step, fail.Round, fail.DetectedAfter)
			}
			if want := fmt.Sprintf("rank %d's process died (signal: killed) in round %d", victim, fail.Round); fail.Message != want {
				t.Errorf("message %q, want %q", fail.Message, want)
			}
			complete(t, trace.Spec{Ranks: 2, Size: 4096, Iterations: 1}) // the next run works
		})
	}
}

func TestRankKilledInTheSetUpIsNamed(t *testing.T) {
	a := begin(t, fleet(t, "worker"), trace.Spec{Ranks: 3, Size: 256 * mib})
	poll(t, "all processes", func() bool { return len(children(t, os.Getpid())) == 3 })
	a.kill(t, 1, syscall.SIGKILL)
	fail := a.end(t, 2*time.Second).Failure
	if fail == nil || fail.Kind != trace.ProcessDied && fail.Kind != trace.StartFailed || fail.Culprit.Rank == nil || *fail.Culprit.Rank != 1 || fail.Step != -1 {
		t.Fatalf("%+v", fail)
	}
}

func TestFrozenRankIsNamed(t *testing.T) {
	overBoth(t, "full", trace.Spec{Ranks: 4, Size: mib, Iterations: 10_000}, func(t *testing.T, spec trace.Spec) {
		a := begin(t, fleet(t, "worker"), spec)
		a.iteration(t, 25)
		const victim = 1
		a.kill(t, victim, syscall.SIGSTOP)
		report := a.end(t, 4*time.Second)
		fail := report.Failure
		if fail == nil || fail.Kind != trace.ProcessFrozen || fail.Culprit.Rank == nil || *fail.Culprit.Rank != victim {
			t.Fatalf("failure %+v, want rank %d frozen", fail, victim)
		}
		if fail.DetectedAfter < 2 || fail.DetectedAfter > 2*allowance || fail.Step < 0 {
			t.Errorf("%+v", fail)
		}
	})
}

// overBoth runs a test over memory and over sockets.
func overBoth(t *testing.T, name string, spec trace.Spec, f func(t *testing.T, spec trace.Spec)) {
	for _, l := range []trace.Link{trace.Shm, trace.TCP} {
		spec.Link = l
		t.Run(fmt.Sprintf("%s/%s", name, l), func(t *testing.T) { f(t, spec) })
	}
}

func TestPauseOfASecondIsNoFailure(t *testing.T) {
	a := begin(t, fleet(t, "worker"), trace.Spec{Ranks: 3, Size: 12 * mib, Pace: trace.Pace{Rate: 6e6}})
	a.iteration(t, 0)
	a.kill(t, 1, syscall.SIGSTOP)
	timer := time.NewTimer(time.Second)
	<-timer.C
	a.kill(t, 1, syscall.SIGCONT)
	if report := a.end(t, 20*time.Second); report.Failure != nil || !report.Verified {
		t.Fatalf("%+v", report)
	}
}

func TestCancelledRunIsNoFailure(t *testing.T) {
	for i, spec := range []trace.Spec{
		{Ranks: 4, Size: mib, Iterations: 10_000},
		{Ranks: 4, Size: 64 * mib, Pace: trace.Pace{Rate: 1e6}},
		{Ranks: 4, Size: 64 * mib, Pace: trace.Pace{Rate: 1e6}, Slices: 1},
		{Ranks: 3, Size: 64 * mib, Pace: trace.Pace{Step: true}},
	} {
		overBoth(t, strconv.Itoa(i), spec, func(t *testing.T, spec trace.Spec) {
			a := begin(t, fleet(t, "worker"), spec)
			if spec.Slices == 0 {
				a.iteration(t, 0)
			}
			a.cancel()
			if report := a.end(t, time.Second); report.Failure != nil || report.Verified {
				t.Fatalf("%+v", report)
			}
		})
	}
}

func TestWorkersEndWithTheConsole(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	console := exec.Command(self)
	console.Env = append(os.Environ(), role+"=console")
	out, err := console.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := console.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal("the console's run did not begin:", err)
	}
	workers := children(t, console.Process.Pid)
	if len(workers) != 4 {
		t.Fatalf("workers %v, want 4", workers)
	}
	// A stopped rank cannot notice that its input closes.
	if err := syscall.Kill(workers[1], syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := console.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = console.Wait()
	begun := time.Now()
	poll(t, "the workers' end", func() bool {
		for _, pid := range workers {
			// A zombie of somebody else's is gone too.
			if state, _ := stat(pid); state != "" && state != "Z" {
				return false
			}
		}
		return true
	})
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
