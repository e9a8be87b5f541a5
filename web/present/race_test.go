package present

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
)

// raceAtlas is small: what it holds is tested where it is drawn.
var raceAtlas = sizing.NewAtlas(4)

func raceOf(t *testing.T, lang, query string) views.Race {
	t.Helper()
	return raceIn(t, frames(t)[lang], query)
}

func raceIn(t *testing.T, f Frame, query string) views.Race {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Race(f, ReadRace(values), raceAtlas)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

// The sentence of the article's case comes out of the simulation.
func TestConclusion(t *testing.T) {
	for query, want := range map[string]string{
		"":                        "环形 2.16 s 做完时，中心服务器才收完 1 台，第 2 台收到 80%，7 台还在排队。",
		"net=article":             "环形 2.16 s 做完时，中心服务器才收完 1 台，第 2 台收到 80%，7 台还在排队。",
		"a=ring&b=central":        "环形 2.16 s 做完时，中心服务器才收完 1 台，第 2 台收到 80%，7 台还在排队。",
		"n=2&net=article":         "环形 1.2 s 做完时，中心服务器刚收齐，结果还没有发回。",
		"size=1kB&net=1GB/s,50us": "中心服务器 118 µs 做完时，环形才走完 2/18 步，全程要 902 µs。",
		"n=3&net=article":         "环形 1.6 s 做完时，中心服务器还在收最后一台，收到 33%；收齐之后还要发回。",
	} {
		got := raceOf(t, "zh", query).Say
		if got != want {
			t.Errorf("%q: %s\nwant %s", query, got, want)
		}
	}
}

func TestRaceFigures(t *testing.T) {
	v := raceOf(t, "zh", "net=article")
	if a, b := v.Figures[0], v.Figures[1]; a.Number != "10.8" || b.Number != "2.16" || !strings.Contains(a.Formulas[0], "9 × 1.2 GB ÷ 1 GB/s") {
		t.Errorf("figures are %+v", v.Figures)
	}
	if !strings.Contains(v.Ratio, "差 5 倍") || !strings.Contains(v.Ratio, "21.6 s，差 10 倍，正好是机器数") {
		t.Errorf("ratio is %s", v.Ratio)
	}
	if !strings.Contains(v.Cross.Says, "不会反过来") {
		t.Errorf("without latency they cross: %s", v.Cross.Says)
	}
	if v = raceOf(t, "zh", ""); !strings.Contains(v.Cross.Says, "≈ 49 kB") || !strings.Contains(v.Cross.Says, "n(n−2)/(n−1)²") {
		t.Errorf("crossover is %s", v.Cross.Says)
	}
}

func TestRaceShowsTheMomentOfItsAddress(t *testing.T) {
	for query, want := range map[string]string{
		"net=article":        "2.16 s", // the end of the first
		"net=article&t=5":    "5 s",
		"net=article&t=0":    "0 s",
		"net=article&t=99":   "21.6 s",
		"net=article&t=-3":   "0 s",
		"net=article&t=NaN":  "2.16 s",
		"net=article&t=soon": "2.16 s",
		"t=2.16":             "2.16 s", // as printed: the very end, latency included
	} {
		if got := raceOf(t, "en", query).Player.Now; got != want {
			t.Errorf("%q shows %s, want %s", query, got, want)
		}
	}
	if v := raceOf(t, "en", "t=2.16"); v.Stages[1].Done.Class != "race-done" {
		t.Error("at 2.16 s the ring is not done")
	}
	if v := raceOf(t, "en", "t=1"); v.Stages[1].Done.Class != "race-done away" || !strings.Contains(v.Stages[0].Line.Text, "8 queue") {
		t.Errorf("at 1 s: %+v, %+v", v.Stages[0].Line, v.Stages[1].Done)
	}
}

// Whatever an address says, there is a race; what was not taken is noted.
func TestRaceTakesWhatExists(t *testing.T) {
	for query, notes := range map[string]int{
		"":                              0,
		"a=none&b=ring":                 1,
		"a=ring&b=ring":                 1,
		"b=central":                     0,
		"collective=juggle":             1,
		"n=1":                           0,
		"n=0":                           1,
		"n=1000":                        1,
		"n=many":                        1,
		"size=0":                        1,
		"size=100TB":                    1,
		"size=1.2G":                     1,
		"net=wet":                       1,
		"net=0.1GB/s,0s":                0,
		"n=64&size=1B":                  0,
		"n=17&size=7":                   0,
		"a=x&b=y&n=0&size=z&net=z&t=zz": 6,
	} {
		v := raceOf(t, "en", query)
		if len(v.Notes) != notes || v.Say == "" || len(v.Stages) != 2 {
			t.Errorf("%q: notes %q, want %d", query, v.Notes, notes)
		}
		if _, err := json.Marshal(v.Table); err != nil {
			t.Errorf("%q: %v", query, err)
		}
	}
}

// Every pair of every collective can race, at any number of ranks.
func TestEveryPairRaces(t *testing.T) {
	all, turn := frames(t), 0
	for _, c := range raceCollectives() {
		for i, a := range raceable(c) {
			for _, b := range raceable(c)[:i] {
				lang, n := []string{"zh", "en"}[turn%2], []string{"1", "2", "5", "8", "16", "17", "64"}[turn%7]
				turn++
				q := url.Values{"collective": {string(c)}, "a": {a}, "b": {b}, "n": {n}, "size": {"1088kB"}} // equal blocks for all of them
				v := raceIn(t, all[lang], q.Encode())
				if text := v.Say + v.Cross.Says + v.Lead.Text + v.Which.Say + v.Cross.Slider.Says; strings.Contains(text, "race.") || strings.Contains(text, "which.") || v.Lead.Text == "" {
					t.Errorf("%s: %s", q.Encode(), text)
				}
				if len(v.Notes) > 0 {
					t.Errorf("%s: %v", q.Encode(), v.Notes)
				}
				if table, err := json.Marshal(v.Table); err != nil || strings.Contains(string(table), "Inf") {
					t.Errorf("%s: the table cannot be written: %v", q.Encode(), err)
				}
			}
		}
	}
}

// Who is ahead is told by how much of the result is where it belongs.
func TestWhoIsAhead(t *testing.T) {
	f := frames(t)["en"]
	for query, want := range map[string]string{
		"net=article&t=0":                   "No block of the result has arrived yet.",
		"net=article&t=1.5":                 "Ring is ahead: 40% of the result in place, Central collector 0%.",
		"net=article":                       "Ring has won by 19.4 s; of the result of Central collector nothing is in place.",
		"net=article&t=21.6":                "Ring has won by 19.4 s, 10 times as fast.",
		"n=1":                               "Both arrive at once: a draw.",
		"a=central&b=direct&n=2&size=1kB":   "Direct has won",
		"collective=barrier&n=8&t=100":      "has won by",
		"collective=gather&n=4&t=0":         "Level",
		"collective=broadcast&n=8&t=1e-9":   "",
		"collective=all-to-all&n=5&t=0.001": "",
	} {
		if v := raceIn(t, f, query); !strings.Contains(v.Lead.Text, want) {
			t.Errorf("%q: %s, want %s", query, v.Lead.Text, want)
		}
	}
}

// The forms' addresses mean what was chosen, and lead to shorter ones.
func TestRaceForms(t *testing.T) {
	for query, want := range map[string]string{
		"collective=broadcast&was=all-reduce&a=central&b=ring":                             "a=direct&b=binomial-tree&collective=broadcast&n=10&net=tcp-8g&size=1.2GB",
		"collective=all-gather&was=all-reduce&a=central&b=ring":                            "a=direct&b=ring&collective=all-gather&n=10&net=tcp-8g&size=1.2GB",
		"collective=all-reduce&was=all-reduce&a=ring&b=central&n=4&switches=1&t=3":         "a=ring&b=central&collective=all-reduce&n=4&net=tcp-8g&size=1.2GB&switches=1",
		"tenth=66&size=1GB&n=8&net=article":                                                "a=central&b=ring&collective=all-reduce&n=8&net=article&size=4MB",
		"tenth=66&collective=all-gather&a=ring&b=bruck&n=3":                                "a=ring&b=bruck&collective=all-gather&n=3&net=tcp-8g&size=3999999B",
		"collective=reduce&was=reduce&a=chain&b=direct&n=8&root=3&chunks=2&net=10GB/s,5us": "a=chain&b=direct&chunks=2&collective=reduce&n=8&net=10GB%2Fs%2C5us&root=3&size=1.2GB",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		ask := ReadRace(values)
		if !ask.Moves() {
			t.Errorf("%s: stays, with %v", query, ask.notes)
		}
		if got := ask.query().Encode(); got != want {
			t.Errorf("%s leads to\n%s, want\n%s", query, got, want)
		}
		again, err := url.ParseQuery(want)
		if err != nil {
			t.Fatal(err)
		}
		if ask := ReadRace(again); ask.Moves() || ask.query().Encode() != want {
			t.Errorf("%s does not say what it says: %s", want, ask.query().Encode())
		}
	}
	for _, query := range []string{"", "n=4", "was=all-reduce&n=999"} {
		values, _ := url.ParseQuery(query)
		if ReadRace(values).Moves() {
			t.Errorf("%q moves", query)
		}
	}
}

// Pieces are those of both, as many as can be drawn.
func TestRaceCuts(t *testing.T) {
	f := frames(t)["en"]
	for query, want := range map[string]struct {
		chunks string
		notes  int
	}{
		"collective=broadcast&a=chain&b=direct&n=4":             {"", 0},
		"collective=broadcast&a=chain&b=direct&n=4&chunks=8":    {"8", 0},
		"collective=broadcast&a=chain&b=direct&n=4&chunks=many": {"1", 1},
		"collective=broadcast&a=chain&b=direct&n=4&chunks=1000": {"64", 1},
		"collective=all-reduce&a=ring&b=direct&n=64&chunks=2":   {"1", 1},
		"collective=barrier&n=4&chunks=3":                       {"", 0},
	} {
		if v := raceIn(t, f, query); v.Chunks != want.chunks || len(v.Notes) != want.notes {
			t.Errorf("%q: %q pieces, notes %v", query, v.Chunks, v.Notes)
		}
	}
}

// The cursor's table agrees with itself and with the page.
func TestCrossTable(t *testing.T) {
	v := raceOf(t, "en", "")
	table := v.Cross.Table
	if len(table.Places) != len(table.Says) || len(table.Says) != len(table.Sizes) || len(table.Places) < 40 {
		t.Fatalf("%d places, %d texts, %d sizes", len(table.Places), len(table.Says), len(table.Sizes))
	}
	for i, size := range table.Sizes {
		if i > 0 && table.Places[i][0].(float64) <= table.Places[i-1][0].(float64) {
			t.Errorf("stop %d is not right of the one before", i)
		}
		bytes, err := unit.ParseBytes(size)
		if err != nil || !strings.HasPrefix(table.Says[i], table.Places[i][2].(string)) {
			t.Errorf("stop %d of %s says %s: %v", i, size, table.Says[i], err)
		}
		if fast := strings.Contains(table.Says[i], "Central collector is"); fast != (bytes < 49383) && !strings.Contains(table.Says[i], "equally") {
			t.Errorf("at %s: %s", size, table.Says[i])
		}
	}
	if v.Cross.Slider.Says != "1.2 GB: Ring is 10 times as fast (2.16 s against 21.6 s)" {
		t.Errorf("the slider says %s", v.Cross.Slider.Says)
	}
	if len(v.Cross.Jumps) != 1 || !strings.Contains(v.Cross.Jumps[0].URL, "size=49383B") {
		t.Errorf("jumps are %+v", v.Cross.Jumps)
	}
}

func TestMomentsAreNeverLater(t *testing.T) {
	for _, v := range []float64{0, 1, 2.16089999, 0.1 + 0.2, 1234567.89, 3.33333339e-7, 9.9999999e-5} {
		text, err := json.Marshal(moment(v))
		if err != nil {
			t.Fatal(err)
		}
		got, err := strconv.ParseFloat(string(text), 64)
		if err != nil || got > v || got < v*(1-1e-6) {
			t.Errorf("%v is written as %s", v, text)
		}
	}
}
