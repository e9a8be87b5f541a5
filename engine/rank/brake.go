package rank

import (
	"sync/atomic"
	"time"
)

// Brake makes a rank slow while it runs, to show what a slow rank does to the
// others: after each slice it rests so long that the slice has taken factor
// times its time. The zero value does nothing. It is safe for concurrent use.
type Brake struct{ factor atomic.Int64 }

// Set makes everything take factor times as long from now on; 1 or less lets
// go, also of a rest under way.
func (b *Brake) Set(factor int) { b.factor.Store(int64(factor)) }

// rest returns what is owed for work that took so long.
func (b *Brake) rest(took time.Duration) time.Duration {
	if b == nil {
		return 0
	}
	return took * time.Duration(max(b.factor.Load()-1, 0))
}

const (
	// shortestRest is worth a timer; less is saved up.
	shortestRest = 200 * time.Microsecond
	// restPiece is how long a rank rests at once: then it looks up, so that a
	// rest counts as a sign of life and ends when it is no longer owed.
	restPiece = 50 * time.Millisecond
)

// braked reports whether it slows anything at the moment.
func (b *Brake) braked() bool { return b != nil && b.factor.Load() > 1 }

// rest waits for as long as work of kind k that took so long is braked; debt is
// what was saved up. It returns the new debt.
func (x *execution) rest(k WorkKind, took, debt time.Duration) (time.Duration, error) {
	owed := x.Brake.rest(took)
	if owed == 0 {
		return 0, nil
	}
	for debt += owed; debt >= shortestRest; {
		begun := time.Now()
		if err := x.pause(min(debt, restPiece)); err != nil {
			return 0, err
		}
		rested := time.Since(begun)
		x.meter.busy(k, rested)
		x.meter.publish(&x.Progress.work)
		x.Progress.Moved.Add(1)
		if debt -= rested; x.Brake.rest(1) == 0 {
			return 0, nil
		}
	}
	return debt, nil
}
