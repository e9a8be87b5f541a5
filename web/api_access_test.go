package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/web/account"
)

// Every operation that is not open answers a stranger 401, and whoever has too
// small a role 403, before it looks at anything of the request.
func TestAPIAsksForPermission(t *testing.T) {
	p := newProgrammer(t)
	open := map[string]bool{"list-schedules": true, "predict": true, "list-catalog": true}
	admins := map[string]bool{"probe-links": true}
	viewer, _ := p.console.token(t, account.Viewer)
	presenter, _ := p.console.token(t, account.Presenter)
	for route, item := range p.api.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete, "PUT": item.Put, "PATCH": item.Patch} {
			if op == nil {
				continue
			}
			route := strings.TrimPrefix(route, apiRoot)
			target := strings.ReplaceAll(route, "{id}", "0001")
			got := p.ask("stranger "+method, route, target, "{}")
			if open[op.OperationID] {
				if got.status == http.StatusUnauthorized || len(op.Security) > 0 {
					t.Errorf("%s is not open: %d", op.OperationID, got.status)
				}
				continue
			}
			p.want(got, 401, `"status":401`)
			if challenges := got.header.Values("WWW-Authenticate"); len(challenges) == 0 || !strings.HasPrefix(challenges[0], "Bearer") {
				t.Errorf("%s %s: WWW-Authenticate %q", method, route, challenges)
			}
			p.want(p.ask("stranger "+method, route, target, "{}", header("Authorization", "Bearer of news")), 401)
			// What is diagnosed or priced is not kept: it is asked with a body, and changes nothing.
			changes := method != http.MethodGet && op.OperationID != "import-logs" && op.OperationID != "estimate"
			if got := p.ask("stranger "+method, route, target, "{}", viewer); changes != (got.status == http.StatusForbidden) {
				t.Errorf("%s %s by a viewer: %d", method, route, got.status)
			}
			if got := p.ask("stranger "+method, route, target, "{}", presenter); admins[op.OperationID] != (got.status == http.StatusForbidden) || got.status == http.StatusUnauthorized {
				t.Errorf("%s %s by a presenter: %d", method, route, got.status)
			}
		}
	}
	answer := p.console.get(apiRoot + "/openapi.json")
	wantStatus(t, "openapi.json for everyone", answer, http.StatusOK)
	if strings.Contains(body(t, answer), "http") && strings.Contains(body(t, answer), "//cdn") {
		t.Error("openapi.json leads elsewhere")
	}
}

// A page of another site cannot make a browser with a session change anything;
// a program, which has a token and no origin, can.
func TestAPIKeepsToItsOrigin(t *testing.T) {
	p := newProgrammer(t)
	for name, foreign := range map[string]func(*http.Request){
		"origin": header("Origin", "https://evil.example"), "site": header("Sec-Fetch-Site", "cross-site"),
	} {
		got := p.console.do("POST", apiRoot+"/runs", p.session, foreign, header("Content-Type", "application/json"))
		wantStatus(t, name, got, http.StatusForbidden)
		if kind := got.Header.Get("Content-Type"); kind != problemType {
			t.Errorf("%s: content type %q", name, kind)
		}
	}
	own := p.ask("POST", "/runs", "/runs", `{}`, header("Origin", "http://"+host), header("Sec-Fetch-Site", "same-origin"))
	p.want(own, 422)
	bearer, _ := p.console.token(t, account.Presenter)
	p.want(p.ask("stranger POST", "/runs", "/runs", `{}`, bearer), 422)
}

func TestAPISpeaksTheLanguageThatIsAskedFor(t *testing.T) {
	p := newProgrammer(t)
	p.want(p.ask("POST", "/runs", "/runs", `{}`, header("Accept-Language", "zh")), 422, `"title":"请求无法使用"`)
	p.want(p.ask("POST", "/runs", "/runs", `{}`), 422, `"title":"The request cannot be used"`)
}
