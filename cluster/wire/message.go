package wire

import (
	"fmt"
	"io"
	"time"

	"lockstep/cluster/inventory"
)

// Protocol is the version of this conversation. Both ends must have the same.
const Protocol = 1

// How often both ends of a control stream say how things stand, and after how
// long without a word the other is given up.
const (
	BeatInterval = 500 * time.Millisecond
	Silence      = 4 * time.Second
)

// Greeting is an agent's first frame. Its first three fields mean the same in
// every version of the protocol.
type Greeting struct {
	Protocol int    `json:"protocol"`
	Build    string `json:"build"`
	// Join is there if the agent wants to be let in; otherwise a Hello follows.
	Join *Join `json:"join,omitempty"`
}

// Join asks for a certificate.
type Join struct {
	Secret  string `json:"secret"`
	Name    string `json:"name"`
	Request []byte `json:"request"` // PKCS #10, DER
}

// Hello is what an agent with a certificate says of its node.
type Hello struct {
	Name   string           `json:"name"`
	Limits inventory.Limits `json:"limits"`
	Node   inventory.Node   `json:"node"`
}

// Answer is the console's first frame.
type Answer struct {
	Refusal *Refusal `json:"refusal,omitempty"`
	Build   string   `json:"build,omitempty"`
	// Certificate (DER) is for an agent that joins.
	Certificate []byte `json:"certificate,omitempty"`
}

// ReadGreeting reads the first frame of whoever dialled.
func ReadGreeting(r io.Reader) (g Greeting, err error) { return g, ReadFrame(r, &g, greetingLimit) }

// WriteGreeting sends an agent's first frame.
func WriteGreeting(w io.Writer, g Greeting) error { return WriteFrame(w, g, greetingLimit) }

// ReadHello reads the frame after the Greeting.
func ReadHello(r io.Reader) (h Hello, err error) { return h, ReadFrame(r, &h, helloLimit) }

// WriteHello sends the frame after the Greeting.
func WriteHello(w io.Writer, h Hello) error { return WriteFrame(w, h, helloLimit) }

// ReadAnswer reads what the console says to a Greeting. The error of a refusal
// is a *Refusal.
func ReadAnswer(r io.Reader) (a Answer, err error) {
	if err := ReadFrame(r, &a, answerLimit); err != nil {
		return a, err
	}
	if a.Refusal != nil {
		return a, a.Refusal
	}
	return a, nil
}

// WriteAnswer answers a Greeting.
func WriteAnswer(w io.Writer, a Answer) error { return WriteFrame(w, a, answerLimit) }

// ConsoleBeat is how things stand with a node, by the console.
type ConsoleBeat struct {
	Draining bool `json:"draining,omitempty"`
	// Certificate (DER) is the node's newest, once it has asked for one.
	Certificate []byte `json:"certificate,omitempty"`
	// Leave says that this connection is over, and why.
	Leave *Refusal `json:"leave,omitempty"`
}

// AgentBeat is how things stand with a node, by its agent.
type AgentBeat struct {
	// Renew asks for a certificate for the key that this certificate request
	// (PKCS #10, DER) is signed with: the one that the node has joined with.
	Renew []byte `json:"renew,omitempty"`
}

// ReadBeat reads either beat into v.
func ReadBeat(r io.Reader, v any) error { return ReadFrame(r, v, controlLimit) }

// WriteBeat sends either.
func WriteBeat(w io.Writer, v any) error { return WriteFrame(w, v, controlLimit) }

// Code is what a Refusal is about.
type Code string

// The codes.
const (
	BadProtocol  Code = "protocol"    // the other end speaks another version
	BadToken     Code = "token"       // it lets nobody in
	BadName      Code = "name"        // no name, or another node's
	BadRequest   Code = "request"     // not what this protocol says
	NoAdmission  Code = "admission"   // no certificate, or none that counts: join anew
	Connected    Code = "connected"   // the node is connected already
	TooMany      Code = "too-many"    // try again later
	Unavailable  Code = "unavailable" // the console cannot, for a reason of its own
	ConsoleEnded Code = "ended"       // the console ends, and may come back
)

// Refusal is why a console does not do what an agent asks, in one sentence for
// a person. It is an error.
type Refusal struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// Case tells refusals of one code apart, for the console's own log.
	Case string `json:"-"`
}

// The cases of NoAdmission.
const (
	CaseNone    = "none"    // no certificate
	CaseForeign = "foreign" // one of another console
	CaseClock   = "clock"   // one that does not count yet
	CaseExpired = "expired"
	CaseRevoked = "revoked"
	CaseUnknown = "unknown" // of a node that is not known any more
)

// In tells the case.
func (r *Refusal) In(one string) *Refusal {
	r.Case = one
	return r
}

func (r *Refusal) Error() string { return r.Message }

// Final reports whether asking again the same way cannot help.
func (r *Refusal) Final() bool {
	switch r.Code {
	case Connected, TooMany, Unavailable, ConsoleEnded:
		return false
	}
	return true
}

// Refuse makes a Refusal.
func Refuse(code Code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}

// CheckProtocol refuses an agent of another version.
func (g Greeting) CheckProtocol() *Refusal {
	if g.Protocol != Protocol {
		return Refuse(BadProtocol, "the console speaks protocol %d, this agent %d: install the same version on both", Protocol, g.Protocol)
	}
	return nil
}

// The kinds of streams.
const (
	ControlKind = "control" // beats, opened first
	RunKind     = "run"     // a run's ranks on the node
	ProbeKind   = "probe"   // one end of a measurement between two nodes
)
