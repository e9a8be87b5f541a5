package draw

import "testing"

func TestDuties(t *testing.T) {
	golden(t, "duties", Duties{
		Frame:   Frame{Width: 600, Title: "Who does what"},
		Starter: "mpirun", Nodes: []string{"Node 0", "Node 1"}, PerNode: 2, Process: "Rank ", Device: "GPU",
		Control: "starts processes", Data: "moves data",
	}.SVG())
}
