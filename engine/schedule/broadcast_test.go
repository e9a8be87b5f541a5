package schedule

import "testing"

func TestBroadcastByHand(t *testing.T) {
	holdToLessons(t, []lesson{
		{Request{Collective: Broadcast, Algorithm: "direct", Ranks: 4, Root: 1}, []string{
			"1: 1.out0 = 1.in0; 2.out0 = 1.in0; 3.out0 = 1.in0; 0.out0 = 1.in0",
		}},
		{Request{Collective: Broadcast, Algorithm: "binomial-tree", Ranks: 5}, []string{
			"1: 0.out0 = 0.in0; 4.out0 = 0.in0",
			"2: 2.out0 = 0.in0",
			"3: 1.out0 = 0.in0; 3.out0 = 2.out0",
		}},
		// Two chunks, a round apart, from a root in the middle.
		{Request{Collective: Broadcast, Algorithm: "binomial-tree", Ranks: 3, Root: 1, Chunks: 2}, []string{
			"1: 1.out0-1 = 1.in0-1; 0.out0 = 1.in0",
			"2: 2.out0 = 1.in0; 0.out1 = 1.in1",
			"3: 2.out1 = 1.in1",
		}},
		{Request{Collective: Broadcast, Algorithm: "chain", Ranks: 4, Chunks: 2}, []string{
			"1: 0.out0-1 = 0.in0-1; 1.out0 = 0.in0",
			"2: 2.out0 = 1.out0; 1.out1 = 0.in1",
			"3: 3.out0 = 2.out0; 2.out1 = 1.out1",
			"4: 3.out1 = 2.out1",
		}},
		// Chunk 0 goes by 1 and 3, chunk 1 by 4 and 2: the leaves of one tree
		// are inner in the other.
		{Request{Collective: Broadcast, Algorithm: "double-binary-tree", Ranks: 5, Chunks: 2}, []string{
			"1: 0.out0-1 = 0.in0-1; 1.out0 = 0.in0; 4.out1 = 0.in1",
			"2: 3.out0 = 1.out0; 2.out1 = 4.out1",
			"3: 2.out0 = 3.out0; 4.out0 = 3.out0; 3.out1 = 2.out1; 1.out1 = 2.out1",
		}},
		// Rank 2 keeps block 3, which it passed on in round 2, and is not sent
		// it again.
		{Request{Collective: Broadcast, Algorithm: "scatter-all-gather", Ranks: 4}, []string{
			"1: 0.out0-3 = 0.in0-3; 2.out2-3 = 0.in2-3",
			"2: 1.out1 = 0.in1; 3.out3 = 2.out3",
			"3: 1.out0 = 0.in0; 2.out1 = 1.out1; 3.out2 = 2.out2",
			"4: 1.out3 = 0.in3; 2.out0 = 1.out0; 3.out1 = 2.out1",
			"5: 1.out2 = 0.in2; 3.out0 = 2.out0",
		}},
		// The root leads its node, rank 3 the short one.
		{Request{Collective: Broadcast, Algorithm: "hierarchical", Ranks: 5, Root: 1, RanksPerNode: 3}, []string{
			"1: 1.out0 = 1.in0; 3.out0 = 1.in0",
			"2: 0.out0 = 1.in0",
			"3: 2.out0 = 1.in0; 4.out0 = 3.out0",
		}},
		{Request{Collective: Broadcast, Algorithm: "in-network", Ranks: 3}, []string{"1: 0,1,2.out0 = 0.in0"}},
	})
}
