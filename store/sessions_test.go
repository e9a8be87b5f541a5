package store

import (
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
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
