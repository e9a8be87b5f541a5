package present

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
)

// frames returns a frame for each language.
func frames(t *testing.T) map[string]Frame {
	t.Helper()
	texts, err := locale.Load()
	if err != nil {
		t.Fatal(err)
	}
	zh, _ := texts.In(locale.Chinese)
	en, _ := texts.In(locale.English)
	return map[string]Frame{"zh": {Locale: zh, Other: en, Program: "bin/console"}, "en": {Locale: en, Other: zh, Program: "bin/console"}}
}

func TestPageLeadsToItsTranslation(t *testing.T) {
	f := frames(t)["zh"]
	for target, want := range map[string]string{
		"/zh/":                "/en/",
		"/zh/login?next=%2Fa": "/en/login?next=%2Fa",
		"/zh/?key=secret&a=1": "/en/?a=1",
		"/zh/zh/x":            "/en/zh/x",
		"/nowhere":            "/en/",
		"/zhx":                "/en/",
		"/zh/%3Fkey=x":        "/en/%3Fkey=x",
	} {
		u, err := url.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		f.Target = u
		if got := f.page("").Other; got.URL != want || got.Tag != "en" || got.Name != "English" {
			t.Errorf("%s leads to %+v, want %s", target, got, want)
		}
	}
	f.Target = nil
	if got := f.page("").Other.URL; got != "/en/" {
		t.Errorf("a page by itself leads to %s", got)
	}
}

func TestThemeGoesRound(t *testing.T) {
	f := frames(t)["en"]
	for theme, want := range map[string]views.Theme{
		"":       {Current: "auto", Next: "light"},
		"auto":   {Current: "auto", Next: "light"},
		"light":  {Current: "light", Next: "dark"},
		"dark":   {Current: "dark", Next: "auto"},
		"purple": {Current: "auto", Next: "light"},
	} {
		f.Theme = theme
		want.URL, want.Back = "/theme", "/en/"
		if diff := cmp.Diff(want, f.page("").Theme); diff != "" {
			t.Errorf("%q (-want +got):\n%s", theme, diff)
		}
	}
}

func TestMachineShowsWhatIsKnown(t *testing.T) {
	full := inventory.Node{
		Host: "node-a", OS: "linux", Arch: "arm64", Kernel: "6.8.0", CPU: "Neoverse-N2", CPUs: 64, Memory: 503*unit.GiB + 512*unit.MiB,
		NICs: []inventory.NIC{{Name: "eth0", Up: true, Rate: 12.5e9}, {Name: "eth1", Up: true}, {Name: "eth2", Rate: 1.25e8}},
	}
	fs := frames(t)
	for name, tt := range map[string]struct {
		f    Frame
		node inventory.Node
		want []views.Fact
	}{
		"en": {fs["en"], full, []views.Fact{
			{Name: "Host", Values: []string{"node-a"}},
			{Name: "System", Values: []string{"linux/arm64, kernel 6.8.0"}},
			{Name: "Processor", Values: []string{"Neoverse-N2"}},
			{Name: "Logical CPUs to use", Values: []string{"64"}},
			{Name: "Memory", Values: []string{"504 GiB"}},
			{Name: "Local ranks", Values: []string{"1 process"}},
			{Name: "Network ports", Values: []string{"eth0, 100 Gb/s = 12.5 GB/s", "eth1, rate not reported", "eth2, not connected"}},
		}},
		"nothing known": {fs["zh"], inventory.Node{OS: "darwin", Arch: "arm64"}, []views.Fact{
			{Name: "系统", Values: []string{"darwin/arm64"}},
			{Name: "本机 Rank", Values: []string{"1 个进程"}},
		}},
	} {
		if diff := cmp.Diff(tt.want, presentMachine(tt.f.Locale, tt.node, 1)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestArticle(t *testing.T) {
	f := frames(t)["en"]
	if got := Home(f, Start{}).Article; got != nil {
		t.Errorf("figures out of nowhere: %+v", got)
	}
	a := Home(f, Start{Article: &Article{Ranks: 10, Size: 1_200_000_000, Rate: 1e9, Collect: 10.8, Return: 10.8, Ring: 2.16}}).Article
	if want := "All-reduce on 10 ranks, 1.2 GB each, links of 1 GB/s, latency left out. The figures come from the formula."; a.Setting != want {
		t.Errorf("setting is %q", a.Setting)
	}
	central, ring := a.Rows[0], a.Rows[1]
	if central.Figure != "10.8 s" || central.Note != "one way, as an introductory article counts; 21.6 s with the way back" {
		t.Errorf("central is %q, %q", central.Figure, central.Note)
	}
	if ring.Figure != "2.16 s" || !strings.Contains(ring.Bar, `width="100"`) {
		t.Errorf("ring is %q, %s; want a tenth of the scale", ring.Figure, ring.Bar)
	}
}

func TestRuns(t *testing.T) {
	saved := []trace.Run{
		{ID: "2", Outcome: trace.Done, Collective: "all-reduce", Algorithm: "ring", Ranks: 4, Size: 64 * unit.MiB, BusBW: 2.8749},
		{ID: "1", Outcome: trace.Failed, Collective: "barrier", Algorithm: "dissemination", Ranks: 8},
	}
	f := frames(t)["zh"]
	if closed := Home(f, Start{Runs: saved}).Runs; closed.Open || len(closed.Rows) != 0 {
		t.Errorf("runs are shown without a session: %+v", closed)
	}
	f.Session = true
	want := []views.RunRow{
		{ID: "2", What: "全规约，环形，4 Rank，64 MiB", Outcome: views.Status{Kind: "ok", Word: "完成"}, BusBW: "2.87 GB/s"},
		{ID: "1", What: "栅栏，扩散，8 Rank", Outcome: views.Status{Kind: "bad", Word: "失败"}},
	}
	if diff := cmp.Diff(want, Home(f, Start{Runs: saved}).Runs.Rows); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	if empty := Home(f, Start{}).Runs; !empty.Open || strings.Join(empty.Command, " ") != "bin/console run --collective all-reduce --algorithm ring --ranks 4 --size 64MiB" {
		t.Errorf("without runs the page does not say how to make one: %+v", empty)
	}
}

func TestQuantities(t *testing.T) {
	for got, want := range map[string]string{
		bits(12.5e9):                              "100 Gb/s",
		bits(1.25e8):                              "1 Gb/s",
		bits(3.125e8):                             "2.5 Gb/s",
		bits(1.25e6):                              "10 Mb/s",
		memory(24683548 * unit.KiB):               "23.5 GiB",
		memory(512 * unit.MiB):                    "512 MiB",
		memory(2 * unit.TiB):                      "2 TiB",
		memory(1023*unit.GiB + 1):                 "1023 GiB",
		significant(999.9, 3):                     "1000",
		significant(0.0012345, 3):                 "0.00123",
		significant(0, 3):                         "0",
		sized(0, 3, []step{{name: "B", size: 1}}): "0 B",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNotices(t *testing.T) {
	for _, f := range frames(t) {
		n := Notice(f, Problem{Status: 500, Message: "error.internal", ID: "ABC"})
		if !strings.Contains(n.Text, "ABC") || !strings.Contains(n.Status, "500") || n.Title == "" {
			t.Errorf("notice is %+v", n)
		}
		l := Login(f, Attempt{Next: "/zh/", Given: "typo", Refused: true})
		if k := l.Key; !strings.Contains(k.Hint, "22") || !strings.Contains(k.Hint, "24") || !k.Refused || k.Given != "typo" || l.URL != f.homeURL()+"login" {
			t.Errorf("login is %+v", l)
		}
	}
}
