package schedule

import "testing"

func TestBarrierByHand(t *testing.T) {
	holdToLessons(t, []lesson{
		{Request{Collective: Barrier, Algorithm: "dissemination", Ranks: 3}, []string{
			"1: 0.tmp0 = 0.in0; 1.tmp0 = 1.in0; 2.tmp0 = 2.in0",
			"2: 1.tmp0 += 0.in0; 2.tmp0 += 1.in0; 0.tmp0 += 2.in0",
			"3: 0.out0 = 0.tmp0; 1.out0 = 1.tmp0; 2.out0 = 2.tmp0",
			"4: 2.out0 += 0.tmp0; 0.out0 += 1.tmp0; 1.out0 += 2.tmp0",
		}},
		{Request{Collective: Barrier, Algorithm: "central", Ranks: 3}, []string{
			"1: 0.out0 = 0.in0",
			"2: 0.out0 += 1.in0; 0.out0 += 2.in0",
			"3: 1.out0 = 0.out0; 2.out0 = 0.out0",
		}},
	})
}

func TestSendRecvByHand(t *testing.T) {
	holdToLessons(t, []lesson{
		{Request{Collective: SendRecv, Algorithm: "direct", Ranks: 3}, []string{
			"1: 1.out0 = 0.in0; 2.out0 = 1.in0; 0.out0 = 2.in0",
		}},
		{Request{Collective: SendRecv, Algorithm: "direct", Ranks: 1}, []string{"1: 0.out0 = 0.in0"}},
	})
}
