package store

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/web/account"
)

func TestAuditIsReadBackwards(t *testing.T) {
	audit := open(t).Audit()
	var all []account.AuditEntry // newest first
	for i, e := range []account.AuditEntry{
		{Who: "ada", Via: account.ByPassword, From: "192.0.2.7", Action: account.LogIn, Target: "password", Outcome: account.Allowed},
		{Who: "eve", From: "192.0.2.9", Action: account.LogIn, Target: "password", Outcome: account.Refused},
		{Who: "ada", Via: account.ByPassword, From: "192.0.2.7", Action: account.StartRun, Target: "k3x9", Outcome: account.Failed, Detail: "disk is full"},
		{From: "2001:db8::7", Action: account.RefuseRequest, Target: "GET /", Outcome: account.Refused, Detail: "host is not the console's own"},
		{From: "192.0.2.8", Action: account.JoinNode, Target: "b", Outcome: account.Refused, Detail: "no", Said: map[string]string{"why": "name", "node": "b"}},
	} {
		e.At = noon.Add(time.Duration(i) * time.Second).Local()
		if err := audit.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		e.ID = int64(i + 1)
		all = append([]account.AuditEntry{e}, all...)
	}
	for name, c := range map[string]struct {
		filter account.AuditFilter
		limit  int
		want   []account.AuditEntry
	}{
		"all":             {account.AuditFilter{}, 10, all},
		"first page":      {account.AuditFilter{}, 3, all[:3]},
		"second page":     {account.AuditFilter{Before: 3}, 2, all[3:]},
		"end":             {account.AuditFilter{Before: 1}, 2, nil},
		"logins":          {account.AuditFilter{Action: account.LogIn}, 10, []account.AuditEntry{all[3], all[4]}},
		"refusals":        {account.AuditFilter{Outcome: account.Refused}, 10, []account.AuditEntry{all[0], all[1], all[3]}},
		"of ada":          {account.AuditFilter{Who: "ada"}, 10, []account.AuditEntry{all[2], all[4]}},
		"ada's logins":    {account.AuditFilter{Who: "ada", Action: account.LogIn}, 10, all[4:]},
		"no such action":  {account.AuditFilter{Action: "dance"}, 10, nil},
		"what SQL is not": {account.AuditFilter{Who: "ada' OR '1'='1"}, 10, nil},
	} {
		got, err := audit.List(t.Context(), c.filter, c.limit)
		if err != nil || cmp.Diff(c.want, got) != "" {
			t.Errorf("%s: %v\n%s", name, err, cmp.Diff(c.want, got))
		}
	}
}

// fill adds entries as if they had come before.
func fill(t *testing.T, s *Store, entries int, via, outcome string) {
	t.Helper()
	if _, err := s.write.ExecContext(t.Context(), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO audit (at_ms, who, via, from_addr, action, target, outcome, detail) SELECT i, '', ?, '', 'refuse', '', ?, '' FROM n`, entries, via, outcome); err != nil {
		t.Fatal(err)
	}
}

// keptEntries counts the entries of members and of strangers.
func keptEntries(t *testing.T, s *Store) (members, strangers int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE NOT (`+ofStrangers+`)), count(*) FILTER (WHERE `+ofStrangers+`) FROM audit`).Scan(&members, &strangers); err != nil {
		t.Fatal(err)
	}
	return members, strangers
}

// Neither what members do nor what is refused to strangers crowds the other out.
func TestAuditIsBounded(t *testing.T) {
	s := open(t)
	append := func(e account.AuditEntry) {
		t.Helper()
		e.At = noon
		if err := s.Audit().Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	append(account.AuditEntry{Action: account.AddUser, Who: "ada", Via: account.ByPassword, Outcome: account.Allowed, Detail: strings.Repeat("密", account.MaxAuditText)})
	fill(t, s, 2*keptOfMembers, "", "refused")
	for range dropEvery {
		append(account.AuditEntry{Action: account.LogIn, Outcome: account.Refused})
	}
	members, strangers := keptEntries(t, s)
	if members != 1 || strangers < keptOfStrangers || strangers > keptOfStrangers+dropEvery {
		t.Errorf("after a flood of strangers: %d of members, %d of strangers", members, strangers)
	}
	fill(t, s, 2*keptOfMembers, "password", "ok")
	for range dropEvery {
		append(account.AuditEntry{Action: account.LogIn, Who: "bob", Via: account.ByPassword, Outcome: account.Refused})
	}
	members, strangers = keptEntries(t, s)
	if members < keptOfMembers || members > keptOfMembers+dropEvery || strangers < keptOfStrangers {
		t.Errorf("after a flood of members: %d of members, %d of strangers", members, strangers)
	}
	got, err := s.Audit().List(t.Context(), account.AuditFilter{}, 1)
	if err != nil || got[0].Who != "bob" {
		t.Errorf("the newest is %+v, %v", got, err)
	}
}

func TestAuditTextsAreCut(t *testing.T) {
	audit := open(t).Audit()
	long := strings.Repeat("密", account.MaxAuditText)
	if err := audit.Append(t.Context(), account.AuditEntry{At: noon, Action: account.LogIn, Outcome: account.Allowed, Detail: long, Said: map[string]string{"why": long}}); err != nil {
		t.Fatal(err)
	}
	got, err := audit.List(t.Context(), account.AuditFilter{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{got[0].Detail, got[0].Said["why"]} {
		if len(text) > account.MaxAuditText || strings.Trim(text, "密") != "" || text == "" {
			t.Errorf("a text of %d bytes is kept as %q", len(long), text)
		}
	}
}
