package schedule

import (
	"math/big"
	"slices"
	"testing"
)

// The terms of every entry are held against the traffic of its own schedule:
// the phases they name, the bytes of the busiest port and which port that is.
func TestTermsAreTheTrafficOfTheirPhases(t *testing.T) {
	for _, entry := range Catalog() {
		for _, n := range numbers(entry, 64) {
			s := mustBuild(t, plainRequest(entry, n))
			for _, term := range entry.Terms {
				if term.Port == Chain || entry.Collective == Barrier {
					continue // no one port, or nothing that weighs
				}
				traffic := phaseTraffic(s, term.Phase)
				sent, received := slices.Max(traffic.Sent), slices.Max(traffic.Received)
				busiest := max(sent, received)
				want, err := term.Bytes.Exact(formVars(s))
				if err != nil {
					t.Fatal(err)
				}
				chunks := want.Mul(want, ratio(s.Chunks))
				if chunks.Cmp(ratio(busiest)) != 0 {
					t.Errorf("%s/%s for %d ranks: the busiest port of %s carries %d of %d chunks; the closed form says %s",
						s.Collective, s.Algorithm, n, term.Phase, busiest, s.Chunks, chunks.RatString())
				}
				if got := bottleneck(traffic, busiest); n > 2 && got != term.Port && !(got == FirstSends && term.Port == RootSends) && !(got == FirstReceives && term.Port == RootReceives) {
					t.Errorf("%s/%s for %d ranks: %s queues at the %s; the catalogue says %s",
						s.Collective, s.Algorithm, n, term.Phase, got, term.Port)
				}
			}
		}
	}
}

// phaseTraffic counts the rounds of one phase only; a phase that a schedule of
// one rank does not have moves nothing.
func phaseTraffic(s *Schedule, key string) Traffic {
	part := *s
	part.Steps = nil
	for _, p := range s.Phases {
		if p.Key != key {
			continue
		}
		for _, step := range s.Steps {
			if p.First <= step.Round && step.Round <= p.Last {
				part.Steps = append(part.Steps, step)
			}
		}
	}
	return part.Traffic()
}

func bottleneck(t Traffic, busiest int) Port {
	var sending, receiving []int
	for rank := range t.Sent {
		if t.Sent[rank] == busiest {
			sending = append(sending, rank)
		}
		if t.Received[rank] == busiest {
			receiving = append(receiving, rank)
		}
	}
	switch {
	case len(sending) == len(t.Sent) && len(receiving) == len(t.Sent):
		return EveryPort
	case len(sending) == len(t.Sent) && len(receiving) == 0:
		return EverySends
	case len(receiving) == len(t.Received) && len(sending) == 0:
		return EveryReceives
	case len(receiving) == 0 && slices.Equal(sending, []int{0}):
		return FirstSends
	case len(sending) == 0 && slices.Equal(receiving, []int{0}):
		return FirstReceives
	}
	return Port(len(portNames)) // no word for it
}

func ratio(v int) *big.Rat { return new(big.Rat).SetInt64(int64(v)) }
