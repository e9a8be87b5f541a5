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
		wait := t.Begin(by(a, from))
		if wait == 0 {
			t.Fail(by(a, from))
			let++
			continue
		}
		*now = now.Add(wait)
	}
	return let
}

func by(account, address string) Attempt { return Attempt{Account: account, Address: address} }

func always(text string) func(int) string { return func(int) string { return text } }

func TestGuessingGetsSlower(t *testing.T) {
	for name, c := range map[string]struct {
		account, address func(int) string
		most             int // in an hour
	}{
		"one account from one address":        {always("ada"), always("192.0.2.1"), 80},
		"many accounts from one address":      {func(i int) string { return fmt.Sprint("user", i) }, always("192.0.2.1"), manyNames + 730},
		"a class's accounts from one address": {func(i int) string { return fmt.Sprint("user", i%60) }, always("192.0.2.1"), 60*(slips+1) + 730},
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
		wait := throttle.Begin(by("ada", "192.0.2.1"))
		if wait == 0 {
			throttle.Fail(by("ada", "192.0.2.1"))
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
	if throttle.Begin(by("ada", "192.0.2.1")) != 0 {
		t.Fatal("the first login must wait")
	}
	throttle.Succeed(by("ada", "192.0.2.1"))
	guess(throttle, now, always("ada"), func(i int) string { return fmt.Sprint("198.51.100.", i) }, 10*time.Minute)
	if wait := throttle.Begin(by("ada", "192.0.2.1")); wait != 0 {
		t.Errorf("at her own desk she waits %v", wait)
	}
	throttle.Succeed(by("ada", "192.0.2.1"))
	if wait := throttle.Begin(by("ada", "203.0.113.5")); wait > patienceWithAccount.bound {
		t.Errorf("on the road she waits %v", wait)
	}
	if wait := throttle.Begin(by("bob", "192.0.2.1")); wait != 0 {
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
			if wait := throttle.Begin(by(name, "192.0.2.1")); wait != 0 {
				t.Fatalf("%s waits %v to mistype", name, wait)
			}
			throttle.Fail(by(name, "192.0.2.1"))
		}
		if wait := throttle.Begin(by(name, "192.0.2.1")); wait != 0 {
			t.Fatalf("%s waits %v", name, wait)
		}
		throttle.Succeed(by(name, "192.0.2.1"))
	}
}

// Whoever guesses behind a class's address holds nobody up there who has not
// failed so often themselves, and a browser that has opened its account before
// not even where it is that account's password which is guessed.
func TestAGuesserHoldsUpNoNeighbours(t *testing.T) {
	for name, account := range map[string]func(int) string{
		"at one account":         always("ada"),
		"at many in turns":       func(i int) string { return fmt.Sprint("student", i%50) },
		"at some, then at ada's": func(i int) string { return map[bool]string{true: "ada", false: fmt.Sprint("student", i%20)}[i%2 == 0] },
	} {
		throttle, now := clocked()
		guess(throttle, now, account, always("192.0.2.1"), 10*time.Minute)
		if wait := throttle.Begin(by("bob", "192.0.2.1")); wait != 0 {
			t.Errorf("%s: a neighbour waits %v", name, wait)
		}
		throttle.Fail(by("bob", "192.0.2.1"))
		if wait := throttle.Begin(by("bob", "192.0.2.1")); wait != 0 {
			t.Errorf("%s: after a slip a neighbour waits %v", name, wait)
		}
		throttle.Succeed(by("bob", "192.0.2.1"))
		own := Attempt{Account: "ada", Address: "192.0.2.1", Device: "hers"}
		if wait := throttle.Begin(own); wait != 0 {
			t.Errorf("%s: ada waits %v in her own browser", name, wait)
		}
		throttle.Succeed(own)
	}
}

// A browser that has proved itself is no way round the throttle.
func TestGuessingInAnOwnBrowserGetsSlower(t *testing.T) {
	throttle, now := clocked()
	let := 0
	for end := now.Add(time.Hour); now.Before(end); {
		try := Attempt{Account: "ada", Address: fmt.Sprint("192.0.2.", let), Device: "hers"}
		if wait := throttle.Begin(try); wait > 0 {
			*now = now.Add(wait)
			continue
		}
		throttle.Fail(try)
		let++
	}
	if let > 80 {
		t.Errorf("%d attempts in an hour", let)
	}
}

// More names than any class has slow everybody down who has not been here.
func TestAFloodOfNamesIsSlow(t *testing.T) {
	throttle, now := clocked()
	let := guess(throttle, now, func(i int) string { return fmt.Sprint("name", i) }, always("192.0.2.1"), time.Minute)
	if let < manyNames || let > manyNames+20 {
		t.Errorf("%d names in a minute", let)
	}
	if wait := throttle.Begin(by("bob", "192.0.2.1")); wait > patienceWithAddress.bound {
		t.Errorf("bob waits %v", wait)
	}
}

// Logging in to one's own account in between does not make guessing at another
// one free.
func TestOwnLoginsDoNotPayForGuesses(t *testing.T) {
	throttle, now := clocked()
	let := 0
	for end := now.Add(time.Hour); now.Before(end); *now = now.Add(time.Second) {
		if throttle.Begin(by("eve", "192.0.2.1")) == 0 {
			throttle.Succeed(by("eve", "192.0.2.1"))
		}
		if throttle.Begin(by("ada", "192.0.2.1")) == 0 {
			throttle.Fail(by("ada", "192.0.2.1"))
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
				if throttle.Begin(by("ada", "192.0.2.1")) == 0 {
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
		throttle.Succeed(by("ada", "192.0.2.1"))
	}
	if got := atOnceLet(1000); got != atOnce {
		t.Fatalf("%d of 1000 are let at once, want %d", got, atOnce)
	}
	for range atOnce {
		throttle.Fail(by("ada", "192.0.2.1"))
	}
	if wait := throttle.Begin(by("ada", "192.0.2.1")); wait != patienceWithBoth.bound {
		t.Errorf("after %d failures the wait is %v, want %v", atOnce, wait, patienceWithBoth.bound)
	}
	*now = now.Add(patienceWithBoth.bound)
	if got := atOnceLet(100); got != 1 {
		t.Errorf("%d of 100 are let at once after the wait, want 1", got)
	}
	throttle.Leave(by("ada", "192.0.2.1"))
	if got := atOnceLet(100); got != 1 {
		t.Errorf("%d are let once nobody has looked at that one, want 1", got)
	}
}

func TestThrottleIsBounded(t *testing.T) {
	throttle, now := clocked()
	fail := func(account, address string) {
		if throttle.Begin(by(account, address)) == 0 {
			throttle.Fail(by(account, address))
		}
	}
	for range patienceWithBoth.free + 1 {
		fail("ada", "192.0.2.1")
	}
	for i := range 2 * maxMarks {
		fail(fmt.Sprint("user", i), fmt.Sprint("address", i))
		throttle.Succeed(by(fmt.Sprint("friend", i), fmt.Sprint("address", i)))
	}
	if len(throttle.counts) > maxMarks || len(throttle.known) > maxMarks {
		t.Errorf("%d marks and %d known addresses", len(throttle.counts), len(throttle.known))
	}
	if wait := throttle.Begin(by("ada", "192.0.2.1")); wait == 0 {
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
