package auth_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"lockstep/store"
	"lockstep/web/account"
	"lockstep/web/auth"
)

const password = "correct horse battery"

// house has accounts and tokens; its handler says who asks.
type house struct {
	db      *store.Store
	gate    *auth.Gate
	handler http.Handler
}

func newHouse(t *testing.T) house {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	passwords, err := account.NewPasswords()
	if err != nil {
		t.Fatal(err)
	}
	hash, err := passwords.Hash(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	for name, role := range map[string]account.Role{"ada": account.Admin, "bob": account.Viewer} {
		if err := db.Users().Add(t.Context(), account.User{Name: name, Role: role, Hash: hash, Epoch: "first", Created: time.Now(), Changed: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	h := house{db: db}
	h.gate = auth.New(auth.Config{Port: 8080, Keys: db.Keys(), Users: db.Users(), Passwords: passwords, Tokens: db.Tokens(),
		Sessions: db.Sessions(time.Now), Now: time.Now,
		Fail: func(_ http.ResponseWriter, _ *http.Request, err error) { t.Error(err) },
	})
	h.handler = h.gate.Sessions(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		switch r.URL.Path {
		case "/open":
			err = h.gate.Open(r.Context(), r.URL.Query().Get("key"))
		case "/login":
			err = h.gate.LogIn(r.Context(), r.URL.Query().Get("name"), r.URL.Query().Get("password"))
		case "/verify":
			err = h.gate.Verify(r.Context(), r.URL.Query().Get("password"))
		case "/adopt":
			err = h.gate.Adopt(r.Context(), r.URL.Query().Get("epoch"))
		case "/close":
			err = h.gate.Close(r.Context())
		}
		if errors.Is(err, account.ErrLoginRefused) || errors.Is(err, account.ErrKeyRefused) {
			w.WriteHeader(http.StatusForbidden)
		} else if err != nil {
			t.Error(err)
		}
		if actor, in := auth.From(r.Context()); in {
			_, _ = w.Write([]byte(actor.String() + " " + string(actor.Role) + " " + string(actor.Via)))
		}
	}))
	return h
}

// ask returns the status, who the console says is asking, and the cookies.
func (h house) ask(target string, with ...func(*http.Request)) (int, string, []*http.Cookie) {
	r := httptest.NewRequest(http.MethodPost, target, nil)
	for _, f := range with {
		f(r)
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w.Code, w.Body.String(), w.Result().Cookies()
}

func cookie(c []*http.Cookie) func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(c[0]) }
}

func bearer(secret string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+secret) }
}

// in logs in and returns the session.
func (h house) in(t *testing.T, name string) func(*http.Request) {
	t.Helper()
	status, who, cookies := h.ask("/login?name=" + name + "&password=correct+horse+battery")
	if status != http.StatusOK || len(cookies) != 1 {
		t.Fatalf("%s logs in: %d, %q, %v", name, status, who, cookies)
	}
	return cookie(cookies)
}

func TestPasswordOpensASession(t *testing.T) {
	h := newHouse(t)
	status, who, cookies := h.ask("/login?name=+ADA+&password=correct+horse+battery")
	if status != http.StatusOK || who != "ada admin password" || len(cookies) != 1 {
		t.Fatalf("%d, %q, %v", status, who, cookies)
	}
	if _, who, _ := h.ask("/", cookie(cookies)); who != "ada admin password" {
		t.Errorf("behind the cookie is %q", who)
	}
	for name, target := range map[string]string{
		"wrong password": "/login?name=ada&password=wrong+horse+battery",
		"no password":    "/login?name=ada&password=",
		"no account":     "/login?name=eve&password=correct+horse+battery",
		"no name":        "/login?name=&password=correct+horse+battery",
		"odd name":       "/login?name=%00&password=correct+horse+battery",
	} {
		if status, who, cookies := h.ask(target); status != http.StatusForbidden || who != "" || len(cookies) != 0 {
			t.Errorf("%s: %d, %q, %v", name, status, who, cookies)
		}
	}
}

// A session goes on while its account does, and no longer.
func TestSessionsFollowTheirAccount(t *testing.T) {
	h := newHouse(t)
	change := func(f func(*account.User)) {
		t.Helper()
		if err := h.db.Users().Change(t.Context(), "bob", false, func(u *account.User) error { f(u); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	session, other := h.in(t, "bob"), h.in(t, "ada")
	change(func(u *account.User) { u.Role = account.Presenter })
	if _, who, _ := h.ask("/", session); who != "bob presenter password" {
		t.Errorf("with another role he is %q", who)
	}
	change(func(u *account.User) { u.Epoch = "second" })
	if _, who, cookies := h.ask("/", session); who != "" || len(cookies) != 0 {
		t.Errorf("of the epoch before he is %q, cookies %v", who, cookies)
	}
	session = h.in(t, "bob")
	if err := h.db.Users().Remove(t.Context(), "bob", false); err != nil {
		t.Fatal(err)
	}
	if _, who, _ := h.ask("/", session); who != "" {
		t.Errorf("removed, he is %q", who)
	}
	if _, who, _ := h.ask("/", other); who != "ada admin password" {
		t.Errorf("she is %q", who)
	}
}

func TestAdoptKeepsOneSessionThroughAnEpoch(t *testing.T) {
	h := newHouse(t)
	here, elsewhere := h.in(t, "ada"), h.in(t, "ada")
	changing := h
	changing.handler = h.gate.Sessions(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := h.db.Users().Change(r.Context(), "ada", false, func(u *account.User) error { u.Epoch = "second"; return nil }); err != nil {
			t.Error(err)
		}
		if err := h.gate.Adopt(r.Context(), "second"); err != nil {
			t.Error(err)
		}
	}))
	_, _, adopted := changing.ask("/", here)
	if len(adopted) != 1 {
		t.Fatalf("cookies %v", adopted)
	}
	if _, who, _ := h.ask("/", cookie(adopted)); who != "ada admin password" {
		t.Errorf("the session that went along is %q's", who)
	}
	for name, session := range map[string]func(*http.Request){"elsewhere": elsewhere, "under the token before": here} {
		if _, who, _ := h.ask("/", session); who != "" {
			t.Errorf("%s it is still %q's", name, who)
		}
	}
	if _, _, cookies := h.ask("/adopt?epoch=second"); len(cookies) != 0 {
		t.Errorf("a stranger gets %v", cookies)
	}
}

func TestVerifyIsAboutWhoeverIsIn(t *testing.T) {
	h := newHouse(t)
	session := h.in(t, "ada")
	for target, want := range map[string]int{"/verify?password=correct+horse+battery": http.StatusOK, "/verify?password=wrong": http.StatusForbidden} {
		if status, _, _ := h.ask(target, session); status != want {
			t.Errorf("%s: %d, want %d", target, status, want)
		}
		if status, _, _ := h.ask(target); status != http.StatusForbidden {
			t.Errorf("%s by a stranger: %d", target, status)
		}
	}
}

// A key session after a password session is the key's alone.
func TestAnotherLoginReplacesTheSession(t *testing.T) {
	h := newHouse(t)
	session := h.in(t, "bob")
	text, key := account.NewOpeningKey(time.Now())
	if err := h.db.Keys().Add(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	_, who, cookies := h.ask("/open?key="+text, session)
	if who != "key admin key" || len(cookies) != 1 {
		t.Fatalf("%q, %v", who, cookies)
	}
	if _, who, _ := h.ask("/", cookie(cookies)); who != "key admin key" {
		t.Errorf("the new session is %q's", who)
	}
	if _, who, _ := h.ask("/", session); who != "" {
		t.Errorf("the session before is still %q's", who)
	}
	_, who, cookies = h.ask("/login?name=bob&password=correct+horse+battery", cookie(cookies))
	if who != "bob viewer password" || len(cookies) != 1 {
		t.Errorf("back again: %q, %v", who, cookies)
	}
}

func TestTokenStandsForItselfAlone(t *testing.T) {
	h := newHouse(t)
	text, token, err := account.NewToken(account.TokenRequest{Kind: account.APIToken, Role: account.Presenter, Label: "nightly"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.db.Tokens().Add(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	join, joining, err := account.NewToken(account.TokenRequest{Kind: account.JoinToken}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.db.Tokens().Add(t.Context(), joining); err != nil {
		t.Fatal(err)
	}
	session := h.in(t, "ada")
	for name, c := range map[string]struct {
		with []func(*http.Request)
		want string
	}{
		"token":                {[]func(*http.Request){bearer(text)}, "nightly presenter token"},
		"lower case":           {[]func(*http.Request){func(r *http.Request) { r.Header.Set("Authorization", "bearer "+text) }}, "nightly presenter token"},
		"token and session":    {[]func(*http.Request){bearer(text), session}, "nightly presenter token"},
		"bad token, session":   {[]func(*http.Request){bearer("nonsense"), session}, ""},
		"empty token, session": {[]func(*http.Request){bearer(""), session}, ""},
		"join token":           {[]func(*http.Request){bearer(join)}, ""},
		"other scheme":         {[]func(*http.Request){func(r *http.Request) { r.Header.Set("Authorization", "Basic "+text) }}, ""},
		"other scheme, in":     {[]func(*http.Request){func(r *http.Request) { r.Header.Set("Authorization", "Basic "+text) }, session}, "ada admin password"},
	} {
		if _, who, cookies := h.ask("/", c.with...); who != c.want || len(cookies) != 0 {
			t.Errorf("%s: %q, %v; want %q and no cookie", name, who, cookies, c.want)
		}
	}
	// Nothing about sessions happens in a request with a token.
	key, opening := account.NewOpeningKey(time.Now())
	if err := h.db.Keys().Add(t.Context(), opening); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"/login?name=ada&password=correct+horse+battery", "/open?key=" + key, "/close"} {
		if _, who, cookies := h.ask(target, bearer(text), session); who != "nightly presenter token" || len(cookies) != 0 {
			t.Errorf("%s: %q, %v", target, who, cookies)
		}
	}
	if _, who, _ := h.ask("/", session); who != "ada admin password" {
		t.Errorf("the session has become %q's", who)
	}
	if status, _, _ := h.ask("/open?key=" + key); status != http.StatusOK {
		t.Errorf("the key was used up by a request with a token: %d", status)
	}
	if _, err := h.db.Tokens().Revoke(t.Context(), token.ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, who, _ := h.ask("/", bearer(text)); who != "" {
		t.Errorf("revoked, it is %q", who)
	}
}
