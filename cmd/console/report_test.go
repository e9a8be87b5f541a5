package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/sizing"
	frozen "lockstep/sizing/report"
	"lockstep/store"
	"lockstep/web"
)

// reportsIn saves two versions of a report in a new data folder.
func reportsIn(t *testing.T) string {
	t.Helper()
	fabric, _ := sizing.FindFabric("article")
	e, err := sizing.Step{Parameters: 300_000_000, Width: 4, Nodes: 10, PerNode: 1, Fabric: fabric, Compute: 10}.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	id := ""
	for _, title := range []string{"first", "second"} {
		saved, err := db.Reports().Save(t.Context(), frozen.Report{
			ID: id, Cover: frozen.Cover{Title: title},
			Content: frozen.NewDocument("test", e, map[string]frozen.Words{"zh": {Headline: "结论"}, "en": {Headline: "conclusion"}}),
		}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		id = saved.ID
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReportsAreListedAndShown(t *testing.T) {
	dir := reportsIn(t)
	if status, out, failed := console(t, dir, "report", "list", "--lang", "zh"); status != 0 || !strings.Contains(out, "0001/2") || !strings.Contains(out, "结论") {
		t.Errorf("list: %d\n%s%s", status, out, failed)
	}
	var list web.ReportList
	if _, out, _ := console(t, dir, "report", "list", "--json"); json.Unmarshal([]byte(out), &list) != nil || len(list.Reports) != 1 || list.Reports[0].Edition != 2 {
		t.Errorf("list --json: %s", out)
	}
	for named, title := range map[string]string{"1": "second", "0001": "second", "1/1": "first", "1/2": "second"} {
		if status, out, failed := console(t, dir, "report", "show", named); status != 0 || !strings.Contains(out, title) {
			t.Errorf("show %s: %d\n%s%s", named, status, out, failed)
		}
		var document web.ReportDocument
		if _, out, _ := console(t, dir, "report", "show", named, "--json"); json.Unmarshal([]byte(out), &document) != nil || document.Title != title {
			t.Errorf("show %s --json: %s", named, out)
		}
	}
}

func TestReportsAreExported(t *testing.T) {
	dir := reportsIn(t)
	for format, start := range map[string]string{"pdf": "%PDF-", "html": "<!doctype html>", "xlsx": "PK\x03\x04", "md": "# ", "markdown": "# ", "csv": "\ufeff", "json": "{"} {
		name := filepath.Join(t.TempDir(), "report")
		status, _, failed := console(t, dir, "report", "export", "1", "--format", format, "-o", name)
		content, err := os.ReadFile(name)
		if status != 0 || err != nil || !strings.HasPrefix(string(content), start) {
			t.Errorf("%s: %d, %v, %s; begins with %.20q", format, status, err, failed, content)
		}
		if _, out, _ := console(t, dir, "report", "export", "1", "--format", format, "-o", "-"); out != string(content) {
			t.Errorf("%s on standard output is not the file", format)
		}
		if status, _, failed := console(t, dir, "report", "export", "1", "--format", format, "-o", name); status != 2 || !strings.Contains(failed, "exists") {
			t.Errorf("%s over a file: %d, %s", format, status, failed)
		}
	}
}

func TestReportsAreCompared(t *testing.T) {
	dir := reportsIn(t)
	if status, out, failed := console(t, dir, "report", "compare", "1/1", "1", "--lang", "zh"); status != 0 || !strings.Contains(out, "A  LS-0001，第 1 版：first") || !strings.Contains(out, "B  LS-0001，第 2 版：second") || !strings.Contains(out, "两份说的完全一样") {
		t.Errorf("compare: %d\n%s%s", status, out, failed)
	}
	var document web.ReportComparison
	if _, out, _ := console(t, dir, "report", "compare", "1/1", "1", "--json"); json.Unmarshal([]byte(out), &document) != nil || document.A.Edition != 1 || document.B.Edition != 2 || document.Lang != "en" {
		t.Errorf("compare --json: %s", out)
	}
	for _, args := range [][]string{{"1/3", "1"}, {"1", "2"}, {"1", "x"}, {"1"}, {"1", "1", "--lang", "fr"}} {
		status, out, failed := console(t, dir, append([]string{"report", "compare"}, args...)...)
		if status != 2 || out != "" || strings.Count(strings.TrimSpace(failed), "\n") != 0 {
			t.Errorf("%v: %d, %q, %q", args, status, out, failed)
		}
	}
	if _, _, failed := console(t, dir, "report", "compare", "1", "1/x"); !strings.Contains(failed, "<b>") || !strings.Contains(failed, "accepted") {
		t.Errorf("a second that is none: %q", failed)
	}
}

func TestReportsThatAreNotThere(t *testing.T) {
	dir := reportsIn(t)
	for _, args := range [][]string{
		{"show", "2"}, {"show", "1/3"}, {"show", "1/0"}, {"show", "1/x"}, {"show", "x"}, {"show", "1", "--lang", "fr"},
		{"export", "1", "--format", "docx"}, {"export", "1", "-o", "-", "--json"}, {"list", "--limit", "0"},
	} {
		if status, out, failed := console(t, dir, append([]string{"report"}, args...)...); status != 2 || out != "" || strings.Count(strings.TrimSpace(failed), "\n") != 0 {
			t.Errorf("%v: %d, %q, %q", args, status, out, failed)
		}
	}
	none := filepath.Join(t.TempDir(), "none")
	if status, out, _ := console(t, none, "report", "list"); status != 0 || !strings.Contains(out, "no saved reports") {
		t.Errorf("list of nothing: %d, %q", status, out)
	}
	if status, _, failed := console(t, none, "report", "show", "1"); status != 2 || !strings.Contains(failed, "no saved reports") {
		t.Errorf("show of nothing: %d, %q", status, failed)
	}
}
