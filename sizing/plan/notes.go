package plan

import (
	"fmt"
	"slices"

	"lockstep/sizing/trained"
)

// Note is a sentence with its code, and what stands in it for those who say it
// in other words: numbers are float64, also once they were JSON, shares of 1,
// sizes bytes; the rest are strings.
type Note struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Values  map[string]any `json:"values,omitempty"`
}

// notes says what to change, what was taken for granted and what is doubtful.
func (a Ask) notes(e *Estimate, r trained.Run) {
	type values = map[string]any
	s, b, step := e.Strategy, e.Breakdown, e.Step.Value
	note := func(into *[]Note, code string, v values, format string, args ...any) {
		*into = append(*into, Note{code, fmt.Sprintf(format, args...), v})
	}
	advise := func(code string, v values, format string, args ...any) { note(&e.Advice, code, v, format, args...) }
	if m := e.Memory; !m.Fits {
		advise("does-not-fit", values{"needed": m.Total, "capacity": m.Capacity},
			"the fullest accelerator needs %.0f GB and has %.0f: take more nodes, more tensor or pipeline parallelism, ZeRO-3, or recompute activations", m.Total/1e9, m.Capacity/1e9)
	}
	if share := b.Bubble / step; share > 0.1 {
		advise("bubble", values{"share": share, "micro_batches": float64(s.Count), "stages": float64(s.PP)},
			"%.0f %% of the step is the pipeline filling and draining: take a larger batch, fewer stages or more virtual ones (%d micro-batches on %d stages)", 100*share, s.Count, s.PP)
	}
	if domain := max(1, a.System.Domain); s.TP > domain {
		advise("tensor-crosses-nodes", values{"tp": float64(s.TP), "domain": float64(domain)},
			"tensor parallelism of %d leaves the scale-up domain of %d: keep it inside", s.TP, domain)
	}
	for _, c := range e.Communication {
		if share := c.Exposed / step; share > 0.05 && c.Spans == "cluster" {
			advise("fabric-"+c.Purpose, values{"share": share, "collective": c.Collective},
				"%.0f %% of the step waits for %s between nodes (%s): a faster fabric or more NICs buy the most here; ask what joins the nodes and how far it is oversubscribed", 100*share, c.Collective, c.Purpose)
		}
	}
	if s.Recompute == "full" {
		advise("recompute", nil, "activations are computed again because they would not fit: more memory, or more ranks to a replica, save about a quarter of the computing")
	}
	if share := b.Compute / step; len(e.Advice) == 0 {
		advise("computing", values{"share": share}, "%.0f %% of the step is computing: faster accelerators or a lower precision help, a faster fabric hardly", 100*share)
	}
	assume := func(code string, v values, format string, args ...any) {
		note(&e.Assumptions, code, v, format, args...)
	}
	assume("software", nil, "Megatron-Core, as NVIDIA's Megatron-Bridge runs it; other software lies up to a third away")
	assume("adam", nil, "Adam in mixed precision: 2 bytes of weight, 4 of gradient and 12 of optimizer state a parameter")
	assume("overlap", nil, "gradients are exchanged behind the backward pass; what shows is what runs of that software have shown")
	if a.Batch == 0 {
		assume("batch", values{"sequences": float64(e.Batch)}, "a batch of about four million tokens: %d sequences", e.Batch)
	}
	warn := func(code string, v values, format string, args ...any) { note(&e.Warnings, code, v, format, args...) }
	switch e.Grade {
	case trained.Sibling:
		warn("family-not-measured", nil, "no run of this model was measured; others on the same software were")
	case trained.Formula:
		warn("not-measured", nil, "nothing like it was measured: the figures are formulas")
	}
	if slices.Contains(r.Guessed, trained.GuessedGPU) {
		warn("accelerator-not-measured", values{"accelerator": a.Chip.Name}, "no training run on %s was measured; it is taken to reach the share of its peak that H100 does", a.Chip.Name)
	}
	if a.guessedNIC() {
		warn("fabric-guessed", values{"system": a.System.Name}, "the catalogue does not tell what joins nodes of %s: 100 Gb/s an accelerator was taken", a.System.ID)
	}
}
