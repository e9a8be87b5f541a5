package auth

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// clocked is a throttle with a clock that the test moves.
func clocked() (*Throttle, *time.Time) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	return NewThrottle(func() time.Time { return now }), &now
}

// guess fails as fast as the throttle lets it for a while, and returns how
// often it was let.
func guess(t *Throttle, now *time.Time, account func(int) string, address func(int) string, d time.Duration) int {
	let := 0
	for end := now.Add(d); now.Before(end); {
		a, from := account(let), address(let)
		wait := t.Begin(a, from)
		if wait == 0 {
			t.Fail(a, from)
			let++
			continue
		}
		*now = now.Add(wait)
	}
	return let
}

func always(text string) func(int) string { return func(int) string { return text } }

func TestGuessingGetsSlower(t *testing.T) {
	for name, c := range map[string]struct {
		account, address func(int) string
		most             int // in an hour
	}{
		"one account from one address":        {always("ada"), always("192.0.2.1"), 80},
		"many accounts from one address":      {func(i int) string { return fmt.Sprint("user", i) }, always("192.0.2.1"), 800},
		"one account from many addresses":     {always("ada"), func(i int) string { return fmt.Sprint("192.0.2.", i) }, 420},
		"accounts that nobody has, in a ring": {func(i int) string { return fmt.Sprint("user", i%7) }, always("192.0.2.1"), 500},
	} {
		throttle, now := clocked()
		if let := guess(throttle, now, c.account, c.address, time.Hour); let > c.most || let < 20 {
			t.Errorf("%s: %d attempts in an hour, want 20 to %d", name, let, c.most)
		}
	}
}

func TestAFewMistakesCostNothing(t *testing.T) {
	throttle, now := clocked()
	mistake := func() time.Duration {
		wait := throttle.Begin("ada", "192.0.2.1")
		if wait == 0 {
			throttle.Fail("ada", "192.0.2.1")
		}
		return wait
	}
	for i := range patienceWithBoth.free + 1 {
		if wait := mistake(); wait != 0 {
			t.Fatalf("mistake %d: wait %v", i+1, wait)
		}
	}
	if wait := mistake(); wait != time.Second {
		t.Errorf("beyond: wait %v, want 1s", wait)
	}
	*now = now.Add(time.Second)
	if wait := mistake(); wait != 0 {
		t.Errorf("after the wait: %v more", wait)
	}
	if wait := mistake(); wait != 2*time.Second {
		t.Errorf("the wait grows to %v, want 2s", wait)
	}
	*now = now.Add(forgiveAfter)
	for range patienceWithBoth.free {
		if wait := mistake(); wait != 0 {
			t.Errorf("long afterwards: wait %v", wait)
		}
	}
}

// A stranger who keeps guessing does not keep the person out: not for a moment
// where they have been in before, not for long elsewhere.
func TestAStrangerLocksNobodyOut(t *testing.T) {
	throttle, now := clocked()
	if throttle.Begin("ada", "192.0.2.1") != 0 {
		t.Fatal("the first login must wait")
	}
	throttle.Succeed("ada", "192.0.2.1")
	guess(throttle, now, always("ada"), func(i int) string { return fmt.Sprint("198.51.100.", i) }, 10*time.Minute)
	if wait := throttle.Begin("ada", "192.0.2.1"); wait != 0 {
		t.Errorf("at her own desk she waits %v", wait)
	}
	throttle.Succeed("ada", "192.0.2.1")
	if wait := throttle.Begin("ada", "203.0.113.5"); wait > patienceWithAccount.bound {
		t.Errorf("on the road she waits %v", wait)
	}
	if wait := throttle.Begin("bob", "192.0.2.1"); wait != 0 {
		t.Errorf("somebody else waits %v", wait)
	}
}

// Sixty people behind one address who log in, some after a mistake or two, do
// not wait for each other.
func TestAClassLogsInFromOneAddress(t *testing.T) {
	throttle, _ := clocked()
	for i := range 60 {
		name := fmt.Sprint("student", i)
		if i%3 == 0 {
			if wait := throttle.Begin(name, "192.0.2.1"); wait != 0 {
				t.Fatalf("%s waits %v to mistype", name, wait)
			}
			throttle.Fail(name, "192.0.2.1")
		}
		if wait := throttle.Begin(name, "192.0.2.1"); wait != 0 {
			t.Fatalf("%s waits %v", name, wait)
		}
		throttle.Succeed(name, "192.0.2.1")
	}
}

// Logging in to one's own account in between does not make guessing at another
// one free.
func TestOwnLoginsDoNotPayForGuesses(t *testing.T) {
	throttle, now := clocked()
	let := 0
	for end := now.Add(time.Hour); now.Before(end); *now = now.Add(time.Second) {
		if throttle.Begin("eve", "192.0.2.1") == 0 {
			throttle.Succeed("eve", "192.0.2.1")
		}
		if throttle.Begin("ada", "192.0.2.1") == 0 {
			throttle.Fail("ada", "192.0.2.1")
			let++
		}
	}
	if let > 80 {
		t.Errorf("%d guesses at ada in an hour", let)
	}
}

// A class that shares an account logs in at the same moment; whoever has failed
// often has one attempt at a time.
func TestAttemptsAtTheSameTime(t *testing.T) {
	throttle, now := clocked()
	atOnceLet := func(n int) int {
		var let atomic.Int32
		var group sync.WaitGroup
		for range n {
			group.Go(func() {
				if throttle.Begin("ada", "192.0.2.1") == 0 {
					let.Add(1)
				}
			})
		}
		group.Wait()
		return int(let.Load())
	}
	if got := atOnceLet(60); got != 60 {
		t.Fatalf("%d of a class of 60 are let", got)
	}
	for range 60 {
		throttle.Succeed("ada", "192.0.2.1")
	}
	if got := atOnceLet(1000); got != atOnce {
		t.Fatalf("%d of 1000 are let at once, want %d", got, atOnce)
	}
	for range atOnce {
		throttle.Fail("ada", "192.0.2.1")
	}
	if wait := throttle.Begin("ada", "192.0.2.1"); wait != patienceWithBoth.bound {
		t.Errorf("after %d failures the wait is %v, want %v", atOnce, wait, patienceWithBoth.bound)
	}
	*now = now.Add(patienceWithBoth.bound)
	if got := atOnceLet(100); got != 1 {
		t.Errorf("%d of 100 are let at once after the wait, want 1", got)
	}
	throttle.Leave("ada", "192.0.2.1")
	if got := atOnceLet(100); got != 1 {
		t.Errorf("%d are let once nobody has looked at that one, want 1", got)
	}
}

func TestThrottleIsBounded(t *testing.T) {
	throttle, now := clocked()
	fail := func(account, address string) {
		if throttle.Begin(account, address) == 0 {
			throttle.Fail(account, address)
		}
	}
	for range patienceWithBoth.free + 1 {
		fail("ada", "192.0.2.1")
	}
	for i := range 2 * maxMarks {
		fail(fmt.Sprint("user", i), fmt.Sprint("address", i))
		throttle.Succeed(fmt.Sprint("friend", i), fmt.Sprint("address", i))
	}
	if len(throttle.counts) > maxMarks || len(throttle.known) > maxMarks {
		t.Errorf("%d marks and %d known addresses", len(throttle.counts), len(throttle.known))
	}
	if wait := throttle.Begin("ada", "192.0.2.1"); wait == 0 {
		t.Error("the flood has washed away what ada's guesser has done")
	}
	*now = now.Add(forgiveAfter)
	for i := range maxMarks {
		fail(fmt.Sprint("late", i), fmt.Sprint("late", i))
	}
	if len(throttle.counts) > maxMarks {
		t.Errorf("%d marks once the old ones are forgiven", len(throttle.counts))
	}
}
