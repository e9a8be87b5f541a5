package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/web"
)

// placeFlags say where a console carries a run out.
type placeFlags struct {
	Nodes      string `placeholder:"A,B|N" help:"With --console: the nodes that carry the ranks, by name or how many (default: as many ready ones as there are ranks for, else the console's own machine)."`
	Encryption string `placeholder:"on|off" help:"With --console: whether bytes between nodes are encrypted (default: on)."`
}

// checkPlace refuses what only means something with --console, and the
// reverse.
func (c runCommand) checkPlace() error {
	if err := c.remoteFlags.alone(c.dataFlag); err != nil || c.Console != "" {
		return err
	}
	for _, f := range [...]struct{ flag, given string }{{"nodes", c.Nodes}, {"encryption", c.Encryption}} {
		if f.given != "" {
			return usage(f.flag, errors.New("accepted with --console ADDRESS: without it ranks are processes of this machine"))
		}
	}
	return nil
}

// runRemote has a console carry the run out and follows it to its end.
// Interrupted once, it cancels the run there; interrupted twice, it leaves it.
func (c runCommand) runRemote(ctx context.Context, term terminal, spec trace.Spec) error {
	console, err := c.remoteFlags.open()
	if err != nil {
		return err
	}
	defer console.close()
	if spec.Encryption = trace.Encryption(c.Encryption); spec.Encryption != "" && spec.Encryption != trace.Sealed && spec.Encryption != trace.Plain {
		return usage("encryption", fmt.Errorf("%q; accepted: %s, %s", c.Encryption, trace.Sealed, trace.Plain))
	}
	if spec.Nodes, err = console.pick(ctx, c.Nodes, spec); err != nil {
		return err
	}
	if len(spec.Nodes) == 0 {
		spec.Encryption = "" // nothing leaves the machine
	}
	request, err := web.NewRunRequest(spec)
	if err != nil {
		return fmt.Errorf("write request for a run: %w", err)
	}
	var run trace.Run
	if err := console.ask(ctx, http.MethodPost, "/runs", request, &run); err != nil {
		return refusedRemote(err)
	}
	run, err = console.follow(ctx, run, newProgressLine(term.err))
	if err != nil && !run.Outcome.Final() {
		return refusedRemote(err)
	}
	return c.print(term, run, err)
}

// pick returns the nodes for a run: those that asked names, the first so many
// of those that are ready, or, where nothing is asked, as many as there are
// ranks for. None stands for the console's own machine.
func (r *remote) pick(ctx context.Context, asked string, spec trace.Spec) ([]string, error) {
	ranks := spec.Ranks
	if spec.Imported != nil {
		ranks, spec.PerNode = spec.Imported.Ranks, spec.Imported.RanksPerNode
	}
	count, err := strconv.Atoi(asked)
	switch {
	case asked == "":
		count = 0
	case err != nil:
		return splitNames(asked)
	case count < 1:
		return nil, usage("nodes", fmt.Errorf("%d nodes; accepted: 1 or more, or names", count))
	}
	var list web.NodeList
	if err := r.ask(ctx, http.MethodGet, "/nodes", nil, &list); err != nil {
		return nil, refusedRemote(err)
	}
	var ready []string
	for _, m := range list.Nodes {
		if m.Standing == inventory.Ready {
			ready = append(ready, m.Name)
		}
	}
	if count > 0 && len(ready) == 0 {
		return nil, usage("nodes", fmt.Errorf("%d nodes, and none is ready at %s; without --nodes the console's own machine carries the ranks", count, r.base))
	}
	if count > len(ready) {
		return nil, usage("nodes", fmt.Errorf("%d nodes, and %d are ready at %s; accepted: 1 to %[2]d, or names", count, len(ready), r.base))
	}
	if count == 0 {
		count = spread(ranks, spec.PerNode, len(ready))
	}
	return ready[:count], nil
}

// spread returns how many of the ready nodes ranks can be put on, block-wise,
// without leaving one out.
func spread(ranks, perNode, ready int) int {
	if ready == 0 || ranks < 1 {
		return 0
	}
	if perNode == 0 {
		nodes := min(ready, ranks)
		perNode = (ranks + nodes - 1) / nodes
	}
	return min((ranks+perNode-1)/perNode, ready)
}

func splitNames(text string) ([]string, error) {
	names := strings.Split(text, ",")
	for i, name := range names {
		if names[i] = strings.TrimSpace(name); names[i] == "" {
			return nil, usage("nodes", fmt.Errorf("%q leaves a name out; accepted: names with commas between them, such as node-a,node-b, or how many", text))
		}
	}
	return names, nil
}

const (
	// askEvery is how often a console is asked how a run stands.
	askEvery = 200 * time.Millisecond
	// silence is how long it may not answer before the run is left to it.
	silence = 30 * time.Second
)

// follow shows the progress of a run until it has ended. When ctx ends it has
// the run cancelled, and leaves the next signal to end the process.
func (r *remote) follow(ctx context.Context, run trace.Run, line *progressLine) (trace.Run, error) {
	defer line.clear()
	patient := context.WithoutCancel(ctx)
	interrupted := ctx.Done()
	progress := newRemoteProgress(run)
	heard := time.Now()
	ask := time.NewTicker(askEvery)
	defer ask.Stop()
	for {
		var m web.Message
		err := r.ask(patient, http.MethodGet, fmt.Sprintf("/runs/%s?since=%d", url.PathEscape(run.ID), progress.seq), nil, &m)
		var silent unreachable
		switch {
		case err == nil:
			heard, run = time.Now(), m.Run
			if run.Outcome.Final() {
				return run, nil
			}
			progress.take(m)
			line.show(run.ID, run.Outcome, m.Ahead, progress.read)
		case !errors.As(err, &silent):
			return run, fmt.Errorf("follow run %s: %w", run.ID, err)
		case time.Since(heard) > silence || interrupted == nil:
			return run, fmt.Errorf("follow run %s, which may go on there: %w", run.ID, err)
		}
		select {
		case <-ask.C:
		case <-interrupted:
			interrupted = nil
			signal.Reset(os.Interrupt, syscall.SIGTERM)
			var cancelled trace.Run
			var refused *problemDocument
			err := r.ask(patient, http.MethodDelete, "/runs/"+url.PathEscape(run.ID), nil, &cancelled)
			if err != nil && !(errors.As(err, &refused) && refused.Status == http.StatusConflict) { // it has just ended
				return run, fmt.Errorf("cancel run %s: %w", run.ID, err)
			}
		}
	}
}

// refusedRemote turns what a console says into the errors of this program: a
// field that it refuses is an unusable argument.
func refusedRemote(err error) error {
	var problem *problemDocument
	var silent unreachable
	var other doubted
	switch {
	case errors.As(err, &other):
		return failure{code: "not-believed", err: err}
	case errors.As(err, &silent):
		return failure{code: "unreachable", err: err}
	case !errors.As(err, &problem):
		return err
	case len(problem.Errors) > 0:
		flag := problem.Errors[0].Parameter
		if pointer := problem.Errors[0].Pointer; pointer != "" {
			flag = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(pointer, "/"), "_bytes"), "_", "-")
		}
		return usage(flag, errors.New(problem.Errors[0].Message))
	case problem.Status == http.StatusUnauthorized || problem.Status == http.StatusForbidden:
		return failure{code: "refused", err: err}
	}
	return err
}
