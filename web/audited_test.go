package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/web/account"
)

// said is an entry without its time and ID.
func said(e account.AuditEntry) string {
	return strings.TrimSpace(fmt.Sprintf("%s by %q via %q from %s: %s %s", e.Action, e.Who, e.Via, e.From, e.Target, e.Outcome))
}

func TestWhatMattersIsKept(t *testing.T) {
	c, _, fleet, _ := withRuns(t)
	c.addUser(t, "ada", account.Admin)
	key := c.enter(t)
	c.post("/en/login", url.Values{"name": {"Ada"}, "password": {"wrong horse battery"}})
	c.post("/en/login", url.Values{"key": {"AAAAAAAAAAAAAAAAAAAAAA"}})
	ada := c.logIn(t, "ada")
	c.post("/en/people/add", url.Values{"name": {"bob"}, "role": {"viewer"}, "new": {goodPassword}, "again": {goodPassword}}, ada)
	bob := c.logIn(t, "bob")
	c.post("/en/runs", asked(), bob)
	c.post("/en/runs", asked(), ada)
	<-fleet.entered
	c.post("/en/runs/0001/cancel", nil, ada)
	bearer, _ := c.token(t, account.Viewer)
	for range 3 {
		c.get("/api/v1/reports", bearer)
	}
	c.post("/en/people/role", url.Values{"name": {"bob"}, "role": {"presenter"}}, key)
	c.post("/en/people/remove", url.Values{"name": {"bob"}}, key)
	c.get("/zh/", func(r *http.Request) { r.Host = "evil.example" })
	c.post("/zh/logout", nil, ada, header("Sec-Fetch-Site", "cross-site"))
	c.post("/zh/logout", nil, ada)
	var got []string
	for _, e := range c.entries(t, account.AuditFilter{}) {
		got = append([]string{said(e)}, got...)
	}
	want := []string{
		`login by "key" via "key" from 192.0.2.1: key ok`,
		`login by "ada" via "" from 192.0.2.1: password refused`,
		`login by "" via "" from 192.0.2.1: key refused`,
		`login by "ada" via "password" from 192.0.2.1: password ok`,
		`user-add by "ada" via "password" from 192.0.2.1: bob ok`,
		`login by "bob" via "password" from 192.0.2.1: password ok`,
		`refuse by "bob" via "password" from 192.0.2.1: POST /en/runs refused`,
		`run-start by "ada" via "password" from 192.0.2.1: 0001 ok`,
		`run-cancel by "ada" via "password" from 192.0.2.1: 0001 ok`,
		`token-use by "viewer program" via "token" from 192.0.2.1:  ok`,
		`user-role by "key" via "key" from 192.0.2.1: bob ok`,
		`user-remove by "key" via "key" from 192.0.2.1: bob ok`,
		`refuse by "" via "" from 192.0.2.1: GET /zh/ refused`,
		`refuse by "" via "" from 192.0.2.1: POST /zh/logout refused`,
		`logout by "ada" via "password" from 192.0.2.1:  ok`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("kept is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is wrong with a form is for whoever fills it in, not for the log.
func TestMistakesAreNotKept(t *testing.T) {
	c, _, _, _ := withRuns(t)
	session := c.enter(t)
	before := len(c.entries(t, account.AuditFilter{}))
	c.post("/en/runs", asked("n", "99"), session)
	c.post("/en/runs/nonesuch/cancel", nil, session)
	c.post("/en/people/add", url.Values{"name": {""}}, session)
	c.post("/en/people/revoke", url.Values{"id": {"nonesuch"}}, session)
	c.get("/en/nowhere", session)
	if after := c.entries(t, account.AuditFilter{}); len(after) != before {
		t.Errorf("%d entries more, the last %s", len(after)-before, said(after[0]))
	}
}

func TestStrangersCannotFillTheLog(t *testing.T) {
	c := newConsole(t)
	for i := range 300 {
		c.get("/zh/", from("198.51.100.7"), func(r *http.Request) { r.Host = fmt.Sprint("evil", i) })
	}
	if n := len(c.entries(t, account.AuditFilter{Action: account.RefuseRequest})); n < 5 || n > 60 {
		t.Errorf("300 refused requests have left %d entries", n)
	}
	c.get("/zh/", from("198.51.100.8"), func(r *http.Request) { r.Host = "evil" })
	if e := c.entries(t, account.AuditFilter{})[0]; e.From != "198.51.100.8" {
		t.Errorf("another address is not heard: the last entry is %s", said(e))
	}
}

func TestAuditHoldsNoSecrets(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	secret := strings.Repeat("A", 22)
	c.get("/zh/?key="+secret+"&a=b", func(r *http.Request) { r.Host = "evil" })
	c.get("/r/"+secret, func(r *http.Request) { r.Host = "evil" })
	c.get("/api/v1/reports", header("Authorization", "Bearer lockstep-api-"+secret))
	c.post("/en/login", url.Values{"name": {"ada"}, "password": {"secret secret secret"}})
	c.post("/en/people/token", url.Values{"label": {"x"}, "role": {"viewer"}, "days": {"7"}}, session)
	c.post("/en/people/add", url.Values{"name": {"eve"}, "role": {"viewer"}, "new": {goodPassword}, "again": {goodPassword}}, session)
	text := body(t, c.get("/en/people/audit", session))
	for _, leak := range []string{secret, "secret secret", goodPassword, "lockstep-api-"} {
		if strings.Contains(text, leak) {
			t.Errorf("the log holds %q", leak)
		}
	}
	if !strings.Contains(text, "GET /zh/?a&amp;key") {
		t.Error("the log does not tell what was asked for")
	}
}

func TestAuditIsPagedAndFiltered(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	for i := range auditOnPage + 20 {
		c.happened(t, account.AuditEntry{Who: "ada", Action: account.StartRun, Target: fmt.Sprintf("run-%03d", i), Outcome: account.Allowed})
	}
	text := body(t, c.get("/en/people/audit?action=run-start&who=ada", session))
	if !strings.Contains(text, "run-119") || strings.Contains(text, "run-019") || strings.Contains(text, "<td>log in</td>") {
		t.Error("the first page is another")
	}
	if !strings.Contains(text, `<option value="run-start" selected`) || !strings.Contains(text, `value="ada"`) {
		t.Error("the filter is lost")
	}
	_, rest, _ := strings.Cut(text, `href="/en/people/audit?action=run-start&amp;before=`)
	link, _, found := strings.Cut(rest, `"`)
	if !found {
		t.Fatal("the first page leads to no second")
	}
	link = strings.ReplaceAll(link, "&amp;", "&")
	text = body(t, c.get("/en/people/audit?action=run-start&before="+link, session))
	if !strings.Contains(text, "run-019") || !strings.Contains(text, "run-000") || strings.Contains(text, "run-020") || !strings.Contains(text, "Newest") || strings.Contains(text, "Older") {
		t.Error("the second page is another")
	}
	if text := body(t, c.get("/en/people/audit?who=nobody&action=dance&before=x", session)); !strings.Contains(text, "Nothing here matches.") {
		t.Error("an empty page does not say so")
	}
}

// happened keeps an entry as if something had been done.
func (c console) happened(t *testing.T, e account.AuditEntry) {
	t.Helper()
	if err := c.db.Audit().Append(t.Context(), e); err != nil {
		t.Fatal(err)
	}
}
