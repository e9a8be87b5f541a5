package schedule

import "testing"

func TestScatterByHand(t *testing.T) {
	of := func(algorithm string, ranks int) Request {
		return Request{Collective: Scatter, Algorithm: algorithm, Ranks: ranks}
	}
	holdToLessons(t, []lesson{
		{Request{Collective: Scatter, Algorithm: "direct", Ranks: 4, Root: 1}, []string{
			"1: 1.out0 = 1.in1; 2.out0 = 1.in2; 3.out0 = 1.in3; 0.out0 = 1.in0",
		}},
		// The far half first; rank 4 passes one on, rank 2 too.
		{of("binomial-tree", 6), []string{
			"1: 0.out0 = 0.in0; 4.tmp0-1 = 0.in4-5",
			"2: 4.out0 = 4.tmp0; 2.tmp0-1 = 0.in2-3",
			"3: 2.out0 = 2.tmp0; 1.out0 = 0.in1; 3.out0 = 2.tmp1; 5.out0 = 4.tmp1",
		}},
		// Counted from the root ranks 3 and 0 follow each other: two runs, one message.
		{Request{Collective: Scatter, Algorithm: "binomial-tree", Ranks: 4, Root: 1}, []string{
			"1: 1.out0 = 1.in1; 3.tmp0 = 1.in3; 3.tmp1 = 1.in0",
			"2: 3.out0 = 3.tmp0; 2.out0 = 1.in2; 0.out0 = 3.tmp1",
		}},
	})
}
