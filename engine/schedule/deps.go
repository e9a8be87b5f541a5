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
		s.Steps[i].Deps = w.keep(w.next(&s.Steps[i]))
	}
}

// wiring follows who last wrote each cell and who has read it since.
type wiring struct {
	cells   cells
	writers []int32   // ID + 1 of the last writer, 0 for none
	readers []readers // since then
	links   []link    // from index 1
	scratch []int
	arena   []int
}

// readers is a list of step IDs: 0 for none; the ID + 1 of the only one, for
// most cells have no more; or minus the index of a link.
type readers int32

// link is a reader, and those before it.
type link struct {
	step int32
	rest readers
}

func newWiring(c cells) *wiring {
	return &wiring{cells: c, writers: make([]int32, c.total), readers: make([]readers, c.total), links: make([]link, 1)}
}

// next returns the dependencies of step and enters it. Steps come in order; the
// list is valid until the next.
func (w *wiring) next(step *Step) []int {
	deps := w.scratch[:0]
	sources, destinations := step.Sources(), step.Destinations()
	for _, rank := range sources {
		first := w.cells.at(rank, step.SrcBuf, step.SrcChunk)
		for cell := first; cell < first+step.Count; cell++ {
			if last := w.writers[cell]; last > 0 {
				deps = append(deps, int(last-1))
			}
		}
	}
	for _, rank := range destinations {
		first := w.cells.at(rank, step.DstBuf, step.DstChunk)
		for cell := first; cell < first+step.Count; cell++ {
			if last := w.writers[cell]; last > 0 {
				deps = append(deps, int(last-1))
			}
			deps = w.appendReaders(deps, cell)
		}
	}
	// Entered after all are collected: a step does not wait for itself.
	if step.SrcBuf != In { // in is never written, so nobody waits for its readers
		for _, rank := range sources {
			first := w.cells.at(rank, step.SrcBuf, step.SrcChunk)
			for cell := first; cell < first+step.Count; cell++ {
				w.addReader(cell, step.ID)
			}
		}
	}
	for _, rank := range destinations {
		first := w.cells.at(rank, step.DstBuf, step.DstChunk)
		for cell := first; cell < first+step.Count; cell++ {
			w.writers[cell], w.readers[cell] = int32(step.ID)+1, 0
		}
	}
	slices.Sort(deps)
	w.scratch = slices.Compact(deps)
	return w.scratch
}

func (w *wiring) addReader(cell, id int) {
	if before := w.readers[cell]; before == 0 {
		w.readers[cell] = readers(id) + 1
	} else {
		w.readers[cell] = -readers(len(w.links))
		w.links = append(w.links, link{int32(id), before})
	}
}

func (w *wiring) appendReaders(ids []int, cell int) []int {
	list := w.readers[cell]
	for ; list < 0; list = w.links[-list].rest {
		ids = append(ids, int(w.links[-list].step))
	}
	if list > 0 {
		ids = append(ids, int(list-1))
	}
	return ids
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
