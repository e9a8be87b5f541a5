package web

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lockstep/sizing/diagnose"
	"lockstep/web/present"
)

func sampleLog(t *testing.T, id string) string {
	t.Helper()
	all, err := diagnose.Samples()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.ID == id {
			return s.Text
		}
	}
	t.Fatalf("no sample %s", id)
	return ""
}

// multipartForm is a form with files, as a browser sends it.
func multipartForm(t *testing.T, fields map[string]string, files map[string]string) func(*http.Request) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		part, err := w.CreateFormFile("files", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return func(r *http.Request) {
		sent := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(b.Bytes()))
		r.Body, r.ContentLength = sent.Body, sent.ContentLength
		r.Header.Set("Content-Type", w.FormDataContentType())
	}
}

func TestDiagnosePage(t *testing.T) {
	c := newConsole(t)
	in := c.enter(t)
	for _, lang := range []string{"zh", "en"} {
		page := "/" + lang + "/diagnose"
		if text := body(t, c.get(page, in)); !strings.Contains(text, `name="log"`) || strings.Contains(text, `value="csv"`) {
			t.Errorf("%s: the empty page", lang)
		}
		if text := body(t, c.get(page+"?sample=slow", in)); !strings.Contains(text, "NCCL_NET_GDR_LEVEL=1") || !strings.Contains(text, `value="csv"`) {
			t.Errorf("%s: the sample is not diagnosed", lang)
		}
		answer := c.do(http.MethodPost, page, multipartForm(t, map[string]string{"log": "nothing", "ranks": "many"}, map[string]string{`C:\logs\a.txt`: sampleLog(t, "healthy"), "big.txt": strings.Repeat("x", present.MaxLog+1)}), in)
		wantStatus(t, "an upload", answer, http.StatusOK)
		text := body(t, answer)
		for _, want := range []string{"nothing</textarea>", `value="many"`, `name="kept-name" value="a.txt"`, "big.txt", "a.txt"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s", lang, want)
			}
		}
		wantStatus(t, "nothing", c.do(http.MethodPost, page, multipartForm(t, map[string]string{"log": ""}, map[string]string{"": ""}), in), http.StatusUnprocessableEntity)
	}
	wantRedirect(t, "a stranger", c.get("/en/diagnose?sample=slow"), http.StatusSeeOther, "/en/login?next="+url.QueryEscape("/en/diagnose?sample=slow"))
	wantStatus(t, "a broken form", c.do(http.MethodPost, "/en/diagnose", header("Content-Type", "multipart/form-data; boundary=x"), in), http.StatusBadRequest)
	huge := c.do(http.MethodPost, "/en/diagnose", multipartForm(t, map[string]string{"log": strings.Repeat("x", maxLogBody+1)}, nil), in)
	wantStatus(t, "too much", huge, http.StatusRequestEntityTooLarge)
	if strings.Contains(c.log.String(), "level=ERROR") {
		t.Error(c.log.String())
	}
}

func TestDiagnosisCanBeDownloaded(t *testing.T) {
	c := newConsole(t)
	in := c.enter(t)
	form := func(as string) url.Values { return url.Values{"log": {sampleLog(t, "slow")}, "as": {as}} }
	answer := c.post("/en/diagnose", form("csv"), in)
	if text := body(t, answer); answer.Header.Get("Content-Type") != "text/csv; charset=utf-8" || !strings.Contains(answer.Header.Get("Content-Disposition"), ".csv") || strings.Count(text, "\n") != 19 {
		t.Errorf("%v: %s", answer.Header, text)
	}
	var report diagnose.Report
	if err := json.Unmarshal([]byte(body(t, c.post("/zh/diagnose", form("json"), in))), &report); err != nil || report.Version != 1 || len(report.Files) != 1 || report.Files[0].Verdict != diagnose.Below {
		t.Errorf("%v, %+v", err, report)
	}
	empty := form("csv")
	empty.Set("log", "")
	wantStatus(t, "nothing to download", c.post("/en/diagnose", empty, in), http.StatusUnprocessableEntity)
}

// Logs that nothing can be made of come back with the page, which says of each
// by its name why, in the language of the page.
func TestUnusableLogsAreNamed(t *testing.T) {
	c := newConsole(t)
	in := c.enter(t)
	for name, text := range map[string]string{
		"core.bin":  "\x7fELF\x02\x01\x01\x00\x00\x00\xff\xfe\x80\x81" + strings.Repeat("\x00\x90", 4000),
		"empty.txt": "",
		"blank.log": " \n\t\n",
		"notes.txt": "the job was slow yesterday\nplease look\n",
		"big.txt":   strings.Repeat("x", present.MaxLog+1),
	} {
		said := map[string]string{}
		for _, lang := range []string{"zh", "en"} {
			answer := c.do(http.MethodPost, "/"+lang+"/diagnose", multipartForm(t, nil, map[string]string{name: text}), in)
			page := body(t, answer)
			if strings.ContainsRune(page, 0) {
				t.Errorf("%s: %s: the page holds zero bytes", lang, name)
			}
			if answer.StatusCode >= http.StatusInternalServerError || !strings.Contains(page, name) {
				t.Errorf("%s: %s: status %d", lang, name, answer.StatusCode)
			}
			for _, part := range strings.Split(page, "<li") {
				if strings.Contains(part, name) {
					said[lang] = part
				}
			}
			if csv := c.do(http.MethodPost, "/"+lang+"/diagnose", multipartForm(t, map[string]string{"as": "csv"}, map[string]string{name: text}), in); csv.StatusCode >= http.StatusInternalServerError {
				t.Errorf("%s: %s: a download of it is %d", lang, name, csv.StatusCode)
			}
		}
		if said["zh"] != "" && said["zh"] == said["en"] {
			t.Errorf("%s: both languages say %q", name, said["en"])
		}
	}
	if strings.Contains(c.log.String(), "level=ERROR") {
		t.Error(c.log.String())
	}
}
