package worker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serving is a worker in this process and the console's end of it.
type serving struct {
	*Rank
	ended chan error
}

func serve(t *testing.T, cfg Config) *serving {
	t.Helper()
	ours, theirs := net.Pipe()
	s := &serving{Attach(ours), make(chan error, 1)}
	var wait sync.WaitGroup
	wait.Go(func() { s.ended <- Serve(t.Context(), theirs, cfg) })
	t.Cleanup(func() {
		s.Close()
		wait.Wait()
	})
	return s
}

// await reads up to the first message of type T; a Fault in its place fails.
func await[T Message](t *testing.T, s *serving) T {
	t.Helper()
	for {
		m, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if found, ok := m.(T); ok {
			return found
		}
		if f, ok := m.(Fault); ok {
			t.Fatalf("fault: %+v", f)
		}
	}
}

func newJob(t *testing.T, ranks, r int, size unit.Bytes) Job {
	t.Helper()
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: ranks, Size: size, Iterations: 2, Link: trace.TCP}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	sched, err := schedule.Build(spec.Request())
	if err != nil {
		t.Fatal(err)
	}
	program, err := schedule.Compile(sched, r)
	if err != nil {
		t.Fatal(err)
	}
	return Job{Run: "r1", Spec: spec, Program: program, Slices: spec.SlicesFor(sched), Window: rank.Window(sched, 4)}
}

func TestConversation(t *testing.T) {
	workers := []*serving{serve(t, Config{Build: "test"}), serve(t, Config{Build: "test"})}
	converse(t, workers, func(int, *Job) {})
}

// The same over sealed edges, on every address of the machine.
func TestConversationOverSealedEdges(t *testing.T) {
	workers := []*serving{serve(t, Config{Build: "test"}), serve(t, Config{Build: "test"})}
	converse(t, workers, func(_ int, j *Job) {
		j.Place.Bind, j.Place.Advertise = netip.IPv4Unspecified(), "127.0.0.1"
		j.Place.Sealed = []bool{true, true}
	})
}

func TestPeerThatCannotBeReachedIsNamed(t *testing.T) {
	w := serve(t, Config{})
	await[Hello](t, w)
	if err := w.Begin(newJob(t, 2, 0, 4096)); err != nil {
		t.Fatal(err)
	}
	own := await[Listening](t, w).Address
	closed, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	gone := closed.Addr().String()
	if err := w.Meet([]string{own, gone}); err != nil {
		t.Fatal(err)
	}
	for {
		m, err := w.Next()
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := m.(Fault); ok {
			want := "rank 0 on 127.0.0.1 cannot reach rank 1 at " + gone + ": connection refused"
			if f.Kind != FaultStart || f.Peer != 1 || f.Step != -1 || f.Message != want {
				t.Errorf("%+v, want %q", f, want)
			}
			return
		}
	}
}

// The same over memory, which the workers map from the file they were given.
func TestConversationOverMemory(t *testing.T) {
	if !link.SharesMemory {
		t.Skip("no shared memory on this system")
	}
	var jobs []Job
	var programs []*schedule.Program
	for r := range 2 {
		jobs = append(jobs, newJob(t, 2, r, 40_000))
		programs = append(programs, jobs[r].Program)
	}
	plan := link.PlanShm(2, rank.Edges(programs, 10_000, 4, jobs[0].Slices), 0)
	file, err := link.NewSegment(plan.Size)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var workers []*serving
	for range 2 {
		again, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", file.Fd()), os.O_RDWR, 0)
		if err != nil {
			t.Skip("no second way to open the segment: ", err)
		}
		workers = append(workers, serve(t, Config{Build: "test", Segment: again}))
	}
	converse(t, workers, func(_ int, j *Job) {
		j.Spec.Link, j.Place.Shm, j.Place.Crowded, j.Place.Burst = trace.Shm, &plan, true, 1
	})
}

// converse leads two workers through a run.
func converse(t *testing.T, workers []*serving, change func(r int, j *Job)) {
	t.Helper()
	addresses := make([]string, len(workers))
	for r, w := range workers {
		if h := await[Hello](t, w); h.Protocol != Protocol || h.Build != "test" {
			t.Fatalf("%+v", h)
		}
		job := newJob(t, 2, r, 40_000)
		change(r, &job)
		if err := w.Begin(job); err != nil {
			t.Fatal(err)
		}
		addresses[r] = await[Listening](t, w).Address
	}
	var wait sync.WaitGroup
	for _, w := range workers {
		if err := w.Meet(addresses); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() { follow(t, w) })
	}
	wait.Wait()
	for _, w := range workers {
		if err := w.Quit(); err != nil {
			t.Fatal(err)
		}
		if err := <-w.ended; err != nil {
			t.Error(err)
		}
	}
}

// follow reads a run of 40,000 bytes to its end and asks for some of it.
func follow(t *testing.T, w *serving) {
	times, marks := 0, 0
	for {
		m, err := w.Next()
		if err != nil {
			t.Error(err)
			return
		}
		switch m := m.(type) {
		case Times:
			if m.First != times {
				t.Errorf("times from %d, have %d", m.First, times)
			}
			times += len(m.Times)
		case Marks:
			if m.Iteration == 21 {
				marks += len(m.Marks)
			}
		case Digests:
			if !m.Last || len(m.Digests) != 1 || times != 22 || marks != 5 {
				t.Errorf("%d digests, %d times, %d marks of the last iteration", len(m.Digests), times, marks)
			}
			if err := w.Fetch(0, 39_996); err != nil {
				t.Error(err)
			}
		case Piece:
			if len(m.Bytes) != 4 {
				t.Errorf("%d bytes from 39,996 on", len(m.Bytes))
			}
			return
		case Fault:
			t.Errorf("%+v", m)
			return
		}
	}
}

func TestJobsOutsideTheBoundsAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Job){
		"program":    func(j *Job) { j.Program = nil },
		"ranks":      func(j *Job) { j.Spec.Ranks = 65 },
		"size":       func(j *Job) { j.Spec.Size = trace.MaxSize + 4 },
		"iterations": func(j *Job) { j.Spec.Iterations = trace.MaxIterations + 1 },
		"slices":     func(j *Job) { j.Slices = trace.MaxSlices + 1 },
		"window":     func(j *Job) { j.Window = 0 },
		"dwell":      func(j *Job) { j.Dwell = time.Hour },
		"stops":      func(j *Job) { j.Stops = []int{2, 1} },
		"other":      func(j *Job) { j.Program.Ranks = 3 },
		"tmp":        func(j *Job) { j.Spec.Size, j.Program.TmpChunks = 4*unit.GiB, 1000 },
		"move":       func(j *Job) { j.Program.Moves[0].Peer = 9 },
	} {
		w := serve(t, Config{})
		await[Hello](t, w)
		job := newJob(t, 2, 0, 4096)
		spoil(&job)
		if err := w.Begin(job); err != nil {
			t.Fatal(err)
		}
		for {
			m, err := w.Next()
			if err != nil {
				t.Fatal(err)
			}
			if _, listening := m.(Listening); listening {
				t.Errorf("%s: accepted", name)
				break
			}
			if f, ok := m.(Fault); ok {
				if f.Kind != FaultStart || !strings.Contains(f.Message, "refuse the job") {
					t.Errorf("%s: %+v", name, f)
				}
				break
			}
		}
	}
}

func TestOtherProtocolIsRefused(t *testing.T) {
	w := serve(t, Config{})
	await[Hello](t, w)
	job := newJob(t, 2, 0, 4096)
	job.Protocol = Protocol + 1
	if err := w.s.sendJSON(kindJob, job); err != nil {
		t.Fatal(err)
	}
	for {
		m, err := w.Next()
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := m.(Fault); ok {
			if !strings.Contains(f.Message, fmt.Sprintf("protocol %d", Protocol+1)) {
				t.Errorf("%+v", f)
			}
			return
		}
	}
}

func TestWorkerEndsWithItsConsole(t *testing.T) {
	orphaned := make(chan struct{})
	w := serve(t, Config{Orphaned: func() { close(orphaned) }})
	await[Hello](t, w)
	w.Close()
	<-orphaned
	if err := <-w.ended; !errors.Is(err, ErrOrphaned) {
		t.Error(err)
	}
}

func TestWorkerEndsWithItsContext(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, theirs, Config{}) }()
	if _, err := Attach(ours).Next(); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestNonsenseFromTheConsoleEndsTheWorker(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	ended := make(chan error, 1)
	go func() { ended <- Serve(t.Context(), theirs, Config{}) }()
	if _, err := Attach(ours).Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := ours.Write([]byte("GET / HTTP/1.1\r\n")); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("goes on")
	}
}
