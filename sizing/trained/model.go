package trained

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
)

//go:embed constants.json
var constantsJSON []byte

// Model predicts runs from what others have shown.
type Model struct {
	fit      fitted
	widths   map[string]Width
	families map[string][]string // measured, by group
}

// kept is the model as constants.json holds it.
type kept struct {
	Version   int                 `json:"version"`
	Runs      int                 `json:"runs"` // that it was fitted to
	Constants map[string]float64  `json:"constants"`
	Effects   map[string]float64  `json:"log_effects"`
	Widths    map[string]Width    `json:"log_widths"`
	Families  map[string][]string `json:"families"`
}

// Embedded is the model that was fitted to the table under data.
var Embedded = sync.OnceValues(func() (*Model, error) { return load(constantsJSON) })

func load(text []byte) (*Model, error) {
	var k kept
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(&k); err != nil {
		return nil, fmt.Errorf("read the constants of training: %w", err)
	}
	m := &Model{fit: fitted{effects: k.Effects}, widths: k.Widths, families: k.Families}
	for i, p := range priors {
		v, there := k.Constants[p.name]
		if !there || !(v > 0) {
			return nil, fmt.Errorf("read the constants of training: %s is %v; needed is a figure above 0", p.name, v)
		}
		m.fit.constants[i] = v
	}
	return m, nil
}

// Grade is what a prediction rests on.
type Grade string

// The grades.
const (
	Between Grade = "B" // runs of this family on this software
	Sibling Grade = "C" // runs of other families on this software
	Formula Grade = "D" // neither
)

// Answer is a prediction of a step.
type Answer struct {
	Seconds, Low, High float64
	Grade              Grade
}

// Predict says what a run's step takes. Nine of ten runs lie between Low and
// High.
func (m *Model) Predict(r Run) Answer {
	a := Answer{Seconds: m.fit.predict(&r), Grade: m.grade(r)}
	width := unseen(r.Mixes())
	switch w, measured := m.widths[r.group()]; {
	case measured && a.Grade == Between:
		width = w.Known
	case measured && a.Grade == Sibling:
		width = w.New
	}
	a.Low, a.High = a.Seconds*math.Exp(-width), a.Seconds*math.Exp(width)
	return a
}

// grade tells what of a run was measured.
func (m *Model) grade(r Run) Grade {
	families, measured := m.families[r.group()]
	switch {
	case !measured || slices.Contains(r.Guessed, GuessedGPU) || r.Gen == other:
		return Formula
	case slices.Contains(families, r.Family) && !slices.Contains(r.Guessed, GuessedModel):
		return Between
	}
	return Sibling
}
