package calibrate

import (
	"maps"
	"slices"

	"lockstep/engine/unit"
)

// Compared is a measured run beside what the model says of it that has not seen
// a run of its kind and size.
type Compared struct {
	Measured
	Predicted unit.Seconds `json:"predicted_s"`
}

// Compare holds the runs of a calibration against its model. The costs are
// those that all runs have taught; what runs of a kind show beside is left out
// of its own prediction.
func Compare(c Calibration) []Compared {
	m := NewModel(c, nil)
	var all []Compared
	for _, run := range c.Measured {
		spec := run.spec()
		kind, err := m.alike(spec)
		if err != nil || run.Time <= 0 || run.Ranks < 2 {
			continue // of another version's catalogue
		}
		size := max(float64(run.Size), 1)
		unseen := &Model{processors: m.processors, found: m.found, anchors: maps.Clone(m.anchors)}
		unseen.anchors[kind] = slices.DeleteFunc(slices.Clone(m.anchors[kind]), func(a anchor) bool { return a.size == size })
		if p, err := unseen.Predict(spec); err == nil {
			all = append(all, Compared{run, p.Time})
		}
	}
	return all
}
