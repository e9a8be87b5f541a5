package present

import (
	"slices"
	"strings"

	"lockstep/engine/schedule"
)

// Existing says which pages under /learn there are beside the lessons: nothing
// leads to one that there is not.
type Existing struct {
	Stories    []string // such as "race"
	Collective bool     // each collective has a page of its own
	Runs       bool     // runs are started from pages
}

// page reports whether there is a page at a path below the language.
func (e Existing) page(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	part, below := strings.CutPrefix(path, "learn/")
	switch {
	case path == "runs/new":
		return e.Runs
	case !below || strings.Contains(part, "/"): // the index, another part of the site, or a lesson, path or lab
		return true
	case part == "labs" || part == "words":
		return true
	}
	return slices.Contains(e.Stories, part)
}

// presents reports whether the page at a path has a mode for projectors.
func (e Existing) presents(path string) bool {
	part, below := strings.CutPrefix(path, "learn/")
	return below && (path == racePath || strings.Contains(part, "/") && !strings.HasPrefix(part, "labs/"))
}

// collectiveURL is the address of a collective's own page, or else of its
// lesson.
func (e Existing) collectiveURL(f Frame, c schedule.Collective) string {
	if e.Collective {
		return f.homeURL() + "learn/" + string(c)
	}
	return primitiveURL(f, c)
}
