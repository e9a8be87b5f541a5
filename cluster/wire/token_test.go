package wire

import (
	"strings"
	"testing"
)

func TestTokenIsOneWord(t *testing.T) {
	want := Token{Secret: "lockstep-join-AbC_-9", Pin: Pin{1, 2, 3}}
	text := want.String()
	if strings.ContainsAny(text, " \t\n'\"\\$&|;<>()*?[]#~=%!{}`") {
		t.Errorf("a shell would touch %q", text)
	}
	for _, carried := range []string{text, text + "\n", "  " + text + "\r\n"} {
		got, err := ParseToken(carried)
		if err != nil || got != want {
			t.Errorf("ParseToken(%q) = %+v, %v", carried, got, err)
		}
	}
}

func TestParseTokenRefuses(t *testing.T) {
	good := Token{Secret: "secret", Pin: Pin{1}}.String()
	for text, says := range map[string]string{
		"":                                  "empty",
		" \n":                               "empty",
		"lockstep-api-abcdef":               "API token",
		good[:len(good)-1]:                  "cut short",
		good + "A":                          "pin",
		"two words." + Pin{1}.String():      "no secret",
		"." + Pin{1}.String():               "no secret",
		strings.Repeat("x", 300) + good[6:]: "no secret",
	} {
		_, err := ParseToken(text)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "console token create --kind join") {
			t.Errorf("ParseToken(%q) = %v; want an error that says %q and what to do", text, err, says)
		}
		if err != nil && len(text) > 5 && strings.Contains(err.Error(), text) {
			t.Errorf("the error repeats the token: %v", err)
		}
	}
}

func TestNames(t *testing.T) {
	for _, good := range []string{"a", "gpu-a", "node01.rack2_b", "9", strings.Repeat("n", 64)} {
		if err := CheckName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", "-a", ".a", "a b", "a,b", "a/b", "节点", "a\n", strings.Repeat("n", 65)} {
		if err := CheckName(bad); err == nil || !strings.Contains(err.Error(), "accepted") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
