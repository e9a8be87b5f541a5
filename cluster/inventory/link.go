package inventory

import (
	"time"

	"lockstep/engine/unit"
)

// Link is what a probe found of the way from one node to another. It has a
// direction: From sent the bytes whose rate was taken.
type Link struct {
	From    string       `json:"from"`
	To      string       `json:"to"`
	Latency unit.Seconds `json:"latency_s,omitempty"`        // half of the median round trip of a small message
	Rate    unit.Rate    `json:"rate_bytes_per_s,omitempty"` // of one long transfer
	Time    time.Time    `json:"measured_at,omitzero"`       // when it was taken
	Slow    bool         `json:"slow,omitempty"`             // much slower than its peers
	Fault   string       `json:"fault,omitempty"`            // why there are no figures, in English; empty where there are
	// What the fault is, to be said in any language; see Reason.
	Cause  Cause             `json:"fault_cause,omitempty"`
	Values map[string]string `json:"fault_values,omitempty"`
}

// Probing is how far a probe of all pairs of nodes is.
type Probing struct {
	Began time.Time
	Done  int // pairs
	Of    int
}
