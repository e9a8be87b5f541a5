package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/engine/trace"
)

const (
	// frameEvery is the time between two frames of a run at most, and
	// frameSeldom what it grows to for a watcher, or a run, that cannot keep up.
	frameEvery  = 50 * time.Millisecond
	frameSeldom = 500 * time.Millisecond
	// lookEvery is how often a run of another process is looked up.
	lookEvery = time.Second
	// frameShare bounds the part of the time that goes into making frames, to
	// one in so many: ranks share the processors with whoever shows them.
	frameShare = 20
	// frameRate is how many bytes of frames a second one watcher is sent.
	frameRate = 2 << 20
)

// feeds are the runs that somebody watches. A feed begins with its first
// watcher and ends with its last; it has no goroutine of its own.
type feeds struct {
	live  LiveRuns // nil for none
	saved SavedRuns
	now   func() time.Time

	mu   sync.Mutex // owns open, and the watchers of each
	open map[string]*feed
}

func newFeeds(live LiveRuns, saved SavedRuns, now func() time.Time) *feeds {
	return &feeds{live: live, saved: saved, now: now, open: map[string]*feed{}}
}

// join returns the feed of a run, for one watcher, who leaves it again.
func (f *feeds) join(id string) *feed {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.open[id]
	if one == nil {
		one = &feed{feeds: f, id: id}
		f.open[id] = one
	}
	one.watchers++
	return one
}

func (f *feeds) leave(one *feed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one.watchers--; one.watchers == 0 {
		delete(f.open, one.id)
	}
}

// feed makes the frames of one run. All watchers who ask between two looks at
// the run and stand at the same place get the same bytes, made once.
type feed struct {
	*feeds
	id       string
	watchers int // feeds.mu

	mu      sync.Mutex // owns what follows
	live    *engine.Live
	stands  Message // as of the last look, without type and events
	version int     // of what stands says beside Seq
	ended   []Row   // of a saved run that has ended
	changed change
	due     time.Time // of the next look
	frames  map[place]frame
}

// place is what a watcher knows.
type place struct {
	seq     int
	version int // newcomer before the first frame, passing for who takes only one
}

const (
	newcomer = 0
	passing  = -1
)

// frame is one message, encoded.
type frame struct {
	body []byte // nil when there is nothing to tell
	at   place  // where it brings the watcher
	end  bool   // it is the last
}

// change says when to look again.
type change struct {
	log, state <-chan struct{} // closed by the next change; nil for a run that is not ours
}

// next returns the frame for a watcher at a place, when the one after it is
// due at the earliest, and what to wait for if there was nothing to tell.
func (f *feed) next(ctx context.Context, at place) (frame, time.Time, change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	begun := f.now()
	if !begun.Before(f.due) {
		if err := f.look(ctx, begun); err != nil {
			return frame{}, time.Time{}, change{}, err
		}
		f.due = begun.Add(frameEvery)
		f.frames = map[place]frame{}
	}
	made, known := f.frames[at]
	if !known {
		var err error
		if made, err = f.frame(at); err != nil {
			return frame{}, time.Time{}, change{}, err
		}
		f.frames[at] = made
		cost := max(f.now().Sub(begun)*frameShare, time.Duration(len(made.body))*time.Second/frameRate)
		if later := begun.Add(min(cost, frameSeldom)); later.After(f.due) {
			f.due = later
		}
	}
	return made, f.due, f.changed, nil
}

// look reads how the run stands.
func (f *feed) look(ctx context.Context, now time.Time) error {
	if f.live == nil && f.feeds.live != nil {
		f.live, _ = f.feeds.live.Watch(f.id)
	}
	if f.live == nil {
		return f.lookUp(ctx, now)
	}
	state := f.live.State() // first: when it is final the log is complete
	log := f.live.Log().Since(math.MaxInt)
	if f.version == 0 || f.changed.state != state.Changed {
		f.version++
	}
	f.changed = change{log.Changed, state.Changed}
	f.stands = Message{
		Seq: log.Seq, Run: state.Run, Ahead: state.Ahead, Warmups: state.Run.Warmups(),
		Iteration: f.live.Log().Iteration(state.Run.Ranks), Counted: len(f.live.Log().Times()),
		Elapsed: state.Run.Elapsed(now).Seconds(), Quiet: f.live.Log().Quiet(now).Seconds(),
	}
	return nil
}

// lookUp reads a run that is not, or no longer, this process's.
func (f *feed) lookUp(ctx context.Context, now time.Time) error {
	if f.stands.Run.Outcome.Final() {
		return nil
	}
	run, err := f.saved.Find(ctx, f.id)
	if err != nil {
		return fmt.Errorf("watch run %s: %w", f.id, err)
	}
	if run.Outcome != f.stands.Run.Outcome {
		f.version++
	}
	f.stands = Message{Run: run, Warmups: run.Warmups(), Iteration: -1, Counted: len(run.Iterated), Elapsed: run.Elapsed(now).Seconds()}
	if !run.Outcome.Final() {
		return nil
	}
	events, _, err := f.saved.Trace(ctx, f.id)
	if err != nil {
		return fmt.Errorf("watch run %s: %w", f.id, err)
	}
	s, err := f.saved.Schedule(ctx, run)
	switch {
	case errors.Is(err, trace.ErrNoSchedule): // its events have no meaning then
		f.ended = []Row{}
	case err != nil:
		return fmt.Errorf("watch run %s: %w", f.id, err)
	default:
		f.ended = rows(events, s)
	}
	f.stands.Seq, f.stands.Iteration = max(1, len(events)), earliest(f.ended, run.Ranks)
	return nil
}

// frame makes the frame for a watcher at a place.
func (f *feed) frame(at place) (frame, error) {
	m := f.stands
	m.Events = []Row{}
	made := frame{at: place{m.Seq, f.version}}
	first := at.version <= newcomer
	if at.seq < 0 || at.seq > m.Seq || first && f.live == nil {
		at.seq = 0 // a number of another time: the console was started again, say
	}
	switch {
	case m.Run.Outcome.Final() && at.version != newcomer:
		m.Type, made.end = End, true
	case first && at.seq == 0:
		m.Type = Snapshot
	case first || at.seq < m.Seq:
		m.Type = Delta
	case at.version != f.version:
		m.Type = StateOnly
	default:
		return frame{at: at}, nil
	}
	if at.seq < m.Seq {
		if f.live != nil {
			m.Events = rows(f.live.Log().Since(at.seq).Events, f.live.Schedule())
		} else {
			m.Events = f.ended
		}
	}
	body, err := json.Marshal(m)
	if err != nil {
		return frame{}, fmt.Errorf("write message of run %s: %w", f.id, err)
	}
	made.body = body
	return made, nil
}
