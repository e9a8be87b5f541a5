package web

import (
	"net/http"
	"net/netip"
	"sync"
	"time"

	"lockstep/web/auth"
)

// paces is what bounds how fast somebody may ask.
type paces struct {
	logins   *auth.Throttle
	open     *pace // of pages that everyone may ask for and that take work
	refusals *pace // of entries in the audit log that strangers cause
	uses     *uses
}

func newPaces(now func() time.Time) paces {
	return paces{
		logins:   auth.NewThrottle(now),
		open:     newPace(now, openBurst, openPerSecond),
		refusals: newPace(now, 10, 0.1),
		uses:     &uses{},
	}
}

// Pages that everyone may ask for take up to some tens of milliseconds. A
// class of sixty behind one address that walks through a lesson at three steps
// a second each stays below openPerSecond.
const (
	openBurst     = 1200
	openPerSecond = 200
)

// pace is a bucket of tokens for each address. It is safe for concurrent use.
type pace struct {
	now   func() time.Time
	burst float64
	rate  float64 // tokens per second

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	level float64
	at    time.Time // when the level was so
}

// maxBuckets bounds the memory that strangers can fill; a full bucket is the
// same as none.
const maxBuckets = 10_000

func newPace(now func() time.Time, burst, rate float64) *pace {
	return &pace{now: now, burst: burst, rate: rate, buckets: map[string]bucket{}}
}

// allow takes a token of the address, if there is one.
func (p *pace) allow(address string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	b, seen := p.buckets[address]
	if !seen {
		p.makeRoom(now)
		b = bucket{p.burst, now}
	}
	b.level = min(p.burst, b.level+p.rate*now.Sub(b.at).Seconds())
	b.at = now
	allowed := b.level >= 1
	if allowed {
		b.level--
	}
	p.buckets[address] = b
	return allowed
}

// makeRoom drops the buckets that have filled up again, and all of them if
// those are too few: that errs on the side of letting somebody through.
func (p *pace) makeRoom(now time.Time) {
	if len(p.buckets) < maxBuckets {
		return
	}
	for address, b := range p.buckets {
		if b.level+p.rate*now.Sub(b.at).Seconds() >= p.burst {
			delete(p.buckets, address)
		}
	}
	if len(p.buckets) >= maxBuckets {
		clear(p.buckets)
	}
}

// paced bounds how fast one address may ask for pages that everyone may see.
// Whoever is in or sits at the machine itself is not held up.
func (s *server) paced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := addressOf(r)
		at, err := netip.ParseAddr(address)
		if err == nil && at.IsLoopback() || s.gate.Has(r.Context()) || s.paces.open.allow(neighbourhood(address)) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Retry-After", "5")
		s.fail(w, r, errTooFast)
	})
}
