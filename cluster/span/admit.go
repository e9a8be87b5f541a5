package span

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Admit refuses, with a *trace.FieldError, a run on nodes that are not there or
// that would not carry it out. The spec is resolved; need is what the buffers
// of each rank take. An agent has the last word when the run begins.
func (f *Fleet) Admit(spec trace.Spec, need []unit.Bytes) error {
	members := f.nodes.List()
	for i, name := range spec.Nodes {
		at := slices.IndexFunc(members, func(m inventory.Member) bool { return m.Name == name })
		if at < 0 {
			return &trace.FieldError{Field: "nodes", Message: fmt.Sprintf("unknown node %q; accepted: %s", name, known(members))}
		}
		m := &members[at]
		if m.Standing != inventory.Ready {
			return &trace.FieldError{Field: "nodes", Message: fmt.Sprintf("node %s is %s; accepted: %s", name, m.Standing, known(members))}
		}
		first, end := spec.RanksOn(i)
		if most := m.Limits.Ranks; most > 0 && end-first > most {
			return &trace.FieldError{Field: "ranks", Message: fmt.Sprintf("%d ranks on node %s, which accepts %d at most", end-first, name, most)}
		}
		total := unit.Bytes(0)
		for _, bytes := range need[first:end] {
			total += bytes
		}
		if most := m.Limits.Bytes; most > 0 && total > most {
			return &trace.FieldError{Field: "size", Message: fmt.Sprintf("the buffers of %d ranks would take %s on node %s, which accepts %s at most", end-first, total, name, most)}
		}
		if has := m.Node.Memory; has > 0 && total > has {
			return &trace.FieldError{Field: "size", Message: fmt.Sprintf("the buffers of %d ranks would take %s on node %s, which has %s of memory", end-first, total, name, has)}
		}
	}
	return nil
}

// known names the nodes that take runs.
func known(members []inventory.Member) string {
	var ready []string
	for _, m := range members {
		if m.Standing == inventory.Ready {
			ready = append(ready, m.Name)
		}
	}
	if len(ready) == 0 {
		return "none, as no node is ready; start console agent on one"
	}
	return strings.Join(ready, ", ")
}
