package calibrate

import (
	"container/heap"
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// maxPieces bounds the slices of all moves that a game plays: slices of a few
// more bytes change the time by little, and a plan is made while a person waits.
const maxPieces = 1 << 12

// game is a schedule as the processors of one machine carry it out.
//
// Every rank belongs to one processor (rank mod processors, as they are
// pinned). A processor does one thing at a time, to its end: it takes what
// became possible, the lowest slice first, then the lowest step. Sending a
// slice takes Piece and half of Move for each byte; Hop later, times the ranks
// that a processor has to look after, it can be received, which takes Piece and
// the other half, and Reduce besides where it is added up. A local copy out of
// the input that only readies the place of a sum is free: the sum reads the
// input where it lies.
type game struct {
	schedule   *schedule.Schedule
	processors int
	slices     int
	span       float64 // bytes of the buffers of one rank, the mean of all
	jobs       []job   // of all ranks
	arrivals   []int32 // by job: the one at the other end of a sending, -1 for none
	sliced     [][]int32
	whole      [][]int32
	counted    []int // rounds with something between ranks
}

// job is one move.
type job struct {
	kind      schedule.Kind
	reduce    bool
	free      bool
	processor int32
	step      int32
	round     int32
	waits     int32
	bytes     int // of all slices
}

// newGame prepares a run for playing.
func newGame(spec trace.Spec, processors int) (*game, error) {
	sched, err := spec.Schedule()
	if err != nil {
		return nil, err
	}
	if err := sched.Runnable(); err != nil {
		return nil, fmt.Errorf("play on processors: %w", err)
	}
	g := &game{schedule: sched, processors: max(1, min(processors, sched.Ranks)), slices: spec.SlicesFor(sched)}
	elements, width := spec.Elements(), spec.DType.Width()
	length := func(first, count int) int {
		return (sched.ChunkStart(elements, first+count) - sched.ChunkStart(elements, first)) * width
	}
	ends := map[int]int32{} // by step: the job that receives it
	for rank, program := range schedule.Programs(sched) {
		base := int32(len(g.jobs))
		for _, buf := range []schedule.Buf{schedule.In, schedule.Out, schedule.Tmp} {
			if chunks := sched.BufChunks(rank, buf); chunks > 0 {
				g.span += float64(length(0, chunks)) / float64(sched.Ranks)
			}
		}
		for i := range program.Moves {
			m := &program.Moves[i]
			j := job{
				kind: m.Kind, processor: int32(rank % g.processors), step: int32(m.Step), round: int32(m.Round), waits: int32(len(m.After)),
				reduce: m.Op == schedule.Reduce && m.Kind != schedule.Send,
			}
			chunk := m.SrcChunk
			if m.Kind == schedule.Recv {
				chunk, j.waits = m.DstChunk, j.waits+1
				ends[m.Step] = base + int32(i)
			}
			j.bytes = length(chunk, m.Count)
			j.free = m.Kind == schedule.Here && !j.reduce && m.SrcBuf == schedule.In && sched.Collective.Reduces()
			g.jobs = append(g.jobs, j)
			g.sliced, g.whole = append(g.sliced, nil), append(g.whole, nil)
			for _, after := range m.After {
				to := &g.whole[base+int32(after.Move)]
				if after.Sliced {
					to = &g.sliced[base+int32(after.Move)]
				}
				*to = append(*to, base+int32(i))
			}
		}
	}
	g.slices = min(g.slices, max(1, maxPieces/max(1, len(g.jobs))))
	g.arrivals = make([]int32, len(g.jobs))
	for i := range g.jobs {
		g.arrivals[i] = -1
		if g.jobs[i].kind == schedule.Send {
			g.arrivals[i] = ends[int(g.jobs[i].step)]
		}
	}
	last := 0
	for i := range sched.Steps {
		if s := &sched.Steps[i]; !s.Local() && s.Round != last {
			last = s.Round
			g.counted = append(g.counted, last)
		}
	}
	return g, nil
}

// prices are the costs at the span of a game.
type prices struct{ hop, piece, move, reduce float64 }

// prices returns what c makes of the game. Where costs were found with another
// number of ranks, each hop waits in proportion to the ranks of a processor.
func (g *game) prices(c Costs, ranks int) prices {
	p := prices{hop: float64(c.Hop), piece: float64(c.Piece)}
	p.hop *= crowd(g.schedule.Ranks, g.processors) / crowd(ranks, g.processors)
	if len(c.Bytes) > 0 {
		p.move, p.reduce = c.at(max(g.span, 1))
	}
	return p
}

// crowd is how many ranks a processor looks after.
func crowd(ranks, processors int) float64 {
	return max(1, float64(ranks)/float64(max(1, processors)))
}

// moment is when something happens: a processor has done a part of a job, or
// a part can be received.
type moment struct {
	at        float64
	part      int32
	processor int32 // that has done it; -1 for an arrival
}

type moments []moment

func (m moments) Len() int { return len(m) }
func (m moments) Less(a, b int) bool {
	switch {
	case m[a].at != m[b].at:
		return m[a].at < m[b].at
	case m[a].part != m[b].part:
		return m[a].part < m[b].part
	}
	return m[a].processor < m[b].processor
}
func (m moments) Swap(a, b int) { m[a], m[b] = m[b], m[a] }
func (m *moments) Push(x any)   { *m = append(*m, x.(moment)) }
func (m *moments) Pop() any {
	old := *m
	last := old[len(old)-1]
	*m = old[:len(old)-1]
	return last
}

// play returns when all is done, and the end of each counted round.
func (g *game) play(p prices) (end unit.Seconds, rounds []unit.Seconds) {
	t := &table{game: g, prices: p}
	t.begin()
	for {
		t.occupy()
		if len(t.coming) == 0 {
			break
		}
		t.now = t.coming[0].at
		for len(t.coming) > 0 && t.coming[0].at == t.now {
			t.happen(heap.Pop(&t.coming).(moment))
		}
	}
	latest := make([]float64, g.schedule.LastRound()+1)
	for i := range g.jobs {
		latest[g.jobs[i].round] = max(latest[g.jobs[i].round], t.done[i])
	}
	for _, at := range latest {
		end = max(end, unit.Seconds(at))
	}
	for _, round := range g.counted {
		rounds = append(rounds, unit.Seconds(latest[round]))
	}
	return end, rounds
}
