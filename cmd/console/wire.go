package main

import (
	"context"
	"errors"
	"fmt"

	"lockstep/cluster/inventory"
	"lockstep/cluster/local"
	"lockstep/cluster/span"
	"lockstep/engine"
	"lockstep/sizing"
	"lockstep/sizing/calibrate"
	"lockstep/store"
	"lockstep/web"
)

// runner is what carries runs out, put together: the store that keeps them
// and the engine that runs them on this machine.
type runner struct {
	store   *store.Store
	engine  *engine.Engine
	queue   *store.RunQueue
	fleet   engine.Fleet
	home    *local.Fleet // knows what back ends this machine has
	machine calibrate.Fingerprint
	planner *sizing.Planner
	nodes   *nodes // nil for this machine alone
	metrics *web.Metrics
}

// withRunner opens the data folder, takes a hand in its queue of runs, and
// calls work while the engine carries out what it submits, each run on at most
// ranks rank processes. When work has returned, whatever is still running is
// stopped and everything is freed. The context of work ends with ctx, and when
// the engine can no longer go on.
func withRunner(ctx context.Context, dir string, ranks int, work func(context.Context, *runner) error) error {
	return withRunnerOn(ctx, dir, ranks, nil, work)
}

// withRunnerOn is withRunner with runs on the nodes that join opens, unless it
// is nil. Whoever starts them need not stop them.
func withRunnerOn(ctx context.Context, dir string, ranks int, join func(context.Context, *store.Store) (*nodes, error), work func(context.Context, *runner) error) (err error) {
	db, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	queue, err := db.JoinRuns(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, queue.Close()) }()
	home, err := local.New(local.Config{})
	if err != nil {
		return err
	}
	node := inventory.Read()
	machine := calibrate.NewFingerprint(node, buildVersion())
	planner := sizing.NewPlanner(db.Runs()).Calibrated(db.Calibrations(), machine)
	var fleet engine.Fleet = home
	var members *nodes
	if join != nil {
		if members, err = join(ctx, db); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, members.stop()) }() // when the engine has ended
		spread, err := span.NewFleet(home, members)
		if err != nil {
			return err
		}
		fleet = carrying{spread, members}
		planner = planner.Across(members)
	}
	metrics := web.NewMetrics(buildVersion())
	e, err := engine.New(engine.Config{Fleet: fleet, Planner: planner, Journal: countedJournal{queue, metrics.RunEnded}, Ranks: ranks, Memory: node.Memory})
	if err != nil {
		return err
	}

	// The engine outlives ctx: work decides what an interruption means for
	// the runs under way.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	working, abandon := context.WithCancelCause(ctx)
	ended := make(chan error, 1)
	go func() {
		err := e.Run(running)
		if err != nil {
			abandon(fmt.Errorf("run engine: %w", err))
		}
		ended <- err
	}()
	defer func() {
		stop()
		err = errors.Join(err, <-ended)
		abandon(nil)
	}()
	return work(working, &runner{store: db, engine: e, queue: queue, fleet: home, home: home, machine: machine, planner: planner, nodes: members, metrics: metrics})
}
