package store

import (
	"fmt"
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
		"first page":      {account.AuditFilter{}, 2, all[:2]},
		"second page":     {account.AuditFilter{Before: 3}, 2, all[2:]},
		"end":             {account.AuditFilter{Before: 1}, 2, nil},
		"logins":          {account.AuditFilter{Action: account.LogIn}, 10, all[2:]},
		"refusals":        {account.AuditFilter{Outcome: account.Refused}, 10, []account.AuditEntry{all[0], all[2]}},
		"of ada":          {account.AuditFilter{Who: "ada"}, 10, []account.AuditEntry{all[1], all[3]}},
		"ada's logins":    {account.AuditFilter{Who: "ada", Action: account.LogIn}, 10, all[3:]},
		"no such action":  {account.AuditFilter{Action: "dance"}, 10, nil},
		"what SQL is not": {account.AuditFilter{Who: "ada' OR '1'='1"}, 10, nil},
	} {
		got, err := audit.List(t.Context(), c.filter, c.limit)
		if err != nil || cmp.Diff(c.want, got) != "" {
			t.Errorf("%s: %v\n%s", name, err, cmp.Diff(c.want, got))
		}
	}
}

func TestAuditIsBounded(t *testing.T) {
	s := open(t)
	// As if many had come before.
	if _, err := s.write.ExecContext(t.Context(), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO audit (at_ms, who, via, from_addr, action, target, outcome, detail) SELECT i, '', '', '', 'refuse', '', 'refused', '' FROM n`, keptAudit); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		e := account.AuditEntry{At: noon, Action: account.LogIn, Who: fmt.Sprint(i), Outcome: account.Allowed, Detail: strings.Repeat("密", account.MaxAuditText)}
		if err := s.Audit().Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if n := rowsOf(t, s.read)["audit"]; n != keptAudit {
		t.Errorf("%d entries are kept, want %d", n, keptAudit)
	}
	got, err := s.Audit().List(t.Context(), account.AuditFilter{}, 4)
	if err != nil || got[0].Who != "2" || got[3].Action != account.RefuseRequest {
		t.Fatalf("the newest are %+v, %v", got, err)
	}
	if detail := got[0].Detail; len(detail) > account.MaxAuditText || strings.Trim(detail, "密") != "" || detail == "" {
		t.Errorf("a detail of %d bytes is kept as %q", 3*account.MaxAuditText, detail)
	}
}
