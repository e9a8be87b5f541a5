package static

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// theme is the value of each colour token, as #rrggbb.
type theme map[string]string

// themes reads the light and the dark colours from tokens.css.
func themes(t *testing.T) (light, dark theme) {
	t.Helper()
	css, err := embedded.ReadFile("css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark = theme{}, theme{}
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(string(css), -1) {
		light[m[1]], dark[m[1]] = m[2], m[3]
	}
	if want := strings.Count(string(css), "light-dark(") - 1; len(light) != want { // one stands in the comment
		t.Fatalf("%d of %d colours can be read", len(light), want)
	}
	return light, dark
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil || len(colour) != 7 {
		t.Fatalf("%q is no colour", colour)
	}
	linear := func(c uint64) float64 {
		v := float64(c&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
}

// contrast is the contrast ratio of WCAG 2.2, 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	hi, lo := luminance(t, a), luminance(t, b)
	if hi < lo {
		hi, lo = lo, hi
	}
	return (hi + 0.05) / (lo + 0.05)
}

func TestContrast(t *testing.T) {
	if got := contrast(t, "#000000", "#ffffff"); math.Abs(got-21) > 1e-9 {
		t.Fatalf("black on white has contrast %v", got)
	}
	const text, graphic = 4.5, 3.0 // WCAG 1.4.3 and 1.4.11
	type pair struct {
		on, of string
		least  float64
	}
	var pairs []pair
	for _, on := range []string{"bg", "surface", "sunk"} {
		for _, of := range []string{"ink", "muted", "accent", "ok", "warn", "bad"} {
			pairs = append(pairs, pair{on, of, text})
		}
		pairs = append(pairs, pair{on, "strong", graphic}, pair{on, "accent-soft", graphic})
	}
	for _, state := range []string{"accent", "ok", "warn", "bad"} {
		pairs = append(pairs, pair{state + "-tint", "ink", text}, pair{state + "-tint", state, text})
	}
	for hue := range 8 {
		c := fmt.Sprintf("c%d", hue)
		pairs = append(pairs, pair{c, c + "-on", text}, pair{"surface", c + "-edge", graphic})
	}
	light, dark := themes(t)
	for name, colours := range map[string]theme{"light": light, "dark": dark} {
		for _, p := range pairs {
			if colours[p.on] == "" || colours[p.of] == "" {
				t.Fatalf("token %s or %s is missing", p.on, p.of)
			}
			if got := contrast(t, colours[p.on], colours[p.of]); got < p.least {
				t.Errorf("%s: %s on %s has contrast %.2f, want %.1f", name, p.of, p.on, got, p.least)
			}
		}
	}
}

// A token that nobody defines makes a rule vanish in silence.
func TestEveryTokenUsedIsDefined(t *testing.T) {
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	var css strings.Builder
	for name, file := range f.byName {
		if strings.HasSuffix(name, ".css") {
			css.Write(file.content)
		}
	}
	defined := map[string]bool{}
	for _, m := range regexp.MustCompile(`(--[\w-]+):`).FindAllStringSubmatch(css.String(), -1) {
		defined[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`var\((--[\w-]+)\)`).FindAllStringSubmatch(css.String(), -1) {
		if !defined[m[1]] {
			t.Errorf("%s is used and not defined", m[1])
		}
	}
}
