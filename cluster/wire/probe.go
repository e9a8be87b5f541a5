package wire

import (
	"errors"
	"fmt"
	"io"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/unit"
)

// ProbeKey is what the two nodes of a measurement know each other by. The
// console makes one for every pair.
type ProbeKey [32]byte

// How long the parts of a measurement may take, at most.
const (
	MaxPings    = time.Second
	MaxTransfer = 2 * time.Second
	// ProbePatience bounds a measurement as a whole.
	ProbePatience = 10 * time.Second
)

// ProbeOrder opens a probe stream: one node listens, and the other, told where,
// dials and measures.
type ProbeOrder struct {
	Key      ProbeKey      `json:"key"`
	Dial     string        `json:"dial,omitempty"` // empty for the one that listens
	Pings    time.Duration `json:"pings_ns"`       // how long small messages go to and fro
	Transfer time.Duration `json:"transfer_ns"`    // how long bytes flow, each way
}

// ProbeReport is a node's answer. Who listens says first where, and an empty
// report when it is over; who dials says once what it found.
type ProbeReport struct {
	Listening string       `json:"listening,omitempty"`
	Latency   unit.Seconds `json:"latency_s,omitempty"` // half of the median round trip
	Out       unit.Rate    `json:"out_bytes_per_s,omitempty"`
	In        unit.Rate    `json:"in_bytes_per_s,omitempty"`
	Fault     string       `json:"fault,omitempty"` // why there is nothing
	// What the fault is; see inventory.Reason.
	Cause  inventory.Cause   `json:"cause,omitempty"`
	Values map[string]string `json:"values,omitempty"`
}

// FaultReport says why there is nothing.
func FaultReport(err error) ProbeReport {
	report := ProbeReport{Fault: err.Error()}
	if reason := new(inventory.Reason); errors.As(err, &reason) {
		report.Cause, report.Values = reason.Code, reason.Values
	}
	return report
}

// Err is the fault as its receiver may show it: an *inventory.Reason; nil for
// none.
func (p ProbeReport) Err() error {
	if p.Fault == "" {
		return nil
	}
	reason := inventory.Reason{Code: p.Cause, Values: p.Values, Message: p.Fault}.Clipped()
	return &reason
}

// probeLimit is how long a frame of a probe may be.
const probeLimit = 4 << 10

// ReadProbeOrder reads an order within its bounds.
func ReadProbeOrder(r io.Reader) (o ProbeOrder, err error) {
	if err := ReadFrame(r, &o, probeLimit); err != nil {
		return o, err
	}
	if o.Pings <= 0 || o.Pings > MaxPings || o.Transfer <= 0 || o.Transfer > MaxTransfer {
		return o, fmt.Errorf("probe of %v and %v; accepted: up to %v and %v", o.Pings, o.Transfer, MaxPings, MaxTransfer)
	}
	return o, nil
}

// WriteProbeOrder sends one.
func WriteProbeOrder(w io.Writer, o ProbeOrder) error { return WriteFrame(w, o, probeLimit) }

// ReadProbeReport reads a report.
func ReadProbeReport(r io.Reader) (p ProbeReport, err error) { return p, ReadFrame(r, &p, probeLimit) }

// WriteProbeReport sends one; a fault that is too long is cut.
func WriteProbeReport(w io.Writer, p ProbeReport) error {
	p.Fault = p.Fault[:min(len(p.Fault), 500)]
	return WriteFrame(w, p, probeLimit)
}
