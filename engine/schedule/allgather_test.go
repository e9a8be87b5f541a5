package schedule

import "testing"

func TestAllGatherByHand(t *testing.T) {
	of := func(algorithm string, ranks int) Request {
		return Request{Collective: AllGather, Algorithm: algorithm, Ranks: ranks}
	}
	holdToLessons(t, []lesson{
		{of("direct", 3), []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in0; 2.out2 = 2.in0; 1.out0 = 0.in0; 2.out1 = 1.in0; 0.out2 = 2.in0; " +
				"2.out0 = 0.in0; 0.out1 = 1.in0; 1.out2 = 2.in0",
		}},
		{of("ring", 4), []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in0; 2.out2 = 2.in0; 3.out3 = 3.in0; 1.out0 = 0.in0; 2.out1 = 1.in0; " +
				"3.out2 = 2.in0; 0.out3 = 3.in0",
			"2: 1.out3 = 0.out3; 2.out0 = 1.out0; 3.out1 = 2.out1; 0.out2 = 3.out2",
			"3: 1.out2 = 0.out2; 2.out3 = 1.out3; 3.out0 = 2.out0; 0.out1 = 3.out1",
		}},
		{of("recursive-doubling", 4), []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in0; 2.out2 = 2.in0; 3.out3 = 3.in0; 1.out0 = 0.in0; 0.out1 = 1.in0; " +
				"3.out2 = 2.in0; 2.out3 = 3.in0",
			"2: 2.out0-1 = 0.out0-1; 3.out0-1 = 1.out0-1; 0.out2-3 = 2.out2-3; 1.out2-3 = 3.out2-3",
		}},
		// Rank 1 is the guest of rank 0, and left out until the end.
		{of("recursive-doubling", 5), []string{
			"1: 0.out0 = 0.in0; 0.out1 = 1.in0; 2.out2 = 2.in0; 3.out3 = 3.in0; 4.out4 = 4.in0",
			"2: 2.out0-1 = 0.out0-1; 0.out2 = 2.out2; 4.out3 = 3.out3; 3.out4 = 4.out4",
			"3: 3.out0-2 = 0.out0-2; 4.out0-2 = 2.out0-2; 0.out3-4 = 3.out3-4; 2.out3-4 = 4.out3-4",
			"4: 1.out0-4 = 0.out0-4",
		}},
		// Own block first, then those of the ranks that follow; the last round turns them into place.
		{of("bruck", 5), []string{
			"1: 0.tmp0 = 0.in0; 1.tmp0 = 1.in0; 2.tmp0 = 2.in0; 3.tmp0 = 3.in0; 4.tmp0 = 4.in0; 0.tmp1 = 1.in0; " +
				"1.tmp1 = 2.in0; 2.tmp1 = 3.in0; 3.tmp1 = 4.in0; 4.tmp1 = 0.in0",
			"2: 0.tmp2-3 = 2.tmp0-1; 1.tmp2-3 = 3.tmp0-1; 2.tmp2-3 = 4.tmp0-1; 3.tmp2-3 = 0.tmp0-1; 4.tmp2-3 = 1.tmp0-1",
			"3: 0.tmp4 = 4.tmp0; 1.tmp4 = 0.tmp0; 2.tmp4 = 1.tmp0; 3.tmp4 = 2.tmp0; 4.tmp4 = 3.tmp0",
			"4: 0.out0-4 = 0.tmp0-4; 1.out1-4 = 1.tmp0-3; 1.out0 = 1.tmp4; 2.out2-4 = 2.tmp0-2; 2.out0-1 = 2.tmp3-4; " +
				"3.out3-4 = 3.tmp0-1; 3.out0-2 = 3.tmp2-4; 4.out4 = 4.tmp0; 4.out0-3 = 4.tmp1-4",
		}},
		// Two hops on with one block each, then to the neighbour with two.
		{of("pat", 4), []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in0; 2.out2 = 2.in0; 3.out3 = 3.in0; 2.out0 = 0.in0; 3.out1 = 1.in0; " +
				"0.out2 = 2.in0; 1.out3 = 3.in0",
			"2: 1.out0 = 0.in0; 1.out2 = 0.out2; 2.out1 = 1.in0; 2.out3 = 1.out3; 3.out2 = 2.in0; 3.out0 = 2.out0; " +
				"0.out3 = 3.in0; 0.out1 = 3.out1",
		}},
		{of("gather-broadcast", 4), []string{
			"1: 0.out0 = 0.in0; 0.out1 = 1.in0; 0.out2 = 2.in0; 0.out3 = 3.in0",
			"2: 1.out0-3 = 0.out0-3; 2.out0-3 = 0.out0-3; 3.out0-3 = 0.out0-3",
		}},
		// Two nodes of two: each block crosses once.
		{Request{Collective: AllGather, Algorithm: "hierarchical", Ranks: 4, RanksPerNode: 2}, []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in0; 2.out2 = 2.in0; 3.out3 = 3.in0; 2.out0 = 0.in0; 3.out1 = 1.in0; " +
				"0.out2 = 2.in0; 1.out3 = 3.in0",
			"2: 1.out0 = 0.in0; 1.out2 = 0.out2; 0.out1 = 1.in0; 0.out3 = 1.out3; 3.out0 = 2.out0; 3.out2 = 2.in0; " +
				"2.out1 = 3.out1; 2.out3 = 3.in0",
		}},
		// In the short node rank 3 serves rails 0 and 2.
		{Request{Collective: AllGather, Algorithm: "hierarchical", Ranks: 5, RanksPerNode: 3}, []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in0; 2.out2 = 2.in0; 3.out3 = 3.in0; 4.out4 = 4.in0; 3.out0 = 0.in0; " +
				"4.out1 = 1.in0; 3.out2 = 2.in0; 0.out3 = 3.in0; 1.out4 = 4.in0",
			"2: 1.out0 = 0.in0; 1.out3 = 0.out3; 2.out1 = 1.in0; 2.out4 = 1.out4; 0.out2 = 2.in0; 4.out0 = 3.out0; " +
				"4.out2 = 3.out2; 4.out3 = 3.in0; 3.out1 = 4.out1; 3.out4 = 4.in0",
			"3: 1.out2 = 0.out2; 2.out0 = 1.out0; 2.out3 = 1.out3; 0.out1 = 2.out1; 0.out4 = 2.out4",
		}},
		{of("in-network", 4), []string{
			"1: 0,1,2,3.out0 = 0.in0; 0,1,2,3.out1 = 1.in0; 0,1,2,3.out2 = 2.in0; 0,1,2,3.out3 = 3.in0",
		}},
	})
}
