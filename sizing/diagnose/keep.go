package diagnose

import (
	"errors"
	"fmt"

	"lockstep/engine/unit"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/measured"
)

// ErrNothingToKeep says that no table of a log can be what predictions rest on.
var ErrNothingToKeep = errors.New("no table says its collective, its ranks, a known system and at least two sizes; state what is missing")

// UnfitError is a log that predictions must not rest on, by what it shows.
type UnfitError struct {
	Name  string
	Shows Finding
}

func (e *UnfitError) Error() string {
	return fmt.Sprintf("%s is of no use: %s (%s); check %s", e.Name, e.Shows.Message, e.Shows.Evidence, e.Shows.Check)
}

// Tables reads what of a log predictions can rest on: the best time of each
// size, and the system in words. Tables that lack something are left out; the
// error is ErrNothingToKeep where none remains, a *UnfitError where a table is
// Unusable, and as of Read otherwise.
func (d *Doctor) Tables(name string, text []byte, says Statement) ([]measured.KeptTable, error) {
	if err := d.Check(says); err != nil {
		return nil, err
	}
	logs := benchlog.ParseStated(name, text, says.gaps())
	if len(logs) == 0 {
		return nil, &NoTableError{name}
	}
	var all []measured.KeptTable
	for _, log := range logs {
		c := &chart{log: log, curve: curveOf(log)}
		var f File
		d.expect(c, &f, says)
		for _, found := range c.findings() {
			if found.voids() {
				return nil, &UnfitError{name, found}
			}
		}
		w, _ := words(log)
		w = d.onto(w, says)
		if !c.known || log.Ranks < 2 || log.Collective == "" || log.PerPeer || len(c.curve) < 2 {
			continue
		}
		t := measured.KeptTable{
			File: name, Collective: log.Collective, GPU: w.GPU, IntraLink: w.IntraLink, InterLink: w.InterLink, InterGbps: w.InterGbpsPerNode, ScaleUp: w.ScaleUpRate,
			Settings: w.Settings, Ranks: c.system.Ranks, Nodes: c.system.Nodes, PerNode: c.system.PerNode,
		}
		for _, p := range c.curve {
			t.Rows = append(t.Rows, measured.KeptRow{Size: unit.Bytes(p.size), Time: p.time})
		}
		all = append(all, t)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrNothingToKeep)
	}
	return all, nil
}
