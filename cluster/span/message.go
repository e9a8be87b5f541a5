package span

import (
	"encoding/json"
	"errors"

	"lockstep/cluster/conduct"
	"lockstep/cluster/inventory"
	"lockstep/engine/link"
	"lockstep/engine/trace"
)

// Protocol is the version of this conversation. Both ends must have the same.
const Protocol = 1

// share is what a console asks of an agent.
type share struct {
	Protocol int             `json:"protocol"`
	ID       string          `json:"id"`  // of the run, for people
	Run      string          `json:"run"` // the name on the links
	Key      link.Key        `json:"key"`
	Spec     trace.Spec      `json:"spec"`
	Node     int             `json:"node"`               // which of the spec's nodes the agent is
	Schedule json.RawMessage `json:"schedule,omitempty"` // an imported one; the others are built by the spec's request
	Hash     string          `json:"hash"`               // of the schedule
}

// accept says that an agent carries its share out.
type accept struct {
	Freezes bool `json:"freezes"` // its system can stop a process
}

// refuse says why it does not.
type refuse struct{ because }

// because is why an agent does not do something, or no longer.
type because struct {
	Why    string            `json:"why"`
	Code   inventory.Cause   `json:"code,omitempty"`
	Values map[string]string `json:"values,omitempty"`
}

func newBecause(err error) because {
	if reason := new(inventory.Reason); errors.As(err, &reason) {
		return because{err.Error(), reason.Code, reason.Values}
	}
	return because{Why: err.Error()}
}

// reason is what the console makes of it.
func (b because) reason() *inventory.Reason {
	reason := inventory.Reason{Code: b.Code, Values: b.Values, Message: b.Why}.Clipped()
	return &reason
}

// beat is a sign of life. That of an agent has the state of the process of each
// of its ranks.
type beat struct {
	States []conduct.State `json:"states,omitempty"`
}

// order is a signal to the process of a rank.
type order struct {
	Rank   int          `json:"rank"`
	Signal trace.Signal `json:"signal"`
}

// gone says how the process of a rank ended.
type gone struct {
	Rank int    `json:"rank"`
	How  string `json:"how"`
}

// leave says why an agent ends its share unasked. It comes before the processes
// end.
type leave struct{ because }
