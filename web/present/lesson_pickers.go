package present

import (
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views"
)

// pickedSizes are the sizes to choose from; what a URL asks for besides is
// added. Everything that is counted can be chosen whole, from the least that
// there is to the most.
var pickedSizes = []unit.Bytes{8, unit.KB, 64 * unit.KB, unit.MB, 4 * unit.MB, 16 * unit.MB, 64 * unit.MiB, 256 * unit.MB, unit.GB, 1200 * unit.MB, 16 * unit.GB}

// pickers is the form. It goes to the lesson's own address; LessonTarget says
// where what comes back leads.
func (t teller) pickers(f Frame) views.Pickers {
	p := views.Pickers{URL: f.homeURL() + t.c.path(), Locked: t.c.lock}
	entry := t.c.entry
	add := func(name, part, label string, options []views.Option) {
		if !slices.Contains(t.c.hide, part) {
			p.Pickers = append(p.Pickers, views.Picker{Name: name, Label: t.l.T(label), Options: options})
		}
	}
	add("pair", "algorithm", "lesson.pick.algorithm", t.pairOptions())
	add("n", "ranks", "lesson.pick.ranks", numbers(leastRanks(entry), mostRanks(entry), t.c.ranks))
	if entry.Collective.Rooted() && t.c.ranks > 1 {
		add("root", "root", "lesson.pick.root", numbers(0, t.c.ranks-1, t.c.root))
	}
	if entry.Nodes && t.c.ranks > 1 {
		add("G", "G", "lesson.pick.nodes", numbers(1, t.c.ranks, t.c.perNode))
	}
	if entry.Collective != schedule.Barrier {
		add("size", "size", lessonSizeMessage(entry.Collective), t.sizeOptions())
	}
	add("net", "net", "lesson.pick.net", t.networkOptions())
	if most := t.c.most; most > 1 {
		add("chunks", "chunks", "lesson.pick.chunks", numbers(1, most, t.c.chunks))
	}
	chosen := map[string]bool{}
	for i := range p.Pickers {
		chosen[p.Pickers[i].Name] = true
	}
	for _, kept := range hiddenFields(t.c.query()) {
		if !chosen[kept.Name] && kept.Name != "step" && kept.Name != "at" {
			p.Keep = append(p.Keep, kept)
		}
	}
	p.Keep = append(p.Keep, views.Hidden{Name: "at", Value: t.place(t.c.step)})
	return p
}

func (t teller) pairOptions() []views.Option {
	var options []views.Option
	for _, e := range schedule.Catalog() {
		options = append(options, views.Option{Value: string(e.Collective) + "/" + e.Algorithm, Name: pairName(t.l, e.Collective, e.Algorithm),
			Group:    collectiveName(t.l, e.Collective),
			Selected: e.Collective == t.f.schedule.Collective && e.Algorithm == t.f.schedule.Algorithm})
	}
	return options
}

func (t teller) sizeOptions() []views.Option {
	sizes := slices.Clone(pickedSizes)
	if !slices.Contains(sizes, t.c.size) {
		sizes = append(sizes, t.c.size)
		slices.Sort(sizes)
	}
	var options []views.Option
	for _, size := range sizes {
		options = append(options, views.Option{Value: compactBytes(size), Name: sizeName(size), Selected: size == t.c.size})
	}
	return options
}

// sizeName prints a size as people say it: one that was rounded to whole blocks
// is about as much.
func sizeName(size unit.Bytes) string {
	if name := size.String(); size < 1000 || !strings.HasSuffix(name, " B") {
		return name
	}
	return "≈ " + lessonBytes(int(size))
}

func (t teller) networkOptions() []views.Option {
	var options []views.Option
	for _, n := range lessonNetworks() {
		options = append(options, views.Option{Value: n.id, Name: t.l.T(n.message), Selected: n.id == t.c.network.id})
	}
	return options
}

// numbers are the values from the least to the most, with the one in use
// chosen.
func numbers(least, most, used int) []views.Option {
	options := make([]views.Option, 0, most-least+1)
	for v := least; v <= most; v++ {
		options = append(options, views.Option{Value: strconv.Itoa(v), Name: strconv.Itoa(v), Selected: v == used})
	}
	return options
}

// hiddenFields turns a query into fields of a form, in a fixed order.
func hiddenFields(q url.Values) []views.Hidden {
	var fields []views.Hidden
	for name := range q {
		fields = append(fields, views.Hidden{Name: name, Value: q.Get(name)})
	}
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	return fields
}

// place says where a step stands, in a form that fits other schedules: phase,
// step in the phase, steps of the phase.
func (t teller) place(at int) string {
	if at == 0 {
		return "start"
	}
	i := t.f.steps[at].phase
	p := t.f.phases[i]
	return fmt.Sprintf("%d.%d.%d", i, at-p.first+1, p.last-p.first+1)
}

// LessonTarget is where a form of choices leads: the address of the lesson
// that was chosen, at the place that was shown before. It is empty for a query
// that comes from no form.
func LessonTarget(f Frame, r LessonRequest) (string, error) {
	placed := asksPlace(r.Query)
	if !placed && !r.Query.Has("pair") {
		return "", nil
	}
	if collective, algorithm, found := strings.Cut(r.Query.Get("pair"), "/"); found {
		if entry, err := schedule.Find(schedule.Collective(collective), algorithm); err == nil {
			r.Entry = entry
		}
	}
	t, err := openLesson(f, r, func(int, int) bool { return false })
	if err != nil {
		return "", err
	}
	if _, err := schedule.ParseDefect(r.Query.Get("break")); err == nil {
		t.c.defect = r.Query.Get("break") // where it changes nothing, the page says why
	}
	if placed {
		t.c.step = t.findPlace(r.Query.Get("at"))
	}
	return t.c.url(f, ""), nil
}

// asksPlace reports whether a form asks for the place that was shown before;
// the number of a move is none.
func asksPlace(q url.Values) bool {
	_, err := strconv.Atoi(q.Get("at"))
	return q.Has("at") && err != nil
}

// readPlace reads a place as the form of the pickers sends it.
func readPlace(text string) (phase, step, steps int, ok bool) {
	n, err := fmt.Sscanf(text, "%d.%d.%d", &phase, &step, &steps)
	return phase, step, steps, n == 3 && err == nil
}

// isPlace reports whether a text is such a place.
func isPlace(text string) bool {
	_, _, _, ok := readPlace(text)
	return ok
}

// findPlace is the step that corresponds to a place: the end of a phase to the
// end of the phase, the first step to the first, the rest in proportion.
func (t teller) findPlace(place string) int {
	phase, step, steps, ok := readPlace(place)
	if !ok || phase < 0 || phase >= len(t.f.phases) || steps < 1 || step < 1 || step > steps {
		return 0
	}
	p := t.f.phases[phase]
	count := p.last - p.first + 1
	switch {
	case count < 1:
		return 0
	case step == 1 && steps > 1:
		return p.first
	case step == steps:
		return p.last
	}
	return p.first + (step-1)*(count-1)/(steps-1)
}
