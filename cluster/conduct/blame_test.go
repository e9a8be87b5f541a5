package conduct

import (
	"strings"
	"testing"
	"time"

	"lockstep/cluster/worker"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// underWay is a run of n ranks, all of them in the middle of it and heard of
// at the epoch.
func underWay(t *testing.T, n int) *Conductor {
	t.Helper()
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: n, Size: 4096}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return conducted(t, spec, here{})
}

// conducted is a run on hosts, whose ranks take turns on them.
func conducted(t *testing.T, spec trace.Spec, hosts ...Host) *Conductor {
	t.Helper()
	sched, err := schedule.Build(spec.Request())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(Task{Run: "r1", Spec: spec, Schedule: sched})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{ID: "r1", Plan: plan, Log: trace.NewLog(), Patience: time.Second}
	for i := range spec.Ranks {
		cfg.Hosts = append(cfg.Hosts, hosts[i*len(hosts)/spec.Ranks])
	}
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.tickAt, r.movedAt = epoch, epoch
	for i, h := range cfg.Hosts {
		r.members = append(r.members, &member{rank: i, host: h, process: unknowable{}, stage: ready, begun: epoch, seen: epoch})
	}
	return r
}

// here is this machine, without processes.
type here struct{ Host }

func (here) Name() string                   { return "" }
func (here) Silent(time.Time) time.Duration { return 0 }

// unknowable is a process of which the system says nothing.
type unknowable struct{ Process }

func (unknowable) State() State { return Unknown }

// pass lets time pass, tick by tick, up to a moment after the epoch; the ranks
// that are not silent are heard of, and bytes move.
func (r *Conductor) pass(until time.Duration, silent ...int) {
	for now := r.tickAt.Add(tickEvery); now.Sub(epoch) <= until && !r.ended; now = now.Add(tickEvery) {
		for i, m := range r.members {
			quiet := false
			for _, s := range silent {
				quiet = quiet || s == i
			}
			if !quiet {
				m.seen = now
			}
		}
		r.movedAt = now
		r.watch(now)
	}
}

func TestSilenceIsAFreeze(t *testing.T) {
	r := underWay(t, 3)
	r.pass(1900*time.Millisecond, 2)
	if r.ended {
		t.Fatalf("too early: %+v", r.failure)
	}
	r.pass(2200*time.Millisecond, 2)
	if r.failure == nil || r.failure.Kind != trace.ProcessFrozen || *r.failure.Culprit.Rank != 2 {
		t.Fatalf("%+v", r.failure)
	}
}

// Messages of a barrier have no bytes: that slices end is all that is seen.
func TestMarksAreSignsOfLife(t *testing.T) {
	r := underWay(t, 2)
	stalledAt := func(now time.Duration) bool {
		for _, m := range r.members {
			m.seen = epoch.Add(now)
		}
		r.tickAt = epoch.Add(now)
		r.watch(epoch.Add(now))
		return r.ended
	}
	mark := worker.Marks{Marks: []rank.Mark{{}}}
	if err := r.take(t.Context(), r.members[0], word{at: epoch.Add(2 * time.Second), message: mark}); err != nil {
		t.Fatal(err)
	}
	if err := r.take(t.Context(), r.members[0], word{at: epoch.Add(4 * time.Second), message: worker.Marks{}}); err != nil {
		t.Fatal(err)
	}
	if stalledAt(4500 * time.Millisecond) {
		t.Fatalf("stalled: %+v", r.failure)
	}
	if !stalledAt(5100 * time.Millisecond) {
		t.Error("three seconds after the last slice it is not stalled")
	}
}

func TestSilenceOfMostIsTheMachine(t *testing.T) {
	r := underWay(t, 3)
	r.pass(9*time.Second, 0, 2)
	if r.ended {
		t.Fatalf("too early: %+v", r.failure)
	}
	r.pass(11*time.Second, 0, 2)
	if r.failure == nil || r.failure.Kind != trace.ProcessFrozen {
		t.Fatalf("%+v", r.failure)
	}
}

func TestLateConductorBlamesNobody(t *testing.T) {
	r := underWay(t, 3)
	r.watch(epoch.Add(8 * time.Second)) // nothing was looked at meanwhile
	if r.ended {
		t.Fatalf("%+v", r.failure)
	}
	r.pass(9900*time.Millisecond, 1)
	if r.ended {
		t.Fatalf("%+v", r.failure)
	}
	r.pass(10200*time.Millisecond, 1)
	if r.failure == nil || *r.failure.Culprit.Rank != 1 {
		t.Fatalf("%+v", r.failure)
	}
}

func TestDeathBeatsTheComplaintsOfPeers(t *testing.T) {
	r := underWay(t, 3)
	broken := worker.Fault{Kind: worker.FaultLink, Step: 5, Round: 2, Peer: 2, Message: "connection reset"}
	for _, i := range []int{0, 1} {
		r.hear(t.Context(), word{rank: i, at: epoch, message: broken})
	}
	r.pass(150 * time.Millisecond)
	if r.ended {
		t.Fatalf("does not wait: %+v", r.failure)
	}
	r.hear(t.Context(), word{rank: 2, at: epoch.Add(180 * time.Millisecond), gone: "signal: killed"})
	if r.failure == nil || r.failure.Kind != trace.ProcessDied || *r.failure.Culprit.Rank != 2 {
		t.Fatalf("%+v", r.failure)
	}
}

func TestComplaintsAreWeighed(t *testing.T) {
	link := worker.Fault{Kind: worker.FaultLink, Step: 5, Round: 2, Peer: 1, Message: "connection reset"}
	internal := worker.Fault{Kind: worker.FaultInternal, Step: 5, Round: 2, Peer: 0, Message: "unexpected frame"}
	setUp := worker.Fault{Kind: worker.FaultStart, Step: -1, Peer: -1, Message: "edges 0->1 do not stand"}
	for _, c := range []struct {
		faults  []worker.Fault
		kind    trace.FailureKind
		message string
	}{
		{[]worker.Fault{link, internal}, trace.Internal, "rank 1 found a fault in the run: unexpected frame"},
		{[]worker.Fault{link, setUp}, trace.StartFailed, "rank 1 could not start: edges 0->1 do not stand"},
		{[]worker.Fault{link}, trace.LinkStalled, "rank 0 lost a connection"},
	} {
		r := underWay(t, 3)
		for i, f := range c.faults {
			r.hear(t.Context(), word{rank: i, at: epoch, message: f})
		}
		r.pass(time.Second)
		if r.failure == nil || r.failure.Kind != c.kind || !strings.Contains(r.failure.Message, c.message) {
			t.Errorf("%+v", r.failure)
		}
		if c.kind == trace.LinkStalled && r.failure.Culprit.Link == "" {
			t.Errorf("%+v names no link", r.failure)
		}
	}
}

func TestWordsOutOfTurnEndTheRun(t *testing.T) {
	for _, m := range []worker.Message{
		worker.Hello{Protocol: worker.Protocol},
		worker.Listening{Address: "127.0.0.1:1"},
		worker.Ready{},
		worker.Marks{Iteration: 1 << 20},
		worker.Times{First: 3},
		worker.Digests{Last: true},
	} {
		r := underWay(t, 2)
		r.hear(t.Context(), word{rank: 1, at: epoch, message: m})
		if r.failure == nil || r.failure.Kind != trace.Internal || *r.failure.Culprit.Rank != 1 {
			t.Errorf("%T: %+v", m, r.failure)
		}
	}
}

func TestDwell(t *testing.T) {
	for rounds, want := range map[int]time.Duration{0: time.Second, 2: time.Second, 20: 500 * time.Millisecond, 1000: 100 * time.Millisecond} {
		if got := dwell(rounds); got != want {
			t.Errorf("%d rounds: %v, want %v", rounds, got, want)
		}
	}
}

// What a worker says is bounded by what there is to say.
func TestMoreThanThereIsEndsTheRun(t *testing.T) {
	r := underWay(t, 2)
	m := r.members[1]
	m.times = make([]time.Duration, r.plan.iterations())
	most := r.plan.rows(1)
	r.hear(t.Context(), word{rank: 1, at: epoch, message: worker.Digests{Digests: make([]rank.Digest, most)}})
	if r.failure != nil {
		t.Fatalf("%+v", r.failure)
	}
	r.hear(t.Context(), word{rank: 1, at: epoch, message: worker.Digests{First: most, Digests: make([]rank.Digest, 1)}})
	if r.failure == nil || !strings.Contains(r.failure.Message, "digests of") {
		t.Errorf("%+v", r.failure)
	}
	for _, address := range []string{"", "nowhere", "console.example:80", "0.0.0.0:80", strings.Repeat("x", 1000) + ":1"} {
		r := underWay(t, 2)
		r.members[1].stage = greeted
		r.hear(t.Context(), word{rank: 1, at: epoch, message: worker.Listening{Address: address}})
		if r.failure == nil || !strings.Contains(r.failure.Message, "accepted: an IP address of one machine with a port") {
			t.Errorf("%.20q: %+v", address, r.failure)
		}
	}
}
