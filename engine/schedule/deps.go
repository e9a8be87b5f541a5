package schedule

import "slices"

// wireDeps sets the Deps of every step by the one rule there is: for each
// chunk a step touches, on that rank, the last earlier writer; for each chunk
// it writes also the readers since then. Nothing is reduced further, because a
// rank that sees only the dependencies that touch it would lose orderings.
//
// Why this suffices: any two steps that touch a cell, at least one of them
// writing, are ordered by a chain of dependencies on that cell's rank, in the
// order of their IDs. So every order that respects Deps gives each step the
// same operands, which are the rounds' because no chunk is both read and
// written within a round.
func wireDeps(s *Schedule, c cells) {
	w := newWiring(c)
	for i := range s.Steps {
		s.Steps[i].Deps = w.next(&s.Steps[i])
	}
}

// wiring follows who last wrote each cell and who has read it since.
type wiring struct {
	cells   cells
	writer  []int32 // ID + 1 of the last writer, 0 for none
	readers []int32 // head of the list of readers since, 0 for none
	links   []link  // the lists, from index 1
	scratch []int
	arena   []int
}

type link struct{ step, next int32 }

func newWiring(c cells) *wiring {
	return &wiring{cells: c, writer: make([]int32, c.total), readers: make([]int32, c.total), links: make([]link, 1)}
}

// next returns the dependencies of step and enters it. Steps come in order.
func (w *wiring) next(step *Step) []int {
	deps := w.scratch[:0]
	id := int32(step.ID)
	sources, destinations := step.Sources(), step.Destinations()
	for _, rank := range sources {
		first := w.cells.at(rank, step.SrcBuf, step.SrcChunk)
		for cell := first; cell < first+step.Count; cell++ {
			if last := w.writer[cell]; last > 0 {
				deps = append(deps, int(last-1))
			}
		}
	}
	for _, rank := range destinations {
		first := w.cells.at(rank, step.DstBuf, step.DstChunk)
		for cell := first; cell < first+step.Count; cell++ {
			if last := w.writer[cell]; last > 0 {
				deps = append(deps, int(last-1))
			}
			for r := w.readers[cell]; r > 0; r = w.links[r].next {
				deps = append(deps, int(w.links[r].step))
			}
		}
	}
	// Entered after all are collected: a step does not wait for itself.
	if step.SrcBuf != In { // in is never written, so nobody waits for its readers
		for _, rank := range sources {
			first := w.cells.at(rank, step.SrcBuf, step.SrcChunk)
			for cell := first; cell < first+step.Count; cell++ {
				w.links = append(w.links, link{id, w.readers[cell]})
				w.readers[cell] = int32(len(w.links) - 1)
			}
		}
	}
	for _, rank := range destinations {
		first := w.cells.at(rank, step.DstBuf, step.DstChunk)
		for cell := first; cell < first+step.Count; cell++ {
			w.writer[cell], w.readers[cell] = id+1, 0
		}
	}
	slices.Sort(deps)
	deps = slices.Compact(deps)
	w.scratch = deps
	return w.keep(deps)
}

// keep copies deps into a large shared block: millions of short lists would
// otherwise cost an allocation each.
func (w *wiring) keep(deps []int) []int {
	if len(deps) == 0 {
		return nil
	}
	if cap(w.arena)-len(w.arena) < len(deps) {
		w.arena = make([]int, 0, max(1<<14, len(deps)))
	}
	start := len(w.arena)
	w.arena = append(w.arena, deps...)
	return w.arena[start:len(w.arena):len(w.arena)]
}
