package present

import (
	"net/url"
	"slices"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views/locale"
)

// reader takes values out of a query and notes what does not exist.
type reader struct {
	l     locale.Locale
	query url.Values
	notes []string
}

func (r *reader) note(message, given, used string) {
	r.notes = append(r.notes, r.l.T(message, locale.Values{"Given": clipped(given), "Used": used}))
}

// unmet notes a value that cannot be used; nil is none.
func (r *reader) unmet(u *unmet) {
	if u != nil {
		r.notes = append(r.notes, u.says(r.l))
	}
}

// number returns the value of a field brought into range.
func (r *reader) number(f countField) int {
	v, note := f.read(r.query.Get(f.name))
	r.unmet(note)
	return v
}

// flag returns whether something is asked for.
func (r *reader) flag(name string) bool {
	on, note := readFlag(name, r.query.Get(name))
	r.unmet(note)
	return on
}

// lessonSizeMessage names what the size of a lesson counts.
func lessonSizeMessage(c schedule.Collective) string {
	return heldAs(c, "lesson.pick.size", "lesson.pick.size.blocks", "lesson.pick.size.one")
}

// size returns the number of bytes to play: whole elements, and whole blocks
// where there are any.
func (r *reader) size(c schedule.Collective, ranks int) unit.Bytes {
	if c == schedule.Barrier { // it has no data
		return 0
	}
	given := trimmed(r.query, "size")
	if given == "" {
		return fitSize(c, ranks, lessonSize)
	}
	asked, err := unit.ParseBytes(given)
	if err != nil {
		usual := fitSize(c, ranks, lessonSize)
		r.unmet(unreadBytes(err, unmet{label: lessonSizeMessage(c), given: given, used: usual.String()}))
		return usual
	}
	fit := fitSize(c, ranks, min(asked, lessonMaxSize))
	if fit > lessonMaxSize { // rounded up
		fit -= wholePart(c, ranks)
	}
	switch {
	case asked > lessonMaxSize:
		r.unmet(&unmet{reason: beyond, label: lessonSizeMessage(c), given: given, accepted: fromTo("0 B", lessonMaxSize.String()), used: fit.String()})
	case fit != asked:
		r.unmet(&unmet{reason: uneven, label: lessonSizeMessage(c), given: given, accepted: wholePart(c, ranks).String(), used: fit.String()})
	}
	return fit
}

func (r *reader) network() lessonNetwork {
	all := lessonNetworks()
	given := r.query.Get("net")
	if i := slices.IndexFunc(all, func(n lessonNetwork) bool { return n.id == given }); i >= 0 {
		return all[i]
	}
	if given != "" {
		r.unmet(&unmet{reason: unknown, label: "lesson.pick.net", given: given, accepted: listOf(networkIDs()), named: all[defaultNetwork].message})
	}
	return all[defaultNetwork]
}

// pace returns how a real run of the lesson is slowed down; empty for as the
// form of runs has it.
func (r *reader) pace() string {
	given := trimmed(r.query, "pace")
	if _, err := unit.ParseRate(given); err == nil || given == "" || given == "step" {
		return given
	}
	r.unmet(&unmet{reason: ignored, field: "pace", given: given, accepted: "step, " + rateExample})
	return ""
}

// lessonAPIs are whose calls a lesson shows, the usual one first.
var lessonAPIs = []string{"nccl", "mpi", "pytorch"}

func (r *reader) api() string {
	given := r.query.Get("api")
	if slices.Contains(lessonAPIs, given) {
		return given
	}
	if given != "" {
		r.unmet(&unmet{reason: unknown, field: "api", given: given, accepted: listOf(lessonAPIs), used: lessonAPIs[0]})
	}
	return lessonAPIs[0]
}

// hide returns the parts that are taken away, in their order on the page.
func (r *reader) hide() []string {
	var asked, strange, hidden []string
	for _, part := range strings.Split(r.query.Get("hide"), ",") {
		switch part = strings.TrimSpace(part); {
		case slices.Contains(hideable(), part):
			asked = append(asked, part)
		case part != "" && !slices.Contains(strange, part):
			strange = append(strange, part)
		}
	}
	for _, part := range hideable() {
		if slices.Contains(asked, part) {
			hidden = append(hidden, part)
		}
	}
	if len(strange) > 0 {
		r.unmet(&unmet{reason: ignored, field: "hide", given: listOf(strange), accepted: listOf(hideable())})
	}
	return hidden
}
