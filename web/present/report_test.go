package present

import (
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/sizing/report"
	"lockstep/sizing/site"
	"lockstep/views/locale"
)

// reported is a saved report of what a form asks, in Chinese and in English.
func reported(t *testing.T, values url.Values) (report.Report, []locale.Locale) {
	t.Helper()
	desk, err := site.OpenDesk()
	if err != nil {
		t.Fatal(err)
	}
	texts, err := locale.Load()
	if err != nil {
		t.Fatal(err)
	}
	var languages []locale.Locale
	for _, lang := range []string{locale.Chinese, locale.English} {
		l, _ := texts.In(lang)
		languages = append(languages, l)
	}
	draft := ReadDraft(values, desk.Known)
	if sound, err := draft.Price(desk); err != nil || !sound {
		t.Fatalf("price: %v, %v", sound, err)
	}
	return report.Report{ID: "0007", Version: 1, Latest: 1, Saved: time.Date(2026, 12, 3, 8, 0, 0, 0, time.UTC), Cover: draft.Cover,
		Content: draft.Document("test", "2026-12-03 08:00", languages)}, languages
}

// aStep and anExchange are forms of the two kinds of reports.
func aStep(nodes string) url.Values {
	return url.Values{"kind": {"step"}, "model": {"llama3-70b"}, "system": {"dgx-h100"}, "nodes": {nodes}, "precision": {"bf16"}, "title": {"step"}}
}

func anExchange(nodes string) url.Values {
	return url.Values{"model": {"gpt3-175b"}, "bytes": {"2"}, "system": {"dgx-h100"}, "nodes": {nodes}, "compute": {"4000"}, "collective": {"all-to-all"}, "size": {"1GiB"}, "title": {"exchange"}}
}

// Every figure that stands out has its number, but for a grade; what it reads is
// the number in a unit of a thousand times more or less.
func TestFiguresOfReportsAreQuantities(t *testing.T) {
	scales := map[string]float64{
		"s": 1, "ms": 1e-3, "µs": 1e-6, "min": 60, "h": 3600, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12, "%": 1, "token/s": 1, "k token/s": 1e3, "M token/s": 1e6,
	}
	for name, form := range map[string]url.Values{"step": aStep("16"), "exchange": anExchange("64")} {
		saved, languages := reported(t, form)
		for _, l := range languages {
			figures, numbers, between := 0, 0, 0
			for _, b := range saved.Content.Sheets[l.Lang()].Blocks {
				for _, f := range b.Figures {
					figures++
					if f.Value.Number == nil {
						continue
					}
					numbers++
					if f.Value.Low != nil {
						between++
						if *f.Value.Low > *f.Value.Number || *f.Value.High < *f.Value.Number {
							t.Errorf("%s, %s: %+v is not in its interval", name, f.Label, f.Value)
						}
					}
					text, unit, _ := strings.Cut(f.Value.Text, " ")
					read, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
					if scale, known := scales[unit]; err != nil || !known || read*scale < 0.99**f.Value.Number || read*scale > 1.01**f.Value.Number {
						t.Errorf("%s, %s: reads %q and is %g %s", name, f.Label, f.Value.Text, *f.Value.Number, f.Value.Unit)
					}
				}
			}
			want := map[string][3]int{"step": {4, 4, 2}, "exchange": {8, 7, 6}}[name]
			if got := [3]int{figures, numbers, between}; got != want {
				t.Errorf("%s: %d figures, %d with numbers, %d with intervals; want %v", name, figures, numbers, between, want)
			}
		}
	}
}

// Two versions show by how much their figures differ, and set apart what nobody
// asked for.
func TestComparedReportsSayHowMuch(t *testing.T) {
	a, languages := reported(t, aStep("16"))
	b, _ := reported(t, aStep("8"))
	b.Version, b.Latest = 2, 2
	f := Frame{Locale: languages[1], Other: languages[0]}
	v := CompareReports(f, []report.Report{b}, &a, &b)
	if len(v.Figures) == 0 || len(v.Figures[0].Changes) == 0 || v.Figures[0].Changes[0].By != "+98%" {
		t.Fatalf("figures: %+v", v.Figures)
	}
	for _, p := range v.Figures[:2] { // what stands out, and where the time goes
		for _, c := range p.Changes {
			if c.By == "" {
				t.Errorf("%s, %s: %s and %s without a difference", p.Name, c.Name, c.A, c.B)
			}
		}
	}
	if v.More == "" || len(v.Aside) < 3 {
		t.Errorf("%d parts stand aside: %q", len(v.Aside), v.More)
	}
	for v, want := range map[float64]string{0.98: "+98%", 0.064: "+6.4%", -0.0025: "−0.25%", 0: "0%", -0.5: "−50%"} {
		if got := compareOff(v); got != want {
			t.Errorf("%g reads %s, want %s", v, got, want)
		}
	}
}

// A report of the last format reads as it did when it was saved.
func TestReportOfTheLastFormatReadsTheSame(t *testing.T) {
	content, err := os.ReadFile("../../sizing/report/testdata/version3.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/report3.zh.md")
	if err != nil {
		t.Fatal(err)
	}
	d, err := report.Decode(content)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := locale.Load()
	if err != nil {
		t.Fatal(err)
	}
	l, _ := texts.In(locale.Chinese)
	saved := report.Report{ID: "0001", Version: 1, Latest: 2, Saved: time.Date(2026, 12, 3, 5, 52, 0, 0, time.UTC), Frozen: content, Content: d, Cover: report.Cover{Title: "旧步", Customer: "某公司"}}
	for format, want := range map[string]string{"markdown": string(want), "json": string(content)} {
		file, _, err := ReportFileOf(l, saved, format, "")
		if err != nil {
			t.Fatal(err)
		}
		if string(file.Content) != want {
			t.Errorf("%s is other than it was:\n%s", format, file.Content)
		}
	}
}
