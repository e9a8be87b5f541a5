package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// ledger is a journal, and what is saved, in memory.
type ledger struct {
	mu     sync.Mutex
	runs   []trace.Run
	events map[string][]trace.Event
}

func (l *ledger) Enqueue(_ context.Context, run trace.Run, _ trace.Kept) (trace.Run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	run.ID = fmt.Sprintf("%04d", len(l.runs)+1)
	l.runs = append(l.runs, run)
	return run, nil
}

func (l *ledger) Claim(context.Context, string) (int, error) { return 0, nil }

func (l *ledger) Finish(_ context.Context, run trace.Run, events []trace.Event) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.runs {
		if l.runs[i].ID == run.ID {
			l.runs[i], l.events[run.ID] = run, events
		}
	}
	return nil
}

func (l *ledger) Find(_ context.Context, id string) (trace.Run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, run := range l.runs {
		if run.ID == id {
			return run, nil
		}
	}
	return trace.Run{}, trace.ErrNoRun
}

func (l *ledger) Schedule(_ context.Context, run trace.Run) (*schedule.Schedule, error) {
	return run.Rebuild()
}

func (l *ledger) Trace(_ context.Context, id string) ([]trace.Event, []unit.Seconds, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events[id], nil, nil
}

// inMemory starts an engine that ends with the test, inside a bubble.
func inMemory(t *testing.T) (*floor, *ledger) {
	t.Helper()
	l := &ledger{events: map[string][]trace.Event{}}
	f := &floor{log: make(chan *trace.Log, 1), report: make(chan trace.Report)}
	var err error
	if f.Engine, err = engine.New(engine.Config{Fleet: f, Planner: f, Journal: l}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return f, l
}

// watcher is a line that keeps what a page would.
type watcher struct {
	delay time.Duration // per message
	drop  int           // messages after which the line breaks; 0 for never

	frames []string
	sizes  []*byte // where the bytes lie
	times  []time.Time
	seq    int
	known  map[[3]int64]Row
	run    trace.Run
	err    error
}

var errBroken = errors.New("line is broken")

func (w *watcher) send(ctx context.Context, text []byte) error {
	if w.drop > 0 && len(w.frames) == w.drop {
		return errBroken
	}
	w.times = append(w.times, time.Now())
	if w.delay > 0 {
		time.Sleep(w.delay) // in the bubble's time
	}
	m, err := decode(text)
	if err != nil {
		return err
	}
	if m.Seq < w.seq {
		return fmt.Errorf("seq fell from %d to %d", w.seq, m.Seq)
	}
	w.frames, w.sizes = append(w.frames, string(m.Type)), append(w.sizes, &text[0])
	w.seq, w.run = m.Seq, m.Run
	if m.Type == Snapshot {
		w.known = map[[3]int64]Row{}
	}
	for _, r := range m.Events {
		at := [3]int64{r[0], r[1], r[3]}
		if before, ok := w.known[at]; ok && before.after(r) {
			return fmt.Errorf("row %v after %v", r, before)
		}
		w.known[at] = r
	}
	return nil
}

func (w *watcher) ping(context.Context) error { return nil }

// steps are all events of one iteration, in the order of steps.
func steps(l *engine.Live, iteration int) []trace.Event {
	var events []trace.Event
	for _, s := range l.Schedule().Steps {
		for slice := range l.Spec().Slices {
			sides := []trace.Event{{Rank: s.Src, Side: trace.Local}}
			if !s.Local() {
				sides = []trace.Event{{Rank: s.Src, Side: trace.Sent}, {Rank: s.Dst, Side: trace.Received}}
			}
			for _, e := range sides {
				e.Iteration, e.Step, e.Slice, e.At = iteration, s.ID, slice, time.Duration(len(events))
				events = append(events, e)
			}
		}
	}
	return events
}

func TestTwoHundredWatchersShareEachFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, l := inMemory(t)
		all := newFeeds(f.Engine, l, time.Now)
		id := f.submit(t)
		log := <-f.log
		live, _ := f.Watch(id)

		watchers := make([]watcher, 200)
		var group sync.WaitGroup
		for i := range watchers {
			w := &watchers[i]
			switch {
			case i%10 == 1:
				w.delay = 400 * time.Millisecond
			case i%10 == 2:
				w.drop = 5
			}
			group.Go(func() {
				one := all.join(id)
				defer all.leave(one)
				time.Sleep(time.Duration(i) * 7 * time.Millisecond) // they come one after the other
				w.err = one.follow(t.Context(), 0, w)
				if errors.Is(w.err, errBroken) { // and come back where they stood
					w.drop = 0
					w.err = one.follow(t.Context(), w.seq, w)
				}
			})
		}
		begun := time.Now()
		for iteration := range 20 {
			for _, e := range steps(live, iteration) {
				log.Add([]trace.Event{e})
				time.Sleep(3 * time.Millisecond)
			}
		}
		took := time.Since(begun)
		f.finish(t, id)
		group.Wait()

		final := rows(live.Log().Since(0).Events, live.Schedule())
		made, sent := map[*byte]bool{}, 0
		for i := range watchers {
			w := &watchers[i]
			if w.err != nil {
				t.Fatalf("watcher %d: %v", i, w.err)
			}
			if w.frames[0] != string(Snapshot) || slices.Index(w.frames, string(End)) != len(w.frames)-1 {
				t.Errorf("watcher %d: frames %v", i, w.frames)
			}
			if w.run.Outcome != trace.Done || len(w.known) != len(final) {
				t.Fatalf("watcher %d: %s, %d places; want %d", i, w.run.Outcome, len(w.known), len(final))
			}
			for _, r := range final {
				if at := [3]int64{r[0], r[1], r[3]}; w.known[at] != r {
					t.Fatalf("watcher %d: %v; want %v", i, w.known[at], r)
				}
			}
			for k := 1; k < len(w.times); k++ {
				if gap := w.times[k].Sub(w.times[k-1]); gap < frameEvery && w.drop == 0 && i%10 != 2 {
					t.Fatalf("watcher %d: two messages within %v", i, gap)
				}
			}
			if most := int(took/frameSeldom) + 10; w.delay > 0 && len(w.frames) > most {
				t.Errorf("slow watcher %d got %d frames in %v", i, len(w.frames), took)
			}
			sent += len(w.frames)
			for _, at := range w.sizes {
				made[at] = true
			}
		}
		ticks := int(took/frameEvery) + 2
		t.Logf("%v: %d frames sent, %d made, %d ticks", took.Round(time.Millisecond), sent, len(made), ticks)
		if len(made) > 3*ticks || sent < 20*len(made) {
			t.Errorf("%d frames were made for %d sent in %d ticks", len(made), sent, ticks)
		}
		if len(all.open) != 0 {
			t.Errorf("%d feeds are left", len(all.open))
		}
	})
}

func TestAQueuedRunIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, l := inMemory(t)
		all := newFeeds(f.Engine, l, time.Now)
		first := f.submit(t)
		<-f.log
		second := f.submit(t)
		one := all.join(second)
		w := &watcher{}
		ended := make(chan error, 1)
		go func() { ended <- one.follow(t.Context(), 0, w) }()
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := strings.Join(w.frames, " "); got != "snapshot" {
			t.Errorf("frames %s; want one", got)
		}
		f.finish(t, first)
		<-f.log
		f.finish(t, second)
		if err := <-ended; err != nil || w.run.Outcome != trace.Done {
			t.Errorf("%v, %s", err, w.run.Outcome)
		}
		all.leave(one)
	})
}

// A run of another process shows how it stands, and what happened once it has
// ended.
func TestWatchingARunOfAnotherProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, l := inMemory(t)
		id := f.submit(t)
		log := <-f.log
		live, _ := f.Watch(id)
		log.Add(steps(live, 0))
		all := newFeeds(nil, l, time.Now)
		one := all.join(id)
		w := &watcher{}
		ended := make(chan error, 1)
		go func() { ended <- one.follow(t.Context(), 0, w) }()
		time.Sleep(10 * time.Second)
		f.finish(t, id)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		want := rows(live.Log().Latest(), live.Schedule())
		if got := strings.Join(w.frames, " "); got != "snapshot end" || len(w.known) != len(want) {
			t.Errorf("frames %s, %d places; want %d", got, len(w.known), len(want))
		}
		all.leave(one)

		late := &watcher{} // it has ended already
		one = all.join(id)
		if err := one.follow(t.Context(), 0, late); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(late.frames, " "); got != "snapshot end" || len(late.known) != len(want) {
			t.Errorf("frames %s, %d places; want %d", got, len(late.known), len(want))
		}
		all.leave(one)
	})
}
