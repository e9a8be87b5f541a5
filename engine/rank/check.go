package rank

import (
	"fmt"
	"maps"
	order "slices"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// MaxMarks bounds the moves × slices of one rank's program: what Progress
// holds in memory.
const MaxMarks = 1 << 22

// CheckProgram reports whether a program can be carried out in that many
// slices without reading or writing outside its buffers. Whether it computes
// the right thing is schedule.Check's matter. It allocates nothing, so that a
// program from elsewhere can be refused at no cost.
func CheckProgram(p *schedule.Program, slices int) error {
	switch {
	case !p.Collective.Known():
		return fmt.Errorf("check program: unknown collective %q", p.Collective)
	case p.Ranks < 1 || p.Ranks > trace.MaxRanks:
		return fmt.Errorf("check program: %d ranks; accepted: 1 to %d", p.Ranks, trace.MaxRanks)
	case p.Rank < 0 || p.Rank >= p.Ranks:
		return fmt.Errorf("check program: rank %d of %d", p.Rank, p.Ranks)
	case p.Collective.Rooted() && (p.Root < 0 || p.Root >= p.Ranks):
		return fmt.Errorf("check program: root %d of %d ranks", p.Root, p.Ranks)
	case p.Chunks < 1 || p.Chunks > schedule.MaxCells || p.TmpChunks < 0 || p.TmpChunks > schedule.MaxCells:
		return fmt.Errorf("check program: %d chunks and %d tmp chunks; accepted: at most %d", p.Chunks, p.TmpChunks, schedule.MaxCells)
	case p.Collective.Blocks() && p.Chunks%p.Ranks != 0:
		return fmt.Errorf("check program: %d chunks for %d equal blocks", p.Chunks, p.Ranks)
	case slices < 1 || slices > trace.MaxSlices:
		return fmt.Errorf("check program: %d slices; accepted: 1 to %d", slices, trace.MaxSlices)
	case len(p.Moves) > MaxMarks/slices:
		return fmt.Errorf("check program: rank %d has %d moves of %d slices; accepted: %d in all", p.Rank, len(p.Moves), slices, MaxMarks)
	}
	frame := p.Frame()
	for i := range p.Moves {
		if err := checkMove(p, frame, i); err != nil {
			return fmt.Errorf("check program: rank %d, move %d (step %d): %w", p.Rank, i, p.Moves[i].Step, err)
		}
	}
	return nil
}

func checkMove(p *schedule.Program, frame *schedule.Schedule, i int) error {
	m := &p.Moves[i]
	switch {
	case m.Step < 0 || i > 0 && m.Step <= p.Moves[i-1].Step:
		return fmt.Errorf("step IDs ascend")
	case m.Round < 1 || i > 0 && m.Round < p.Moves[i-1].Round:
		return fmt.Errorf("round %d; rounds count from 1 and ascend", m.Round)
	case m.Kind > schedule.Recv || m.Op > schedule.Reduce:
		return fmt.Errorf("unknown kind %d or op %d", m.Kind, m.Op)
	case m.Peer < 0 || m.Peer >= p.Ranks || (m.Kind == schedule.Here) != (m.Peer == p.Rank):
		return fmt.Errorf("a %s with rank %d", m.Kind, m.Peer)
	case m.Count < 1:
		return fmt.Errorf("%d chunks; accepted: 1 or more", m.Count)
	case m.Kind != schedule.Recv && !inside(p, frame, m.SrcBuf, m.SrcChunk, m.Count):
		return fmt.Errorf("reads %s chunks %d to %d, which it does not have", m.SrcBuf, m.SrcChunk, m.SrcChunk+m.Count-1)
	case m.Kind != schedule.Send && (m.DstBuf == schedule.In || !inside(p, frame, m.DstBuf, m.DstChunk, m.Count)):
		return fmt.Errorf("writes %s chunks %d to %d, which it may not", m.DstBuf, m.DstChunk, m.DstChunk+m.Count-1)
	case m.Kind == schedule.Here && (m.SrcChunk-m.DstChunk)%frame.ChunksPerBlock() != 0:
		return fmt.Errorf("moves chunk %d to chunk %d, which may be of another length", m.SrcChunk, m.DstChunk)
	}
	for _, after := range m.After {
		if after.Move < 0 || after.Move >= i {
			return fmt.Errorf("waits for move %d, which is not an earlier one", after.Move)
		}
		if leg := p.Moves[after.Move].Leg; leg < 0 || leg > m.Leg || leg == m.Leg && !after.Sliced {
			return fmt.Errorf("is of leg %d and waits for move %d of leg %d", m.Leg, after.Move, leg)
		}
	}
	return nil
}

func inside(p *schedule.Program, frame *schedule.Schedule, buf schedule.Buf, chunk, count int) bool {
	if buf > schedule.Tmp {
		return false
	}
	has := frame.BufChunks(p.Rank, buf)
	return chunk >= 0 && chunk < has && count <= has-chunk
}

// Stops returns the rounds of s that have a message between ranks: where a run
// in steps stops.
func Stops(s *schedule.Schedule) []int {
	var stops []int
	for i := range s.Steps {
		if step := &s.Steps[i]; !step.Local() && (len(stops) == 0 || stops[len(stops)-1] != step.Round) {
			stops = append(stops, step.Round)
		}
	}
	return stops
}

// Peers returns the ranks that p sends to and those that it receives from,
// each once, in order of first use.
func Peers(p *schedule.Program) (to, from []int) {
	type edge struct {
		kind schedule.Kind
		peer int
	}
	seen := map[edge]bool{}
	for i := range p.Moves {
		m := &p.Moves[i]
		if e := (edge{m.Kind, m.Peer}); m.Kind != schedule.Here && !seen[e] {
			seen[e] = true
			if m.Kind == schedule.Send {
				to = append(to, m.Peer)
			} else {
				from = append(from, m.Peer)
			}
		}
	}
	return to, from
}

// Edge is a direction between two ranks that a schedule uses.
type Edge struct {
	Src, Dst int
	Longest  int // bytes of the longest slice that travels on it
}

// Edges returns the edges that the programs of a run have among them, in the
// order of their ends.
func Edges(programs []*schedule.Program, elements, width, slices int) []Edge {
	var all []Edge
	for _, p := range programs {
		frame := p.Frame()
		longest := map[int]int{}
		for i := range p.Moves {
			m := &p.Moves[i]
			if m.Kind != schedule.Send {
				continue
			}
			first := frame.ChunkStart(elements, m.SrcChunk)
			_, most := Cut(frame.ChunkStart(elements, m.SrcChunk+m.Count)-first, slices, 0)
			longest[m.Peer] = max(longest[m.Peer], most*width)
		}
		for _, peer := range order.Sorted(maps.Keys(longest)) {
			all = append(all, Edge{p.Rank, peer, longest[peer]})
		}
	}
	return all
}
