package present

import (
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/sizing"
)

// Every collective has a page in both languages, at any number of ranks and on
// any network, in which all words are words.
func TestEveryCollectiveHasAPage(t *testing.T) {
	all, atlas := frames(t), sizing.NewAtlas(9)
	for _, c := range schedule.Collectives() {
		for lang, f := range all {
			for _, query := range []string{"", "n=1", "n=5&net=article&switches=1", "n=64&G=8&size=256B", "n=many&G=0&size=x&net=y"} {
				values, err := url.ParseQuery(query)
				if err != nil {
					t.Fatal(err)
				}
				v, err := Collective(f, c, values, atlas)
				if err != nil {
					t.Fatalf("%s, %s: %v", c, query, err)
				}
				text := v.Name + v.Line + v.Kin + v.Counts + v.Which.Title + v.Which.Say + strings.Join(v.Which.Notes, "")
				for _, a := range v.Which.Legend {
					text += a.Name + a.Where
				}
				if strings.Contains(text, "which.") || strings.Contains(text, "collective.") || strings.Contains(text, "<no value>") {
					t.Errorf("%s in %s, %s: %s", c, lang, query, text)
				}
				if len(v.Algorithms) == 0 || len(v.Others) != len(schedule.Collectives())-1 {
					t.Errorf("%s: %d algorithms, %d others", c, len(v.Algorithms), len(v.Others))
				}
				if wrong := strings.Contains(query, "many"); wrong != (len(v.Notes) > 0) {
					t.Errorf("%s, %s: notes %v", c, query, v.Notes)
				}
			}
		}
	}
}

// What the chart says where the page stands is what the model says.
func TestWhichSaysWhatIsFastest(t *testing.T) {
	f, atlas := frames(t)["en"], sizing.NewAtlas(64)
	for query, want := range map[string]string{
		"size=1kB":             "8 ranks, 1 kB: Direct is the fastest",
		"size=1kB&net=article": "Ring is the fastest", // nothing but bytes counts
		"size=1GB":             "8 ranks, 1 GB: Ring is the fastest, 70.1 ms. Halving-doubling, Hierarchical: within 1%.",
		"size=1MB&switches=1":  "In-network is the fastest",
		"n=1":                  "nothing to choose",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Collective(f, schedule.AllReduce, values, atlas)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(v.Which.Say, want) {
			t.Errorf("%q: %s, want %s", query, v.Which.Say, want)
		}
		best := ""
		for _, a := range v.Algorithms {
			if a.Best {
				best += a.Name
			}
		}
		if !strings.Contains(query, "switches") && best != "" && !strings.Contains(v.Which.Say, ": "+best+" is") {
			t.Errorf("%q: the table holds %q the fastest, the chart says %s", query, best, v.Which.Say)
		}
		if len(v.Which.Wide) > 40_000 {
			t.Errorf("%q: the chart has %d bytes", query, len(v.Which.Wide))
		}
	}
	for _, c := range []schedule.Collective{schedule.Barrier, schedule.SendRecv} {
		v, err := Collective(f, c, nil, atlas)
		if err != nil || v.Which.Wide != "" || v.Which.Say == "" {
			t.Errorf("%s: %v, %q", c, err, v.Which.Say)
		}
	}
}
