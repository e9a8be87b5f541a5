package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"lockstep/cluster/inventory"
	"lockstep/web/account"
)

// everyoneMay and the rest say who may use an address.
const (
	everyoneMay = ""
	viewers     = string(account.Viewer)
	presenters  = string(account.Presenter)
	admins      = string(account.Admin)
)

// rights are all addresses and the role that each takes. A language stands for
// both.
var rights = map[string]string{
	"GET /":                                                      everyoneMay,
	"GET /healthz":                                               everyoneMay,
	"GET /readyz":                                                everyoneMay,
	"GET /static/*":                                              everyoneMay,
	"GET /login":                                                 everyoneMay,
	"POST /theme":                                                everyoneMay,
	"GET /{lang}":                                                everyoneMay,
	"GET /{lang}/":                                               everyoneMay,
	"GET /{lang}/about":                                          everyoneMay,
	"GET /{lang}/login":                                          everyoneMay,
	"POST /{lang}/login":                                         everyoneMay,
	"POST /{lang}/logout":                                        everyoneMay,
	"GET /{lang}/gallery":                                        everyoneMay, // for those who build pages; it holds nothing of anybody's
	"GET /{lang}/size":                                           everyoneMay,
	"GET /{lang}/size/step":                                      everyoneMay,
	"GET /{lang}/catalog":                                        everyoneMay,
	"GET /{lang}/catalog/{kind}":                                 everyoneMay,
	"GET /{lang}/catalog/{kind}/new":                             presenters,
	"POST /{lang}/catalog/{kind}/new":                            presenters,
	"GET /{lang}/catalog/{kind}/{x}/edit":                        presenters,
	"POST /{lang}/catalog/{kind}/{x}/edit":                       presenters,
	"GET /{lang}/catalog/{kind}/{x}/remove":                      presenters,
	"POST /{lang}/catalog/{kind}/{x}/remove":                     presenters,
	"GET /{lang}/learn":                                          everyoneMay,
	"GET /{lang}/learn/race":                                     everyoneMay,
	"GET /{lang}/learn/central-server":                           everyoneMay,
	"GET /{lang}/learn/why":                                      everyoneMay,
	"GET /{lang}/learn/topology":                                 everyoneMay,
	"GET /{lang}/learn/words":                                    everyoneMay,
	"GET /{lang}/learn/paths/{x}":                                everyoneMay,
	"GET /{lang}/learn/labs":                                     everyoneMay,
	"GET /{lang}/learn/labs/{x}":                                 everyoneMay,
	"GET /{lang}/learn/bandwidth":                                everyoneMay,
	"GET /{lang}/learn/customer":                                 everyoneMay,
	"GET /{lang}/learn/libraries":                                everyoneMay,
	"GET /{lang}/learn/{one}":                                    everyoneMay,
	"GET /{lang}/learn/{x}/{x}":                                  everyoneMay,
	"GET /{lang}/learn/{x}/{x}/steps.json":                       everyoneMay,
	"GET /{lang}/learn/{x}/{x}/step.svg":                         everyoneMay,
	"GET /{lang}/learn/{x}/{x}/step.png":                         everyoneMay,
	"GET /{lang}/learn/{x}/{x}/lesson.gif":                       everyoneMay,
	"GET /{lang}/learn/{x}/{x}/handout":                          everyoneMay,
	"GET /{lang}/learn/{x}/{x}/qr.svg":                           everyoneMay,
	"GET /api/v1/openapi.json":                                   everyoneMay,
	"GET /api/v1/schedules":                                      everyoneMay,
	"POST /api/v1/predictions":                                   everyoneMay,
	"GET /api/v1/catalog/{kind}":                                 everyoneMay,
	"GET /metrics":                                               viewers,
	"GET /{lang}/account/":                                       viewers,
	"POST /{lang}/account/password":                              viewers,
	"POST /{lang}/account/logout":                                viewers,
	"GET /{lang}/runs/":                                          viewers,
	"GET /{lang}/runs/{x}":                                       viewers,
	"GET /{lang}/runs/compare":                                   viewers,
	"GET /{lang}/runs/compare/{x}":                               viewers,
	"GET /{lang}/runs/compare/{x}/changes":                       viewers,
	"GET /{lang}/runs/compare/{x}/points.csv":                    viewers,
	"GET /{lang}/runs/compare/{x}/points.json":                   viewers,
	"GET /{lang}/runs/compare/{x}/{chart:time|bandwidth}.png":    viewers,
	"POST /{lang}/runs/compare":                                  presenters,
	"POST /{lang}/runs/compare/{x}/stop":                         presenters,
	"GET /{lang}/reports":                                        viewers,
	"GET /{lang}/reports/compare":                                viewers,
	"GET /{lang}/reports/{x}/v/{x}":                              viewers,
	"GET /{lang}/reports/{x}/v/{x}/print.css":                    viewers,
	"GET /{lang}/reports/{x}/v/{x}/logo.png":                     viewers,
	"GET /{lang}/reports/{x}/v/{x}/export":                       viewers,
	"POST /{lang}/reports/{x}/v/{x}/share":                       presenters,
	"POST /{lang}/reports/{x}/v/{x}/unshare":                     presenters,
	"GET /r/{secret}":                                            everyoneMay, // the secret is the right
	"GET /r/{secret}/logo.png":                                   everyoneMay,
	"GET /r/{secret}/file":                                       everyoneMay,
	"GET /{lang}/nodes/":                                         viewers,
	"GET /{lang}/nodes/changes":                                  viewers,
	"POST /api/v1/estimates":                                     viewers,
	"GET /api/v1/links":                                          viewers,
	"POST /api/v1/links/probe":                                   admins,
	"GET /api/v1/nodes":                                          viewers,
	"POST /api/v1/imports":                                       viewers,
	"GET /{lang}/diagnose":                                       viewers,
	"POST /{lang}/diagnose":                                      viewers,
	"GET /{lang}/machines":                                       viewers,
	"GET /{lang}/machines/{x}/remove":                            presenters,
	"POST /{lang}/machines/{x}/remove":                           presenters,
	"GET /api/v1/machines":                                       viewers,
	"GET /api/v1/machines/{x}":                                   viewers,
	"DELETE /api/v1/machines/{x}":                                presenters,
	"GET /api/v1/reports":                                        viewers,
	"GET /api/v1/reports/compare":                                viewers,
	"GET /api/v1/reports/{x}":                                    viewers,
	"GET /api/v1/runs":                                           viewers,
	"GET /api/v1/runs/{x}":                                       viewers,
	"GET /api/v1/runs/{x}/events":                                viewers,
	"GET /{lang}/runs/new":                                       presenters,
	"POST /{lang}/runs/":                                         presenters,
	"POST /{lang}/runs/calibrate":                                presenters,
	"POST /{lang}/runs/{x}/cancel":                               presenters,
	"POST /{lang}/runs/{x}/signal":                               presenters,
	"GET /{lang}/reports/new":                                    presenters,
	"POST /{lang}/reports":                                       presenters,
	"POST /api/v1/runs":                                          presenters,
	"POST /api/v1/catalog/{kind}":                                presenters,
	"DELETE /api/v1/catalog/{kind}/{x}":                          presenters,
	"DELETE /api/v1/runs/{x}":                                    presenters,
	"POST /{lang}/nodes/invite":                                  admins,
	"POST /{lang}/nodes/probe":                                   admins,
	"GET /{lang}/nodes/{x}/{change:revoke|forget}":               admins,
	"POST /{lang}/nodes/{x}/{change:drain|resume|revoke|forget}": admins,
	"GET /{lang}/people/":                                        admins,
	"GET /{lang}/people/audit":                                   admins,
	"POST /{lang}/people/add":                                    admins,
	"POST /{lang}/people/role":                                   admins,
	"POST /{lang}/people/password":                               admins,
	"POST /{lang}/people/remove":                                 admins,
	"POST /{lang}/people/token":                                  admins,
	"POST /{lang}/people/revoke":                                 admins,
	"POST /{lang}/people/session":                                admins,
}

// plain is a pattern as rights spells it.
func plainPattern(method, pattern string) string {
	pattern = strings.ReplaceAll(pattern, collectivePattern(), "/{lang}/learn/{one}")
	pattern = strings.ReplaceAll(pattern, "{lang:zh|en}", "{lang}")
	for _, name := range []string{"collective", "algorithm", "id", "version", "name"} {
		pattern = strings.ReplaceAll(pattern, "{"+name+"}", "{x}")
	}
	return method + " " + pattern
}

// target is an address of the pattern.
func target(pattern string) string {
	return strings.NewReplacer("{lang}", "en", "{one}", "all-reduce", "{kind}", "models", "{x}", "1", "{chart:time|bandwidth}", "time", "{change:revoke|forget}", "revoke", "{change:drain|resume|revoke|forget}", "drain", "*", "nothing").Replace(pattern)
}

// TestEveryAddressTakesItsRole asks for each address as everyone. An address
// that nobody has thought about fails the test.
func TestEveryAddressTakesItsRole(t *testing.T) {
	twin := newNodesTwin(inventory.Member{Node: inventory.Node{Host: "1"}, Name: "1"})
	c, _, _, _ := withRuns(t, func(config *Config) {
		config.Develop, config.Metrics = true, NewMetrics("test")
		config.Nodes, config.Keeper, config.Inviter = twin, twin, twin
		config.Sweeper, config.Sweeps = &sweepTwin{}, &sweepTwin{}
	})
	found := map[string]bool{}
	err := chi.Walk(c.handler.(chi.Routes), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		found[plainPattern(method, pattern)] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	visitors := map[string][]func(*http.Request){everyoneMay: {func(*http.Request) {}, header("Authorization", "Bearer lockstep-api-AAAAAAAAAAAAAAAAAAAAAA")}}
	has := map[string]account.Role{}
	for _, role := range account.Roles() {
		bearer, _ := c.token(t, role)
		c.addUser(t, "asks-as-"+string(role), role)
		visitors[string(role)] = []func(*http.Request){c.logIn(t, "asks-as-"+string(role)), bearer}
		has[string(role)] = role
	}
	for address := range found {
		needed, known := rights[address]
		if !known {
			t.Errorf("%s is in no table of rights", address)
			continue
		}
		method, pattern, _ := strings.Cut(address, " ")
		for role, ways := range visitors {
			for i, way := range ways {
				name := fmt.Sprintf("%s by %q, way %d", address, role, i)
				answer := c.ask(method, target(pattern), way)
				checkRight(t, name, answer, needed, has[role], pattern, role == everyoneMay && i == 1)
				if strings.HasSuffix(pattern, "/logout") && i == 0 && role != everyoneMay {
					ways[0] = c.logIn(t, "asks-as-"+role)
				}
			}
		}
	}
	for address := range rights {
		if !found[address] {
			t.Errorf("%s is in the table and does not exist", address)
		}
	}
}

// ask sends a request with a small form where the method takes one.
func (c console) ask(method, target string, with ...func(*http.Request)) *http.Response {
	if method == http.MethodPost {
		return c.post(target, url.Values{"name": {"nobody"}}, with...)
	}
	return c.do(method, target, with...)
}

// checkRight holds the answer to somebody with a role, empty for a stranger,
// against what the address takes.
func checkRight(t *testing.T, name string, answer *http.Response, needed string, has account.Role, pattern string, badToken bool) {
	t.Helper()
	toLogin := answer.StatusCode == http.StatusSeeOther && strings.HasPrefix(answer.Header.Get("Location"), "/en/login?next=")
	refused := answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden
	program := strings.HasPrefix(pattern, "/api/") || pattern == "/metrics" || badToken
	switch {
	case needed == everyoneMay || has.May(account.Role(needed)):
		// An empty key and an empty password are refused for what they are.
		if toLogin || refused && pattern != "/{lang}/login" && pattern != "/{lang}/account/password" {
			t.Errorf("%s: status %d to %q, want to get through", name, answer.StatusCode, answer.Header.Get("Location"))
		}
	case has != "":
		text := body(t, answer)
		if answer.StatusCode != http.StatusForbidden || !strings.Contains(text, roleWords[account.Role(needed)][0]) && !strings.Contains(text, roleWords[account.Role(needed)][1]) {
			t.Errorf("%s: status %d, want 403 and that it takes %s", name, answer.StatusCode, needed)
		}
	case program:
		if answer.StatusCode != http.StatusUnauthorized || !strings.Contains(strings.Join(answer.Header.Values("WWW-Authenticate"), ","), "Bearer") {
			t.Errorf("%s: status %d, want 401", name, answer.StatusCode)
		}
	case !toLogin && answer.Header.Get("Location") != "/en/login": // after a form that came from nowhere
		t.Errorf("%s: status %d to %q, want to be led to the login", name, answer.StatusCode, answer.Header.Get("Location"))
	}
}

var roleWords = map[account.Role][2]string{
	account.Viewer: {"观众", "viewer"}, account.Presenter: {"主讲", "presenter"}, account.Admin: {"管理员", "administrator"},
}
