package cluster

import "context"

// Event is a node's coming, or its being turned away.
type Event struct {
	What EventKind
	Node string // its name, by its own word where it was refused
	From string // the address that it came from, with its port
	By   string // the token that let it in, empty for none
	// Refused is why nothing came of it, empty where it was done; Why is that as
	// one word: the case of the refusal, or its code where it has none.
	Refused, Why string
}

// EventKind is what an Event is about.
type EventKind string

// The kinds of event.
const (
	Joined  EventKind = "join"    // a node got its first certificate, or was refused it
	Refused EventKind = "connect" // a node was refused that came without a token
)

// Audit remembers events. What people do to nodes is for those to remember who
// know them.
type Audit interface {
	Record(ctx context.Context, e Event)
}

func (r *Registry) record(ctx context.Context, e Event) {
	if r.cfg.Audit != nil {
		r.cfg.Audit.Record(ctx, e)
	}
}
