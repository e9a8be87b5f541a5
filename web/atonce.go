package web

import (
	"context"
	"runtime"
)

// atOnce bounds how much is worked out at the same time. A class that opens a
// lesson in the same second would otherwise have sixty of them in memory, all
// of them late; so each waits for its turn, and holds one while it computes,
// never while it writes to a slow visitor.
type atOnce chan struct{}

// newAtOnce has two turns for each processor: one computes while another's
// memory is cleared.
func newAtOnce() atOnce { return make(atOnce, 2*runtime.GOMAXPROCS(0)) }

// workOut computes in a turn, or ends with the context's error where the
// visitor leaves before it comes.
func workOut[T any](ctx context.Context, turns atOnce, compute func() (T, error)) (T, error) {
	select {
	case turns <- struct{}{}:
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
	defer func() { <-turns }()
	return compute()
}
