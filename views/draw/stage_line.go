package draw

import (
	"cmp"
	"fmt"
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

// cardRow is a way to draw the cards of a column: name and cells in one line.
type cardRow struct {
	cell  CellSize
	pad   float64
	gap   float64 // to the next card
	token tokenSize
}

var cardRows = []cardRow{
	{cell: CellPhoneSmall, pad: 2, gap: 10, token: tokenSmall},
	{cell: CellChip, pad: 1.5, gap: 6, token: tokenMini},
}

const (
	rowName      = 22.0 // left of the cells of a card in a column
	rowDots      = 13.0 // height of a card of dots in a column
	columnAisle  = 22.0 // between two columns
	secondColumn = 20   // from more than so many ranks a column is broken in two where a tree can be
)

// placeColumn seats the ranks in a column, with one tree as their indents, or
// two trees left and right of them.
func (s Stage) placeColumn(f *form, t lineSeats) {
	n, foot := len(s.Cards), s.keyHeight()
	f.upright, f.short, f.name = true, true, 13
	second := n
	if len(t.level) == 1 && n > secondColumn {
		second = s.breakAt(t)
	}
	rows, wide := max(second, n-second), f.width
	if second < n {
		wide = (f.width - columnAisle) / 2
	}
	// What cards and indents share, and how many indents that is.
	room, indents := wide-2, 0
	for _, levels := range t.levels {
		indents += levels - 1
		if len(t.level) > 1 {
			room -= jointEdge + jointStem
		}
	}
	s.fitRows(f, rows, room, indents)
	line := f.cardHeight + f.gap
	indent := max(min((room-f.cardWidth)/float64(max(indents, 1)), indentMost), 2)
	left := 1.0
	if len(t.level) > 1 {
		left = (f.width-f.cardWidth)/2 + float64(t.levels[0]-t.levels[1])*indent/2
	}
	for rank, place := range t.place {
		at := spot{left, 2 + float64(place)*line}
		if len(t.level) == 1 {
			at.x += float64(max(t.level[0][rank], 0)) * indent
			if place >= second {
				at = spot{wide + columnAisle + at.x - indent, 2 + float64(place-second)*line}
			}
		}
		f.places[rank] = at
	}
	f.aisle, f.spine = wide+columnAisle/2, min(7, indent*0.6)
	for tree := range t.level {
		f.joints[tree] = make([]spot, n)
		for rank, level := range t.level[tree] {
			card := f.card(rank)
			deep := float64(t.levels[tree]-1-level)*indent + jointStem
			x := card.left
			switch {
			case level == outside:
				x = math.NaN()
			case len(t.level) > 1 && tree == 0:
				x = card.left - deep
			case len(t.level) > 1:
				x = card.right() + deep
			}
			f.joints[tree][rank] = spot{x, card.middle().y}
		}
	}
	f.height = 2 + float64(rows)*line - f.gap + 4 + foot
	f.beside = t
}

// breakAt is the place from which ranks stand in a second column: what hangs
// below what stays together, but for what hangs below the first of all. Without
// such a place near the middle it is the end.
func (s Stage) breakAt(t lineSeats) int {
	n := len(t.order)
	best := n
	for place := n / 4; place <= n*3/4; place++ {
		if s.breaks(t, place) && max(place, n-place) < max(best, n-best) {
			best = place
		}
	}
	return best
}

func (s Stage) breaks(t lineSeats, second int) bool {
	for rank, place := range t.place {
		parent := s.above(0, rank)
		if parent == NoParent {
			if place >= second {
				return false
			}
			continue
		}
		if up := t.place[parent]; up > 0 && (up >= second) != (place >= second) || up == 0 && t.level[0][parent] != 0 {
			return false
		}
	}
	return true
}

// fitRows picks the largest cards of a column that leave enough of the room for
// so many indents with messages on them, or without.
func (s Stage) fitRows(f *form, rows int, room float64, indents int) {
	cells := len(s.Cards[0].Cells)
	rowStyles := append(cardRows[:len(cardRows):len(cardRows)], cardRows[len(cardRows)-1])
	rowStyles[len(cardRows)].token = tokenSize{}
	for _, style := range rowStyles {
		for columns := cells; columns >= 1; columns-- {
			lines := (cells + columns - 1) / columns
			width := rowName + float64(columns)*(style.cell.Width+2) - 2 + style.pad
			height := float64(lines)*(style.cell.Height+2) - 2 + 2*style.pad
			if width+float64(indents)*max(style.token.width+0.5, indentLeast+2) > room || float64(rows)*(height+style.gap) > s.tall() {
				continue
			}
			f.cell, f.pad, f.head, f.pitch, f.token = style.cell, rowName, style.pad, style.cell.Height+2, style.token
			f.columns, f.cardWidth, f.cardHeight, f.gap = columns, width, height, style.gap
			return
		}
	}
	f.useDots()
	f.pad, f.head, f.gap, f.pitch = rowName, 1, 4, 0
	high := rowDots
	if cells > 16 { // dots that can still be told apart
		high = 2*rowDots - 6
	}
	side := max(room-float64(indents)*indentLeast, room*0.3) - rowName - 2
	for lines := 1; lines <= cells; lines++ {
		columns := (cells + lines - 1) / lines
		if pitch := min(high/float64(lines), side/float64(columns)); pitch > f.pitch {
			f.pitch, f.columns = pitch, columns
			f.cardWidth, f.cardHeight = rowName+float64(columns)*pitch+1, high+2
		}
	}
	f.head = 1 + (high-f.pitch*math.Ceil(float64(cells)/float64(f.columns)))/2
	f.cell = CellSize{Width: f.pitch, Height: f.pitch}
}

// jointPath leads along an edge of a tree that stands beside its ranks, short
// of the mark that it leads to by so much; between ranks that share no edge it
// leads from card to card.
func (f form) jointPath(from, to, tree int, short float64) MovePath {
	if tree >= len(f.joints) || f.level(tree, from) == outside || f.level(tree, to) == outside || abs(f.level(tree, from)-f.level(tree, to)) != 1 {
		return f.besideTrees(from, to)
	}
	a, b := f.joints[tree][from], f.joints[tree][to]
	if !f.upright {
		line := curve{a, a.between(b, 0.5), b}
		if long := math.Hypot(b.x-a.x, b.y-a.y); long > 3*short {
			line = bow(a.between(b, jointSize/long), b.between(a, short/long), 0)
		}
		return MovePath{D: fmt.Sprintf("M%s %sL%s %s", number(line.from.x), number(line.from.y), number(line.to.x), number(line.to.y)),
			X: line.at(0.48).x, Y: line.at(0.48).y}
	}
	// Down the parent's spine, then across to the child.
	parent, child, down := from, to, f.level(tree, from) < f.level(tree, to)
	if !down {
		parent, child = to, from
	}
	points, rest := f.elbow(parent, child, tree)
	if !down {
		slices.Reverse(points)
	}
	end, before := &points[len(points)-1], points[len(points)-2]
	if long := abs(end.x-before.x) + abs(end.y-before.y); long > 0 {
		*end = end.between(before, min(short/long, 0.5))
	}
	d := ""
	for i, p := range points {
		switch {
		case i == 0:
			d = fmt.Sprintf("M%s %s", number(p.x), number(p.y))
		case p.x == points[i-1].x:
			d += "V" + number(p.y)
		default:
			d += "H" + number(p.x)
		}
	}
	half := f.token.width/2 + 1
	return MovePath{D: d, X: max(min(rest.x, f.width-half), half), Y: rest.y}
}

// elbow is an edge of a tree beside a column, from parent to child, and where a
// message rests on it: beside the child.
func (f form) elbow(parent, child, tree int) (points []spot, rest spot) {
	p, c := f.joints[tree][parent], f.joints[tree][child]
	if len(f.joints) == 1 { // the cards are the joints
		card := f.card(parent)
		if (p.x > f.aisle) != (c.x > f.aisle) {
			return []spot{{card.right() + 1, p.y}, {f.aisle, p.y}, {f.aisle, c.y}, c}, spot{f.aisle, c.y}
		}
		p.x += f.spine
		if p.y = card.bottom(); c.y < card.top {
			p.y = card.top
		}
	}
	return []spot{p, {p.x, c.y}, c}, spot{p.x, c.y}
}

func (f form) level(tree, rank int) int { return f.beside.level[tree][rank] }

// besideTrees leads from card to card over, or beside, those between them.
func (f form) besideTrees(from, to int) MovePath {
	a, b := f.card(from), f.card(to)
	if f.upright {
		out := max(a.right(), b.right())
		out = min(out+min(abs(a.middle().y-b.middle().y)*0.4+10, 50), f.width-4)
		return curve{spot{a.right() + 1, a.middle().y}, spot{2*out - (a.right()+b.right())/2, (a.middle().y + b.middle().y) / 2}, spot{b.right() + 2, b.middle().y}}.path(0.5, "")
	}
	up := max(a.top-min(abs(a.middle().x-b.middle().x)*0.4+10, 50), 4)
	return curve{spot{a.middle().x, a.top - 1}, spot{(a.middle().x + b.middle().x) / 2, 2*up - a.top}, spot{b.middle().x, b.top - 2}}.path(0.5, "")
}

// jointMove goes along an edge of a tree that stands beside its ranks.
func (s Stage) jointMove(f form, m Move) MovePath {
	p := f.jointPath(m.From, m.To, m.Tree, jointSize+1)
	p.Kind = f.slim("")
	if m.Tree > 0 {
		p.Kind = f.slim("other")
	}
	return p
}

// writeJoints draws where each rank is in the trees, and a stem from there to
// its card.
func (s Stage) writeJoints(c *canvas, f form) {
	for tree, joints := range f.joints {
		if f.upright && len(f.joints) == 1 {
			return // the cards stand in the tree themselves
		}
		stems, marks := "", ""
		for rank, at := range joints {
			if math.IsNaN(at.x + at.y) {
				continue
			}
			card := f.card(rank)
			switch {
			case !f.upright && tree == 0:
				stems += fmt.Sprintf("M%s %sV%s", number(at.x), number(at.y), number(card.top))
			case !f.upright:
				stems += fmt.Sprintf("M%s %sV%s", number(at.x), number(at.y), number(card.bottom()))
			case tree == 0:
				stems += fmt.Sprintf("M%s %sH%s", number(at.x), number(at.y), number(card.left))
			default:
				stems += fmt.Sprintf("M%s %sH%s", number(at.x), number(at.y), number(card.right()))
			}
			marks += fmt.Sprintf("M%s %sh0", number(at.x), number(at.y))
		}
		fmt.Fprintf(c, `<path class="g-stem" d="%s"/><path class="g-joint" d="%s"/>`, stems, marks)
	}
}
