package store

import (
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/web/account"
)

// addToken keeps a fresh token and returns its text.
func addToken(t *testing.T, s *Store, q account.TokenRequest, at time.Time) (string, account.Token) {
	t.Helper()
	text, token, err := account.NewToken(q, at)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Tokens().Add(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	return text, token
}

func TestJoinTokenIsRedeemedOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	stores := []*Store{openIn(t, dir), openIn(t, dir)} // as two processes would
	text, token := addToken(t, stores[0], account.TokenRequest{Kind: account.JoinToken, Label: "rack 7", By: "ada"}, noon)
	var group sync.WaitGroup
	var redeemed, refused atomic.Int32
	for i := range 16 {
		group.Go(func() {
			switch name, err := stores[i%2].Tokens().Redeem(t.Context(), "join", text, noon.Add(time.Minute)); {
			case err == nil && name == "rack 7":
				redeemed.Add(1)
			case errors.Is(err, account.ErrTokenRefused) && name == "":
				refused.Add(1)
			default:
				t.Errorf("%q, %v", name, err)
			}
		})
	}
	group.Wait()
	if redeemed.Load() != 1 || refused.Load() != 15 {
		t.Errorf("redeemed %d times and refused %d times, want 1 and 15", redeemed.Load(), refused.Load())
	}
	all, err := stores[1].Tokens().List(t.Context())
	token.Used = noon.Add(time.Minute)
	token.Created, token.Expires, token.Used = token.Created.Local(), token.Expires.Local(), token.Used.Local()
	if err != nil || cmp.Diff([]account.Token{token}, all) != "" {
		t.Errorf("%v\n%s", err, cmp.Diff([]account.Token{token}, all))
	}
}

func TestUsedTokenIsKnownUntilItIsRevoked(t *testing.T) {
	s := open(t)
	text, token := addToken(t, s, account.TokenRequest{Kind: account.JoinToken, Label: "rack 7"}, noon)
	redeemed := func(want error) {
		t.Helper()
		if name, err := s.Tokens().Redeemed(t.Context(), text); !errors.Is(err, want) || want == nil && name != "rack 7" {
			t.Errorf("Redeemed = %q, %v; want %v", name, err, want)
		}
	}
	redeemed(account.ErrTokenRefused) // not used yet
	if _, err := s.Tokens().Redeem(t.Context(), "join", text, noon); err != nil {
		t.Fatal(err)
	}
	redeemed(nil)
	if _, err := s.Tokens().Revoke(t.Context(), token.ID, noon); err != nil {
		t.Fatal(err)
	}
	redeemed(account.ErrTokenRefused)
	if _, err := s.Tokens().Redeemed(t.Context(), "nonsense"); !errors.Is(err, account.ErrTokenRefused) {
		t.Errorf("Redeemed of nonsense: %v", err)
	}
}

func TestTokensAreRefused(t *testing.T) {
	s := open(t)
	join, _ := addToken(t, s, account.TokenRequest{Kind: account.JoinToken}, noon)
	api, kept := addToken(t, s, account.TokenRequest{Kind: account.APIToken, Lifetime: time.Hour, Role: account.Presenter}, noon)
	revoked, cut := addToken(t, s, account.TokenRequest{Kind: account.APIToken}, noon)
	cutJoin, cutToo := addToken(t, s, account.TokenRequest{Kind: account.JoinToken}, noon)
	for _, id := range []string{cut.ID, cutToo.ID} {
		if _, err := s.Tokens().Revoke(t.Context(), id, noon.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	never, _, err := account.NewToken(account.TokenRequest{Kind: account.APIToken}, noon)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, kind, secret string
		at                 time.Time
	}{
		{"a join token as an api token", "api", join, noon},
		{"an api token as a join token", "join", api, noon},
		{"an unknown kind", "root", api, noon},
		{"an expired join token", "join", join, noon.Add(time.Hour)},
		{"an expired api token", "api", api, noon.Add(time.Hour)},
		{"a revoked api token", "api", revoked, noon},
		{"a revoked join token", "join", cutJoin, noon},
		{"one that was never issued", "api", never, noon},
		{"nonsense", "api", "nonsense", noon},
		{"nothing", "join", "", noon},
	} {
		if name, err := s.Tokens().Redeem(t.Context(), c.kind, c.secret, c.at); !errors.Is(err, account.ErrTokenRefused) || name != "" {
			t.Errorf("%s: %q, %v", c.name, name, err)
		}
	}
	got, err := s.Tokens().Authenticate(t.Context(), api, noon.Add(time.Hour-time.Millisecond))
	if err != nil || got.ID != kept.ID || got.Role != account.Presenter {
		t.Errorf("in its last moment: %+v, %v", got, err)
	}
	if name, err := s.Tokens().Redeem(t.Context(), "api", api, noon); err != nil || name != kept.ID {
		t.Errorf("an api token by Redeem: %q, %v", name, err)
	}
	if name, err := s.Tokens().Redeem(t.Context(), "join", join, noon); err != nil || name == "" {
		t.Errorf("a join token after all that: %q, %v", name, err)
	}
	if _, err := s.Tokens().Revoke(t.Context(), "nonesuch", noon); !errors.Is(err, account.ErrNoToken) {
		t.Errorf("revoke what does not exist: %v", err)
	}
}

func TestUseOfAnAPITokenIsNotedRoughly(t *testing.T) {
	s := open(t)
	text, _ := addToken(t, s, account.TokenRequest{Kind: account.APIToken}, noon)
	used := func() time.Time {
		all, err := s.Tokens().List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all[0].Used
	}
	for _, c := range []struct{ at, want time.Duration }{{0, 0}, {59 * time.Second, 0}, {time.Minute, time.Minute}, {90 * time.Second, time.Minute}} {
		if _, err := s.Tokens().Authenticate(t.Context(), text, noon.Add(c.at)); err != nil {
			t.Fatal(err)
		}
		if got := used(); !got.Equal(noon.Add(c.want)) {
			t.Errorf("after a use at %v it was used %v", c.at, got.Sub(noon))
		}
	}
}

func TestRevokingTwiceKeepsTheFirstMoment(t *testing.T) {
	s := open(t)
	_, token := addToken(t, s, account.TokenRequest{Kind: account.APIToken}, noon)
	for _, at := range []time.Time{noon.Add(time.Minute), noon.Add(time.Hour)} {
		if got, err := s.Tokens().Revoke(t.Context(), token.ID, at); err != nil || !got.Revoked.Equal(noon.Add(time.Minute)) {
			t.Errorf("revoked %v, %v", got.Revoked, err)
		}
	}
}

func TestAddForgetsTokensThatAreLongDead(t *testing.T) {
	s := open(t)
	addToken(t, s, account.TokenRequest{Kind: account.JoinToken}, noon.Add(-2*deadTokens)) // expired long ago
	_, cut := addToken(t, s, account.TokenRequest{Kind: account.APIToken, Lifetime: 366 * 24 * time.Hour}, noon.Add(-2*deadTokens))
	if _, err := s.Tokens().Revoke(t.Context(), cut.ID, noon.Add(-2*deadTokens)); err != nil {
		t.Fatal(err)
	}
	_, live := addToken(t, s, account.TokenRequest{Kind: account.APIToken}, noon.Add(-deadTokens))
	addToken(t, s, account.TokenRequest{Kind: account.JoinToken}, noon.Add(-deadTokens/2)) // dead, not for long
	_, last := addToken(t, s, account.TokenRequest{Kind: account.JoinToken}, noon)
	all, err := s.Tokens().List(t.Context())
	if err != nil || len(all) != 3 || all[0].ID != last.ID || all[2].ID != live.ID {
		t.Errorf("%d tokens are listed, %v; want 3, the newest first", len(all), err)
	}
}
