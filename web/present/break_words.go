package present

import (
	"errors"

	"lockstep/engine/schedule"
	"lockstep/views/locale"
)

// defectWords are the messages about a defect.
type defectWords struct {
	name, what string
	edit       string // what it has changed
	other      string // the same where it changes the other end, or whole phases
}

func wordsOfDefect(d schedule.Defect) defectWords {
	switch d {
	case schedule.WrongBlock:
		return defectWords{"break.way.block", "break.what.block", "break.edit.block", "break.edit.block.place"}
	case schedule.WrongRank:
		return defectWords{"break.way.neighbour", "break.what.neighbour", "break.edit.neighbour", "break.edit.neighbour.from"}
	case schedule.Doubled:
		return defectWords{name: "break.way.double", what: "break.what.double", edit: "break.edit.double"}
	case schedule.Swapped:
		return defectWords{"break.way.swap", "break.what.swap", "break.edit.swap", "break.edit.swap.phases"}
	}
	return defectWords{name: "break.way.drop", what: "break.what.drop", edit: "break.edit.drop"}
}

// unbreakable says why a defect changes nothing.
func unbreakable(l locale.Locale, err error) string {
	var why *schedule.Unbreakable
	if !errors.As(err, &why) {
		return err.Error()
	}
	return l.T(map[string]string{
		schedule.NothingMoves: "break.reason.nothing-moves", schedule.OneBlock: "break.reason.one-block", schedule.OneNeighbour: "break.reason.one-neighbour",
		schedule.ReachesAll: "break.reason.reaches-all", schedule.NothingAdded: "break.reason.nothing-added", schedule.SetOfTokens: "break.reason.set-of-tokens",
		schedule.OneRound: "break.reason.one-round", schedule.AnyOrder: "break.reason.any-order", schedule.MovesRedundant: "break.reason.still-complete",
	}[why.Reason])
}

// troubleWords are the messages about what goes wrong on the way.
func troubleWords(k schedule.TroubleKind) string {
	switch k {
	case schedule.AddsToNothing:
		return "break.fail.adds"
	case schedule.ReadAndWritten:
		return "break.fail.both"
	case schedule.WrittenTwice:
		return "break.fail.twice"
	case schedule.PromiseBroken:
		return "break.fail.promise"
	}
	return "break.fail.reads"
}

// flawWords are the messages about what is wrong in the end: of barriers, of
// what everyone gives everyone, of copies, of sums.
func flawWords(g cellGrid, k schedule.FlawKind) string {
	nothing := k == schedule.Empty || k == schedule.Spoilt
	switch barrier := g.s.Collective == schedule.Barrier; {
	case barrier && nothing:
		return "break.flaw.barrier.empty"
	case barrier:
		return "break.flaw.barrier"
	case g.swaps && nothing:
		return "break.flaw.swaps.empty"
	case g.swaps:
		return "break.flaw.swaps.foreign"
	case k == schedule.Empty:
		return "break.flaw.empty"
	case k == schedule.Spoilt:
		return "break.flaw.spoilt"
	case k == schedule.Lacks:
		return "break.flaw.lacks"
	case k == schedule.Counted:
		return "break.flaw.counted"
	case g.copies:
		return "break.flaw.misplaced"
	}
	return "break.flaw.foreign"
}
