package trained

import "strconv"

// effect is a factor on a step's time that runs of one kind share, as a
// logarithm: what it belongs to, and how far it may be from nothing.
type effect struct {
	key string
	off float64
}

// kinds of models, by how software treats them.
func (r Run) kind() string {
	switch {
	case r.Hybrid():
		return "hybrid"
	case r.Fine():
		return "fine"
	}
	return "dense" // and few large experts
}

// effects are those of a run: its software's, its source's, its accelerator's,
// its model's, and what these do together. Deviations follow from how far runs
// that differ in this alone lie apart.
func (r Run) effects() []effect {
	class, gen, gpu, family := string(r.Class), string(r.Gen), r.GPU, r.Family
	format, fine := strconv.Itoa(int(r.Case.Format)), "dense"
	if r.Fine() {
		fine = "fine"
	}
	all := []effect{
		{"software:" + class, 0.30}, {"software-generation:" + class + ":" + gen, 0.12}, {"software-experts:" + class + ":" + fine, 0.15},
		{"software-generation-format:" + class + ":" + gen + ":" + format, 0.07},
		{"accelerator:" + gpu, 0.06}, {"accelerator-experts:" + gpu + ":" + fine, 0.04},
		{"family:" + family, 0.04}, {"family-accelerator:" + family + ":" + gpu, 0.03}, {"family-format:" + family + ":" + format, 0.03},
	}
	if r.Mixes() {
		all = append(all, effect{"family-experts:" + family, 0.06})
	}
	if r.Class == jax {
		all = append(all, effect{"jax:" + r.Source + ":" + family, 0.10})
	}
	if s := r.Source; s != "" {
		all = append(all, effect{"source:" + s, 0.10}, effect{"source-generation:" + s + ":" + gen, 0.05}, effect{"source-format:" + s + ":" + format, 0.06},
			effect{"source-family:" + s + ":" + family, 0.03})
		if v := r.Version; v != "" {
			off := 0.06
			if r.Fine() {
				off = 0.15
			}
			all = append(all, effect{"version:" + s + ":" + v + ":" + r.kind(), off})
			if r.Fine() {
				all = append(all, effect{"version-family:" + s + ":" + v + ":" + family + ":" + gpu, 0.08})
			}
		}
	}
	if r.Fine() {
		all = append(all, effect{"kind:" + r.kind(), 0.10})
	}
	if r.Kind != "" {
		all = append(all, effect{"tuning:" + r.Kind, 0.05})
		if r.Source != "" {
			all = append(all, effect{"source-tuning:" + r.Source + ":" + r.Kind, 0.05})
		}
	}
	for _, way := range []struct {
		name string
		is   bool
	}{{"async", r.Async}, {"eager", r.Eager}, {"tokendrop", r.Drops}} {
		if way.is {
			all = append(all, effect{"way:" + way.name, 0.10})
		}
	}
	return all
}

// cell groups runs that say much the same, so that a source with many of them
// does not outvote the others.
func (r Run) cell() string {
	return r.Source + ":" + r.Family + ":" + r.GPU + ":" + strconv.Itoa(int(r.Case.Format))
}
