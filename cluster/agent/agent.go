package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// Config is what an agent is told.
type Config struct {
	Console string     // host:port of the console's agent listener
	Token   wire.Token // to join with; the zero Token for none
	Name    string     // of the node
	State   string     // folder for key and certificate
	Build   string     // version of this program
	Node    inventory.Node
	Limits  inventory.Limits
	// Handlers serve the streams that the console opens, by their kind. Their
	// context ends with the connection. The local address of the stream is this
	// machine's on the way to the console.
	Handlers map[string]wire.Handler
	// Admitted is called once, when the console has let the node in.
	Admitted func()
	Log      *slog.Logger
	Now      func() time.Time // of certificates

	// How often both ends of the connection speak and after how long without a
	// word the other is given up; 0 for those of the protocol.
	Beat, Silence time.Duration
	// The shortest and the longest pause between two attempts to connect; 0 for
	// half a second and half a minute.
	Pause, MaxPause time.Duration
}

// Agent is a node's end of a console's cluster.
type Agent struct {
	cfg   Config
	state *state
	spent bool // the token was used in this process
	known bool // Admitted was called
}

// Open checks the configuration and opens the state folder.
func Open(cfg Config) (*Agent, error) {
	if err := wire.CheckName(cfg.Name); err != nil {
		return nil, err
	}
	if _, _, err := net.SplitHostPort(cfg.Console); err != nil {
		return nil, fmt.Errorf("%q is no address of a console; accepted: HOST:PORT", cfg.Console)
	}
	if l := cfg.Limits; l.Ranks < 0 || l.Bytes < 0 || l.Seconds < 0 {
		return nil, fmt.Errorf("limits of %d ranks, %d bytes, %d seconds; accepted: 0 or more", l.Ranks, l.Bytes, l.Seconds)
	}
	if cfg.Log == nil || cfg.Now == nil || cfg.Admitted == nil {
		return nil, errors.New("open agent: log, clock and Admitted are needed")
	}
	cfg.Beat, cfg.Silence = cmp.Or(cfg.Beat, wire.BeatInterval), cmp.Or(cfg.Silence, wire.Silence)
	cfg.Pause, cfg.MaxPause = cmp.Or(cfg.Pause, 500*time.Millisecond), cmp.Or(cfg.MaxPause, 30*time.Second)
	s, err := openState(cfg.State)
	if err != nil {
		return nil, err
	}
	return &Agent{cfg: cfg, state: s}, nil
}

// Close frees the state folder.
func (a *Agent) Close() error { return a.state.close() }

// Run keeps the node connected until ctx ends, which is no error, or until
// trying again cannot help: the error then says what would.
func (a *Agent) Run(ctx context.Context) error {
	pause := a.cfg.Pause
	for ctx.Err() == nil {
		began := time.Now()
		err := a.attempt(ctx)
		if ctx.Err() != nil {
			return nil
		}
		var away *awayError
		if !errors.As(err, &away) {
			return err
		}
		if time.Since(began) > 2*a.cfg.Silence {
			pause = a.cfg.Pause // it had been connected
		}
		pause = a.cfg.after(pause)
		a.cfg.Log.WarnContext(ctx, "not connected; trying again", "console", a.cfg.Console, "reason", err, "in", pause.Round(time.Millisecond))
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	return nil
}

// after returns the pause that follows one of that length. Agents that have
// lost the same console at the same moment spread out, and keep spreading
// (decorrelated jitter).
func (c *Config) after(last time.Duration) time.Duration {
	return min(c.MaxPause, c.Pause+rand.N(3*last-c.Pause))
}

// attempt joins if need be, connects, and serves until the connection ends.
func (a *Agent) attempt(ctx context.Context) error {
	if !a.belongs() {
		if err := a.join(ctx); err != nil {
			return err
		}
	}
	err := a.connect(ctx)
	var refusal *wire.Refusal
	if errors.As(err, &refusal) && refusal.Code == wire.NoAdmission && a.hasToken() {
		a.cfg.Log.WarnContext(ctx, "the certificate lets this node in no more; using the token", "reason", refusal.Message)
		if err := a.join(ctx); err != nil {
			return err
		}
		return a.connect(ctx)
	}
	return err
}

// belongs reports whether there is a certificate for the console that was
// named.
func (a *Agent) belongs() bool {
	if !a.state.admitted(a.cfg.Name, a.cfg.Now()) {
		return false
	}
	return !a.hasToken() || a.state.pin() == a.cfg.Token.Pin
}

func (a *Agent) hasToken() bool { return a.cfg.Token.Secret != "" && !a.spent }

// awayError is what may pass by itself.
type awayError struct{ err error }

func (e *awayError) Error() string { return e.err.Error() }
func (e *awayError) Unwrap() error { return e.err }
