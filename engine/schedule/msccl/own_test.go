package msccl

import (
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// Our own attributes are believed only as far as they fit the file.
func TestOwnAttributesThatDoNotFit(t *testing.T) {
	text := export(t, build(t, schedule.Request{Collective: schedule.AllReduce, Algorithm: "central", Ranks: 3}))
	chain := export(t, build(t, schedule.Request{Collective: schedule.Broadcast, Algorithm: "chain", Ranks: 2}))
	replace := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in\n%s", old, text)
		}
		return strings.Replace(text, old, new, 1)
	}
	for name, test := range map[string]struct{ text, want string }{
		"one end has another id":    {replace(`id="1" round="2"`, `id="9" round="2"`), "receives what line "},
		"one end has another round": {replace(`id="1" round="2"`, `id="1" round="3"`), "accepted: the same of both"},
		"an id twice":               {strings.ReplaceAll(text, ` id="2" round`, ` id="1" round`), "accepted: every id once"},
		"against the order":         {strings.ReplaceAll(chain, ` id="1" round`, ` id="99" round`), "in its thread block; accepted: ascending ids"},
		"a round left out":          {strings.ReplaceAll(text, ` round="2"`, ` round="7"`), "rounds count from 1 without gaps"},
		"no number":                 {replace(`id="1" round="2"`, `id="1" round="one"`), `round="one"; accepted: 1 to`},
	} {
		_, err := Import(strings.NewReader(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), "line ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// Files at the bounds are refused, or done with, in time that fits their size.
func TestFilesThatClaimMuchEnd(t *testing.T) {
	for name, text := range map[string]string{
		"chunks":  algoText("allreduce", 1, schedule.MaxCells/64, apart, gpuText(0, chunkText(0, 0, 0))),
		"scratch": algoText("allreduce", 1, 1, inPlace, gpuText(0, chunkText(0, 0, schedule.MaxCells/16))),
		"counts": func() string {
			b := &sheetText{send: -1, recv: -1}
			for range 8 {
				b.step("cpy", "s", 0, "s", 1<<20, 1<<20)
			}
			return algoText("allreduce", 1, 1, apart, gpuText(0, chunkText(1, 1, 1<<21), b))
		}(),
		"attributes": "<algo" + strings.Repeat(` a="1"`, 1<<15) + "></algo>",
		"depth":      strings.Repeat("<algo>", 1<<15),
	} {
		if s, err := Import(strings.NewReader(text)); err == nil && name != "scratch" {
			t.Errorf("%s: let pass with %d steps", name, len(s.Steps))
		}
	}
}
