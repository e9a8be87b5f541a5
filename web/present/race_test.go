package present

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"lockstep/views"
)

func raceOf(t *testing.T, lang, query string) views.Race {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Race(frames(t)[lang], ReadRace(values))
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
	if !strings.Contains(v.CrossSays, "不会反过来") {
		t.Errorf("without latency they cross: %s", v.CrossSays)
	}
	if v = raceOf(t, "zh", ""); !strings.Contains(v.CrossSays, "≈ 49 kB") || !strings.Contains(v.CrossSays, "n(n−2)/(n−1)²") {
		t.Errorf("crossover is %s", v.CrossSays)
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
		"n=1":                           1,
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

// Every pair of every collective can race, at every number of ranks.
func TestEveryPairRaces(t *testing.T) {
	for _, c := range raceCollectives() {
		for _, a := range raceable(c) {
			for _, b := range raceable(c) {
				for _, n := range []string{"2", "5", "17"} {
					if a == b {
						continue
					}
					q := url.Values{"collective": {string(c)}, "a": {a}, "b": {b}, "n": {n}, "size": {"1MB"}}
					v := raceOf(t, "zh", q.Encode())
					if strings.Contains(v.Say, "race.") || strings.Contains(v.CrossSays, "race.") {
						t.Errorf("%s: %s %s", q.Encode(), v.Say, v.CrossSays)
					}
				}
			}
		}
	}
}
