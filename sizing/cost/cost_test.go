package cost_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// article is the case of the article: 300 million float32 gradients over 1 GB/s.
func article(ranks int) cost.Question {
	return cost.Question{
		Collective: schedule.AllReduce, Ranks: ranks, Size: 1200 * unit.MB,
		Network: cost.Network{Bandwidth: 1e9},
	}
}

func TestTheArticlesCaseToTheLastDigit(t *testing.T) {
	for _, test := range []struct {
		algorithm string
		ranks     int
		total     unit.Seconds
		term      unit.Seconds // each of the two
	}{
		{"central", 2, 2.4, 1.2},
		{"central", 10, 21.6, 10.8},
		{"ring", 2, 1.2, 0.6},
		{"ring", 10, 2.16, 1.08},
		{"ring", 3, 1.6, 0.8},
		{"ring", 1, 0, 0},
		{"central", 1, 0, 0},
	} {
		p, err := article(test.ranks).Price(test.algorithm)
		if err != nil {
			t.Fatal(err)
		}
		if p.Time != test.total || len(p.Terms) != 2 || p.Terms[0].Time != test.term || p.Terms[1].Time != test.term {
			t.Errorf("%s on %d ranks: %v from %+v; want %v from twice %v", test.algorithm, test.ranks, float64(p.Time), p.Terms, test.total, test.term)
		}
	}
}

func TestPredictionDocument(t *testing.T) {
	q := article(10)
	q.Network.Latency = 50 * time.Microsecond
	p, err := q.Predict("central")
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"collective":"all-reduce","algorithm":"central","ranks":10,"size_bytes":1200000000,` +
		`"time_s":21.6001,"low_s":21.6001,"high_s":30.857285714285716,` +
		`"algbw_gbytes_per_s":0.05555529835510021,"busbw_gbytes_per_s":0.09999953703918038,"grade":"D","terms":[` +
		`{"name":"collect","seconds":10.80005,"formula":"α + (n-1)·S/B = 1 × 50 us + 9 × 1.2 GB ÷ 1 GB/s","where":"receiving port of rank 0"},` +
		`{"name":"return","seconds":10.80005,"formula":"α + (n-1)·S/B = 1 × 50 us + 9 × 1.2 GB ÷ 1 GB/s","where":"sending port of rank 0"}],` +
		`"alternatives":[{"algorithm":"hierarchical","time_s":2.1605},{"algorithm":"ring","time_s":2.1609},{"algorithm":"in-network","time_s":2.40005},` +
		`{"algorithm":"double-binary-tree","time_s":4.2004},{"algorithm":"halving-doubling","time_s":4.5004},{"algorithm":"recursive-doubling","time_s":6.00015},` +
		`{"algorithm":"binomial-tree","time_s":9.60025},{"algorithm":"direct","time_s":10.80005},{"algorithm":"central","time_s":21.6001}],` +
		`"warnings":[{"code":"physics-only","message":` + quote(p.Warnings[0].Message) + `,"values":{"least":"71","most":"93","taken":"70"}}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
	if !strings.Contains(p.Warnings[0].Message, "70 %") {
		t.Errorf("the warning does not say what the interval is: %q", p.Warnings[0].Message)
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestRingReachesTheBusBandwidthOfItsPorts(t *testing.T) {
	for ranks := 2; ranks <= schedule.MaxRanks; ranks++ {
		p, err := article(ranks).Predict("ring")
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(p.BusBW-1) > 1e-15 {
			t.Errorf("%d ranks: bus bandwidth %v GB/s; want the ports' 1 GB/s", ranks, p.BusBW)
		}
	}
}

func TestUndefinedBandwidthsAreAbsent(t *testing.T) {
	none, alone := article(4), article(1)
	none.Size, none.Network.Latency = 0, time.Millisecond
	for name, q := range map[string]cost.Question{"no bytes": none, "one rank": alone} {
		p, err := q.Predict(cost.Auto)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(p)
		if strings.Contains(string(text), "bw_gbytes") || strings.Contains(string(text), "null") {
			t.Errorf("%s: %s", name, text)
		}
		if q.Size == 0 && p.Time != 0.001 { // direct: one latency
			t.Errorf("no bytes: %v by %s; want one latency", p.Time, p.Algorithm)
		}
	}
}

// Central = 2α + 2(n-1)S/B and ring = 2(n-1)(α + S/(nB)) meet at
// S = αB·n(n-2)/(n-1)²: 49,382.7 bytes for ten ranks, 50 us and 1 GB/s.
func TestCentralAndRingCross(t *testing.T) {
	q := article(10)
	q.Network.Latency = 50 * time.Microsecond
	for size, want := range map[unit.Bytes]string{0: "central", 49_382: "central", 49_383: "ring", unit.GB: "ring"} {
		q.Size = size
		central, err := q.Price("central")
		if err != nil {
			t.Fatal(err)
		}
		ring, err := q.Price("ring")
		if err != nil {
			t.Fatal(err)
		}
		if got := map[bool]string{true: "central", false: "ring"}[central.Time < ring.Time]; got != want {
			t.Errorf("%d bytes: central %v, ring %v; want %s to be faster", size, central.Time, ring.Time, want)
		}
	}
}

// Auto takes the fastest that hosts can carry out: what the network would have
// to do itself is only listed.
func TestAutoIsTheFastestOnHosts(t *testing.T) {
	q := article(8)
	q.Network.Latency = 50 * time.Microsecond
	for size, want := range map[unit.Bytes]string{0: "direct", 32 * unit.KiB: "recursive-doubling", unit.GB: "halving-doubling"} {
		q.Size = size
		p, err := q.Predict(cost.Auto)
		if err != nil {
			t.Fatal(err)
		}
		if p.Algorithm != want {
			t.Errorf("%d bytes: %s of %v; want %s", size, p.Algorithm, p.Alternatives, want)
		}
	}
}

func TestUnusableQuestions(t *testing.T) {
	for _, test := range []struct {
		field     string
		algorithm string
		change    func(q *cost.Question)
	}{
		{"collective", cost.Auto, func(q *cost.Question) { q.Collective = "all-together" }},
		{"algorithm", "fast", func(*cost.Question) {}},
		{"ranks", cost.Auto, func(q *cost.Question) { q.Ranks = 0 }},
		{"ranks", "ring", func(q *cost.Question) { q.Ranks = schedule.MaxRanks + 1 }},
		{"size", "ring", func(q *cost.Question) { q.Size = -1 }},
		{"chunks", "ring", func(q *cost.Question) { q.Chunks = -1 }},
		{"bandwidth", "ring", func(q *cost.Question) { q.Network.Bandwidth = 0 }},
		{"bandwidth", "ring", func(q *cost.Question) { q.Network.Bandwidth = unit.Rate(math.NaN()) }},
		{"latency", "ring", func(q *cost.Question) { q.Network.Latency = -1 }},
	} {
		q := article(4)
		test.change(&q)
		_, err := q.Predict(test.algorithm)
		var unusable *schedule.RequestError
		if !errors.As(err, &unusable) || unusable.Field != test.field || unusable.Message == "" {
			t.Errorf("%+v, %s: %v; want an error about %s", q, test.algorithm, err, test.field)
		}
	}
}

func TestPricesHoldTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := cost.Question{
			Collective: schedule.AllReduce,
			Ranks:      rapid.IntRange(1, schedule.MaxRanks).Draw(t, "ranks"),
			Size:       unit.Bytes(rapid.Int64Range(0, 1<<50).Draw(t, "size")),
			Network: cost.Network{
				Latency:   time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "latency")),
				Bandwidth: unit.Rate(rapid.Float64Range(1, 1e13).Draw(t, "bandwidth")),
			},
		}
		p, err := q.Predict(cost.Auto)
		if err != nil {
			t.Fatal(err)
		}
		if p.Low > p.Time || p.Time > p.High {
			t.Fatalf("%v is outside %v to %v", p.Time, p.Low, p.High)
		}
		var sum unit.Seconds
		for _, term := range p.Terms {
			sum += term.Time
		}
		if math.Abs(float64(sum-p.Time)) > 1e-12*float64(p.Time) {
			t.Fatalf("terms add up to %v of %v", sum, p.Time)
		}
		for i, a := range p.Alternatives {
			hosts, err := schedule.Find(q.Collective, a.Algorithm)
			if err != nil {
				t.Fatal(err)
			}
			if hosts.Executable && a.Time < p.Time || i > 0 && a.Time < p.Alternatives[i-1].Time {
				t.Fatalf("%s took %v of %v", p.Algorithm, p.Time, p.Alternatives)
			}
			named, err := q.Price(a.Algorithm)
			if err != nil || named.Time != a.Time {
				t.Fatalf("%s by name: %v, %v; among all: %v", a.Algorithm, named.Time, err, a.Time)
			}
		}
	})
}
