package schedule

import "fmt"

// hierarchicalReduce is hierarchicalBroadcast backwards: a binomial tree in
// every node adds up at its leader, then one over the leaders adds up at the
// root, so that only one vector a node crosses the network.
func hierarchicalReduce() Entry {
	terms, detours := hierarchicalReduceTerms()
	return Entry{
		Collective: ReduceTo, Algorithm: "hierarchical", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Nodes: true, Pieces: 1, Layout: Nodes,
		Rounds:   expression("ceil(log2(ceil(n/G)))+ceil(log2(min(G, n)))+k-1 if n > 1 else 0"),
		Messages: expression("(n-1)*k"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("(ceil(log2(ceil(n/G)))+ceil(log2(min(G, n))))*S"),
		Terms:    terms,
		Detours:  detours,
		Rough:    expression("k > 1"),
		When:     "several ranks a node and links between nodes much slower than inside: each node's sum crosses once",
		chunks:   perVector,
		build:    buildHierarchicalReduce,
	}
}

// hierarchicalReduceTerms returns the time of one chunk. A binomial reduction
// over x ranks takes one of the two ways of binomialReduce, and one over the
// full nodes follows one in a full node: four ways. A short last node is done
// earlier. Its sum takes a way of its own; and where its leader's parent is
// the root and serves it before its own last children, these come one vector
// later, and so does everything behind them.
func hierarchicalReduceTerms() ([]Term, [][]Term) {
	const (
		size = "min(G, n)"
		full = "floor(n/min(G, n))" // nodes
		rest = "n%min(G, n)"        // ranks of the last node, 0 if it is full
	)
	floorLog := func(x string) string { return "floor(log2(" + x + "))" }
	surplus := func(x string) string { return fmt.Sprintf("(%s-2**%s)", x, floorLog(x)) }
	type part struct{ alphas, bytes string }
	ways := func(x string) [2]part {
		when := " if " + surplus(x) + " > 0 else 0"
		return [2]part{{floorLog(x), floorLog(x)}, {floorLog(surplus(x)) + "+1" + when, floorLog(x) + "+1" + when}}
	}
	var all [][]Term
	add := func(inNode, across part, when string) {
		all = append(all, []Term{
			{"in-node", expression(fmt.Sprintf("(%s)%s", inNode.alphas, when)), expression(fmt.Sprintf("(%s)%s", inNode.bytes, when)), Chain},
			{"across-nodes", expression(fmt.Sprintf("(%s)%s", across.alphas, when)), expression(fmt.Sprintf("(%s)%s", across.bytes, when)), Chain},
		})
	}
	for _, inNode := range ways(size) {
		for _, across := range ways(full) {
			add(inNode, across, "")
		}
	}
	const short = " if " + rest + " > 0 else 0"
	last := "max(" + rest + ", 1)"
	for _, inNode := range ways(last) {
		add(inNode, part{floorLog(fmt.Sprintf("%s+1-2**%s", full, floorLog(full))) + "+1", floorLog(full) + "+1"}, short)
	}
	// Its parent is the root where the full nodes are a power of two.
	atRoot := fmt.Sprintf(" if %s > 0 and %s == 0 else 0", rest, surplus(full))
	add(part{fmt.Sprintf("min(%s, %s-1)+1", floorLog(last), floorLog(size)), floorLog(size) + "+1"}, part{"0", floorLog(full)}, atRoot)
	late := fmt.Sprintf(" if %s > 0 else 0", surplus(size))
	add(part{fmt.Sprintf("min(%s, %s)+1%s", floorLog(last), floorLog(surplus(size)), late), floorLog(size) + "+2" + late}, part{"0", floorLog(full)}, atRoot)
	return all[0], all[1:]
}

func buildHierarchicalReduce(b *builder) {
	across, inNode := b.nodeTrees()
	f := b.flow(append(across, inNode...), 0, b.s.Chunks)
	b.begin((2*b.s.Ranks-1)*b.s.Chunks, b.s.Chunks)
	b.nextRound()
	b.phase("in-node", LeadersHoldNode)
	b.copyOwn(f)
	inNodeRounds := b.flow(inNode, 0, b.s.Chunks).rounds()
	for round := range f.rounds() {
		b.nextRound()
		if round == inNodeRounds {
			b.phase("across-nodes", RootHoldsAll)
		}
		b.reduceRound(round, f)
	}
}
