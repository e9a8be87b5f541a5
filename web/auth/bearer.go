package auth

import (
	"context"
	"net/http"
	"strings"

	"lockstep/web/account"
)

// bearer returns the token that a request carries in its header (RFC 6750).
func bearer(r *http.Request) (secret string, brought bool) {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(secret), strings.EqualFold(scheme, "Bearer")
}

// byToken returns who carries the token. The error of one that opens nothing
// is account.ErrTokenRefused.
func (g *Gate) byToken(ctx context.Context, secret string) (account.Actor, error) {
	if g.tokens == nil {
		return account.Actor{}, account.ErrTokenRefused
	}
	t, err := g.tokens.Authenticate(ctx, secret, g.now())
	if err != nil {
		return account.Actor{}, err
	}
	return account.Actor{Name: t.Name(), Role: t.Role, Via: account.ByToken}, nil
}
