package conduct

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"lockstep/cluster/worker"
	"lockstep/engine/rank"
	"lockstep/engine/trace"
)

const tickEvery = 50 * time.Millisecond

// Config is a run to be led.
type Config struct {
	ID       string // for messages
	Plan     *Plan
	Hosts    []Host        // the host of each rank, by rank
	Log      *trace.Log    // where progress is entered
	Patience time.Duration // for a process to say hello; 0 for 10 s
	Program  string        // what the processes run, for messages; "" for "its program"
}

// Conductor leads one run. The goroutine of Execute owns it all, except for
// what is set once before the first process starts.
type Conductor struct {
	cfg   Config
	plan  *Plan
	spec  trace.Spec
	log   *trace.Log
	hosts []Host // each once, in the order of their ranks

	members []*member
	inbox   chan word
	over    chan struct{}  // closed when the conductor no longer listens
	pieces  chan []byte    // answers to the verification's questions
	signals chan signal    // from Signal
	beside  sync.WaitGroup // the goroutines around processes and hosts
	check   sync.WaitGroup // the verification's

	failure  *trace.Failure
	verified bool
	library  *trace.Library // that moves the bytes; nil for none but ours
	ended    bool           // failure or verified is decided

	movedAt time.Time // when any rank was last seen to move a byte or to finish a slice
	tickAt  time.Time
	excused time.Time          // the conductor was late itself: silence before counts for nothing
	away    map[Host]time.Time // when a host was last seen to be silent: nor does that of its ranks before
	suspect time.Time          // when the first fault came in; zero for none
}

// stage is how far a rank has come.
type stage int

const (
	started stage = iota
	greeted       // has said hello and been given its job
	listening
	ready
	digested // has sent all its digests
)

// member is what the conductor knows of a rank.
type member struct {
	rank    int
	host    Host
	process Process
	worker  *worker.Rank
	orders  chan func(*worker.Rank) error // for the goroutine that writes to the process

	stage   stage
	address string
	begun   time.Time
	seen    time.Time // the last sign of life
	moved   int64
	works   rank.Works // as of its last beat
	slow    slowness
	times   []time.Duration
	digests []rank.Digest
	fault   *worker.Fault
	faultAt time.Time
	gone    string // how the process ended, "" while it lives
}

// word is something that reaches the conductor.
type word struct {
	rank    int
	at      time.Time
	message worker.Message // or
	bad     error          // the process said something that it may not, or
	gone    string         // the process has ended so, or
	verdict *verdict       // the verification is over, or
	lost    error          // the host can no longer be reached,
	host    Host           // this one
}

// New returns a conductor for one Execute.
func New(cfg Config) (*Conductor, error) {
	switch {
	case cfg.Plan == nil || cfg.Log == nil:
		return nil, errors.New("conduct a run: no plan, or no log")
	case len(cfg.Hosts) != cfg.Plan.Spec.Ranks:
		return nil, fmt.Errorf("conduct a run: hosts for %d of %d ranks", len(cfg.Hosts), cfg.Plan.Spec.Ranks)
	}
	cfg.Patience = cmp.Or(cfg.Patience, 10*time.Second)
	cfg.Program = cmp.Or(cfg.Program, "its program")
	r := &Conductor{
		cfg: cfg, plan: cfg.Plan, spec: cfg.Plan.Spec, log: cfg.Log,
		inbox: make(chan word, 256), over: make(chan struct{}), pieces: make(chan []byte, 1), signals: make(chan signal),
		away: map[Host]time.Time{},
	}
	for i, h := range cfg.Hosts {
		if i == 0 || h != cfg.Hosts[i-1] {
			r.hosts = append(r.hosts, h)
		}
	}
	return r, nil
}

// Execute leads the run from the first process to the last, and returns when
// nothing of it is left but the hosts. A run whose ctx ends is cancelled: the
// report then holds what had finished and no failure.
func (r *Conductor) Execute(ctx context.Context) trace.Report {
	ctx, cancel := context.WithCancel(ctx)
	defer r.free(cancel)
	r.tickAt = time.Now()
	r.movedAt = r.tickAt
	for _, h := range r.hosts {
		r.beside.Go(func() {
			if err := h.Lost(ctx); err != nil {
				r.tell(word{at: time.Now(), lost: err, host: h})
			}
		})
	}
	for i := range r.plan.Programs {
		if ctx.Err() != nil {
			return r.report()
		}
		if err := r.launch(i); err != nil {
			r.unstarted(i, err)
			return r.report()
		}
	}
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for !r.ended {
		select {
		case <-ctx.Done():
			return r.report()
		case w := <-r.inbox:
			r.hear(ctx, w)
		case s := <-r.signals:
			s.answer <- r.obey(s)
		case now := <-tick.C:
			r.watch(now)
		}
	}
	if r.failure == nil {
		r.dismiss()
	}
	return r.report()
}

// launch starts the process of a rank and the goroutines around it.
func (r *Conductor) launch(i int) error {
	p, err := r.cfg.Hosts[i].Launch(i)
	if err != nil {
		return err
	}
	m := &member{rank: i, host: r.cfg.Hosts[i], process: p, worker: worker.Attach(p), orders: make(chan func(*worker.Rank) error, 8), begun: time.Now()}
	m.seen = m.begun
	r.members = append(r.members, m)
	r.beside.Go(func() { r.read(m.worker, i) })
	r.beside.Go(func() { write(m.worker, m.orders) })
	r.beside.Go(func() {
		gone := p.Wait()
		r.tell(word{rank: i, at: time.Now(), gone: gone})
	})
	return nil
}

// tell brings a word to the conductor, if it still listens.
func (r *Conductor) tell(w word) bool {
	select {
	case r.inbox <- w:
		return true
	case <-r.over:
		return false
	}
}

// read brings what a worker says to the conductor.
func (r *Conductor) read(w *worker.Rank, i int) {
	for {
		message, err := w.Next()
		switch {
		case err == nil:
			if !r.tell(word{rank: i, at: time.Now(), message: message}) {
				return
			}
		default:
			// A stream that merely ends belongs to a process that ends, and
			// its end says more.
			if !streamEnded(err) {
				r.tell(word{rank: i, at: time.Now(), bad: err})
			}
			return
		}
	}
}

// write carries out orders. A frozen worker does not read: only this goroutine
// waits for it.
func write(w *worker.Rank, orders <-chan func(*worker.Rank) error) {
	for order := range orders {
		if order(w) != nil {
			break // its end is noticed elsewhere
		}
	}
	for range orders { // until the conductor closes it
	}
}

// order queues something for a worker. There are never many: a worker is
// asked one thing at a time.
func (r *Conductor) order(m *member, o func(*worker.Rank) error) {
	select {
	case m.orders <- o:
	default:
		r.fail(trace.Failure{Kind: trace.Internal, Culprit: r.culprit(m.rank), Step: -1, Message: fmt.Sprintf("%s does not take its orders", r.name(m.rank))})
	}
}

// dismiss tells everyone to quit and waits a moment for them to do so.
func (r *Conductor) dismiss() {
	for _, m := range r.members {
		r.order(m, (*worker.Rank).Quit)
	}
	patience := time.NewTimer(2 * time.Second)
	defer patience.Stop()
	for {
		alive := false
		for _, m := range r.members {
			alive = alive || m.gone == ""
		}
		if !alive {
			return
		}
		select {
		case w := <-r.inbox:
			switch {
			case w.gone != "":
				r.members[w.rank].gone = w.gone
			case w.lost != nil:
				return // no word of its ranks will come
			}
		case <-patience.C:
			return // free is less polite
		}
	}
}

// free ends whatever is left and returns when nothing is.
func (r *Conductor) free(cancel context.CancelFunc) {
	cancel()
	close(r.over)
	r.check.Wait() // it sends orders
	for _, m := range r.members {
		if m.gone == "" {
			m.process.Kill()
		}
		close(m.orders)
	}
	r.beside.Wait()
	for _, m := range r.members {
		m.process.Close()
	}
}

// report is the run as it stands.
func (r *Conductor) report() trace.Report {
	return trace.Report{Verified: r.verified, Failure: r.failure, Iterations: r.counted(0), Library: r.moved()}
}

// moved is the library that moved the bytes, with what it took without being
// cut into slices.
func (r *Conductor) moved() *trace.Library {
	if r.library == nil {
		return nil
	}
	l := trace.Library{Name: r.library.Name, Version: r.library.Version}
	last := r.spec.Warmups()
	if whole := r.longest(last-r.spec.Whole(), last); len(whole) > 0 && len(whole) == r.spec.Whole() {
		times := trace.Summarise(whole)
		l.Whole = &times
	}
	return &l
}

// counted returns the times of the counted iterations that all ranks have
// ended, from the given one on: of each the longest of its ranks.
func (r *Conductor) counted(from int) []time.Duration {
	return r.longest(r.spec.Warmups()+from, r.plan.iterations())
}

// longest returns of each of some iterations the time of its slowest rank, as
// far as all ranks have ended them.
func (r *Conductor) longest(from, to int) []time.Duration {
	if len(r.members) < r.spec.Ranks {
		return nil
	}
	var times []time.Duration
	for i := from; i < to; i++ {
		var longest time.Duration
		for _, m := range r.members {
			if len(m.times) <= i {
				return times
			}
			longest = max(longest, m.times[i])
		}
		times = append(times, longest)
	}
	return times
}
