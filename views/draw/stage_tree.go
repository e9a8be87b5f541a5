package draw

import (
	"fmt"
	"slices"
)

// NoParent is the parent of the root of a tree, and of a rank that is not in
// it.
const NoParent = -1

// treeSeats is where the ranks of a tree sit: by level, from the root down,
// and how far from the left among the leaves.
type treeSeats struct {
	levels [][]int   // ranks by level, from left to right
	level  []int     // by rank
	across []float64 // by rank, in leaves
	leaves int
}

// seatTree seats the ranks of the first of a stage's trees. Who is in no tree,
// and who would be his own ancestor, is taken for a root.
func (s Stage) seatTree() treeSeats {
	n := len(s.Cards)
	t := treeSeats{level: make([]int, n), across: make([]float64, n)}
	children := make([][]int, n)
	var roots []int
	for rank := range n {
		if parent := s.parent(0, rank); parent != NoParent && !s.loops(rank) {
			children[parent] = append(children[parent], rank)
		} else {
			roots = append(roots, rank)
		}
	}
	var seat func(rank, level int) float64
	seat = func(rank, level int) float64 {
		for len(t.levels) <= level {
			t.levels = append(t.levels, nil)
		}
		t.levels[level], t.level[rank] = append(t.levels[level], rank), level
		if len(children[rank]) == 0 {
			t.across[rank] = float64(t.leaves) + 0.5
			t.leaves++
			return t.across[rank]
		}
		first, last := 0.0, 0.0
		for i, child := range children[rank] {
			last = seat(child, level+1)
			if i == 0 {
				first = last
			}
		}
		t.across[rank] = (first + last) / 2
		return t.across[rank]
	}
	for _, root := range roots {
		seat(root, 0)
	}
	return t
}

// parent is a rank's parent in a tree.
func (s Stage) parent(tree, rank int) int {
	if tree >= len(s.Parents) || rank >= len(s.Parents[tree]) {
		return NoParent
	}
	if parent := s.Parents[tree][rank]; parent >= 0 && parent < len(s.Cards) && parent != rank {
		return parent
	}
	return NoParent
}

// loops reports whether a rank's ancestors do not end at a root.
func (s Stage) loops(rank int) bool {
	for range s.Cards {
		if rank = s.parent(0, rank); rank == NoParent {
			return false
		}
	}
	return true
}

// widest is the number of ranks on the fullest level.
func (t treeSeats) widest() int {
	widest := 0
	for _, level := range t.levels {
		widest = max(widest, len(level))
	}
	return widest
}

// Ways to seat a tree.
const (
	tidyTree  = 0  // children below their parents
	snakeTree = -1 // no levels at all: too deep for them
)

// placeTree seats a tree: tidily where every leaf has its own column, else
// level by level in as many lines as each needs; one that is too deep for
// that winds through the drawing like a snake.
func (s Stage) placeTree(f *form) {
	t := s.seatTree()
	foot := s.keyHeight()
	whole := []plan{{seats: t.leaves, lines: len(t.levels), more: 4 + foot, wrap: tidyTree}}
	whole = append(whole, plan{seats: t.widest(), lines: len(t.levels), more: 4 + foot, wrap: t.widest()})
	var wrapped, snakes []plan
	for seats := t.widest() - 1; seats >= 1; seats-- {
		lines := 0
		for _, level := range t.levels {
			lines += (len(level) + seats - 1) / seats
		}
		wrapped = append(wrapped, plan{seats: seats, lines: lines, more: 4 + foot, wrap: seats})
	}
	for seats := min(len(s.Cards), 16); seats >= 1; seats-- {
		lines := (len(s.Cards) + seats - 1) / seats
		if lines < len(t.levels) {
			snakes = append(snakes, plan{seats: seats, lines: lines, more: 4 + foot, aside: 30, wrap: snakeTree})
		}
	}
	used := s.fit(f, whole, wrapped, snakes)
	f.places = make([]spot, len(s.Cards))
	y := 2.0
	line := func(ranks []int, backward bool) {
		at := f.spread(len(ranks), 0, f.width)
		if used.wrap == snakeTree {
			at = f.spread(used.seats, 0, f.width)
		}
		for i, rank := range ranks {
			if backward {
				i = len(at) - 1 - i
			}
			f.places[rank] = spot{at[i], y}
		}
		y += f.cardHeight + f.lineGap
	}
	switch {
	case used.wrap == tidyTree:
		for rank, level := range t.level {
			f.places[rank] = spot{t.across[rank]/float64(t.leaves)*f.width - f.cardWidth/2, y + float64(level)*(f.cardHeight+f.lineGap)}
		}
		y += float64(len(t.levels)) * (f.cardHeight + f.lineGap)
	case used.wrap == snakeTree:
		backward := false
		for ranks := range slices.Chunk(slices.Concat(t.levels...), used.seats) {
			line(ranks, backward)
			backward = !backward
		}
	default:
		for _, level := range t.levels {
			lines := (len(level) + used.wrap - 1) / used.wrap
			for ranks := range slices.Chunk(level, (len(level)+lines-1)/lines) {
				line(ranks, false)
			}
		}
	}
	f.height = y - f.lineGap + 4 + foot
}

// treePath leads along an edge of a tree, whichever way.
func (f form) treePath(from, to, tree int) curve {
	a, b := f.card(from), f.card(to)
	down := b.top > a.bottom()
	up := a.top > b.bottom()
	if tree == 0 && (down || up) { // from the foot of one to the head of the other
		foot, head := spot{a.middle().x, a.bottom() + 1}, spot{b.middle().x, b.top - 2}
		if up {
			foot, head = spot{a.middle().x, a.top - 1}, spot{b.middle().x, b.bottom() + 2}
		}
		return bow(foot, head, 0)
	}
	by := 0.0
	switch {
	case a.top == b.top && f.between(from, to):
		by = f.cardHeight/2 + 10 // over it, whichever way; under it on the first line
		if a.left > b.left != (a.top < 20) {
			by = -by
		}
	case tree > 0:
		by = 14 // so that it leaves the edges of the first tree
		if from > to {
			by = -14 // the same line there and back
		}
	}
	return bow(a.middle(), b.middle(), by).outside(a.grow(1), b.grow(2))
}

// between reports whether another card stands between two of the same line.
func (f form) between(from, to int) bool {
	a, b := f.places[from], f.places[to]
	return slices.ContainsFunc(f.places, func(p spot) bool {
		return p.y == a.y && p.x > min(a.x, b.x) && p.x < max(a.x, b.x)
	})
}

// writeTree draws the trees' edges, to lie below the cards.
func (s Stage) writeTree(c *canvas, f form) {
	for tree := range s.Parents {
		for rank := range s.Cards {
			if parent := s.parent(tree, rank); parent != NoParent {
				fmt.Fprintf(c, `<path class="%s" d="%s"/>`, edgeClass(tree), f.treePath(parent, rank, tree).d())
			}
		}
	}
}

// edgeClass tells the edges of one tree from those of another, by dashes too.
func edgeClass(tree int) string {
	if tree == 0 {
		return "g-edge"
	}
	return "g-edge other"
}
