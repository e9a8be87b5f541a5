package present

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/sizing/cost"
	"lockstep/views"
)

// lessonOf presents a lesson for a query.
func lessonOf(t *testing.T, lang, algorithm, query string) views.Lesson {
	t.Helper()
	v, err := Lesson(frames(t)[lang], requestOf(t, algorithm, query))
	if err != nil {
		t.Fatalf("%s?%s: %v", algorithm, query, err)
	}
	return v
}

func requestOf(t *testing.T, algorithm, query string) LessonRequest {
	t.Helper()
	entry, err := schedule.Find(schedule.AllReduce, algorithm)
	if err != nil {
		t.Fatal(err)
	}
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return LessonRequest{Entry: entry, Query: q}
}

// What a ring of four says at every step is held against the schedule, walked
// here once more.
func TestRingTellsWhatItsScheduleDoes(t *testing.T) {
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4})
	if err != nil {
		t.Fatal(err)
	}
	cellOf := regexp.MustCompile(`class="cell-block hue-\d( sends| receives)?( final)?" data-cell="(\d)-(\d)"`)
	tick := regexp.MustCompile(`class="tick-(on|new|off)" data-tick="(\d)"`)
	for step, state := range s.Walk() {
		v := lessonOf(t, "en", "ring", fmt.Sprintf("n=4&step=%d", step))
		cells := strings.Split(v.Stage, `<g class="cell-block`)[1:]
		if len(cells) != 16 {
			t.Fatalf("step %d draws %d cells", step, len(cells))
		}
		for _, cell := range cells {
			m := cellOf.FindStringSubmatch(`class="cell-block` + cell)
			rank, block := int(m[3][0]-'0'), int(m[4][0]-'0')
			if final := m[2] != ""; final != state.Final(rank, block) {
				t.Errorf("step %d: rank %d block %d is drawn final: %v", step, rank, block, final)
			}
			held := state.Holds(rank, schedule.Out, block)
			if held == nil {
				held = state.Holds(rank, schedule.In, block)
			}
			want := map[int]bool{}
			for _, part := range held {
				for from := part.First; from <= part.Last; from++ {
					want[from] = true
				}
			}
			for _, m := range tick.FindAllStringSubmatch(cell, -1) {
				if from := int(m[2][0] - '0'); (m[1] != "off") != want[from] {
					t.Errorf("step %d: rank %d block %d: the contribution of rank %d is drawn %s", step, rank, block, from, m[1])
				}
			}
		}
	}
	for step, said := range map[int]string{
		1: "All links are busy",
		2: "holds 2 contributions",
		3: "block r is complete on rank r, all 4",
		4: "Everyone has 2 complete blocks",
		5: "Everyone has 3 complete blocks",
		6: "All 4 ranks hold the same result",
	} {
		v := lessonOf(t, "en", "ring", fmt.Sprintf("n=4&step=%d", step))
		if !strings.Contains(v.Narration, said) {
			t.Errorf("step %d says %q", step, v.Narration)
		}
		for _, i := range v.Invariants {
			promised := step == 3 || step == 6
			if i.Kind == "bad" || i.Kind == "warn" || (i.Kind == "todo") == promised && strings.HasPrefix(i.Text, "After") {
				t.Errorf("step %d: %s is %s", step, i.Text, i.Kind)
			}
		}
	}
}

func lessonSums(v views.Lesson) string { return v.SumLabel + " " + v.Sum }

// The sum of the mock case: rank 1 adds what rank 0 has gathered.
func TestWorkedSum(t *testing.T) {
	v := lessonOf(t, "en", "ring", "n=4&step=3")
	if got := lessonSums(v); got != "Rank 1, block 1 0200 + 2022 = 2222" {
		t.Errorf("step 3 works out %q", got)
	}
	v = lessonOf(t, "en", "central", "n=4&step=1")
	if got := lessonSums(v); got != "Rank 0, block 0 1000 + 0100 + 0010 + 0001 = 1111" {
		t.Errorf("the collector works out %q", got)
	}
	v = lessonOf(t, "zh", "ring", "n=8&step=7")
	if got := lessonSums(v); got != "Rank 1 的块 1 1 + 7 = 8 份贡献" {
		t.Errorf("eight ranks work out %q", got)
	}
}

// The table of costs must come to what the closed forms say.
func TestCostsAreTheModels(t *testing.T) {
	for _, algorithm := range []string{"ring", "central"} {
		for _, n := range []int{2, 4, 8, 64} {
			q := cost.Question{Collective: schedule.AllReduce, Ranks: n, Size: 64 << 20, Network: lessonNetworks()[defaultNetwork].Network}
			price, err := q.Price(algorithm)
			if err != nil {
				t.Fatal(err)
			}
			v := lessonOf(t, "en", algorithm, fmt.Sprintf("n=%d&size=64MiB&step=1", n))
			if got, want := v.Costs.Rows[2].Values[2], duration(price.Time); got != want {
				t.Errorf("%s for %d ranks costs %s on the page, %s by the closed form", algorithm, n, got, want)
			}
		}
	}
}

func TestTheArticlesCase(t *testing.T) {
	v := lessonOf(t, "en", "central", "n=10&size=1.2GB&net=article&step=1")
	if got := v.Costs.Rows[2].Values; got[0] != "10.8 s" || got[2] != "21.6 s" {
		t.Errorf("ten workers cost %v", got)
	}
	if !strings.Contains(v.Narration, "9.6 s") { // eight others go first
		t.Errorf("the queue is said to be: %s", v.Narration)
	}
	if v := lessonOf(t, "en", "ring", "n=10&size=1.2GB&net=article&step=18"); v.Costs.Rows[2].Values[1] != "2.16 s" {
		t.Errorf("the ring costs %v", v.Costs.Rows[2].Values)
	}
}

func TestOutOfRangeShowsTheNearest(t *testing.T) {
	for query, want := range map[string]struct{ count, note string }{
		"n=4&step=99":                          {"Step 6 / 6", "99"},
		"n=4&step=-1":                          {"Step 0 / 6", "-1"},
		"n=4&step=soon":                        {"Step 0 / 6", "soon"},
		"n=999&step=1":                         {"Step 1 / 126", "999"},
		"n=0":                                  {"Step 0 / 0", "0"},
		"n=99999999999999999999":               {"Step 0 / 126", "99999999999999999999"},
		"n=4&chunks=1000":                      {"Step 0 / 6", "1000"},
		"n=4&size=100G":                        {"Step 0 / 6", "100G"},
		"n=4&size=7":                           {"Step 0 / 6", "7"},
		"n=4&net=carrier-pigeon":               {"Step 0 / 6", "carrier-pigeon"},
		"n=4&step=" + strings.Repeat("x", 500): {"Step 0 / 6", "xxx…"},
	} {
		v := lessonOf(t, "en", "ring", query)
		if v.Count != want.count || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], want.note) {
			t.Errorf("%.40s shows %q with %q", query, v.Count, v.Notes)
		}
	}
	if v := lessonOf(t, "en", "ring", "n=4&step=3&size=64MiB&net=ib-400g&chunks=2"); len(v.Notes) != 0 {
		t.Errorf("a lesson that exists has notes: %q", v.Notes)
	}
}

// Whatever is counted can be chosen on the page, each value once, and the one
// in use is chosen.
func TestPickersOfferEveryCount(t *testing.T) {
	f := frames(t)["en"]
	for _, entry := range schedule.Catalog() {
		v, err := Lesson(f, LessonRequest{Entry: entry, Query: url.Values{"n": {"7"}}})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][2]int{"n": {max(1, entry.MinRanks), min(64, entry.MaxRanks)}}
		if entry.Nodes {
			want["G"] = [2]int{1, 7}
		}
		if entry.Collective.Rooted() {
			want["root"] = [2]int{0, 6}
		}
		for _, p := range v.Pickers.Pickers {
			if p.Name == "chunks" {
				s, err := schedule.Build(schedule.Request{Collective: entry.Collective, Algorithm: entry.Algorithm, Ranks: 7, Chunks: 1})
				if err != nil {
					t.Fatal(err)
				}
				want["chunks"] = [2]int{1, 64 / s.Chunks}
			}
			ends, counted := want[p.Name]
			if !counted {
				continue
			}
			delete(want, p.Name)
			chosen := 0
			for i, o := range p.Options {
				if o.Value != strconv.Itoa(ends[0]+i) {
					t.Errorf("%s/%s: value %d of %s is %s", entry.Collective, entry.Algorithm, i, p.Name, o.Value)
				}
				if o.Selected {
					chosen++
				}
			}
			if len(p.Options) != ends[1]-ends[0]+1 || chosen != 1 {
				t.Errorf("%s/%s: %s has %d values of which %d are chosen, want %v", entry.Collective, entry.Algorithm, p.Name, len(p.Options), chosen, ends)
			}
		}
		if len(want) > 0 {
			t.Errorf("%s/%s cannot choose %v", entry.Collective, entry.Algorithm, want)
		}
	}
}

// Whatever an address asks for in vain is said once, with what is accepted.
func TestNotesSayWhatIsAccepted(t *testing.T) {
	for query, want := range map[string]string{
		"n=abc":            `Ranks: "abc" is not a whole number. Accepted: 1 – 64. Shown: 8.`,
		"n=1.5":            `Ranks: "1.5" is not a whole number. Accepted: 1 – 64. Shown: 8.`,
		"n=-3":             "Ranks: -3 is out of range. Accepted: 1 – 64. Shown is the nearest, 1.",
		"n=--3":            `Ranks: "--3" is not a whole number. Accepted: 1 – 64. Shown: 8.`,
		"step=end":         `Step: "end" is not a whole number. Accepted: 0 – 14. Shown: 0.`,
		"chunks=99":        "Pieces per part: 99 is out of range. Accepted: 1 – 8. Shown is the nearest, 8.",
		"size=-5":          `Data per rank: "-5" cannot be read. Write it like 64MiB, 1.2GB, 8. Shown: 4 MB.`,
		"size=9TiB":        "Data per rank: 9TiB is out of range. Accepted: 0 B – 1 TiB. Shown is the nearest, 1 TiB.",
		"size=100G":        `Data per rank: "100G" can be read in two ways. Write 100GB / 100GiB. Shown: 4 MB.`,
		"size=7":           "Data per rank: 7 cannot be cut evenly. Accepted: multiples of 4 B. Shown is the nearest, 8 B.",
		"hide=size,sped":   `hide: there is no "sped"; it is left out. Accepted: algorithm, ranks, root, G, size, net, chunks, speed, cost, code, clock, break, ask, out.`,
		"ask=juggle":       `Predict: there is no "juggle". Accepted: next, value, waits, bytes, any. Shown: any.`,
		"api=gloo":         `api: there is no "gloo". Accepted: nccl, mpi, pytorch. Shown: nccl.`,
		"pace=slow":        `pace: there is no "slow"; it is left out. Accepted: step, 100Gb/s, 12.5GB/s.`,
		"lock=yes":         `lock: there is no "yes"; it is left out. Accepted: 1.`,
		"present=true":     `present: there is no "true"; it is left out. Accepted: 1.`,
		"break=everything": `Break it: there is no "everything"; it is left out. Accepted: `,
		"net=pigeon":       `Network (assumed): there is no "pigeon". Accepted: tcp-10g, roce-200g, ib-400g, nvlink-450, tcp-8g, article. Shown: `,
		"n=%2B4&hide=+net&step=03&lock=0&present=": "",
	} {
		v := lessonOf(t, "en", "ring", query)
		notes := plainSpaces(strings.Join(v.Notes, "\n"))
		if len(v.Notes) > 1 || !strings.HasPrefix(notes, want) || want == "" && notes != "" {
			t.Errorf("%s is answered by\n%s, want\n%s", query, notes, want)
		}
	}
}

func TestLinksKeepTheChoice(t *testing.T) {
	v := lessonOf(t, "zh", "ring", "n=4&step=3&size=64MiB&hide=size,nothing,net&lock=1&present=1&api=mpi")
	want := "/zh/learn/all-reduce/ring?api=mpi&hide=size%2Cnet&lock=1&n=4&present=1&size=64MiB&step=4"
	if v.Moves.Next != want {
		t.Errorf("the next step is at\n%s, want\n%s", v.Moves.Next, want)
	}
	if !v.Pickers.Locked || len(v.Pickers.Pickers) != 3 {
		t.Errorf("%d pickers, locked: %v", len(v.Pickers.Pickers), v.Pickers.Locked)
	}
	if v := lessonOf(t, "zh", "ring", ""); v.Moves.First != "/zh/learn/all-reduce/ring" {
		t.Errorf("the default lesson is at %s", v.Moves.First)
	}
}

func TestFormsLeadToThePlaceThatCorresponds(t *testing.T) {
	f := frames(t)["en"]
	for query, want := range map[string]string{
		"n=4&at=start":                         "/en/learn/all-reduce/ring?n=4",
		"n=8&at=0.3.3":                         "/en/learn/all-reduce/ring?step=7", // the end of a phase
		"n=8&at=1.1.3":                         "/en/learn/all-reduce/ring?step=8", // its first step
		"n=16&at=1.4.7":                        "/en/learn/all-reduce/ring?n=16&step=23",
		"n=4&at=0.2.3&pair=all-reduce/central": "/en/learn/all-reduce/central?n=4&step=1",
		"n=4&at=9.9.9":                         "/en/learn/all-reduce/ring?n=4",
		"n=4&at=junk&pair=no/such":             "/en/learn/all-reduce/ring?n=4",
		"n=1&at=0.2.3":                         "/en/learn/all-reduce/ring?n=1",
	} {
		got, err := LessonTarget(f, requestOf(t, "ring", query))
		if err != nil || got != want {
			t.Errorf("%s leads to %s, %v, want %s", query, got, err, want)
		}
	}
	if got, err := LessonTarget(f, requestOf(t, "ring", "n=4&step=2")); err != nil || got != "" {
		t.Errorf("a plain lesson leads to %q, %v", got, err)
	}
}

// The table must say at every step what the server draws at that step.
func TestTableAgreesWithThePages(t *testing.T) {
	for _, algorithm := range []string{"ring", "central"} {
		r := requestOf(t, algorithm, "n=4")
		table, err := BuildLessonTable(frames(t)["zh"], r)
		if err != nil {
			t.Fatal(err)
		}
		for step, row := range table.Steps {
			v := lessonOf(t, "zh", algorithm, fmt.Sprintf("n=4&step=%d", step))
			got := []string{row.Texts["narration"], row.Texts["sum"], row.Texts["count"], row.Texts["phaseName"], row.Texts["range"]}
			want := []string{v.Narration, v.Sum, v.Count, v.PhaseName, v.RangeText}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s step %d (-page +table):\n%s", algorithm, step, diff)
			}
			if diff := cmp.Diff(v.Invariants, row.Invariant); diff != "" {
				t.Errorf("%s step %d (-page +table):\n%s", algorithm, step, diff)
			}
			for i, cost := range row.Costs {
				if diff := cmp.Diff(v.Costs.Rows[i].Values[:2], cost); diff != "" {
					t.Errorf("%s step %d costs (-page +table):\n%s", algorithm, step, diff)
				}
			}
			for _, m := range row.Moves[0] {
				if !strings.Contains(v.Stage, `d="`+m.D+`"`) {
					t.Errorf("%s step %d: the page does not draw %s", algorithm, step, m.D)
				}
			}
		}
		if _, err := json.Marshal(table); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPictureStyleNeedsNothingElse(t *testing.T) {
	style := PictureStyle(false, "--a: light-dark(#111111, #eeeeee); --font-zh: Serif;", ".cell-box { fill: var(--a); }\n.btn { color: red; }")
	if !strings.Contains(style, "fill: #111111") || strings.Contains(style, "var(") || strings.Contains(style, "btn") || !strings.Contains(style, "Serif") {
		t.Errorf("the style is %s", style)
	}
}

// Whose data a block is can only be explained where it is written.
func TestLegendNamesOwnersWhereTheyAreDrawn(t *testing.T) {
	entry, err := schedule.Find(schedule.Broadcast, "direct")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[string][2]string{"4": {"note", ""}, "16": {"note", "on-wide"}, "64": {"", ""}} {
		v, err := Lesson(frames(t)["en"], LessonRequest{Entry: entry, Query: url.Values{"n": {n}}})
		if err != nil {
			t.Fatal(err)
		}
		if (v.LegendNote != "") != (want[0] != "") || v.LegendOn != want[1] {
			t.Errorf("%s ranks: note %q for %q, want %v", n, v.LegendNote, v.LegendOn, want)
		}
	}
}
