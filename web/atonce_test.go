package web

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestSoMuchIsWorkedOutAtOnce(t *testing.T) {
	turns := make(atOnce, 2)
	var now, most atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			got, err := workOut(t.Context(), turns, func() (int32, error) {
				at := now.Add(1)
				defer now.Add(-1)
				for seen := most.Load(); at > seen && !most.CompareAndSwap(seen, at); seen = most.Load() {
				}
				return at, nil
			})
			if err != nil || got < 1 {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
	all.Wait()
	if most.Load() > 2 {
		t.Errorf("%d at once, want at most 2", most.Load())
	}
}

func TestATurnComesBackWhateverHappens(t *testing.T) {
	turns := make(atOnce, 1)
	func() {
		defer func() { _ = recover() }()
		_, _ = workOut(t.Context(), turns, func() (int, error) { panic("broken") })
	}()
	failure := errors.New("broken")
	if _, err := workOut(t.Context(), turns, func() (int, error) { return 0, failure }); !errors.Is(err, failure) {
		t.Error(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := workOut(t.Context(), turns, func() (int, error) { // the only turn
		_, err := workOut(gone, turns, func() (int, error) { return 0, nil })
		return 0, err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("who has left waits on: %v", err)
	}
}
