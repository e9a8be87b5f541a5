package present

import (
	"fmt"
	"net/url"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
)

// galleryMoment is when the runs of the gallery took place: always the same,
// so that it looks the same.
func galleryMoment() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) }

// gallerySlices is how finely the runs of the gallery send.
const gallerySlices = 2

// staged is a run that nobody carries out: a ring in which every step takes a
// second.
type staged struct {
	watched Watched
	rounds  []int // the counted round of each step
}

// stage makes a run that has come to an outcome.
func stageRun(ranks int, outcome trace.Outcome) (*staged, error) {
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: ranks})
	if err != nil {
		return nil, fmt.Errorf("build a schedule for the gallery: %w", err)
	}
	spec, err := trace.Spec{
		Collective: s.Collective, Algorithm: s.Algorithm, Ranks: ranks, Size: 64 * unit.MiB, Pace: trace.Pace{Rate: 8e6}, Slices: gallerySlices,
	}.Resolve()
	if err != nil {
		return nil, fmt.Errorf("plan a run for the gallery: %w", err)
	}
	began := galleryMoment()
	w := Watched{Run: trace.NewRun("0001", spec, began), Schedule: s, Here: !outcome.Final(), Signals: true, Now: began.Add(4 * time.Second), Step: -1}
	w.Run.Outcome, w.Run.ScheduleHash, w.Run.Slices = outcome, s.Hash(), gallerySlices
	w.Run.Predicted = float64(s.Rounds())
	for round := range s.Rounds() {
		w.Rounds = append(w.Rounds, unit.Seconds(round+1))
	}
	if outcome != trace.Queued {
		w.Run.Started = began
	}
	if outcome.Final() {
		w.Run.Ended = began.Add(time.Duration(s.Rounds()) * time.Second)
	}
	return &staged{w, countedRounds(s)}, nil
}

// play adds the events of what has happened: whether a rank's side of a slice
// of a step in a round is through.
func (g *staged) play(happened func(step *schedule.Step, round int, side trace.Side, slice int) bool) {
	for i := range g.watched.Schedule.Steps {
		step, round := &g.watched.Schedule.Steps[i], g.rounds[i]
		for slice := range gallerySlices {
			at := time.Duration(round)*time.Second - time.Duration(gallerySlices-1-slice)*time.Millisecond
			add := func(rank int, side trace.Side) {
				if happened(step, round, side, slice) {
					g.watched.Events = append(g.watched.Events, trace.Event{Rank: rank, Step: step.ID, Slice: slice, At: max(at, 0), Side: side})
				}
			}
			if step.Local() {
				add(step.Src, trace.Local)
				continue
			}
			add(step.Src, trace.Sent)
			add(step.Dst, trace.Received)
		}
	}
}

// until plays everything before a round, and its first slice.
func until(round int) func(*schedule.Step, int, trace.Side, int) bool {
	return func(_ *schedule.Step, at int, _ trace.Side, slice int) bool {
		return at < round || at == round && slice == 0
	}
}

// finish makes a run that has been played to its end look so.
func (g *staged) finish() {
	g.play(func(*schedule.Step, int, trace.Side, int) bool { return true })
	g.watched.Run.Verified = true
	g.watched.Run.Measured([]time.Duration{time.Duration(g.watched.Schedule.Rounds()) * time.Second})
}

// fail freezes a rank at the start of a round: nothing of that round leaves or
// reaches it, nor anything later those behind it.
func (g *staged) fail(rank, round int) {
	g.play(func(step *schedule.Step, at int, side trace.Side, _ int) bool {
		return at < round || at == round && step.Src != rank && step.Dst != rank
	})
	last := 0
	for i := range g.rounds {
		if g.rounds[i] == round {
			last = i
		}
	}
	g.watched.Run.Failure = &trace.Failure{
		Kind: trace.ProcessFrozen, Culprit: trace.Culprit{Rank: &rank}, Step: g.watched.Schedule.Steps[last].ID, Round: round,
		DetectedAfter: 2.1, Message: fmt.Sprintf("rank %d's process is silent", rank),
	}
}

// galleryRunning fills in a run in each state it can be in, and the parts of
// its page and of the form that starts it.
func galleryRunning(f Frame, g *views.Gallery) error {
	var listed []trace.Run
	for _, state := range []struct {
		message string
		ranks   int
		outcome trace.Outcome
		make    func(*staged)
		page    *views.Run // where its parts are shown, too
	}{
		{"gallery.run.queued", 4, trace.Queued, func(s *staged) { s.watched.Ahead = 2 }, nil},
		{"gallery.run.starting", 4, trace.Running, func(*staged) {}, nil},
		{"gallery.run.running", 4, trace.Running, func(s *staged) { s.play(until(3)) }, &g.Running},
		{"gallery.run.waiting", 4, trace.Running, func(s *staged) {
			s.play(func(step *schedule.Step, at int, _ trace.Side, _ int) bool { return at < 3 || at == 3 && step.Src != 1 })
			s.watched.Run.Warnings = append(s.watched.Run.Warnings, trace.Warning{Code: "slow-rank", Message: "rank 1"})
		}, nil},
		{"gallery.run.eight", 8, trace.Running, func(s *staged) { s.play(until(6)) }, nil},
		{"gallery.run.twelve", 12, trace.Running, func(s *staged) { s.play(until(9)) }, nil},
		{"gallery.run.many", 24, trace.Running, func(s *staged) { s.play(until(20)) }, nil},
		{"gallery.run.many.done", 24, trace.Done, (*staged).finish, nil},
		{"gallery.run.done", 4, trace.Done, (*staged).finish, &g.Done},
		{"gallery.run.failed", 8, trace.Failed, func(s *staged) { s.fail(2, 4) }, &g.Failed},
		{"gallery.run.cancelled", 4, trace.Cancelled, func(s *staged) { s.play(until(4)) }, nil},
		{"gallery.run.elsewhere", 4, trace.Running, func(s *staged) { s.play(until(2)); s.watched.Here = false }, nil},
	} {
		s, err := stageRun(state.ranks, state.outcome)
		if err != nil {
			return err
		}
		s.watched.Run.ID = fmt.Sprintf("%04d", len(listed)+1)
		state.make(s)
		page := RunPage(f, s.watched)
		g.States = append(g.States, views.GalleryRun{Name: f.Locale.T(state.message), Run: page})
		listed = append(listed, s.watched.Run)
		if state.page != nil {
			*state.page = page
		}
	}
	g.Runs = RunList(f, RunsPage{Runs: listed})
	const most = 4
	request := ReadRunRequest(url.Values{"n": {"99"}, "size": {"100G"}, "pace": {"rate"}, "rate": {"8MB/s"}})
	_, wrong := request.Spec(most)
	form := NewRun(f, RunDraft{Request: request, Wrong: wrong, LocalRanks: most})
	g.Fields = []views.Field{form.Iterations, form.Rate, form.Ranks, form.Size}
	g.Selects = []views.SelectField{form.DType}
	g.Calibrations = galleryCalibrations(f)
	called := ReadRunRequest(url.Values{"pair": {"all-reduce/library"}, "n": {"4"}, "size": {"64MiB"}})
	_, wrong = called.Spec(most)
	offers := []trace.Offer{{Backend: trace.Host}, {Backend: trace.MPI, Missing: trace.RefusesRoot}}
	g.RunBackend = NewRun(f, RunDraft{Request: called, Wrong: wrong, LocalRanks: most, Offers: offers}).Backend
	return nil
}
