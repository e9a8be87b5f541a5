package carry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/sweep/carry"
	"lockstep/engine/trace"
)

// bench stands in for an engine and a journal.
type bench struct {
	mu       sync.Mutex
	specs    []trace.Spec
	placed   map[int]sweep.Point
	full     int                                 // how often the queue is full first
	outcome  func(trace.Spec) (trace.Run, error) // nil for done
	hold     chan struct{}                       // runs wait for it; nil for not
	finished chan sweep.State
}

func newBench() *bench {
	return &bench{placed: map[int]sweep.Point{}, finished: make(chan sweep.State, 1)}
}

func (b *bench) Submit(_ context.Context, s trace.Spec) (trace.Run, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.full > 0 {
		b.full--
		return trace.Run{}, engine.ErrQueueFull
	}
	if _, err := s.Resolve(); err != nil {
		return trace.Run{}, err
	}
	b.specs = append(b.specs, s)
	return trace.Run{ID: fmt.Sprintf("%04d", len(b.specs)), Outcome: trace.Queued}, nil
}

func (b *bench) Wait(ctx context.Context, id string) (trace.Run, error) {
	if b.hold != nil {
		select {
		case <-ctx.Done():
			return trace.Run{}, ctx.Err()
		case <-b.hold:
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var n int
	fmt.Sscan(id, &n)
	run := trace.Run{ID: id, Outcome: trace.Done}
	if b.outcome != nil {
		made, err := b.outcome(b.specs[n-1])
		made.ID = id
		return made, err
	}
	return run, nil
}

func (b *bench) Cancel(context.Context, string) error {
	close(b.hold)
	return nil
}

func (b *bench) Begin(_ context.Context, c sweep.Comparison) (sweep.Comparison, error) {
	c.ID = "0001"
	return c, nil
}

func (b *bench) Place(_ context.Context, _ string, i int, p sweep.Point) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, twice := b.placed[i]; twice || i != len(b.placed) {
		return fmt.Errorf("point %d behind %d", i, len(b.placed))
	}
	b.placed[i] = p
	return nil
}

func (b *bench) End(_ context.Context, _ string, s sweep.State) error {
	b.finished <- s
	return nil
}

func request() sweep.Request {
	return sweep.Request{
		Base: trace.Spec{Collective: schedule.AllReduce, Ranks: 2}, Range: sweep.Range{First: 8, Last: 32, Factor: 2},
		Ways: []sweep.Way{{Backend: trace.Host, Algorithm: "ring"}, {Backend: trace.MPI, Algorithm: "library"}},
	}
}

func TestWaysTakeTurns(t *testing.T) {
	b := newBench()
	b.full = 1
	s := carry.NewSweeper(b, b, slog.New(slog.DiscardHandler))
	defer s.Close()
	c, err := s.Start(t.Context(), request())
	if err != nil || c.ID != "0001" || c.State != sweep.Running {
		t.Fatalf("%+v, %v", c, err)
	}
	if state := <-b.finished; state != sweep.Done {
		t.Errorf("ended %s", state)
	}
	var got []string
	for _, spec := range b.specs {
		got = append(got, fmt.Sprintf("%d %s", spec.Size, spec.Backend))
	}
	if want := []string{"8 host", "8 mpi", "16 host", "16 mpi", "32 host", "32 mpi"}; !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
}

func TestAWayThatFailsIsNotTriedAgain(t *testing.T) {
	b := newBench()
	b.outcome = func(s trace.Spec) (trace.Run, error) {
		if s.Backend == trace.MPI && s.Size == 16 {
			return trace.Run{Outcome: trace.Failed}, nil
		}
		return trace.Run{Outcome: trace.Done}, nil
	}
	s := carry.NewSweeper(b, b, slog.New(slog.DiscardHandler))
	defer s.Close()
	if _, err := s.Start(t.Context(), request()); err != nil {
		t.Fatal(err)
	}
	if state := <-b.finished; state != sweep.Done || len(b.placed) != 6 || b.placed[5].Left != sweep.FailedBefore || b.placed[4].Left != "" {
		t.Errorf("ended %s with %+v", state, b.placed)
	}
}

func TestWhatIsRefusedLeavesTheOthers(t *testing.T) {
	b := newBench()
	s := carry.NewSweeper(b, b, slog.New(slog.DiscardHandler))
	defer s.Close()
	r := request()
	r.Base.Op = schedule.Avg // which MPI lacks
	if _, err := s.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if state := <-b.finished; state != sweep.Done || len(b.specs) != 3 || b.placed[1].Left != sweep.Refused || b.placed[3].Left != sweep.FailedBefore {
		t.Errorf("ended %s with %+v", state, b.placed)
	}
}

func TestOneAtATimeAndStopped(t *testing.T) {
	b := newBench()
	b.hold = make(chan struct{})
	b.outcome = func(trace.Spec) (trace.Run, error) { return trace.Run{Outcome: trace.Cancelled}, nil }
	s := carry.NewSweeper(b, b, slog.New(slog.DiscardHandler))
	defer s.Close()
	if _, err := s.Start(t.Context(), request()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Start(t.Context(), request()); !errors.Is(err, sweep.ErrBusy) {
		t.Errorf("a second one: %v, want %v", err, sweep.ErrBusy)
	}
	for {
		c, changed, under := s.Watch("0001")
		if !under {
			t.Fatal("it is not under way")
		}
		if len(c.Points) == 1 {
			break
		}
		<-changed
	}
	s.Stop(t.Context(), "0001")
	if state := <-b.finished; state != sweep.Stopped || len(b.placed) != 1 {
		t.Errorf("ended %s with %+v", state, b.placed)
	}
}
