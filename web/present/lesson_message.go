package present

import (
	popcount "math/bits"
	"slices"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// message is what travels in a step from one rank to another, or, by the
// network's own work, from one to many or from many to one.
type message struct {
	srcs, dsts []int
	op         schedule.Op
	parts      []part
	bytes      int // through each port that it takes
	ready      unit.Seconds
	start      unit.Seconds
	delivered  unit.Seconds
	loaded     // of the steps that are kept
}

// part is chunks in a row of one buffer that go to another.
type part struct {
	buf     schedule.Buf
	chunk   int
	toBuf   schedule.Buf
	toChunk int
	count   int
}

// loaded is what a message carries, as the state before its step has it.
type loaded struct {
	rows, toRows []int  // of the chunks, noRow where no cell shows them
	hue, number  int    // of the first chunk
	who          uint64 // whose contributions the first chunk has when it arrives
	from         int    // of the first chunk: the rank that it comes from, for copies
	piece        int    // of the first chunk
	swaps        bool   // its number is not that of a row
	unknown      bool   // nobody can tell the first chunk's number: nothing is there
}

func (m *message) src() int     { return m.srcs[0] }
func (m *message) dst() int     { return m.dsts[0] }
func (m *message) chunk() int   { return m.parts[0].chunk }
func (m *message) reduce() bool { return m.op == schedule.Reduce || m.op == schedule.NetReduce }
func (m *message) alone() bool  { return m.op <= schedule.Reduce }

// blocks is how many chunks it carries.
func (m *message) blocks() int {
	n := 0
	for _, p := range m.parts {
		n += p.count
	}
	return n
}

// label is the number of the first chunk.
func (m *message) label() string {
	if m.unknown {
		return "?"
	}
	return strconv.Itoa(m.number)
}

// treeChunk is the number by which trees tell chunks apart.
func (m *message) treeChunk() int {
	if p := m.parts[0]; p.buf == schedule.Tmp && p.toBuf != schedule.Tmp {
		return p.toChunk
	}
	return m.chunk()
}

// givers and takers are the ranks whose ports it takes: a rank's own share of
// what the network adds up or copies stays with it.
func (m *message) givers() []int {
	if m.op == schedule.NetReduce {
		return without(m.srcs, m.dst())
	}
	return m.srcs
}

func (m *message) takers() []int {
	if m.op == schedule.Multicast {
		return without(m.dsts, m.src())
	}
	return m.dsts
}

func without(ranks []int, one int) []int {
	return slices.DeleteFunc(slices.Clone(ranks), func(rank int) bool { return rank == one })
}

// load reads what m carries in the state before its step.
func (f *facts) load(m *message, before *schedule.State) {
	m.loaded = loaded{from: -1, swaps: f.grid.swaps}
	for i, p := range m.parts {
		for j := range p.count {
			held := before.Holds(m.src(), p.buf, p.chunk+j)
			m.rows = append(m.rows, f.grid.row(m.src(), p.buf, p.chunk+j, held))
			m.toRows = append(m.toRows, f.grid.row(m.dst(), p.toBuf, p.toChunk+j, held))
			if i+j > 0 {
				continue
			}
			if len(held) == 0 { // of a broken schedule
				m.hue = max(m.rows[0], m.toRows[0], 0)
				m.number, m.unknown = m.hue, m.rows[0] == noRow && m.toRows[0] == noRow
				continue
			}
			m.from, m.piece = held[0].First, held[0].Piece
			m.hue, m.number = f.grid.token(held, max(m.rows[0], 0))
		}
	}
	for _, src := range m.srcs {
		m.who |= contributors(before.Holds(src, m.parts[0].buf, m.chunk()))
	}
}

// countBits is how many ranks are in a set.
func countBits(who uint64) int { return popcount.OnesCount64(who) }
