package schedule

import "testing"

func TestReduceByHand(t *testing.T) {
	holdToLessons(t, []lesson{
		{Request{Collective: ReduceTo, Algorithm: "direct", Ranks: 4, Root: 1}, []string{
			"1: 1.out0 = 1.in0",
			"2: 1.out0 += 0.in0; 1.out0 += 2.in0; 1.out0 += 3.in0",
		}},
		{Request{Collective: ReduceTo, Algorithm: "binomial-tree", Ranks: 5}, []string{
			"1: 0.out0 = 0.in0; 2.tmp0 = 2.in0",
			"2: 0.out0 += 1.in0; 2.tmp0 += 3.in0",
			"3: 0.out0 += 2.tmp0",
			"4: 0.out0 += 4.in0",
		}},
		{Request{Collective: ReduceTo, Algorithm: "chain", Ranks: 4, Chunks: 2}, []string{
			"1: 0.out0 = 0.in0; 0.out1 = 0.in1; 1.tmp0 = 1.in0; 1.tmp1 = 1.in1; 2.tmp0 = 2.in0; 2.tmp1 = 2.in1",
			"2: 2.tmp0 += 3.in0",
			"3: 1.tmp0 += 2.tmp0; 2.tmp1 += 3.in1",
			"4: 0.out0 += 1.tmp0; 1.tmp1 += 2.tmp1",
			"5: 0.out1 += 1.tmp1",
		}},
		{Request{Collective: ReduceTo, Algorithm: "double-binary-tree", Ranks: 5, Chunks: 2}, []string{
			"1: 0.out0 = 0.in0; 1.tmp0 = 1.in0; 3.tmp0 = 3.in0; 0.out1 = 0.in1; 2.tmp1 = 2.in1; 4.tmp1 = 4.in1",
			"2: 3.tmp0 += 2.in0; 3.tmp0 += 4.in0; 2.tmp1 += 3.in1; 2.tmp1 += 1.in1",
			"3: 1.tmp0 += 3.tmp0; 4.tmp1 += 2.tmp1",
			"4: 0.out0 += 1.tmp0; 0.out1 += 4.tmp1",
		}},
		// After round 4 rank r has the sum of block r; a subtree's blocks then
		// travel together.
		{Request{Collective: ReduceTo, Algorithm: "reduce-scatter-gather", Ranks: 4}, []string{
			"1: 0.out0 = 0.in0; 0.out1 = 0.in1; 0.out2 = 0.in2; 1.tmp1 = 1.in1; 1.tmp2 = 1.in2; 1.tmp3 = 1.in3; " +
				"2.tmp2 = 2.in2; 2.tmp3 = 2.in3; 2.tmp0 = 2.in0; 3.tmp3 = 3.in3; 3.tmp0 = 3.in0; 3.tmp1 = 3.in1",
			"2: 1.tmp3 += 0.in3; 2.tmp0 += 1.in0; 3.tmp1 += 2.in1; 0.out2 += 3.in2",
			"3: 1.tmp2 += 0.out2; 2.tmp3 += 1.tmp3; 3.tmp0 += 2.tmp0; 0.out1 += 3.tmp1",
			"4: 1.tmp1 += 0.out1; 2.tmp2 += 1.tmp2; 3.tmp3 += 2.tmp3; 0.out0 += 3.tmp0",
			"5: 0.out1 = 1.tmp1; 2.tmp3 = 3.tmp3",
			"6: 0.out2-3 = 2.tmp2-3",
		}},
		// The root leads its node, rank 3 the short one.
		{Request{Collective: ReduceTo, Algorithm: "hierarchical", Ranks: 5, Root: 1, RanksPerNode: 3}, []string{
			"1: 1.out0 = 1.in0; 3.tmp0 = 3.in0",
			"2: 1.out0 += 2.in0; 3.tmp0 += 4.in0",
			"3: 1.out0 += 0.in0",
			"4: 1.out0 += 3.tmp0",
		}},
		{Request{Collective: ReduceTo, Algorithm: "in-network", Ranks: 3}, []string{"1: 0.out0 = 0,1,2.in0"}},
	})
}
