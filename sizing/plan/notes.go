package plan

import (
	"fmt"
	"slices"

	"lockstep/sizing/trained"
)

// notes says what to change, what was taken for granted and what is doubtful.
func (a Ask) notes(e *Estimate, r trained.Run) {
	s, b, step := e.Strategy, e.Breakdown, e.Step.Value
	note := func(into *[]Note, code, format string, args ...any) {
		*into = append(*into, Note{code, fmt.Sprintf(format, args...)})
	}
	advise := func(code, format string, args ...any) { note(&e.Advice, code, format, args...) }
	percent := func(part float64) float64 { return 100 * part / step }
	if !e.Memory.Fits {
		advise("does-not-fit", "the fullest accelerator needs %.0f GB and has %.0f: take more nodes, more tensor or pipeline parallelism, ZeRO-3, or recompute activations", e.Memory.Total/1e9, e.Memory.Capacity/1e9)
	}
	if p := percent(b.Bubble); p > 10 {
		advise("bubble", "%.0f %% of the step is the pipeline filling and draining: take a larger batch, fewer stages or more virtual ones (%d micro-batches on %d stages)", p, s.Count, s.PP)
	}
	if s.TP > max(1, a.System.Domain) {
		advise("tensor-crosses-nodes", "tensor parallelism of %d leaves the scale-up domain of %d: keep it inside", s.TP, a.System.Domain)
	}
	for _, c := range e.Communication {
		if p := percent(c.Exposed); p > 5 && c.Spans == "cluster" {
			advise("fabric-"+c.Purpose, "%.0f %% of the step waits for %s between nodes (%s): a faster fabric or more NICs buy the most here; ask what joins the nodes and how far it is oversubscribed", p, c.Collective, c.Purpose)
		}
	}
	if s.Recompute == "full" {
		advise("recompute", "activations are computed again because they would not fit: more memory, or more ranks to a replica, save about a quarter of the computing")
	}
	if len(e.Advice) == 0 {
		advise("computing", "%.0f %% of the step is computing: faster accelerators or a lower precision help, a faster fabric hardly", percent(b.Compute))
	}
	note(&e.Assumptions, "software", "Megatron-Core, as NVIDIA's Megatron-Bridge runs it; other software lies up to a third away")
	note(&e.Assumptions, "adam", "Adam in mixed precision: 2 bytes of weight, 4 of gradient and 12 of optimizer state a parameter")
	note(&e.Assumptions, "overlap", "gradients are exchanged behind the backward pass; what shows is what runs of that software have shown")
	if a.Batch == 0 {
		note(&e.Assumptions, "batch", "a batch of about four million tokens: %d sequences", e.Batch)
	}
	warn := func(code, format string, args ...any) { note(&e.Warnings, code, format, args...) }
	switch e.Grade {
	case trained.Sibling:
		warn("family-not-measured", "no run of this model was measured; others on the same software were")
	case trained.Formula:
		warn("not-measured", "nothing like it was measured: the figures are formulas")
	}
	if slices.Contains(r.Guessed, trained.GuessedGPU) {
		warn("accelerator-not-measured", "no training run on %s was measured; it is taken to reach the share of its peak that H100 does", a.Chip.Name)
	}
	if a.guessedNIC() {
		warn("fabric-guessed", "the catalogue does not tell what joins nodes of %s: 100 Gb/s an accelerator was taken", a.System.ID)
	}
}
