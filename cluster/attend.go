package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sync/errgroup"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

const (
	// freshness is how recently a node must have been heard for a second
	// connection of its name to be refused: three beats. One that is silent for
	// longer has probably lost its connection, and this is the new one.
	freshness = 3
	// renewPause is how often a node may have its certificate renewed.
	renewPause = time.Minute
)

// presence is the connection of a node. The registry's lock owns heard, runs and
// certificate.
type presence struct {
	session *wire.Session
	address string
	cut     context.CancelCauseFunc // ends the connection; a *wire.Refusal is told to the node

	heard       time.Time // by the wall clock that runs, not by Config.Now
	runs        int       // streams of runs that are open
	certificate []byte    // the newest (DER) that the node asked for on this connection
	renewed     time.Time
}

// attend serves a node that was recognised until its connection ends.
func (r *Registry) attend(ctx context.Context, conn *tls.Conn, p *patient, name string, hello wire.Hello, build string) {
	ctx, cut := context.WithCancelCause(ctx)
	defer cut(nil)
	here := &presence{address: conn.RemoteAddr().String(), cut: cut, heard: time.Now()}
	key := fingerprint(conn.ConnectionState().PeerCertificates[0].RawSubjectPublicKeyInfo)
	if refusal := r.arrive(name, key, here, hello, build); refusal != nil {
		r.refuse(ctx, conn, Event{What: Refused, Node: name, From: here.address}, refusal)
		return
	}
	log := r.cfg.Log.With("node", name, "from", here.address)
	err := r.converse(ctx, conn, p, name, here)
	r.depart(context.WithoutCancel(ctx), name, here)
	var refusal *wire.Refusal
	if errors.As(err, &refusal) && refusal.Code == wire.ConsoleEnded {
		return
	}
	log.InfoContext(ctx, "node gone", "reason", err)
}

// arrive enters a connection, unless the node may not come, or is there. Since
// its certificate was looked up, another machine may have got the name.
func (r *Registry) arrive(name string, key inventory.Fingerprint, here *presence, hello wire.Hello, build string) *wire.Refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[name]
	switch {
	case m == nil || m.Key != key:
		return unknownRefusal(name)
	case m.Revoked:
		return revokedRefusal(name)
	case m.presence != nil && time.Since(m.presence.heard) < freshness*r.cfg.Beat:
		return wire.Refuse(wire.Connected, "node %s is connected already, from %s", name, m.presence.address)
	case m.presence != nil:
		m.presence.cut(wire.Refuse(wire.Connected, "node %s has connected again, from %s", name, here.address))
	}
	m.presence = here
	m.Build, m.Limits, m.Node = short(build), hello.Limits, hello.Node
	r.touch()
	return nil
}

// depart takes a connection off, and keeps when it was heard last.
func (r *Registry) depart(ctx context.Context, name string, here *presence) {
	r.mu.Lock()
	m := r.members[name]
	if m == nil || m.presence != here { // forgotten, or connected anew
		r.mu.Unlock()
		return
	}
	m.presence, m.Seen = nil, here.heard
	kept := m.Enrolment
	r.touch()
	r.mu.Unlock()
	r.note(ctx, kept)
}

func (r *Registry) note(ctx context.Context, e inventory.Enrolment) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if err := r.cfg.Journal.Note(ctx, e); err != nil {
		r.cfg.Log.ErrorContext(ctx, "keep what a node says of itself", "node", e.Name, "error", err)
	}
}

// converse welcomes the node and holds the control stream with it. The error
// says why it ended.
func (r *Registry) converse(ctx context.Context, conn *tls.Conn, p *patient, name string, here *presence) error {
	// The node has read its welcome when its control stream stands, so nobody
	// opens another stream before.
	if err := conn.SetWriteDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	if err := wire.WriteAnswer(conn, wire.Answer{Build: r.cfg.Build}); err != nil {
		return fmt.Errorf("welcome node: %w", err)
	}
	if err := p.trust(); err != nil {
		return err
	}
	session, err := wire.Console(conn)
	if err != nil {
		return err
	}
	defer session.Close()
	control, err := session.Open(ctx, wire.ControlKind)
	if err != nil {
		return err
	}
	r.mu.Lock()
	m := r.members[name]
	if m == nil || m.presence != here {
		r.mu.Unlock()
		return context.Cause(ctx) // forgotten or connected anew, hence cut
	}
	here.session, here.heard = session, time.Now()
	m.Seen = here.heard
	kept := m.Enrolment
	r.touch()
	r.mu.Unlock()
	r.note(ctx, kept)
	r.cfg.Log.InfoContext(ctx, "node connected", "node", name, "from", here.address)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return r.listenTo(ctx, control, name, here) })
	group.Go(func() error {
		defer session.Close() // ends the reading
		return r.tell(ctx, control, session, name, here)
	})
	group.Go(func() error {
		<-ctx.Done()
		select {
		case <-session.Done():
		case <-time.After(2 * goodbyeTime): // it does not read, which must not keep it here
			_ = session.Close()
		}
		return nil
	})
	return group.Wait()
}

// tell says every beat how things stand, and at the end why it ends.
func (r *Registry) tell(ctx context.Context, control net.Conn, session *wire.Session, name string, here *presence) error {
	ticker := time.NewTicker(r.cfg.Beat)
	defer ticker.Stop()
	for {
		r.mu.Lock()
		m := r.members[name]
		beat := wire.ConsoleBeat{Draining: m != nil && m.Draining, Certificate: here.certificate}
		r.mu.Unlock()
		if err := wire.WriteBeat(control, beat); err != nil {
			return fmt.Errorf("%w: %w", errGone, err)
		}
		select {
		case <-ctx.Done():
			return sayGoodbye(ctx, control, session)
		case <-session.Done():
			return errGone
		case <-ticker.C:
		}
	}
}

// sayGoodbye tells the node why its connection ends and gives it a moment to
// close it itself, so that it reads that.
func sayGoodbye(ctx context.Context, control net.Conn, session *wire.Session) error {
	cause := context.Cause(ctx)
	var why *wire.Refusal
	switch {
	case errors.Is(cause, errGone):
		return cause
	case !errors.As(cause, &why):
		why = wire.Refuse(wire.ConsoleEnded, "the console ends")
	}
	if wire.WriteBeat(control, wire.ConsoleBeat{Leave: why}) == nil {
		select {
		case <-session.Done():
		case <-time.After(goodbyeTime):
		}
	}
	return why
}

// errGone says that a node is the one who went.
var errGone = errors.New("its connection has ended")

// goodbyeTime is how long a node may take to close a connection that is over.
const goodbyeTime = 500 * time.Millisecond

// listenTo hears how things stand with the node.
func (r *Registry) listenTo(ctx context.Context, control net.Conn, name string, here *presence) error {
	for {
		if err := control.SetReadDeadline(time.Now().Add(r.cfg.Silence)); err != nil {
			return err
		}
		var beat wire.AgentBeat
		if err := wire.ReadBeat(control, &beat); err != nil {
			var late net.Error
			if errors.As(err, &late) && late.Timeout() {
				return fmt.Errorf("%w: it has been silent for %v", errGone, r.cfg.Silence)
			}
			return fmt.Errorf("%w: %w", errGone, err)
		}
		certificate := r.renew(ctx, name, here, beat.Renew)
		r.mu.Lock()
		here.heard, here.certificate = time.Now(), certificate
		r.mu.Unlock()
	}
}

// renew certifies a node's key again if it asks for that. The certificate is
// told until the node stops asking, and counts from its next connection.
func (r *Registry) renew(ctx context.Context, name string, here *presence, request []byte) []byte {
	if len(request) == 0 {
		return nil
	}
	now := r.cfg.Now()
	r.mu.Lock()
	m, last, latest := r.members[name], here.certificate, here.renewed
	since := now.Sub(latest)
	recent := !latest.IsZero() && since >= 0 && since < renewPause
	known := m != nil && m.presence == here
	if known && !recent {
		here.renewed = now // tried, whatever comes of it: a node that asks on and on is answered at this pace
	}
	r.mu.Unlock()
	if recent || !known {
		return last
	}
	fail := func(err error) []byte {
		r.cfg.Log.ErrorContext(ctx, "renew certificate of node", "node", name, "error", err)
		return last
	}
	parsed, err := parseRequest(request)
	if err != nil {
		return fail(err)
	}
	if fingerprint(parsed.RawSubjectPublicKeyInfo) != m.Key {
		return fail(errors.New("it asks for another key than the one that it has joined with"))
	}
	issued, err := r.cfg.Authority.issue(parsed, name, now)
	if err != nil {
		return fail(err)
	}
	if err := r.cfg.Journal.Certify(ctx, name, issued.Admission, now); err != nil {
		return fail(err)
	}
	r.mu.Lock()
	m.Admission = issued.Admission
	r.mu.Unlock()
	r.cfg.Log.InfoContext(ctx, "certificate of node renewed", "node", name, "expires", issued.Expires)
	return issued.der
}

// short bounds what a node calls its version.
func short(build string) string { return inventory.Clip(build) }
