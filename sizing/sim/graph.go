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

// message is all steps of one (round, source, destination), or one step that
// is the network's own work.
type message struct {
	id    int // of its first step
	round int
	// The ranks whose sending and whose receiving ports it takes: a rank's own
	// share in the network's work does not pass through its port.
	srcs, dsts []int
	legs       []leg
	sends      int32 // of all legs
}

// leg is one step of a message with the moves at its ends.
type leg struct {
	step         int32 // position in Schedule.Steps
	sends, recvs []int32
}

func newGraph(s *schedule.Schedule, slices int) (*graph, error) {
	g := &graph{slices: slices}
	legOf := g.groupSteps(s)
	if len(g.messages) > MaxTransfers/slices {
		return nil, fmt.Errorf("%d messages in %d slices are more than %d transfers", len(g.messages), slices, MaxTransfers)
	}
	g.moves = make([]move, 0, 2*len(s.Steps))
	var sliced, whole []pair
	for _, program := range schedule.Programs(s) {
		first := int32(len(g.moves))
		for i := range program.Moves {
			m := &program.Moves[i]
			index := first + int32(i)
			at := legOf[s.Index(m.Step)]
			g.moves = append(g.moves, move{kind: m.Kind, round: int32(m.Round), message: at.message, waits: int32(len(m.After))})
			switch m.Kind {
			case schedule.Send:
				l := &g.messages[at.message].legs[at.leg]
				l.sends = append(l.sends, index)
				g.messages[at.message].sends++
			case schedule.Recv:
				l := &g.messages[at.message].legs[at.leg]
				l.recvs = append(l.recvs, index)
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
		switch {
		case step.Local():
			continue
		case step.Op > schedule.Reduce:
			places[i] = place{int32(len(g.messages)), 0}
			g.messages = append(g.messages, message{
				id: step.ID, round: step.Round, legs: []leg{{step: int32(i)}},
				srcs: without(step.Sources(), step.Destinations()), dsts: without(step.Destinations(), step.Sources()),
			})
			continue
		}
		at := &open[step.Src*s.Ranks+step.Dst] // index + 1
		if *at == 0 || g.messages[*at-1].round != step.Round {
			ends := []int{step.Src, step.Dst}
			g.messages = append(g.messages, message{id: step.ID, round: step.Round, srcs: ends[:1:1], dsts: ends[1:]})
			*at = int32(len(g.messages))
		}
		m := &g.messages[*at-1]
		places[i] = place{*at - 1, int32(len(m.legs))}
		m.legs = append(m.legs, leg{step: int32(i)})
	}
	return places
}

// without returns the ranks of list, which is one side of the network's work,
// that pass through a port: the only rank of the other side does not send to
// itself.
func without(list, other []int) []int {
	if len(other) > 1 || len(list) == 1 {
		return list // the one side of many, or the single end
	}
	ranks := make([]int, 0, len(list))
	for _, r := range list {
		if r != other[0] {
			ranks = append(ranks, r)
		}
	}
	return ranks
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
