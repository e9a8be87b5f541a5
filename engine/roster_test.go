package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// rosterFleet is a fleet with nodes, of which it admits a.
type rosterFleet struct {
	memoryFleet
	need []unit.Bytes
}

func (f *rosterFleet) Admit(spec trace.Spec, need []unit.Bytes) error {
	f.need = need
	for _, node := range spec.Nodes {
		if node != "a" && node != "b" {
			return &trace.FieldError{Field: "nodes", Message: "unknown node " + node}
		}
	}
	return nil
}

func TestRunsOnNodesNeedNodes(t *testing.T) {
	spec := ring(4)
	spec.Nodes = []string{"a", "b"}
	var field *trace.FieldError
	b := prepare(t, &memoryFleet{}, &memoryJournal{ledger: newLedger()}, engine.Config{})
	if _, err := b.Submit(t.Context(), spec); !errors.As(err, &field) || field.Field != "nodes" || !strings.Contains(field.Message, "this console has no nodes") {
		t.Errorf("%v", err)
	}

	f := &rosterFleet{}
	// What this machine offers does not bind the nodes.
	e, err := engine.New(engine.Config{Fleet: f, Planner: &planner{}, Journal: &memoryJournal{ledger: newLedger()}, Ranks: 2, Memory: 1})
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.Submit(t.Context(), spec)
	if err != nil || run.Nodes != 2 || !slices.Equal(run.NodeNames, spec.Nodes) {
		t.Fatalf("%+v, %v", run, err)
	}
	if len(f.need) != 4 || f.need[0] < 2*spec.Size {
		t.Errorf("the buffers take %v", f.need)
	}
	spec.Nodes = []string{"a", "nowhere"}
	if _, err := e.Submit(t.Context(), spec); !errors.As(err, &field) || field.Message != "unknown node nowhere" {
		t.Errorf("%v", err)
	}
}
