package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/sweep/carry"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/store"
	"lockstep/web"
	"lockstep/web/account"
	"lockstep/web/present"
)

type serveCommand struct {
	dataFlag
	reachFlags
	AgentListen string `placeholder:"ADDR" help:"Address at which agents of other machines may join, such as 0.0.0.0:8444 (none); mutual TLS by the console's own authority."`
	LocalRanks  int    `default:"4" placeholder:"N" help:"Rank processes that this machine offers, 1 to 64 (4)."`
	Calibrate   string `default:"first" enum:"first,never" env:"LOCKSTEP_CALIBRATE" placeholder:"first|never" help:"Measure this machine for a few seconds when it is not calibrated (first) or only when asked (never)."`
	Dev         bool   `help:"Also serve /zh/gallery and /en/gallery: every part that pages are made of, in every state."`
}

// maxLocalRanks is more than a machine without accelerators can run usefully.
const maxLocalRanks = 64

// Run serves the web console until ctx ends.
func (c serveCommand) Run(ctx context.Context, term terminal) (err error) {
	if os.Getenv("GOGC") == "" { // a class at once leaves much garbage: half of the usual overshoot, for some percent of a processor
		debug.SetGCPercent(50)
	}
	if c.LocalRanks < 1 || c.LocalRanks > maxLocalRanks {
		return usage("local-ranks", fmt.Errorf("%d is out of range; accepted is 1 to %d", c.LocalRanks, maxLocalRanks))
	}
	dir, err := c.folder()
	if err != nil {
		return err
	}
	reached, err := c.plan(func() (bool, error) { return anyAccount(ctx, dir) })
	if err != nil {
		return err
	}
	listener, err := listen(ctx, "listen", c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close() // Serve closes it too; this is for errors on the way there
	join, err := c.nodes(dir, term)
	if err != nil {
		return err
	}
	return withRunnerOn(ctx, dir, c.LocalRanks, join, func(ctx context.Context, r *runner) error {
		return c.serve(ctx, term, dir, reached, listener, r)
	})
}

// serve answers on listener until ctx ends.
func (c serveCommand) serve(ctx context.Context, term terminal, dir string, reached reach, listener net.Listener, r *runner) (err error) {
	log := slog.New(slog.NewTextHandler(term.err, nil))
	release, err := claim(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if open, err := openToOthers(dir); err != nil {
		return err
	} else if open != "" {
		fmt.Fprintln(term.err, "warning: "+open)
	}
	shown, err := c.certificate(dir, reached, log) // which may be made anew
	if err != nil {
		return err
	}
	address := reached.address(listener.Addr(), shown)
	if err := publish(dir, address); err != nil {
		return err
	}

	invite := func(ctx context.Context) error {
		text, err := issueKey(ctx, r.store)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(term.out, "open "+keyURL(address, text))
		return err
	}
	withdraw, err := r.nodes.start(dir, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, withdraw()) }()
	machine := newCalibrator(r, c.LocalRanks, log)
	config := c.services(r, invite, log)
	config.Port = listener.Addr().(*net.TCPAddr).Port
	config.Hosts = reached.hosts(config.Port, shown)
	if config.Access, err = access(r.store, reached, shown); err != nil {
		return err
	}
	config.Calibrator = machine
	sweeper := carry.NewSweeper(r.engine, r.queue.Comparisons(), log)
	defer sweeper.Close()
	config.Sweeper = sweeper
	if r.nodes != nil {
		config.Nodes, config.Keeper, config.Inviter = r.nodes, r.nodes, r.nodes.inviter(r.store)
	}
	handler, err := web.New(config)
	if err != nil {
		return err
	}
	var secure *tls.Config
	if shown != nil {
		secure = shown.Config()
		fmt.Fprintln(term.err, "certificate SHA-256 "+shown.Fingerprint())
	}
	if err := invite(ctx); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var calibrating sync.WaitGroup
	calibrating.Go(func() { machine.run(ctx, c.Calibrate == "first") })
	defer calibrating.Wait()
	defer stop()
	return web.Serve(ctx, listener, secure, handler, log)
}

// services joins what the pages rest on: the one place where web meets the
// store and the cost model.
func (c serveCommand) services(r *runner, invite func(context.Context) error, log *slog.Logger) web.Config {
	return web.Config{
		Keys:     r.store.Keys(),
		Sessions: r.store.Sessions(time.Now),
		KeyUsed: func(ctx context.Context) {
			if err := invite(ctx); err != nil {
				log.ErrorContext(ctx, "print the next address; console key prints one too", "error", err)
			}
		},
		Ready:      r.store.Ready,
		Live:       r.engine,
		Saved:      r.store.Runs(),
		Reports:    r.store.Reports(),
		Machines:   r.store.Machines(),
		Entries:    r.store.Entries(),
		Runs:       r.store.Runs(),
		Runner:     r.engine,
		Archive:    r.store.Runs(),
		Sweeps:     r.queue.Comparisons(),
		Planner:    r.planner,
		Disturb:    r.engine,
		Backends:   r.home,
		Article:    article,
		Machine:    inventory.Survey(),
		LocalRanks: c.LocalRanks,
		Metrics:    r.metrics,
		Unfinished: r.store.Runs(),
		Develop:    c.Dev,
		Version:    buildVersion(),
		Program:    programName(os.Args[0]),
		Now:        time.Now,
		Log:        log,
	}
}

// article prices the example that the source article computes: 300 million
// parameters of 4 bytes, 10 workers, 1 GB/s.
func article() (present.Article, error) {
	q := cost.Question{
		Collective: schedule.AllReduce, Ranks: 10, Size: 1200 * unit.MB, Network: cost.Network{Bandwidth: unit.Rate(unit.GB)},
	}
	central, err := q.Price("central")
	if err != nil {
		return present.Article{}, err
	}
	ring, err := q.Price("ring")
	if err != nil {
		return present.Article{}, err
	}
	return present.Article{
		Ranks: q.Ranks, Size: q.Size, Rate: q.Network.Bandwidth,
		Collect: central.Terms[0].Time, Return: central.Terms[1].Time, Ring: ring.Time,
	}, nil
}

// programName is how a person in this folder calls the program that was
// started as arg0. An absolute path is nobody else's business.
func programName(arg0 string) string {
	if filepath.IsAbs(arg0) {
		return filepath.Base(arg0)
	}
	return arg0
}

// listen opens the address that a flag names.
func listen(ctx context.Context, flag, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, failure{code: "address-in-use", err: fmt.Errorf("%s is in use by another program; choose another port with --%[2]s, or --%[2]s 127.0.0.1:0 for a free one", address, flag)}
	}
	var named *net.AddrError
	var unknown *net.DNSError
	if errors.As(err, &named) || errors.As(err, &unknown) { // a port that does not exist, say
		return nil, usage(flag, fmt.Errorf("%q is no address; accepted is HOST:PORT, such as 127.0.0.1:8080", address))
	}
	return listener, err
}

// issueKey makes a key, keeps it and returns its text.
func issueKey(ctx context.Context, db *store.Store) (string, error) {
	text, key := account.NewOpeningKey(time.Now())
	return text, db.Keys().Add(ctx, key)
}

// keyURL is the address that opens a console with a key.
func keyURL(address, key string) string {
	return address + "/?" + url.Values{"key": {key}}.Encode()
}
