package present

import (
	"cmp"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
)

// libraryRow tells how the libraries treat a pair of the catalogue.
type libraryRow struct {
	collective schedule.Collective
	algorithm  string

	nccl, openMPI, mpich libraryChoice
}

// libraryChoice tells whether a library has an algorithm, when it takes it and
// how to make it.
type libraryChoice struct {
	name  string        // in the library's spelling, empty for none
	when  string        // a message
	cases []libraryCase // what the message names
	note  string        // a message about how it differs, empty for none
	calls string        // the calls that the note names
	set   string        // what makes the library take it, empty where nothing does
}

// libraryCase is a condition of a library's rules. What is zero is no
// condition.
type libraryCase struct {
	min, max int    // ranks, both included
	ranks    string // a message with a condition on the number of ranks

	of          string // a message naming what the sizes measure
	from, over  int    // bytes: at least, or more than
	below, upto int    // bytes: less than, or at most

	op string // a message with a condition on the operation
}

// libraries tells how NCCL and MPI treat the lesson's pair, nil where nothing
// is known.
func (t teller) libraries() *views.LessonLibraries {
	e := t.c.entry
	for _, row := range libraryRows {
		if row.collective != e.Collective || row.algorithm != e.Algorithm {
			continue
		}
		v := &views.LessonLibraries{Title: t.l.T("chosen.title"), Source: t.l.T("chosen.source"), Rows: []views.LibraryChoice{
			row.nccl.says(t.l, "NCCL"), row.openMPI.says(t.l, "Open MPI"), row.mpich.says(t.l, "MPICH"),
		}}
		if splitByNode(e.Collective) && !e.Nodes { // a lesson on nodes is that split
			v.Split, v.Whole = t.l.T("chosen.nodes"), []string{"--mca coll ^han", "MPIR_CVAR_DEVICE_COLLECTIVES=none"}
		}
		return v
	}
	return nil
}

// splitByNode tells whether Open MPI or MPICH takes a collective apart by node
// before the rules of the table hold.
func splitByNode(c schedule.Collective) bool {
	return c != schedule.AllToAll && c != schedule.ReduceScatter && c != schedule.SendRecv
}

func (c libraryChoice) says(l locale.Locale, library string) views.LibraryChoice {
	v := views.LibraryChoice{Library: library, Name: c.name, Set: arguments(c.set)}
	cases := ""
	for _, one := range c.cases {
		if cases == "" {
			cases = one.says(l)
		} else {
			cases = l.T("chosen.or", locale.Values{"Cases": cases, "Next": one.says(l)})
		}
	}
	v.When = l.T(c.when, locale.Values{"Cases": cases})
	if c.note != "" {
		v.Note = l.T(c.note, locale.Values{"Calls": c.calls})
	}
	return v
}

// arguments parts a setting where a line may break: before each option.
func arguments(set string) []string {
	if set == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(set, " --", "\n--"), "\n")
}

func (c libraryCase) says(l locale.Locale) string {
	var parts []string
	switch {
	case c.min > 0 && c.max > 0:
		parts = append(parts, l.T("chosen.ranks.range", locale.Values{"Min": c.min, "Max": c.max}))
	case c.min > 0:
		parts = append(parts, l.T("chosen.ranks.from", locale.Values{"Min": c.min}))
	case c.max > 0:
		parts = append(parts, l.T("chosen.ranks.upto", locale.Values{"Max": c.max}))
	}
	if c.ranks != "" {
		parts = append(parts, l.T(c.ranks))
	}
	if c.of != "" {
		parts = append(parts, l.T(c.of, locale.Values{"Size": c.size(l)}))
	}
	if c.op != "" {
		parts = append(parts, l.T(c.op))
	}
	said := parts[0]
	for _, next := range parts[1:] {
		said = l.T("chosen.and", locale.Values{"Parts": said, "Next": next})
	}
	return said
}

func (c libraryCase) size(l locale.Locale) string {
	values := locale.Values{"From": sizeName(unit.Bytes(cmp.Or(c.from, c.over))), "To": sizeName(unit.Bytes(cmp.Or(c.below, c.upto)))}
	switch {
	case c.from > 0 && c.below > 0:
		return l.T("chosen.size.between", values)
	case c.over > 0 && c.upto > 0:
		return l.T("chosen.size.within", values)
	case c.from > 0:
		return l.T("chosen.size.from", values)
	case c.over > 0:
		return l.T("chosen.size.over", values)
	case c.below > 0:
		return l.T("chosen.size.below", values)
	case c.upto > 0:
		return l.T("chosen.size.upto", values)
	}
	return l.T("chosen.size.any")
}
