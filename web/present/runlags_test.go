package present

import (
	"testing"

	"lockstep/engine/trace"
	"lockstep/views/locale"
)

// A slow rank is named in the visitor's language; what is worded otherwise is
// passed on as it is.
func TestASlowRankIsNamedInTheVisitorsLanguage(t *testing.T) {
	texts, err := locale.Load()
	if err != nil {
		t.Fatal(err)
	}
	named := trace.Warning{
		Code: "slow-rank", Message: "rank 2 is slow", Values: trace.Values{"rank": "2", "seconds": "3", "own": "98", "others": "1"},
	}
	in := func(lang string) locale.Locale {
		l, _ := texts.In(lang)
		return l
	}
	for lang, want := range map[string]string{
		locale.Chinese: "Rank 2 慢了：3 秒里它自己干活占了 98% 的时间，别的 Rank 只占约 1%，都在等它。",
		locale.English: "Rank 2 is slow: for 3 s its own work has taken 98% of the time, that of the others about 1%. They wait for it.",
	} {
		if got := doubts(in(lang), []trace.Warning{named})[0]; got != want {
			t.Errorf("%s: %s", lang, got)
		}
	}
	running := &sight{Frame: Frame{Locale: in(locale.English)}}
	running.Run = trace.Run{Outcome: trace.Running, Warnings: []trace.Warning{{Code: "assumed-latency", Message: "5 us"}, named}}
	if got := running.lags(); len(got) != 1 {
		t.Errorf("of two warnings one names a slow rank, not %q", got)
	}
	running.Run.Outcome = trace.Done
	if got := running.lags(); got != nil {
		t.Errorf("a run that has ended is said to lag: %q", got)
	}
	other := trace.Warning{Code: "slow-rank", Message: "something of another version"}
	if got := doubts(in(locale.English), []trace.Warning{other})[0]; got != "The program notes: something of another version" {
		t.Errorf("other words: %s", got)
	}
}
