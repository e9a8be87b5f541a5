package schedule

import "testing"

func TestGatherByHand(t *testing.T) {
	of := func(algorithm string, ranks int) Request {
		return Request{Collective: Gather, Algorithm: algorithm, Ranks: ranks}
	}
	holdToLessons(t, []lesson{
		{Request{Collective: Gather, Algorithm: "direct", Ranks: 4, Root: 1}, []string{
			"1: 1.out1 = 1.in0; 1.out2 = 2.in0; 1.out3 = 3.in0; 1.out0 = 0.in0",
		}},
		// Rank 4 has nobody below it and nothing to wait for.
		{of("binomial-tree", 5), []string{
			"1: 0.out0 = 0.in0; 2.tmp0 = 2.in0; 0.out1 = 1.in0; 2.tmp1 = 3.in0",
			"2: 0.out2-3 = 2.tmp0-1",
			"3: 0.out4 = 4.in0",
		}},
		// Counted from the root ranks 3 and 0 follow each other: two runs, one message.
		{Request{Collective: Gather, Algorithm: "binomial-tree", Ranks: 4, Root: 1}, []string{
			"1: 1.out1 = 1.in0; 3.tmp0 = 3.in0; 1.out2 = 2.in0; 3.tmp1 = 0.in0",
			"2: 1.out3 = 3.tmp0; 1.out0 = 3.tmp1",
		}},
	})
}
