package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lockstep/cluster/agent"
	"lockstep/cluster/inventory"
	"lockstep/cluster/local"
	"lockstep/cluster/span"
	"lockstep/cluster/wire"
	"lockstep/engine/link"
	"lockstep/engine/unit"
)

type agentCommand struct {
	Join       string `required:"" placeholder:"ADDRESS" help:"HOST:PORT that console serve --agent-listen names."`
	TokenFile  string `type:"path" placeholder:"FILE" help:"File with the join token; - reads it from standard input. Looked at only while there is no certificate that counts."`
	Name       string `placeholder:"N" help:"Name of this node (default: the host name)."`
	State      string `type:"path" placeholder:"DIR" help:"Folder for this node's key and certificate (default: one for each name in $$XDG_STATE_HOME, else ~/.local/state/lockstep)."`
	DataListen string `placeholder:"ADDR" help:"Address that other nodes reach this one at during runs (default: that of the way to the console)."`
	DataPorts  string `placeholder:"A-B" help:"Ports for that (default: any that is free)."`
	MaxRanks   int    `placeholder:"N" help:"Most ranks of a run here; 0 for no limit of its own (0)."`
	MaxBytes   string `placeholder:"SIZE" help:"Most memory for the buffers of a run here, such as 8GiB (no limit of its own)."`
	MaxSeconds int    `placeholder:"S" help:"Longest that a run may take here, in seconds; 0 for no limit of its own (0)."`
}

// maxTokenFile bounds what is read as a token.
const maxTokenFile = 4 << 10

// Run offers this machine to a console until ctx ends.
func (c agentCommand) Run(ctx context.Context, term terminal) (err error) {
	log := slog.New(slog.NewTextHandler(term.err, nil))
	cfg, err := c.config(log)
	if err != nil {
		return err
	}
	cfg.Admitted = func() { fmt.Fprintf(term.out, "joined %s as %s\n", cfg.Console, cfg.Name) }
	a, err := agent.Open(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return a.Run(ctx)
}

// config reads the flags.
func (c agentCommand) config(log *slog.Logger) (cfg agent.Config, err error) {
	host, port, err := net.SplitHostPort(c.Join)
	if _, numberErr := strconv.ParseUint(port, 10, 16); err != nil || numberErr != nil || host == "" {
		return cfg, usage("join", fmt.Errorf("%q is no address; accepted is HOST:PORT, as console serve --agent-listen names it", c.Join))
	}
	name := c.Name
	if name == "" {
		if name, err = os.Hostname(); err != nil {
			return cfg, usage("name", fmt.Errorf("this machine does not tell its host name: %w; give a name", err))
		}
	}
	if err := wire.CheckName(name); err != nil {
		return cfg, usage("name", err)
	}
	limits, err := c.limits()
	if err != nil {
		return cfg, err
	}
	state := c.State
	if state == "" {
		if state, err = stateFolder(name); err != nil {
			return cfg, err
		}
	}
	token, err := c.token(state)
	if err != nil {
		return cfg, err
	}
	handlers, err := c.handlers(name, limits)
	if err != nil {
		return cfg, err
	}
	return agent.Config{
		Console: c.Join, Token: token, Name: name, State: state, Build: buildVersion(),
		Node: inventory.Survey(), Limits: limits, Handlers: handlers, Log: log, Now: time.Now,
	}, nil
}

// handlers are what this machine does for the console.
func (c agentCommand) handlers(name string, limits inventory.Limits) (map[string]wire.Handler, error) {
	bind, ports, err := c.data()
	if err != nil {
		return nil, err
	}
	fleet, err := local.New(local.Config{})
	if err != nil {
		return nil, err
	}
	ranks, err := span.NewAgent(span.AgentConfig{Name: name, Fleet: fleet, Limits: limits, Bind: bind, Ports: ports})
	if err != nil {
		return nil, err
	}
	return map[string]wire.Handler{
		wire.RunKind:   ranks.Serve,
		wire.ProbeKind: agent.Probe{Bind: bind, First: ports.First, Last: ports.Last}.Serve,
	}, nil
}

// token reads the join token. A node that has its certificate in the state
// folder needs none, and the file may be gone by then.
func (c agentCommand) token(state string) (wire.Token, error) {
	if c.TokenFile == "" {
		return wire.Token{}, nil
	}
	text, err := readSmall(c.TokenFile, maxTokenFile)
	var token wire.Token
	if err == nil {
		token, err = wire.ParseToken(text)
	}
	if err == nil {
		return token, nil
	}
	if _, missing := os.Stat(filepath.Join(state, agent.CertificateFile)); missing == nil {
		return wire.Token{}, nil // its certificate counts, and tells if it does not
	}
	return wire.Token{}, usage("token-file", err)
}

// readSmall reads a file of at most limit bytes; - is standard input.
func readSmall(path string, limit int64) (string, error) {
	in := os.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is longer than %d bytes", path, limit)
	}
	return string(text), err
}

// limits reads what this node accepts at most.
func (c agentCommand) limits() (l inventory.Limits, err error) {
	if c.MaxRanks < 0 {
		return l, usage("max-ranks", fmt.Errorf("%d; accepted is 0 for no limit of its own, or more", c.MaxRanks))
	}
	if c.MaxSeconds < 0 {
		return l, usage("max-seconds", fmt.Errorf("%d; accepted is 0 for no limit of its own, or more", c.MaxSeconds))
	}
	l = inventory.Limits{Ranks: c.MaxRanks, Seconds: c.MaxSeconds}
	if c.MaxBytes != "" {
		if l.Bytes, err = unit.ParseBytes(c.MaxBytes); err != nil {
			return l, usage("max-bytes", err)
		}
	}
	return l, nil
}

// data reads where other nodes find this one.
func (c agentCommand) data() (bind netip.Addr, ports link.Ports, err error) {
	if c.DataListen != "" {
		if bind, err = netip.ParseAddr(c.DataListen); err != nil || bind.IsUnspecified() || bind.IsMulticast() {
			return bind, ports, usage("data-listen", fmt.Errorf("%q is no address that others can dial; accepted is an IP address of this machine, without port", c.DataListen))
		}
	}
	if c.DataPorts != "" {
		first, last, _ := strings.Cut(c.DataPorts, "-")
		a, errA := strconv.Atoi(first)
		b, errB := strconv.Atoi(last)
		ports = link.Ports{First: a, Last: b}
		if errors.Join(errA, errB) != nil || a == 0 || ports.Check() != nil {
			return bind, ports, usage("data-ports", fmt.Errorf("%q is no range of ports; accepted is A-B, such as 40000-40999", c.DataPorts))
		}
	}
	return bind, ports, nil
}

// stateFolder is where the node of that name keeps its certificate by default.
func stateFolder(name string) (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", usage("state", errors.New("no home folder to keep the certificate in; give a folder"))
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "lockstep", "agents", name), nil
}
