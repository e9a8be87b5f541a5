package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/web/account"
)

func TestALogIsKeptAsAMachine(t *testing.T) {
	c := newConsole(t)
	c.addUser(t, "shows", account.Presenter)
	c.addUser(t, "looks", account.Viewer)
	presenter, viewer := c.logIn(t, "shows"), c.logIn(t, "looks")
	form := func(name string) url.Values {
		return url.Values{"log": {sampleLog(t, "slow")}, "machine": {name}, "as": {"keep"}}
	}
	wantStatus(t, "a viewer", c.post("/en/diagnose", form("lab"), viewer), http.StatusForbidden)
	if text := body(t, c.get("/en/diagnose?sample=slow", viewer)); strings.Contains(text, `value="keep"`) {
		t.Error("a viewer is offered to keep logs")
	}
	for _, lang := range []string{"zh", "en"} {
		answer := c.post("/"+lang+"/diagnose", form("lab"), presenter)
		wantStatus(t, lang, answer, http.StatusOK)
		if text := body(t, answer); strings.Count(text, "lab") < 3 || !strings.Contains(text, "--machine") || !strings.Contains(text, `role="status"`) {
			t.Errorf("%s: what was kept is not said", lang)
		}
		for name, log := range map[string]string{"a/b": sampleLog(t, "slow"), "lab": sampleLog(t, "unsaid")} {
			bad := form(name)
			bad.Set("log", log)
			if text := body(t, c.post("/"+lang+"/diagnose", bad, presenter)); !strings.Contains(text, `id="diagnose-machine"`) || !strings.Contains(text, `aria-invalid="true"`) || strings.Contains(text, `role="status"`) {
				t.Errorf("%s: %s is kept", lang, name)
			}
		}
	}
	plain := newConsole(t, func(config *Config) { config.Machines = nil })
	in := plain.enter(t)
	wantStatus(t, "nowhere to keep it", plain.post("/en/diagnose", form("lab"), in), http.StatusNotFound)
}

// The language changes with everything that was brought, and an empty page is
// not told that it is empty.
func TestALogGoesAlongToTheOtherLanguage(t *testing.T) {
	c := newConsole(t)
	in := c.enter(t)
	if page := body(t, c.get("/zh/diagnose", in)); !strings.Contains(page, `form="diagnose-form" formaction="/en/diagnose" name="as" value="language"`) {
		t.Error("the bar does not take the form along")
	}
	empty := c.post("/en/diagnose", url.Values{"as": {"language"}}, in)
	wantStatus(t, "nothing", empty, http.StatusOK)
	if page := body(t, empty); strings.Contains(page, `aria-invalid="true"`) {
		t.Error("an empty page is blamed for a change of the language")
	}
	log := c.post("/en/diagnose", url.Values{"as": {"language"}, "log": {sampleLog(t, "slow")}, "nodes": {"2"}}, in)
	wantStatus(t, "a log", log, http.StatusOK)
	if page := body(t, log); !strings.Contains(page, "nThread") || !strings.Contains(page, `lang="en"`) {
		t.Error("the log is lost")
	}
}
