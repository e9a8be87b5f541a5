package rank_test

import (
	"testing"

	"go.uber.org/goleak"

	"lockstep/engine/rank"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// takeAll returns the marks of a rank's latest iteration.
func takeAll(w *twins, r int) []rank.Mark {
	var all []rank.Mark
	buffer := make([]rank.Mark, 100)
	for {
		_, n := w.jobs[r].Progress.Take(buffer)
		if n == 0 {
			return all
		}
		all = append(all, buffer[:n]...)
	}
}
