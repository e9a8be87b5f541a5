package draw

import (
	"cmp"
	"math"
	"slices"
)

// lineSeats is how ranks stand that have their trees beside them: in which
// order, and on which level of each tree.
type lineSeats struct {
	order  []int   // ranks by place
	place  []int   // places by rank
	level  [][]int // by tree, then rank; outside for who is not in the tree
	levels []int   // by tree
}

// outside is the level of a rank that is not in a tree.
const outside = -1

// Lengths of trees beside their ranks, in units of the view box.
const (
	jointSize   = 2.6  // of the mark where a rank is in a tree
	jointRise   = 24.0 // the least from a level to the next where there is room
	jointMost   = 44.0
	jointStem   = 12.0 // from the lowest level to the ranks
	jointEdge   = 6.0  // from the edge of the drawing to the root
	indentLeast = 8.0
	indentMost  = 24.0
	staggerRoom = 5.0 // names closer than that stand on two lines
)

// seatLine puts ranks in their order, or in another one in which fewer edges
// cross.
func (s Stage) seatLine() lineSeats {
	n := len(s.Cards)
	t := lineSeats{order: make([]int, n), place: make([]int, n)}
	children := make([][]int, n)
	var walked []int
	for tree := range max(len(s.Parents), 1) {
		level, levels := make([]int, n), 1
		inner := make([]bool, n)
		for rank := range n {
			if parent := s.above(tree, rank); parent != NoParent {
				inner[rank], inner[parent] = true, true
				if tree == 0 {
					children[parent] = append(children[parent], rank)
				}
			}
			for at := s.above(tree, rank); at != NoParent; at = s.above(tree, at) {
				level[rank]++
			}
			levels = max(levels, level[rank]+1)
		}
		for rank := range n {
			if !inner[rank] {
				level[rank] = outside
			}
		}
		t.level, t.levels = append(t.level, level), append(t.levels, levels)
	}
	var walk func(rank int)
	walk = func(rank int) {
		walked = append(walked, rank)
		slices.SortFunc(children[rank], func(a, b int) int { return cmp.Compare((a-rank+n)%n, (b-rank+n)%n) })
		for _, child := range children[rank] {
			walk(child)
		}
	}
	for rank := range n {
		t.order[rank] = rank
		if s.above(0, rank) == NoParent {
			walk(rank)
		}
	}
	// Two trees may be the same one round by a place, but for who is above both.
	around := slices.Concat(t.order[:1], t.order[min(2, n):], t.order[min(1, n):min(2, n)])
	best := s.tangles(t.order)
	for _, other := range [][]int{walked, around} {
		if best == 0 {
			break
		}
		if count := s.tangles(other); count < best {
			t.order, best = other, count
		}
	}
	for place, rank := range t.order {
		t.place[rank] = place
	}
	return t
}

// tangles is how many pairs of edges of the same tree cross where ranks stand
// in an order.
func (s Stage) tangles(order []int) int {
	place := make([]int, len(order))
	for at, rank := range order {
		place[rank] = at
	}
	count := 0
	for tree := range s.Parents {
		var edges [][2]int
		for rank := range s.Cards {
			if parent := s.above(tree, rank); parent != NoParent {
				a, b := place[rank], place[parent]
				edges = append(edges, [2]int{min(a, b), max(a, b)})
			}
		}
		for i, e := range edges {
			for _, o := range edges[:i] {
				if e[0] < o[0] && o[0] < e[1] && e[1] < o[1] || o[0] < e[0] && e[0] < o[1] && o[1] < e[1] {
					count++
				}
			}
		}
	}
	return count
}

// placeLine seats all ranks beside each other, on a phone below each other, and
// their trees next to them: the first above or left, the second below or right.
func (s Stage) placeLine(f *form) {
	t := s.seatLine()
	f.joints = make([][]spot, len(t.level))
	f.places = make([]spot, len(s.Cards))
	if s.Narrow {
		s.placeColumn(f, t)
	} else {
		s.placeRow(f, t)
	}
}

// placeRow seats the ranks in a row, with trees above and below.
func (s Stage) placeRow(f *form, t lineSeats) {
	n, foot, tall := len(s.Cards), s.keyHeight(), s.tall()
	levels := 0
	for _, count := range t.levels {
		levels += count
	}
	ends := 2*jointEdge + foot
	rise := min(jointRise, tall*0.6/float64(levels))
	if _, ok := s.fitCells(f, []plan{{seats: n, lines: 1, more: float64(levels)*rise + ends}}); !ok {
		s.rowOfDots(f)
	}
	pitch := f.width / float64(n)
	rise = max(min((tall-f.cardHeight-ends)/float64(levels), jointMost), rise)
	if len(s.Cards[0].Cells) > 10 || pitch < tokenMini.width+staggerRoom {
		f.token = tokenSize{}
	}
	stem := min(rise, jointStem)
	top := jointEdge + float64(t.levels[0]-1)*rise + stem
	at := f.spread(n, 2, f.width-4)
	for rank, place := range t.place {
		f.places[rank] = spot{at[place], top}
	}
	foots := top + f.cardHeight
	for tree := range t.level {
		f.joints[tree] = make([]spot, n)
		for rank, level := range t.level[tree] {
			y := jointEdge + float64(level)*rise
			if tree > 0 {
				y = foots + stem + float64(t.levels[tree]-1-level)*rise
			}
			if level == outside {
				y = math.NaN()
			}
			f.joints[tree][rank] = spot{f.card(rank).middle().x, y}
		}
	}
	f.height = foots + jointEdge
	for _, count := range t.levels[1:] {
		f.height += stem + float64(count-1)*rise
	}
	f.height += foot
	f.stagger = pitch < 2*12*digitWide+staggerRoom
	f.beside = t
}

// digitWide is the width of a digit, as a share of its size.
const digitWide = 0.56

// rowOfDots sizes cards whose cells are dots below each other.
func (s Stage) rowOfDots(f *form) {
	const most = 150.0 // height of the dots
	cells := len(s.Cards[0].Cells)
	f.useDots()
	f.cardWidth = min(f.width/float64(len(s.Cards))-dotGap, 64)
	f.gap, f.pad, f.head, f.name = dotGap, 1, 16, 12
	if f.cardWidth < 2*12*digitWide+staggerRoom-dotGap {
		f.head += 12
	}
	side := f.cardWidth - 2*f.pad
	for columns := 1; columns <= cells; columns++ {
		rows := float64((cells + columns - 1) / columns)
		if pitch := min(side/float64(columns), 14, most/rows); pitch > f.pitch {
			f.pitch, f.columns = pitch, columns
			f.cardHeight = f.head + rows*pitch + f.pad
		}
	}
	f.cell = CellSize{Width: f.pitch, Height: f.pitch}
	f.token = tokenMini
}
