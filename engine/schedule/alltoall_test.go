package schedule

import "testing"

func TestAllToAllByHand(t *testing.T) {
	of := func(algorithm string, ranks int) Request {
		return Request{Collective: AllToAll, Algorithm: algorithm, Ranks: ranks}
	}
	holdToLessons(t, []lesson{
		{of("direct", 3), []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in1; 2.out2 = 2.in2; 1.out0 = 0.in1; 2.out1 = 1.in2; 0.out2 = 2.in0; 2.out0 = 0.in2; 0.out1 = 1.in0; 1.out2 = 2.in1",
		}},
		{of("pairwise", 3), []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in1; 2.out2 = 2.in2; 1.out0 = 0.in1; 2.out1 = 1.in2; 0.out2 = 2.in0",
			"2: 2.out0 = 0.in2; 0.out1 = 1.in0; 1.out2 = 2.in1",
		}},
		// Blocks for one further on have arrived after round 1, those for three
		// further on wait in tmp.
		{of("bruck", 4), []string{
			"1: 0.out0 = 0.in0; 1.out1 = 1.in1; 2.out2 = 2.in2; 3.out3 = 3.in3; " +
				"1.tmp0 = 0.in3; 1.out0 = 0.in1; 2.tmp0 = 1.in0; 2.out1 = 1.in2; 3.tmp0 = 2.in1; 3.out2 = 2.in3; 0.tmp0 = 3.in2; 0.out3 = 3.in0",
			"2: 2.out3 = 0.tmp0; 2.out0 = 0.in2; 3.out0 = 1.tmp0; 3.out1 = 1.in3; 0.out1 = 2.tmp0; 0.out2 = 2.in0; 1.out2 = 3.tmp0; 1.out3 = 3.in1",
		}},
		// Two nodes of two: one message of two blocks each crosses.
		{of("hierarchical", 4), []string{
			"1: 0.out0 = 0.in0; 0.tmp0 = 0.in2; 1.out1 = 1.in1; 1.tmp1 = 1.in3; 2.out2 = 2.in2; 2.tmp0 = 2.in0; 3.out3 = 3.in3; 3.tmp1 = 3.in1; " +
				"1.out0 = 0.in1; 1.tmp0 = 0.in3; 0.out1 = 1.in0; 0.tmp1 = 1.in2; 3.out2 = 2.in3; 3.tmp0 = 2.in1; 2.out3 = 3.in2; 2.tmp1 = 3.in0",
			"2: 2.out0-1 = 0.tmp0-1; 3.out0-1 = 1.tmp0-1; 0.out2-3 = 2.tmp0-1; 1.out2-3 = 3.tmp0-1",
		}},
		// In the short node rank 3 serves rails 0 and 2.
		{Request{Collective: AllToAll, Algorithm: "hierarchical", Ranks: 5, RanksPerNode: 3}, []string{
			"1: 0.out0 = 0.in0; 0.tmp0 = 0.in3; 1.out1 = 1.in1; 1.tmp1 = 1.in4; 2.out2 = 2.in2; " +
				"3.out3 = 3.in3; 3.tmp0 = 3.in0; 3.tmp2 = 3.in2; 4.out4 = 4.in4; 4.tmp1 = 4.in1; " +
				"1.out0 = 0.in1; 1.tmp0 = 0.in4; 2.out1 = 1.in2; 0.out2 = 2.in0; 0.tmp2 = 2.in3; " +
				"4.out3 = 3.in4; 4.tmp0 = 3.in1; 3.out4 = 4.in3; 3.tmp1 = 4.in0; 3.tmp3 = 4.in2",
			"2: 2.out0 = 0.in2; 0.out1 = 1.in0; 0.tmp1 = 1.in3; 1.out2 = 2.in1; 1.tmp2 = 2.in4",
			"3: 3.out0-2 = 0.tmp0-2; 4.out0-2 = 1.tmp0-2; 0.out3-4 = 3.tmp0-1; 2.out3-4 = 3.tmp2-3; 1.out3-4 = 4.tmp0-1",
		}},
	})
}
