package account_test

import (
	"errors"
	"net/url"
	"testing"
	"time"

	"lockstep/web/account"
)

var noon = time.Date(2025, 12, 1, 12, 0, 0, 0, time.UTC)

func TestKeyTextLeadsToItsDigest(t *testing.T) {
	text, key := account.NewOpeningKey(noon)
	got, err := account.ParseKey(text)
	if err != nil || got != key.Digest {
		t.Fatalf("ParseKey(%q) = %x, %v; want the digest of the key", text, got, err)
	}
	if escaped := url.QueryEscape(text); escaped != text {
		t.Errorf("key %q needs escaping in a URL (%q)", text, escaped)
	}
	if len(text) != account.KeyCharacters {
		t.Errorf("key %q has %d characters; 128 bits take %d", text, len(text), account.KeyCharacters)
	}
}

func TestKeysDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		text, _ := account.NewOpeningKey(noon)
		if seen[text] {
			t.Fatalf("key %q came twice", text)
		}
		seen[text] = true
	}
}

func TestParseKeyRefuses(t *testing.T) {
	text, _ := account.NewOpeningKey(noon)
	for name, bad := range map[string]string{
		"empty":             "",
		"short":             text[:21],
		"long":              text + "A",
		"padded":            text + "==",
		"standard alphabet": "++++++++++++++++++++++",
		"stray low bits":    text[:21] + "_", // the last character carries four bits that must be zero
		"blank inside":      text[:10] + " " + text[11:],
	} {
		if _, err := account.ParseKey(bad); !errors.Is(err, account.ErrKeyRefused) {
			t.Errorf("%s: ParseKey(%q) = %v, want ErrKeyRefused", name, bad, err)
		}
	}
}

func TestKeyExpires(t *testing.T) {
	_, key := account.NewOpeningKey(noon)
	if !key.ValidAt(noon.Add(account.KeyLifetime - time.Nanosecond)) {
		t.Error("key is refused before its end")
	}
	if key.ValidAt(noon.Add(account.KeyLifetime)) {
		t.Error("key is accepted at its end")
	}
}
