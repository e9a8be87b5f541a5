package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Defect is a way to break a schedule on purpose, so that people see what the
// rules are good for.
type Defect uint8

// The defects.
const (
	Dropped    Defect = iota // a move is left out
	WrongBlock               // a move carries another block, or puts it elsewhere
	WrongRank                // a move goes to another rank, or comes from one
	Doubled                  // a move happens twice
	Swapped                  // two phases, or two rounds, change places
)

var defectNames = [...]string{"drop", "block", "neighbour", "double", "swap"}

// String is the defect's word, as in URLs.
func (d Defect) String() string { return name(defectNames[:], int(d)) }

// Defects lists all of them.
func Defects() []Defect { return []Defect{Dropped, WrongBlock, WrongRank, Doubled, Swapped} }

// ParseDefect reads a defect's word.
func ParseDefect(word string) (Defect, error) {
	if i := slices.Index(defectNames[:], word); i >= 0 {
		return Defect(i), nil
	}
	return 0, fmt.Errorf("unknown defect %q; accepted: %s", word, strings.Join(defectNames[:], ", "))
}

// Edit is what a defect has changed. Moves are steps between ranks.
type Edit struct {
	Was Step // of the right schedule: the move; of Swapped the first one of what comes later now
	Now Step // of the broken one: the move as it is, of Doubled the second time; of Dropped and Swapped zero
	// Position is the counted round of Was, in the right schedule.
	Position int
	// Of Swapped: the raw rounds of the right schedule that have changed
	// places, first and last, and which phases they were; NoPhase for rounds of
	// one.
	Early, Late [2]int
	Phases      [2]int
}

// NoPhase stands where no whole phase has moved.
const NoPhase = -1

// Broken is a schedule with a defect in it, to be looked at: it is not run,
// priced or saved. It gives another result than the right one, and Check
// refuses it.
type Broken struct {
	Schedule *Schedule // with the defect; numbered, and its dependencies wired, anew
	Right    *Schedule
	Defect   Defect
	Edit     Edit
	Fault    *Fault    // what Check says of it
	Troubles []Trouble // what goes wrong on the way, in order, no more than maxTroubles
	Flaws    []Flaw    // what is wrong in the end, by rank and chunk
}

// Unbreakable is why a defect does nothing to a schedule: a word for each
// reason.
type Unbreakable struct{ Reason string }

// Reasons of Unbreakable.
const (
	NothingMoves   = "nothing-moves"  // no message leaves a rank
	OneBlock       = "one-block"      // there is no other block to take
	OneNeighbour   = "one-neighbour"  // of two ranks each has one partner only
	ReachesAll     = "reaches-all"    // every move has to do with all ranks already
	NothingAdded   = "nothing-added"  // what only overwrites may come twice
	SetOfTokens    = "set-of-tokens"  // a barrier's token may come twice
	OneRound       = "one-round"      // there is nothing to change places with
	AnyOrder       = "any-order"      // the rounds do not build on one another
	MovesRedundant = "still-complete" // everything arrives all the same
)

func (u *Unbreakable) Error() string { return "the defect changes nothing: " + u.Reason }

// maxTries is at how many moves a defect is tried before it counts as one that
// changes nothing.
const maxTries = 24

// Break puts a defect into s, which must have passed Check: at the move with
// the ID at, or at the nearest where it changes the result. A negative ID
// leaves the choice to Break, which always makes the same one. The error is
// *Unbreakable.
func (s *Schedule) Break(d Defect, at int) (*Broken, error) {
	sites := s.sites(d)
	if len(sites) == 0 {
		return nil, &Unbreakable{s.unbreakable(d, 0)}
	}
	tried := 0
	for _, i := range s.inTurn(sites, d, at) {
		var clashing *Broken
		for edit := range s.edits(d, i) {
			tried++
			b := &Broken{Schedule: edit.schedule, Right: s, Defect: d, Edit: edit.Edit}
			if !b.play() {
				continue
			}
			b.Fault, _ = Check(b.Schedule).(*Fault)
			if b.Fault == nil {
				continue // the result is right after all, for what a set is
			}
			if !b.clashes() {
				return b, nil
			}
			// What a round with a clash leaves depends on who is first: another
			// edit of the same move shows more.
			if clashing == nil {
				clashing = b
			}
		}
		if clashing != nil {
			return clashing, nil
		}
	}
	return nil, &Unbreakable{s.unbreakable(d, tried)}
}

// Next returns the ID of the move behind the broken one at which the same
// defect breaks the schedule too; the first one follows the last. It is that of
// the broken one where there is no other.
func (b *Broken) Next() int {
	sites := b.Right.sites(b.Defect)
	from := slices.Index(sites, b.Right.Index(b.Edit.Was.ID))
	for k := 1; k < min(len(sites), maxTries); k++ {
		id := b.Right.Steps[sites[(from+k)%len(sites)]].ID
		if other, err := b.Right.Break(b.Defect, id); err == nil && other.Edit.Was.ID != b.Edit.Was.ID {
			return other.Edit.Was.ID
		}
	}
	return b.Edit.Was.ID
}

// inTurn puts the sites into the order in which they are tried: from a chosen
// one outwards, or, evenly spread, from an early one, drawn by a seed: what goes
// wrong early has time to spread.
func (s *Schedule) inTurn(sites []int, d Defect, at int) []int {
	if at < 0 {
		draw := rand.New(rand.NewPCG(uint64(d)+1, uint64(s.Ranks)))
		from, stride := len(sites)/6+draw.IntN(len(sites)/4+1), max(1, len(sites)/maxTries)
		var turn []int
		for i := 0; i < len(sites) && len(turn) < maxTries; i += stride {
			turn = append(turn, sites[(from+i)%len(sites)])
		}
		return turn
	}
	turn := slices.Clone(sites)
	distance := func(i int) int { id := s.Steps[i].ID; return max(id-at, at-id) }
	slices.SortStableFunc(turn, func(a, b int) int { return distance(a) - distance(b) })
	return turn[:min(len(turn), maxTries)]
}

// unbreakable is the reason why none of the tried edits changes the result.
func (s *Schedule) unbreakable(d Defect, tried int) string {
	switch {
	case s.Rounds() == 0:
		return NothingMoves
	case d == WrongBlock && tried == 0:
		return OneBlock
	case d == WrongRank && s.Ranks < 3:
		return OneNeighbour
	case d == WrongRank && tried == 0:
		return ReachesAll
	case d == Doubled && s.Collective == Barrier:
		return SetOfTokens
	case d == Doubled:
		return NothingAdded
	case d == Swapped && s.Rounds() < 2:
		return OneRound
	case d == Swapped:
		return AnyOrder
	}
	return MovesRedundant
}
