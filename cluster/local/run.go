package local

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"sync"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/worker"
	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

const tickEvery = 50 * time.Millisecond

// run is one run under way. The conductor, which is the goroutine of execute,
// owns it all, except for what is set once before the first process starts.
type run struct {
	cfg      Config
	spec     trace.Spec
	sched    *schedule.Schedule
	log      *trace.Log
	programs []*schedule.Program
	lengths  [][]int // elements of each move, by rank
	job      worker.Job
	segment  *os.File // what ranks share memory by; nil where they do not

	members []*member
	inbox   chan word
	over    chan struct{}  // closed when the conductor no longer listens
	pieces  chan []byte    // answers to the verification's questions
	signals chan signal    // from Fleet.Signal
	beside  sync.WaitGroup // the goroutines around processes
	check   sync.WaitGroup // the verification's

	failure  *trace.Failure
	verified bool
	ended    bool // failure or verified is decided

	movedAt time.Time // when any rank was last seen to move a byte or to finish a slice
	tickAt  time.Time
	excused time.Time // the conductor was late itself: silence before counts for nothing
	suspect time.Time // when the first fault came in; zero for none
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
	process *process
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
	verdict *verdict       // the verification is over
}

func newRun(cfg Config, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) (*run, error) {
	if sched.Ranks != spec.Ranks || sched.Collective != spec.Collective {
		return nil, fmt.Errorf("run %s: the schedule is of %s with %d ranks, the run of %s with %d", id, sched.Collective, sched.Ranks, spec.Collective, spec.Ranks)
	}
	programs, err := compile(spec, sched)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	need := unit.Bytes(0)
	for _, p := range programs {
		need += unit.Bytes(rank.Bytes(p, spec.Elements(), spec.DType.Width()))
	}
	if has := inventory.Read().Memory; has > 0 && need > has {
		return nil, fmt.Errorf("run %s: the buffers of %d ranks take %s, this machine has %s of memory", id, spec.Ranks, need, has)
	}
	r := &run{
		cfg: cfg, spec: spec, sched: sched, log: log, programs: programs, lengths: make([][]int, len(programs)),
		inbox: make(chan word, 256), over: make(chan struct{}), pieces: make(chan []byte, 1), signals: make(chan signal),
		job: worker.Job{
			// The name on the links: an id may come again after a restart.
			Run: id + "/" + rand.Text(), Key: link.NewKey(), Spec: spec,
			Slices: spec.SlicesFor(sched), Window: rank.Window(sched, spec.DType.Width()),
		},
	}
	r.job.Place, err = r.place()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	if spec.Pace.Step {
		r.job.Stops = rank.Stops(sched)
		r.job.Dwell = dwell(len(r.job.Stops))
	}
	for i, p := range programs {
		r.lengths[i] = make([]int, len(p.Moves))
		for j := range p.Moves {
			first := p.Moves[j].SrcChunk
			if p.Moves[j].Kind == schedule.Recv {
				first = p.Moves[j].DstChunk
			}
			r.lengths[i][j] = sched.ChunkStart(spec.Elements(), first+p.Moves[j].Count) - sched.ChunkStart(spec.Elements(), first)
		}
	}
	return r, nil
}

// execute leads the run from the first process to the last.
func (r *run) execute(ctx context.Context) trace.Report {
	ctx, cancel := context.WithCancel(ctx)
	defer r.free(cancel)
	r.tickAt = time.Now()
	r.movedAt = r.tickAt
	for i := range r.programs {
		if ctx.Err() != nil {
			return r.report()
		}
		if err := r.launch(i); err != nil {
			r.fail(trace.Failure{Kind: trace.StartFailed, Culprit: rankCulprit(i), Step: -1, Message: fmt.Sprintf("rank %d could not be started: %v", i, err)})
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
func (r *run) launch(i int) error {
	p, err := start(r.cfg, r.segment)
	if err != nil {
		return err
	}
	m := &member{rank: i, process: p, worker: worker.Attach(p), orders: make(chan func(*worker.Rank) error, 8), begun: time.Now()}
	m.seen = m.begun
	r.members = append(r.members, m)
	r.beside.Go(func() { r.read(m.worker, i) })
	r.beside.Go(func() { write(m.worker, m.orders) })
	r.beside.Go(func() {
		gone := p.wait()
		r.tell(word{rank: i, at: time.Now(), gone: gone})
	})
	return nil
}

// tell brings a word to the conductor, if it still listens.
func (r *run) tell(w word) bool {
	select {
	case r.inbox <- w:
		return true
	case <-r.over:
		return false
	}
}

// read brings what a worker says to the conductor.
func (r *run) read(w *worker.Rank, i int) {
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
func (r *run) order(m *member, o func(*worker.Rank) error) {
	select {
	case m.orders <- o:
	default:
		r.fail(trace.Failure{Kind: trace.Internal, Culprit: rankCulprit(m.rank), Step: -1, Message: fmt.Sprintf("rank %d does not take its orders", m.rank)})
	}
}

// dismiss tells everyone to quit and waits a moment for them to do so.
func (r *run) dismiss() {
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
			if w.gone != "" {
				r.members[w.rank].gone = w.gone
			}
		case <-patience.C:
			return // free is less polite
		}
	}
}

// free ends whatever is left and returns when nothing is.
func (r *run) free(cancel context.CancelFunc) {
	cancel()
	close(r.over)
	r.check.Wait() // it sends orders
	for _, m := range r.members {
		if m.gone == "" {
			m.process.kill()
		}
		close(m.orders)
	}
	r.beside.Wait()
	for _, m := range r.members {
		m.process.Close()
	}
	if r.segment != nil {
		r.segment.Close()
	}
}

// report is the run as it stands.
func (r *run) report() trace.Report {
	return trace.Report{Verified: r.verified, Failure: r.failure, Iterations: r.counted(0)}
}

// counted returns the times of the counted iterations that all ranks have
// ended, from the given one on: of each the longest of its ranks.
func (r *run) counted(from int) []time.Duration {
	if len(r.members) < r.spec.Ranks {
		return nil
	}
	var times []time.Duration
	for i := r.spec.Warmups() + from; i < r.iterations(); i++ {
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

func (r *run) iterations() int { return r.spec.Warmups() + r.spec.Iterations }
