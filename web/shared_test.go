package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// madeLink is a link to a report as the page shows it once.
var madeLink = regexp.MustCompile(`href="http://[^"/]+(/r/[A-Za-z0-9_-]{22})"`)

// linked shares the first version of the first report and returns the path of
// the link.
func (c console) linked(t *testing.T, session func(*http.Request), days string) string {
	t.Helper()
	answer := c.post("/zh/reports/0001/v/1/share?lang=zh", url.Values{"days": {days}}, session)
	wantStatus(t, "share", answer, http.StatusOK)
	if answer.Header.Get("Cache-Control") != "no-store" {
		t.Error("the page with the link may be kept")
	}
	found := madeLink.FindStringSubmatch(body(t, answer))
	if found == nil {
		t.Fatal("the page does not show the link")
	}
	return found[1]
}

func TestSharedReportOpensWithoutASession(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	wantRedirect(t, "save", c.post("/zh/reports", stepReport("标题"), session), http.StatusSeeOther, "/zh/reports/0001/v/1")
	path := c.linked(t, session, "7")
	answer := c.get(path)
	wantStatus(t, "open", answer, http.StatusOK)
	if answer.Header.Get("Referrer-Policy") != "no-referrer" || !strings.Contains(answer.Header.Get("X-Robots-Tag"), "noindex") || answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers are %v", answer.Header)
	}
	page := body(t, answer)
	for _, want := range []string{"标题", "在 128 张卡的 DGX H100 上训练", "file?format=pdf"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not on the page", want)
		}
	}
	if strings.Contains(page, "/reports/0001") {
		t.Error("the page leads to what takes a session")
	}
	if page := body(t, c.get(path+"?lang=en")); !strings.Contains(page, "on 128 accelerators of DGX H100") {
		t.Error("the link does not open in the other language")
	}
	file := c.get(path + "/file?format=pdf")
	wantStatus(t, "file", file, http.StatusOK)
	if file.Header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(body(t, file), "%PDF-") {
		t.Error("the file is no PDF")
	}
	wantStatus(t, "a format that is not shared", c.get(path+"/file?format=json"), http.StatusNotFound)
	for _, other := range []string{"/zh/reports/0001/v/1", "/zh/reports/0001/v/1/export?format=pdf"} {
		wantStatus(t, other, c.get(other), http.StatusSeeOther)
	}
}

func TestRevokedAndUnknownLinksOpenNothing(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	wantStatus(t, "save", c.post("/zh/reports", stepReport("标题"), session), http.StatusSeeOther)
	first, second := c.linked(t, session, "30"), c.linked(t, session, "30")
	page := body(t, c.get("/zh/reports/0001/v/1", session))
	if strings.Contains(page, first) || strings.Contains(page, second) {
		t.Error("the page shows a link again")
	}
	named := regexp.MustCompile(`name="share" value="([0-9a-f]+)"`).FindAllStringSubmatch(page, -1)
	if len(named) != 2 {
		t.Fatalf("%d links are listed, want 2", len(named))
	}
	for _, share := range named {
		wantRedirect(t, "revoke", c.post("/zh/reports/0001/v/1/unshare", url.Values{"share": {share[1]}}, session), http.StatusSeeOther, "/zh/reports/0001/v/1")
	}
	for _, path := range []string{first, second, first + "/file?format=pdf"} {
		answer := c.get(path)
		wantStatus(t, "revoked", answer, http.StatusGone)
		if strings.Contains(body(t, answer), "标题") {
			t.Error("a revoked link shows the report")
		}
	}
	for _, path := range []string{"/r/AAAAAAAAAAAAAAAAAAAAAA", "/r/x", "/r/AAAAAAAAAAAAAAAAAAAAAA/file?format=pdf"} {
		wantStatus(t, path, c.get(path), http.StatusNotFound)
	}
	wantStatus(t, "share of nothing", c.post("/zh/reports/0009/v/1/share", url.Values{}, session), http.StatusNotFound)
	wantStatus(t, "stranger", c.post("/zh/reports/0001/v/1/share", url.Values{}), http.StatusSeeOther)
}

func TestLinksExpire(t *testing.T) {
	later := time.Duration(0)
	c := newConsole(t, func(config *Config) { config.Now = func() time.Time { return time.Now().Add(later) } })
	session := c.enter(t)
	wantStatus(t, "save", c.post("/zh/reports", stepReport("标题"), session), http.StatusSeeOther)
	path := c.linked(t, session, "7")
	later = 7*24*time.Hour - time.Minute
	wantStatus(t, "in time", c.get(path), http.StatusOK)
	later = 7 * 24 * time.Hour
	wantStatus(t, "expired", c.get(path), http.StatusGone)
}
