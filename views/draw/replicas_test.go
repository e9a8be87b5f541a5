package draw

import (
	"strings"
	"testing"
)

func replicasOf(cards int, apart bool) Replicas {
	d := Replicas{Title: "a step", Desc: "what cards have"}
	stages := []ReplicaStage{{Name: "Weight"}, {Name: "Gradient", Bar: "All-reduce: −2.00", Apart: apart}, {Name: "Weight after the update"}}
	for card := range cards {
		d.Names = append(d.Names, "Card "+string(rune('0'+card)))
		stages[0].Cells = append(stages[0].Cells, ReplicaCell{Words: "0.00", Alike: true})
		stages[1].Cells = append(stages[1].Cells, ReplicaCell{Words: "−1.60", Hues: []int{card}})
		stages[2].Cells = append(stages[2].Cells, ReplicaCell{Words: "1.00", Hues: []int{0, 1, 2, 3}, Alike: !apart})
	}
	d.Stages = stages
	return d
}

func TestReplicas(t *testing.T) {
	for name, d := range map[string]Replicas{"together": replicasOf(4, false), "apart": replicasOf(4, true), "one": replicasOf(1, false), "none": {Title: "?"}} {
		golden(t, "replicas-"+name, d.SVG())
		d.Narrow = true
		golden(t, "replicas-"+name+"-narrow", d.SVG())
	}
}

// Cards that do not communicate have no bar across them.
func TestReplicasApart(t *testing.T) {
	if !strings.Contains(replicasOf(4, false).SVG(), "g-comm") || strings.Contains(replicasOf(4, true).SVG(), "g-comm") {
		t.Error("the bar does not tell communication from none")
	}
}
