package account_test

import (
	"errors"
	"strings"
	"testing"

	"lockstep/web/account"
)

func TestNamesHaveOneSpelling(t *testing.T) {
	for given, want := range map[string]string{
		"ada":                                "ada",
		"Ada":                                "ada",
		" ada ":                              "ada",
		"ada.l_ovelace-1":                    "ada.l_ovelace-1",
		"ada@example.com":                    "ada@example.com",
		"张三":                                 "张三",
		"ａｄａ":                                "ada", // full width
		"e\u0301lise":                        "élise",
		strings.Repeat("x", account.MaxName): strings.Repeat("x", account.MaxName),
	} {
		if got, err := account.ParseName(given); err != nil || got != want {
			t.Errorf("ParseName(%q) = %q, %v; want %q", given, got, err, want)
		}
	}
}

func TestNamesAreRefused(t *testing.T) {
	for _, given := range []string{
		"", " ", "-ada", ".ada", "a b", "a/b", `a\b`, "a\nb", "a\x00b", "<b>", "a,b", "a:b", "\u200bada", "\xff", strings.Repeat("x", account.MaxName+1), strings.Repeat("x", 1<<20),
	} {
		got, err := account.ParseName(given)
		if !errors.Is(err, account.ErrName) {
			t.Errorf("ParseName(%.20q) = %q, %v; want ErrName", given, got, err)
		} else if len(err.Error()) > 500 {
			t.Errorf("the refusal of a name of %d bytes has %d", len(given), len(err.Error()))
		}
	}
}

func TestRolesIncludeOneAnother(t *testing.T) {
	for _, c := range []struct {
		has, needed account.Role
		may         bool
	}{
		{account.Viewer, account.Viewer, true},
		{account.Viewer, account.Presenter, false},
		{account.Viewer, account.Admin, false},
		{account.Presenter, account.Viewer, true},
		{account.Presenter, account.Presenter, true},
		{account.Presenter, account.Admin, false},
		{account.Admin, account.Viewer, true},
		{account.Admin, account.Presenter, true},
		{account.Admin, account.Admin, true},
		{"", account.Viewer, false},
		{"root", account.Viewer, false},
		{account.Admin, "", false},
		{account.Admin, "root", false},
	} {
		if got := c.has.May(c.needed); got != c.may {
			t.Errorf("%q may do what takes %q: %t", c.has, c.needed, got)
		}
	}
	for _, bad := range []string{"", "root", "Admin", "admin "} {
		if role, err := account.ParseRole(bad); !errors.Is(err, account.ErrRole) {
			t.Errorf("ParseRole(%q) = %q, %v", bad, role, err)
		}
	}
	for _, role := range account.Roles() {
		if got, err := account.ParseRole(string(role)); err != nil || got != role {
			t.Errorf("ParseRole(%q) = %q, %v", role, got, err)
		}
	}
}
