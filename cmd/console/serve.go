package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/store"
	"lockstep/web"
	"lockstep/web/account"
	"lockstep/web/present"
)

type serveCommand struct {
	dataFlag
	Listen     string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Loopback address to serve on (127.0.0.1:8080); port 0 takes a free one."`
	LocalRanks int    `default:"4" placeholder:"N" help:"Rank processes that this machine offers, 1 to 64 (4)."`
	Calibrate  string `default:"first" enum:"first,never" env:"LOCKSTEP_CALIBRATE" placeholder:"first|never" help:"Measure this machine for a few seconds when it is not calibrated (first) or only when asked (never)."`
	Dev        bool   `help:"Also serve /zh/gallery and /en/gallery: every part that pages are made of, in every state."`
}

// maxLocalRanks is more than a machine without accelerators can run usefully.
const maxLocalRanks = 64

// Run serves the web console until ctx ends.
func (c serveCommand) Run(ctx context.Context, term terminal) (err error) {
	host, err := c.loopbackHost()
	if err != nil {
		return err
	}
	if c.LocalRanks < 1 || c.LocalRanks > maxLocalRanks {
		return usage("local-ranks", fmt.Errorf("%d is out of range; accepted is 1 to %d", c.LocalRanks, maxLocalRanks))
	}
	dir, err := c.folder()
	if err != nil {
		return err
	}
	listener, err := listen(ctx, c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close() // Serve closes it too; this is for errors on the way there
	return withRunner(ctx, dir, c.LocalRanks, func(ctx context.Context, r *runner) error {
		return c.serve(ctx, term, dir, host, listener, r)
	})
}

// serve answers on listener until ctx ends.
func (c serveCommand) serve(ctx context.Context, term terminal, dir, host string, listener net.Listener, r *runner) (err error) {
	address := "http://" + listener.Addr().String()
	release, err := claim(ctx, dir, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()

	log := slog.New(slog.NewTextHandler(term.err, nil))
	invite := func(ctx context.Context) error {
		text, err := issueKey(ctx, r.store)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(term.out, "open "+keyURL(address, text))
		return err
	}
	machine := newCalibrator(r, c.LocalRanks, log)
	config := c.services(r, host, listener.Addr().(*net.TCPAddr).Port, invite, log)
	config.Calibrator = machine
	handler, err := web.New(config)
	if err != nil {
		return err
	}
	if err := invite(ctx); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var calibrating sync.WaitGroup
	calibrating.Go(func() { machine.run(ctx, c.Calibrate == "first") })
	defer calibrating.Wait()
	defer stop()
	return web.Serve(ctx, listener, handler, log)
}

// services joins what the pages rest on: the one place where web meets the
// store and the cost model.
func (c serveCommand) services(r *runner, host string, port int, invite func(context.Context) error, log *slog.Logger) web.Config {
	return web.Config{
		Port:     port,
		Hosts:    web.LoopbackHosts(host, port),
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
		Runs:       r.store.Runs(),
		Runner:     r.engine,
		Archive:    r.store.Runs(),
		Planner:    r.planner,
		Disturb:    r.engine,
		Article:    article,
		Machine:    inventory.Read(),
		LocalRanks: c.LocalRanks,
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

// loopbackHost returns the host to listen on if only this machine can reach
// it.
func (c serveCommand) loopbackHost() (string, error) {
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return "", usage("listen", fmt.Errorf("%q is no address; accepted is HOST:PORT, such as 127.0.0.1:8080", c.Listen))
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", usage("listen", fmt.Errorf("%s can be reached from other machines, which takes TLS and accounts, and those are not built yet; "+
			"accepted is a loopback address: 127.0.0.1:PORT, [::1]:PORT or localhost:PORT", c.Listen))
	}
	return host, nil
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, failure{code: "address-in-use", err: fmt.Errorf("%s is in use by another program; choose another port with --listen, or --listen 127.0.0.1:0 for a free one", address)}
	}
	var named *net.AddrError
	var unknown *net.DNSError
	if errors.As(err, &named) || errors.As(err, &unknown) { // a port that does not exist, say
		return nil, usage("listen", fmt.Errorf("%q is no address; accepted is HOST:PORT, such as 127.0.0.1:8080", address))
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
