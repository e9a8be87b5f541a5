package main

import (
	"context"
	"errors"

	"lockstep/cluster/worker"
)

// workerCommand is one rank's process. The console starts it and speaks with
// it over standard input and output; it is of no use to a person.
type workerCommand struct{}

// Run carries out one run for the console that started this process.
func (workerCommand) Run(ctx context.Context, term terminal) error {
	err := worker.ServeProcess(ctx, worker.Config{Build: buildVersion()})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
