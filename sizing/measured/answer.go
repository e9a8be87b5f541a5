package measured

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Answer is a prediction as a document.
type Answer struct {
	Version      int                 `json:"version"`
	Collective   schedule.Collective `json:"collective"`
	Algorithm    string              `json:"algorithm"`
	Ranks        int                 `json:"ranks"`
	Size         unit.Bytes          `json:"size_bytes"`
	Time         unit.Seconds        `json:"time_s"`
	Low          unit.Seconds        `json:"low_s"`
	High         unit.Seconds        `json:"high_s"`
	AlgBW        float64             `json:"algbw_gbytes_per_s,omitempty"`
	BusBW        float64             `json:"busbw_gbytes_per_s,omitempty"`
	Grade        Grade               `json:"grade"`
	Terms        []Term              `json:"terms"`
	Alternatives []Alternative       `json:"alternatives"`
	Nearest      []Neighbour         `json:"nearest"`
	Warnings     []trace.Warning     `json:"warnings"`
}

// Term is a part of a time, with its formula filled in.
type Term struct {
	Name    string       `json:"name"`
	Time    unit.Seconds `json:"seconds"`
	Formula string       `json:"formula"`
	Where   string       `json:"where"`
}

// Alternative is what the same would take by another way of the library.
type Alternative struct {
	Algorithm string       `json:"algorithm"`
	Time      unit.Seconds `json:"time_s"`
}

// Neighbour is a measured run that resembles the case.
type Neighbour struct {
	ID         string              `json:"id"`
	Source     string              `json:"source"`
	URL        string              `json:"url"`
	Collective schedule.Collective `json:"collective"`
	GPU        string              `json:"gpu"`
	Ranks      int                 `json:"ranks"`
	Nodes      int                 `json:"nodes"`
	Size       unit.Bytes          `json:"size_bytes"`
	Time       unit.Seconds        `json:"time_s"`
	BusBW      float64             `json:"busbw_gbytes_per_s"`
	Predicted  unit.Seconds        `json:"predicted_s"`
	Distance   float64             `json:"distance"`
}

// Answer predicts a case and says what it is made of.
func (l *Library) Answer(c Case) Answer {
	p := l.Predict(c)
	a := Answer{
		Version: 1, Collective: c.Collective, Algorithm: Algorithm(c, p.Breakdown), Ranks: c.System.Ranks, Size: c.Size,
		Time: micro(p.Time), Low: micro(p.Low), High: micro(p.High), Grade: p.Grade, Terms: l.terms(c, p.Breakdown), Alternatives: []Alternative{},
		Nearest: []Neighbour{}, Warnings: []trace.Warning{},
	}
	if c.Size > 0 && p.Time > 0 {
		a.AlgBW = float64(c.Size) / p.Time / 1e3
		a.BusBW = a.AlgBW * c.Collective.BusFactor(c.System.Ranks)
	}
	if p.Reduced {
		other := c
		other.System.NoNVLS = true
		b := l.constants.Time(other)
		a.Alternatives = append(a.Alternatives, Alternative{a.Algorithm, a.Time}, Alternative{Algorithm(other, b), micro(b.Total())})
	} else {
		a.Alternatives = append(a.Alternatives, Alternative{a.Algorithm, a.Time})
	}
	for _, n := range p.Nearest {
		a.Nearest = append(a.Nearest, Neighbour{
			ID: n.ID, Source: n.Source, URL: n.URL, Collective: n.Collective, GPU: n.Words.GPU, Ranks: n.System.Ranks, Nodes: n.System.Nodes, Size: n.Size,
			Time: micro(n.Time), Predicted: micro(n.Predicted), Distance: n.Distance,
			BusBW: float64(n.Size) * n.Collective.BusFactor(n.System.Ranks) / n.Time / 1e3,
		})
	}
	for _, g := range c.System.Guesses {
		a.Warnings = append(a.Warnings, trace.Warning{Code: "guessed-" + g.Code, Message: g.Message})
	}
	return a
}

func micro(us float64) unit.Seconds { return unit.Seconds(us / 1e6) }

// terms are the parts of a time with the numbers that they come from.
func (l *Library) terms(c Case, b Breakdown) []Term {
	s := c.System
	terms := []Term{{"launch", micro(b.Floor), "what every call costs, and the library's start", "the call"}}
	if b.Inside > 0 {
		rounds := b.Inside / l.constants[latencyInside(s.Scale)]
		terms = append(terms, Term{"latency-inside", micro(b.Inside), fmt.Sprintf("%.1f rounds · %.2f us", rounds, l.constants[latencyInside(s.Scale)]), fmt.Sprintf("%s, %.0f ranks a domain", s.Scale, s.Domain)})
	}
	if b.Across > 0 {
		terms = append(terms, Term{"latency-across", micro(b.Across), fmt.Sprintf("%.1f us · (log2 %d)^%.2f", l.constants[latencyAcross(s.Network)], s.Domains, l.constants[nodesPower]), fmt.Sprintf("%s, %d domains", s.Network, s.Domains)})
	}
	if b.Bytes > 0 {
		where := fmt.Sprintf("%s: %.4g GB/s of bus bandwidth", s.Scale, b.BusInside)
		if b.Limit == Across {
			where = fmt.Sprintf("%s: %.4g GB/s of bus bandwidth, %.4g GB/s of NIC a rank", s.Network, b.BusAcross, s.NIC)
		}
		terms = append(terms,
			Term{"pipeline", micro(b.Pipeline), "2·√(latencies · bytes), which grows no more with large sizes", "cutting into chunks"},
			Term{"bytes", micro(b.Bytes), fmt.Sprintf("%.4g · %s / %.4g GB/s", c.Collective.BusFactor(s.Ranks), c.Size, b.Bus), where})
	}
	return terms
}
