package main

import (
	"encoding/json"
	"fmt"
	"io"

	"lockstep/engine/unit"
	"lockstep/sizing/plan"
	"lockstep/sizing/trained"
)

// deadlineAnswer is the smallest cluster as one document.
type deadlineAnswer struct {
	Version int            `json:"version"`
	Tokens  float64        `json:"tokens"`
	Days    float64        `json:"days"`
	Tried   int            `json:"clusters_tried"`
	Likely  *plan.Estimate `json:"likely,omitempty"`
	Sure    *plan.Estimate `json:"sure,omitempty"`
}

// forDeadline finds the smallest cluster that meets a deadline.
func (c sizeCommand) forDeadline(term terminal, ask plan.Ask, model *trained.Model) error {
	found, err := ask.Smallest(model, plan.Deadline{Tokens: c.Tokens, Days: c.Days})
	if err != nil {
		return requestError(err)
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(deadlineAnswer{1, c.Tokens, c.Days, found.Tried, found.Likely, found.Sure})
	}
	if found.Tried == 0 {
		_, err := fmt.Fprintf(term.out, "none: at the peak of its accelerators, more than %d nodes would be needed to train %g tokens in %g days\n", plan.MaxNodes, c.Tokens, c.Days)
		return err
	}
	return writeDeadline(term.out, c, found)
}

// writeDeadline prints both answers.
func writeDeadline(w io.Writer, c sizeCommand, found plan.Smallest) error {
	for _, answer := range []struct {
		how string
		e   *plan.Estimate
	}{{"likely", found.Likely}, {"surely", found.Sure}} {
		text := fmt.Sprintf("%s: none of %d clusters that were tried trains %g tokens in %g days", answer.how, found.Tried, c.Tokens, c.Days)
		if e := answer.e; e != nil {
			text = fmt.Sprintf("%s: %d nodes train %g tokens in %g days; %s; a step between %s and %s, grade %s",
				answer.how, e.Nodes, c.Tokens, c.Days, strategyText(e.Strategy), unit.Seconds(e.Step.Low), unit.Seconds(e.Step.High), e.Grade)
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "modelled; stops, restarts and checkpoints are not counted; numbers of nodes are tried in eighths of each doubling, all up to 16")
	return err
}
