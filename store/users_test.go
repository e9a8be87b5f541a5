package store

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/web/account"
)

// member is an account with the role.
func member(name string, role account.Role) account.User {
	return account.User{Name: name, Role: role, Hash: "$argon2id$" + name, Epoch: "first", Created: noon.Local(), Changed: noon.Local()}
}

func TestUsersAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	users := s.Users()
	for _, u := range []account.User{member("bob", account.Viewer), member("张三", account.Presenter), member("ada", account.Admin)} {
		if err := users.Add(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	if err := users.Add(t.Context(), member("ada", account.Viewer)); !errors.Is(err, account.ErrUserExists) {
		t.Errorf("a name that is taken: %v", err)
	}
	got, err := openIn(t, dir).Users().List(t.Context()) // as another process sees it
	if err != nil {
		t.Fatal(err)
	}
	want := []account.User{member("ada", account.Admin), member("bob", account.Viewer), member("张三", account.Presenter)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-kept +read):\n%s", diff)
	}
	if _, err := users.Find(t.Context(), "nobody"); !errors.Is(err, account.ErrNoUser) {
		t.Errorf("a name without an account: %v", err)
	}
}

func TestUsersChange(t *testing.T) {
	users := open(t).Users()
	if err := users.Add(t.Context(), member("ada", account.Viewer)); err != nil {
		t.Fatal(err)
	}
	want := account.User{Name: "ada", Role: account.Presenter, Hash: "other", Epoch: "second", Created: noon.Local(), Changed: noon.Add(time.Hour).Local()}
	err := users.Change(t.Context(), "ada", true, func(u *account.User) error {
		*u = want
		u.Name, u.Created = "eve", time.Time{} // which stay
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := users.Find(t.Context(), "ada"); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
	unwilling := errors.New("unwilling")
	err = users.Change(t.Context(), "ada", false, func(u *account.User) error {
		u.Role = account.Admin
		return unwilling
	})
	if got, _ := users.Find(t.Context(), "ada"); !errors.Is(err, unwilling) || got.Role != account.Presenter {
		t.Errorf("a change that fails: %v, role %s", err, got.Role)
	}
	if err := users.Change(t.Context(), "eve", false, func(*account.User) error { return nil }); !errors.Is(err, account.ErrNoUser) {
		t.Errorf("a name without an account: %v", err)
	}
	if err := users.Change(t.Context(), "ada", false, func(u *account.User) error { u.Role = "root"; return nil }); err == nil {
		t.Error("an unknown role is kept")
	}
}

func TestTheLastAdminStaysWhereOneIsNeeded(t *testing.T) {
	users := open(t).Users()
	for _, u := range []account.User{member("ada", account.Admin), member("bea", account.Admin), member("bob", account.Viewer)} {
		if err := users.Add(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	demote := func(u *account.User) error { u.Role = account.Presenter; return nil }
	if err := users.Change(t.Context(), "ada", true, demote); err != nil {
		t.Fatalf("one of two: %v", err)
	}
	if err := users.Change(t.Context(), "bea", true, demote); !errors.Is(err, account.ErrLastAdmin) {
		t.Errorf("the last one becomes a presenter: %v", err)
	}
	if err := users.Remove(t.Context(), "bea", true); !errors.Is(err, account.ErrLastAdmin) {
		t.Errorf("the last one goes: %v", err)
	}
	if u, err := users.Find(t.Context(), "bea"); err != nil || u.Role != account.Admin {
		t.Errorf("she is %+v, %v", u, err)
	}
	if err := users.Remove(t.Context(), "bob", true); err != nil {
		t.Errorf("a viewer goes: %v", err)
	}
	if err := users.Remove(t.Context(), "bob", true); !errors.Is(err, account.ErrNoUser) {
		t.Errorf("he goes again: %v", err)
	}
	if err := users.Remove(t.Context(), "bea", false); err != nil {
		t.Errorf("where none is needed: %v", err)
	}
	if err := users.Change(t.Context(), "ada", true, demote); err != nil {
		t.Errorf("where there was none: %v", err)
	}
}
