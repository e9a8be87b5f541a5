package local

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"lockstep/cluster/conduct"
	"lockstep/cluster/worker"
	"lockstep/engine/link"
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
	cfg     Config
	current conduct.Current
	offers  offers
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
	return &Fleet{cfg: cfg}, nil
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
// report into log. The spec is resolved, names no nodes, and the schedule is
// its own. It returns when everything is freed. A run whose ctx ends is
// cancelled: the report then holds what had finished and no failure.
func (f *Fleet) Execute(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report {
	// See Host.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	run, host, err := f.prepare(ctx, id, spec, sched, log)
	if err != nil {
		return trace.Report{Failure: &trace.Failure{Kind: trace.StartFailed, Step: -1, Message: fmt.Sprintf("run %s: %v", id, err)}}
	}
	defer host.Close()
	return f.current.Execute(ctx, id, run)
}

// room is a host that is let go of in the end.
type room interface {
	conduct.Host
	io.Closer
}

// prepare does everything that can refuse a run.
func (f *Fleet) prepare(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) (*conduct.Conductor, room, error) {
	if len(spec.Nodes) > 0 {
		return nil, nil, fmt.Errorf("its ranks belong on %s, and only this machine is here", strings.Join(spec.Nodes, ", "))
	}
	plan, err := conduct.NewPlan(conduct.Task{
		// The name on the links: an id may come again after a restart.
		Run: id + "/" + rand.Text(), Key: link.NewKey(), Spec: spec, Schedule: sched,
	})
	if err != nil {
		return nil, nil, err
	}
	var host room
	if spec.Backend == trace.MPI {
		host, err = f.openMPI(ctx, plan)
	} else {
		host, err = f.Open(plan, Share{})
	}
	if err != nil {
		return nil, nil, err
	}
	run, err := conduct.New(conduct.Config{
		ID: id, Plan: plan, Hosts: slices.Repeat([]conduct.Host{host}, spec.Ranks), Log: log, Patience: f.cfg.Patience, Program: f.cfg.Executable,
	})
	if err != nil {
		host.Close()
		return nil, nil, err
	}
	return run, host, nil
}

// Signal does something to the process of one rank of a run under way. It
// touches no process but the run's own. The error is a *trace.FieldError for a
// rank or a signal that there is not, trace.ErrNotRunning, or the operating
// system's.
func (f *Fleet) Signal(ctx context.Context, id string, rank int, s trace.Signal) error {
	return f.current.Signal(ctx, id, rank, s)
}
