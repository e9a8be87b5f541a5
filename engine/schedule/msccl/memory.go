package msccl

import (
	"fmt"

	"lockstep/engine/schedule"
)

// memory numbers the chunks of all gpus' buffers, the cells, as the file sees
// them: in a file that works in place i and o share theirs. Behind all buffers
// lie cells for what is sent on without being kept.
type memory struct {
	algo      *algo
	shape     *schedule.Schedule // for the sizes of our own buffers
	first     [][3]int           // by gpu and buffer
	registers map[*step]int      // first cell of what an rrs sends
	total     int
}

func newMemory(a *algo, s *schedule.Schedule) *memory {
	m := &memory{algo: a, shape: s, first: make([][3]int, a.ranks), registers: map[*step]int{}}
	for id := range a.gpus {
		g, first := &a.gpus[id], &m.first[id]
		if a.inPlace {
			in, out := m.shift(id)
			first[input], first[output] = m.total+in, m.total+out
			// What the file does not touch it may leave out of i_chunks and o_chunks.
			m.total += max(in+max(g.chunks[input], s.BufChunks(id, schedule.In)), out+max(g.chunks[output], s.BufChunks(id, schedule.Out)))
		} else {
			first[input], first[output] = m.total, m.total+g.chunks[input]
			m.total += g.chunks[input] + g.chunks[output]
		}
		first[scratch] = m.total
		m.total += g.chunks[scratch]
	}
	for i := range a.steps {
		if st := &a.steps[i]; st.kind == receiveReduceSend {
			m.registers[st] = m.total
			m.total += int(st.count)
		}
	}
	return m
}

// shift says how far i and o begin behind the shared memory of a file that
// works in place: what a rank gives is its block of what it gets, or the
// other way round.
func (m *memory) shift(rank int) (in, out int) {
	own := rank * m.shape.ChunksPerBlock()
	switch m.algo.collective {
	case schedule.AllGather, schedule.Gather:
		return own, 0
	case schedule.ReduceScatter, schedule.Scatter:
		return 0, own
	}
	return 0, 0
}

func (m *memory) cell(gpu int32, b buffer, offset int32) int {
	return m.first[gpu][b] + int(offset)
}

// source returns the first cell that a step combines or copies.
func (m *memory) source(st *step) int { return m.cell(st.gpu, st.src, st.srcOff) }

// into returns the first cell that a step writes.
func (m *memory) into(st *step) int {
	if st.kind == receiveReduceSend {
		return m.registers[st]
	}
	return m.cell(st.gpu, st.dst, st.dstOff)
}

// sent returns the first cell of what a step sends.
func (m *memory) sent(st *step) int {
	if st.kind == send {
		return m.source(st)
	}
	return m.into(st)
}

// within reports whether a step that receives needs nothing but what it
// receives and what lies where it goes.
func (m *memory) within(st *step) bool {
	return st.kind == receive || st.kind == receiveCopySend || st.kind != receiveReduceSend && m.source(st) == m.into(st)
}

// outChunk says which chunk of our own out a cell of gpu is, -1 for none.
func (m *memory) outChunk(gpu int32, cell int) int {
	chunk, size := cell-m.first[gpu][output], m.shape.BufChunks(int(gpu), schedule.Out)
	if !m.algo.inPlace {
		size = min(size, m.algo.gpus[gpu].chunks[output])
	}
	if chunk < 0 || chunk >= size || cell >= m.first[gpu][scratch] {
		return -1
	}
	return chunk
}

// inChunks returns how many chunks of our own in the file can see.
func (m *memory) inChunks(gpu int) int {
	size := m.shape.BufChunks(gpu, schedule.In)
	if !m.algo.inPlace {
		size = min(size, m.algo.gpus[gpu].chunks[input])
	}
	return size
}

// name says which chunk of the file a cell is.
func (m *memory) name(gpu int32, cell int) string {
	first := m.first[gpu]
	switch {
	case cell >= first[scratch]+m.algo.gpus[gpu].chunks[scratch]:
		return "what it sends on"
	case cell >= first[scratch]:
		return fmt.Sprintf("s[%d]", cell-first[scratch])
	case first[input] < first[output] && cell >= first[output], first[input] > first[output] && cell < first[input], cell-first[input] >= m.algo.gpus[gpu].chunks[input]:
		return fmt.Sprintf("o[%d]", cell-first[output])
	}
	return fmt.Sprintf("i[%d]", cell-first[input])
}
