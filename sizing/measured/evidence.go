package measured

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

func sqrt(v float64) float64 { return math.Sqrt(v) }

// Grade is how near the evidence for a prediction is.
type Grade string

// The grades.
const (
	Own     Grade = "A" // a log of the very system
	Sibling Grade = "B" // the same hardware in the same shape has been measured elsewhere
	Related Grade = "C" // all kinds of links have been measured, not in this shape
	Physics Grade = "D" // something had to be guessed, or was never measured
)

// signature is what systems have in common that are measured alike.
type signature struct {
	family  string
	scale   hardware.Scale
	domain  int // 1, 2, 4, 8, more
	domains int // 1, 2, more
	network hardware.Network
	kind    schedule.Collective
}

func signatureOf(c Case) signature {
	s := signature{family: c.System.Family, scale: c.System.Scale, domains: min(max(c.System.Domains, 1), 3), kind: c.Collective}
	for s.domain = 1; float64(s.domain) < c.System.Domain && s.domain < 16; {
		s.domain *= 2
	}
	if s.domains > 1 {
		s.network = c.System.Network
	}
	return s
}

// Library is evidence: constants, what has been measured, and how wide
// intervals have to be. It is not changed once it is made, so that many may ask
// it at once.
type Library struct {
	rows      []Row
	constants Constants
	seen      map[signature]bool
	scales    map[hardware.Scale]bool
	networks  map[hardware.Network]bool
	runs      map[schedule.Collective]int // measured, each with any number of sizes
	mostRanks int
	mostBytes unit.Bytes
	spread    Spread
}

// Spread is how far measurements lay from predictions that had not seen them: for
// each grade below and from 1 MiB on the factors from a predicted time to the
// ends of its interval.
type Spread map[string][2]float64

// band is the key of Spread.
func band(g Grade, size unit.Bytes) string {
	if size < big {
		return string(g) + " below 1 MiB"
	}
	return string(g)
}

//go:embed data/evidence.json
var evidenceJSON []byte

// NewLibrary opens what the program carries.
func NewLibrary() (*Library, error) {
	rows, err := Rows()
	if err != nil {
		return nil, err
	}
	k, err := Fitted()
	if err != nil {
		return nil, err
	}
	var spread Spread
	if err := json.Unmarshal(evidenceJSON, &spread); err != nil {
		return nil, fmt.Errorf("read intervals: %w", err)
	}
	return newLibrary(rows, k, spread), nil
}

func newLibrary(rows []Row, k Constants, spread Spread) *Library {
	l := &Library{rows: rows, constants: k, spread: spread, seen: map[signature]bool{}, scales: map[hardware.Scale]bool{}, networks: map[hardware.Network]bool{}, runs: map[schedule.Collective]int{}}
	for _, run := range systems(rows) {
		if run[0].Health != Sick {
			l.runs[run[0].Collective]++
		}
	}
	for _, r := range rows {
		if r.Health == Sick || r.System.Guessed("gpu") {
			continue
		}
		l.mostRanks, l.mostBytes = max(l.mostRanks, r.System.Ranks), max(l.mostBytes, r.Size)
		l.seen[signatureOf(r.Case)] = true
		l.scales[r.System.Scale] = true
		if r.System.Domains > 1 {
			l.networks[r.System.Network] = true
		}
	}
	return l
}

// grade says how near the evidence for a case is.
func (l *Library) grade(c Case) Grade { return c.Shape.grade(l.evidence(c), c.System) }

// evidence is the grade of a case in the usual shape. A borrowed time is at
// best as good as one of related hardware; of what leaves one root for other
// nodes, physics alone says what it takes.
func (l *Library) evidence(c Case) Grade {
	s := c.System
	across := s.Domains > 1
	ranks, size := l.beyond(c)
	switch {
	case ranks > far, size > far, across && (c.Collective == schedule.Gather || c.Collective == schedule.Scatter):
		return Physics
	case len(s.Guesses) > 0, foreign(s.Family), !l.scales[s.Scale] && s.Domain > 1, across && !l.networks[s.Network]:
		return Physics
	case l.seen[signatureOf(c)] && l.lender(c) == "":
		return Sibling
	default:
		return Related
	}
}

// foreign reports whether a family has a library of its own, of which nothing is
// measured or too little.
func foreign(family string) bool {
	return family == "Ascend" || family == "Gaudi" || family == "TPU" || family == "Trainium"
}

// Prediction is what a collective should take.
type Prediction struct {
	Breakdown
	Time, Low, High float64 // us; nine of ten systems should lie between Low and High
	Grade           Grade
	Nearest         []Near
}

// Predict says what a case should take, how sure that is, and what was measured
// nearest to it.
func (l *Library) Predict(c Case) Prediction {
	p := l.Price(c)
	p.Nearest = l.nearest(c, 3)
	return p
}

// Price is Predict without what was measured nearest, in a few microseconds.
func (l *Library) Price(c Case) Prediction {
	p := Prediction{Breakdown: l.constants.Time(c), Grade: l.grade(c)}
	p.Time = p.Total()
	width := l.width(p.Grade, c)
	p.Low, p.High = p.Time*width[0], p.Time*width[1]
	return p
}
