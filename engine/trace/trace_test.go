package trace

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

func ringSpec() Spec {
	return Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 64 * unit.MiB}
}

func TestResolveFillsDefaults(t *testing.T) {
	s, err := ringSpec().Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if s.DType != schedule.Float32 || s.Op != schedule.Sum || s.Backend != Host || s.Link != Shm || s.Iterations != 10 || s.Warmups() != 3 {
		t.Errorf("resolved %+v, %d warm-ups", s, s.Warmups())
	}
	small := ringSpec()
	small.Size = 4 * unit.MiB
	if s, _ := small.Resolve(); s.Iterations != 20 || s.Warmups() != 20 {
		t.Errorf("small: %d iterations, %d warm-ups", s.Iterations, s.Warmups())
	}
	paced := ringSpec()
	paced.Pace.Step = true
	if s, _ := paced.Resolve(); s.Iterations != 1 || s.Warmups() != 0 {
		t.Errorf("paced: %d iterations, %d warm-ups", s.Iterations, s.Warmups())
	}
}

func TestResolveRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(s *Spec)
		field, want string
	}{
		"dtype":       {func(s *Spec) { s.DType = "float8" }, "dtype", "accepted: float32, float64, float16, bfloat16, int32, int64, uint8"},
		"op":          {func(s *Spec) { s.Op = "median" }, "op", "accepted: sum, prod, min, max, avg"},
		"backend":     {func(s *Spec) { s.Backend = "gloo" }, "backend", "host, mpi"},
		"library":     {func(s *Spec) { s.Algorithm = "library" }, "algorithm", "--backend mpi"},
		"mpi link":    {func(s *Spec) { s.Backend, s.Link = MPI, TCP }, "link", "accepted: auto"},
		"mpi sealed":  {func(s *Spec) { s.Backend, s.Encryption = MPI, Sealed }, "encryption", "accepted: none"},
		"mpi nodes":   {func(s *Spec) { s.Backend, s.Nodes = MPI, []string{"a"} }, "nodes", "accepted: none"},
		"mpi pace":    {func(s *Spec) { s.Backend, s.Algorithm, s.Pace.Rate = MPI, "auto", 1e9 }, "pace", "an algorithm by name"},
		"mpi chunks":  {func(s *Spec) { s.Backend, s.Algorithm, s.Chunks = MPI, "auto", 2 }, "chunks", "an algorithm by name"},
		"mpi average": {func(s *Spec) { s.Backend, s.Algorithm, s.Op = MPI, "auto", schedule.Avg }, "op", "MPI has no avg"},
		"mpi halves":  {func(s *Spec) { s.Backend, s.Algorithm, s.DType = MPI, "auto", schedule.BFloat16 }, "dtype", "MPI has no bfloat16"},
		"mpi slices": {func(s *Spec) {
			s.Backend, s.Algorithm, s.Collective, s.Slices = MPI, "auto", schedule.ReduceScatter, 4
		}, "slices", "auto or 1"},
		"link":        {func(s *Spec) { s.Link = "ib" }, "link", "auto, shm, tcp"},
		"no ranks":    {func(s *Spec) { s.Ranks = 0 }, "ranks", "1 to 64"},
		"many ranks":  {func(s *Spec) { s.Ranks = 65 }, "ranks", "1 to 64"},
		"chunks":      {func(s *Spec) { s.Chunks = -1 }, "chunks", "1 or more"},
		"odd size":    {func(s *Spec) { s.Size = 10 }, "size", "8 or 12"},
		"negative":    {func(s *Spec) { s.Size = -4 }, "size", "0 to 8 GiB"},
		"huge":        {func(s *Spec) { s.Size = 9 * unit.GiB }, "size", "0 to 8 GiB"},
		"iterations":  {func(s *Spec) { s.Iterations = 10_001 }, "iterations", "1 to 10000"},
		"slices":      {func(s *Spec) { s.Slices = 4097 }, "slices", "auto or 1 to 4096"},
		"pace":        {func(s *Spec) { s.Pace.Rate = 1 }, "pace", "1kB/s or more"},
		"endless":     {func(s *Spec) { s.Pace.Rate = unit.Rate(math.Inf(1)) }, "pace", "a rate"},
		"block sizes": {func(s *Spec) { s.Collective, s.Size = schedule.AllGather, 20 }, "size", "16 or 32"},
		"wide blocks": {func(s *Spec) { s.Collective, s.DType, s.Size = schedule.AllToAll, schedule.Float64, 40 }, "size", "32 or 64"},
		"odd element": {func(s *Spec) { s.Collective, s.DType, s.Size = schedule.AllToAll, schedule.Float64, 33 }, "size", "32 or 40"},
		"barrier":     {func(s *Spec) { s.Collective, s.Size = schedule.Barrier, 4 }, "size", "accepted: 0"},
	} {
		s := ringSpec()
		c.change(&s)
		_, err := s.Resolve()
		var bad *FieldError
		if !errors.As(err, &bad) || bad.Field != c.field || !strings.Contains(bad.Message, c.want) {
			t.Errorf("%s: %v; want field %s and %q", name, err, c.field, c.want)
		}
	}
}

func TestSlicesSuitTheLink(t *testing.T) {
	s, _ := ringSpec().Resolve()
	s.Link = TCP
	sched, err := schedule.Build(s.Request())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.SlicesFor(sched); got != 32 { // 16 MiB chunks
		t.Errorf("%d slices", got)
	}
	s.Link = Shm
	if got := s.SlicesFor(sched); got != 64 {
		t.Errorf("%d slices", got)
	}
	s.Pace.Rate = 1e9
	if got := s.SlicesFor(sched); got != 32 {
		t.Errorf("%d slices of a paced run", got)
	}
	s.Size = 8
	if got := s.SlicesFor(sched); got != 1 {
		t.Errorf("%d slices of 2 elements", got)
	}
	s.Slices = 7
	if got := s.SlicesFor(sched); got != 7 {
		t.Errorf("%d slices, asked for 7", got)
	}
}

func TestLogKeepsTheLatestIteration(t *testing.T) {
	l := NewLog()
	first := []Event{{Rank: 0, Step: 1, Side: Sent}, {Rank: 1, Step: 1, Side: Received}}
	l.Add(first)
	d := l.Since(0)
	if len(d.Events) != 2 || d.Ended {
		t.Fatalf("%+v", d)
	}
	select {
	case <-d.Changed:
		t.Fatal("changed already")
	default:
	}
	l.Add([]Event{{Rank: 0, Iteration: 1, Step: 1, Side: Sent, Bytes: 5}})
	<-d.Changed
	if d = l.Since(d.Seq); len(d.Events) != 1 || d.Events[0].Bytes != 5 {
		t.Errorf("delta %+v", d.Events)
	}
	l.Add([]Event{{Rank: 0, Iteration: 0, Step: 1, Side: Sent, Bytes: 9}}) // late
	if got := l.Latest(); len(got) != 2 || got[0].Bytes != 5 {
		t.Errorf("latest %+v", got)
	}
	if got := l.Iteration(2); got != 0 {
		t.Errorf("every rank has begun iteration %d; want 0", got)
	}
	if got := l.Iteration(3); got != -1 {
		t.Errorf("iteration %d though rank 2 was never heard of", got)
	}
	l.Close()
	l.Close()
	l.Add(first)
	if d := l.Since(0); !d.Ended || len(d.Events) != 2 {
		t.Errorf("after closing: %+v", d)
	}
}

func TestLogForgetsWhatIsOutOfDate(t *testing.T) {
	l := NewLog()
	for iteration := range 3000 {
		l.Add([]Event{{Rank: 0, Iteration: iteration, Side: Sent}, {Rank: 1, Iteration: iteration, Side: Received}})
	}
	if len(l.recent) > 2*len(l.entries)+1024 {
		t.Errorf("%d changes are kept of %d places", len(l.recent), len(l.entries))
	}
	d := l.Since(0)
	if len(d.Events) != 2 || d.Events[0].Iteration != 2999 || d.Events[1].Iteration != 2999 {
		t.Errorf("since the start: %+v", d.Events)
	}
	if d = l.Since(d.Seq - 1); len(d.Events) != 1 || d.Events[0].Rank != 1 {
		t.Errorf("since the last but one: %+v", d.Events)
	}
}

func TestLogServesManyWatchers(t *testing.T) {
	l := NewLog()
	const events = 500
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			seen := map[int]bool{}
			for seq := 0; ; {
				d := l.Since(seq)
				for _, e := range d.Events {
					seen[e.Slice] = true
				}
				seq = d.Seq
				if d.Ended {
					break
				}
				<-d.Changed
			}
			if len(seen) != events {
				t.Errorf("a watcher saw %d of %d", len(seen), events)
			}
		})
	}
	for i := range events {
		l.Add([]Event{{Slice: i}})
	}
	l.Close()
	wait.Wait()
}

func TestLogKeepsTheTimesOfIterations(t *testing.T) {
	l := NewLog()
	if l.Quiet(time.Now()) != 0 {
		t.Error("a log that has heard nothing is quiet for some time")
	}
	l.Add([]Event{{Rank: 0}})
	if quiet := l.Quiet(time.Now().Add(time.Minute)); quiet < 59*time.Second || quiet > 2*time.Minute {
		t.Errorf("quiet for %v a minute later", quiet)
	}
	before := l.Since(0)
	l.Took(3*time.Second, time.Second)
	l.Took()
	<-before.Changed
	if d := l.Since(before.Seq); d.Seq != before.Seq+1 || len(d.Events) != 0 {
		t.Errorf("times are %d changes with %d events", d.Seq-before.Seq, len(d.Events))
	}
	l.Took(2 * time.Second)
	if diff := cmp.Diff([]time.Duration{3e9, 1e9, 2e9}, l.Times()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	l.Took(make([]time.Duration, MaxIterations)...)
	if n := len(l.Times()); n != MaxIterations {
		t.Errorf("%d times are kept", n)
	}
	l.Close()
	l = NewLog()
	l.Close()
	if l.Took(time.Second); len(l.Times()) != 0 {
		t.Error("a closed log takes times")
	}
}

func TestSummarise(t *testing.T) {
	var many []time.Duration
	for i := range 20 {
		many = append(many, time.Duration(20-i)*time.Second)
	}
	for _, c := range []struct {
		iterations []time.Duration
		want       Times
	}{
		{nil, Times{}},
		{[]time.Duration{3e9}, Times{3, 3, 3}},
		{[]time.Duration{4e9, 1e9}, Times{1, 2.5, 4}},
		{many, Times{1, 10.5, 19}},
	} {
		if got := Summarise(c.iterations); got != c.want {
			t.Errorf("summarise %v: %+v, want %+v", c.iterations, got, c.want)
		}
	}
}

func TestFailuresReadBack(t *testing.T) {
	rank := 0
	for _, f := range []Failure{
		{Kind: ProcessDied, Culprit: Culprit{Rank: &rank}, Step: 0, Round: 1, DetectedAfter: 0.1, Message: "m"},
		{Kind: StartFailed, Step: -1, Message: "m"},
	} {
		text, err := json.Marshal(&f)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), "step_id"); got != (f.Step >= 0) {
			t.Errorf("%s", text)
		}
		var back Failure
		if err := json.Unmarshal(text, &back); err != nil || !cmp.Equal(f, back) {
			t.Errorf("%s read back as %+v, %v", text, back, err)
		}
	}
	text, _ := json.Marshal(Event{Side: Received})
	var e Event
	if err := json.Unmarshal(text, &e); err != nil || e.Side != Received || !strings.Contains(string(text), `"received"`) {
		t.Errorf("%s read back as %+v, %v", text, e, err)
	}
	if err := json.Unmarshal([]byte(`{"side":"up"}`), &e); err == nil {
		t.Error("an unknown side is read")
	}
}

func TestRunDocumentLeavesOutWhatIsUndefined(t *testing.T) {
	spec, _ := ringSpec().Resolve()
	run := NewRun("0001", spec, time.Unix(0, 0))
	run.Measured([]time.Duration{time.Second})
	if run.AlgBW != 0.067108864 || math.Abs(run.BusBW-1.5*run.AlgBW) > 1e-15 {
		t.Errorf("algbw %v, busbw %v", run.AlgBW, run.BusBW)
	}
	spec.Size = 0
	empty := NewRun("0002", spec, time.Unix(0, 0))
	empty.Measured([]time.Duration{time.Second})
	text, err := json.Marshal(empty)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"busbw", "algbw", "predicted_s", "failure", "paced", "iteration_times_s"} {
		if strings.Contains(string(text), key) {
			t.Errorf("%s stands in %s", key, text)
		}
	}
	for _, key := range []string{`"version":1`, `"time_s":{"min":1,`, `"verified":false`, `"warnings":[]`} {
		if !strings.Contains(string(text), key) {
			t.Errorf("no %s in %s", key, text)
		}
	}
}
