package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

// scripted answers with one sample after the other, the last for ever.
type scripted struct {
	label   string
	answers []sample
	asked   int
}

func (s *scripted) name() string { return s.label }

func (s *scripted) measure(context.Context, cell) (sample, error) {
	a := s.answers[min(s.asked, len(s.answers)-1)]
	s.asked++
	return a, a.err
}

func took(seconds float64) sample { return sample{median: seconds, fastest: seconds / 2} }

// probing returns the exchanges one after the other, the last for ever.
func probing(exchanges ...float64) func() float64 {
	return func() float64 {
		e := exchanges[0]
		if len(exchanges) > 1 {
			exchanges = exchanges[1:]
		}
		return e
	}
}

func TestProgramsTakeTurns(t *testing.T) {
	us, mpi := &scripted{label: "us", answers: []sample{took(1), took(2), took(3)}}, &scripted{label: "mpi", answers: []sample{took(10)}}
	b := contest{programs: [programs]program{us, mpi, nil}, rounds: 3, budget: time.Hour, probe: probing(50), now: time.Now}
	played, err := b.play(t.Context(), cell{size: 8})
	if err != nil || len(played) != 3 {
		t.Fatalf("%d rounds, %v", len(played), err)
	}
	for i, r := range played {
		if r.place != near || r.exchange != 50 || r.samples[ours].median != float64(i+1) || r.samples[openMPI].median != 10 || r.samples[gloo].median != 0 {
			t.Errorf("round %d: %+v", i, r)
		}
	}
	if p := problems(played); p != nil {
		t.Errorf("problems: %v", p)
	}
}

// The first round sees the placement change and is played again; the second
// sees it change at every try and stands so.
func TestChangedRoundIsRepeated(t *testing.T) {
	us := &scripted{label: "us", answers: []sample{took(1)}}
	b := contest{programs: [programs]program{us}, rounds: 2, budget: time.Hour, now: time.Now,
		probe: probing(50, 400 /* again */, 400, 410 /* then */, 50, 400, 400, 50, 50, 400)}
	played, err := b.play(t.Context(), cell{size: 8})
	if err != nil {
		t.Fatal(err)
	}
	if us.asked != 2+3 || played[0].place != far || played[0].exchange != 405 || played[1].place != changed {
		t.Errorf("asked %d times: %+v", us.asked, played)
	}
}

func TestBudgetEndsACell(t *testing.T) {
	us := &scripted{label: "us", answers: []sample{took(1)}}
	var clock time.Time
	b := contest{programs: [programs]program{us}, rounds: 9, budget: 10 * time.Second, now: func() time.Time { return clock }, probe: func() float64 {
		clock = clock.Add(2 * time.Second)
		return 50
	}}
	if played, err := b.play(t.Context(), cell{size: 8}); err != nil || len(played) != fewestRounds {
		t.Errorf("%d rounds, %v; want %d", len(played), err, fewestRounds)
	}
}

// A peer that fails is left out from there on, and named once.
func TestFailedPeerIsLeftOut(t *testing.T) {
	broken := errors.New("wrong result")
	us, mpi := &scripted{label: "us", answers: []sample{took(1)}}, &scripted{label: "mpi", answers: []sample{took(2), {err: broken}}}
	b := contest{programs: [programs]program{us, mpi}, rounds: 4, budget: time.Hour, probe: probing(50), now: time.Now}
	played, err := b.play(t.Context(), cell{"all-reduce", "tcp", 2, 8})
	if err != nil {
		t.Fatal(err)
	}
	if us.asked != 4 || mpi.asked != 2 {
		t.Errorf("asked us %d times, the peer %d times; want 4 and 2", us.asked, mpi.asked)
	}
	if p := problems(played); len(p) != 1 || !errors.Is(p[0], broken) || p[0].Error() != "mpi, all-reduce, tcp, 2 ranks, 8 B: wrong result" {
		t.Errorf("problems: %v", p)
	}
}

func TestCancelEndsTheContest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	us := &scripted{label: "us", answers: []sample{{err: errors.New("killed")}}}
	b := contest{programs: [programs]program{us}, rounds: 4, budget: time.Hour, probe: probing(50), now: time.Now}
	if _, err := b.play(ctx, cell{size: 8}); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}
