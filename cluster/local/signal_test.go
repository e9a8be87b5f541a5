//go:build linux

package local_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/cluster/local"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// signal sends a signal to a rank of the run under way.
func (a *attempt) signal(t *testing.T, f *local.Fleet, rank int, s trace.Signal) {
	t.Helper()
	if err := f.Signal(t.Context(), "r1", rank, s); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
}

// moving is a run of some seconds that waits for nothing but its pace.
var moving = trace.Spec{Ranks: 4, Size: 8 * unit.MB, Pace: trace.Pace{Rate: 4e6}, Slices: 8}

func TestASignalledDeathIsNamed(t *testing.T) {
	f := fleet(t, "worker")
	a := begin(t, f, moving)
	a.iteration(t, 0)
	a.signal(t, f, 2, trace.Kill)
	fail := a.end(t, 2*time.Second).Failure
	if fail == nil || fail.Kind != trace.ProcessDied || *fail.Culprit.Rank != 2 {
		t.Fatalf("%+v", fail)
	}
}

func TestASignalledFreezeIsNamedAndAResumedOneIsNot(t *testing.T) {
	f := fleet(t, "worker")
	a := begin(t, f, moving)
	a.iteration(t, 0)
	a.signal(t, f, 1, trace.Freeze)
	begun := time.Now()
	fail := a.end(t, 4*time.Second).Failure
	if fail == nil || fail.Kind != trace.ProcessFrozen || *fail.Culprit.Rank != 1 {
		t.Fatalf("%+v", fail)
	}
	t.Logf("named after %v: %s", time.Since(begun).Round(time.Millisecond), fail.Message)

	a = begin(t, f, moving)
	a.iteration(t, 0)
	a.signal(t, f, 1, trace.Freeze)
	time.Sleep(time.Second)
	a.signal(t, f, 1, trace.Resume)
	if report := a.end(t, 20*time.Second); report.Failure != nil || !report.Verified {
		t.Fatalf("%+v", report)
	}
	if doubts := a.log.Warnings(); len(doubts) != 0 {
		t.Errorf("a pause of a second: %+v", doubts)
	}
}

// A slow rank is named, and the run is done for all that.
func TestASlowRankIsNamedAndNotFailed(t *testing.T) {
	for name, c := range map[string]struct {
		spec trace.Spec
		rank int
	}{
		"paced":   {trace.Spec{Ranks: 4, Size: 4 * unit.MB, Pace: trace.Pace{Rate: 4e6}}, 3},
		"central": {trace.Spec{Algorithm: "central", Ranks: 3, Size: 8 * unit.MB, Pace: trace.Pace{Rate: 8e6}}, 1},
		"pair":    {trace.Spec{Ranks: 2, Size: 4 * unit.MB, Pace: trace.Pace{Rate: 4e6}}, 0},
		"full":    {trace.Spec{Ranks: 3, Size: 16 * mib, Iterations: 10_000}, 1},
		"small":   {trace.Spec{Ranks: 4, Size: 64 << 10, Iterations: 10_000, Link: trace.TCP}, 2},
		"steps":   {trace.Spec{Ranks: 3, Size: mib, Pace: trace.Pace{Step: true}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			if raceEnabled && name == "small" {
				t.Skip("beside another package's tests nobody waits for ten times almost nothing: all wait for a processor")
			}
			f := fleet(t, "worker")
			a := begin(t, f, c.spec)
			a.iteration(t, 0)
			if doubts := a.log.Warnings(); len(doubts) != 0 {
				t.Fatalf("before it is slow: %+v", doubts)
			}
			a.signal(t, f, c.rank, trace.Slow)
			begun := time.Now()
			poll(t, "a warning", func() bool { return len(a.log.Warnings()) > 0 })
			doubt := a.log.Warnings()[0]
			t.Logf("after %v: %s", time.Since(begun).Round(time.Millisecond), doubt.Message)
			if want := "rank " + string(rune('0'+c.rank)) + " is slow"; doubt.Code != "slow-rank" || !strings.HasPrefix(doubt.Message, want) {
				t.Errorf("%+v; want %q", doubt, want)
			}
			if len(a.report) > 0 {
				t.Fatalf("over: %+v", <-a.report)
			}
			a.signal(t, f, c.rank, trace.Resume)
			if c.spec.Iterations > 0 { // for ever
				a.cancel()
				if report := a.end(t, 2*time.Second); report.Failure != nil {
					t.Fatalf("%+v", report.Failure)
				}
				return
			}
			if report := a.end(t, 40*time.Second); report.Failure != nil || !report.Verified {
				t.Fatalf("%+v", report)
			}
			if doubts := a.log.Warnings(); len(doubts) != 1 {
				t.Errorf("%+v; want one", doubts)
			}
		})
	}
}

// However much else the machine has to do, all ranks are slow alike.
func TestALoadedMachineHasNoSlowRank(t *testing.T) {
	if testing.Short() {
		t.Skip("keeps the machine busy for seconds")
	}
	stop := make(chan struct{})
	var load sync.WaitGroup
	for range 4 {
		load.Go(func() {
			for n := 0; ; n++ {
				if n%1000 == 0 {
					select {
					case <-stop:
						return
					default:
					}
				}
			}
		})
	}
	defer load.Wait()
	defer close(stop)
	for _, spec := range []trace.Spec{
		{Ranks: 8, Size: 16 * mib, Iterations: 10_000},
		{Algorithm: "central", Ranks: 6, Size: 4 * mib, Iterations: 10_000},
	} {
		f := fleet(t, "worker")
		a := begin(t, f, spec)
		a.iteration(t, 0)
		time.Sleep(5 * time.Second)
		a.cancel()
		if report := a.end(t, 5*time.Second); report.Failure != nil {
			t.Errorf("%+v", report.Failure)
		}
		if doubts := a.log.Warnings(); len(doubts) != 0 {
			t.Errorf("%+v: %+v", spec, doubts)
		}
	}
}

func TestSignalsThatCannotBe(t *testing.T) {
	f := fleet(t, "worker")
	if err := f.Signal(t.Context(), "r1", 0, trace.Kill); !errors.Is(err, trace.ErrNotRunning) {
		t.Errorf("before the run: %v", err)
	}
	a := begin(t, f, moving)
	a.iteration(t, 0)
	var unusable *trace.FieldError
	for _, rank := range []int{-1, 4} {
		if err := f.Signal(t.Context(), "r1", rank, trace.Kill); !errors.As(err, &unusable) || unusable.Field != "rank" {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
	if err := f.Signal(t.Context(), "r1", 0, "tickle"); !errors.As(err, &unusable) || unusable.Field != "signal" {
		t.Errorf("an unknown signal: %v", err)
	}
	if err := f.Signal(t.Context(), "r2", 0, trace.Kill); !errors.Is(err, trace.ErrNotRunning) {
		t.Errorf("another run: %v", err)
	}
	a.cancel()
	if report := a.end(t, 2*time.Second); report.Failure != nil {
		t.Errorf("%+v", report.Failure)
	}
	if err := f.Signal(t.Context(), "r1", 0, trace.Kill); !errors.Is(err, trace.ErrNotRunning) {
		t.Errorf("after the run: %v", err)
	}
}
