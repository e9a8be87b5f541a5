package schedule

import (
	"errors"
	"slices"
	"testing"
)

// Every pair and every defect: either the result is wrong, Check refuses it
// and says where, or there is a reason why nothing is wrong.
func TestEveryPairBreaksOrSaysWhyNot(t *testing.T) {
	for _, e := range Catalog() {
		for _, n := range []int{1, 4, 5, 8} {
			if n < e.MinRanks {
				continue
			}
			s := mustBuild(t, plainRequest(e, n))
			hash := s.Hash()
			said := ""
			for _, d := range Defects() {
				b, err := s.Break(d, -1)
				var why *Unbreakable
				switch {
				case errors.As(err, &why):
					said += " " + d.String() + ": " + why.Reason + ";"
					if (n == 1) != (why.Reason == NothingMoves) && s.Rounds() > 0 {
						t.Errorf("%s/%s of %d, %s: %s", e.Collective, e.Algorithm, n, d, why.Reason)
					}
					continue
				case err != nil:
					t.Fatal(err)
				}
				holdBroken(t, b)
				again, _ := s.Break(d, b.Edit.Was.ID)
				if again == nil || again.Schedule.Hash() != b.Schedule.Hash() {
					t.Errorf("%s/%s of %d, %s: another one at %d", e.Collective, e.Algorithm, n, d, b.Edit.Was.ID)
				}
				said += " " + d.String() + ": " + b.Fault.Code + ";"
			}
			if s.Hash() != hash || Check(s) != nil {
				t.Errorf("%s/%s of %d: the right schedule has changed", e.Collective, e.Algorithm, n)
			}
			t.Logf("%s/%s of %d:%s", e.Collective, e.Algorithm, n, said)
		}
	}
}

// holdBroken holds what a Broken says against the oracle and its own steps.
func holdBroken(t *testing.T, b *Broken) {
	t.Helper()
	s := b.Schedule
	name := string(s.Collective) + "/" + s.Algorithm + " " + b.Defect.String()
	if b.Fault == nil || b.Fault.Message == "" || len(b.Flaws) == 0 || s.Hash() == b.Right.Hash() {
		t.Fatalf("%s of %d: fault %v, %d flaws", name, s.Ranks, b.Fault, len(b.Flaws))
	}
	if f := checkHead(s); f != nil {
		t.Errorf("%s of %d is out of shape: %v", name, s.Ranks, f)
	}
	if f := checkSteps(s); f != nil {
		t.Errorf("%s of %d is out of shape: %v", name, s.Ranks, f)
	}
	if f := checkDeps(s, newCells(s)); f != nil {
		t.Errorf("%s of %d is not healed: %v", name, s.Ranks, f)
	}
	// Where it is played is what the fault says: at a place.
	if b.Fault.Code != "phases" && (b.Fault.Rank < 0 || b.Fault.Chunk < 0) {
		t.Errorf("%s of %d: no place in %+v", name, s.Ranks, b.Fault)
	}
	differs, last := -1, -1
	for position, states := range b.Walk() {
		last = position
		for rank := range s.Ranks {
			for _, buf := range []Buf{Out, Tmp} {
				for chunk := range max(s.BufChunks(rank, buf), b.Right.BufChunks(rank, buf)) {
					if differs < 0 && states.Differ(rank, buf, chunk) {
						differs = position
					}
				}
			}
		}
		if position == s.Rounds() {
			for _, f := range b.Flaws {
				if !states.Differ(f.Rank, Out, f.Chunk) || states.Broken.Final(f.Rank, f.Chunk) || !states.Right.Final(f.Rank, f.Chunk) {
					t.Errorf("%s of %d: %v, but it ends as the right one does", name, s.Ranks, f)
				}
			}
		}
	}
	if differs < 0 || last != s.Rounds() {
		t.Errorf("%s of %d differs from round %d, is walked to %d of %d", name, s.Ranks, differs, last, s.Rounds())
	}
}

// A right schedule that is walked as if it were broken is right.
func TestAWalkThatEnduresIsAWalk(t *testing.T) {
	for _, e := range Catalog() {
		s := mustBuild(t, plainRequest(e, max(6, e.MinRanks)))
		b := &Broken{Schedule: s, Right: s}
		for position, states := range b.Walk() {
			for rank := range s.Ranks {
				for _, buf := range []Buf{In, Out, Tmp} {
					for chunk := range s.BufChunks(rank, buf) {
						if states.Differ(rank, buf, chunk) {
							t.Fatalf("%s/%s, round %d: %s chunk %d of rank %d differs", e.Collective, e.Algorithm, position, buf, chunk, rank)
						}
					}
				}
			}
		}
		if b.play() || len(b.Troubles) > 0 {
			t.Errorf("%s/%s: %v %v", e.Collective, e.Algorithm, b.Flaws, b.Troubles)
		}
	}
}

// A ring of four, each defect at a place worked out by hand.
func TestARingBrokenByHand(t *testing.T) {
	s := mustBuild(t, Request{Collective: AllReduce, Algorithm: "ring", Ranks: 4, Chunks: 1})
	for _, c := range []struct {
		defect Defect
		at     int
		kind   FlawKind
	}{{Dropped, 4, Lacks}, {Doubled, 4, Counted}, {Swapped, 0, Lacks}} {
		b, err := s.Break(c.defect, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(b.Flaws, func(f Flaw) bool { return f.Kind == c.kind }) {
			t.Errorf("%s: %v", c.defect, b.Flaws)
		}
	}
}

func TestDefectsHaveWords(t *testing.T) {
	for _, d := range Defects() {
		if got, err := ParseDefect(d.String()); err != nil || got != d {
			t.Errorf("%s is read as %v, %v", d, got, err)
		}
	}
	if _, err := ParseDefect("hammer"); err == nil {
		t.Error("hammer is a defect")
	}
}
