package conduct

import (
	"errors"
	"fmt"
	"time"

	"lockstep/cluster/worker"
	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Task is what the ranks of a run are to do.
type Task struct {
	Run      string   // the name on the links; no two runs have the same
	Key      link.Key // proves who belongs to the run
	Spec     trace.Spec
	Schedule *schedule.Schedule
}

// Plan is a task worked out. The same task makes the same plan on every host.
// Nobody changes it.
type Plan struct {
	Task
	Programs []*schedule.Program // by rank
	Slices   int                 // per chunk
	Window   int                 // of the rows to digest, in elements

	reference *schedule.Schedule // what the result is held against
	stops     []int
	dwell     time.Duration
	lengths   [][]int // elements of each move, by rank
}

// NewPlan works a task out. The spec is resolved and the schedule is proved
// right and its own.
func NewPlan(task Task) (*Plan, error) {
	spec, sched := task.Spec, task.Schedule
	if sched.Ranks != spec.Ranks || sched.Collective != spec.Collective {
		return nil, fmt.Errorf("the schedule is of %s with %d ranks, the run of %s with %d", sched.Collective, sched.Ranks, spec.Collective, spec.Ranks)
	}
	p := &Plan{Task: task, Slices: spec.SlicesFor(sched), Window: rank.Window(sched, spec.DType.Width())}
	var err error
	if p.reference, err = sched.Reference(); err != nil {
		return nil, err
	}
	if err := p.compile(); err != nil {
		return nil, err
	}
	if spec.Pace.Step {
		p.stops = rank.Stops(sched)
		p.dwell = dwell(len(p.stops))
	}
	p.measure()
	return p, nil
}

// compile cuts the schedule into programs that the workers will take.
func (p *Plan) compile() error {
	if err := p.Schedule.Runnable(); err != nil {
		return err
	}
	p.Programs = schedule.Programs(p.Schedule)
	if len(p.Programs) != p.Spec.Ranks {
		return errors.New("the schedule has no program for some rank")
	}
	for _, program := range p.Programs {
		if err := rank.CheckProgram(program, p.Slices); err != nil {
			return err
		}
	}
	return nil
}

// measure notes how many elements each move takes.
func (p *Plan) measure() {
	p.lengths = make([][]int, len(p.Programs))
	for i, program := range p.Programs {
		p.lengths[i] = make([]int, len(program.Moves))
		for j := range program.Moves {
			first := program.Moves[j].SrcChunk
			if program.Moves[j].Kind == schedule.Recv {
				first = program.Moves[j].DstChunk
			}
			elements := p.Spec.Elements()
			p.lengths[i][j] = p.Schedule.ChunkStart(elements, first+program.Moves[j].Count) - p.Schedule.ChunkStart(elements, first)
		}
	}
}

// dwell returns how long each round of a run in steps lasts at least: about
// ten seconds in all, but long enough to be seen and not so long as to bore.
func dwell(rounds int) time.Duration {
	return min(max(10*time.Second/time.Duration(max(rounds, 1)), 100*time.Millisecond), time.Second)
}

// Job is what the worker of a rank is asked to do at its place.
func (p *Plan) Job(rank int, place worker.Place) worker.Job {
	return worker.Job{
		Run: p.Run, Key: p.Key, Spec: p.Spec, Program: p.Programs[rank],
		Slices: p.Slices, Window: p.Window, Stops: p.stops, Dwell: p.dwell, Place: place,
	}
}

// Bytes returns what the buffers of a rank take.
func (p *Plan) Bytes(i int) unit.Bytes {
	return unit.Bytes(rank.Bytes(p.Programs[i], p.Spec.Elements(), p.Spec.DType.Width()))
}

// Edges returns what passes between the ranks.
func (p *Plan) Edges() []rank.Edge {
	return rank.Edges(p.Programs, p.Spec.Elements(), p.Spec.DType.Width(), p.Slices)
}

// rows returns how many rows of its result a rank digests.
func (p *Plan) rows(i int) int {
	return rank.NewRows(p.Programs[i].Frame(), i, p.Spec.Elements(), p.Spec.DType.Width(), p.Window).Count()
}

func (p *Plan) iterations() int { return p.Spec.Warmups() + p.Spec.Iterations }
