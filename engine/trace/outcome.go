package trace

import (
	"encoding/json"
	"errors"

	"lockstep/cluster/inventory"
)

// Outcome is how a run stands or ended.
type Outcome string

// The states of a run; the last three are final.
const (
	Queued    Outcome = "queued"
	Running   Outcome = "running"
	Done      Outcome = "done"
	Failed    Outcome = "failed"
	Cancelled Outcome = "cancelled"
)

// Final reports whether the run has ended.
func (o Outcome) Final() bool { return o == Done || o == Failed || o == Cancelled }

// FailureKind is why a run failed.
type FailureKind string

// The kinds of failure.
const (
	ProcessDied    FailureKind = "process-died"
	ProcessFrozen  FailureKind = "process-frozen"
	LinkStalled    FailureKind = "link-stalled"
	WrongResult    FailureKind = "wrong-result"
	StartFailed    FailureKind = "start-failed"
	AgentLost      FailureKind = "agent-lost"    // a node can no longer be reached, by its agent's silence or its connection's end
	NodeLimit      FailureKind = "node-limit"    // a node has ended the run, which took longer than it accepts
	Unreachable    FailureKind = "unreachable"   // two ranks that must speak cannot reach each other
	LibraryFailed  FailureKind = "library-error" // a vendor's library could not be loaded, or refused
	ConsoleStopped FailureKind = "console-stopped"
	Internal       FailureKind = "internal"
)

// Culprit names who is to blame; absent where nobody is.
type Culprit struct {
	Rank *int   `json:"rank,omitempty"`
	Link string `json:"link,omitempty"` // "2->3"
	Node string `json:"node,omitempty"`
}

// Failure is why and where a run failed. Step is the ID of the culprit's first
// unfinished step and Round its raw round; Step is -1 when the run had not come
// to any step, and the JSON then has neither.
type Failure struct {
	Kind          FailureKind
	Culprit       Culprit
	Step          int
	Round         int
	DetectedAfter float64 // seconds since the culprit's last sign of life
	Message       string
	Values        Values // of the message, beside what the fields say already
}

// failureDoc is the JSON form of a Failure.
type failureDoc struct {
	Kind          FailureKind `json:"kind"`
	Culprit       Culprit     `json:"culprit,omitzero"`
	Step          *int        `json:"step_id,omitempty"`
	Round         *int        `json:"round,omitempty"`
	DetectedAfter float64     `json:"detected_after_s,omitzero"`
	Message       string      `json:"message"`
	Values        Values      `json:"values,omitempty"`
}

// MarshalJSON leaves out the step where there is none.
func (f Failure) MarshalJSON() ([]byte, error) {
	doc := failureDoc{Kind: f.Kind, Culprit: f.Culprit, DetectedAfter: f.DetectedAfter, Message: f.Message, Values: f.Values}
	if f.Step >= 0 {
		doc.Step, doc.Round = &f.Step, &f.Round
	}
	return json.Marshal(doc)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Failure) UnmarshalJSON(text []byte) error {
	var doc failureDoc
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	*f = Failure{Kind: doc.Kind, Culprit: doc.Culprit, Step: -1, DetectedAfter: doc.DetectedAfter, Message: doc.Message, Values: doc.Values}
	if doc.Step != nil {
		f.Step = *doc.Step
	}
	if doc.Round != nil {
		f.Round = *doc.Round
	}
	return nil
}

func (f *Failure) Error() string { return f.Message }

// Because notes why, if err tells: the cause as the value "why", and what it
// has to say.
func (f *Failure) Because(err error) {
	reason := new(inventory.Reason)
	if !errors.As(err, &reason) || reason.Code == "" {
		return
	}
	f.Values = Values{"why": string(reason.Code)}
	for name, value := range reason.Values {
		if name != "why" {
			f.Values[name] = value
		}
	}
}

// Warning is a doubt about a result, carried as data.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Values  Values `json:"values,omitempty"`
}

// Values are what a message in English says, by name, so that it can be said
// in another language: counts and percentages as plain numbers, quantities
// with their unit. Which names there are depends on the code or kind; "why"
// tells cases of one code apart.
type Values map[string]string
