package measured

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The table of docs/formulas.md is that of the measurements.
func TestNetworkSharesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/formulas.md")
	if err != nil {
		t.Fatal(err)
	}
	var table []string
	for line := range strings.SplitSeq(string(page), "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 6 && strings.HasSuffix(strings.TrimSpace(cells[3]), "%") && strings.Contains(cells[2], " / ") {
			table = append(table, strings.TrimSpace(cells[2])+", "+strings.TrimSpace(cells[3]))
		}
	}
	shares, err := NetworkShares()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shares {
		if text := fmt.Sprintf("%.1f / %.1f, %.0f %%", s.Bus, s.Bound, 100*s.Share()); !strings.Contains(strings.Join(table, "\n"), text) {
			t.Errorf("%s: %s is not in the table:\n%s", s.ID, text, strings.Join(table, "\n"))
		}
	}
	if len(shares) != len(table) || len(shares) < 5 {
		t.Errorf("%d shares, the table has %d", len(shares), len(table))
	}
	low, high, err := NetworkShareRange()
	if err != nil || low < 0.7 || low >= high || high > 1 {
		t.Errorf("the shares reach from %.3f to %.3f: %v; below 0.7 the interval of a physics-only time is too narrow", low, high, err)
	}
}
