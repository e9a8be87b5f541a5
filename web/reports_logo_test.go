package web

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lockstep/sizing/report"
)

// withLogo is the form of a report with a file, as a browser sends it.
func withLogo(t *testing.T, form url.Values, logo []byte) func(*http.Request) {
	t.Helper()
	var sent bytes.Buffer
	w := multipart.NewWriter(&sent)
	for name, values := range form {
		if err := w.WriteField(name, values[0]); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("logo", "logo.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(logo); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return func(r *http.Request) {
		posted, _ := http.NewRequest(http.MethodPost, "/", &sent)
		r.Body, r.ContentLength = posted.Body, posted.ContentLength
		r.Header.Set("Content-Type", w.FormDataContentType())
	}
}

// aLogo is a JPEG of that many pixels.
func aLogo(t *testing.T, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, image.NewGray(image.Rect(0, 0, width, height)), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// keptText is a file as a form keeps it.
func keptText(t *testing.T, file []byte) string {
	t.Helper()
	return base64.StdEncoding.EncodeToString(file)
}

// keptLogo is what a form carries of a logo that was given before.
var keptLogo = regexp.MustCompile(`name="logo_data" value="([^"]+)"`)

// wantLogo checks that an address answers with a picture of so many pixels.
func wantLogo(t *testing.T, answer *http.Response, width, height int) {
	t.Helper()
	wantStatus(t, "logo", answer, http.StatusOK)
	file := body(t, answer)
	size, err := png.DecodeConfig(strings.NewReader(file))
	if err != nil || size.Width != width || size.Height != height || answer.Header.Get("Content-Type") != "image/png" {
		t.Errorf("the logo is %v of type %s (%v)", size, answer.Header.Get("Content-Type"), err)
	}
}

// What a seller writes on a report stands on it in every form, and is proposed
// for its next version.
func TestReportCarriesItsSeller(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	valid := time.Now().AddDate(0, 1, 0).Format(time.DateOnly)
	for _, kind := range []url.Values{stepReport("first"), articleReport("first")} {
		kind.Set("seller", "星河算力有限公司")
		kind.Set("contact", "sales@example.com")
		kind.Set("valid", valid)
		answer := c.do(http.MethodPost, "/zh/reports", withLogo(t, kind, aLogo(t, 300, 100)), session)
		wantStatus(t, "save", answer, http.StatusSeeOther)
		at := answer.Header.Get("Location")
		page := body(t, c.get(at, session))
		for _, want := range []string{"星河算力有限公司", "sales@example.com", valid, `src="` + at + `/logo.png"`, `alt="星河算力有限公司"`} {
			if !strings.Contains(page, want) {
				t.Errorf("%s is not on %s", want, at)
			}
		}
		if strings.Contains(page, "report-expired") {
			t.Errorf("%s has expired", at)
		}
		wantLogo(t, c.get(at+"/logo.png", session), 300, 100)
		file := body(t, c.get(at+"/export?format=html", session))
		if !strings.Contains(file, `src="data:image/png;base64,`) || !strings.Contains(file, "sales@example.com") {
			t.Error("the HTML file lacks the seller or the logo")
		}

		next := regexp.MustCompile(`/zh/reports/new\?[^"]+`).FindString(page)
		form := body(t, c.get(strings.ReplaceAll(next, "&amp;", "&"), session))
		for _, want := range []string{"300 × 100", `name="logo_keep" value="1" checked`, `value="sales@example.com"`, `placeholder="2027-03-01"`, valid} {
			if !strings.Contains(form, want) {
				t.Errorf("the form of the next version lacks %s", want)
			}
		}
		kept := keptLogo.FindStringSubmatch(form)
		if kept == nil {
			t.Fatal("the form does not carry the logo")
		}
		kind.Set("report", regexp.MustCompile(`\d{4}`).FindString(at))
		kind.Set("logo_keep", "1")
		kind.Set("logo_data", strings.ReplaceAll(kept[1], "&#43;", "+"))
		answer = c.do(http.MethodPost, "/zh/reports", withLogo(t, kind, nil), session)
		wantStatus(t, "next version", answer, http.StatusSeeOther)
		wantLogo(t, c.get(answer.Header.Get("Location")+"/logo.png", session), 300, 100)
		kind.Del("logo_keep")
		answer = c.do(http.MethodPost, "/zh/reports", withLogo(t, kind, nil), session)
		wantStatus(t, "without", c.get(answer.Header.Get("Location")+"/logo.png", session), http.StatusNotFound)
	}
	path := c.linked(t, session, "7")
	if page := body(t, c.get(path)); !strings.Contains(page, `src="`+path+`/logo.png"`) {
		t.Error("the shared report lacks the logo")
	}
	wantLogo(t, c.get(path+"/logo.png"), 300, 100)
}

// A logo or a day that cannot be used is said beside its field, and nothing else
// that was given is lost: not even a logo from before.
func TestReportRefusesLogoAndDay(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	for name, r := range map[string]struct {
		logo  []byte
		valid string
		says  string
	}{
		"heavy":  {make([]byte, 2<<20), "", "262,144"},
		"large":  {aLogo(t, report.MaxLogoSide+1, 10), "", "2,001"},
		"text":   {[]byte("<svg/>"), "", "PNG or JPEG picture"},
		"no day": {nil, "tomorrow", "tomorrow is no date"},
		"past":   {nil, "2020-01-01", "2020-01-01 is over"},
	} {
		form := stepReport("kept title")
		form.Set("valid", r.valid)
		form.Set("logo_keep", "1")
		form.Set("logo_data", keptText(t, aLogo(t, 30, 10)))
		answer := c.do(http.MethodPost, "/en/reports", withLogo(t, form, r.logo), session)
		wantStatus(t, name, answer, http.StatusUnprocessableEntity)
		page := body(t, answer)
		for _, want := range []string{r.says, `value="kept title"`, "30 × 10", `aria-invalid="true"`} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: %s is not on the page", name, want)
			}
		}
	}
	wantStatus(t, "too much", c.do(http.MethodPost, "/en/reports", withLogo(t, stepReport("title"), make([]byte, maxReportBody)), session), http.StatusRequestEntityTooLarge)
	// A file that brings more than pixels brings them in vain, also in letters.
	form := stepReport("title")
	form.Set("logo_keep", "1")
	form.Set("logo_data", keptText(t, append(aLogo(t, 30, 10), "<script>"...)))
	answer := c.post("/en/reports", form, session)
	wantStatus(t, "in letters", answer, http.StatusSeeOther)
	if file := body(t, c.get(answer.Header.Get("Location")+"/logo.png", session)); strings.Contains(file, "script") {
		t.Error("more than pixels is kept")
	}
	// Whoever has no session any more finds what they have typed.
	answer = c.do(http.MethodPost, "/en/reports", withLogo(t, stepReport("typed"), aLogo(t, 30, 10)))
	wantStatus(t, "stranger", answer, http.StatusSeeOther)
	if place := answer.Header.Get("Location"); !strings.Contains(place, "typed") {
		t.Errorf("what was typed is lost: %s", place)
	}
}

// A report whose last day is over says so on its page, and is the same file.
func TestExpiredReportSaysSo(t *testing.T) {
	day := time.Now()
	c := newConsole(t, func(config *Config) { config.Now = func() time.Time { return day } })
	session := c.enter(t)
	form := stepReport("title")
	form.Set("valid", day.Format(time.DateOnly))
	answer := c.post("/zh/reports", form, session)
	at := answer.Header.Get("Location")
	path := c.linked(t, session, "30")
	export := func() string { return body(t, c.get(at+"/export?format=html", session)) }
	before := export()
	if page := body(t, c.get(at, session)); strings.Contains(page, "已过期") {
		t.Error("it has expired on its last day")
	}
	day = day.AddDate(0, 0, 1)
	session = c.enter(t)
	for path, want := range map[string]string{at: "已过期", at + "?lang=en": "has expired", path: "已过期"} {
		if page := body(t, c.get(path, session)); !strings.Contains(page, want) {
			t.Errorf("%s does not say %s", path, want)
		}
	}
	if export() != before {
		t.Error("the file has changed")
	}
}
