package store

import (
	"errors"
	"testing"
	"time"

	"lockstep/sizing/report"
)

func TestAShareOpensUntilItIsRevokedOrExpires(t *testing.T) {
	s, now := open(t), time.Now()
	saved, err := s.Reports().Save(t.Context(), draft(t, "shared"), now)
	if err != nil {
		t.Fatal(err)
	}
	var secrets []string
	var shares []report.Share
	for range 2 {
		share, secret := report.NewShare(saved, "zh", "ada", now, time.Hour)
		if err := s.Reports().Share(t.Context(), share); err != nil {
			t.Fatal(err)
		}
		secrets, shares = append(secrets, secret), append(shares, share)
	}
	if live, err := s.Reports().Shares(t.Context(), saved.ID, 1, now); err != nil || len(live) != 2 {
		t.Fatalf("%d live links, %v", len(live), err)
	}
	if opened, err := s.Reports().Opened(t.Context(), secrets[0], now); err != nil || opened.Report != saved.ID || opened.Version != 1 || opened.Lang != "zh" || opened.By != "ada" {
		t.Errorf("opened %+v, %v", opened, err)
	}
	if _, err := s.Reports().Unshare(t.Context(), shares[0].ID, now); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		secret string
		at     time.Time
		want   error
	}{
		"revoked": {secrets[0], now, report.ErrShareGone},
		"expired": {secrets[1], now.Add(time.Hour), report.ErrShareGone},
		"live":    {secrets[1], now.Add(time.Hour - time.Second), nil},
		"unknown": {"AAAAAAAAAAAAAAAAAAAAAA", now, report.ErrShareUnknown},
		"nothing": {"", now, report.ErrShareUnknown},
	} {
		if _, err := s.Reports().Opened(t.Context(), c.secret, c.at); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if live, err := s.Reports().Shares(t.Context(), saved.ID, 1, now); err != nil || len(live) != 1 || live[0].ID != shares[1].ID {
		t.Errorf("live links are %v, %v", live, err)
	}
	if _, err := s.Reports().Unshare(t.Context(), "nothing", now); !errors.Is(err, report.ErrShareUnknown) {
		t.Errorf("revoke nothing: %v", err)
	}
	other, _ := report.NewShare(report.Report{ID: "0009", Version: 1}, "en", "", now, time.Hour)
	if err := s.Reports().Share(t.Context(), other); !errors.Is(err, report.ErrNone) {
		t.Errorf("share of nothing: %v", err)
	}
}

// TestOldSharesAreForgotten when the next one is made.
func TestOldSharesAreForgotten(t *testing.T) {
	s, now := open(t), time.Now()
	saved, err := s.Reports().Save(t.Context(), draft(t, "shared"), now)
	if err != nil {
		t.Fatal(err)
	}
	old, secret := report.NewShare(saved, "zh", "", now, time.Hour)
	later, _ := report.NewShare(saved, "zh", "", now.Add(2*time.Hour+deadTokens), time.Hour)
	for _, share := range []report.Share{old, later} {
		if err := s.Reports().Share(t.Context(), share); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Reports().Opened(t.Context(), secret, later.Created); !errors.Is(err, report.ErrShareUnknown) {
		t.Errorf("opened after that: %v", err)
	}
}
