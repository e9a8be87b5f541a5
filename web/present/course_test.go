package present

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

func TestMinutesAddUp(t *testing.T) {
	for id, want := range map[string]int{"customer": 15, "lab": 90, "fabric": 30} {
		p, found := findPath(id)
		if !found || p.minutes() != want {
			t.Errorf("%s: %v, %d minutes, want %d", id, found, p.minutes(), want)
		}
		for lang, f := range frames(t) {
			v, found, err := Path(f, CourseRequest{ID: id, Existing: allPages()})
			if err != nil || !found {
				t.Fatalf("%s: %v, %v", id, found, err)
			}
			if !strings.Contains(v.Name, strconv.Itoa(want)) {
				t.Errorf("%s: %s does not say its %d minutes: %s", lang, id, want, v.Name)
			}
			if last := v.Stops[len(v.Stops)-1].When; !strings.Contains(last, strconv.Itoa(want)) {
				t.Errorf("%s: %s ends at %s, want %d", lang, id, last, want)
			}
		}
	}
}

// Every message of paths and labs is said, and everything said is there: their
// ids are made of their own.
func TestPathsAndLabsHaveTheirWords(t *testing.T) {
	said := map[string]bool{}
	for _, p := range paths() {
		say := []string{p.message(), p.message() + ".what"}
		for _, stop := range p.stops {
			message := p.message() + "." + stop.key
			say = append(say, message+".say")
			if stop.lab == "" {
				say = append(say, message, message+".see", message+".ask")
			}
		}
		for _, id := range say {
			said[id] = true
		}
	}
	for _, l := range labs() {
		for _, end := range []string{"", ".goal", ".ask", ".answer"} {
			said[l.message()+end] = true
		}
		for _, step := range l.steps {
			said[l.message()+"."+step.key] = true
		}
	}
	written := map[string]bool{}
	for _, area := range []string{"course", "labs"} {
		content, err := os.ReadFile(filepath.Join("..", "..", "views", "locale", "messages", area+".zh.json"))
		if err != nil {
			t.Fatal(err)
		}
		var messages map[string]any
		if err := json.Unmarshal(content, &messages); err != nil {
			t.Fatal(err)
		}
		for id := range messages {
			written[id] = true
		}
	}
	for id := range said {
		if !written[id] {
			t.Errorf("%s is said and not written", id)
		}
	}
	for id := range written {
		if (strings.HasPrefix(id, "path.") || strings.HasPrefix(id, "lab.")) && !said[id] {
			t.Errorf("%s is written and not said", id)
		}
	}
}

// answers computes the answer of a lab in English.
func answers(t *testing.T, id string) labAnswer {
	t.Helper()
	l, found := findLab(id)
	if !found {
		t.Fatalf("no lab %s", id)
	}
	a, err := l.answer(labAnswers{frames(t)["en"].Locale})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// column is one column of a table.
func column(a labAnswer, i int) []string {
	var all []string
	for _, row := range a.rows {
		all = append(all, row[i])
	}
	return all
}

func wantColumn(t *testing.T, what string, a labAnswer, i int, want ...string) {
	t.Helper()
	if got := column(a, i); !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// The times of the labs are those of the schedules, played.
func TestLabTimesAreThoseOfTheSchedules(t *testing.T) {
	played := func(c schedule.Collective, algorithm string, ranks int, size unit.Bytes, network string) string {
		s, err := schedule.Build(schedule.Request{Collective: c, Algorithm: algorithm, Ranks: ranks})
		if err != nil {
			t.Fatal(err)
		}
		timeline, err := sim.Play(s, sim.Setup{Elements: int(size) / elementSize, Width: elementSize, Network: labNet(network)})
		if err != nil {
			t.Fatal(err)
		}
		return duration(timeline.Time)
	}
	race, bus, cross, halves := answers(t, "central-ring"), answers(t, "bus-bandwidth"), answers(t, "crossover"), answers(t, "two-halves")
	for i, n := range []int{2, 4, 8} {
		if want := played(schedule.AllReduce, "central", n, 1200*unit.MB, "article"); race.rows[i][2] != want {
			t.Errorf("central, %d ranks: %s, played %s", n, race.rows[i][2], want)
		}
		if want := played(schedule.AllReduce, "ring", n, 1200*unit.MB, "article"); race.rows[i][3] != want {
			t.Errorf("ring, %d ranks: %s, played %s", n, race.rows[i][3], want)
		}
		if want := played(schedule.AllReduce, "ring", n, unit.GB, "ib-400g"); bus.rows[i][1] != want {
			t.Errorf("ring, %d ranks: %s, played %s", n, bus.rows[i][1], want)
		}
	}
	for i, size := range []unit.Bytes{8 * unit.KB, 128 * unit.KB, 512 * unit.KB, unit.MB, 64 * unit.MB} {
		if want := played(schedule.AllReduce, "recursive-doubling", 8, size, "tcp-10g"); cross.rows[i][1] != want {
			t.Errorf("recursive doubling, %s: %s, played %s", size, cross.rows[i][1], want)
		}
		if want := played(schedule.AllReduce, "ring", 8, size, "tcp-10g"); cross.rows[i][2] != want {
			t.Errorf("ring, %s: %s, played %s", size, cross.rows[i][2], want)
		}
	}
	for i, c := range []schedule.Collective{schedule.ReduceScatter, schedule.AllGather, schedule.AllReduce} {
		if want := played(c, "ring", 4, 4*unit.MB, "roce-200g"); halves.rows[i][3] != want {
			t.Errorf("%s: %s, played %s", c, halves.rows[i][3], want)
		}
	}
	if halves.values["Whole"] != halves.values["Halves"] {
		t.Errorf("the halves take %s, the whole %s", halves.values["Halves"], halves.values["Whole"])
	}
	wantColumn(t, "central against ring", race, 4, "2×", "4×", "8×")
	wantColumn(t, "what the central server collects", race, 1, "1.2 s", "3.6 s", "8.4 s")
	wantColumn(t, "steps", halves, 1, "3", "3", "6")
	wantColumn(t, "bytes", halves, 2, "3 MB", "3 MB", "6 MB")
	wantColumn(t, "factor", bus, 3, "1", "1.5", "1.75")
	// One rank's bus bandwidth never exceeds its link, and comes near it.
	for i, text := range column(bus, 4) {
		if v, err := unit.ParseRate(strings.ReplaceAll(text, " ", "")); err != nil || v > 50e9 || v < 49e9 {
			t.Errorf("row %d: a bus bandwidth of %s, %v", i, text, err)
		}
	}
}

func TestTheCrossoverIsWhereTheModelHasIt(t *testing.T) {
	at, err := meetingSize("recursive-doubling", "ring", 8, "tcp-10g")
	if err != nil {
		t.Fatal(err)
	}
	// α·B × (14 − 3)/(3 − 1.75)
	if want := 50e-6 * 1.25e9 * 11 / 1.25; float64(at) < want*0.999 || float64(at) > want*1.001 {
		t.Errorf("they meet at %d bytes, want %.0f", at, want)
	}
	for _, size := range []unit.Bytes{at - at/100, at + at/100} {
		q := cost.Question{Collective: schedule.AllReduce, Ranks: 8, Size: size, Network: labNet("tcp-10g")}
		small, err := q.Price("recursive-doubling")
		if err != nil {
			t.Fatal(err)
		}
		large, err := q.Price("ring")
		if err != nil {
			t.Fatal(err)
		}
		if (small.Time < large.Time) != (size < at) {
			t.Errorf("at %s recursive doubling takes %s, ring %s", size, small.Time, large.Time)
		}
	}
}

func TestTheRingIsPredictedAsItIs(t *testing.T) {
	a := answers(t, "predict-ring")
	wantColumn(t, "sent", a, 1, "block 0 → rank 2", "block 3 → rank 2", "block 2 → rank 2", "block 1 → rank 2", "block 0 → rank 2", "block 3 → rank 2")
	wantColumn(t, "in it", a, 2, "1/4", "2/4", "3/4", "4/4", "4/4", "4/4")
	// What is sent is what came in with the step before: the answer says so.
	for i := 1; i < len(a.rows); i++ {
		sent, _, _ := strings.Cut(a.rows[i][1], " →")
		received, _, _ := strings.Cut(a.rows[i-1][3], " ←")
		if sent != received {
			t.Errorf("step %d sends %s, step %d received %s", i+1, sent, i, received)
		}
	}
}

func TestOneRankHoldsUpAll(t *testing.T) {
	a := answers(t, "freeze")
	wantColumn(t, "received", a, 1, "2 steps", "3 steps", "1 step", "1 step")
	wantColumn(t, "waits for", a, 2, "Rank 3", "Rank 0", "frozen, waits for nobody", "Rank 2")
	slow := answers(t, "slow-rank")
	wantColumn(t, "slower", slow, 2, "1×", "10×")
	if slow.values["Order"] != "Rank 3 → Rank 0 → Rank 1" {
		t.Errorf("they wait in the order %s", slow.values["Order"])
	}
}

func TestExchangeIsATransposition(t *testing.T) {
	a := answers(t, "exchange")
	wantColumn(t, "gathered", a, 1, "0.0  1.0  2.0  3.0", "0.0  1.0  2.0  3.0", "0.0  1.0  2.0  3.0", "0.0  1.0  2.0  3.0")
	wantColumn(t, "exchanged", a, 2, "0.0  1.0  2.0  3.0", "0.1  1.1  2.1  3.1", "0.2  1.2  2.2  3.2", "0.3  1.3  2.3  3.3")
	if a.values["Gathered"] != 1 || a.values["Exchanged"] != 4 || a.values["GatherBytes"] != "3 MB" || a.values["Own"] != "1 MB" {
		t.Errorf("the answer says %v", a.values)
	}
	if _, sent, err := (labAnswers{frames(t)["en"].Locale}).endsWith(schedule.AllToAll, "pairwise"); err != nil || sent != a.values["GatherBytes"] {
		t.Errorf("an all-to-all sends %s of a rank, %v; the answer says as much as an all-gather, %v", sent, err, a.values["GatherBytes"])
	}
}

// What the answers say beside the tables is computed, too.
func TestAnswersSayTheirFigures(t *testing.T) {
	for id, want := range map[string]map[string]string{
		"central-ring":  {"Most": "2.4 s"},
		"predict-ring":  {"First": "0"},
		"crossover":     {"Factor": "8.8", "Other": "2.2 MB"},
		"two-halves":    {"HalfBytes": "3 MB", "WholeBytes": "6 MB"},
		"bus-bandwidth": {"Low": "71", "High": "93"},
	} {
		a := answers(t, id)
		for name, value := range want {
			if got := fmt.Sprint(a.values[name]); got != value {
				t.Errorf("%s says %s for %s, want %s", id, got, name, value)
			}
		}
	}
	if head := answers(t, "slow-rank").head[0]; !strings.Contains(head, "64 MiB") || !strings.Contains(head, "1 GB/s") {
		t.Errorf("the table of the slow rank does not say what it is computed for: %s", head)
	}
}

// A sheet that runs something says beforehand that it takes a login, where
// runs can be started from pages.
func TestSheetsSayThatTheyTakeALogin(t *testing.T) {
	for lang, f := range frames(t) {
		for _, l := range labs() {
			for _, known := range []bool{true, false} {
				existing := Existing{}
				if known {
					existing = allPages()
				}
				v, _, err := Lab(f, CourseRequest{ID: l.id, Existing: existing})
				if err != nil {
					t.Fatal(err)
				}
				if said := v.Login != ""; said != (known && l.runs()) {
					t.Errorf("%s, %s, runs %v: says %q", lang, l.id, known, v.Login)
				}
			}
		}
	}
}

// The sizings that paths lead to have the computing of the customer's example:
// with another one the same fabric would get another verdict.
func TestPathsSizeTheCustomersExample(t *testing.T) {
	for _, id := range []string{"customer", "fabric"} {
		p, _ := findPath(id)
		for _, stop := range p.stops {
			for _, link := range stop.links {
				if link.path == "size" && link.query.Get("compute") != strconv.FormatFloat(float64(customerBase().Compute), 'f', -1, 64) {
					t.Errorf("%s leads to %v", id, link.query)
				}
			}
		}
	}
}

func TestSheetsToFillInGiveNothingAway(t *testing.T) {
	for _, l := range labs() {
		a := answers(t, l.id)
		if len(a.rows) < 2 {
			t.Errorf("%s has %d rows", l.id, len(a.rows))
		}
		for i, row := range a.sheet().Rows {
			if len(row) != len(a.head) || row[0] == "" || row[0] != a.rows[i][0] {
				t.Errorf("%s: row %d is %q under %q", l.id, i, row, a.head)
			}
			if given := strings.Join(row[a.asked:], ""); given != "" {
				t.Errorf("%s gives %q away", l.id, given)
			}
		}
	}
}

// The article's figures stand in the path as the article has them.
func TestPathsSayTheArticlesFigures(t *testing.T) {
	values, err := pathFigures()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Two": "1.2 s", "Ten": "10.8 s", "Both": "21.6 s", "Ring": "2.16 s"} {
		if values[name] != want {
			t.Errorf("%s is %v, want %s", name, values[name], want)
		}
	}
}
