package present

import (
	"net/url"
	"strings"
	"testing"

	"lockstep/sizing/trained"
	"lockstep/views"
)

func stepPage(t *testing.T, lang, query string) views.Step {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	m, err := trained.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	known := desk(t).Known
	s, err := Step(frames(t)[lang], ReadStepForm(values, known), m, known)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return s
}

// Every field that cannot be says so, keeps what was given, and the rest counts.
func TestStepSaysWhatIsWrong(t *testing.T) {
	for query, fields := range map[string]string{
		"":                                   "",
		"nodes=0":                            "nodes",
		"nodes=ten&seq_len=4k":               "nodes",
		"model=none&system=none&fabric=none": "model system fabric",
		"tp=7":                               "tp",
		"ep=8":                               "ep",
		"pp=4096&dp=3":                       "pp dp",
		"precision=nvfp4":                    "precision",
		"precision=fp4&zero=9&recompute=x":   "precision zero recompute",
		"global_batch=10&dp=4":               "global_batch",
		"model=resnet-50":                    "model",
	} {
		for _, lang := range []string{"zh", "en"} {
			s := stepPage(t, lang, query)
			var wrong []string
			given, _ := url.ParseQuery(query)
			for _, g := range s.Groups {
				for _, f := range g.Fields {
					if f.Wrong != "" {
						wrong = append(wrong, f.Name)
						if strings.Contains(f.Wrong, "<no value>") || f.FixURL == "" || f.Value != given.Get(f.Name) {
							t.Errorf("%s %s: %s says %q of %q", lang, query, f.Name, f.Wrong, f.Value)
						}
					}
				}
			}
			for _, name := range strings.Fields(fields) {
				if !strings.Contains(strings.Join(wrong, " "), name) {
					t.Errorf("%s %s: wrong are %v, expected %s", lang, query, wrong, fields)
				}
			}
			if len(wrong) != len(strings.Fields(fields)) || (s.Old == "") != (fields == "") {
				t.Errorf("%s %s: wrong are %v, expected %s", lang, query, wrong, fields)
			}
		}
	}
}

// Every model on every system that can be chosen has a page without gaps.
func TestStepPagesOfAllChoices(t *testing.T) {
	known := desk(t).Known
	l := frames(t)["zh"].Locale
	check := func(query string) {
		s := stepPage(t, "zh", query)
		if s.Old != "" || len(s.Result.Terms) == 0 || strings.Contains(s.Result.Plain, "<no value>") {
			t.Errorf("%s: %q %q", query, s.Old, s.Result.Plain)
		}
		for _, term := range s.Result.Terms {
			if strings.Contains(term.Formula, "<no value>") || strings.HasPrefix(term.Formula, "step.") {
				t.Errorf("%s: %s is %s", query, term.Name, term.Formula)
			}
		}
	}
	for _, o := range stepModels(l, known) {
		check("nodes=8&model=" + o.Value)
	}
	for _, o := range stepSystems(l, known) {
		check("nodes=2&model=qwen3-30b-a3b&system=" + o.Value)
	}
}

func TestStepComparesWithChanges(t *testing.T) {
	r := stepPage(t, "en", "").Result
	if len(r.Fabrics) != 4 || !r.Fabrics[0].Current || len(r.Tries) < 4 || len(r.Layouts) == 0 || len(r.Sent) == 0 {
		t.Errorf("%d fabrics, %d tries, %d layouts, %d collectives", len(r.Fabrics), len(r.Tries), len(r.Layouts), len(r.Sent))
	}
	for _, c := range append(append(r.Fabrics[1:], r.Tries...), r.Layouts...) {
		_, query, _ := strings.Cut(c.URL, "?")
		if s := stepPage(t, "en", query); s.Old != "" || s.Result.Figures[0].Number+" "+s.Result.Figures[0].Unit != c.Time {
			t.Errorf("%s: %s leads to %+v, not %s", c.Name, c.URL, s.Result.Figures[0], c.Time)
		}
	}
}
