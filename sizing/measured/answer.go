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
	Alternatives []Alternative       `json:"alternatives"` // each algorithm once, the answer's first
	Choice       Choice              `json:"choice,omitzero"`
	Nearest      []Neighbour         `json:"nearest"`
	Warnings     []trace.Warning     `json:"warnings"`
	Machine      string              `json:"machine,omitempty"` // whose log the time rests on
}

// Term is a part of a time, with its formula filled in.
type Term struct {
	Name    string       `json:"name"`
	Time    unit.Seconds `json:"seconds"`
	Formula string       `json:"formula"`
	Where   string       `json:"where"`
	Values  trace.Values `json:"values,omitempty"` // the numbers of formula and where, to be said in another language
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
	algorithm, code := choose(c, p.Breakdown)
	a := Answer{
		Version: 1, Collective: c.Collective, Algorithm: algorithm, Ranks: c.System.Ranks, Size: c.Size,
		Time: micro(p.Time), Low: micro(p.Low), High: micro(p.High), Grade: p.Grade, Terms: l.terms(c, p.Breakdown), Nearest: []Neighbour{}, Warnings: []trace.Warning{},
	}
	if c.Size > 0 && p.Time > 0 {
		a.AlgBW = float64(c.Size) / p.Time / 1e3
		a.BusBW = a.AlgBW * c.Collective.BusFactor(c.System.Ranks)
	}
	a.Alternatives = l.alternatives(c, algorithm, a.Time)
	a.Choice = choice(code, a.Alternatives)
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
	a.Warnings = append(a.Warnings, l.doubts(c)...)
	a.Warnings = append(a.Warnings, c.Shape.warnings(c.Collective, c.System)...)
	return a
}

func micro(us float64) unit.Seconds { return unit.Seconds(us / 1e6) }

// terms are the parts of a time with the numbers that they come from.
func (l *Library) terms(c Case, b Breakdown) []Term {
	s := c.System
	number := func(v float64) string { return fmt.Sprintf("%.4g", v) }
	terms := []Term{{Name: "launch", Time: micro(b.Floor), Formula: "what every call costs, and the library's start", Where: "the call"}}
	if b.Inside > 0 {
		each := l.constants[latencyInside(s.Scale)]
		v := trace.Values{"rounds": fmt.Sprintf("%.1f", b.Inside/each), "each": fmt.Sprintf("%.2f us", each), "link": string(s.Scale), "ranks": fmt.Sprintf("%.0f", s.Domain)}
		terms = append(terms, Term{Name: "latency-inside", Time: micro(b.Inside), Formula: v["rounds"] + " rounds · " + v["each"], Where: v["link"] + ", " + v["ranks"] + " ranks a domain", Values: v})
	}
	if b.Across > 0 {
		v := trace.Values{"each": fmt.Sprintf("%.1f us", l.constants[latencyAcross(s.Network)]), "power": fmt.Sprintf("%.2f", l.constants[nodesPower]), "network": string(s.Network), "domains": fmt.Sprint(s.Domains)}
		terms = append(terms, Term{Name: "latency-across", Time: micro(b.Across), Formula: v["each"] + " · (log2 " + v["domains"] + ")^" + v["power"], Where: v["network"] + ", " + v["domains"] + " domains", Values: v})
	}
	if b.Bytes <= 0 {
		return terms
	}
	v := trace.Values{"factor": number(c.Collective.BusFactor(s.Ranks)), "size": c.Size.String(), "bus": number(b.Bus) + " GB/s", "link": string(s.Scale), "tier": number(b.BusInside) + " GB/s", "limit": string(b.Limit)}
	where := v["link"] + ": " + v["tier"] + " of bus bandwidth"
	if b.Limit == Across {
		v["link"], v["tier"], v["nic"] = string(s.Network), number(b.BusAcross)+" GB/s", number(s.NIC)+" GB/s"
		where = v["link"] + ": " + v["tier"] + " of bus bandwidth, " + v["nic"] + " of NIC a rank"
		if x := c.Shape.Narrows(c.Collective, s); x > 1 {
			v["ratio"] = number(x)
			where += ", " + v["ratio"] + ":1 oversubscribed"
		}
	}
	return append(terms,
		Term{Name: "pipeline", Time: micro(b.Pipeline), Formula: "2·√(latencies · bytes), which grows no more with large sizes", Where: "cutting into chunks"},
		Term{Name: "bytes", Time: micro(b.Bytes), Formula: v["factor"] + " · " + v["size"] + " / " + v["bus"], Where: where, Values: v})
}
