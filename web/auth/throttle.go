package auth

import (
	"math"
	"sync"
	"time"
)

// Throttle slows down those who guess passwords. Failures are counted three
// ways, and each makes the next attempt wait longer, up to a bound:
//
//   - of one account from one address, which is a person who mistypes, or
//     somebody who tries one person's passwords;
//   - from one address whatever the account, which is somebody who tries one
//     password with many names. A class may sit behind one address, so this
//     one holds up only the accounts that have failed more than a slip or two
//     from there, until so many names have failed that no class is as large;
//   - of one account from everywhere, which is many machines that try one
//     person's passwords. The bound is low, so that strangers cannot lock a
//     person out, and addresses from which the account has been opened since
//     the console started are not held up at all.
//
// A browser that has opened an account before proves it, and is then counted by
// itself alone: nothing that others do holds it up, and nobody guesses from it
// who did not know the password. (OWASP calls this device cookies.)
//
// Accounts that do not exist are slowed down like others. It is safe for
// concurrent use.
type Throttle struct {
	now func() time.Time

	mu     sync.Mutex
	counts map[mark]*count
	known  map[mark]time.Time // account and address: when it was last opened from there
}

// Attempt is a password that is tried.
type Attempt struct {
	Account string
	Address string // that it comes from
	Device  string // by which the browser has proved that it opened the account before; empty for none
}

// mark is what failures are counted by: an account or an address or both, or an
// account and a device.
type mark struct{ account, address, device string }

// count is the failures of a mark.
type count struct {
	failures int
	names    int       // of an address: accounts that have failed, each once in a while
	under    int       // attempts that are being looked at
	until    time.Time // before it no attempt is looked at
	last     time.Time // of the failures
}

// patience is how a kind of failures is met: the first free ones cost nothing,
// then each doubles the wait from a second up to a bound, and attempts are
// looked at one by one.
type patience struct {
	free  int
	bound time.Duration
}

// atOnce is how many attempts of a mark are looked at together before any has
// failed too often: a class that shares an account logs in at the same moment.
const atOnce = 64

var (
	patienceWithBoth    = patience{free: 5, bound: time.Minute}
	patienceWithAddress = patience{free: 40, bound: 5 * time.Second}
	patienceWithAccount = patience{free: 20, bound: 10 * time.Second}
)

const (
	// slips is how often an account may fail from an address before it is held
	// up by what else fails there.
	slips = 2
	// manyNames is how many accounts may fail from an address before all others
	// are held up too, though they have not.
	manyNames = 80
)

const (
	// forgiveAfter is how long after its last failure a mark is forgotten.
	forgiveAfter = 15 * time.Minute
	// rememberFor is how long an address or a browser stays known to an account.
	rememberFor = 30 * 24 * time.Hour
	// maxMarks bounds the memory that strangers can fill.
	maxMarks = 10_000
)

// NewThrottle makes one that has seen nothing.
func NewThrottle(now func() time.Time) *Throttle {
	return &Throttle{now: now, counts: map[mark]*count{}, known: map[mark]time.Time{}}
}

// Begin asks to try a password. If wait is 0 the attempt may go on, and Fail,
// Succeed or Leave must follow it. Otherwise nobody may look at it before wait
// has passed, and it does not count.
func (t *Throttle) Begin(a Attempt) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	own := t.failed(a.both(), now)
	for m, p := range t.marks(a, now) {
		c := t.counts[m]
		switch {
		case c == nil:
		case m == a.site() && own <= slips && c.names <= manyNames && c.under < atOnce: // others' failures
		case now.Before(c.until):
			wait = max(wait, c.until.Sub(now))
		case c.under >= atOnce, c.under > 0 && c.failures >= p.free: // else attempts at once got past each other
			wait = max(wait, time.Second)
		}
	}
	if wait > 0 {
		return wait
	}
	for _, m := range a.all() {
		t.at(m, now).under++
	}
	return 0
}

// failed returns how often a mark has failed lately.
func (t *Throttle) failed(m mark, now time.Time) int {
	if c := t.counts[m]; c != nil && now.Sub(c.last) < forgiveAfter {
		return c.failures
	}
	return 0
}

// at returns the count of a mark as it stands now.
func (t *Throttle) at(m mark, now time.Time) *count {
	c := t.counts[m]
	switch {
	case c == nil:
		t.makeRoom(now)
		c = &count{last: now}
		t.counts[m] = c
	case now.Sub(c.last) >= forgiveAfter:
		c.failures, c.names = 0, 0
	}
	return c
}

// Fail says that the attempt which Begin let through was refused.
func (t *Throttle) Fail(a Attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	t.leave(a)
	first := t.failed(a.both(), now) == 0
	for m, p := range t.marks(a, now) {
		c := t.at(m, now)
		c.failures++
		if first && m == a.site() {
			c.names++
		}
		c.last = now
		if beyond := c.failures - p.free; beyond > 0 {
			c.until = now.Add(min(time.Second<<min(beyond-1, 16), p.bound))
		}
	}
}

// Leave says that nobody has looked at the attempt which Begin let through.
func (t *Throttle) Leave(a Attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.leave(a)
}

func (t *Throttle) leave(a Attempt) {
	for _, m := range a.all() {
		if c := t.counts[m]; c != nil && c.under > 0 { // it may have been forgotten meanwhile
			c.under--
		}
	}
}

// both is the mark of the person who tries.
func (a Attempt) both() mark {
	if a.Device != "" {
		return mark{account: a.Account, device: a.Device}
	}
	return mark{account: a.Account, address: a.Address}
}

func (a Attempt) site() mark { return mark{address: a.Address} }

func (a Attempt) all() []mark {
	if a.Device != "" {
		return []mark{a.both()}
	}
	return []mark{a.both(), a.site(), {account: a.Account}}
}

// Succeed says that the attempt which Begin let through has opened the
// account. What has failed at other accounts from the address, and from
// elsewhere at this one, still counts: neither a guesser's own account nor the
// person's own login makes guessing free.
func (t *Throttle) Succeed(a Attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.leave(a)
	if c := t.counts[a.both()]; c != nil {
		c.failures, c.until = 0, time.Time{}
	}
	if len(t.known) >= maxMarks { // a courtesy that can be begun anew
		clear(t.known)
	}
	t.known[mark{account: a.Account, address: a.Address}] = t.now()
}

// marks are those that a failure counts for.
func (t *Throttle) marks(a Attempt, now time.Time) map[mark]patience {
	if a.Device != "" {
		return map[mark]patience{a.both(): patienceWithBoth}
	}
	marks := map[mark]patience{a.both(): patienceWithBoth, a.site(): patienceWithAddress}
	if opened, known := t.known[a.both()]; !known || now.Sub(opened) > rememberFor {
		marks[mark{account: a.Account}] = patienceWithAccount
	}
	return marks
}

// makeRoom forgets what is forgiven, and if that is not enough the marks with
// the fewest failures, which were still to be free.
func (t *Throttle) makeRoom(now time.Time) {
	if len(t.counts) < maxMarks {
		return
	}
	fewest := math.MaxInt
	for m, c := range t.counts {
		if now.Sub(c.last) >= forgiveAfter && c.under == 0 {
			delete(t.counts, m)
		} else {
			fewest = min(fewest, c.failures)
		}
	}
	if len(t.counts) < maxMarks {
		return
	}
	for m, c := range t.counts {
		if c.failures == fewest {
			delete(t.counts, m)
		}
	}
}
