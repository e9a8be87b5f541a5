package msccl

import (
	"errors"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// Whatever the bytes are, Import ends, and what it lets pass is proved and
// goes out and comes in again as the same.
func FuzzImport(f *testing.F) {
	f.Add(small)
	f.Add(export(f, build(f, schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2})))
	for _, text := range []string{chainRing(3, 1, apart, "o"), plainRing(2), allPairs(2), swaps(2), gatherInPlace(2, 1), scatterRing(2, "reducescatter"), throughInput(), chainDown()} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// Files at the bounds are right, and slow: other tests try them.
		if a, err := read(strings.NewReader(text)); err == nil {
			chunks := 2 * a.ranks * a.chunks
			for _, g := range a.gpus {
				chunks += g.chunks[input] + g.chunks[output] + g.chunks[scratch]
			}
			if chunks > 1<<14 {
				t.Skip()
			}
		}
		s, err := Import(strings.NewReader(text))
		if err != nil {
			var bad *Error
			var fault *schedule.Fault
			if !errors.As(err, &bad) && !errors.As(err, &fault) {
				t.Fatalf("neither an error of the file nor a fault of the schedule: %v", err)
			}
			if bad != nil && (bad.Line < 1 || bad.Line > 1+strings.Count(text, "\n")) {
				t.Fatalf("line %d of %d: %v", bad.Line, 1+strings.Count(text, "\n"), err)
			}
			return
		}
		if err := schedule.Check(s); err != nil {
			t.Fatalf("let pass: %v", err)
		}
		again, err := Import(strings.NewReader(export(t, s)))
		if err != nil || again.Hash() != s.Hash() {
			t.Fatalf("does not come back: %v", err)
		}
	})
}
