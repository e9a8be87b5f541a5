package agent

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"lockstep/cluster/wire"
)

// patience bounds the way from dialling to the console's answer.
const patience = 10 * time.Second

// dial connects to the console that has the pin. With a nil certificate it is
// for joining. Whoever else answers ends the agent only if that console has
// never let it in: then the token or the address is wrong, and later a program
// or a box on the way may have the address for a while.
func (a *Agent) dial(ctx context.Context, pin wire.Pin, certificate *tls.Certificate) (*tls.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	raw, err := new(net.Dialer).DialContext(ctx, "tcp", a.cfg.Console)
	if err != nil {
		return nil, &awayError{fmt.Errorf("reach the console: %w", err)}
	}
	conn := tls.Client(raw, wire.ClientTLS(pin, certificate, a.cfg.Now))
	if err := conn.HandshakeContext(ctx); err != nil {
		_ = raw.Close() // the failure is what counts
		var stranger tls.RecordHeaderError
		switch {
		case errors.Is(err, wire.ErrImpostor):
			err = fmt.Errorf("%w: %s is another console than the one that made this token or certificate, or somebody is in between", err, a.cfg.Console)
		case errors.As(err, &stranger):
			err = fmt.Errorf("%s answers, but not in TLS (%+q): --join takes the address that console serve --agent-listen names, not that of its pages",
				a.cfg.Console, stranger.RecordHeader[:])
		default:
			return nil, &awayError{fmt.Errorf("shake hands with the console: %w", err)}
		}
		if a.state.knows(pin) {
			return nil, &awayError{err}
		}
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		_ = conn.Close()
		return nil, &awayError{err}
	}
	return conn, nil
}

// say sends the first frames and reads the answer. Refusals that asking again
// cannot change come back as they are.
func say(ctx context.Context, conn *tls.Conn, greeting wire.Greeting, hello *wire.Hello) (wire.Answer, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })
	defer stop()
	err := wire.WriteGreeting(conn, greeting)
	if err == nil && hello != nil {
		err = wire.WriteHello(conn, *hello)
	}
	// A console that refuses may do so before it has read everything, so its
	// answer counts for more than an error of writing.
	answer, readErr := wire.ReadAnswer(conn)
	var refusal *wire.Refusal
	switch {
	case errors.As(readErr, &refusal) && refusal.Final():
		return answer, refusal
	case err == nil:
		err = readErr
	}
	if err != nil {
		return answer, &awayError{fmt.Errorf("speak with the console: %w", err)}
	}
	return answer, nil
}

// join gets a certificate for the token.
func (a *Agent) join(ctx context.Context) error {
	if !a.hasToken() {
		return a.lost()
	}
	request, err := a.state.request(a.cfg.Name)
	if err != nil {
		return err
	}
	conn, err := a.dial(ctx, a.cfg.Token.Pin, nil)
	if err != nil {
		return err
	}
	defer conn.Close()
	answer, err := say(ctx, conn, wire.Greeting{
		Protocol: wire.Protocol, Build: a.cfg.Build,
		Join: &wire.Join{Secret: a.cfg.Token.Secret, Name: a.cfg.Name, Request: request},
	}, nil)
	if err != nil {
		return err
	}
	authority := wire.AuthorityIn(conn.ConnectionState(), a.cfg.Token.Pin) // there, for the handshake has found it
	if err := a.state.keep(answer.Certificate, authority); err != nil {
		return fmt.Errorf("keep the certificate: %w; start the agent again with the same token within ten minutes once that is mended", err)
	}
	a.spent = true
	return nil
}

// lost says what to do without a certificate that counts.
func (a *Agent) lost() error {
	const anew = "make a token on the console (console token create --kind join) and start the agent with --token-file"
	c := a.state.certificate
	switch {
	case c == nil:
		return fmt.Errorf("there is no certificate in %s: %s", a.cfg.State, anew)
	case c.Subject.CommonName != a.cfg.Name:
		return fmt.Errorf("the certificate in %s is of node %s: start the agent with --name %s, or give node %s another --state folder",
			a.cfg.State, c.Subject.CommonName, c.Subject.CommonName, a.cfg.Name)
	}
	return fmt.Errorf("the certificate of node %s has expired (%s): %s", a.cfg.Name, c.NotAfter.UTC().Format(time.RFC3339), anew)
}

// connect serves the console until the connection ends.
func (a *Agent) connect(ctx context.Context) error {
	conn, err := a.dial(ctx, a.state.pin(), a.state.tls())
	if err != nil {
		return err
	}
	defer conn.Close()
	hello := wire.Hello{Name: a.cfg.Name, Limits: a.cfg.Limits, Node: a.cfg.Node}
	if _, err := say(ctx, conn, wire.Greeting{Protocol: wire.Protocol, Build: a.cfg.Build}, &hello); err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return &awayError{err}
	}
	mux, err := wire.Agent(conn)
	if err != nil {
		return err
	}
	defer mux.Close()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s := &session{agent: a, end: end}
	// A console that says nothing after its welcome is as gone as one that
	// falls silent later.
	silent := time.AfterFunc(a.cfg.Silence, func() { end(&awayError{errors.New("the console says nothing")}) })
	defer silent.Stop()
	s.heard = func() { silent.Stop() }
	err = mux.Serve(ctx, a.cfg.Log, s.pick)
	var refusal *wire.Refusal
	var away *awayError
	switch {
	case errors.As(err, &refusal) && refusal.Final(), errors.As(err, &away):
		return err
	}
	return &awayError{fmt.Errorf("the connection to the console has ended: %w", err)}
}
