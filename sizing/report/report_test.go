package report

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/site"
)

func estimate(t *testing.T) sizing.Estimate {
	t.Helper()
	fabric, _ := sizing.FindFabric("article")
	e, err := sizing.Step{Parameters: 300_000_000, Width: 4, Nodes: 10, PerNode: 1, Fabric: fabric, Compute: 10}.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestDocumentKeepsEveryByte(t *testing.T) {
	d := NewDocument("test", estimate(t), map[string]Words{"zh": {Headline: "结论"}, "en": {Headline: "conclusion"}})
	first, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(first)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, back); diff != "" {
		t.Errorf("document (-before +after):\n%s", diff)
	}
	second, err := back.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Errorf("encoded again it reads\n%s, before\n%s", second, first)
	}
	if d.Data != sizing.DataVersion || d.Engine != "test" {
		t.Errorf("made by %q with %q", d.Engine, d.Data)
	}
}

// TestEarlierDocumentOpens: one that the first version of the format has saved
// has no study, and its bytes stay as they are read.
func TestEarlierDocumentOpens(t *testing.T) {
	content, err := os.ReadFile("testdata/version1.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := Decode(content)
	if err != nil {
		t.Fatal(err)
	}
	if d.Version != 1 || d.Study != nil || d.Estimate.Times.Ring != 2.16 || d.Estimate.Times.OneWay != 10.8 || d.Words["zh"].Headline == "" {
		t.Errorf("%+v", d)
	}
	again, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != strings.TrimSpace(string(content)) {
		t.Errorf("encoded again it reads\n%s", again)
	}
}

// TestSheetsOfTheLastFormatOpen: what was saved before figures had numbers keeps
// its bytes.
func TestSheetsOfTheLastFormatOpen(t *testing.T) {
	content, err := os.ReadFile("testdata/version3.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := Decode(content)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := d.Encode(); err != nil || string(again) != string(content) {
		t.Errorf("encoded again it is other than it was (%v)", err)
	}
	figures := d.Sheets["zh"].Blocks[2]
	if d.Version != 3 || figures.Kind != Figures || figures.Figures[0].Value.Text != "24.8 s" || figures.Figures[0].Value.Number != nil {
		t.Errorf("format %d, figures %+v", d.Version, figures)
	}
}

// TestDocumentKeepsItsStudy with the collective, the network and what changes.
func TestDocumentKeepsItsStudy(t *testing.T) {
	desk, err := site.OpenDesk()
	if err != nil {
		t.Fatal(err)
	}
	d := NewDocument("test", estimate(t), nil)
	if d.Study, err = desk.Study(site.Ask{System: "dgx-h100", Nodes: 4, Oversubscription: 2}, schedule.AllToAll, unit.GiB, site.Load{Gradients: unit.GB, Compute: 1}); err != nil {
		t.Fatal(err)
	}
	first, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(first)
	if err != nil {
		t.Fatal(err)
	}
	second, err := back.Encode()
	if err != nil || string(first) != string(second) {
		t.Errorf("encoded again it reads\n%s, before\n%s (%v)", second, first, err)
	}
	if s := back.Study; s.Site.Name != "DGX H100" || s.Answer.Time != d.Study.Answer.Time || len(s.Changes) != len(d.Study.Changes) || len(s.Ways) == 0 {
		t.Errorf("study is %+v", s)
	}
}

func TestDecodeRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, content := range []string{"", "{}", `{"version":0}`, `{"version":99}`, "[]"} {
		if _, err := Decode([]byte(content)); err == nil {
			t.Errorf("%q is read", content)
		}
	}
}

func TestCoverIsTidied(t *testing.T) {
	got := Cover{
		Title: "  网络\t估算 \n 报告\x00 ", Customer: "\u2028某 公司", Author: "a\xffb", Notes: " 一\r\n二\x07\u2029三\t \n",
	}.Tidy()
	want := Cover{Title: "网络 估算 报告", Customer: "某 公司", Author: "ab", Notes: "一\n二\n三"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cover (-want +got):\n%s", diff)
	}
}

func TestCoverIsLimitedInCharacters(t *testing.T) {
	long := strings.Repeat("长", MaxLine)
	if flaws := (Cover{Title: long, Customer: long, Author: long, Notes: strings.Repeat("字", MaxNotes)}).Flaws(); flaws != nil {
		t.Errorf("a full cover has flaws: %v", flaws)
	}
	got := Cover{Customer: long + "长", Notes: strings.Repeat("字", MaxNotes+2)}.Flaws()
	want := []Flaw{{"title", Missing, 0, MaxLine}, {"customer", TooLong, MaxLine + 1, MaxLine}, {"notes", TooLong, MaxNotes + 2, MaxNotes}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("flaws (-want +got):\n%s", diff)
	}
}
