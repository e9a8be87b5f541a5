package sim

import (
	"fmt"

	"lockstep/engine/schedule"
)

// graph is what waits for what: the moves of all ranks, as an executor has
// them, and the messages that they travel in.
type graph struct {
	slices   int
	moves    []move
	sliced   followers // slice j of a follower waits for slice j
	whole    followers // a follower waits for all slices
	messages []message // in ascending id; those of a round stand together
}

// move is one rank's part of one step.
type move struct {
	kind    schedule.Kind
	round   int32
	message int32 // of a Send or Recv
	waits   int32 // how many moves each slice of this one waits for
}

// message is all steps of one (round, source, destination).
type message struct {
	id       int // of its first step
	round    int
	src, dst int
	legs     []leg
}

// leg is one step of a message with the moves at its two ends.
type leg struct {
	step       int32 // position in Schedule.Steps
	send, recv int32
}

func newGraph(s *schedule.Schedule, slices int) (*graph, error) {
	g := &graph{slices: slices}
	legOf := g.groupSteps(s)
	if len(g.messages) > MaxTransfers/slices {
		return nil, fmt.Errorf("%d messages in %d slices are more than %d transfers", len(g.messages), slices, MaxTransfers)
	}
	g.moves = make([]move, 0, 2*len(s.Steps))
	var sliced, whole []pair
	for rank := range s.Ranks {
		program, err := schedule.Compile(s, rank)
		if err != nil {
			return nil, err
		}
		first := int32(len(g.moves))
		for i := range program.Moves {
			m := &program.Moves[i]
			index := first + int32(i)
			at := legOf[s.Index(m.Step)]
			g.moves = append(g.moves, move{kind: m.Kind, round: int32(m.Round), message: at.message, waits: int32(len(m.After))})
			switch m.Kind {
			case schedule.Send:
				g.messages[at.message].legs[at.leg].send = index
			case schedule.Recv:
				g.messages[at.message].legs[at.leg].recv = index
			}
			for _, after := range m.After {
				p := pair{first + int32(after.Move), index}
				if after.Sliced {
					sliced = append(sliced, p)
				} else {
					whole = append(whole, p)
				}
			}
		}
	}
	g.sliced, g.whole = newFollowers(len(g.moves), sliced), newFollowers(len(g.moves), whole)
	return g, nil
}

// place says where a step travels: a leg of a message.
type place struct{ message, leg int32 }

// groupSteps makes the messages and returns where each step travels.
func (g *graph) groupSteps(s *schedule.Schedule) []place {
	places := make([]place, len(s.Steps))
	// The message of the current round to each rank, by source: a message of
	// an earlier round is simply out of date.
	open := make([]int32, s.Ranks*s.Ranks)
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Op > schedule.Reduce || step.Local() {
			continue
		}
		at := &open[step.Src*s.Ranks+step.Dst] // index + 1
		if *at == 0 || g.messages[*at-1].round != step.Round {
			g.messages = append(g.messages, message{id: step.ID, round: step.Round, src: step.Src, dst: step.Dst})
			*at = int32(len(g.messages))
		}
		m := &g.messages[*at-1]
		places[i] = place{*at - 1, int32(len(m.legs))}
		m.legs = append(m.legs, leg{step: int32(i)})
	}
	return places
}

// pair says that move to waits for move from.
type pair struct{ from, to int32 }

// followers lists for every move which moves wait for it.
type followers struct {
	first []int32 // by move: where its list begins in all; one more than moves
	all   []int32
}

func newFollowers(moves int, pairs []pair) followers {
	f := followers{make([]int32, moves+1), make([]int32, len(pairs))}
	for _, p := range pairs {
		f.first[p.from+1]++
	}
	for i := range moves {
		f.first[i+1] += f.first[i]
	}
	next := append([]int32(nil), f.first...)
	for _, p := range pairs {
		f.all[next[p.from]] = p.to
		next[p.from]++
	}
	return f
}

func (f followers) of(move int32) []int32 { return f.all[f.first[move]:f.first[move+1]] }
