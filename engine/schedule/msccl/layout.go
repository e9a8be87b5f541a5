package msccl

import (
	"slices"

	"lockstep/engine/schedule"
)

// perChannel is how many thread blocks MSCCL lets send, and how many receive,
// on one channel of a gpu.
const perChannel = 32

// spread gives every distance from a sender to its receiver a channel, so that
// no rank has more peers on a channel than MSCCL allows, and both ends of a
// message agree on it. It returns them with the number of channels.
func spread(s *schedule.Schedule) (channelOf func(src, dst int) int, channels int) {
	used := make([]bool, s.Ranks)
	for i := range s.Steps {
		step := &s.Steps[i]
		used[(step.Dst-step.Src+s.Ranks)%s.Ranks] = true
	}
	of := make([]int, s.Ranks)
	seen := 0
	for distance := 1; distance < s.Ranks; distance++ {
		if used[distance] {
			of[distance] = seen / perChannel
			seen++
		}
	}
	return func(src, dst int) int { return of[(dst-src+s.Ranks)%s.Ranks] }, max(1, (seen+perChannel-1)/perChannel)
}

// spot is a place in the file: a thread block of the gpu and its step.
type spot struct{ block, line int }

// sheet is a thread block as it is written.
type sheet struct {
	send, recv, channel int
	lines               []line
	waited              []int // by block: up to which of its lines this one has waited already, -1 for none
}

// layOut cuts a rank's program into thread blocks: one for each peer and
// direction, and one for local steps, in the order of their first use. Moves
// keep their order, so the smallest step that is not done can always run.
func layOut(p *schedule.Program, channelOf func(src, dst int) int) []*sheet {
	type way struct {
		kind schedule.Kind
		peer int
	}
	var sheets []*sheet
	known := map[way]int{}
	spots := make([]spot, len(p.Moves))
	for i := range p.Moves {
		m := &p.Moves[i]
		w := way{m.Kind, m.Peer}
		number, ok := known[w]
		if !ok {
			number = len(sheets)
			known[w] = number
			b := &sheet{send: -1, recv: -1}
			switch m.Kind {
			case schedule.Send:
				b.send, b.channel = m.Peer, channelOf(p.Rank, m.Peer)
			case schedule.Recv:
				b.recv, b.channel = m.Peer, channelOf(m.Peer, p.Rank)
			}
			sheets = append(sheets, b)
		}
		spots[i] = sheets[number].add(number, m, i, spots)
	}
	for _, b := range sheets {
		for _, l := range b.lines {
			if l.dep != noSpot {
				sheets[l.dep.block].lines[l.dep.line].awaited = true
			}
		}
	}
	return sheets
}

// add appends a move, with a line before it for every dependency but the last,
// and returns where it stands. Thread blocks run in order: of each only the
// latest step counts, and only if nothing here has waited for it yet.
func (b *sheet) add(number int, m *schedule.Move, index int, spots []spot) spot {
	var deps []spot
	for _, after := range m.After {
		at := spots[after.Move]
		for at.block >= len(b.waited) {
			b.waited = append(b.waited, -1)
		}
		if at.block == number || at.line <= b.waited[at.block] {
			continue
		}
		if known := slices.IndexFunc(deps, func(d spot) bool { return d.block == at.block }); known >= 0 {
			deps[known].line = at.line // moves of a block come in order
		} else {
			deps = append(deps, at)
		}
		b.waited[at.block] = at.line
	}
	last := noSpot
	for i, d := range deps {
		if i == len(deps)-1 {
			last = d
			break
		}
		b.lines = append(b.lines, line{move: -1, dep: d})
	}
	b.lines = append(b.lines, line{move: index, dep: last, step: m.Step, of: m.Round})
	return spot{number, len(b.lines) - 1}
}
