package store

import (
	"errors"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/go-cmp/cmp"

	"lockstep/web/account"
)

var _ scs.CtxStore = (*Sessions)(nil)

func TestSessionLastsUntilItsExpiry(t *testing.T) {
	now := noon
	sessions := open(t).Sessions(func() time.Time { return now })
	if err := sessions.Commit("token", []byte("first"), noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := sessions.Commit("token", []byte("second"), noon.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	now = noon.Add(2*time.Hour - time.Millisecond)
	if content, found, err := sessions.Find("token"); err != nil || !found || string(content) != "second" {
		t.Errorf("Find = %q, %v, %v; want the second content", content, found, err)
	}
	now = noon.Add(2 * time.Hour)
	if _, found, err := sessions.Find("token"); err != nil || found {
		t.Errorf("expired session: found %v, %v", found, err)
	}
}

func TestSessionIsDeleted(t *testing.T) {
	sessions := open(t).Sessions(func() time.Time { return noon })
	if err := sessions.Commit("token", []byte("content"), noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing, which is no error
		if err := sessions.Delete("token"); err != nil {
			t.Fatal(err)
		}
	}
	if _, found, err := sessions.Find("token"); err != nil || found {
		t.Errorf("deleted session: found %v, %v", found, err)
	}
}

func TestCommitForgetsExpiredSessions(t *testing.T) {
	s := open(t)
	now := noon
	sessions := s.Sessions(func() time.Time { return now })
	for _, token := range []string{"a", "b"} {
		if err := sessions.Commit(token, []byte("content"), now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Hour)
	}
	if n := rowsOf(t, s.read)["sessions"]; n != 1 {
		t.Errorf("%d sessions are kept, want 1", n)
	}
}

func TestOtherTokensFindNothing(t *testing.T) {
	sessions := open(t).Sessions(func() time.Time { return noon })
	if err := sessions.Commit("token", []byte("content"), noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"", "Token", "token\x00", "' OR 1=1 --"} {
		if _, found, err := sessions.Find(token); err != nil || found {
			t.Errorf("Find(%q) = %v, %v", token, found, err)
		}
	}
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	now := noon
	sessions := open(t).Sessions(func() time.Time { return now })
	for i, token := range []string{"a", "b", "c"} {
		if err := sessions.Commit(token, []byte(token), noon.Add(time.Duration(i+1)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	now = noon.Add(time.Hour)                              // a is over
	for _, step := range []time.Duration{0, useStep / 2} { // the second is too soon to be noted
		now = now.Add(step)
		if _, found, err := sessions.Find("b"); err != nil || !found {
			t.Fatal(found, err)
		}
	}
	want := []account.KeptSession{
		{ID: account.SessionIDOf("b"), Content: []byte("b"), Seen: noon.Add(time.Hour).Local(), Expires: noon.Add(2 * time.Hour).Local()},
		{ID: account.SessionIDOf("c"), Content: []byte("c"), Seen: noon.Local(), Expires: noon.Add(3 * time.Hour).Local()},
	}
	got, err := sessions.Kept(t.Context(), 10)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if got, err := sessions.Kept(t.Context(), 1); err != nil || len(got) != 1 {
		t.Errorf("one of two: %d, %v", len(got), err)
	}
	ended, err := sessions.End(t.Context(), want[0].ID)
	if diff := cmp.Diff(want[0], ended); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, found, err := sessions.Find("b"); err != nil || found {
		t.Errorf("the ended one is found: %v, %v", found, err)
	}
	for _, token := range []string{"a", "b", "nonsense"} {
		if _, err := sessions.End(t.Context(), account.SessionIDOf(token)); !errors.Is(err, account.ErrNoSession) {
			t.Errorf("end of %s: %v", token, err)
		}
	}
}
