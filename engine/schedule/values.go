package schedule

import "slices"

// Contribution is a run of ranks whose in chunk Piece is part of a value,
// each Times times.
type Contribution struct {
	Piece       int
	First, Last int // ranks, inclusive
	Times       int
}

// values interns the symbolic values that chunks take. A value is a leaf (one
// rank's piece) or the combination of two values; equal expressions get equal
// numbers, up to the order of the two operands, which floating-point addition
// does not see either. So two chunks are bit-identical on real data if they
// have the same number. Number 0 is "holds nothing".
type values struct {
	set   bool // barrier: combining is set union, arriving twice is fine
	nodes []node
	first []int32 // by rank: the number of its first piece; those of a rank stand in a row
	pairs pairs
	runs  []run // what the nodes hold, shared storage
	full  bool  // runs has reached maxRuns; values are no longer right
}

type node struct {
	from, to    int32 // runs[from:to]
	left, right int32 // 0 for a leaf
	step        int32 // index of the step that first made it, -1 for a leaf
}

// maxRuns bounds what the values may hold in memory, 512 MiB; the largest
// schedules that are built need a tenth.
const maxRuns = 1 << 25

// manyTimes is where counting stops: a count that wrapped round could come out
// as one.
const manyTimes = 1 << 20

// run is a Contribution as stored: sorted by piece, then rank, adjacent ones
// merged, so equal multisets are equal lists.
type run struct{ piece, first, last, times int32 }

// newValues knows the leaves: each rank's so many pieces.
func newValues(set bool, pieces []int) *values {
	leaves := 0
	for _, count := range pieces {
		leaves += count
	}
	room := leaves + min(leaves, 1<<20) + 1 // most schedules combine as often as they have leaves
	v := &values{set: set, nodes: make([]node, 1, room), runs: make([]run, 0, room), pairs: pairs{first: make([]int32, 0, room)}}
	for rank, count := range pieces {
		v.first = append(v.first, int32(len(v.nodes)))
		for piece := range count {
			from := int32(len(v.runs))
			v.runs = append(v.runs, run{int32(piece), int32(rank), int32(rank), 1})
			v.add(node{from, from + 1, 0, 0, -1})
		}
	}
	v.first = append(v.first, int32(len(v.nodes)))
	return v
}

// leaf returns the number of a rank's piece, which must be one that it has.
func (v *values) leaf(rank, piece int) int32 { return v.first[rank] + int32(piece) }

func (v *values) add(n node) int32 {
	v.nodes = append(v.nodes, n)
	return int32(len(v.nodes) - 1)
}

// combine returns the value of x ⊕ y, made by the step at index step.
func (v *values) combine(x, y int32, step int) int32 {
	if v.set && x == y {
		return x
	}
	known := v.pairs.find(v.nodes, x, y)
	if *known != 0 {
		return *known
	}
	if len(v.runs) > maxRuns {
		v.full = true
		return x
	}
	from := int32(len(v.runs))
	v.merge(v.nodes[x], v.nodes[y])
	*known = v.add(node{from, int32(len(v.runs)), x, y, int32(step)})
	return *known
}

// merge appends the multiset sum (set union) of a and b to runs.
func (v *values) merge(a, b node) {
	start := len(v.runs)
	i, j := a.from, b.from
	var x, y run
	haveX, haveY := false, false
	for {
		if !haveX && i < a.to {
			x, haveX = v.runs[i], true
			i++
		}
		if !haveY && j < b.to {
			y, haveY = v.runs[j], true
			j++
		}
		switch {
		case !haveX && !haveY:
			return
		case !haveY || haveX && before(x, y):
			v.put(start, x)
			haveX = false
		case !haveX || before(y, x):
			v.put(start, y)
			haveY = false
		default: // same piece, overlapping: cut off what comes first
			switch {
			case x.first < y.first:
				v.put(start, run{x.piece, x.first, y.first - 1, x.times})
				x.first = y.first
			case y.first < x.first:
				v.put(start, run{y.piece, y.first, x.first - 1, y.times})
				y.first = x.first
			default:
				last, times := min(x.last, y.last), min(x.times+y.times, manyTimes)
				if v.set {
					times = 1
				}
				v.put(start, run{x.piece, x.first, last, times})
				if haveX = x.last > last; haveX {
					x.first = last + 1
				}
				if haveY = y.last > last; haveY {
					y.first = last + 1
				}
			}
		}
	}
}

// before reports whether x ends before y begins.
func before(x, y run) bool { return x.piece < y.piece || x.piece == y.piece && x.last < y.first }

// put appends r to the list that began at start, merging it with its neighbour.
func (v *values) put(start int, r run) {
	if n := len(v.runs); n > start {
		if p := &v.runs[n-1]; p.piece == r.piece && p.last+1 == r.first && p.times == r.times {
			p.last = r.last
			return
		}
	}
	v.runs = append(v.runs, r)
}

// complete reports whether id holds the piece of every one of n ranks exactly
// once and nothing else.
func (v *values) complete(id int32, piece, n int) bool {
	have := v.runs[v.nodes[id].from:v.nodes[id].to]
	return len(have) == 1 && have[0] == run{int32(piece), 0, int32(n - 1), 1}
}

// is reports whether id is exactly one rank's piece.
func (v *values) is(id int32, rank, piece int) bool {
	return piece < int(v.first[rank+1]-v.first[rank]) && id == v.leaf(rank, piece)
}

// contributions returns what id holds.
func (v *values) contributions(id int32) []Contribution {
	n := v.nodes[id]
	list := make([]Contribution, 0, n.to-n.from)
	for _, r := range v.runs[n.from:n.to] {
		list = append(list, Contribution{int(r.piece), int(r.first), int(r.last), int(r.times)})
	}
	return list
}

// times returns how often rank's piece is in id.
func (v *values) times(id int32, rank, piece int) int {
	have := v.runs[v.nodes[id].from:v.nodes[id].to]
	i, found := slices.BinarySearchFunc(have, 0, func(r run, _ int) int {
		switch {
		case before(r, run{int32(piece), int32(rank), int32(rank), 0}):
			return -1
		case before(run{int32(piece), int32(rank), int32(rank), 0}, r):
			return 1
		}
		return 0
	})
	if !found {
		return 0
	}
	return int(have[i].times)
}

// origin returns the index of the step in which rank's piece first came into
// id as often as it is there now, -1 if it never combined.
func (v *values) origin(id int32, rank, piece int) int {
	want := v.times(id, rank, piece)
	for {
		n := v.nodes[id]
		switch {
		case n.left == 0:
			return int(n.step)
		case v.times(n.left, rank, piece) == want:
			id = n.left
		case v.times(n.right, rank, piece) == want:
			id = n.right
		default:
			return int(n.step)
		}
	}
}
