package account_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"lockstep/web/account"
)

func TestTokenTextLeadsToItsDigest(t *testing.T) {
	for kind, prefix := range map[account.TokenKind]string{account.JoinToken: "lockstep-join-", account.APIToken: "lockstep-api-"} {
		text, token, err := account.NewToken(account.TokenRequest{Kind: kind, Label: " nightly ", By: "ada"}, noon)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^` + prefix + `[A-Za-z0-9_-]{22}$`).MatchString(text) {
			t.Errorf("%s token is %q", kind, text)
		}
		if digest, err := account.ParseToken(kind, text); err != nil || digest != token.Digest {
			t.Errorf("ParseToken(%q) = %x, %v; want the digest of the token", text, digest, err)
		}
		if strings.Contains(text, token.ID) || token.Label != "nightly" || token.Name() != "nightly" || token.By != "ada" {
			t.Errorf("token is %+v", token)
		}
		for other := range map[account.TokenKind]bool{account.JoinToken: true, account.APIToken: true, "": true} {
			if _, err := account.ParseToken(other, text); (err == nil) != (other == kind) {
				t.Errorf("a %s token taken for %q: %v", kind, other, err)
			}
		}
	}
}

func TestParseTokenRefuses(t *testing.T) {
	text, _, err := account.NewToken(account.TokenRequest{Kind: account.APIToken}, noon)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{
		"empty": "", "bare": strings.TrimPrefix(text, "lockstep-api-"), "short": text[:len(text)-1], "long": text + "A", "blank": text + " ",
		"stray low bits": text[:len(text)-1] + "_", "upper case": strings.ToUpper(text),
	} {
		if _, err := account.ParseToken(account.APIToken, bad); !errors.Is(err, account.ErrTokenRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTokenRequestsAreChecked(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		request account.TokenRequest
		want    error
		role    account.Role
		expires time.Duration
	}{
		{account.TokenRequest{Kind: account.JoinToken}, nil, "", time.Hour},
		{account.TokenRequest{Kind: account.APIToken}, nil, account.Viewer, 90 * day},
		{account.TokenRequest{Kind: account.APIToken, Role: account.Admin, Lifetime: 366 * day}, nil, account.Admin, 366 * day},
		{account.TokenRequest{Kind: account.JoinToken, Lifetime: 7 * day}, nil, "", 7 * day},
		{account.TokenRequest{}, account.ErrTokenKind, "", 0},
		{account.TokenRequest{Kind: "root"}, account.ErrTokenKind, "", 0},
		{account.TokenRequest{Kind: account.JoinToken, Role: account.Viewer}, account.ErrTokenRole, "", 0},
		{account.TokenRequest{Kind: account.APIToken, Role: "root"}, account.ErrRole, "", 0},
		{account.TokenRequest{Kind: account.APIToken, Label: strings.Repeat("x", account.MaxLabel+1)}, account.ErrLabel, "", 0},
		{account.TokenRequest{Kind: account.APIToken, Label: "two\nlines"}, account.ErrLabel, "", 0},
		{account.TokenRequest{Kind: account.APIToken, Label: "\xff"}, account.ErrLabel, "", 0},
		{account.TokenRequest{Kind: account.APIToken, Lifetime: time.Second}, account.ErrTokenLifetime, "", 0},
		{account.TokenRequest{Kind: account.APIToken, Lifetime: -1}, account.ErrTokenLifetime, "", 0},
		{account.TokenRequest{Kind: account.APIToken, Lifetime: 367 * day}, account.ErrTokenLifetime, "", 0},
		{account.TokenRequest{Kind: account.JoinToken, Lifetime: 8 * day}, account.ErrTokenLifetime, "", 0},
	} {
		text, token, err := account.NewToken(c.request, noon)
		if !errors.Is(err, c.want) || (c.want != nil) != (text == "") {
			t.Errorf("NewToken(%+v) = %v, want %v", c.request, err, c.want)
		}
		if c.want == nil && (token.Role != c.role || token.Expires.Sub(noon) != c.expires) {
			t.Errorf("NewToken(%+v) has the role %q and is valid for %v", c.request, token.Role, token.Expires.Sub(noon))
		}
	}
}

func TestTokenStates(t *testing.T) {
	later := noon.Add(time.Hour)
	for _, c := range []struct {
		token account.Token
		now   time.Time
		want  account.TokenState
	}{
		{account.Token{Kind: account.JoinToken, Expires: later}, later.Add(-1), account.TokenLive},
		{account.Token{Kind: account.JoinToken, Expires: later}, later, account.TokenExpired},
		{account.Token{Kind: account.JoinToken, Expires: later, Used: noon}, noon, account.TokenUsed},
		{account.Token{Kind: account.APIToken, Expires: later, Used: noon}, noon, account.TokenLive},
		{account.Token{Kind: account.APIToken, Expires: later, Used: noon}, later, account.TokenExpired},
		{account.Token{Kind: account.APIToken, Expires: later, Revoked: noon}, later, account.TokenRevoked},
	} {
		if got := c.token.State(c.now); got != c.want {
			t.Errorf("%+v is %s, want %s", c.token, got, c.want)
		}
	}
}
