package local

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"lockstep/cluster/worker"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// Config is how a fleet starts its rank processes. The zero value starts
// "worker" of this very program.
type Config struct {
	Executable string        // "" for os.Executable
	Args       []string      // nil for "worker"
	Env        []string      // beyond the allow-list of what is passed on
	Patience   time.Duration // for a process to say hello; 0 for 10 s
}

// Fleet runs ranks as processes of this machine. It is safe for concurrent
// use.
type Fleet struct {
	cfg Config

	mu   sync.Mutex // owns runs
	runs map[string]*run
}

// New returns a fleet.
func New(cfg Config) (*Fleet, error) {
	if cfg.Executable == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find the program to run ranks with: %w", err)
		}
		cfg.Executable = self
	}
	if cfg.Args == nil {
		cfg.Args = []string{"worker"}
	}
	cfg.Patience = cmp.Or(cfg.Patience, 10*time.Second)
	cfg.Env = slices.Concat(environment(os.Environ()), cfg.Env)
	return &Fleet{cfg: cfg, runs: map[string]*run{}}, nil
}

// environment returns what rank processes see of ours.
func environment(all []string) []string {
	allowed := []string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "GODEBUG", worker.EventsEnv, "SYSTEMROOT", "TEMP", "TMP"}
	env := []string{"GOMAXPROCS=2"} // the lanes' thread and one for control
	for _, entry := range all {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(allowed, strings.ToUpper(name)) {
			env = append(env, entry)
		}
	}
	return env
}

// Execute runs sched as spec asks, on real processes, and enters what they
// report into log. The spec is resolved and the schedule is its own. It
// returns when everything is freed. A run whose ctx ends is cancelled: the
// report then holds what had finished and no failure.
func (f *Fleet) Execute(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report {
	// The kernel ends a rank when the thread that started it ends: this one
	// must not end before the run does.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r, err := newRun(f.cfg, id, spec, sched, log)
	if err != nil {
		return trace.Report{Failure: &trace.Failure{Kind: trace.StartFailed, Step: -1, Message: err.Error()}}
	}
	f.mu.Lock()
	f.runs[id] = r
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.runs[id] == r {
			delete(f.runs, id)
		}
	}()
	return r.execute(ctx)
}

// dwell returns how long each round of a run in steps lasts at least: about
// ten seconds in all, but long enough to be seen and not so long as to bore.
func dwell(rounds int) time.Duration {
	return min(max(10*time.Second/time.Duration(max(rounds, 1)), 100*time.Millisecond), time.Second)
}

// compile cuts the schedule into programs that the workers will take.
func compile(spec trace.Spec, sched *schedule.Schedule) ([]*schedule.Program, error) {
	if err := sched.Runnable(); err != nil {
		return nil, err
	}
	programs := schedule.Programs(sched)
	for _, p := range programs {
		if err := rank.CheckProgram(p, spec.SlicesFor(sched)); err != nil {
			return nil, err
		}
	}
	return programs, nil
}
