package present

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every fact says when, what and where it is written, in both languages, and
// how far that was checked; what nobody could check says so.
func TestHistoryIsSortedAndSourced(t *testing.T) {
	h, err := readHistory()
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Facts) < 50 {
		t.Fatalf("only %d facts", len(h.Facts))
	}
	seen := map[string]bool{}
	for i, f := range h.Facts {
		if f.ID == "" || seen[f.ID] {
			t.Errorf("the ID %q is empty or stands twice", f.ID)
		}
		seen[f.ID] = true
		if f.Label == "" || f.Chinese == "" || f.English == "" || f.Source == "" {
			t.Errorf("%s lacks a label, words or a source: %+v", f.ID, f)
		}
		if f.at() < 1990 || f.at() > 2030 {
			t.Errorf("%s: %s is no date", f.ID, f.Date)
		}
		if i > 0 && f.at() < h.Facts[i-1].at() {
			t.Errorf("%s stands behind %s", f.ID, h.Facts[i-1].ID)
		}
		if !slices.ContainsFunc(historyTopics, func(topic struct{ id, message string }) bool { return topic.id == f.Topic }) ||
			!slices.ContainsFunc(historyChecks, func(check struct{ id, message string }) bool { return check.id == f.Checked }) {
			t.Errorf("%s has topic %q and check %q", f.ID, f.Topic, f.Checked)
		}
		if (f.DoubtZh == "") != (f.DoubtEn == "") || f.unsure() && f.DoubtEn == "" && f.ID != "mpich-start" {
			t.Errorf("%s is in doubt and does not say why in both languages", f.ID)
		}
		if f.URL != "" {
			checkSource(t, f.ID, f.URL)
		}
	}
	for _, want := range []string{"mpi-1-0", "mpi-2-0", "mpi-3-0", "mpi-4-0", "mpi-5-0", "mpich-start", "ompi-start", "nccl-1", "nccl-2-0", "gloo", "rccl", "hccl"} {
		if !seen[want] {
			t.Errorf("%s is missing", want)
		}
	}
	for _, s := range h.Slips {
		if s.SaysZh == "" || s.RightZh == "" || s.SaysEn == "" || s.RightEn == "" || s.Source == "" {
			t.Errorf("slip %s is incomplete", s.ID)
		}
		if s.Fact != "" && !seen[s.Fact] {
			t.Errorf("slip %s points to %s, which is not there", s.ID, s.Fact)
		}
		checkSource(t, s.ID, s.URL)
	}
}

func checkSource(t *testing.T, id, source string) {
	t.Helper()
	if u, err := url.Parse(source); err != nil || u.Scheme != "https" || u.Host == "" {
		t.Errorf("%s: %q is no address, %v", id, source, err)
	}
}

// Facts keep to the style of all other texts.
func TestHistoryIsWellWritten(t *testing.T) {
	h, err := readHistory()
	if err != nil {
		t.Fatal(err)
	}
	chinese := regexp.MustCompile(`[\p{Han}）」][,;:!?]|[,;:!?(]\p{Han}|\p{Han} \p{Han}|您|归约|散射`)
	english := regexp.MustCompile(`[，。；：！？（）“”‘’]|  `)
	check := func(id string, pattern *regexp.Regexp, texts ...string) {
		for _, text := range texts {
			if found := pattern.FindString(text); found != "" || strings.TrimSpace(text) != text {
				t.Errorf("%s has %q: %s", id, found, text)
			}
		}
	}
	for _, f := range h.Facts {
		check(f.ID, chinese, f.Chinese, f.DoubtZh)
		check(f.ID, english, f.English, f.DoubtEn, f.Source)
	}
	for _, s := range h.Slips {
		check(s.ID, chinese, s.SaysZh, s.RightZh)
		check(s.ID, english, s.SaysEn, s.RightEn, s.Source)
	}
}

func TestDatesAreAsExactAsTheyAreKnown(t *testing.T) {
	for date, want := range map[string][2]string{
		"1997-07-18": {"1997 年 7 月 18 日", "18 Jul 1997"}, "2005-08": {"2005 年 8 月", "Aug 2005"}, "2017": {"2017 年", "2017"},
	} {
		f := historyFact{Date: date}
		if got := [2]string{f.day(frames(t)["zh"].Locale), f.day(frames(t)["en"].Locale)}; got != want {
			t.Errorf("%s is written %v, want %v", date, got, want)
		}
	}
	if first, middle := (historyFact{Date: "2017-02-09"}).at(), (historyFact{Date: "2017"}).at(); first >= middle || middle < 2017.4 || middle > 2017.6 {
		t.Errorf("2017 lies at %v, a day in February at %v", middle, first)
	}
}

func TestTimelineFollowsItsAddress(t *testing.T) {
	h, err := readHistory()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Libraries(frames(t)["zh"], ReadLibraries(nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Table) != len(h.Facts) || strings.Count(all.Line.Wide, "<a ") != len(h.Facts) || all.Event != nil || all.Note != "" {
		t.Errorf("%d rows, %d events, %+v %q", len(all.Table), strings.Count(all.Line.Wide, "<a "), all.Event, all.Note)
	}
	nccl, err := Libraries(frames(t)["en"], ReadLibraries(url.Values{"topic": {"nccl"}, "at": {"nccl-2-0"}}))
	if err != nil {
		t.Fatal(err)
	}
	if nccl.Event == nil || nccl.Event.ID != "nccl-2-0" || nccl.Earlier.Name != "NCCL 1.2" || nccl.Later.Name != "NCCL 2.3" || len(nccl.Table) != len(h.of("nccl")) {
		t.Errorf("the event is %+v between %+v and %+v", nccl.Event, nccl.Earlier, nccl.Later)
	}
	for _, odd := range []url.Values{{"topic": {"cobol"}}, {"at": {"mpi-9"}}} {
		v, err := Libraries(frames(t)["en"], ReadLibraries(odd))
		if err != nil || v.Note == "" || len(v.Table) != len(h.Facts) {
			t.Errorf("%v: %q, %d rows, %v", odd, v.Note, len(v.Table), err)
		}
	}
}
