package site

import (
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// TestTheChoiceIsExplained: every answer says why its algorithm is the one, no
// algorithm stands among its alternatives twice, and one comes next.
func TestTheChoiceIsExplained(t *testing.T) {
	d, err := OpenDesk()
	if err != nil {
		t.Fatal(err)
	}
	for _, system := range []string{"dgx-h100", "hgx-a100-8nic", "gb200-nvl72", "mi300x-8", "srv-8xl40s", "dgx-spark"} {
		for _, nodes := range []int{1, 2, 8, 5000} {
			for _, c := range schedule.Collectives() {
				for _, size := range []unit.Bytes{0, 4096, unit.GiB} {
					s, err := Describe(d.Known, Ask{System: system, Nodes: nodes})
					if err != nil {
						t.Fatal(err)
					}
					a := d.Library.Answer(s.Case(c, size))
					seen := map[string]bool{}
					for _, other := range a.Alternatives {
						if seen[other.Algorithm] {
							t.Errorf("%d × %s, %s of %s: %v lists %s twice", nodes, system, c, size, a.Alternatives, other.Algorithm)
						}
						seen[other.Algorithm] = true
					}
					text := s.Chosen(a)
					if a.Choice.Code == "" || a.Choice.Reason == "" || !strings.HasPrefix(text, a.Algorithm+": "+a.Choice.Reason) {
						t.Errorf("%d × %s, %s: %q, %+v", nodes, system, c, text, a.Choice)
					}
					alone := s.Ranks() < 2 || s.Ranks() > schedule.MaxRanks
					if next := strings.Contains(text, " as long"); next == alone && a.Choice.RunnerUp == nil && c != schedule.SendRecv && c != schedule.Barrier {
						t.Errorf("%d × %s, %s of %s: %q", nodes, system, c, size, text)
					}
				}
			}
		}
	}
}
