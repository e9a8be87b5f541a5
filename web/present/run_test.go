package present

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// played is the trace of the steps that happened says have happened, in one
// iteration in which every counted round takes a second.
func played(t *testing.T, s *schedule.Schedule, slices int, happened func(step schedule.Step, side trace.Side, slice int) bool) []trace.Event {
	t.Helper()
	rounds := countedRounds(s)
	var events []trace.Event
	for i, step := range s.Steps {
		for slice := range slices {
			at := time.Duration(rounds[i])*time.Second - time.Duration(slices-1-slice)*time.Millisecond
			e := trace.Event{Rank: step.Src, Step: step.ID, Slice: slice, At: at, Side: trace.Sent}
			if step.Local() {
				e.Side, e.At = trace.Local, 0
			}
			if happened(step, e.Side, slice) {
				events = append(events, e)
			}
			e.Rank, e.Side = step.Dst, trace.Received
			if !step.Local() && happened(step, e.Side, slice) {
				events = append(events, e)
			}
		}
	}
	return events
}

func everything(schedule.Step, trace.Side, int) bool { return true }

func build(t *testing.T, algorithm string, ranks int) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: algorithm, Ranks: ranks})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// watched is a run of s that has the outcome.
func watchedRun(t *testing.T, s *schedule.Schedule, outcome trace.Outcome) Watched {
	t.Helper()
	spec, err := trace.Spec{
		Collective: s.Collective, Algorithm: s.Algorithm, Ranks: s.Ranks, Size: 64 * unit.MiB, Pace: trace.Pace{Rate: 8e6}, Slices: 2,
	}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	w := Watched{Run: trace.NewRun("0007", spec, began), Schedule: s, Here: !outcome.Final(), Now: began.Add(4 * time.Second), Step: -1}
	w.Run.Outcome, w.Run.Started, w.Run.ScheduleHash, w.Run.Slices = outcome, began, s.Hash(), spec.Slices
	for round := range s.Rounds() {
		w.Rounds = append(w.Rounds, unit.Seconds(round+1))
	}
	w.Run.Predicted = float64(s.Rounds())
	if outcome.Final() {
		w.Run.Ended = began.Add(8 * time.Second)
	}
	return w
}

func TestBlockTableFollowsTheWalk(t *testing.T) {
	for _, algorithm := range []string{"ring", "central"} {
		for ranks := 1; ranks <= 9; ranks++ {
			s := build(t, algorithm, ranks)
			table, ok := newBlockTable(s)
			if !ok {
				t.Fatalf("%s of %d ranks is not drawn", algorithm, ranks)
			}
			cells := reach(s, 1, played(t, s, 1, everything)).cells(table)
			for cell, have := range cells {
				if !have.final || have.count() != ranks {
					t.Errorf("%s of %d ranks: in the end cell %d has %d contributions, final %v", algorithm, ranks, cell, have.count(), have.final)
				}
			}
			for cell, have := range table.start {
				if have.by != 1<<(cell/table.rows) {
					t.Errorf("%s of %d ranks: cell %d starts with %b", algorithm, ranks, cell, have.by)
				}
			}
		}
	}
}

func TestLargeSchedulesHaveNoTable(t *testing.T) {
	if _, ok := newBlockTable(build(t, "ring", maxGrid+1)); ok {
		t.Error("a grid that nobody can read is drawn")
	}
}

func TestReachedSeesOnlyTheLatestIteration(t *testing.T) {
	s := build(t, "ring", 4)
	events := played(t, s, 2, everything)
	events = append(events, trace.Event{Rank: 0, Iteration: 1, Step: 999}, trace.Event{Rank: 77})
	r := reach(s, 2, events)
	table, _ := newBlockTable(s)
	if share := r.share(table); share[0] != 0.0 || share[2] != 1 {
		t.Errorf("shares %v: rank 0 has just begun again", share)
	}
	if r.iteration() != 0 {
		t.Errorf("iteration %d", r.iteration())
	}
}

func TestEndsAreThoseOfTheSlowestRank(t *testing.T) {
	s := build(t, "ring", 4)
	table, _ := newBlockTable(s)
	want := []time.Duration{0, 1e9, 2e9, 3e9, 4e9, 5e9, 6e9}
	if diff := cmp.Diff(want, reach(s, 2, played(t, s, 2, everything)).ends(table)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Step 3 lacks its last slice on one rank: it and what follows have no end.
	open := reach(s, 2, played(t, s, 2, func(step schedule.Step, side trace.Side, slice int) bool {
		return !(step.Dst == 2 && side == trace.Received && slice == 1 && countedRounds(s)[s.Index(step.ID)] == 3)
	}))
	if diff := cmp.Diff([]time.Duration{0, 1e9, 2e9, 0, 0, 0, 0}, open.ends(table)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRunningRunSaysWhereItIs(t *testing.T) {
	s := build(t, "ring", 4)
	w := watchedRun(t, s, trace.Running)
	rounds := countedRounds(s)
	w.Events = played(t, s, 2, func(step schedule.Step, _ trace.Side, slice int) bool {
		at := rounds[s.Index(step.ID)]
		return at < 3 || at == 3 && slice == 0
	})
	zh, en := frames(t)["zh"], frames(t)["en"]
	page := RunPage(en, w)
	if page.State.Word != "Running: iteration 1 of 1, step 3 of 6" || page.State.Kind != "run" {
		t.Errorf("state %+v", page.State)
	}
	if !strings.Contains(page.Done.Text, "4.0 s elapsed, about") || page.Done.Share != "41.7" {
		t.Errorf("progress %+v", page.Done)
	}
	for _, want := range []string{"recv block 1 ← rank 0 50%", "send block 1 → rank 1 50%"} {
		if !strings.Contains(page.Grid.SVG, want) {
			t.Errorf("the grid does not say %s", want)
		}
	}
	if page.Cancel == nil || page.Again != nil || page.Blame != nil || page.Live.Socket != "/api/v1/runs/0007/events" {
		t.Errorf("cancel %v, again %v, blame %v, live %+v", page.Cancel, page.Again, page.Blame, page.Live)
	}
	if !strings.Contains(page.Steps.Sub, "2 steps took 2 s, predicted 2 s") {
		t.Errorf("steps: %s", page.Steps.Sub)
	}
	if word := RunPage(zh, w).State.Word; word != "进行中：第 1/1 遍，第 3/6 步" {
		t.Errorf("state %s", word)
	}
}

func TestQueuedAndStartingRuns(t *testing.T) {
	en := frames(t)["en"]
	w := watchedRun(t, build(t, "ring", 4), trace.Queued)
	w.Run.Started = time.Time{}
	w.Ahead = 2
	if page := RunPage(en, w); page.State.Word != "Queued behind 2 runs" || page.Steps == nil || page.Cancel == nil {
		t.Errorf("queued: %+v", page.State)
	}
	w = watchedRun(t, w.Schedule, trace.Running)
	if page := RunPage(en, w); page.State.Word != "Starting 4 rank processes" {
		t.Errorf("starting: %+v", page.State)
	}
	w.Here = false
	if page := RunPage(en, w); page.Cancel != nil || page.Notice == "" {
		t.Error("a run of another process can be cancelled here")
	}
}

func TestReplayStandsWhereItIsAsked(t *testing.T) {
	en := frames(t)["en"]
	w := watchedRun(t, build(t, "ring", 4), trace.Done)
	w.Run.Verified = true
	w.Run.Measured([]time.Duration{6 * time.Second})
	w.Events = played(t, w.Schedule, 2, everything)
	for step, final := range map[int]string{-1: "16 of 16", 0: "0 of 16", 3: "4 of 16", 5: "12 of 16", 99: "16 of 16"} {
		w.Step = step
		page := RunPage(en, w)
		if !strings.Contains(page.Grid.SVG, final+" cells hold their final value") {
			t.Errorf("step %d: not %s", step, final)
		}
		replay := page.Grid.Replay
		if replay == nil || (replay.At == 0) != (replay.Prev == "") || (replay.At == 6) != (replay.Next == "") {
			t.Errorf("step %d: %+v", step, replay)
		}
	}
	w.Step = 2
	if next := RunPage(en, w).Grid.Replay.Next; next != "/en/runs/0007?step=3#grid" {
		t.Errorf("next is %s", next)
	}
}

func TestDoneRunSaysItsFigures(t *testing.T) {
	en := frames(t)["en"]
	w := watchedRun(t, build(t, "ring", 4), trace.Done)
	w.Run.Verified = true
	w.Run.Measured([]time.Duration{6 * time.Second})
	w.Events = played(t, w.Schedule, 2, everything)
	page := RunPage(en, w)
	if page.State.Kind != "ok" || page.Figures[0].Value != "16.8" || page.Figures[0].Unit != "MB/s" || page.Figures[1].Value != "100" {
		t.Errorf("%+v %+v", page.State, page.Figures)
	}
	if !strings.Contains(page.FigNote, "1.5 × 64 MiB ÷ 6 s") || !strings.Contains(page.FigNote, "slowed for eyes") {
		t.Errorf("note %s", page.FigNote)
	}
	if change := page.Again.Change; change != "/en/runs/new?algorithm=ring&collective=all-reduce&dtype=float32&iterations=1&link=shm&n=4&op=sum&pace=rate&rate=8MB%2Fs&size=64MiB&slices=2" {
		t.Errorf("again: %s", change)
	}
}

func TestFailedRunNamesTheCulprit(t *testing.T) {
	s := build(t, "ring", 8)
	rounds := countedRounds(s)
	w := watchedRun(t, s, trace.Failed)
	// Rank 2 stops at the start of step 4; its neighbour gets nothing more,
	// nor do those behind it.
	w.Events = played(t, s, 2, func(step schedule.Step, side trace.Side, _ int) bool {
		at := rounds[s.Index(step.ID)]
		switch {
		case at < 4:
			return true
		case side == trace.Sent && step.Src == 2, side == trace.Received && step.Dst == 2:
			return false
		}
		return at == 4 && step.Src != 2 && step.Dst != 2
	})
	culprit := 2
	w.Run.Failure = &trace.Failure{
		Kind: trace.ProcessFrozen, Culprit: trace.Culprit{Rank: &culprit}, Step: s.Steps[len(s.Steps)-1].ID, Round: 4, DetectedAfter: 2.1, Message: "rank 2's process is silent",
	}
	en := frames(t)["en"]
	page := RunPage(en, w)
	if page.State.Word != "Failed at iteration 1 of 1, step 4 of 14" || page.Blame.Verdict != "Rank 2 froze, so everyone stopped." {
		t.Errorf("%s; %s", page.State.Word, page.Blame.Verdict)
	}
	for _, want := range []string{
		">Rank 3</text>", ">Rank 1</text>", ">Ranks 0, 4–7</text>", "cannot receive from", "cannot send to", `<g class="wait-box cause"`,
	} {
		if !strings.Contains(page.Blame.Graph, want) {
			t.Errorf("the graph lacks %s", want)
		}
	}
	if strings.Count(page.Grid.SVG, "blamed") != 1 || !strings.Contains(page.Grid.SVG, `class="rank stuck blamed" data-rank="2"`) {
		t.Error("the culprit is not framed, or not alone")
	}
	if !strings.Contains(page.Steps.SVG, "g-stuck") {
		t.Error("no step is stuck")
	}
	var seen []string
	for _, e := range page.Blame.Evidence {
		seen = append(seen, e.What)
	}
	if text := strings.Join(seen, "\n"); !strings.Contains(text, "Rank 2 last finished something in step 3 of iteration 1.") || !strings.Contains(text, "Found after 2.1 s") {
		t.Errorf("evidence:\n%s", text)
	}
}

func TestEveryFailureHasItsWords(t *testing.T) {
	zh, en := frames(t)["zh"], frames(t)["en"]
	s := build(t, "central", 3)
	for _, kind := range []trace.FailureKind{
		trace.ProcessDied, trace.ProcessFrozen, trace.LinkStalled, trace.WrongResult, trace.StartFailed, trace.AgentLost, trace.NodeLimit, trace.Unreachable, trace.ConsoleStopped, trace.Internal, "unheard-of",
	} {
		for _, culprit := range []trace.Culprit{{}, {Rank: new(int)}, {Link: "1->2"}} {
			w := watchedRun(t, s, trace.Failed)
			w.Run.Failure = &trace.Failure{Kind: kind, Culprit: culprit, Step: -1, Message: "m"}
			w.Events = played(t, s, 2, func(step schedule.Step, _ trace.Side, _ int) bool { return step.Round < 2 })
			for _, f := range []Frame{zh, en} {
				b := RunPage(f, w).Blame
				if b.Verdict == "" || b.Why == "" || strings.HasPrefix(b.Verdict, "run.") || strings.HasPrefix(b.Why, "run.") || len(b.Todo) < 2 || len(b.Evidence) == 0 {
					t.Errorf("%s: %+v", kind, b)
				}
			}
		}
	}
}

func TestScriptTableSaysWhatTheDrawingSays(t *testing.T) {
	en := frames(t)["en"]
	for _, ranks := range []int{4, 12} {
		w := watchedRun(t, build(t, "ring", ranks), trace.Done)
		w.Run.Verified = true
		w.Run.Measured([]time.Duration{time.Second})
		w.Events = played(t, w.Schedule, 2, everything)
		var table struct {
			Masks bool
			Start [][2]uint64
			Steps [][]any
			Ends  [][2]int64
			Marks []int64
		}
		if err := json.Unmarshal(RunPage(en, w).Live.Table, &table); err != nil {
			t.Fatal(err)
		}
		if len(table.Start) != ranks*ranks || len(table.Steps) != len(w.Schedule.Steps) || len(table.Ends) != len(table.Steps) || len(table.Marks) != w.Schedule.Rounds()+1 {
			t.Errorf("%d ranks: %d cells, %d steps, %d ends, %d marks", ranks, len(table.Start), len(table.Steps), len(table.Ends), len(table.Marks))
		}
		want := uint64(1)
		if ranks <= 8 {
			want = 1 << 1
		}
		if cell := table.Start[ranks]; cell[0] != want || table.Masks != (ranks <= 8) {
			t.Errorf("%d ranks: rank 1 starts with %v, masks %v", ranks, cell, table.Masks)
		}
	}
}

func TestRunWithAnotherScheduleHasNoGrid(t *testing.T) {
	en := frames(t)["en"]
	w := watchedRun(t, build(t, "ring", 4), trace.Done)
	w.Schedule = nil
	page := RunPage(en, w)
	if page.Grid.SVG != "" || page.Grid.Note == "" || page.Live != nil {
		t.Errorf("%+v", page.Grid)
	}
}
