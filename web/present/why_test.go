package present

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/measured"
	"lockstep/views"
)

func whyOf(t *testing.T, lang, query string) views.Why {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Why(frames(t)[lang], ReadWhy(values))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Cards that average their gradients are one card with all of the data; cards
// that do not end where their own data want them.
func TestTrainingInSmall(t *testing.T) {
	d := whyDescent()
	whole := 0.0
	for _, target := range d.targets {
		whole += target / float64(len(d.targets))
	}
	single := 0.0
	for step := range whySteps + 1 {
		together := d.weights(step, true)
		for card, w := range together {
			if math.Abs(w-single) > 1e-12 {
				t.Errorf("after step %d card %d stands at %v, one card with all data at %v", step, card, w, single)
			}
		}
		single -= d.rate * (single - whole)
	}
	for card, w := range d.weights(60, false) {
		if math.Abs(w-d.targets[card]) > 1e-12 {
			t.Errorf("card %d alone ends at %v, its data want %v", card, w, d.targets[card])
		}
	}
}

func TestStepsOfTraining(t *testing.T) {
	first := whyOf(t, "zh", "").Training
	if want := "走完第 1 步：每步都通信的 4 张卡，权重都是 1.00，还是一个模型；从不通信的，最小 0.50，最大 1.50，成了 4 个模型。"; first.Says != want {
		t.Errorf("says %s\nwant %s", first.Says, want)
	}
	if first.BackURL != "" || first.NextURL != "/zh/learn/why?k=2" {
		t.Errorf("the first step leads to %q and %q", first.BackURL, first.NextURL)
	}
	if !strings.Contains(first.Together.Chart.Wide, "÷ 4 = −2.00") || strings.Contains(first.Apart.Chart.Wide, "÷ 4") {
		t.Error("the pictures do not tell averaging from none")
	}
	third := whyOf(t, "en", "k=3&workers=8").Training
	if !strings.Contains(third.Says, "all stand at 1.75") || !strings.Contains(third.Says, "from 0.88 to 2.63") {
		t.Errorf("says %s", third.Says)
	}
	if third.BackURL != "/en/learn/why?k=2&workers=8" || third.NextURL != "/en/learn/why?k=4&workers=8" {
		t.Errorf("the third step leads to %q and %q", third.BackURL, third.NextURL)
	}
	if last := whyOf(t, "en", "k=8").Training; last.NextURL != "" {
		t.Errorf("the last step leads on to %q", last.NextURL)
	}
}

// What the page says is what the cost model and the schedule say.
func TestCostOfGradients(t *testing.T) {
	for query, ask := range map[string]struct {
		size    unit.Bytes
		workers int
		network string
	}{
		"": {14 * unit.GB, 64, "ib-400g"},
		"params=0.3&bytes=4&workers=10&net=article": {1200 * unit.MB, 10, "article"},
		"params=0.001&workers=2&net=tcp-10g":        {2 * unit.MB, 2, "tcp-10g"},
	} {
		v := whyOf(t, "en", query)
		for _, network := range lessonNetworks() {
			if network.id != ask.network {
				continue
			}
			q := cost.Question{Collective: schedule.AllReduce, Ranks: ask.workers, Size: ask.size, Network: network.Network}
			for i, algorithm := range map[int]string{2: "ring", 3: "central"} {
				price, err := q.Price(algorithm)
				if err != nil {
					t.Fatal(err)
				}
				if got := v.Cost.Figures[i].Number + " " + v.Cost.Figures[i].Unit; got != duration(price.Time) {
					t.Errorf("%s: %s takes %s, the model says %s", query, algorithm, got, duration(price.Time))
				}
				if !strings.Contains(v.Cost.Say, duration(price.Time)) {
					t.Errorf("%s: %q lacks %s", query, v.Cost.Say, duration(price.Time))
				}
			}
		}
		ring, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: ask.workers})
		if err != nil {
			t.Fatal(err)
		}
		sent := float64(ring.Traffic().Sent[0]) / float64(ring.Chunks) * float64(ask.size)
		if got := v.Cost.Figures[1].Number + " " + v.Cost.Figures[1].Unit; got != sized(sent, 3, decimalBytes) {
			t.Errorf("%s: a card sends %s, its schedule %s", query, got, sized(sent, 3, decimalBytes))
		}
	}
	// The article's case, both ways.
	article := whyOf(t, "zh", "params=0.3&bytes=4&workers=10&net=article&compute=1").Cost
	if want := "0.3B 参数的模型，每张卡每步有 1.2 GB 梯度要对齐。10 张卡用环形，要 2.16 s，占一步的 68%；都交给中心服务器，要 21.6 s，占 96%。"; article.Say != want {
		t.Errorf("says %s\nwant %s", article.Say, want)
	}
}

func TestSharesAreHonest(t *testing.T) {
	for share, want := range map[float64]string{0: "0%", 0.0001: "< 0.1%", 0.0042: "0.42%", 0.216: "22%", 0.9464: "95%", 0.9943: "99.4%", 0.99999: "> 99.9%", 1: "100%"} {
		if got := percent(share); got != want {
			t.Errorf("%v is %s, want %s", share, got, want)
		}
	}
}

func TestWhyTakesWhatExists(t *testing.T) {
	v := whyOf(t, "en", "k=99&params=many&workers=1&bytes=3&net=pigeon&compute=0")
	wrong := map[string]string{}
	for _, f := range v.Fields {
		wrong[f.Name] = f.Value + ": " + f.Wrong
	}
	for name, want := range map[string]string{"params": `many: "many" is no number. Accepted: 0.001 – 10000. Computed with 7.`, "workers": "1: 1 is out of range. Accepted: 2 – 1024.", "compute": "0: 0 is out of range. Accepted: 0.001 – 1000000."} {
		if !strings.HasPrefix(wrong[name], want) {
			t.Errorf("%s: %q, want %q", name, wrong[name], want)
		}
	}
	notes := strings.Join(v.Notes, "\n")
	for _, want := range []string{"Step: 99 is out of range. Accepted: 1 – 8. Shown is the nearest, 8.", `there is no "3". Accepted: 1, 2, 4, 8. Shown: 2 B.`, `there is no "pigeon". Accepted: tcp-10g, `, "Shown: 400 Gb/s InfiniBand"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
}

// Each of the eight is asked for by what is held before and after it, so that
// two needs never read alike.
func TestEightNeeds(t *testing.T) {
	for _, lang := range []string{"zh", "en"} {
		v := whyOf(t, lang, "")
		seen := map[string]string{}
		for _, need := range v.Needs {
			key := need.Have + " / " + need.Want
			if other, found := seen[key]; found || need.Have == "" || need.Want == "" {
				t.Errorf("%s and %s: %s", need.Answer.Name, other, key)
			}
			seen[key] = need.Answer.Name
			if !strings.HasPrefix(need.Answer.URL, "/"+lang+"/learn/") || need.Answer.Glyph == "" {
				t.Errorf("%s leads to %q", need.Answer.Name, need.Answer.URL)
			}
		}
		if len(seen) != 8 {
			t.Errorf("%d needs", len(seen))
		}
		for i, c := range []schedule.Collective{schedule.ReduceScatter, schedule.AllGather, schedule.AllReduce} {
			if v.Sum[i].Name != collectiveName(frames(t)[lang].Locale, c) {
				t.Errorf("part %d of the sum is %s, want %s", i, v.Sum[i].Name, c)
			}
		}
	}
}

// The shares that published runs reach are those of the measurements.
func TestNotesTellTheMeasuredShares(t *testing.T) {
	low, high, err := measured.NetworkShareRange()
	if err != nil {
		t.Fatal(err)
	}
	for lang, f := range frames(t) {
		v, err := Why(f, ReadWhy(nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{low, high} {
			if note := v.Cost.Notes[0]; !strings.Contains(note, fmt.Sprintf("%.0f", 100*share)) {
				t.Errorf("%s: %q does not tell %.0f%%", lang, note, 100*share)
			}
		}
	}
}
