package schedule

import "testing"

func TestReduceScatterByHand(t *testing.T) {
	of := func(algorithm string, ranks int) Request {
		return Request{Collective: ReduceScatter, Algorithm: algorithm, Ranks: ranks}
	}
	holdToLessons(t, []lesson{
		{of("ring", 4), []string{
			"1: 0.out0 = 0.in0; 0.tmp1 = 0.in1; 0.tmp2 = 0.in2; 1.out0 = 1.in1; 1.tmp2 = 1.in2; 1.tmp3 = 1.in3; " +
				"2.out0 = 2.in2; 2.tmp3 = 2.in3; 2.tmp0 = 2.in0; 3.out0 = 3.in3; 3.tmp0 = 3.in0; 3.tmp1 = 3.in1",
			"2: 1.tmp3 += 0.in3; 2.tmp0 += 1.in0; 3.tmp1 += 2.in1; 0.tmp2 += 3.in2",
			"3: 1.tmp2 += 0.tmp2; 2.tmp3 += 1.tmp3; 3.tmp0 += 2.tmp0; 0.tmp1 += 3.tmp1",
			"4: 1.out0 += 0.tmp1; 2.out0 += 1.tmp2; 3.out0 += 2.tmp3; 0.out0 += 3.tmp0",
		}},
		{of("recursive-halving", 4), []string{
			"1: 0.tmp0-1 = 0.in0-1; 1.tmp0-1 = 1.in0-1; 2.tmp2-3 = 2.in2-3; 3.tmp2-3 = 3.in2-3",
			"2: 2.tmp2-3 += 0.in2-3; 3.tmp2-3 += 1.in2-3; 0.tmp0-1 += 2.in0-1; 1.tmp0-1 += 3.in0-1",
			"3: 1.tmp1 += 0.tmp1; 0.tmp0 += 1.tmp0; 3.tmp3 += 2.tmp3; 2.tmp2 += 3.tmp2",
			"4: 0.out0 = 0.tmp0; 1.out0 = 1.tmp1; 2.out0 = 2.tmp2; 3.out0 = 3.tmp3",
		}},
		// Rank 1 is the guest of rank 0, and gets its block in the end.
		{of("recursive-halving", 5), []string{
			"1: 0.tmp0-4 = 0.in0-4; 2.tmp0-2 = 2.in0-2; 3.tmp3-4 = 3.in3-4; 4.tmp3-4 = 4.in3-4",
			"2: 0.tmp0-4 += 1.in0-4",
			"3: 3.tmp3-4 += 0.tmp3-4; 4.tmp3-4 += 2.in3-4; 0.tmp0-2 += 3.in0-2; 2.tmp0-2 += 4.in0-2",
			"4: 2.tmp2 += 0.tmp2; 0.tmp0-1 += 2.tmp0-1; 4.tmp4 += 3.tmp4; 3.tmp3 += 4.tmp3",
			"5: 0.out0 = 0.tmp0; 1.out0 = 0.tmp1; 2.out0 = 2.tmp2; 3.out0 = 3.tmp3; 4.out0 = 4.tmp4",
		}},
		{of("pairwise", 4), []string{
			"1: 0.out0 = 0.in0; 1.out0 = 1.in1; 2.out0 = 2.in2; 3.out0 = 3.in3",
			"2: 1.out0 += 0.in1; 2.out0 += 1.in2; 3.out0 += 2.in3; 0.out0 += 3.in0",
			"3: 2.out0 += 0.in2; 3.out0 += 1.in3; 0.out0 += 2.in0; 1.out0 += 3.in1",
			"4: 3.out0 += 0.in3; 0.out0 += 1.in0; 1.out0 += 2.in1; 2.out0 += 3.in2",
		}},
		// The all-gather's hops backwards: from the neighbour with two blocks, then two hops with one.
		{of("pat", 4), []string{
			"1: 0.out0 = 0.in0; 2.tmp0 = 2.in0; 1.out0 = 1.in1; 3.tmp1 = 3.in1; 2.out0 = 2.in2; 0.tmp2 = 0.in2; " +
				"3.out0 = 3.in3; 1.tmp3 = 1.in3",
			"2: 3.out0 += 0.in3; 3.tmp1 += 0.in1; 0.out0 += 1.in0; 0.tmp2 += 1.in2; 1.out0 += 2.in1; 1.tmp3 += 2.in3; " +
				"2.out0 += 3.in2; 2.tmp0 += 3.in0",
			"3: 2.out0 += 0.tmp2; 3.out0 += 1.tmp3; 0.out0 += 2.tmp0; 1.out0 += 3.tmp1",
		}},
		{of("reduce-scatter-by-root", 4), []string{
			"1: 0.tmp0-3 = 0.in0-3",
			"2: 0.tmp0-3 += 1.in0-3; 0.tmp0-3 += 2.in0-3; 0.tmp0-3 += 3.in0-3",
			"3: 0.out0 = 0.tmp0; 1.out0 = 0.tmp1; 2.out0 = 0.tmp2; 3.out0 = 0.tmp3",
		}},
		// Two nodes of two: each node's sum of a block crosses once.
		{Request{Collective: ReduceScatter, Algorithm: "hierarchical", Ranks: 4, RanksPerNode: 2}, []string{
			"1: 0.out0 = 0.in0; 0.tmp2 = 0.in2; 1.out0 = 1.in1; 1.tmp3 = 1.in3; 2.tmp0 = 2.in0; 2.out0 = 2.in2; " +
				"3.tmp1 = 3.in1; 3.out0 = 3.in3",
			"2: 1.out0 += 0.in1; 1.tmp3 += 0.in3; 0.out0 += 1.in0; 0.tmp2 += 1.in2; 3.tmp1 += 2.in1; 3.out0 += 2.in3; " +
				"2.tmp0 += 3.in0; 2.out0 += 3.in2",
			"3: 2.out0 += 0.tmp2; 3.out0 += 1.tmp3; 0.out0 += 2.tmp0; 1.out0 += 3.tmp1",
		}},
		// In the short node rank 3 serves rails 0 and 2.
		{Request{Collective: ReduceScatter, Algorithm: "hierarchical", Ranks: 5, RanksPerNode: 3}, []string{
			"1: 0.out0 = 0.in0; 0.tmp3 = 0.in3; 0.tmp1 = 0.in1; 0.tmp4 = 0.in4; 1.out0 = 1.in1; 1.tmp4 = 1.in4; " +
				"1.tmp2 = 1.in2; 2.out0 = 2.in2; 2.tmp0 = 2.in0; 2.tmp3 = 2.in3; 3.tmp0 = 3.in0; 3.tmp2 = 3.in2; " +
				"3.out0 = 3.in3; 4.tmp1 = 4.in1; 4.out0 = 4.in4",
			"2: 1.tmp2 += 0.in2; 2.tmp0 += 1.in0; 2.tmp3 += 1.in3; 0.tmp1 += 2.in1; 0.tmp4 += 2.in4; 4.tmp1 += 3.in1; " +
				"4.out0 += 3.in4; 3.tmp0 += 4.in0; 3.tmp2 += 4.in2; 3.out0 += 4.in3",
			"3: 1.out0 += 0.tmp1; 1.tmp4 += 0.tmp4; 2.out0 += 1.tmp2; 0.out0 += 2.tmp0; 0.tmp3 += 2.tmp3",
			"4: 3.out0 += 0.tmp3; 4.out0 += 1.tmp4; 0.out0 += 3.tmp0; 2.out0 += 3.tmp2; 1.out0 += 4.tmp1",
		}},
		{of("in-network", 4), []string{
			"1: 0.out0 = 0,1,2,3.in0; 1.out0 = 0,1,2,3.in1; 2.out0 = 0,1,2,3.in2; 3.out0 = 0,1,2,3.in3",
		}},
	})
}
