package locale

import "testing"

func TestT(t *testing.T) {
	b, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	zh, _ := b.In(Chinese)
	en, _ := b.In(English)
	for _, tt := range []struct {
		locale Locale
		id     string
		values Values
		want   string
	}{
		{zh, "collective.all-reduce", nil, "全规约"},
		{en, "collective.all-reduce", nil, "All-Reduce"},
		{zh, "home.machine.ranks.count", Values{"Count": 4}, "4 个进程"},
		{en, "home.machine.ranks.count", Values{"Count": 1}, "1 process"},
		{en, "home.machine.ranks.count", Values{"Count": 4}, "4 processes"},
		{en, "page.version", Values{"Version": "<1>"}, "Lockstep <1>"}, // escaping is the template's
		{en, "no.such.message", nil, "no.such.message"},
	} {
		if got := tt.locale.T(tt.id, tt.values); got != tt.want {
			t.Errorf("%s: T(%s, %v) = %q, want %q", tt.locale.Lang(), tt.id, tt.values, got, tt.want)
		}
	}
}

func TestNegotiate(t *testing.T) {
	b, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]string{
		"":                              Chinese,
		"zh":                            Chinese,
		"zh-CN,zh;q=0.9,en;q=0.8":       Chinese,
		"zh-TW":                         Chinese,
		"zh-Hant-HK":                    Chinese,
		"en":                            English,
		"en-GB,en;q=0.9,zh;q=0.8":       English,
		"de-DE,de;q=0.9":                English,
		"ja":                            English,
		"fr;q=0.5,zh-CN;q=0.9,en;q=0.1": Chinese,
		"*":                             Chinese,
		"not a header;;;":               Chinese,
	} {
		if got := b.Negotiate(header).Lang(); got != want {
			t.Errorf("Negotiate(%q) = %s, want %s", header, got, want)
		}
	}
}

func TestIn(t *testing.T) {
	b, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for lang, tag := range map[string]string{Chinese: "zh-CN", English: "en"} {
		l, found := b.In(lang)
		if !found || l.Lang() != lang || l.Tag() != tag {
			t.Errorf("In(%s) = %s, %s, %v", lang, l.Lang(), l.Tag(), found)
		}
	}
	if _, found := b.In("fr"); found {
		t.Error("French is there")
	}
}
