package schedule

// pairs finds a combination by its two operands, in either order. Most values
// are combined with one other only, and soon after they were made: so each
// operand, the larger number of the two, knows its first combination, and only
// the further ones are in a hash table. Both are lists of node numbers: the
// operands themselves stand in the nodes.
type pairs struct {
	first []int32 // by larger operand: its first combination, 0 for none
	table []int32 // the others: open addressing; a power of two of slots, half of them 0 for free
	used  int     // slots of table
}

// find returns the place of the combination of x and y, which holds its number,
// or 0 if it is new: then the caller puts it there before the next find.
func (p *pairs) find(nodes []node, x, y int32) *int32 {
	is := func(id int32) bool {
		n := &nodes[id]
		return n.left == x && n.right == y || n.left == y && n.right == x
	}
	for len(p.first) < len(nodes) {
		p.first = append(p.first, 0)
	}
	if first := &p.first[max(x, y)]; *first == 0 || is(*first) {
		return first
	}
	if 2*p.used >= len(p.table) {
		p.grow(nodes)
	}
	mask := len(p.table) - 1
	i := hashPair(x, y) & mask
	for p.table[i] != 0 && !is(p.table[i]) {
		i = (i + 1) & mask
	}
	if p.table[i] == 0 {
		p.used++
	}
	return &p.table[i]
}

func (p *pairs) grow(nodes []node) {
	old := p.table
	p.table = make([]int32, max(4*len(old), 1<<6))
	mask := len(p.table) - 1
	for _, id := range old {
		if id == 0 {
			continue
		}
		i := hashPair(nodes[id].left, nodes[id].right) & mask
		for p.table[i] != 0 {
			i = (i + 1) & mask
		}
		p.table[i] = id
	}
}

// hashPair mixes both numbers into all bits, as splitmix64 does; it does not
// see their order.
func hashPair(x, y int32) int {
	h := uint64(min(x, y))<<32 | uint64(max(x, y))
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return int(h ^ h>>31)
}
