package schedule

import "testing"

func TestAllReduceByHand(t *testing.T) {
	of := func(algorithm string, ranks int) Request {
		return Request{Collective: AllReduce, Algorithm: algorithm, Ranks: ranks}
	}
	holdToLessons(t, []lesson{
		{of("direct", 3), []string{
			"1: 0.out0 = 0.in0; 1.out0 = 0.in0; 2.tmp1 = 1.in0; 0.tmp2 = 2.in0; 2.out0 = 0.in0; 0.tmp1 = 1.in0; 1.tmp2 = 2.in0",
			"2: 0.out0 += 0.tmp1; 0.out0 += 0.tmp2; 1.out0 += 1.in0; 1.out0 += 1.tmp2; 2.out0 += 2.tmp1; 2.out0 += 2.in0",
		}},
		// Two exchanges: from in to tmp, from tmp to out.
		{of("recursive-doubling", 4), []string{
			"1: 0.tmp0 = 0.in0; 1.tmp0 = 1.in0; 2.tmp0 = 2.in0; 3.tmp0 = 3.in0",
			"2: 1.tmp0 += 0.in0; 0.tmp0 += 1.in0; 3.tmp0 += 2.in0; 2.tmp0 += 3.in0",
			"3: 0.out0 = 0.tmp0; 1.out0 = 1.tmp0; 2.out0 = 2.tmp0; 3.out0 = 3.tmp0",
			"4: 2.out0 += 0.tmp0; 3.out0 += 1.tmp0; 0.out0 += 2.tmp0; 1.out0 += 3.tmp0",
		}},
		// Rank 1 is folded into rank 0, whose sum begins in out.
		{of("recursive-doubling", 5), []string{
			"1: 0.out0 = 0.in0; 2.tmp0 = 2.in0; 3.tmp0 = 3.in0; 4.tmp0 = 4.in0",
			"2: 0.out0 += 1.in0",
			"3: 0.tmp0 = 0.out0",
			"4: 2.tmp0 += 0.out0; 0.tmp0 += 2.in0; 4.tmp0 += 3.in0; 3.tmp0 += 4.in0",
			"5: 0.out0 = 0.tmp0; 2.out0 = 2.tmp0; 3.out0 = 3.tmp0; 4.out0 = 4.tmp0",
			"6: 3.out0 += 0.tmp0; 4.out0 += 2.tmp0; 0.out0 += 3.tmp0; 2.out0 += 4.tmp0",
			"7: 1.out0 = 0.out0",
		}},
		// Halves with the rank two away, quarters with the neighbour, and back.
		{of("halving-doubling", 4), []string{
			"1: 0.out0-1 = 0.in0-1; 1.out0-1 = 1.in0-1; 2.out2-3 = 2.in2-3; 3.out2-3 = 3.in2-3",
			"2: 2.out2-3 += 0.in2-3; 3.out2-3 += 1.in2-3; 0.out0-1 += 2.in0-1; 1.out0-1 += 3.in0-1",
			"3: 1.out1 += 0.out1; 0.out0 += 1.out0; 3.out3 += 2.out3; 2.out2 += 3.out2",
			"4: 1.out0 = 0.out0; 0.out1 = 1.out1; 3.out2 = 2.out2; 2.out3 = 3.out3",
			"5: 2.out0-1 = 0.out0-1; 3.out0-1 = 1.out0-1; 0.out2-3 = 2.out2-3; 1.out2-3 = 3.out2-3",
		}},
		{of("binomial-tree", 4), []string{
			"1: 0.out0 = 0.in0; 2.out0 = 2.in0",
			"2: 0.out0 += 1.in0; 2.out0 += 3.in0",
			"3: 0.out0 += 2.out0",
			"4: 2.out0 = 0.out0",
			"5: 1.out0 = 0.out0; 3.out0 = 2.out0",
		}},
		// In round 4 the first chunk is on its way down, the second still up.
		{Request{Collective: AllReduce, Algorithm: "binomial-tree", Ranks: 3, Chunks: 2}, []string{
			"1: 0.out0 = 0.in0; 0.out1 = 0.in1",
			"2: 0.out0 += 1.in0",
			"3: 0.out0 += 2.in0; 0.out1 += 1.in1",
			"4: 0.out1 += 2.in1; 2.out0 = 0.out0",
			"5: 1.out0 = 0.out0; 2.out1 = 0.out1",
			"6: 1.out1 = 0.out1",
		}},
		// The leaves of one tree are inner in the other: 0 over 2 over 1 and 3,
		// and 3 over 1 over 2 and 0.
		{Request{Collective: AllReduce, Algorithm: "double-binary-tree", Ranks: 4, Chunks: 2}, []string{
			"1: 0.out0 = 0.in0; 2.out0 = 2.in0; 1.out1 = 1.in1; 3.out1 = 3.in1",
			"2: 2.out0 += 1.in0; 2.out0 += 3.in0; 1.out1 += 2.in1; 1.out1 += 0.in1",
			"3: 0.out0 += 2.out0; 3.out1 += 1.out1",
			"4: 2.out0 = 0.out0; 1.out1 = 3.out1",
			"5: 1.out0 = 2.out0; 3.out0 = 2.out0; 2.out1 = 1.out1; 0.out1 = 1.out1",
		}},
		// Two nodes of two: rail 0 is chunks 0 and 1, rail 1 chunks 2 and 3.
		{of("hierarchical", 4), []string{
			"1: 0.out0-1 = 0.in0-1; 1.out2-3 = 1.in2-3; 2.out0-1 = 2.in0-1; 3.out2-3 = 3.in2-3",
			"2: 1.out2-3 += 0.in2-3; 0.out0-1 += 1.in0-1; 3.out2-3 += 2.in2-3; 2.out0-1 += 3.in0-1",
			"3: 2.out1 += 0.out1; 3.out3 += 1.out3; 0.out0 += 2.out0; 1.out2 += 3.out2",
			"4: 2.out0 = 0.out0; 3.out2 = 1.out2; 0.out1 = 2.out1; 1.out3 = 3.out3",
			"5: 1.out0-1 = 0.out0-1; 0.out2-3 = 1.out2-3; 3.out0-1 = 2.out0-1; 2.out2-3 = 3.out2-3",
		}},
		// Rank 2 is alone in its node and serves both rails.
		{Request{Collective: AllReduce, Algorithm: "hierarchical", Ranks: 3, RanksPerNode: 2}, []string{
			"1: 0.out0-1 = 0.in0-1; 1.out2-3 = 1.in2-3; 2.out1 = 2.in1; 2.out3 = 2.in3",
			"2: 1.out2-3 += 0.in2-3; 0.out0-1 += 1.in0-1",
			"3: 2.out1 += 0.out1; 2.out3 += 1.out3; 0.out0 += 2.in0; 1.out2 += 2.in2",
			"4: 2.out0 = 0.out0; 2.out2 = 1.out2; 0.out1 = 2.out1; 1.out3 = 2.out3",
			"5: 1.out0-1 = 0.out0-1; 0.out2-3 = 1.out2-3",
		}},
		{of("in-network", 3), []string{
			"1: 0.out0 = 0,1,2.in0; 1.out1 = 0,1,2.in1; 2.out2 = 0,1,2.in2",
			"2: 1,2.out0 = 0.out0; 2,0.out1 = 1.out1; 0,1.out2 = 2.out2",
		}},
	})
}
