package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/cluster/inventory"
)

var joined = time.UnixMilli(1796083200000).UTC()

// enrolment is that of a node that has just joined.
func enrolment(name, serial string) inventory.Enrolment {
	return inventory.Enrolment{
		Name: name, Key: inventory.Fingerprint{1}, Token: inventory.Fingerprint{2}, Joined: joined,
		Admission: inventory.Admission{Serial: serial, Expires: joined.Add(24 * time.Hour)},
	}
}

func admit(t *testing.T, k Nodes, all ...inventory.Enrolment) {
	t.Helper()
	for _, e := range all {
		if err := k.Admit(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
}

func enrolments(t *testing.T, k Nodes) []inventory.Enrolment {
	t.Helper()
	all, err := k.Enrolments(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestNodesAreKept(t *testing.T) {
	k := open(t).Nodes()
	a, b := enrolment("gpu-a", "0a"), enrolment("gpu-b", "0b")
	admit(t, k, b, a)
	if diff := cmp.Diff([]inventory.Enrolment{a, b}, enrolments(t, k)); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	a.Seen, a.Build, a.Limits, a.Node = joined.Add(time.Minute), "1.0", inventory.Limits{Ranks: 8}, inventory.Node{Host: "a", CPUs: 4}
	if err := k.Note(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, enrolments(t, k)[0]); diff != "" {
		t.Errorf("node that was heard (-want +got):\n%s", diff)
	}
}

func TestNodesAreAmended(t *testing.T) {
	k := open(t).Nodes()
	admit(t, k, enrolment("gpu-a", "0a"))
	for _, step := range []struct {
		change            inventory.Change
		draining, revoked bool
	}{
		{inventory.Drain, true, false}, {inventory.Drain, true, false}, {inventory.Resume, false, false},
		{inventory.Revoke, false, true}, {inventory.Revoke, false, true},
	} {
		if err := k.Amend(t.Context(), "gpu-a", step.change); err != nil {
			t.Fatal(err)
		}
		stands, err := k.Decisions(t.Context())
		want := []inventory.Decision{{Name: "gpu-a", Draining: step.draining, Revoked: step.revoked, Admission: enrolments(t, k)[0].Admission}}
		if diff := cmp.Diff(want, stands); err != nil || diff != "" {
			t.Errorf("after %s: %v (-want +got):\n%s", step.change, err, diff)
		}
		if e := enrolments(t, k)[0]; e.Draining != step.draining || e.Revoked != step.revoked || e.Admission.Revoked != step.revoked {
			t.Errorf("after %s: %+v", step.change, e)
		}
	}
	for _, change := range inventory.Changes() {
		if err := k.Amend(t.Context(), "gpu-z", change); !errors.Is(err, inventory.ErrNoNode) {
			t.Errorf("%s a node that there is not: %v", change, err)
		}
	}
	if err := k.Amend(t.Context(), "gpu-a", "explode"); err == nil {
		t.Error("any word is a change")
	}
	if err := k.Amend(t.Context(), "gpu-a", inventory.Forget); err != nil {
		t.Fatal(err)
	}
	if all := enrolments(t, k); len(all) != 0 {
		t.Errorf("nodes after forget: %+v", all)
	}
	if _, _, err := k.Certificate(t.Context(), "0a"); !errors.Is(err, inventory.ErrNoNode) {
		t.Errorf("certificate of a forgotten node: %v", err)
	}
}

func TestCertificatesAreTheirNodes(t *testing.T) {
	k := open(t).Nodes()
	admit(t, k, enrolment("gpu-a", "0a"))
	next := inventory.Admission{Serial: "0c", Expires: joined.Add(36 * time.Hour)}
	if err := k.Certify(t.Context(), "gpu-a", next, joined.Add(12*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(next, enrolments(t, k)[0].Admission); diff != "" {
		t.Errorf("newest certificate (-want +got):\n%s", diff)
	}
	for _, serial := range []string{"0a", "0c"} { // both count until the node has used the new one
		name, a, err := k.Certificate(t.Context(), serial)
		if err != nil || name != "gpu-a" || a.Serial != serial || a.Revoked {
			t.Errorf("certificate %s: %s, %+v, %v", serial, name, a, err)
		}
	}
	// Whoever joins under the name takes its place, and its certificates count
	// no more; those that have expired are forgotten.
	again := enrolment("gpu-a", "0d")
	again.Joined = joined.Add(30 * time.Hour)
	again.Admission.Expires = again.Joined.Add(24 * time.Hour)
	admit(t, k, again)
	if _, _, err := k.Certificate(t.Context(), "0a"); !errors.Is(err, inventory.ErrNoNode) {
		t.Errorf("expired certificate: %v", err)
	}
	if _, a, err := k.Certificate(t.Context(), "0c"); err != nil || !a.Revoked {
		t.Errorf("certificate of before: %+v, %v", a, err)
	}
	if _, a, err := k.Certificate(t.Context(), "0d"); err != nil || a.Revoked {
		t.Errorf("certificate of now: %+v, %v", a, err)
	}
	if err := k.Amend(t.Context(), "gpu-a", inventory.Revoke); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"revoked": k.Certify(t.Context(), "gpu-a", inventory.Admission{Serial: "0e", Expires: joined.Add(90 * time.Hour)}, joined),
		"unknown": k.Certify(t.Context(), "gpu-z", inventory.Admission{Serial: "0f", Expires: joined.Add(90 * time.Hour)}, joined),
	} {
		if !errors.Is(err, inventory.ErrNoNode) {
			t.Errorf("certify a node that is %s: %v", name, err)
		}
	}
}

func TestLinksAreKept(t *testing.T) {
	k := open(t).Nodes()
	admit(t, k, enrolment("gpu-a", "0a"), enrolment("gpu-b", "0b"))
	there := inventory.Link{From: "gpu-a", To: "gpu-b", Latency: 12e-6, Rate: 12.5e9, Time: joined}
	back := inventory.Link{From: "gpu-b", To: "gpu-a", Time: joined, Fault: "no answer"}
	gone := inventory.Link{From: "gpu-a", To: "gpu-z", Time: joined}
	if err := k.SaveLinks(t.Context(), []inventory.Link{there, back, gone}); err != nil {
		t.Fatal(err)
	}
	back.Fault, back.Rate = "", 1e9
	if err := k.SaveLinks(t.Context(), []inventory.Link{back}); err != nil {
		t.Fatal(err)
	}
	got, err := k.Links(t.Context())
	if diff := cmp.Diff([]inventory.Link{there, back}, got); err != nil || diff != "" {
		t.Errorf("links: %v (-want +got):\n%s", err, diff)
	}
	if err := k.Amend(t.Context(), "gpu-b", inventory.Forget); err != nil {
		t.Fatal(err)
	}
	if got, err := k.Links(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("links of a forgotten node: %+v, %v", got, err)
	}
}
