package present

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/views"
)

var updateWaits = flag.Bool("update", false, "rewrite testdata/waits.json")

// waitMoment is a moment of a running run, and what the page says of it.
type waitMoment struct {
	Name  string          `json:"name"`
	Table json.RawMessage `json:"table"`
	Rows  [][6]int64      `json:"rows"` // as web/feed.go sends them
	Quiet float64         `json:"quiet_s"`
	Sum   string          `json:"sum"`
	Lines []string        `json:"lines"`
	More  string          `json:"more"`
}

// rowsOf writes events as web/feed.go does: of each place the furthest slice.
func rowsOf(s *schedule.Schedule, events []trace.Event) [][6]int64 {
	rows := [][6]int64{}
	known := map[[3]int]int{}
	for _, e := range events {
		row := [6]int64{int64(e.Rank), int64(s.Index(e.Step)), int64(e.Slice), int64(e.Side), int64(e.At), int64(e.Iteration)}
		at := [3]int{e.Rank, s.Index(e.Step), int(e.Side)}
		if i, seen := known[at]; !seen {
			known[at] = len(rows)
			rows = append(rows, row)
		} else if row[2] > rows[i][2] {
			rows[i] = row
		}
	}
	return rows
}

// waitMoments are runs in which somebody waits, and one in which nobody does.
func waitMoments(t *testing.T) (moments []Watched, names []string) {
	t.Helper()
	add := func(name string, w Watched, quiet time.Duration, happened func(step schedule.Step, round int, side trace.Side, slice int) bool) {
		rounds := countedRounds(w.Schedule)
		w.Events = played(t, w.Schedule, 2, func(step schedule.Step, side trace.Side, slice int) bool {
			return happened(step, rounds[w.Schedule.Index(step.ID)], side, slice)
		})
		w.Quiet = quiet
		moments, names = append(moments, w), append(names, name)
	}
	ring := func(ranks int) Watched { return watchedRun(t, build(t, "ring", ranks), trace.Running) }
	add("nobody has begun", ring(4), 0, func(schedule.Step, int, trace.Side, int) bool { return false })
	add("a ring in step", ring(4), 0, func(_ schedule.Step, round int, _ trace.Side, _ int) bool { return round < 3 })
	// Rank 2 takes nothing in from round 3 on, so those behind it starve one
	// after the other, each a round later.
	held := func(ranks int) func(schedule.Step, int, trace.Side, int) bool {
		return func(step schedule.Step, round int, side trace.Side, _ int) bool {
			behind := (step.Dst - 2 + ranks) % ranks
			if behind == 0 && side == trace.Sent {
				return round <= 3
			}
			return round <= 2+behind
		}
	}
	add("a rank holds up a ring", ring(8), 400*time.Millisecond, held(8))
	add("for a long time", ring(5), 42*time.Second, held(5))
	add("more than there is room for", ring(10), 700*time.Millisecond, held(10))
	add("one has not begun the way back", watchedRun(t, build(t, "central", 4), trace.Running), 330*time.Millisecond,
		func(step schedule.Step, round int, side trace.Side, _ int) bool {
			return round == 0 || round == 1 && (side == trace.Sent || step.Src != 3)
		})
	add("some are through", ring(3), 1200*time.Millisecond, func(step schedule.Step, round int, _ trace.Side, _ int) bool {
		return round < 4 || step.Src == 1 && step.Dst == 2
	})
	return moments, names
}

// TestServerAndScriptSayWhoWaits holds this side against the file that
// e2e/js/waits.test.js holds the script against.
func TestServerAndScriptSayWhoWaits(t *testing.T) {
	var got []waitMoment
	moments, names := waitMoments(t)
	for i, w := range moments {
		for _, lang := range []string{"zh", "en"} {
			page := RunPage(frames(t)[lang], w)
			if page.Waits == nil {
				t.Fatalf("%s: nothing is said of who waits", names[i])
			}
			m := waitMoment{
				Name: names[i] + ", " + lang, Table: page.Live.Table, Rows: rowsOf(w.Schedule, w.Events), Quiet: w.Quiet.Seconds(),
				Sum: page.Waits.Sum, Lines: page.Waits.Lines, More: page.Waits.More,
			}
			got = append(got, m)
		}
	}
	var lines []string // one for each, so that a difference is found
	for _, m := range got {
		line, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	text := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	path := filepath.Join("testdata", "waits.json")
	if *updateWaits {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s (-want +got); -update rewrites it:\n%s", path, diff)
	}
}

func TestWhoWaitsIsSaidInWords(t *testing.T) {
	moments, names := waitMoments(t)
	said := map[string]*views.RunWaits{}
	for i, w := range moments {
		said[names[i]] = RunPage(frames(t)["en"], w).Waits
	}
	for name, want := range map[string]string{
		"nobody has begun":               "",
		"a ring in step":                 "no rank has been waiting for more than 0.1 s",
		"a rank holds up a ring":         "in the end, all of them wait for rank 2",
		"one has not begun the way back": "in the end, all of them wait for rank 0",
	} {
		if got := said[name].Sum; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	lines := strings.Join(said["one has not begun the way back"].Lines, "\n")
	for _, want := range []string{"Rank 1 waits for rank 0, 0.3 s so far", "Rank 2 waits for rank 0"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is not said:\n%s", want, lines)
		}
	}
	if more := said["more than there is room for"]; more.More == "" || len(more.Lines) != maxWaits {
		t.Errorf("of many: %+v", more)
	}
	if w := watchedRun(t, build(t, "ring", 4), trace.Done); RunPage(frames(t)["en"], w).Waits != nil {
		t.Error("somebody waits in a run that has ended")
	}
}

// TestWaitingOfAnEndedRunAddsUp plays a collector whose rank 0 takes a second
// to begin the way back.
func TestWaitingOfAnEndedRunAddsUp(t *testing.T) {
	w := watchedRun(t, build(t, "central", 4), trace.Done)
	w.Run.Verified = true
	w.Events = played(t, w.Schedule, 2, everything)
	table, _ := newBlockTable(w.Schedule)
	totals, end := waitedIn(table, reach(w.Schedule, 2, w.Events), w.Events, w.Schedule.Index)
	if end != 2*time.Second {
		t.Errorf("the iteration ends after %v", end)
	}
	for _, got := range totals {
		if got.total < 0 || got.total > end {
			t.Errorf("rank %d waited %v of %v", got.rank, got.total, end)
		}
	}
	page := RunPage(frames(t)["en"], w)
	if page.Waited == nil || len(page.Waited.Rows) != 4 || !strings.Contains(page.Waited.Sub, "2 s") {
		t.Fatalf("%+v", page.Waited)
	}
	// Rank 2 of a ring takes in round 1 three seconds late. Rank 3 is busy with
	// a send of its own for the first of them.
	late := watchedRun(t, build(t, "ring", 4), trace.Done)
	late.Run.Verified = true
	late.Events = played(t, late.Schedule, 2, everything)
	rounds := countedRounds(late.Schedule)
	for i := range late.Events {
		e := &late.Events[i]
		step := late.Schedule.Steps[late.Schedule.Index(e.Step)]
		behind := (step.Dst - 2 + 4) % 4 // each is late a round after the one before it
		if round := rounds[late.Schedule.Index(e.Step)]; round > 1+behind || round == 1+behind && (behind > 0 || e.Side == trace.Received) {
			e.At += 3 * time.Second
		}
	}
	table, _ = newBlockTable(late.Schedule)
	totals, _ = waitedIn(table, reach(late.Schedule, 2, late.Events), late.Events, late.Schedule.Index)
	if got := totals[3]; got.total < 1900*time.Millisecond || got.most != 2 {
		t.Errorf("rank 3 waited %v, mostly for %d; want two seconds for rank 2", got.total, got.most)
	}
	if got := totals[2]; got.total > 100*time.Millisecond {
		t.Errorf("rank 2, for which all wait, waited %v", got.total)
	}
}
