package plan

import (
	"strings"

	"lockstep/sizing/catalog"
)

// Request is an Ask in words: IDs of the catalogue, and the long flags of
// `console size`.
type Request struct {
	Model     string `json:"model"`
	System    string `json:"system"`
	Nodes     int    `json:"nodes"`
	Fabric    string `json:"fabric,omitempty"`
	Strategy  string `json:"strategy,omitempty"`
	Sequence  int    `json:"seq_len,omitempty"`
	Batch     int    `json:"global_batch,omitempty"`
	Precision string `json:"precision,omitempty"`
}

// Ask looks up what a request names, but for a model that is given outright.
// Errors are *schedule.RequestError.
func (q Request) Ask(known *catalog.Catalog, given *catalog.Model) (Ask, error) {
	a := Ask{Nodes: q.Nodes, Sequence: q.Sequence, Batch: q.Batch, Precision: strings.ToLower(q.Precision)}
	var err error
	if a.Strategy, err = ParseStrategy(q.Strategy); err != nil {
		return a, err
	}
	if given != nil {
		a.Model = *given
	} else if a.Model, err = known.Model(q.Model); err != nil {
		return a, refuse("model", "%v", err)
	}
	if a.System, err = known.System(q.System); err != nil {
		return a, refuse("system", "%v", err)
	}
	if a.Chip, err = known.Accelerator(a.System.Accelerator); err != nil {
		return a, refuse("system", "%v", err)
	}
	if q.Fabric != "" {
		fabric, err := known.Fabric(q.Fabric)
		if err != nil {
			return a, refuse("fabric", "%v", err)
		}
		a.Fabric = &fabric
	}
	return a, nil
}
