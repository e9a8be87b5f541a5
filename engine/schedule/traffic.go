package schedule

// Traffic counts what a schedule moves between ranks. A message is a distinct
// (round, source, destination): the steps in it travel together. Local steps
// are left out.
type Traffic struct {
	Messages int   `json:"messages"`
	Sent     []int `json:"chunks_sent_by_rank"`
	Received []int `json:"chunks_received_by_rank"`
}

// Traffic counts s. A multicast is one message, sent once and received once
// per destination; a net-reduce is one message, sent once per source and
// received once; a rank's own share in either does not count.
func (s *Schedule) Traffic() Traffic {
	t := Traffic{Sent: make([]int, s.Ranks), Received: make([]int, s.Ranks)}
	type edge struct{ src, dst int }
	round := 0
	seen := map[edge]bool{}
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Round != round {
			round = step.Round
			clear(seen)
		}
		switch step.Op {
		case Multicast:
			t.Messages++
			t.Sent[step.Src] += step.Count
			for _, d := range step.Group {
				if d != step.Src {
					t.Received[d] += step.Count
				}
			}
		case NetReduce:
			t.Messages++
			t.Received[step.Dst] += step.Count
			for _, r := range step.Group {
				if r != step.Dst {
					t.Sent[r] += step.Count
				}
			}
		default:
			if step.Local() {
				continue
			}
			t.Sent[step.Src] += step.Count
			t.Received[step.Dst] += step.Count
			if e := (edge{step.Src, step.Dst}); !seen[e] {
				seen[e] = true
				t.Messages++
			}
		}
	}
	return t
}
