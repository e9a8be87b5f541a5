package trace_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

func onNodes(ranks, perNode int, nodes ...string) trace.Spec {
	return trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: ranks, PerNode: perNode, Size: 4096, Nodes: nodes}
}

func TestRanksAreSpreadBlockWise(t *testing.T) {
	for _, c := range []struct {
		spec trace.Spec
		want string // the node of each rank
	}{
		{onNodes(4, 0, "a", "b"), "a a b b"},
		{onNodes(5, 0, "a", "b"), "a a a b b"},
		{onNodes(7, 3, "c", "a", "b"), "c c c a a a b"},
		{onNodes(3, 0, "a", "b", "c"), "a b c"},
		{onNodes(4, 0, "a"), "a a a a"},
		{onNodes(4, 2, "a"), "a a a a"}, // two nodes of the schedule, one of the cluster
		{onNodes(2, 0), " "},
	} {
		spec, err := c.spec.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		run := trace.NewRun("1", spec, time.Time{})
		names := make([]string, spec.Ranks)
		for rank := range names {
			names[rank] = spec.NodeName(rank)
			if got := run.NodeName(rank); got != names[rank] {
				t.Errorf("%v: rank %d on %s, by the document on %s", spec.Nodes, rank, names[rank], got)
			}
			if first, end := spec.RanksOn(spec.NodeOf(rank)); rank < first || rank >= end {
				t.Errorf("%v: node %d has ranks %d to %d, without %d", spec.Nodes, spec.NodeOf(rank), first, end, rank)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v: %q, want %q", spec.Nodes, got, c.want)
		}
		again, err := spec.Resolve()
		if err != nil || !slices.Equal(again.Nodes, spec.Nodes) || again.PerNode != spec.PerNode || again.Encryption != spec.Encryption || again.Link != spec.Link {
			t.Errorf("resolved again: %+v, %v; want %+v", again, err, spec)
		}
	}
}

func TestEdgesBetweenNodesAreSealedUnlessAskedOtherwise(t *testing.T) {
	for asked, want := range map[trace.Encryption]trace.Encryption{"": trace.Sealed, trace.Sealed: trace.Sealed, trace.Plain: trace.Plain} {
		spec := onNodes(4, 0, "a", "b")
		spec.Encryption = asked
		spec, err := spec.Resolve()
		if err != nil || spec.Encryption != want || spec.Link != trace.TCP {
			t.Errorf("%q: %q over %s, %v", asked, spec.Encryption, spec.Link, err)
		}
	}
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2, Encryption: trace.Plain}.Resolve()
	if err != nil || spec.Encryption != "" {
		t.Errorf("on one machine: %q, %v", spec.Encryption, err)
	}
}

func TestNodesThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		spec  trace.Spec
		field string
		says  string
	}{
		{onNodes(4, 0, "a", "a"), "nodes", "node a is named twice"},
		{onNodes(4, 0, "a", ""), "nodes", `"" is no name of a node`},
		{onNodes(4, 0, "a", "b,c"), "nodes", "is no name of a node"},
		{onNodes(4, 0, strings.Repeat("x", 65)), "nodes", "1 to 64 printable characters"},
		{onNodes(2, 0, "a", "b", "c"), "nodes", "3 nodes for 2 ranks"},
		{onNodes(4, 0, "a", "b", "c"), "nodes", "4 ranks, 2 to a node, are on 2 nodes, but 3 are named"},
		{onNodes(8, 2, "a", "b"), "nodes", "8 ranks, 2 to a node, are on 4 nodes, but 2 are named"},
		{onNodes(4, -1, "a", "b"), "ranks-per-node", "1 or more"},
	} {
		_, err := c.spec.Resolve()
		var field *trace.FieldError
		if !errors.As(err, &field) || field.Field != c.field || !strings.Contains(field.Message, c.says) {
			t.Errorf("%+v: %v; want %s", c.spec.Nodes, err, c.says)
		}
	}
	spec := onNodes(4, 0, "a", "b")
	spec.Link = trace.Shm
	var field *trace.FieldError
	if _, err := spec.Resolve(); !errors.As(err, &field) || field.Field != "link" || !strings.Contains(field.Message, "ranks on 2 nodes share no memory; accepted: auto, tcp") {
		t.Errorf("%v", err)
	}
	spec.Link, spec.Encryption = "", "maybe"
	if _, err := spec.Resolve(); !errors.As(err, &field) || field.Field != "encryption" || !strings.Contains(field.Message, "accepted: on, off") {
		t.Errorf("%v", err)
	}
}

func TestTheDocumentNamesNodes(t *testing.T) {
	spec, err := onNodes(4, 0, "a", "b").Resolve()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(trace.NewRun("1", spec, time.Time{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"nodes":2`, `"node_names":["a","b"]`, `"encryption":"on"`, `"link":"tcp"`, `"ranks_per_node":2`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
}
