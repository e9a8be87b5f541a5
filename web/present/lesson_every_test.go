package present

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/views"
)

var (
	drawnBox   = regexp.MustCompile(`viewBox="0 0 ([\d.]+) ([\d.]+)"`)
	drawnCard  = regexp.MustCompile(`class="stage-card[^"]*" data-card="\d+" x="(-?[\d.]+)" y="(-?[\d.]+)" width="([\d.]+)" height="([\d.]+)"`)
	drawnToken = regexp.MustCompile(`class="token hue-\d" transform="translate\((-?[\d.]+) (-?[\d.]+)\)"`)
)

// Every pair can be presented for few and for many ranks, at the start, in the
// middle and at the end, the same each time, with everything inside its drawing.
func TestEveryLessonCanBePresented(t *testing.T) {
	all := frames(t)
	for index, entry := range schedule.Catalog() {
		for _, n := range []int{1, 2, 3, 5, 8, 16, 33, 64} {
			if n > 16 && index%3 != n%3 { // a sample of the large
				continue
			}
			name := fmt.Sprintf("%s/%s for %d ranks", entry.Collective, entry.Algorithm, n)
			lang := []string{"zh", "en"}[(index+n)%2]
			q := url.Values{"n": {fmt.Sprint(n)}, "root": {fmt.Sprint(n / 2)}, "G": {fmt.Sprint(max(n/3, 1))}}
			for _, step := range []string{"0", "2", "999"} {
				q.Set("step", step)
				v, err := Lesson(all[lang], LessonRequest{Entry: entry, Query: q, Runs: true, Race: true})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				speaks(t, name, v)
				for _, svg := range []string{v.Stage, v.StageNarrow} {
					insideItsBox(t, name+", step "+step, svg)
				}
				if n == 5 {
					again, err := Lesson(all[lang], LessonRequest{Entry: entry, Query: q, Runs: true, Race: true})
					if err != nil || again.Stage != v.Stage || again.Narration != v.Narration {
						t.Errorf("%s comes in two forms, %v", name, err)
					}
				}
			}
		}
	}
}

// speaks checks that what is said is words.
func speaks(t *testing.T, name string, v views.Lesson) {
	t.Helper()
	texts := []string{v.Narration, v.Name, v.What, v.Count, v.Bound, v.Sum, v.SumLabel, v.LegendNote, v.Stage}
	for _, i := range v.Invariants {
		texts = append(texts, i.Text)
		if i.Kind == "bad" {
			t.Errorf("%s: %s", name, i.Text)
		}
	}
	for _, fact := range v.Facts {
		texts = append(texts, fact.Values...)
	}
	for _, text := range texts {
		for _, wrong := range []string{"lesson.", "phase.", "collective.", "algorithm.", "invariant.", "port.", "<no value>", "NaN", "%!"} {
			if strings.Contains(text, wrong) {
				t.Errorf("%s says %.200q", name, text)
			}
		}
	}
}

func insideItsBox(t *testing.T, name, svg string) {
	t.Helper()
	box := drawnBox.FindStringSubmatch(svg)
	if box == nil {
		t.Fatalf("%s has no drawing", name)
	}
	at := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	width, height := at(box[1]), at(box[2])
	for _, m := range drawnCard.FindAllStringSubmatch(svg, -1) {
		if x, y := at(m[1]), at(m[2]); x < -1 || y < -1 || x+at(m[3]) > width+1 || y+at(m[4]) > height+1 {
			t.Errorf("%s: a card at %v leaves %v by %v", name, m[1:], width, height)
		}
	}
	for _, m := range drawnToken.FindAllStringSubmatch(svg, -1) {
		if x, y := at(m[1]), at(m[2]); x < 0 || y < 0 || x > width || y > height {
			t.Errorf("%s: a message rests at %s %s outside of %v by %v", name, m[1], m[2], width, height)
		}
	}
}

// What a table says of every pair is what the pages draw, and can be sent.
func TestEveryLessonHasATable(t *testing.T) {
	f := frames(t)["en"]
	for _, entry := range schedule.Catalog() {
		name := string(entry.Collective) + "/" + entry.Algorithm
		r := LessonRequest{Entry: entry, Query: url.Values{"n": {"5"}, "root": {"3"}, "G": {"2"}}}
		table, err := BuildLessonTable(f, r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := json.Marshal(table); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		last := len(table.Steps) - 1
		r.Query.Set("step", fmt.Sprint(last))
		v, err := Lesson(f, r)
		if err != nil {
			t.Fatal(err)
		}
		row := table.Steps[last]
		if row.Texts["narration"] != v.Narration || row.Texts["sum"] != v.Sum {
			t.Errorf("%s: the table says %q, the page %q", name, row.Texts["narration"], v.Narration)
		}
		for _, m := range row.Moves[0] {
			if !strings.Contains(v.Stage, `d="`+m.D+`"`) {
				t.Errorf("%s: the page does not draw %s", name, m.D)
			}
		}
		promised := false
		for _, i := range v.Invariants {
			promised = promised || i.Kind == "ok" && strings.HasPrefix(i.Text, "After")
		}
		if !promised {
			t.Errorf("%s does not end with what it promises: %+v", name, v.Invariants)
		}
	}
}

// The network's own work is one message: it leaves each port once.
func TestTheNetworksWorkCountsOnce(t *testing.T) {
	f := frames(t)["en"]
	for _, test := range []struct {
		collective schedule.Collective
		port       string // through the busiest port
	}{{schedule.Broadcast, "4 MB"}, {schedule.ReduceTo, "4 MB"}, {schedule.AllReduce, "4 MB"}, {schedule.AllGather, "3 MB"}} {
		entry, err := schedule.Find(test.collective, "in-network")
		if err != nil {
			t.Fatal(err)
		}
		v, err := Lesson(f, LessonRequest{Entry: entry, Query: url.Values{"n": {"4"}, "step": {"1"}}, Runs: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Costs.Rows[3].Values[2]; got != test.port {
			t.Errorf("%s carries %s through its busiest port, want %s", test.collective, got, test.port)
		}
		if v.RunURL != "" || v.RunReason == "" || !strings.Contains(v.Narration, "switch") {
			t.Errorf("%s: runs at %q because %q; %s", test.collective, v.RunURL, v.RunReason, v.Narration)
		}
	}
}

// Roots and nodes are part of the address; what is out of range is brought
// into it.
func TestRootsAndNodes(t *testing.T) {
	entry, err := schedule.Find(schedule.Broadcast, "hierarchical")
	if err != nil {
		t.Fatal(err)
	}
	v, err := Lesson(frames(t)["en"], LessonRequest{Entry: entry, Query: url.Values{"n": {"6"}, "root": {"9"}, "G": {"0"}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Notes) != 2 || !strings.Contains(v.Moves.Next, "root=5") || !strings.Contains(v.Moves.Next, "G=1") {
		t.Errorf("notes %q, next %s", v.Notes, v.Moves.Next)
	}
	if !strings.Contains(v.Narration, "rank 5") {
		t.Errorf("the start says %s", v.Narration)
	}
}

// The busiest port of a lesson is that of the index: one direction, over all
// steps, as the closed forms say.
func TestBusiestPortIsTheClosedForms(t *testing.T) {
	l := frames(t)["en"].Locale
	for _, e := range schedule.Catalog() {
		if e.Collective == schedule.Barrier {
			continue
		}
		for _, n := range []string{"3", "8"} {
			c, _ := readChoice(l, e, url.Values{"n": {n}, "size": {"5760kB"}})
			s, err := c.build()
			if err != nil {
				t.Fatal(err)
			}
			f, err := establish(s, c, func(int) bool { return false })
			if err != nil {
				t.Fatal(err)
			}
			vars := e.Vars(c.ranks, c.perNode, c.chunks)
			vars["S"] = float64(c.size)
			want := 0.0
			for _, form := range []schedule.Expr{e.Sent, e.Received} {
				v, err := form.Eval(vars)
				if err != nil {
					t.Fatal(err)
				}
				want = max(want, v)
			}
			if got := float64((teller{c: c, f: f}).through(1, len(f.steps)-1)); math.Abs(got-want) > 1 {
				t.Errorf("%s/%s of %s ranks carries %.0f B through its busiest port, want %.0f", e.Collective, e.Algorithm, n, got, want)
			}
		}
	}
}

// Steps that leave before the messages of the one before have arrived pay one
// latency together, and the lesson says so.
func TestOverlappingLatenciesAreSaid(t *testing.T) {
	for _, test := range []struct {
		collective schedule.Collective
		algorithm  string
		want       bool
	}{{schedule.AllToAll, "pairwise", true}, {schedule.AllReduce, "ring", false}, {schedule.AllReduce, "in-network", true}} {
		e, err := schedule.Find(test.collective, test.algorithm)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Lesson(frames(t)["en"], LessonRequest{Entry: e, Query: url.Values{"n": {"8"}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(v.Bound, "latencies overlap"); got != test.want {
			t.Errorf("%s/%s: %s", test.collective, test.algorithm, v.Bound)
		}
	}
}
