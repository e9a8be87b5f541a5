package span

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"lockstep/cluster/conduct"
	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
	"lockstep/engine/link"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// Kind is the kind of stream that carries a share of a run.
const Kind = "run"

// Home carries out the runs that name no nodes.
type Home interface {
	Execute(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report
	Signal(ctx context.Context, id string, rank int, s trace.Signal) error
}

// Nodes are those that a console knows.
type Nodes interface {
	// List returns all of them as they stand.
	List() []inventory.Member
	// Dial opens a stream of a kind to the agent of a node; its error names
	// the node.
	Dial(ctx context.Context, node, kind string) (net.Conn, error)
}

// Fleet carries out runs on the nodes that they name, and the others at home.
// It is safe for concurrent use.
type Fleet struct {
	home    Home
	nodes   Nodes
	current conduct.Current
}

// NewFleet returns a fleet.
func NewFleet(home Home, nodes Nodes) (*Fleet, error) {
	if home == nil || nodes == nil {
		return nil, errors.New("make fleet: nobody at home, or no nodes")
	}
	return &Fleet{home: home, nodes: nodes}, nil
}

// dialling is how long a node may take to answer at all.
const dialling = 5 * time.Second

// Execute runs sched as spec asks, on the nodes that it names, and enters what
// the ranks report into log. The spec is resolved and the schedule is its own.
// It returns when everything is freed, or when the node that held it is lost.
func (f *Fleet) Execute(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report {
	if len(spec.Nodes) == 0 {
		return f.home.Execute(ctx, id, spec, sched, log)
	}
	refused := func(node string, err error) trace.Report {
		if ctx.Err() != nil { // given up meanwhile
			return trace.Report{}
		}
		f := trace.Failure{Kind: trace.StartFailed, Culprit: trace.Culprit{Node: node}, Step: -1, Message: fmt.Sprintf("run %s: %v", id, err)}
		f.Because(err)
		if lost := new(conduct.LostError); errors.As(err, &lost) {
			f = conduct.Lost(node, lost.Why)
		}
		return trace.Report{Failure: &f}
	}
	task := conduct.Task{Run: id + "/" + rand.Text(), Key: link.NewKey(), Spec: spec, Schedule: sched}
	plan, err := conduct.NewPlan(task)
	if err != nil {
		return refused("", err)
	}
	far, node, err := f.reachAll(ctx, id, task)
	defer func() {
		var closing sync.WaitGroup
		for _, one := range far {
			closing.Go(one.Close)
		}
		closing.Wait()
	}()
	if err != nil {
		return refused(node, err)
	}
	hosts := make([]conduct.Host, spec.Ranks)
	for i := range hosts {
		hosts[i] = far[spec.NodeOf(i)]
	}
	run, err := conduct.New(conduct.Config{ID: id, Plan: plan, Hosts: hosts, Log: log})
	if err != nil {
		return refused("", err)
	}
	return f.current.Execute(ctx, id, run)
}

// reachAll asks all nodes of a run for their shares. It returns those that have
// agreed; of the others, the first and why.
func (f *Fleet) reachAll(ctx context.Context, id string, task conduct.Task) ([]*far, string, error) {
	spec := task.Spec
	ask := share{Protocol: Protocol, ID: id, Run: task.Run, Key: task.Key, Spec: spec, Hash: task.Schedule.Hash()}
	if spec.Imported != nil {
		text, err := json.Marshal(spec.Imported)
		if err != nil {
			return nil, "", fmt.Errorf("write the schedule down: %w", err)
		}
		if len(text) > maxShare/2 {
			return nil, "", fmt.Errorf("the schedule takes %d bytes; accepted on nodes: %d", len(text), maxShare/2)
		}
		ask.Schedule = text
	}
	reached, errs := make([]*far, len(spec.Nodes)), make([]error, len(spec.Nodes))
	var reaching sync.WaitGroup
	for i, node := range spec.Nodes {
		reaching.Go(func() {
			own := ask
			own.Node = i
			reached[i], errs[i] = f.reach(ctx, node, own)
		})
	}
	reaching.Wait()
	var node string
	var refused error
	var far []*far
	for i, one := range reached {
		switch {
		case one != nil:
			far = append(far, one)
		case refused == nil:
			node, refused = spec.Nodes[i], errs[i]
		}
	}
	return far, node, refused
}

func (f *Fleet) reach(ctx context.Context, node string, ask share) (*far, error) {
	dial, cancel := context.WithTimeout(ctx, dialling)
	defer cancel()
	conn, err := f.nodes.Dial(dial, node, Kind)
	if err != nil {
		return nil, away(err)
	}
	far, err := reach(ctx, conn, node, ask)
	if err != nil {
		return nil, fmt.Errorf("node %s: %w", node, err)
	}
	return far, nil
}

// away is why a node could not be dialled: a *conduct.LostError, unless the node
// is there and declines, or people have seen to it that it takes no runs.
func away(err error) error {
	reason := new(inventory.Reason)
	if errors.As(err, new(*wire.RefusedError)) || errors.As(err, &reason) && reason.Code != inventory.NodeOffline {
		return err
	}
	return &conduct.LostError{Why: err}
}

// Signal does something to the process of one rank of a run under way, wherever
// it is. The error is a *trace.FieldError for a rank or a signal that there is
// not, trace.ErrNotRunning, or the operating system's.
func (f *Fleet) Signal(ctx context.Context, id string, rank int, s trace.Signal) error {
	err := f.current.Signal(ctx, id, rank, s)
	if errors.Is(err, trace.ErrNotRunning) {
		return f.home.Signal(ctx, id, rank, s)
	}
	return err
}
