package main

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

func TestTheSummaryOfARunSaysWhereItsRanksWere(t *testing.T) {
	spec, err := trace.Spec{
		Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 5, PerNode: 2, Size: 4000, Nodes: []string{"left", "middle", "right"},
	}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[trace.Encryption]string{trace.Sealed: "between nodes  encrypted", trace.Plain: "between nodes  in the clear, both ends proven"} {
		spec.Encryption = asked
		var text strings.Builder
		if err := writeRun(&text, trace.NewRun("7", spec, time.Time{})); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"node left      ranks 0 to 1", "node middle    ranks 2 to 3", "node right     rank 4", want} {
			if !strings.Contains(text.String(), line+"\n") {
				t.Errorf("no line %q in:\n%s", line, text.String())
			}
		}
		if strings.Contains(text.String(), "to a node") {
			t.Errorf("its nodes are counted besides:\n%s", text.String())
		}
	}
}
