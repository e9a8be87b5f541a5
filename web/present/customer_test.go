package present

import (
	"net/url"
	"strings"
	"testing"
	"unicode"

	"lockstep/sizing"
	"lockstep/views"
)

func customerOf(t *testing.T, lang string) views.Customer {
	t.Helper()
	v, err := Customer(frames(t)[lang])
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Each answer leads to a sizing, and says the figures of that sizing.
func TestAnswersSayTheFiguresOfTheirSizing(t *testing.T) {
	for lang := range frames(t) {
		v := customerOf(t, lang)
		if len(v.Questions) != 8 {
			t.Fatalf("%d questions", len(v.Questions))
		}
		sized := 0
		for _, q := range v.Questions {
			if len(q.Answers) != 2 || q.Lesson.Name == "" || q.URL != "#"+q.ID || q.Ask == "" || q.Why == "" {
				t.Errorf("question %s is incomplete: %+v", q.ID, q)
			}
			leads := false
			for _, a := range q.Answers {
				if strings.Contains(a.Name+a.Text, "{{") || strings.Contains(a.Text, "<no value>") || strings.Contains(a.Text, "customer.") {
					t.Errorf("%s: %s: %s", q.ID, a.Name, a.Text)
				}
				leads = leads || a.Size.Name != ""
				path, query, _ := strings.Cut(a.Size.URL, "?")
				if path != "/"+lang+"/size" {
					continue
				}
				sized++
				values, err := url.ParseQuery(query)
				if err != nil {
					t.Fatal(err)
				}
				form := ReadSizeForm(values, desk(t).Known)
				e, err := form.Step.Estimate()
				if err != nil || !form.Sound() || len(form.notes) > 0 {
					t.Fatalf("%s: %s does not come back as it was: %v, %v", q.ID, a.Size.URL, form, err)
				}
				said := plainSpaces(a.Text)
				one := false
				for _, figure := range []string{sizeTime(e.Times.Ring), sizeTime(computing(e)), sizeTime(computing(e) + e.Times.Ring), sizeTime(e.Times.OneWay), "1.51 s"} {
					one = one || strings.Contains(said, figure)
				}
				if low := sizeTime(e.Times.Ring); !one && !strings.Contains(said, strings.Fields(low)[0]) {
					t.Errorf("%s: %q says no figure of its sizing, whose ring takes %s", q.ID, said, low)
				}
			}
			if !leads {
				t.Errorf("%s leads to no sizing", q.ID)
			}
		}
		if sized < 12 {
			t.Errorf("only %d answers are sized", sized)
		}
	}
}

// The words call the example no bottleneck yet and the small batch one; the
// figures must stay where that is true.
func TestExampleIsWhatItIsSaidToBe(t *testing.T) {
	share := func(s sizing.Step) float64 {
		e, err := s.Estimate()
		if err != nil {
			t.Fatal(err)
		}
		return exposed(e)
	}
	if base, small := share(customerBase()), share(customerStep("llama3-8b", 8, "roce-200", customerMillions/4)); base < 0.1 || base > 0.2 || small < 0.3 {
		t.Errorf("communication takes %v of the example and %v of the small batch", base, small)
	}
	v := customerOf(t, "en")
	for _, want := range []string{"10.8 s", "21.6 s", "2.16 s", "2.4 s"} {
		said := false
		for _, part := range v.Talk {
			said = said || strings.Contains(plainSpaces(part.Text), want)
		}
		if !said {
			t.Errorf("the talk does not say %s", want)
		}
	}
	if !strings.Contains(v.Say, "14%") || strings.Count(v.Bars.Wide, "g-compute") != len(customerBars()) {
		t.Errorf("says %s", v.Say)
	}
}

// Two minutes are about 480 characters of Chinese or 280 words of English,
// spoken calmly.
func TestTalkTakesTwoMinutes(t *testing.T) {
	spokenLength := map[string]func(string) int{
		"zh": func(text string) int {
			count := 0
			for _, r := range text {
				if unicode.Is(unicode.Han, r) || unicode.IsDigit(r) {
					count++
				}
			}
			return count
		},
		"en": func(text string) int { return len(strings.Fields(text)) },
	}
	for lang, limits := range map[string][2]int{"zh": {380, 560}, "en": {250, 340}} {
		length := 0
		for _, part := range customerOf(t, lang).Talk {
			length += spokenLength[lang](part.Text)
			if part.Show.Name == "" || part.At == "" {
				t.Errorf("%s: nothing to show with %q", lang, part.Text)
			}
		}
		if length < limits[0] || length > limits[1] {
			t.Errorf("%s: the talk has %d, want %d to %d", lang, length, limits[0], limits[1])
		}
	}
}
