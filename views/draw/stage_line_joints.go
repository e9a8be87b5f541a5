package draw

import (
	"fmt"
	"math"
	"slices"
)

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
