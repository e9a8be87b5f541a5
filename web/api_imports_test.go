package web

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"lockstep/sizing/diagnose"
	"lockstep/web/account"
	"lockstep/web/present"
)

func TestImports(t *testing.T) {
	c := newConsole(t)
	viewer, _ := c.token(t, account.Viewer)
	ask := func(q ImportRequest) *http.Response {
		text, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		return c.do(http.MethodPost, "/api/v1/imports", viewer, header("Content-Type", "application/json"), func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		})
	}
	answer := ask(ImportRequest{Files: []ImportFile{{"a.txt", sampleLog(t, "slow")}, {"b.txt", sampleLog(t, "unsaid")}}, Ranks: 128, Nodes: 16, Collective: "all-reduce"})
	wantStatus(t, "two logs", answer, http.StatusOK)
	var report diagnose.Report
	if err := json.Unmarshal([]byte(body(t, answer)), &report); err != nil || report.Version != 1 || len(report.Files) != 2 {
		t.Fatalf("%v, %+v", err, report)
	}
	if slow, told := report.Files[0], report.Files[1]; slow.File != "a.txt" || slow.Ranks != 16 || slow.Verdict != diagnose.Below || len(slow.Findings) == 0 || told.Ranks != 128 || told.Verdict == diagnose.Unjudged {
		t.Errorf("%+v", report.Files)
	}
	for want, q := range map[string]ImportRequest{
		"/files/1/text": {Files: []ImportFile{{"a.txt", sampleLog(t, "slow")}, {"b.txt", "nothing"}}},
		"/files/0/text": {Files: []ImportFile{{"a.txt", strings.Repeat("x", present.MaxLog+1)}}},
		"/system":       {Files: []ImportFile{{"a.txt", sampleLog(t, "slow")}}, System: "abacus"},
		"/collective":   {Files: []ImportFile{{"a.txt", sampleLog(t, "slow")}}, Collective: "juggle"},
		"/ranks":        {Files: []ImportFile{{"a.txt", sampleLog(t, "slow")}}, Ranks: -1},
		"/files":        {Files: []ImportFile{}},
	} {
		answer := ask(q)
		if text := body(t, answer); answer.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, `"pointer":"`+want+`"`) || !strings.Contains(text, "accepted") && want != "/files/1/text" && want != "/system" {
			t.Errorf("%s: status %d, %s", want, answer.StatusCode, text)
		}
	}
}
