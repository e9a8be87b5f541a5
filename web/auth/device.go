package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"lockstep/web/account"
)

// A browser in which a password has opened an account keeps proof of that, a
// nonce and its HMAC under the account's password hash. It opens nothing: it
// tells the browser's own attempts from those of others, which come from the
// same address, for a Throttle. With another password it counts no more.
const nonceBytes = 16

// deviceName is the name of the cookie, made as that of the session.
func (g *Gate) deviceName() string {
	return strings.Replace(g.sessions.Cookie.Name, "lockstep_session_", "lockstep_device_", 1)
}

// Device returns what tells the browser apart if it has opened the account
// before; empty if not.
func (g *Gate) Device(r *http.Request, name string) string {
	cookie, err := r.Cookie(g.deviceName())
	if err != nil || g.users == nil {
		return ""
	}
	nonce, proof, _ := strings.Cut(cookie.Value, ".")
	given, err := base64.RawURLEncoding.DecodeString(proof)
	if err != nil || len(nonce) != base64.RawURLEncoding.EncodedLen(nonceBytes) {
		return ""
	}
	user, err := g.users.Find(r.Context(), name)
	if err != nil || !hmac.Equal(given, deviceProof(user, nonce)) {
		return ""
	}
	return nonce
}

// Remember has the browser of whoever is in with a password keep the proof.
func (g *Gate) Remember(ctx context.Context, w http.ResponseWriter) error {
	actor, in := From(ctx)
	if !in || actor.Via != account.ByPassword {
		return nil
	}
	user, err := g.users.Find(ctx, actor.Name)
	if err != nil {
		return err
	}
	var random [nonceBytes]byte
	_, _ = rand.Read(random[:]) // documented never to fail
	nonce := base64.RawURLEncoding.EncodeToString(random[:])
	http.SetCookie(w, &http.Cookie{
		Name: g.deviceName(), Value: nonce + "." + base64.RawURLEncoding.EncodeToString(deviceProof(user, nonce)), Path: "/",
		MaxAge: int(rememberFor.Seconds()), HttpOnly: true, Secure: g.sessions.Cookie.Secure, SameSite: http.SameSiteStrictMode,
	})
	return nil
}

func deviceProof(u account.User, nonce string) []byte {
	mac := hmac.New(sha256.New, []byte(u.Hash))
	mac.Write([]byte("device\x00" + u.Name + "\x00" + nonce))
	return mac.Sum(nil)
}
