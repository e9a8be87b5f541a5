package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestSizeIsOpenAndPricesTheArticlesCase(t *testing.T) {
	c := newConsole(t)
	for _, lang := range []string{"zh", "en"} {
		answer := c.get("/" + lang + "/size?params=300M&bytes=4&nodes=10&per_node=1&fabric=article&compute=")
		wantStatus(t, lang, answer, http.StatusOK)
		page := body(t, answer)
		for _, want := range []string{"2.16 s", "10.8 s", "21.6 s", "9 × 1.2 GB ÷ 1 GB/s"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: %s is not on the page", lang, want)
			}
		}
	}
}

func TestSizeAnswersWhateverTheAddressSays(t *testing.T) {
	c := newConsole(t)
	for _, query := range []string{
		"nodes=ten", "nodes=1", "nodes=0&per_node=0", "nodes=1024&per_node=1024", "params=", "compute=1e99", "fabric=%00", "model=%FF%FE",
		"params=" + strings.Repeat("9", 5000), "nodes=1&nodes=2", "%zz",
		"system=dgx-h100", "system=%00&nics=-1&rails=x", "system=dgx-h100&nodes=1024&nics=128&rails=7&oversubscription=1e9&alpha=-3&rate=fast", "collective=x&size=9999PB",
	} {
		answer := c.get("/en/size?" + query)
		wantStatus(t, query, answer, http.StatusOK)
		if page := body(t, answer); !strings.Contains(page, `id="size-result"`) || strings.Contains(page, "NaN") {
			t.Errorf("%.40s: no sound result", query)
		}
	}
	wantStatus(t, "post", c.post("/en/size", url.Values{}), http.StatusMethodNotAllowed)
}

func TestSizeOfASystemIsSavedWhole(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	form := articleReport("system")
	form.Set("system", "dgx-h100")
	form.Set("per_node", "")
	form.Set("fabric", "")
	form.Set("oversubscription", "2")
	form.Set("collective", "all-to-all")
	form.Set("size", "1GiB")
	wantRedirect(t, "save", c.post("/en/reports", form, session), http.StatusSeeOther, "/en/reports/0001/v/1")
	page := body(t, c.get("/en/reports/0001/v/1", session))
	for _, want := range []string{"10 × DGX H100 (80 ranks), 2:1 oversubscribed", "All-to-All of 1.07 GB", "Nearest published measurements", "What changes with the network", "system=dgx-h100"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the report", want)
		}
	}
}

func TestSizeErrorStandsBesideItsField(t *testing.T) {
	page := body(t, newConsole(t).get("/en/size?nodes=%3Cten%3E&compute=10"))
	for _, want := range []string{
		`value="&lt;ten&gt;"`, `aria-invalid="true"`, `&#34;&lt;ten&gt;&#34; cannot be read. Give a whole number, such as 8.`, `class="old"`, "nodes=10", "Use 10",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not on the page", want)
		}
	}
}

// article is the form of a report of the article's case.
func articleReport(title string) url.Values {
	return url.Values{
		"params": {"300M"}, "bytes": {"4"}, "nodes": {"10"}, "per_node": {"1"}, "fabric": {"article"}, "compute": {"10"}, "model": {"custom"},
		"title": {title}, "customer": {"某公司"}, "author": {"A"}, "notes": {"one\r\ntwo"},
	}
}

func TestReportsNeedASession(t *testing.T) {
	c := newConsole(t)
	for _, path := range []string{"/zh/reports", "/zh/reports/new?nodes=3&title=a", "/zh/reports/1/v/1", "/zh/reports/1/v/1/print.css"} {
		wantRedirect(t, path, c.get(path), http.StatusSeeOther, "/zh/login?"+url.Values{"next": {path}}.Encode())
	}
	answer := c.post("/zh/reports", articleReport("标题"))
	wantStatus(t, "save", answer, http.StatusSeeOther)
	place, err := url.Parse(answer.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	next := place.Query().Get("next")
	if place.Path != "/zh/login" || !strings.HasPrefix(next, "/zh/reports/new?") {
		t.Fatalf("saving without a session leads to %s", place)
	}
	// Logged in, the form holds everything that was typed.
	page := body(t, c.get(next, c.enter(t)))
	for _, want := range []string{`value="标题"`, `value="某公司"`, "one\ntwo</textarea>", `name="nodes" value="10"`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is lost", want)
		}
	}
}

func TestReportIsSavedInVersions(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	wantRedirect(t, "first", c.post("/en/reports", articleReport("first"), session), http.StatusSeeOther, "/en/reports/0001/v/1")
	first := body(t, c.get("/en/reports/0001/v/1?lang=zh", session))
	for _, want := range []string{"first", "某公司", "2.16 s", "10.8 s", `lang="zh-CN"`, "结论", "1.08 s"} {
		if !strings.Contains(first, want) {
			t.Errorf("%s is not in the report", want)
		}
	}

	next := articleReport("second")
	next.Set("report", "0001")
	next.Set("nodes", "20")
	if page := body(t, c.get("/en/reports/new?"+next.Encode(), session)); !strings.Contains(page, "A new version of LS-0001") {
		t.Error("the form does not say whose version it makes")
	}
	wantRedirect(t, "second", c.post("/en/reports", next, session), http.StatusSeeOther, "/en/reports/0001/v/2")
	if page := body(t, c.get("/en/reports/0001/v/2", session)); !strings.Contains(page, "2.28 s") {
		t.Error("the second version has other figures")
	}
	again := body(t, c.get("/en/reports/1/v/1?lang=zh", session))
	if !strings.Contains(again, "there is a version 2") {
		t.Error("the first version does not say that it is not the newest")
	}
	paper := func(page string) string {
		return page[strings.Index(page, "<article"):strings.Index(page, "</article>")]
	}
	if paper(again) != paper(first) {
		t.Error("the first version has changed")
	}
	if list := body(t, c.get("/en/reports", session)); !strings.Contains(list, "second") || strings.Contains(list, ">first<") || !strings.Contains(list, "version 2") {
		t.Error("the list does not hold the newest version alone")
	}
	style := c.get("/en/reports/0001/v/2/print.css?lang=zh", session)
	wantStatus(t, "style", style, http.StatusOK)
	if text := body(t, style); !strings.Contains(text, `content: "second"`) || !strings.HasPrefix(style.Header.Get("Content-Type"), "text/css") {
		t.Errorf("the style of print is %s", text)
	}
}

func TestReportRefusals(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	long := articleReport(strings.Repeat("长", 81))
	answer := c.post("/en/reports", long, session)
	wantStatus(t, "long title", answer, http.StatusUnprocessableEntity)
	if page := body(t, answer); !strings.Contains(page, "Up to 80 characters; this has 81.") || !strings.Contains(page, long.Get("title")) || !strings.Contains(page, "某公司") {
		t.Error("the form does not say what is wrong, or has lost what was typed")
	}
	wantStatus(t, "no title", c.post("/en/reports", articleReport(" "), session), http.StatusUnprocessableEntity)

	unreadable := articleReport("title")
	unreadable.Set("nodes", "ten")
	answer = c.post("/en/reports", unreadable, session)
	wantStatus(t, "unreadable", answer, http.StatusSeeOther)
	if place := answer.Header.Get("Location"); !strings.HasPrefix(place, "/en/size?") || !strings.Contains(place, "nodes=ten") {
		t.Errorf("an input that cannot be read leads to %s", place)
	}

	unknown := articleReport("title")
	unknown.Set("report", "0099")
	wantStatus(t, "version of nothing", c.post("/en/reports", unknown, session), http.StatusNotFound)
	for _, path := range []string{"/en/reports/1/v/1", "/en/reports/x/v/1", "/en/reports/1/v/x", "/en/reports/new?report=7"} {
		wantStatus(t, path, c.get(path, session), http.StatusNotFound)
	}
	wantStatus(t, "another site", c.post("/en/reports", articleReport("title"), session, header("Sec-Fetch-Site", "cross-site")), http.StatusForbidden)
	if list := body(t, c.get("/en/reports", session)); !strings.Contains(list, "No report yet.") {
		t.Error("something was saved all the same")
	}
}
