package present

import (
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// TestFormsLeaveOutASingleRank: closed forms are written without the factor
// that only one rank makes 0, and with it beside one rank.
func TestFormsLeaveOutASingleRank(t *testing.T) {
	entry, err := schedule.Find(schedule.AllReduce, "central")
	if err != nil {
		t.Fatal(err)
	}
	l := frames(t)["en"].Locale
	if got := typeset(l, entry.Rounds, 4); got != "2" {
		t.Errorf("rounds of central for 4 ranks are written %q, want 2", got)
	}
	if got := typeset(l, entry.Rounds, 1); got != "2·min(n−1, 1)" {
		t.Errorf("rounds of central for 1 rank are written %q", got)
	}
	for _, entry := range schedule.Catalog() {
		for _, form := range []schedule.Expr{entry.Rounds, entry.Sent, entry.Received} {
			if got := typeset(l, form, 4); got == "" || strings.Contains(got, "min(n−1, 1)") {
				t.Errorf("%s %s: %q is written %q", entry.Collective, entry.Algorithm, form, got)
			}
		}
	}
}
