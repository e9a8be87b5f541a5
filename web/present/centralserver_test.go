package present

import (
	"net/url"
	"strings"
	"testing"

	"lockstep/views"
)

func storyOf(t *testing.T, lang, query string) views.CentralServer {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return CentralServer(frames(t)[lang], ReadCollector(values))
}

func TestArticlesArgument(t *testing.T) {
	s := storyOf(t, "zh", "")
	if want := "10 台工作机，每步收齐梯度要 10.8 s（单程，原文这样算），连发回共 21.6 s；换成环形，收发全算上只要 2.16 s。用中心服务器，7 台最快，是一台的 3.8 倍；到 51 台，反而比一台还慢。"; s.Say != want {
		t.Errorf("says %s\nwant %s", s.Say, want)
	}
	for i, want := range []string{"1.2 GB", "10.8 s", "21.6 s", "2.16 s"} {
		if f := s.Figures[i]; f.Number+" "+f.Unit != want {
			t.Errorf("figure %d is %+v, want %s", i, f, want)
		}
	}
	for i, want := range []struct{ oneWay, both views.StoryPeak }{
		{views.StoryPeak{Best: "2 台", Speed: "1.4×", Slower: "6 台起"}, views.StoryPeak{Best: "2 台", Speed: "1.1×", Slower: "3 台起"}},
		{views.StoryPeak{Best: "7 台", Speed: "3.8×", Slower: "51 台起"}, views.StoryPeak{Best: "5 台", Speed: "2.8×", Slower: "26 台起"}},
		{views.StoryPeak{Best: "25 台", Speed: "13×", Slower: "626 台起"}, views.StoryPeak{Best: "18 台", Speed: "9.1×", Slower: "313 台起"}},
	} {
		if row := s.Fabrics[i]; row.OneWay != want.oneWay || row.Both != want.both || row.Current != (i == 1) {
			t.Errorf("fabric %d is %+v, want %+v", i, row, want)
		}
	}
	if both := storyOf(t, "en", "back=1"); !strings.Contains(both.Say, "21.6 s") || !strings.Contains(both.Say, "5 workers are fastest") || !both.Back.On {
		t.Errorf("with the way back: %s", both.Say)
	}
}

func TestStoryTakesWhatExists(t *testing.T) {
	for query, want := range map[string]struct{ field, value, wrong string }{
		"workers=1":          {"workers", "1", "the nearest"},
		"workers=1000000":    {"workers", "1000000", "10000"},
		"workers=ten":        {"workers", "ten", "no number"},
		"params=0":           {"params", "0", "0.001"},
		"compute=NaN":        {"compute", "NaN", "no number"},
		"compute=1e99":       {"compute", "1e99", "1000000"},
		"params=%3Cb%3E":     {"params", "<b>", "no number"},
		"workers=10":         {"workers", "10", ""},
		"params=0.5&bytes=3": {"params", "0.5", ""},
	} {
		s := storyOf(t, "en", query)
		for _, f := range s.Fields {
			if f.Name == want.field && (f.Value != want.value || !strings.Contains(f.Wrong, want.wrong) || (want.wrong == "") != (f.Wrong == "")) {
				t.Errorf("%s: field is %q, wrong %q; want %q, %q", query, f.Value, f.Wrong, want.value, want.wrong)
			}
		}
	}
	if own := storyOf(t, "en", "rate=25GB/s"); len(own.Fabrics) != 4 || !own.Fabrics[3].Current {
		t.Errorf("a link of one's own is not a row: %+v", own.Fabrics)
	}
	if never := storyOf(t, "en", "rate=100MB/s&compute=1"); !strings.Contains(never.Say, "only slower") {
		t.Errorf("where it never pays: %s", never.Say)
	}
}
