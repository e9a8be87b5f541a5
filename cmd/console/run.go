package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

type runCommands struct {
	Start runCommand     `cmd:"" default:"withargs" help:"Run a collective (the default)."`
	List  runListCommand `cmd:"" help:"List the saved runs, the newest first."`
	Show  runShowCommand `cmd:"" help:"Print a saved run."`
}

// Help points from the group to the flags of its default.
func (runCommands) Help() string {
	return "console run --collective C --ranks N --size S runs a collective; console run start --help lists all its flags."
}

type runCommand struct {
	dataFlag
	remoteFlags
	placeFlags
	Collective string `placeholder:"C" help:"Collective, such as all-reduce."`
	Algorithm  string `default:"auto" placeholder:"A" help:"Algorithm, or auto for the one that the cost model holds fastest; with --backend mpi also library, for MPI's own call, which auto means there (default: auto)."`
	Ranks      int    `placeholder:"N" help:"Rank processes, 1 to 64."`
	Size       string `placeholder:"S" help:"Bytes of the full buffer, such as 64MiB or 1.2GB; a barrier has none."`
	DType      string `name:"dtype" default:"float32" placeholder:"T" help:"Element type: float32, float64, float16, bfloat16, int32, int64 or uint8 (default: float32)."`
	Op         string `default:"sum" placeholder:"OP" help:"How reductions combine: sum, prod, min, max or avg (default: sum)."`
	Root       int    `placeholder:"R" help:"Root of broadcast, reduce, scatter and gather (default: 0)."`
	PerNode    *int   `name:"ranks-per-node" placeholder:"G" help:"Ranks of a node, for hierarchical algorithms (default: two nodes)."`
	Chunks     *int   `placeholder:"K" help:"Pieces that a block or the vector is cut into."`
	Schedule   string `placeholder:"FILE" help:"Carry out this schedule (JSON or MSCCL XML) in place of a collective's and an algorithm's own."`
	Backend    string `placeholder:"host|mpi" help:"Who moves the bytes: our own executor, or an MPI library's sends (default: host, and with --sweep every one that this machine has)."`
	Link       string `default:"auto" placeholder:"auto|shm|tcp" help:"What connects two ranks: memory that they share, or sockets (default: auto)."`
	Pace       string `placeholder:"RATE|step" help:"Slow down for eyes: limit every port, such as 1GB/s, or hold a barrier after each round."`
	Iterations *int   `placeholder:"I" help:"Counted iterations (default: 20 up to 4 MiB, 10 above, 1 when paced)."`
	Slices     string `default:"auto" placeholder:"auto|K" help:"Slices that a chunk is cut into (default: auto)."`
	Sweep      string `placeholder:"A:B:xF" help:"In place of --size: compare the back ends over sizes from A to B, each F times the one before, such as 8:64MiB:x4, and keep the comparison."`
	JSON       bool   `name:"json" help:"The run, or the comparison, as one JSON document."`
}

// Run runs the collective to its end. Interrupted once, it cancels the run and
// reports what it had reached; interrupted twice, it dies, and its rank
// processes with it.
func (c runCommand) Run(ctx context.Context, term terminal) error {
	if err := c.checkPlace(); err != nil {
		return err
	}
	if c.Sweep != "" {
		return c.sweep(ctx, term)
	}
	spec, err := c.spec()
	if err != nil {
		return err
	}
	if c.Console != "" {
		return c.runRemote(ctx, term, spec)
	}
	dir, err := c.folder()
	if err != nil {
		return err
	}
	var run trace.Run
	stayAwake()
	err = withRunner(ctx, dir, trace.MaxRanks, func(ctx context.Context, r *runner) error {
		queued, err := r.engine.Submit(ctx, spec)
		if err != nil {
			return refusedRun(err)
		}
		run, err = follow(ctx, r.engine, queued.ID, newProgressLine(term.err))
		return err
	})
	// A run that could not be saved has still ended, and says so itself.
	if err != nil && !run.Outcome.Final() {
		return err
	}
	return c.print(term, run, err)
}

func (c runCommand) print(term terminal, run trace.Run, err error) error {
	var written error
	if c.JSON {
		written = json.NewEncoder(term.out).Encode(run)
	} else {
		written = writeRunAt(term.out, run, c.Console)
	}
	switch {
	case written != nil:
		return fmt.Errorf("print run %s: %w", run.ID, written)
	case err != nil:
		return err
	case run.Outcome != trace.Done:
		return failure{err: fmt.Errorf("run %s: %s", run.ID, run.Outcome), quiet: true}
	}
	return nil
}

// spec reads the flags, and refuses what no fleet could run.
func (c runCommand) spec() (trace.Spec, error) {
	spec := trace.Spec{
		Collective: schedule.Collective(c.Collective), Algorithm: c.Algorithm, Ranks: c.Ranks, Root: c.Root,
		DType: schedule.DType(c.DType), Op: schedule.ReduceOp(c.Op), Backend: trace.Backend(cmp.Or(c.Backend, string(trace.Host))), Link: trace.Link(c.Link),
	}
	var err error
	if c.Schedule != "" {
		if spec.Imported, err = readSchedule(c.Schedule); err != nil {
			return spec, err
		}
		if spec.Collective == "" {
			spec.Collective = spec.Imported.Collective
		}
	}
	if err := c.missing(spec); err != nil {
		return spec, err
	}
	if c.Size != "" {
		if spec.Size, err = unit.ParseBytes(c.Size); err != nil {
			return spec, usage("size", err)
		}
	}
	if spec.PerNode, err = perNodeFlag(c.PerNode); err != nil {
		return spec, err
	}
	if spec.Chunks, err = chunksFlag(c.Chunks); err != nil {
		return spec, err
	}
	if c.Iterations != nil {
		if spec.Iterations = *c.Iterations; spec.Iterations == 0 { // which Resolve would take for "not given"
			return spec, usage("iterations", fmt.Errorf("0 iterations; accepted: 1 to %d", trace.MaxIterations))
		}
	}
	if c.Slices != "auto" {
		if spec.Slices, err = strconv.Atoi(c.Slices); err != nil || spec.Slices < 1 {
			return spec, usage("slices", fmt.Errorf("%q slices; accepted: auto or 1 to %d", c.Slices, trace.MaxSlices))
		}
	}
	if spec.Pace, err = paceFlag(c.Pace); err != nil {
		return spec, err
	}
	if _, err := spec.Resolve(); err != nil {
		return spec, refusedRun(err)
	}
	return spec, nil
}

// missing names all flags that are not given and have no default. Without a
// collective nobody knows whether it takes a size.
func (c runCommand) missing(spec trace.Spec) error {
	var flags, said []string
	add := func(flag, accepted string) {
		text := "not given; accepted: " + accepted
		if len(flags) > 0 {
			text = "--" + flag + ": " + text
		}
		flags, said = append(flags, flag), append(said, text)
	}
	if spec.Collective == "" {
		add("collective", "a collective such as all-reduce, or --schedule FILE")
	}
	if c.Ranks == 0 && spec.Imported == nil {
		add("ranks", fmt.Sprintf("1 to %d", trace.MaxRanks))
	}
	if c.Size == "" && spec.Collective != schedule.Barrier {
		add("size", "bytes such as 64MiB or 1.2GB")
	}
	if len(flags) == 0 {
		return nil
	}
	return usage(flags[0], errors.New(strings.Join(said, "; ")))
}

func paceFlag(text string) (trace.Pace, error) {
	switch text {
	case "":
		return trace.Pace{}, nil
	case "step":
		return trace.Pace{Step: true}, nil
	}
	rate, err := unit.ParseRate(text)
	if err != nil {
		return trace.Pace{}, usage("pace", fmt.Errorf("%w; or step", err))
	}
	return trace.Pace{Rate: rate}, nil
}

// refusedRun turns a field that an engine refuses into an unusable argument.
func refusedRun(err error) error {
	var bad *trace.FieldError
	if errors.As(err, &bad) {
		return usage(bad.Field, bad)
	}
	return requestError(err)
}

// follow shows a run's progress until it has ended. When ctx ends it cancels
// the run, and leaves the next signal to end the process.
func follow(ctx context.Context, e *engine.Engine, id string, line *progressLine) (trace.Run, error) {
	// The run is waited for also when it has been cancelled.
	patient := context.WithoutCancel(ctx)
	live, ok := e.Watch(id)
	if !ok { // it was quick
		return e.Wait(patient, id)
	}
	defer line.clear()
	interrupted := ctx.Done()
	progress := newProgress(live)
	for {
		state := live.State()
		if state.Run.Outcome.Final() {
			return state.Run, nil
		}
		line.show(id, state.Run.Outcome, state.Ahead, progress.read)
		select {
		case <-state.Changed:
		case <-line.tick():
		case <-interrupted:
			interrupted = nil
			signal.Reset(os.Interrupt, syscall.SIGTERM)
			if err := e.Cancel(patient, id); err != nil && !live.State().Run.Outcome.Final() {
				return trace.Run{}, err
			}
		}
	}
}
