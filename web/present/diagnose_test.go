package present

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/sizing/catalog"
	"lockstep/sizing/diagnose"
	"lockstep/sizing/measured"
)

func testDoctor(t *testing.T) *diagnose.Doctor {
	t.Helper()
	library, err := measured.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return diagnose.New(library, known)
}

// TestEveryFindingIsSaidInBothLanguages holds the forms of findings against
// messages, both ways, and messages against the values that a form has.
func TestEveryFindingIsSaidInBothLanguages(t *testing.T) {
	said := map[string]bool{}
	for _, form := range diagnose.Forms() {
		values := map[string]string{"why": form.Why}
		for _, name := range form.Values {
			values[name] = "<" + name + ">"
		}
		id := findingID(form.Code, form.Why)
		for lang, f := range frames(t) {
			v := f.finding(diagnose.Finding{Code: form.Code, Severity: diagnose.Warn, Values: values}, nil)
			for _, part := range []struct{ suffix, text string }{{"", v.Title}, {".means", v.Means}, {".evidence", v.Evidence}, {".check", v.Check}} {
				said[id+part.suffix] = true
				if part.text == "" || strings.HasPrefix(part.text, "finding.") || strings.Contains(part.text, "no value") {
					t.Errorf("%s%s in %s: %q", id, part.suffix, lang, part.text)
				}
			}
			whole := strings.Join([]string{v.Title, v.Means, v.Evidence, v.Check}, " ")
			for _, name := range form.Values {
				if name != "names" && !strings.Contains(whole, values[name]) && form.Code != diagnose.ForcedSetting {
					t.Errorf("%s in %s does not say %s", id, lang, name)
				}
			}
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "views", "locale", "messages", "finding.zh.json"))
	if err != nil {
		t.Fatal(err)
	}
	var messages map[string]string
	if err := json.Unmarshal(text, &messages); err != nil {
		t.Fatal(err)
	}
	for id := range messages {
		if !said[id] {
			t.Errorf("no finding says %s", id)
		}
	}
	for code := range findingLessons {
		if !slices.ContainsFunc(diagnose.Forms(), func(f diagnose.Form) bool { return f.Code == code }) {
			t.Errorf("a lesson for %s, which is no finding", code)
		}
	}
}

// TestEveryNoteOfALogIsSaid looks for codes of warnings in the sources.
func TestEveryNoteOfALogIsSaid(t *testing.T) {
	sizing := filepath.Join("..", "..", "sizing")
	codes := map[string]bool{}
	for _, of := range []struct{ files, pattern, before string }{
		{"benchlog/*.go", `\.warn\("([a-z-]+)"`, ""}, {"hardware/*.go", `\.guess\("([a-z-]+)"`, "guessed-"}, {"diagnose/*.go", `Code: "([a-z-]+)", Message`, ""},
		{"measured/kept.go", `Code: "([a-z-]+)",`, ""},
	} {
		files, err := filepath.Glob(filepath.Join(sizing, of.files))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(of.pattern).FindAllStringSubmatch(string(source), -1) {
				if strings.HasSuffix(file, "_test.go") || m[1] == "guessed-" {
					continue
				}
				codes[of.before+m[1]] = true
			}
		}
	}
	for code := range codes {
		if _, has := logNotes[code]; !has {
			t.Errorf("no page has words for %s", code)
		}
	}
	for code := range logNotes {
		if !codes[code] {
			t.Errorf("words for %s, which nothing says", code)
		}
	}
}

// diagnoseForm is a form as a browser sends it.
func diagnoseForm(log string, more ...string) url.Values {
	v := url.Values{"log": {log}}
	for i := 0; i+1 < len(more); i += 2 {
		v.Add(more[i], more[i+1])
	}
	return v
}

func sampleText(t *testing.T, id string) string {
	t.Helper()
	ask, err := SampleAsk(id)
	if err != nil || ask.Pasted == "" {
		t.Fatalf("%s: %v", id, err)
	}
	return ask.Pasted
}

func TestDiagnoseSaysTheConclusionFirst(t *testing.T) {
	d := testDoctor(t)
	for lang, f := range frames(t) {
		for sample, kind := range map[string]string{"slow": "bad", "healthy": "ok", "unsaid": "off"} {
			ask, err := SampleAsk(sample)
			if err != nil {
				t.Fatal(err)
			}
			if err := ask.Examine(d); err != nil {
				t.Fatal(err)
			}
			v, err := Diagnose(f, ask)
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Tables) != 1 || v.Verdict.Kind != kind || v.Verdict.Text == "" || v.Text != ask.Pasted || v.Lead != nil {
				t.Errorf("%s in %s: %d tables, %+v", sample, lang, len(v.Tables), v.Verdict)
			}
			if v.Tables[0].Chart.Wide == "" || len(v.Tables[0].Rows) == 0 || len(v.Tables[0].Facts) == 0 {
				t.Errorf("%s in %s: %+v", sample, lang, v.Tables[0])
			}
			asked := ""
			for _, field := range v.Fields {
				if field.Asked {
					asked += field.Name + " "
				}
			}
			if want := map[string]string{"unsaid": "ranks collective "}[sample]; asked != want || v.Stated != (want != "") {
				t.Errorf("%s asks for %q", sample, asked)
			}
			if sample == "slow" {
				first := v.Tables[0].Findings[0]
				if first.Kind != "bad" || len(first.Commands) == 0 || len(first.Quotes) != 1 || first.Lesson.URL == "" {
					t.Errorf("%+v", first)
				}
			}
		}
	}
}

// Nothing that was typed or brought is lost, whatever is wrong with it.
func TestDiagnoseKeepsWhatWasBrought(t *testing.T) {
	d, f := testDoctor(t), frames(t)["en"]
	slow := sampleText(t, "slow")
	form := diagnoseForm("nothing that can be read", "kept-name", "a.txt", "kept", slow, "keep-0", "1", "kept-name", "b.txt", "kept", slow,
		"ranks", "many", "nodes", "-1", "accelerator", "abacus", "network", "pigeons", "system", "nowhere", "collective", "juggle")
	ask := ReadDiagnose(form, []LogText{{"c.txt", "empty"}, {"d.txt", strings.Repeat("x", MaxLog+1)}})
	if err := ask.Examine(d); err != nil {
		t.Fatal(err)
	}
	v, err := Diagnose(f, ask)
	if err != nil {
		t.Fatal(err)
	}
	if v.Text != "nothing that can be read" || len(v.TextWrong) != 1 || len(v.FileWrong) != 2 || len(v.Tables) != 1 {
		t.Errorf("%q, %q, %q, %d tables", v.Text, v.TextWrong, v.FileWrong, len(v.Tables))
	}
	if len(v.Kept) != 2 || v.Kept[0].Name != "a.txt" || v.Kept[0].Text != slow || v.Kept[1].Name != "c.txt" {
		t.Errorf("%d kept", len(v.Kept))
	}
	for _, field := range v.Fields {
		if wrong := len(field.Wrong) == 1; wrong != slices.Contains([]string{"ranks", "nodes", "accelerator", "network"}, field.Name) {
			t.Errorf("%s: %q", field.Name, field.Wrong)
		}
		if field.Name == "ranks" && field.Value != "many" {
			t.Errorf("ranks are %q", field.Value)
		}
	}

	empty := ReadDiagnose(diagnoseForm(" "), nil)
	if err := empty.Examine(d); err != nil {
		t.Fatal(err)
	}
	if v, err = Diagnose(f, empty); err != nil || len(v.TextWrong) != 1 || len(v.Lead) != 3 {
		t.Errorf("%v, %q", err, v.TextWrong)
	}
	long := ReadDiagnose(diagnoseForm(strings.Repeat("y", MaxLog+1)), nil)
	if err := long.Examine(d); err != nil {
		t.Fatal(err)
	}
	if v, err = Diagnose(f, long); err != nil || len(v.TextWrong) != 1 || len(v.Text) != MaxLog+1 {
		t.Errorf("%v, %q", err, v.TextWrong)
	}
}

func TestDiagnoseOfSeveralTables(t *testing.T) {
	ask := ReadDiagnose(diagnoseForm(sampleText(t, "slow")+"\n"+sampleText(t, "healthy")), []LogText{{"=cmd.txt", sampleText(t, "unsaid")}})
	if err := ask.Examine(testDoctor(t)); err != nil {
		t.Fatal(err)
	}
	for lang, f := range frames(t) {
		v, err := Diagnose(f, ask)
		if err != nil || len(v.Tables) != 3 || len(v.Index) != 3 || v.Verdict.Kind != "bad" {
			t.Fatalf("%s: %v, %d tables, %d in the index, %+v", lang, err, len(v.Tables), len(v.Index), v.Verdict)
		}
		for i, e := range v.Index {
			if e.URL != "#"+v.Tables[i].ID || e.Name == "" || e.What == "" {
				t.Errorf("%s: %+v", lang, e)
			}
		}
	}
	var out strings.Builder
	if err := WriteDiagnosisCSV(&out, ask.Report()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if rows := len(lines) - 1; rows != 2*9+2*32+2 || !strings.HasPrefix(lines[1], "1,pasted,nccl-tests,all-reduce,16,2,") || !strings.Contains(out.String(), ",'=cmd.txt,") {
		t.Errorf("%d rows, the first %s", rows, lines[1])
	}
}

func FuzzReadDiagnose(f *testing.F) {
	f.Add("1 1 float sum -1 1.0 1.00 1.00 0", "a", "16", "2")
	f.Fuzz(func(t *testing.T, log, name, ranks, nodes string) {
		ask := ReadDiagnose(diagnoseForm(log, "ranks", ranks, "nodes", nodes), []LogText{{name, log}})
		if err := ask.Examine(testDoctor(t)); err != nil {
			t.Fatal(err)
		}
		for _, frame := range frames(t) {
			if _, err := Diagnose(frame, ask); err != nil {
				t.Fatal(err)
			}
		}
	})
}
