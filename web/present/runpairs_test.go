package present

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
)

// eachPair calls back for every pair that hosts can carry out, with roots, nodes
// and pieces other than the usual.
func eachPair(t *testing.T, each func(name string, s *schedule.Schedule)) {
	t.Helper()
	for _, e := range runnable() {
		for _, n := range []int{1, 2, 5, 8} {
			for _, pieces := range []int{0, 2} {
				request := schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n, Chunks: pieces}
				if e.Collective == schedule.Barrier {
					request.Chunks = 0
				}
				if e.Collective.Rooted() {
					request.Root = n - 1
				}
				if e.Nodes {
					request.RanksPerNode = 3
				}
				s, err := schedule.Build(request)
				if err != nil {
					t.Fatal(err)
				}
				each(fmt.Sprintf("%s/%s of %d, %d pieces", e.Collective, e.Algorithm, n, pieces), s)
			}
		}
	}
}

// Played to its end, the grid of every pair shows the whole result, and on the
// way no cell shows a block that its rank does not have.
func TestTheGridOfEveryPair(t *testing.T) {
	eachPair(t, func(name string, s *schedule.Schedule) {
		table, small := newBlockTable(s)
		if !small {
			t.Fatalf("%s: no grid", name)
		}
		final := 0
		var all []trace.Event
		for i := range s.Steps {
			step := &s.Steps[i]
			if step.Local() {
				all = append(all, trace.Event{Rank: step.Src, Step: step.ID, Side: trace.Local})
				continue
			}
			all = append(all, trace.Event{Rank: step.Src, Step: step.ID, Side: trace.Sent}, trace.Event{Rank: step.Dst, Step: step.ID, Side: trace.Received})
		}
		for _, cell := range reach(s, 1, all).cells(table) {
			if cell.final {
				final++
			}
		}
		if final != table.wanted || table.wanted == 0 {
			t.Errorf("%s: %d of %d cells are final", name, final, table.wanted)
		}
		for _, step := range table.steps {
			if step.row < 0 || step.row >= table.rows || step.from < 0 || step.from >= table.rows || step.count < 1 || step.count > table.rows {
				t.Fatalf("%s: step %d moves rows %d+%d from %d, of %d", name, step.id, step.row, step.count, step.from, table.rows)
			}
		}
	})
}

// What an all-gather forwards out of its scratch is shown in the row of the
// block, wherever it lies.
func TestScratchIsShownByWhatItHolds(t *testing.T) {
	s := buildPair(t, schedule.Request{Collective: schedule.AllGather, Algorithm: "bruck", Ranks: 5})
	table, _ := newBlockTable(s)
	for cell, held := range table.start {
		if rank, row := cell/table.rows, cell%table.rows; (held.by != 0) != (rank == row) {
			t.Errorf("rank %d begins with block %d: %v", rank, row, held)
		}
	}
	for _, step := range table.steps {
		for _, change := range step.changes {
			if row := change.cell % table.rows; change.to.by != 1<<row {
				t.Errorf("step %d shows a block of ranks %b in the row of block %d", step.id, change.to.by, row)
			}
		}
	}
}

func buildPair(t *testing.T, request schedule.Request) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Build(request)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The page of a run of every pair has words for all that it says, under way
// and after the end.
func TestThePageOfEveryPair(t *testing.T) {
	eachPair(t, func(name string, s *schedule.Schedule) {
		spec := trace.Spec{Collective: s.Collective, Algorithm: s.Algorithm, Ranks: s.Ranks, Root: max(s.Root, 0), PerNode: s.RanksPerNode}
		if s.Collective != schedule.Barrier {
			spec.Size = unit.Bytes(1000 * 4 * s.Ranks)
		}
		spec, err := spec.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		for lang, frame := range frames(t) {
			for _, outcome := range []trace.Outcome{trace.Running, trace.Done} {
				w := Watched{Run: trace.NewRun("0001", spec, galleryMoment()), Schedule: s, Here: outcome == trace.Running, Now: galleryMoment(), Step: -1}
				w.Run.Outcome, w.Run.Slices, w.Run.Started = outcome, 1, galleryMoment()
				for i := range s.Steps { // the first step is through
					step := &s.Steps[i]
					at := time.Duration(i+1) * time.Millisecond
					if step.Local() {
						w.Events = append(w.Events, trace.Event{Rank: step.Src, Step: step.ID, Side: trace.Local, At: at})
					} else {
						w.Events = append(w.Events, trace.Event{Rank: step.Src, Step: step.ID, Side: trace.Sent, At: at}, trace.Event{Rank: step.Dst, Step: step.ID, Side: trace.Received, At: at})
					}
					if outcome == trace.Running && i >= len(s.Steps)/2 {
						break
					}
				}
				page := RunPage(frame, w)
				said := []string{page.Title, page.Meta, page.State.Word, page.Grid.Sub, page.Grid.SVG}
				for _, fact := range page.Facts {
					said = append(said, fact.Name, fact.Values[0])
				}
				for _, text := range said {
					if text == "" || strings.Contains(text, "no value") || strings.Contains(text, "run.") || strings.Contains(text, "algorithm.") {
						t.Errorf("%s in %s, %s: says %q", name, lang, outcome, text[:min(len(text), 200)])
					}
				}
				if again := page.Again; (again != nil) != outcome.Final() {
					t.Errorf("%s: offered again: %v", name, again != nil)
				} else if again != nil {
					sameAgain(t, name, spec, again.Change)
				}
			}
		}
	})
}

// sameAgain holds what the form makes of a link to the run it came from.
func sameAgain(t *testing.T, name string, want trace.Spec, link string) {
	t.Helper()
	to, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	request := ReadRunRequest(to.Query()).Prefilled(8)
	got, wrong := request.Spec(8)
	if len(wrong) > 0 || len(request.notes) > 0 {
		t.Errorf("%s: the form refuses its own run: %v, %v", name, wrong, request.notes)
	}
	if got, err = got.Resolve(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	want.Slices, got.Slices = 0, 0
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s again: %+v; want %+v", name, got, want)
	}
}

func TestRunsOfImportedSchedulesAreNamedByTheirFile(t *testing.T) {
	own := *buildPair(t, schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4})
	own.Algorithm = "my-own"
	spec, err := trace.Spec{Imported: &own, Size: 1024}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for lang, frame := range frames(t) {
		w := Watched{Run: trace.NewRun("0001", spec, galleryMoment()), Schedule: &own, Now: galleryMoment(), Step: -1}
		w.Run.Outcome, w.Run.ScheduleHash, w.Run.Slices = trace.Done, own.Hash(), 1
		page := RunPage(frame, w)
		if !strings.Contains(page.Title, "my-own") || strings.Contains(page.Title, "algorithm.") {
			t.Errorf("%s: %s", lang, page.Title)
		}
		if page.Again != nil {
			t.Errorf("%s: the form is offered a file", lang)
		}
		if !slices.ContainsFunc(page.Facts, func(f views.Fact) bool { return strings.Contains(f.Values[0], "my-own") }) {
			t.Errorf("%s: no fact says where the schedule is from", lang)
		}
	}
}

// The form takes every pair, and refuses by name what a pair cannot have.
func TestTheFormOfEveryPair(t *testing.T) {
	for _, c := range []struct {
		query, field, message string
		fixes                 []string
	}{
		{"pair=all-gather/ring&n=3&size=1MiB", "size", "run.wrong.blocks", []string{"1048572B", "1048584B"}},
		{"pair=all-to-all/bruck&n=3&size=100B&dtype=float64", "size", "run.wrong.blocks", []string{"96B", "120B"}},
		{"pair=broadcast/chain&n=4&size=10B&dtype=int64", "size", "run.wrong.uneven", []string{"8B", "16B"}},
		{"pair=broadcast/chain&n=4&size=8B&root=4", "root", "run.wrong.number", []string{"3"}},
		{"pair=broadcast/chain&n=4&size=8B&root=-1", "root", "run.wrong.number", []string{"0"}},
		{"pair=all-reduce/hierarchical&n=4&size=8B&ranks-per-node=x", "ranks_per_node", "run.wrong.number", nil},
		{"pair=all-reduce/ring&n=4&size=8B&op=median", "op", "run.wrong.choice", nil},
		{"pair=all-reduce/ring&n=4&size=8B&dtype=float8", "dtype", "run.wrong.choice", nil},
		{"pair=all-reduce/in-network&n=4&size=8B", "algorithm", "run.wrong.network", nil},
		{"pair=all-reduce/none&n=4&size=8B", "algorithm", "run.wrong.pair", nil},
		// What a pair does not look at is not held against it.
		{"pair=all-reduce/ring&n=4&size=8B&root=9&ranks-per-node=x", "", "", nil},
		{"pair=all-gather/ring&n=4&size=16B&op=median", "", "", nil},
		{"pair=barrier/central&n=4&size=many&pace=step", "", "", nil},
	} {
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		spec, wrong := ReadRunRequest(query).Spec(8)
		if c.field == "" {
			if _, err := spec.Resolve(); len(wrong) > 0 || err != nil {
				t.Errorf("%s: refused: %v, %v", c.query, wrong, err)
			}
			continue
		}
		if got := wrong[c.field]; len(wrong) != 1 || got.Message != c.message || !slices.Equal(got.Fixes, c.fixes) {
			t.Errorf("%s: %+v; want %s with %v", c.query, wrong, c.message, c.fixes)
		}
	}
}

func TestALinkToTheFormNeverFails(t *testing.T) {
	for _, query := range []string{
		"collective=barrier", "collective=barrier&pace=rate&rate=1MB/s", "collective=scatter&root=99&n=4", "collective=scatter&root=x",
		"collective=all-to-all&n=7&size=1MiB&dtype=float16", "collective=all-reduce&algorithm=in-network", "collective=all-reduce&dtype=f8&op=q&ranks-per-node=-3&algorithm=hierarchical",
		"collective=send-recv&n=1", "collective=reduce-scatter&algorithm=auto&n=6&size=8GiB",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		request := ReadRunRequest(values).Prefilled(8)
		spec, wrong := request.Spec(8)
		if _, err := spec.Resolve(); len(wrong) > 0 || err != nil {
			t.Errorf("%s became %+v: %v, %v", query, request, wrong, err)
		}
		for _, n := range request.notes {
			for _, l := range []locale.Locale{frames(t)["zh"].Locale, frames(t)["en"].Locale} {
				if text := l.T(n.message, n.values); strings.HasPrefix(text, "run.") || strings.Contains(text, "no value") {
					t.Errorf("%s: note %s", query, text)
				}
			}
		}
	}
}

// What a link asks of a run in vain is said with what is accepted.
func TestPrefilledRunsSayWhatIsAccepted(t *testing.T) {
	l := frames(t)["en"].Locale
	for query, want := range map[string]string{
		"chunks=many": `chunks: there is no "many"; it is left out. Accepted: 1, 2, 3 …`, "iterations=0": "iterations: ", "slices=auto": "", "slices=some": "slices: ",
		"pace=slow": "Accepted: none, step, 1GB/s.", "pace=1MB/s": "", "size=huge": "Write it like 64MiB", "dtype=int3": "Accepted: " + listOf(schedule.DTypes()),
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, n := range ReadRunRequest(values).Prefilled(8).notes {
			said += plainSpaces(l.T(n.message, n.values))
		}
		if !strings.Contains(said, want) || want == "" && said != "" {
			t.Errorf("%s is answered by %q, want %q", query, said, want)
		}
	}
}
