package present

import (
	"strings"
	"testing"
)

// allPages is what there is to find when all pages exist.
func allPages() Existing { return Existing{Stories: Stories(), Collective: true, Runs: true} }

func TestEveryNameOfEveryWordFindsIt(t *testing.T) {
	words, err := readGlossary()
	if err != nil {
		t.Fatal(err)
	}
	if len(words) < 150 {
		t.Fatalf("only %d words", len(words))
	}
	for lang, f := range frames(t) {
		all, err := findables(f, allPages())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			for _, name := range append(w.also(), w.Chinese, w.English) {
				answers := search(all, name)
				at := -1
				for i, a := range answers {
					if a.name == w.name(f.Locale) {
						at = i
						break
					}
				}
				if at < 0 || at > 4 {
					t.Errorf("%s: %q finds %s at place %d of %d", lang, name, w.ID, at, len(answers))
				}
			}
		}
	}
}

func TestSearchForgives(t *testing.T) {
	all := map[string][]findable{}
	for lang, f := range frames(t) {
		var err error
		if all[lang], err = findables(f, allPages()); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ lang, query, first, also string }{
		{"en", "400G card", "\"A 400G network card moves 400 GB a second.\"", ""},
		{"zh", "归约", "规约", "归约"},
		{"zh", "归约发散", "规约发散", ""},
		{"zh", "全規約", "全规约", ""}, // traditional
		{"zh", "總線帶寬", "总线带宽", ""},
		{"zh", "环形全规约", "环形全规约", ""},
		{"zh", "全规约 环形", "环形全规约", ""},
		{"zh", "什么是总线带宽", "总线带宽", ""},
		{"zh", "ｂｕｓｂｗ", "总线带宽", "busbw"}, // full width
		{"zh", "BusBW", "总线带宽", "busbw"},
		{"zh", "allreduce", "全规约", ""},
		{"zh", "ring", "环形算法", ""},
		{"zh", "超节点", "超节点", ""},
		{"en", "AllReduce", "all-reduce", ""},
		{"en", "all reduce", "all-reduce", ""},
		{"en", "ALL_REDUCE", "all-reduce", ""},
		{"en", "busbw", "bus bandwidth", "busbw"},
		{"en", "what is bus bandwidth?", "bus bandwidth", ""},
		{"en", "model flops utilization", "model FLOPS utilisation (MFU)", "model FLOPS utilisation"},
		{"en", "MFU", "model FLOPS utilisation (MFU)", "MFU"},
		{"en", "neighborhood collectives", "neighbourhood collective", ""},
		{"en", "alpha beta", "alpha-beta model", ""},
		{"en", "总线带宽", "bus bandwidth", ""},
		{"en", "环形 全规约", "Ring All-Reduce", ""},
		{"en", "ring all-reduce", "Ring All-Reduce", ""},
		{"en", "bruck all-to-all", "Bruck All-to-All", ""},
	} {
		answers := search(all[tt.lang], tt.query)
		if len(answers) == 0 {
			t.Errorf("%s: nothing for %q", tt.lang, tt.query)
			continue
		}
		if answers[0].name != tt.first || answers[0].matched != tt.also {
			t.Errorf("%s: %q finds %q by %q first, want %q by %q", tt.lang, tt.query, answers[0].name, answers[0].matched, tt.first, tt.also)
		}
	}
}

func TestEveryLessonIsFoundByItsName(t *testing.T) {
	for lang, f := range frames(t) {
		all, err := findables(f, allPages())
		if err != nil {
			t.Fatal(err)
		}
		for _, thing := range all {
			if !strings.Contains(thing.kind, "lesson") && !strings.Contains(thing.kind, "story") && !strings.Contains(thing.kind, "lab") && !strings.Contains(thing.kind, "path") {
				continue
			}
			if answers := search(all, thing.name); len(answers) == 0 || answers[0].grade < gradeSame {
				t.Errorf("%s: %q is not found by its name", lang, thing.name)
			}
		}
	}
}

// People type what they have seen happen, or want to know, not what a page is
// called.
func TestSearchFindsWhatPeopleSay(t *testing.T) {
	for _, tt := range []struct{ lang, query, path string }{
		{"zh", "慢", "learn/labs/slow-rank"}, {"zh", "木桶", "learn/labs/slow-rank"}, {"zh", "齐步", "learn/why"}, {"zh", "训练", "learn/why"},
		{"zh", "停", "learn/labs/freeze"}, {"zh", "卡住", "learn/labs/freeze"}, {"zh", "死锁", "learn/labs/freeze"}, {"zh", "冻结", "learn/labs/freeze"}, {"zh", "hang", "learn/labs/freeze"},
		{"zh", "交叉点", "learn/race"}, {"zh", "值不值", "size"}, {"zh", "预算", "size"}, {"zh", "PXN", "learn/topology"},
		{"en", "frozen", "learn/labs/freeze"}, {"en", "faster network", "learn/paths/fabric"}, {"en", "network price", "size"}, {"en", "money", "size"}, {"en", "sizing", "size"},
		{"en", "weight", "learn/words#w-weight"}, {"en", "parameter server", "learn/central-server"}, {"en", "gradient", "learn/words#w-gradient"},
	} {
		f := frames(t)[tt.lang]
		all, err := findables(f, allPages())
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for i, a := range search(all, tt.query) {
			if i < 5 {
				found += a.url + " "
			}
		}
		if !strings.Contains(found, f.homeURL()+tt.path+" ") {
			t.Errorf("%s: %q finds %s, want %s among them", tt.lang, tt.query, found, tt.path)
		}
	}
	for _, name := range nearest(mustFind(t, "en"), "zerro stage", 8) {
		if hasHan(name) {
			t.Errorf("an English search is answered by %q", name)
		}
	}
}

func mustFind(t *testing.T, lang string) []findable {
	t.Helper()
	all, err := findables(frames(t)[lang], allPages())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSearchFindsNothing(t *testing.T) {
	f := frames(t)["zh"]
	for query, suggests := range map[string]string{"qqqq": "", "总线贷宽": "总线带宽", "allgahter": "all-gather", "   ": "", "·—": ""} {
		found, err := f.searched(query, allPages())
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(query) == "" {
			if found != nil {
				t.Errorf("%q is searched for", query)
			}
			continue
		}
		says := f.Locale.T("search.try")
		if suggests != "" {
			says = f.Locale.T("search.near")
		}
		if len(found.Rows) > 0 || len(found.Near) == 0 || suggests != "" && found.Near[0].Name != suggests || found.NearSays != says {
			t.Errorf("%q finds %d things and suggests %q %+v, want %q", query, len(found.Rows), found.NearSays, found.Near, suggests)
		}
	}
	all, err := findables(f, allPages())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames(t) {
		for _, id := range []string{"search.try.1", "search.try.2", "search.try.3", "search.try.4"} {
			if len(search(all, f.Locale.T(id))) == 0 {
				t.Errorf("the suggestion %q finds nothing", f.Locale.T(id))
			}
		}
	}
}

func TestQueriesAreShort(t *testing.T) {
	f := frames(t)["en"]
	found, err := f.searched(strings.Repeat("ring ", 500)+"\xff", allPages())
	if err != nil || len(found.Status) > 120 {
		t.Errorf("%v, %q", err, found.Status)
	}
}
