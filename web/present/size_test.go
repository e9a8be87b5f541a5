package present

import (
	"math"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/report"
	"lockstep/sizing/site"
	"lockstep/views"
)

// sizeDesk is opened once, for it is never changed.
var sizeDesk = sync.OnceValues(site.OpenDesk)

// desk is what sizes are made from.
func desk(t testing.TB) site.Desk {
	t.Helper()
	d, err := sizeDesk()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sizedForm reads an address and prices what it says.
func sizedForm(t testing.TB, query string) Sized {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadSized(values, desk(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSizeFormReadsWhatPeopleType(t *testing.T) {
	for _, test := range []struct {
		query string
		field string
		got   func(sizing.Step) any
		want  any
		note  string // message of the note, empty for none
		wrong string // the fix offered, empty for nothing wrong
	}{
		{"", "params", func(s sizing.Step) any { return s.Parameters }, int64(300_000_000), "", ""},
		{"params=3亿", "params", func(s sizing.Step) any { return s.Parameters }, int64(300_000_000), "", ""},
		{"params=300,000,000", "params", func(s sizing.Step) any { return s.Parameters }, int64(300_000_000), "", ""},
		{"params=0.3B", "params", func(s sizing.Step) any { return s.Parameters }, int64(300_000_000), "", ""},
		{"params=", "params", func(s sizing.Step) any { return s.Parameters }, int64(300_000_000), "", "300M"},
		{"params=1e9", "params", func(s sizing.Step) any { return s.Parameters }, int64(300_000_000), "", "19"},
		{"params=-5", "params", func(s sizing.Step) any { return s.Parameters }, int64(1), "size.note.nearest", ""},
		{"params=99999T", "params", func(s sizing.Step) any { return s.Parameters }, int64(sizing.MaxParameters), "size.note.nearest", ""},
		{"model=llama3-8b&params=5", "params", func(s sizing.Step) any { return s.Parameters }, int64(8_030_261_248), "", ""},
		{"model=nobody", "model", func(s sizing.Step) any { return s.Model }, "", "size.note.unknown", ""},
		{"bytes=2", "bytes", func(s sizing.Step) any { return s.Width }, 2, "", ""},
		{"bytes=3", "bytes", func(s sizing.Step) any { return s.Width }, 4, "size.note.nearest", ""},
		{"bytes=99", "bytes", func(s sizing.Step) any { return s.Width }, 4, "size.note.nearest", ""},
		{"nodes=0", "nodes", func(s sizing.Step) any { return s.Nodes }, 1, "size.note.nearest", ""},
		{"nodes=2.6", "nodes", func(s sizing.Step) any { return s.Nodes }, 3, "size.note.nearest", ""},
		{"nodes=ten", "nodes", func(s sizing.Step) any { return s.Nodes }, 10, "", "10"},
		{"nodes=８", "nodes", func(s sizing.Step) any { return s.Nodes }, 10, "", "8"},
		{"nodes=8台", "nodes", func(s sizing.Step) any { return s.Nodes }, 10, "", "8"},
		{"nodes=99999999999999999999", "nodes", func(s sizing.Step) any { return s.Nodes }, sizing.MaxWorkers, "size.note.nearest", ""},
		{"nodes=200&per_node=8", "nodes", func(s sizing.Step) any { return s.Nodes }, 128, "size.note.workers", ""},
		{"fabric=tin-cans", "fabric", func(s sizing.Step) any { return s.Fabric.Key }, "article", "size.note.unknown", ""},
		{"compute=", "compute", func(s sizing.Step) any { return s.Compute }, unit.Seconds(0), "", ""},
		{"compute=500+ms", "compute", func(s sizing.Step) any { return s.Compute }, unit.Seconds(0.5), "", ""},
		{"compute=2min", "compute", func(s sizing.Step) any { return s.Compute }, unit.Seconds(120), "", ""},
		{"compute=-1", "compute", func(s sizing.Step) any { return s.Compute }, unit.Seconds(0), "size.note.nearest", ""},
		{"compute=10,8", "compute", func(s sizing.Step) any { return s.Compute }, unit.Seconds(10), "", "10.8"},
		{"compute=1e300", "compute", func(s sizing.Step) any { return s.Compute }, unit.Seconds(10), "", "1300"},
	} {
		form := sizedForm(t, test.query).Form
		if got := test.got(form.Step); got != test.want {
			t.Errorf("%s: %s is %v, want %v", test.query, test.field, got, test.want)
		}
		if got := form.notes[test.field].message; got != test.note {
			t.Errorf("%s: note %q, want %q", test.query, got, test.note)
		}
		if got := form.wrong[test.field].fix; got != test.wrong || form.Sound() != (test.wrong == "") {
			t.Errorf("%s: fix %q, want %q", test.query, got, test.wrong)
		}
	}
}

// TestSizeFormIsItsOwnAddress: what a form shows, taken as an address, shows
// the same without notes.
func TestSizeFormIsItsOwnAddress(t *testing.T) {
	for _, query := range []string{"", "nodes=5000&per_node=7&bytes=9&compute=-3&fabric=x&model=y", "model=gpt3-175b", "compute="} {
		known := desk(t).Known
		first := sizedForm(t, query).Form
		again := ReadSizeForm(first.Values(), known)
		if again.Step != first.Step || len(again.notes) > 0 {
			t.Errorf("%q: %+v with notes %v, first %+v", query, again.Step, again.notes, first.Step)
		}
		if back := ReadSizeForm(SizeValues(first.Step), known); back.Step != first.Step {
			t.Errorf("%q: the address of the step is read as %+v, want %+v", query, back.Step, first.Step)
		}
	}
}

func FuzzSizeForm(f *testing.F) {
	for _, seed := range []string{"", "params=3亿&nodes=10", "compute=1e9&bytes=-0", "params=99999999999999999999T&per_node=1024"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, _ := url.ParseQuery(query)
		form := ReadSizeForm(values, desk(t).Known)
		if err := form.Step.Check(); err != nil {
			t.Errorf("%q is read as a step that cannot be priced: %v", query, err)
		}
	})
}

func TestSizeSaysTheArticlesFigures(t *testing.T) {
	for lang, f := range frames(t) {
		page := Size(f, sizedForm(t, "nodes=10&compute=10"), desk(t).Known)
		for _, want := range []string{"2.16 s", "10.8 s"} {
			if !strings.Contains(page.Result.Plain, want) {
				t.Errorf("%s: the headline is %q, without %s", lang, page.Result.Plain, want)
			}
		}
		var figures []string
		for _, figure := range page.Result.Figures {
			figures = append(figures, figure.Number+" "+figure.Unit)
		}
		if diff := cmp.Diff([]string{"2.16 s", "10.8 s", "21.6 s", "1.2 GB"}, figures); diff != "" {
			t.Errorf("%s: figures (-want +got):\n%s", lang, diff)
		}
		if len(page.Result.Turns) != 3 || !strings.Contains(page.Result.Turns[0].Slower, "9") || !strings.Contains(page.Result.Turns[0].Best, "3") {
			t.Errorf("%s: turning points are %+v", lang, page.Result.Turns)
		}
	}
}

// TestSizeWordsExist looks for ids among the words: a message that is missing
// is shown as its id.
func TestSizeWordsExist(t *testing.T) {
	for lang, f := range frames(t) {
		for _, query := range []string{
			"", "compute=", "nodes=1", "nodes=1&compute=", "model=gpt3-175b&nodes=128&per_node=8&fabric=infiniband-400&compute=1",
			"params=10&fabric=infiniband-400", "params=10&compute=", "fabric=ethernet-slow&compute=600000", "compute=0.000001", "nodes=x&params=y&compute=z",
			"nodes=0&bytes=7&fabric=x&model=x", "system=dgx-h100&nodes=16&model=llama3-8b&bytes=2&compute=400&nics=4&rails=2&oversubscription=3&alpha=20",
			"system=dgx-h100&nodes=1&compute=10", "system=mi300x-8&nodes=4&fabric=roce-200g&collective=all-to-all&size=64MiB&in_switch=off",
			"system=srv-8xl40s&in_switch=on&rails=3&nics=x&rate=y&alpha=z&oversubscription=w&size=q&collective=juggle", "collective=barrier&nodes=4",
			"system=gb200-nvl72&nodes=40&collective=send-recv&size=0B", "system=x&oversubscription=99", "system=dgx-h100&nodes=4&rails=8&oversubscription=2&collective=gather&size=1GiB",
		} {
			sized := sizedForm(t, query)
			page := Size(f, sized, desk(t).Known)
			words := SizeWords(f.Locale, sized)
			said := []string{page.Result.Plain, page.Result.Counting, page.Result.TurnsNote, page.Result.FabricNote, page.Old, words.Headline}
			said = append(said, page.Result.Assumptions...)
			said = append(said, page.Result.Doubts...)
			said = append(said, words.Conclusions...)
			for _, g := range page.Groups {
				said = append(said, g.Legend, g.Sub)
				for _, field := range g.Fields {
					said = append(said, field.Label, field.Unit, field.Hint, field.Note, field.Wrong, field.FixText)
				}
			}
			if one := page.Result.One; one != nil {
				said = append(said, one.Title, one.Setting, one.Grade.Says, one.Missing, one.Why, one.WaysNote)
				said = append(append(said, one.Grade.All...), one.Warnings...)
				for _, span := range one.Lead {
					said = append(said, span.Text)
				}
				for _, figure := range one.Figures {
					said = append(said, figure.Label, figure.Number, figure.Unit, figure.Note)
				}
				for _, part := range one.Parts {
					said = append(said, part.Name, part.Time, part.Share, part.Formula, part.Where)
				}
				for _, near := range one.Nearest {
					said = append(said, near.Shape, near.Measured, near.Told)
				}
				for _, way := range one.Ways {
					said = append(said, way.Name, way.Mark, way.RaceName, way.Time.Range, way.Busiest)
				}
			}
			if c := page.Result.Changes; c != nil {
				said = append(said, c.Even, c.One, c.Step, c.Note)
				for _, row := range append(c.Rows, c.Before) {
					said = append(said, row.What, row.Factor, row.Why, row.One.Range, row.Step.Range, row.Share)
				}
			}
			for _, g := range page.Groups {
				for _, field := range g.Fields {
					said = append(said, field.From, field.Stands)
					for _, o := range field.Options {
						said = append(said, o.Group, o.Name)
					}
				}
			}
			for _, turn := range page.Result.Turns {
				said = append(said, turn.Counting, turn.Now, turn.Best, turn.Slower)
			}
			for _, fabric := range page.Result.Fabrics {
				said = append(said, fabric.Name, fabric.Basis, fabric.Best)
			}
			for _, text := range said {
				for _, trouble := range []string{"size.", "report.", "{{", "<no value>", "NaN", "+Inf", "*"} {
					if strings.Contains(text, trouble) {
						t.Errorf("%s, %q: %q has %q in it", lang, query, text, trouble)
					}
				}
			}
			for _, chart := range append(page.Result.Charts, page.Result.Shares) {
				if strings.Contains(chart.Wide+chart.Narrow, "NaN") || strings.Contains(chart.Wide+chart.Narrow, "+Inf") {
					t.Errorf("%s, %q: %s is drawn with no numbers", lang, query, chart.Title)
				}
			}
		}
	}
}

// TestSizeSaysWhereFiguresComeFrom: a system fills the form, what is typed
// overrides it, and each field says which.
func TestSizeSaysWhereFiguresComeFrom(t *testing.T) {
	f := frames(t)["en"]
	fields := func(query string) map[string]views.SizeField {
		all := map[string]views.SizeField{}
		for _, g := range Size(f, sizedForm(t, query), desk(t).Known).Groups {
			for _, field := range g.Fields {
				all[field.Name] = field
			}
		}
		return all
	}
	got := fields("system=dgx-h100&nodes=4&nics=4")
	for name, want := range map[string]struct{ value, stands, from string }{
		"per_node": {"", "8", "8, catalogue: DGX H100"}, "rate": {"", "400", "400, catalogue: DGX H100"}, "nics": {"4", "", "typed"},
		"rails": {"", "not told", "assumed: all traffic between nodes climbs"}, "oversubscription": {"", "1", "1, assumed"}, "alpha": {"", "14", "assumed"},
	} {
		if g := got[name]; g.Value != want.value || g.Stands != want.stands || g.From != want.from || g.Typed != (want.from == "typed") {
			t.Errorf("%s: %q, stands %q, from %q", name, g.Value, g.Stands, g.From)
		}
	}
	if source := got["system"].Hint; !strings.Contains(source, "http") {
		t.Errorf("the system's source is %q", source)
	}
	for query, wrong := range map[string]string{
		"system=dgx-h100&nodes=4&rails=3": "rails", "system=srv-8xl40s&nodes=4&in_switch=on": "in_switch", "rate=fast": "rate", "rate=100G": "rate", "size=100G": "size", "oversubscription=2:3": "oversubscription",
		"alpha=9s": "alpha", "size=much": "size", "nics=many": "nics",
	} {
		if g := fields(query)[wrong]; g.Wrong == "" || !strings.HasPrefix(g.FixURL, "/en/size?") {
			t.Errorf("%s: %+v", query, g)
		}
	}
}

// TestSizeOfASystem: the conclusion, every algorithm with its lesson and race,
// measured runs and what changes.
func TestSizeOfASystem(t *testing.T) {
	f := frames(t)["en"]
	r := Size(f, sizedForm(t, "system=dgx-h100&nodes=4&model=llama3-8b&bytes=2&compute=100&collective=all-gather&size=1GiB"), desk(t).Known).Result
	if !strings.Contains(r.Plain, "4 × DGX H100 (32 ranks)") || !strings.Contains(r.Plain, "grade ") || !strings.Contains(r.Plain, "of a step") {
		t.Errorf("headline %q", r.Plain)
	}
	one := r.One
	if one == nil || len(one.Nearest) != 3 || len(one.Parts) != 5 || one.Missing != "" || !r.Whole {
		t.Fatalf("one collective: %+v", one)
	}
	for _, w := range one.Ways {
		if !strings.HasPrefix(w.LessonURL, "/en/learn/all-gather/") || !strings.Contains(w.LessonURL, "n=32") || !strings.Contains(w.LessonURL, "size=") || !strings.Contains(w.LessonURL, "net=ib-400g") {
			t.Errorf("%s leads to %s", w.Name, w.LessonURL)
		}
		if (w.RaceURL == "") != w.Auto {
			t.Errorf("%s races at %q", w.Name, w.RaceURL)
		}
	}
	if r.Changes == nil || len(r.Changes.Rows) < 7 || r.Changes.Step == "" || !strings.Contains(r.Changes.Even, "Break-even: from ") {
		t.Errorf("changes: %+v", r.Changes)
	}
	// The step's own collective is compared once, where figures link to.
	if own := Size(f, sizedForm(t, "nodes=10"), desk(t).Known).Result; own.Whole || own.One.Ways[0].ID[:5] != "cost-" {
		t.Errorf("the step's own: %+v", own.One.Ways)
	}
}

// TestSizedIsItsOwnAddress: what a saved report was made of can be sized again.
func TestSizedIsItsOwnAddress(t *testing.T) {
	for _, query := range []string{
		"", "system=dgx-h100&nodes=4&nics=4&rails=2&oversubscription=1.5&in_switch=off&alpha=7&collective=all-to-all&size=64MiB&compute=3",
		"fabric=roce-400g&nodes=6&rate=100&per_node=2", "system=gb200-nvl72&nodes=40&model=deepseek-v3", "collective=barrier",
	} {
		first := sizedForm(t, query)
		again := sizedForm(t, first.values().Encode())
		if diff := cmp.Diff(first.Study.Ask, again.Study.Ask); diff != "" || again.Form.Step != first.Form.Step || again.Study.Size != first.Study.Size || !again.Form.Sound() {
			t.Errorf("%s: %+v, first %+v\n%s", query, again.Form.Step, first.Form.Step, diff)
		}
	}
}

func BenchmarkSize(b *testing.B) {
	for b.Loop() {
		sizedForm(b, "system=dgx-h100&nodes=128&model=llama3-70b&compute=4000")
	}
}

func TestLongTimesAreToldInLargerUnits(t *testing.T) {
	for s, want := range map[unit.Seconds]string{
		0: "0 s", 14e-6: "14 µs", 0.0435: "43.5 ms", 10.8: "10.8 s", 599: "599 s", 600: "10 min", 7200: "2 h", 36000: "10 h", 180000: "2.08 d",
	} {
		if got := sizeTime(s); got != want {
			t.Errorf("%v s is %q, want %q", float64(s), got, want)
		}
	}
	if got := sizeRange(2.16, 3.0857); got != "2.16–3.09 s" {
		t.Errorf("range with one unit: %q", got)
	}
	if got := sizeRange(0.9, 1.2857); got != "900 ms–1.29 s" {
		t.Errorf("range with two units: %q", got)
	}
	if got := sizeGrouped(math.MaxInt64); got != "9,223,372,036,854,775,807" {
		t.Errorf("grouped: %q", got)
	}
}

// TestReportShowsWhatWasFrozen changes the frozen numbers and words: what is
// shown must follow them, so nothing of it is computed anew.
func TestReportShowsWhatWasFrozen(t *testing.T) {
	languages := frames(t)
	e := sizedForm(t, "compute=10").Estimate
	e.Times.Ring = 77
	e.Costs[0].Time, e.Costs[0].Terms[0].Formula = 77, "frozen formula"
	e.Fabrics[1].Times.Ring = 78
	e.Scaling[0].Best = 79
	words := map[string]report.Words{
		"zh": {Headline: "冻结", Conclusions: []string{"冻结的结论"}, Assumptions: []string{"冻结的假设"}},
		"en": {Headline: "frozen", Conclusions: []string{"a frozen conclusion"}, Assumptions: []string{"a frozen assumption"}},
	}
	saved := report.Report{ID: "0003", Version: 1, Latest: 2, Cover: report.Cover{Title: "T", Notes: "a\nb"}, Content: report.NewDocument("v9", e, words)}
	f := languages["en"]
	page := Report(f, languages["zh"].Locale, f.Locale, saved)
	if page.Result.Figures[0].Number != "77" || page.Result.Algorithms[0].Terms[0].Formula != "frozen formula" ||
		page.Result.Fabrics[1].Ring.Time != "78 s" || !strings.Contains(page.Result.Turns[0].Best, "79") {
		t.Errorf("shown instead of what was frozen: %+v", page.Result)
	}
	if diff := cmp.Diff([]string{"冻结的结论"}, page.Conclusion); diff != "" {
		t.Errorf("conclusions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"冻结的假设"}, page.Result.Assumptions); diff != "" {
		t.Errorf("assumptions (-want +got):\n%s", diff)
	}
	if page.Stale == "" || page.NewestURL != "/en/reports/0003/v/2" || page.Language.URL != "/en/reports/0003/v/1?lang=en" || len(page.Notes) != 2 {
		t.Errorf("page is %+v", page)
	}
	if !strings.Contains(page.Versions, "v9") || !strings.Contains(page.Versions, sizing.DataVersion) {
		t.Errorf("versions are %q", page.Versions)
	}
}

func TestReportStyleHoldsAnyTitle(t *testing.T) {
	for title, want := range map[string]string{
		`a"b`:                     `"a\22 b"`,
		`\`:                       `"\5c "`,
		"</style> }":              `"\3c \2f style\3e  \7d "`,
		"训练 A":                    `"训练 A"`,
		"url(http://elsewhere) *": `"url\28 http\3a \2f \2f elsewhere\29  \2a "`,
	} {
		if got := cssString(title); got != want {
			t.Errorf("%s is written %s, want %s", title, got, want)
		}
	}
}

// From the computing that the form starts with nothing is concluded.
func TestExampleComputingGivesNoVerdict(t *testing.T) {
	const asked = "model=llama3-8b&bytes=2&nodes=8&per_node=8&fabric=roce-200"
	for query, want := range map[string]string{asked: "only the example", asked + "&compute=482": "Break-even", asked + "&compute=11": "look at algorithm"} {
		s := sizedForm(t, query)
		if text := sizeEven(frames(t)["en"].Locale, s.Study); !strings.Contains(text, want) {
			t.Errorf("%s: %s", query, text)
		}
	}
}
