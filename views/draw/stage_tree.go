package draw

import (
	"fmt"
	"math"
	"slices"
)

// NoParent is the parent of the root of a tree, and of a rank that is not in
// it.
const NoParent = -1

// treeSeats is where the ranks of a tree sit: on which level, from the root
// down, and how far from the left among the leaves.
type treeSeats struct {
	levels int
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
		if parent := s.above(0, rank); parent != NoParent {
			children[parent] = append(children[parent], rank)
		} else {
			roots = append(roots, rank)
		}
	}
	var seat func(rank, level int) float64
	seat = func(rank, level int) float64 {
		t.levels, t.level[rank] = max(t.levels, level+1), level
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

// above is a rank's parent in a tree, none for one that would be its own
// ancestor.
func (s Stage) above(tree, rank int) int {
	at := rank
	for range s.Cards {
		if at = s.parent(tree, at); at == NoParent {
			return s.parent(tree, rank)
		}
	}
	return NoParent
}

// leastTidy is the narrowest card of dots in a tree whose leaves have a column
// each.
const leastTidy = 24.0

// placeTree seats a tree with children below their parents, as far as every
// leaf has a column wide enough for its card. The ranks of a larger one, and
// those of two trees, stand beside each other and the trees next to them.
func (s Stage) placeTree(f *form) {
	if len(s.Parents) > 1 || !s.placeTidy(f) {
		s.placeLine(f)
	}
}

// placeTidy seats a tree with children below their parents, where there is
// room for it.
func (s Stage) placeTidy(f *form) bool {
	t := s.seatTree()
	foot := s.keyHeight()
	tidy := plan{seats: t.leaves, lines: t.levels, more: 4 + foot}
	if _, ok := s.fitCells(f, []plan{tidy}); !ok {
		cells := float64(len(s.Cards[0].Cells))
		width := f.width/float64(t.leaves) - dotGap
		high := float64(t.levels)*(16+min(width, math.Sqrt(cells)*14)) + float64(t.levels-1)*30 + tidy.more
		if width < leastTidy || high > s.tall()+treeOver {
			return false
		}
		s.fitDots(f, [][]plan{{tidy}})
	}
	f.places = make([]spot, len(s.Cards))
	line := f.cardHeight + f.lineGap
	for rank, level := range t.level {
		f.places[rank] = spot{t.across[rank]/float64(t.leaves)*f.width - f.cardWidth/2, 2 + float64(level)*line}
	}
	f.height = 2 + float64(t.levels)*line - f.lineGap + 4 + foot
	return true
}

// treeOver is how much taller than other stages a tidy tree of dots may be.
const treeOver = 60.0

// treePath leads along an edge of a tidy tree, whichever way.
func (f form) treePath(from, to int) curve {
	a, b := f.card(from), f.card(to)
	down := b.top > a.bottom()
	up := a.top > b.bottom()
	if down || up { // from the foot of one to the head of the other
		foot, head := spot{a.middle().x, a.bottom() + 1}, spot{b.middle().x, b.top - 2}
		if up {
			foot, head = spot{a.middle().x, a.top - 1}, spot{b.middle().x, b.bottom() + 2}
		}
		return bow(foot, head, 0)
	}
	by := 0.0
	if f.between(from, to) {
		by = f.cardHeight/2 + 10 // over it, whichever way; under it on the first line
		if a.left > b.left != (a.top < 20) {
			by = -by
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

// treeMove goes along an edge of a tidy tree. The message rests near the child,
// of whom there is one, but clear of its card.
func (s Stage) treeMove(f form, m Move) MovePath {
	c := f.treePath(m.From, m.To)
	rest, toChild := 0.68, s.parent(m.Tree, m.From) != m.To
	if high := abs(c.to.y - c.from.y); high > f.token.height {
		rest = min(rest, 1-(f.token.height/2+tipRoom)/high)
	}
	if rest = max(rest, 0.4); !toChild {
		rest = 1 - rest
	}
	return c.path(rest, f.slim(""))
}

// tipRoom is what a message leaves free of the line to a card: a tip.
const tipRoom = 9.0

// writeTree draws the trees' edges, to lie below the cards.
func (s Stage) writeTree(c *canvas, f form) {
	s.writeJoints(c, f)
	for tree := range s.Parents {
		for rank := range s.Cards {
			if parent := s.above(tree, rank); parent != NoParent {
				fmt.Fprintf(c, `<path class="%s" d="%s"/>`, edgeClass(tree), f.edgePath(parent, rank, tree))
			}
		}
	}
}

// edgePath is an edge of a tree, from parent to child.
func (f form) edgePath(parent, child, tree int) string {
	if f.joints != nil {
		return f.jointPath(parent, child, tree, 0).D
	}
	return f.treePath(parent, child).d()
}

// edgeClass tells the edges of one tree from those of another, by dashes too.
func edgeClass(tree int) string {
	if tree == 0 {
		return "g-edge"
	}
	return "g-edge other"
}
