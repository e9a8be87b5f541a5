package raster

import (
	"slices"
	"strings"
)

// sheet is a style sheet. A rule whose selector is not understood is left out,
// as a browser leaves it out.
type sheet struct {
	byClass map[string][]*rule // by a class of the element that they are for
	others  []*rule
}

type rule struct {
	selector     []compound // the element's own last
	declarations [][2]string
	weight       int // of the selector: how specific it is
	order        int
}

// compound is what one element must be.
type compound struct {
	child    bool // of the one before, not just below it
	name     string
	classes  []string
	without  []string // classes
	prefixes [][2]string
}

// readSheet reads rules. Comments and rules within rules are not expected.
func readSheet(css string) *sheet {
	s := &sheet{byClass: map[string][]*rule{}}
	for order, text := range strings.Split(css, "}") {
		selectors, body, found := strings.Cut(text, "{")
		if !found {
			continue
		}
		var declarations [][2]string
		for _, declaration := range strings.Split(body, ";") {
			if name, value, found := strings.Cut(declaration, ":"); found {
				declarations = append(declarations, [2]string{strings.TrimSpace(name), strings.TrimSpace(value)})
			}
		}
		for _, selector := range strings.Split(selectors, ",") {
			compounds, ok := readSelector(strings.TrimSpace(selector))
			if !ok {
				continue
			}
			r := &rule{selector: compounds, declarations: declarations, order: order}
			for _, c := range compounds {
				r.weight += 100 * (len(c.classes) + len(c.without) + len(c.prefixes))
				if c.name != "" {
					r.weight++
				}
			}
			if own := compounds[len(compounds)-1].classes; len(own) > 0 {
				s.byClass[own[0]] = append(s.byClass[own[0]], r)
			} else {
				s.others = append(s.others, r)
			}
		}
	}
	return s
}

// readSelector reads compounds joined by blanks and > signs.
func readSelector(text string) ([]compound, bool) {
	var all []compound
	child := false
	for _, word := range strings.Fields(strings.ReplaceAll(text, ">", " > ")) {
		if word == ">" {
			child = true
			continue
		}
		c, ok := readCompound(word)
		if !ok {
			return nil, false
		}
		c.child, child = child, false
		all = append(all, c)
	}
	return all, len(all) > 0
}

func readCompound(word string) (compound, bool) {
	var c compound
	ends := func(from int) int {
		if end := strings.IndexAny(word[from:], ".:["); end >= 0 {
			return from + end
		}
		return len(word)
	}
	at := ends(0)
	c.name = word[:at]
	for at < len(word) {
		rest := word[at:]
		switch {
		case rest[0] == '.':
			end := ends(at + 1)
			c.classes = append(c.classes, word[at+1:end])
			at = end
		case strings.HasPrefix(rest, ":not(."):
			end := strings.IndexByte(rest, ')')
			if end < 0 {
				return c, false
			}
			c.without = append(c.without, rest[len(":not(."):end])
			at += end + 1
		case rest[0] == '[':
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return c, false
			}
			name, prefix, found := strings.Cut(rest[1:end], "^=")
			if !found {
				return c, false
			}
			c.prefixes = append(c.prefixes, [2]string{name, strings.Trim(prefix, `"'`)})
			at += end + 1
		default: // what depends on a pointer, a place or a state of the page
			return c, false
		}
	}
	return c, true
}

// of are the declarations that hold for an element, the strongest last.
func (s *sheet) of(n *node) [][2]string {
	var found []*rule
	for _, class := range n.classes {
		for _, r := range s.byClass[class] {
			if r.matches(n) {
				found = append(found, r)
			}
		}
	}
	for _, r := range s.others {
		if r.matches(n) {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b *rule) int {
		if a.weight != b.weight {
			return a.weight - b.weight
		}
		return a.order - b.order
	})
	var declarations [][2]string
	for _, r := range found {
		declarations = append(declarations, r.declarations...)
	}
	return declarations
}

func (r *rule) matches(n *node) bool { return matches(r.selector, n) }

func matches(selector []compound, n *node) bool {
	last := len(selector) - 1
	if !selector[last].is(n) {
		return false
	}
	if last == 0 {
		return true
	}
	for above := n.parent; above != nil; above = above.parent {
		if matches(selector[:last], above) {
			return true
		}
		if selector[last].child {
			return false
		}
	}
	return false
}

func (c compound) is(n *node) bool {
	if c.name != "" && c.name != "*" && c.name != n.name {
		return false
	}
	for _, class := range c.classes {
		if !slices.Contains(n.classes, class) {
			return false
		}
	}
	for _, class := range c.without {
		if slices.Contains(n.classes, class) {
			return false
		}
	}
	for _, p := range c.prefixes {
		if !strings.HasPrefix(n.attrs[p[0]], p[1]) {
			return false
		}
	}
	return true
}
