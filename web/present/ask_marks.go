package present

import "lockstep/views/draw"

// askMarks is what a question shows on a stage.
type askMarks struct {
	about                  []draw.AskedPlace
	guess, truth           []draw.Move
	guessRanks, truthRanks []int
	plain                  bool // moves without numbers of blocks
}

// mostMarked is how many true moves a stage shows.
const mostMarked = 8

// askMarks is what the question of the lesson shows on a stage; nil for
// nothing.
func (t teller) askMarks() *draw.Asked {
	if t.asked == nil || !t.asked.exists {
		return nil
	}
	guess := t.asked.guess
	if !t.asked.whole(guess) {
		guess = nil
	}
	m := t.asked.marks(guess)
	a := &draw.Asked{About: m.about, Guess: m.guess, GuessRanks: m.guessRanks, TruthRanks: m.truthRanks, WithoutWord: m.plain,
		GuessWord: t.l.T("ask.word.guess"), TruthWord: t.l.T("ask.word.truth")}
	if len(m.truth) <= mostMarked {
		a.Truth = m.truth
	} else {
		for _, move := range m.truth {
			a.TruthRanks = append(a.TruthRanks, move.To)
		}
	}
	return a
}
