package schedule

import "math/bits"

// bruckAllToAll pays few latencies for more bytes: a block that must go j
// ranks on takes the one-bits of j as hops, lowest first, and in the round of
// distance d every rank sends all blocks with that bit in one message (Bruck,
// Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all
// communications in multiport message-passing systems", 1997). There are
// ceil(log2 n) messages per rank, and every block crosses the network as often
// as its distance has one-bits: half of ceil(log2 n) times on average.
func bruckAllToAll() Entry {
	return Entry{
		Collective: AllToAll, Algorithm: "bruck", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("ceil(log2(n))"),
		Messages: expression("n*ceil(log2(n))"),
		Sent:     expression("ones(n)/n*S"),
		Received: expression("ones(n)/n*S"),
		// A round waits for the one before it, and takes one latency and its
		// blocks; over all rounds those are the one-bits of all distances.
		// Only the last round, of the n-p distances from p on, may wait for
		// less: for the rounds of the bits that go with bit p below n, of
		// which there are ceil(log2(n-p)). It then fills a port that would
		// wait for a latency. Where at least two rounds follow on the one it
		// waits for, two latencies are hidden behind it, or it behind one.
		Terms:   []Term{{"exchange", expression(bruckLatencies), expression("ones(n)/n"), EveryPort}},
		Detours: [][]Term{{{"exchange", expression("floor(log2(n))"), expression("(ones(n)-(n-p))/n"), EveryPort}}},
		When:    "small blocks on many ranks: ceil(log2 n) latencies instead of n-1 messages, for about log2(n)/2 times the bytes",
		chunks:  perBlock,
		build:   buildBruckAllToAll,
	}
}

// bruckLatencies: all rounds in turn, one fewer where the last round follows
// on the last but two, two fewer where it waits for even less.
const bruckLatencies = "ceil(log2(n))-(0 if n == p or 2*(n-p) > p else 1 if 4*(n-p) > p else 2)"

func buildBruckAllToAll(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	total := n // steps: the own blocks and every hop
	for j := range n {
		total += n * bits.OnesCount(uint(j))
	}
	b.begin(total, 2*b.s.Chunks)
	b.nextRound()
	b.phase("exchange", EveryoneHolds)
	b.shiftBlocks(0)
	// A block on its way lies in tmp, in one of two slots of its distance: a
	// rank sends one from the one slot in the round in which it receives
	// another into the other. The farthest come first, which makes the last
	// hops contiguous, as blocks from farther away belong before.
	between := func(hops, j int) int { return ((hops-1)%2*n + n - 1 - j) * k }
	for d := 1; d < n; d *= 2 {
		if d > 1 {
			b.nextRound()
		}
		for r := range n {
			next := (r + d) % n
			message := parcel{b: b}
			for j := n - 1; j >= d; j-- {
				if j&d == 0 {
					continue
				}
				hops := bits.OnesCount(uint(j & (d - 1))) // so far
				from, to := place{r, Tmp, between(hops, j)}, place{next, Tmp, between(hops+1, j)}
				if hops == 0 {
					from = place{r, In, (r + j) % n * k}
				}
				if j < 2*d { // no bit is left
					to = place{next, Out, (next - j + n) % n * k}
				}
				message.copy(from, to, k)
			}
			message.seal()
		}
	}
}
