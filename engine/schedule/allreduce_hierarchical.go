package schedule

// hierarchicalAllReduce keeps what it can within the nodes. A ring
// reduce-scatter in each node leaves every rank with the node's sum of its
// rails' parts of the vector; a ring all-reduce over the nodes on every rail
// completes them; a ring all-gather in each node hands them round. On its way
// across, a rank of m nodes of g then carries only 2(m-1)/m of a g-th of the
// vector, and all network cards of a node work at once (Cho and others,
// "BlueConnect: decomposing all-reduce for deep learning on heterogeneous
// network hierarchy", 2019; Horovod's hierarchical all-reduce).
func hierarchicalAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "hierarchical", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Nodes: true, Pieces: 1, Layout: Nodes,
		Rounds:   expression("2*(min(n, G)-1)+2*(ceil(n/G)-1)"),
		Messages: expression("2*(floor(n/G)*G*(G-1)+n%G*(n%G-1))+2*(ceil(n/G)-1)*ceil(n/G)*min(n, G)"),
		Sent:     expression(hierarchicalAllReduceBytes),
		Received: expression(hierarchicalAllReduceBytes),
		// Three rings one after the other: those in the nodes take g-1 rounds of
		// a g-th of the vector, that across twice m-1 rounds of an m-th of that.
		// In a short last node a rank serves up to ceil(G/γ) rails, whose first
		// messages across leave one after the other. Exact where all nodes are
		// full, and elsewhere where the latency outweighs the vector; where it
		// does not, a short node's early messages get in the way of others, and
		// this is what it takes at least.
		Terms: []Term{
			{"reduce-scatter", expression("min(n, G)-1"), expression("(min(n, G)-1)/min(n, G)"), Chain},
			{"across-nodes", expression("2*(ceil(n/G)-1)"), expression("(2*(ceil(n/G)-1)+(ceil(G/(n%G))-1 if " + lastNodeShort + " else 0))/(ceil(n/G)*min(n, G))"), Chain},
			{"all-gather", expression("min(n, G)-1"), expression("(min(n, G)-1)/min(n, G)"), Chain},
		},
		Rough: expression(lastNodeShort),
		When:  "large vectors on nodes whose ranks reach one another much faster than other nodes: across nodes a rank carries only its rails' share",
		chunks: func(n, perNode, pieces int) int {
			at := nodes{n, perNode}
			return at.rails() * at.count() * pieces
		},
		build: buildHierarchicalAllReduce,
	}
}

// hierarchicalAllReduceBytes: where the last of m nodes is short, with γ ranks,
// its rank that serves ceil(G/γ) rails while the next serves floor(G/γ), or a
// rank of a full node, whichever carries more.
const hierarchicalAllReduceBytes = "(max(2*G-1+(ceil(n/G)-2)/ceil(n/G), " +
	"2*G-floor(G/(n%G))+ceil(G/(n%G))*(ceil(n/G)-2)/ceil(n/G))/G if " + lastNodeShort + " else 2*(n-1)/n)*S"

func buildHierarchicalAllReduce(b *builder) {
	at := b.nodes()
	m, g := at.count(), at.rails()
	k := b.s.Chunks / (m * g)
	part := m * k // of a rail
	b.begin(3*b.s.Ranks*g+2*m*m*g, 0)
	b.nextRound()
	switch {
	case g > 1:
		b.phase("reduce-scatter", NoInvariant)
	case m > 1:
		b.phase("across-nodes", EveryoneHolds)
	default:
		b.phase("all-gather", EveryoneHolds)
	}
	b.copyOwnRails(k)
	for round := range g - 1 {
		b.nextRound()
		b.nodeRings(round, round+1, func(from, to, l int) {
			buf := Out
			if round == 0 {
				buf = In // nothing has been added to it yet
			}
			b.reduce(place{from, buf, l * part}, place{to, Out, l * part}, part)
		})
	}
	b.nextRound()
	if g > 1 && m > 1 {
		b.phase("across-nodes", NodesHoldAll)
	}
	// On rail l, a node sends to the next the block of the node s before it.
	across := func(node, l, s int) (src, dst place) {
		c := l*part + (node-s+m)%m*k
		return place{at.rail(node, l), Out, c}, place{at.rail((node+1)%m, l), Out, c}
	}
	for s := 1; s < m; s++ {
		for node := range m {
			from := Out
			if s == 1 && at.size(node) == 1 {
				from = In // the rank is a node of its own
			}
			for l := range g {
				src, dst := across(node, l, s)
				src.buf = from
				b.reduce(src, dst, k)
			}
		}
		b.nextRound()
	}
	for s := range m - 1 {
		for node := range m {
			for l := range g {
				src, dst := across(node, l, s)
				b.copy(src, dst, k)
			}
		}
		b.nextRound()
	}
	if g > 1 {
		b.phase("all-gather", EveryoneHolds)
	}
	for round := range g - 1 {
		b.nodeRings(round, round, func(from, to, l int) {
			b.copy(place{from, Out, l * part}, place{to, Out, l * part}, part)
		})
		b.nextRound()
	}
}

// copyOwnRails brings the own contributions into out, each as long as the
// message that is added to it; all but those that leave first.
func (b *builder) copyOwnRails(k int) {
	at := b.nodes()
	m := at.count()
	own := func(r, chunk, count int) { b.copy(place{r, In, chunk}, place{r, Out, chunk}, count) }
	for r := range b.s.Ranks {
		node, place := at.of(r)
		size := at.size(node)
		for l := range at.rails() {
			switch part := l * m * k; {
			case size > 1 && (l+1)%size == place: // leaves first in the node
			case size > 1 || m == 1:
				own(r, part, m*k)
			default:
				for i := range m - 1 { // block node-1 leaves first across
					own(r, part+(node+i)%m*k, k)
				}
			}
		}
	}
}

// nodeRings calls move for everything that travels in a round, counted from 0,
// of the rings within the nodes: each rank sends to the next the rails of the
// rank so many places behind itself.
func (b *builder) nodeRings(round, behind int, move func(from, to, l int)) {
	at := b.nodes()
	for r := range b.s.Ranks {
		node, place := at.of(r)
		if size := at.size(node); round < size-1 {
			for l := (place - behind + size) % size; l < at.rails(); l += size {
				move(r, at.rail(node, place+1), l)
			}
		}
	}
}
