package site

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Way is one algorithm of the catalogue for a collective, by its closed form on
// one port a rank.
type Way struct {
	Algorithm  string       `json:"algorithm"`
	Executable bool         `json:"executable"` // false for what the network would have to do itself
	Rough      bool         `json:"rough,omitempty"`
	Span                    // grade D: physics only
	Latency    unit.Seconds `json:"latency_s"`  // of the time, what is left at no bytes
	Rounds     int          `json:"rounds"`     // one after the other
	Busiest    unit.Bytes   `json:"port_bytes"` // that the busiest rank sends or receives, whichever is more
	Terms      []cost.Term  `json:"terms"`
}

// Transfer is the part of the time that bytes cost.
func (w Way) Transfer() unit.Seconds { return w.Time - w.Latency }

// ways prices every algorithm that takes so many ranks, fastest first. Errors
// are *schedule.RequestError.
func ways(q cost.Question) ([]Way, error) {
	prices, err := q.All()
	if err != nil {
		return nil, err
	}
	empty := q
	empty.Size = 0
	all := make([]Way, 0, len(prices))
	for _, p := range prices {
		entry, err := schedule.Find(q.Collective, p.Algorithm)
		if err != nil {
			return nil, err
		}
		w := Way{Algorithm: p.Algorithm, Executable: p.Executable, Rough: p.Rough, Terms: p.Terms, Span: physics(p.Time)}
		bare, err := empty.PriceOf(entry)
		if err != nil {
			return nil, err
		}
		w.Latency = min(bare.Time, p.Time)
		if q.Ranks > 1 {
			if w.Rounds, w.Busiest, err = traffic(q, entry); err != nil {
				return nil, fmt.Errorf("price %s/%s: %w", q.Collective, p.Algorithm, err)
			}
		}
		all = append(all, w)
	}
	return all, nil
}

// traffic is how many rounds an algorithm takes and what its busiest port
// carries.
func traffic(q cost.Question, entry schedule.Entry) (int, unit.Bytes, error) {
	vars := entry.Vars(q.Ranks, q.RanksPerNode, q.Chunks)
	vars["S"] = float64(q.Size)
	rounds, err := entry.Rounds.Exact(vars)
	if err != nil {
		return 0, 0, err
	}
	sent, err := entry.Sent.Exact(vars)
	if err != nil {
		return 0, 0, err
	}
	received, err := entry.Received.Exact(vars)
	if err != nil {
		return 0, 0, err
	}
	if received.Cmp(sent) > 0 {
		sent = received
	}
	bytes, _ := sent.Float64()
	count, _ := rounds.Float64()
	return int(count), unit.Bytes(bytes + 0.5), nil
}

// Auto is the way that is chosen where nobody chooses: the fastest that hosts
// can execute. Nil for none.
func (s *Study) Auto() *Way {
	for i := range s.Ways {
		if s.Ways[i].Executable {
			return &s.Ways[i]
		}
	}
	return nil
}
