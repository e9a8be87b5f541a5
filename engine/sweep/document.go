package sweep

import (
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Document is a comparison as `console run --sweep --json` prints it. Fields
// that do not apply are absent.
type Document struct {
	Version    int                 `json:"version"`
	ID         string              `json:"id"`
	State      State               `json:"state"`
	Collective schedule.Collective `json:"collective"`
	Ranks      int                 `json:"ranks"`
	Root       *int                `json:"root,omitempty"`
	PerNode    int                 `json:"ranks_per_node,omitempty"`
	DType      schedule.DType      `json:"dtype"`
	Op         schedule.ReduceOp   `json:"op"`
	Sweep      string              `json:"sweep"` // the range of sizes, such as 8B:64MiB:x4
	Ways       []Way               `json:"ways"`
	Points     []Measured          `json:"points"` // by size, then in the order of the ways
	Created    time.Time           `json:"created"`
	Ended      time.Time           `json:"ended,omitzero"`
}

// Measured is one run of a comparison, or why there is none.
type Measured struct {
	Size      unit.Bytes     `json:"size_bytes"`
	Backend   trace.Backend  `json:"backend"`
	Algorithm string         `json:"algorithm"` // that was carried out, where auto was asked for
	Link      trace.Link     `json:"link,omitempty"`
	Library   *trace.Library `json:"library,omitempty"`
	Run       string         `json:"run,omitempty"`
	Outcome   trace.Outcome  `json:"outcome,omitempty"`
	Verified  bool           `json:"verified"`
	Times     *trace.Times   `json:"time_s,omitempty"`
	AlgBW     float64        `json:"algbw_gbytes_per_s,omitempty"`
	BusBW     float64        `json:"busbw_gbytes_per_s,omitempty"`
	Predicted float64        `json:"predicted_s,omitempty"`
	Left      Reason         `json:"reason,omitempty"`
	Says      string         `json:"message,omitempty"`
}

// Document returns the comparison as a document.
func (c Comparison) Document() Document {
	b := c.Request.Base
	d := Document{
		Version: 1, ID: c.ID, State: c.State, Collective: b.Collective, Ranks: b.Ranks, PerNode: b.PerNode, DType: b.DType, Op: b.Op,
		Sweep: c.Request.Range.String(), Ways: c.Request.Ways, Points: []Measured{}, Created: c.Created, Ended: c.Ended,
	}
	if b.Collective.Rooted() {
		d.Root = &b.Root
	}
	if d.DType == "" {
		d.DType = schedule.Float32
	}
	if d.Op == "" {
		d.Op = schedule.Sum
	}
	for i, p := range c.Points {
		spec, _ := c.Request.At(i)
		m := Measured{Size: spec.Size, Backend: spec.Backend, Algorithm: spec.Algorithm, Left: p.Left, Says: p.Says}
		if r := p.Run; r.ID != "" {
			m.Algorithm, m.Link, m.Library, m.Run, m.Outcome, m.Verified = r.Algorithm, r.Link, r.Library, r.ID, r.Outcome, r.Verified
			m.Times, m.AlgBW, m.BusBW, m.Predicted = r.Times, r.AlgBW, r.BusBW, r.Predicted
			if r.Failure != nil {
				m.Says = r.Failure.Message
			}
		}
		d.Points = append(d.Points, m)
	}
	return d
}
