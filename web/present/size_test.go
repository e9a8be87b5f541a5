package present

import (
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/report"
)

// sizedForm reads an address and prices what it says.
func sizedForm(t *testing.T, query string) (SizeForm, sizing.Estimate) {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	form := ReadSizeForm(values)
	e, err := form.Step.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	return form, e
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
		form, _ := sizedForm(t, test.query)
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
		first, _ := sizedForm(t, query)
		again := ReadSizeForm(first.Values())
		if again.Step != first.Step || len(again.notes) > 0 {
			t.Errorf("%q: %+v with notes %v, first %+v", query, again.Step, again.notes, first.Step)
		}
		if back := ReadSizeForm(SizeValues(first.Step)); back.Step != first.Step {
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
		form := ReadSizeForm(values)
		if err := form.Step.Check(); err != nil {
			t.Errorf("%q is read as a step that cannot be priced: %v", query, err)
		}
	})
}

func TestSizeSaysTheArticlesFigures(t *testing.T) {
	for lang, f := range frames(t) {
		form, e := sizedForm(t, "nodes=10&compute=10")
		page := Size(f, form, e)
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
			"nodes=0&bytes=7&fabric=x&model=x",
		} {
			form, e := sizedForm(t, query)
			page := Size(f, form, e)
			words := SizeWords(f.Locale, e)
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
	_, e := sizedForm(t, "compute=10")
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
		page.Result.Fabrics[1].Ring != "78 s" || !strings.Contains(page.Result.Turns[0].Best, "79") {
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
