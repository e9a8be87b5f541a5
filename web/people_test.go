package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lockstep/web/account"
)

func TestPeopleAreAdded(t *testing.T) {
	c := newConsole(t)
	key := c.enter(t)
	form := func(change ...string) url.Values {
		f := url.Values{"name": {"Bob"}, "role": {"presenter"}, "new": {goodPassword}, "again": {goodPassword}}
		for i := 0; i < len(change); i += 2 {
			f.Set(change[i], change[i+1])
		}
		return f
	}
	wantRedirect(t, "add", c.post("/en/people/add", form(), key), http.StatusSeeOther, "/en/people#users")
	if u, err := c.db.Users().Find(t.Context(), "bob"); err != nil || u.Role != account.Presenter {
		t.Fatalf("%+v, %v", u, err)
	}
	c.logIn(t, "bob")
	for name, attempt := range map[string]struct {
		form   url.Values
		status int
		says   string
	}{
		"taken":       {form(), http.StatusUnprocessableEntity, "This name is taken."},
		"no name":     {form("name", ""), http.StatusUnprocessableEntity, "This name cannot be used"},
		"odd name":    {form("name", "<b>"), http.StatusUnprocessableEntity, "This name cannot be used"},
		"short":       {form("name", "eve", "new", "short", "again", "short"), http.StatusUnprocessableEntity, "Too short"},
		"is the name": {form("name", "eve@example.com", "new", "eve@example.com", "again", "eve@example.com"), http.StatusUnprocessableEntity, "It must not be the name"},
		"role":        {form("name", "eve", "role", "root"), http.StatusBadRequest, ""},
	} {
		answer := c.post("/en/people/add", attempt.form, key)
		wantStatus(t, name, answer, attempt.status)
		text := body(t, answer)
		if !strings.Contains(text, attempt.says) || strings.Contains(text, goodPassword) || strings.Contains(text, "<b></") {
			t.Errorf("%s: the page does not say %q, or gives something back that it should not", name, attempt.says)
		}
		if attempt.status == http.StatusUnprocessableEntity && !strings.Contains(text, `<option value="presenter" selected`) {
			t.Errorf("%s: the role that was chosen is lost", name)
		}
	}
}

func TestPeopleChange(t *testing.T) {
	c := newConsole(t)
	c.addUser(t, "ada", account.Admin)
	admin, bob := c.logIn(t, "ada"), c.enterAs(t, account.Viewer)
	name := "viewer-one"
	wantRedirect(t, "role", c.post("/en/people/role", url.Values{"name": {name}, "role": {"presenter"}}, admin), http.StatusSeeOther, "/en/people#users")
	wantStatus(t, "what it takes a presenter for", c.get("/en/reports/new", bob), http.StatusOK)
	const fresh = "another horse entirely"
	wantRedirect(t, "password", c.post("/en/people/password", url.Values{"name": {name}, "new": {fresh}, "again": {fresh}}, admin), http.StatusSeeOther, "/en/people#users")
	wantRedirect(t, "his session", c.get("/en/reports", bob), http.StatusSeeOther, "/en/login?next=%2Fen%2Freports")
	wantStatus(t, "with the new password", c.post("/en/login", url.Values{"name": {name}, "password": {fresh}}), http.StatusSeeOther)
	answer := c.post("/en/people/password", url.Values{"name": {name}, "new": {"short"}, "again": {"short"}}, admin)
	wantStatus(t, "short", answer, http.StatusUnprocessableEntity)
	if text := body(t, answer); !strings.Contains(text, "<details open>") || !strings.Contains(text, "Too short") {
		t.Error("the form that was wrong is folded away")
	}
	wantRedirect(t, "remove", c.post("/en/people/remove", url.Values{"name": {name}}, admin), http.StatusSeeOther, "/en/people#users")
	for _, path := range []string{"/en/people/role", "/en/people/password", "/en/people/remove"} {
		form := url.Values{"name": {name}, "role": {"viewer"}, "new": {fresh}, "again": {fresh}}
		wantStatus(t, path+" of nobody", c.post(path, form, admin), http.StatusNotFound)
	}
}

func TestTheLastAdminStaysOnANetwork(t *testing.T) {
	for _, network := range []bool{true, false} {
		c := newConsole(t, func(config *Config) { config.Access.Network = network })
		c.addUser(t, "ada", account.Admin)
		key := c.enter(t)
		for path, form := range map[string]url.Values{
			"/en/people/role":   {"name": {"ada"}, "role": {"viewer"}},
			"/en/people/remove": {"name": {"ada"}},
		} {
			answer := c.post(path, form, key)
			if !network {
				wantStatus(t, path+" on loopback", answer, http.StatusSeeOther)
				if path == "/en/people/remove" {
					c.addUser(t, "ada", account.Admin)
				}
				continue
			}
			wantStatus(t, path, answer, http.StatusConflict)
			if text := body(t, answer); !strings.Contains(text, "ada is the last administrator") {
				t.Errorf("%s: the page does not say why", path)
			}
		}
	}
}

func TestTokensAreMadeAndRevoked(t *testing.T) {
	c := newConsole(t)
	admin := c.enter(t)
	answer := c.post("/en/people/token", url.Values{"label": {"nightly"}, "role": {"viewer"}, "days": {"7"}}, admin)
	wantStatus(t, "make", answer, http.StatusOK)
	if answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a page with a secret may be kept: %q", answer.Header.Get("Cache-Control"))
	}
	secret := regexp.MustCompile(`lockstep-api-[A-Za-z0-9_-]{22}`).FindString(body(t, answer))
	program := header("Authorization", "Bearer "+secret)
	wantStatus(t, "use", c.get("/api/v1/reports", program), http.StatusOK)
	if text := body(t, c.get("/en/people", admin)); strings.Contains(text, secret) || !strings.Contains(text, "nightly") {
		t.Error("the secret is shown again, or the token not at all")
	}
	for name, form := range map[string]url.Values{
		"no days":      {"role": {"viewer"}, "days": {""}},
		"too few":      {"role": {"viewer"}, "days": {"0"}},
		"too many":     {"role": {"viewer"}, "days": {"367"}},
		"not a number": {"role": {"viewer"}, "days": {"ten"}},
		"long label":   {"role": {"viewer"}, "days": {"7"}, "label": {strings.Repeat("x", account.MaxLabel+1)}},
	} {
		answer := c.post("/en/people/token", form, admin)
		wantStatus(t, name, answer, http.StatusUnprocessableEntity)
		if text := body(t, answer); !strings.Contains(text, `aria-invalid="true"`) {
			t.Errorf("%s: no field is marked", name)
		}
	}
	wantStatus(t, "odd role", c.post("/en/people/token", url.Values{"role": {"root"}, "days": {"7"}}, admin), http.StatusBadRequest)
	tokens, err := c.db.Tokens().List(t.Context())
	if err != nil || len(tokens) != 1 {
		t.Fatalf("%d tokens, %v", len(tokens), err)
	}
	wantRedirect(t, "revoke", c.post("/en/people/revoke", url.Values{"id": {tokens[0].ID}}, admin), http.StatusSeeOther, "/en/people#tokens")
	wantStatus(t, "use after that", c.get("/api/v1/reports", program), http.StatusUnauthorized)
	wantStatus(t, "revoke nothing", c.post("/en/people/revoke", url.Values{"id": {"nonesuch"}}, admin), http.StatusNotFound)
}
