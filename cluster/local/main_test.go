package local_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"lockstep/cluster/local"
	"lockstep/cluster/worker"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// The test binary is its own rank process: started with a role in its
// environment it plays that, else it runs the tests.
const role = "LOCKSTEP_TEST_ROLE"

func TestMain(m *testing.M) {
	if as, ok := roles[os.Getenv(role)]; ok {
		if err := as(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// The runtime's poller opens two descriptors with the first file that it
	// watches; those are no run's.
	if r, w, err := os.Pipe(); err == nil {
		r.Close()
		w.Close()
	}
	goleak.VerifyTestMain(m)
}

var roles = map[string]func(context.Context) error{
	"console":  console,
	"worker":   func(ctx context.Context) error { return worker.ServeProcess(ctx, worker.Config{Build: "test"}) },
	"flips":    flips,
	"panics":   panics,
	"sticks":   sticks,
	"old":      old,
	"babbles":  babbles,
	"silent":   silent,
	"gives up": givesUp,
}

// fleet returns a fleet whose ranks play a role.
func fleet(t testing.TB, as string) *local.Fleet {
	t.Helper()
	f, err := local.New(local.Config{Env: play(as)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// play is the environment of a rank process that plays a role. The race
// detector, if it is on, would have every process sleep a second at its end.
func play(as string) []string { return []string{role + "=" + as, "GORACE=atexit_sleep_ms=0"} }

// ask returns a resolved run, an all-reduce by a ring where nothing else is
// asked for, and its schedule.
func ask(t testing.TB, s trace.Spec) (trace.Spec, *schedule.Schedule) {
	t.Helper()
	if s.Collective == "" {
		s.Collective = schedule.AllReduce
	}
	if s.Algorithm == "" {
		s.Algorithm = "ring"
	}
	s, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	sched, err := schedule.Build(s.Request())
	if err != nil {
		t.Fatal(err)
	}
	return s, sched
}

// slicesInAll returns the events of one complete iteration.
func slicesInAll(spec trace.Spec, sched *schedule.Schedule) int {
	total := 0
	for i := range sched.Steps {
		total += spec.SlicesFor(sched)
		if !sched.Steps[i].Local() {
			total += spec.SlicesFor(sched)
		}
	}
	return total
}

const mib = unit.MiB
