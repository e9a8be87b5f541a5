package present

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/views"
)

func bandwidthOf(t *testing.T, lang, query string) views.Bandwidth {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Bandwidth(frames(t)[lang], ReadBandwidth(values))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// plainSpaces undoes what keeps a number and its unit on one line.
func plainSpaces(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

func TestCalculatorSaysWhatBandwidthsAre(t *testing.T) {
	for query, want := range map[string][4]string{ // time, algorithm and bus bandwidth, share of the port
		"": {"42 ms", "23.8 GB/s", "41.7 GB/s", "83%"},
		"collective=all-gather&n=4&size=1GiB&measured=40ms&wire=200Gb/s": {"40 ms", "26.8 GB/s", "20.1 GB/s", "81%"},
		"collective=broadcast&n=2&size=1GB&measured=25GB/s&wire=25GB/s":  {"40 ms", "25 GB/s", "25 GB/s", "100%"},
		"n=8&size=1GB&measured=400Gb/s&as=busbw":                         {"35 ms", "28.6 GB/s", "50 GB/s", "100%"},
		"n=2&size=8&measured=80us&wire=100Gb/s":                          {"80 µs", "100 kB/s", "100 kB/s", "0.0008%"},
	} {
		v := bandwidthOf(t, "en", query)
		for i, want := range want {
			got := v.Figures[i].Number
			if v.Figures[i].Unit != "" {
				got += " " + v.Figures[i].Unit
			}
			if got != want || !strings.Contains(plainSpaces(v.Say), want) {
				t.Errorf("%s: figure %d is %s, want %s; says %s", query, i, got, want, v.Say)
			}
		}
	}
	if over := bandwidthOf(t, "zh", "measured=10ms"); over.Over.URL != "#busbw-exceeds-wire" {
		t.Errorf("175 %% of the port lead to %+v", over.Over)
	}
}

// What does not exist is taken as the nearest that does, and said.
func TestCalculatorTakesWhatExists(t *testing.T) {
	for query, want := range map[string]struct{ field, value, wrong string }{
		"n=1":                {"n", "1", "2"},
		"n=999999":           {"n", "999999", "1024"},
		"n=many":             {"n", "many", "8"},
		"size=0":             {"size", "0", "1 B"},
		"size=100PB":         {"size", "100PB", "1 GB"},
		"wire=400G":          {"wire", "400G", "neither bits nor bytes"},
		"measured=400G":      {"measured", "400G", "neither bits nor bytes"},
		"measured=soon":      {"measured", "soon", "Write it like 42ms"},
		"measured=0s":        {"measured", "0s", "1 ns"},
		"collective=barrier": {"collective", "barrier", "all-reduce"},
	} {
		v := bandwidthOf(t, "en", query)
		found := false
		for _, f := range v.Fields {
			if f.Name == want.field {
				found = true
				if f.Value != want.value || !strings.Contains(plainSpaces(f.Wrong), want.wrong) {
					t.Errorf("%s: the field says %q, %q", query, f.Value, f.Wrong)
				}
			} else if f.Wrong != "" {
				t.Errorf("%s: %s says %q", query, f.Name, f.Wrong)
			}
		}
		if !found || v.Say == "" {
			t.Errorf("%s: no field or nothing said", query)
		}
	}
}

// The written factors are those that are computed with.
func TestFactorFormulas(t *testing.T) {
	for _, n := range []int{2, 3, 8, 1024} {
		for _, c := range bandwidthCollectives() {
			text, want := factorFormula(c, n), c.BusFactor(n)
			var above, below, got float64
			switch {
			case text == "1":
				got = 1
			default:
				_, numbers, _ := strings.Cut(text, " = ")
				twice := 1.0
				if rest, doubled := strings.CutPrefix(numbers, "2 × "); doubled {
					numbers, twice = rest, 2
				}
				if _, err := fmt.Sscanf(numbers, "%f/%f", &above, &below); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				got = twice * above / below
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%s of %d ranks: %s comes to %v, want %v", c, n, text, got, want)
			}
		}
	}
}

// Twelve, each with an anchor, an example that has figures, and a lesson.
func TestTwelveConfusions(t *testing.T) {
	for lang := range frames(t) {
		v := bandwidthOf(t, lang, "")
		if len(v.Confusions) != 12 {
			t.Fatalf("%d confusions", len(v.Confusions))
		}
		seen := map[string]bool{}
		for _, c := range v.Confusions {
			if seen[c.ID] || c.URL != "#"+c.ID || !strings.HasPrefix(c.Lesson.URL, "/"+lang+"/learn/") {
				t.Errorf("confusion %q leads to %q and %q", c.ID, c.URL, c.Lesson.URL)
			}
			seen[c.ID] = true
			for _, text := range []string{c.Says, c.Right, c.Example} {
				if text == "" || strings.Contains(text, "{{") || strings.Contains(text, "<no value>") || strings.Contains(text, "confusion.") {
					t.Errorf("%s says %q", c.ID, text)
				}
			}
			if !strings.ContainsAny(c.Example, "0123456789") {
				t.Errorf("%s has no figures: %s", c.ID, c.Example)
			}
		}
	}
}

// The figures in the examples are those of the cost model.
func TestExamplesAreComputed(t *testing.T) {
	v := bandwidthOf(t, "en", "")
	example := map[string]string{}
	for _, c := range v.Confusions {
		example[c.ID] = plainSpaces(c.Example)
	}
	wants := func(id string, figures ...string) {
		for _, figure := range figures {
			if !strings.Contains(example[id], figure) {
				t.Errorf("%s does not say %s: %s", id, figure, example[id])
			}
		}
	}
	article := sizing.Collector{Size: 1200 * unit.MB, Rate: 1e9}
	both := article
	both.Return = true
	wants("one-way", duration(article.Collecting(10)), duration(both.Collecting(10)), duration(article.Ring(10)), "10.8 s", "21.6 s", "2.16 s")
	for id, q := range map[string]struct {
		question  cost.Question
		algorithm string
	}{
		"two-phases":        {cost.Question{Collective: schedule.ReduceScatter, Ranks: 10, Size: 1200 * unit.MB, Network: cost.Network{Bandwidth: 1e9}}, "ring"},
		"both-directions":   {cost.Question{Collective: schedule.AllReduce, Ranks: 8, Size: unit.GB, Network: cost.Network{Bandwidth: 450e9}}, "ring"},
		"few-steps":         {cost.Question{Collective: schedule.AllReduce, Ranks: 8, Size: 64 * unit.MiB, Network: cost.Network{Latency: bandwidthLatency, Bandwidth: 25e9}}, "central"},
		"size-is-the-whole": {cost.Question{Collective: schedule.AllGather, Ranks: 8, Size: unit.GiB, Network: cost.Network{Bandwidth: 25e9}}, "ring"},
		"small-messages":    {cost.Question{Collective: schedule.AllReduce, Ranks: 8, Size: 8 * unit.KiB, Network: cost.Network{Latency: bandwidthLatency, Bandwidth: 25e9}}, "ring"},
		"per-node":          {cost.Question{Collective: schedule.AllReduce, Ranks: 64, Size: 16 * unit.GB, Network: cost.Network{Bandwidth: 50e9}}, "ring"},
	} {
		price, err := q.question.Price(q.algorithm)
		if err != nil {
			t.Fatal(err)
		}
		wants(id, duration(price.Time))
	}
	wants("two-phases", "1.08 s", "2.16 s")
	wants("bits-and-bytes", "24 ms", "3 ms")
	wants("gib-is-not-gb", "1,073,741,824 B", "7.4%")
	wants("algbw-falls", "25 GB/s with 2 cards", "14.3 GB/s", "12.7 GB/s")
	wants("to-every-rank", "875 MB", "7 GB")
	wants("busbw-exceeds-wire", "432 GB/s", "386.6 GB/s")
	if !strings.Contains(plainSpaces(v.WireSays), "ends at 50 GB/s") {
		t.Errorf("a ring across nodes: %s", v.WireSays)
	}
}

// The page and the chart of a collective's page take the same of the ways that
// are equally good: for large data the ring, not whichever saves a microsecond.
func TestChoicesTakeTheFirstOfEquals(t *testing.T) {
	v := bandwidthOf(t, "en", "")
	last := v.Choices[len(v.Choices)-1]
	if last.Name != "Ring" {
		t.Errorf("%s: %s", last.Size, last.Name)
	}
	if first := v.Choices[0]; first.Name == "Ring" {
		t.Errorf("%s: %s", first.Size, first.Name)
	}
}

func TestAllOfThePortIsDoubted(t *testing.T) {
	for query, want := range map[string]string{
		"n=8&size=1GB&measured=35ms&wire=400Gb/s": "rare in a measurement",
		"n=8&size=1GB&measured=20ms&wire=400Gb/s": "More than the port",
		"n=8&size=1GB&measured=60ms&wire=400Gb/s": "",
	} {
		if over := bandwidthOf(t, "en", query).Over; (over.What == "") != (want == "") || !strings.Contains(over.What, want) {
			t.Errorf("%s: %+v, want %q", query, over, want)
		}
	}
}
