package schedule

// nodes is how ranks lie on nodes: node v holds ranks v·perNode and on, the
// last node may be short.
//
// Algorithms with one partner per node run on rails: rail l joins, of every
// node, the rank that is l-th in it, as the l-th network card of each machine
// hangs on one switch. In a short node a rank serves several rails, l and
// l + size and so on, so that every rail passes through every node.
type nodes struct {
	ranks   int
	perNode int
}

// nodes returns the nodes of the schedule's ranks.
func (b *builder) nodes() nodes { return nodes{b.s.Ranks, b.s.RanksPerNode} }

// count returns how many nodes there are.
func (v nodes) count() int { return (v.ranks + v.perNode - 1) / v.perNode }

// first returns the first rank of a node.
func (v nodes) first(node int) int { return node * v.perNode }

// size returns how many ranks a node holds.
func (v nodes) size(node int) int { return min(v.perNode, v.ranks-v.first(node)) }

// rails returns how many rails there are: the ranks of a full node.
func (v nodes) rails() int { return v.size(0) }

// of returns the node of a rank, and its place among the ranks there.
func (v nodes) of(rank int) (node, place int) { return rank / v.perNode, rank % v.perNode }

// rail returns the rank of a node that serves rail l.
func (v nodes) rail(node, l int) int { return v.first(node) + l%v.size(node) }

// leader returns the rank of a node that speaks for it: the root in its own
// node, the first one in the others.
func (v nodes) leader(node, root int) int {
	if home, _ := v.of(root); home == node {
		return root
	}
	return v.first(node)
}

// clients returns the ranks of a node whose rails the given rank serves in its
// own node: those that are its partners across. Of its own node that is the
// rank itself.
func (v nodes) clients(rank, node int) []int {
	own, place := v.of(rank)
	var list []int
	for l := place; l < v.size(node); l += v.size(own) {
		list = append(list, v.first(node)+l)
	}
	return list
}
