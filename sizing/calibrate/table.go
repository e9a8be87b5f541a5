package calibrate

import (
	"container/heap"

	"lockstep/engine/schedule"
)

// table is the state of a game under way. A part is a slice of a job: job ×
// slices + slice.
type table struct {
	*game
	prices
	now    float64
	waits  []int32    // by part: what it still waits for
	left   []int32    // by job: its parts that are not done
	done   []float64  // by job: when its last part was done
	idle   []bool     // by processor
	ready  []possible // by processor
	coming moments
}

// possible are the parts that a processor may do now, the first of them in
// front.
type possible struct {
	parts  []int32
	slices int32
	game   *game
}

func (p *possible) Len() int { return len(p.parts) }
func (p *possible) Less(a, b int) bool {
	x, y := p.parts[a], p.parts[b]
	if x%p.slices != y%p.slices {
		return x%p.slices < y%p.slices
	}
	jx, jy := &p.game.jobs[x/p.slices], &p.game.jobs[y/p.slices]
	if jx.step != jy.step {
		return jx.step < jy.step
	}
	return x < y
}
func (p *possible) Swap(a, b int) { p.parts[a], p.parts[b] = p.parts[b], p.parts[a] }
func (p *possible) Push(x any)    { p.parts = append(p.parts, x.(int32)) }
func (p *possible) Pop() any {
	last := p.parts[len(p.parts)-1]
	p.parts = p.parts[:len(p.parts)-1]
	return last
}

// begin lays everything out and finds what waits for nothing.
func (t *table) begin() {
	n := int32(t.slices)
	t.waits = make([]int32, len(t.jobs)*t.slices)
	t.left = make([]int32, len(t.jobs))
	t.done = make([]float64, len(t.jobs))
	t.idle = make([]bool, t.processors)
	t.ready = make([]possible, t.processors)
	for i := range t.ready {
		t.idle[i] = true
		t.ready[i] = possible{slices: n, game: t.game}
	}
	for i := range t.jobs {
		t.left[i] = n
		for slice := range n {
			part := int32(i)*n + slice
			t.waits[part] = t.jobs[i].waits
			if slice > 0 {
				t.waits[part]++ // the slice before it
			}
			if t.waits[part] == 0 {
				t.offer(part)
			}
		}
	}
}

func (t *table) offer(part int32) {
	heap.Push(&t.ready[t.jobs[part/int32(t.slices)].processor], part)
}

// occupy gives every idle processor the first of what it may do.
func (t *table) occupy() {
	for i := range t.ready {
		if t.idle[i] && t.ready[i].Len() > 0 {
			part := heap.Pop(&t.ready[i]).(int32)
			t.idle[i] = false
			heap.Push(&t.coming, moment{t.now + t.takes(part), part, int32(i)})
		}
	}
}

// takes returns how long a processor is busy with a part.
func (t *table) takes(part int32) float64 {
	n := t.slices
	j, slice := &t.jobs[part/int32(n)], int(part)%n
	if j.free {
		return 0
	}
	bytes := float64(j.bytes*(slice+1)/n - j.bytes*slice/n)
	perByte := t.move / 2
	if j.reduce {
		perByte += t.reduce
	}
	return t.piece + bytes*perByte
}

func (t *table) happen(m moment) {
	if m.processor < 0 {
		t.release(m.part)
		return
	}
	n := int32(t.slices)
	index, slice := m.part/n, m.part%n
	j := &t.jobs[index]
	t.idle[m.processor] = true
	if j.kind == schedule.Send {
		heap.Push(&t.coming, moment{t.now + t.hop, t.arrivals[index]*n + slice, -1})
	}
	if slice+1 < n {
		t.release(m.part + 1)
	}
	for _, next := range t.sliced[index] {
		t.release(next*n + slice)
	}
	if t.left[index]--; t.left[index] > 0 {
		return
	}
	t.done[index] = t.now
	for _, next := range t.whole[index] {
		for s := range n {
			t.release(next*n + s)
		}
	}
}

// release takes away one of the things that a part waits for.
func (t *table) release(part int32) {
	if t.waits[part]--; t.waits[part] == 0 {
		t.offer(part)
	}
}
