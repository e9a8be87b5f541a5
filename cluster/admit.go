package cluster

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
	"lockstep/web/account"
)

// maxRedeemed bounds how many tokens are remembered that were used up for
// nothing, which is for account.JoinRetry.
const maxRedeemed = 256

// admit lets a node in that brings a join token, and returns its certificate.
// The event is filled in as far as the node got; an error is a refusal, or the
// console's own trouble.
func (r *Registry) admit(ctx context.Context, join wire.Join, conn *tls.Conn) (certificate []byte, event Event, err error) {
	event = Event{What: Joined, Node: printable(join.Name), From: conn.RemoteAddr().String()}
	now, from := r.cfg.Now(), addressOf(conn)
	if !r.attempts.allowed(from, now) {
		return nil, event, wire.Refuse(wire.TooMany, "too many attempts to join with tokens that let nobody in have come from this address; wait a minute")
	}
	// Nothing that a stranger sends may tell which names there are: those come
	// after the token.
	if err := wire.CheckName(join.Name); err != nil {
		return nil, event, wire.Refuse(wire.BadName, "%v", err)
	}
	request, err := parseRequest(join.Request)
	if err != nil {
		return nil, event, wire.Refuse(wire.BadRequest, "%v", err)
	}
	r.joining.Lock()
	defer r.joining.Unlock()
	key := fingerprint(request.RawSubjectPublicKeyInfo)
	token := fingerprint([]byte(join.Secret))
	by, err := r.redeem(ctx, join, key, token, now)
	event.By = by
	if errors.Is(err, account.ErrTokenRefused) {
		r.attempts.fail(from)
		return nil, event, wire.Refuse(wire.BadToken, "the join token is unknown, used, expired or revoked; make another: console token create --kind join")
	}
	if err != nil {
		r.cfg.Log.ErrorContext(ctx, "redeem join token", "error", err)
		return nil, event, err
	}
	// Somebody may have made room for the name a moment ago.
	if err := r.reload(ctx); err != nil {
		r.cfg.Log.ErrorContext(ctx, "look for changes of nodes", "error", err)
		return nil, event, err
	}
	if refusal := r.conflict(join.Name, key); refusal != nil {
		return nil, event, refusal
	}
	issued, err := r.cfg.Authority.issue(request, join.Name, now)
	if err != nil {
		r.cfg.Log.ErrorContext(ctx, "certify node", "node", join.Name, "error", err)
		return nil, event, err
	}
	e := inventory.Enrolment{Name: join.Name, Key: key, Token: token, Joined: now, Admission: issued.Admission}
	if err := r.cfg.Journal.Admit(ctx, e); err != nil {
		r.cfg.Log.ErrorContext(ctx, "keep node", "node", join.Name, "error", err)
		return nil, event, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.redeemed, token)
	if old := r.members[e.Name]; old != nil && old.presence != nil {
		old.presence.cut(unknownRefusal(e.Name))
	}
	r.members[e.Name] = &member{Enrolment: e}
	r.touch()
	return issued.der, event, nil
}

// redeem uses the token up, unless it was used up before by this very node,
// without success, and still counts. joining is held.
func (r *Registry) redeem(ctx context.Context, join wire.Join, key, token inventory.Fingerprint, now time.Time) (by string, err error) {
	r.mu.Lock()
	for t, at := range r.redeemed {
		if now.Sub(at) > account.JoinRetry {
			delete(r.redeemed, t)
		}
	}
	_, spare := r.redeemed[token]
	if m := r.members[join.Name]; m != nil && !spare {
		// Joined, and then the certificate was lost on its way: the key and the
		// secret together are the same proof as before.
		spare = m.Key == key && m.Token == token && m.Seen.IsZero() && m.presence == nil && !m.Revoked && now.Sub(m.Joined) <= account.JoinRetry
	}
	r.mu.Unlock()
	if spare {
		return r.cfg.Tokens.Redeemed(ctx, join.Secret)
	}
	if by, err = r.cfg.Tokens.Redeem(ctx, string(account.JoinToken), join.Secret, now); err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.redeemed) < maxRedeemed {
		r.redeemed[token] = now
	}
	return by, nil
}

// conflict refuses a name that another node has. joining is held.
func (r *Registry) conflict(name string, key inventory.Fingerprint) *wire.Refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[name]
	const still = "the token is good for another try within ten minutes"
	switch {
	case m == nil || m.Revoked:
		return nil
	case m.presence != nil:
		return wire.Refuse(wire.BadName, "node %s is connected, from %s: choose another --name for this one; %s", name, m.presence.address, still)
	case m.Key != key:
		return wire.Refuse(wire.BadName, "there is a node %s here already, with another key (%s): choose another --name, or, "+
			"if it is the same machine with a new --state folder, take the old one off the list first (console node forget %s); %s",
			name, lastSeen(m), name, still)
	}
	return nil
}

func lastSeen(m *member) string {
	if m.Seen.IsZero() {
		return "it has never connected"
	}
	return "last heard " + m.Seen.UTC().Format(time.RFC3339)
}

// recognise tells which node is at the other end by the certificate that it
// has shown, and reads what it says of itself.
func (r *Registry) recognise(ctx context.Context, conn *tls.Conn) (name string, hello wire.Hello, event Event, err error) {
	event = Event{What: Refused, From: conn.RemoteAddr().String()}
	state := conn.ConnectionState()
	if len(state.PeerCertificates) == 0 {
		return "", hello, event, wire.Refuse(wire.NoAdmission, "this agent shows no certificate; start it with --token-file to join").In(wire.CaseNone)
	}
	certificate, now := state.PeerCertificates[0], r.cfg.Now()
	err = r.cfg.Authority.check(certificate, now)
	if errors.Is(err, errStranger) {
		return "", hello, event, wire.Refuse(wire.NoAdmission, "this agent's certificate is of another console; %s", joinAnew).In(wire.CaseForeign)
	}
	name = certificate.Subject.CommonName
	event.Node = name
	if err != nil { // one of ours, out of its time
		var invalid x509.CertificateInvalidError
		if !errors.As(err, &invalid) || now.Before(certificate.NotBefore) {
			return "", hello, event, wire.Refuse(wire.NoAdmission, "the certificate of node %s does not count at this hour; compare the clocks of both machines", name).In(wire.CaseClock)
		}
		return "", hello, event, expiredRefusal(name, certificate.NotAfter)
	}
	owner, admission, err := r.cfg.Journal.Certificate(ctx, serialOf(certificate))
	switch {
	case errors.Is(err, inventory.ErrNoNode) || err == nil && owner != name:
		return "", hello, event, unknownRefusal(name)
	case err != nil:
		r.cfg.Log.ErrorContext(ctx, "look up certificate", "node", name, "error", err)
		return "", hello, event, err
	case admission.Revoked:
		return "", hello, event, revokedRefusal(name)
	}
	hello, err = wire.ReadHello(conn)
	if err != nil {
		return "", hello, event, wire.Refuse(wire.BadRequest, "%v", err)
	}
	if hello.Name != name {
		return "", hello, event, wire.Refuse(wire.BadName, "this agent says that it is node %q and has the certificate of node %s: start it with --name %s, or give it another --state folder", printable(hello.Name), name, name)
	}
	if l := hello.Limits; l.Ranks < 0 || l.Bytes < 0 || l.Seconds < 0 {
		return "", hello, event, wire.Refuse(wire.BadRequest, "node %s limits itself to %d ranks, %d bytes, %d seconds; accepted: 0 or more", name, l.Ranks, l.Bytes, l.Seconds)
	}
	if err := hello.Node.Check(); err != nil {
		return "", hello, event, wire.Refuse(wire.BadRequest, "what node %s says of its machine cannot be taken: %v", name, err)
	}
	return name, hello, event, nil
}

func fingerprint(b []byte) inventory.Fingerprint { return sha256.Sum256(b) }

// printable is a stranger's word as it may stand in a log or a message.
func printable(text string) string {
	if wire.CheckName(text) == nil {
		return text
	}
	quoted := fmt.Sprintf("%+q", text)
	return quoted[1:min(len(quoted)-1, 65)]
}
