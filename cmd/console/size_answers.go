package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"lockstep/sizing/plan"
	"lockstep/sizing/trained"
)

// sizeFlags ask for something else than one step.
type sizeFlags struct {
	Tokens      float64  `placeholder:"T" help:"With --days in the place of --nodes: tokens to train, for the smallest cluster that does it in time."`
	Days        float64  `placeholder:"D" help:"Days that these may take."`
	Scaling     bool     `help:"The step on 1, 2, 4, … nodes, up to four times --nodes."`
	Sensitivity bool     `help:"What single changes of hardware, batch, sequence and precision would buy."`
	Failed      bool     `help:"The step with one NIC less, and with one node less."`
	Within      *float64 `placeholder:"PERCENT" help:"The slowest fabric of the catalogue that joins nodes whose step is at most so much longer than on the fastest."`
}

// given lists the answers asked for, by the flag.
func (f sizeFlags) given() (flags []string) {
	for _, flag := range []struct {
		name  string
		given bool
	}{{"days", f.deadline()}, {"scaling", f.Scaling}, {"sensitivity", f.Sensitivity}, {"failed", f.Failed}, {"within", f.Within != nil}} {
		if flag.given {
			flags = append(flags, flag.name)
		}
	}
	return flags
}

// deadline reports whether a cluster is to be found.
func (f sizeFlags) deadline() bool { return f.Tokens != 0 || f.Days != 0 }

// together refuses what cannot be asked at once.
func (c sizeCommand) together() error {
	asked := c.given()
	if len(asked) > 0 && c.Markdown {
		return usage("markdown", errors.New("not together with --"+asked[0]))
	}
	switch {
	case c.JSON && c.Markdown:
		return usage("markdown", errors.New("not together with --json"))
	case len(asked) > 1:
		return usage(asked[1], errors.New("not together with --"+asked[0]+"; each is an answer of its own"))
	case c.Within != nil && c.Fabric != "":
		return usage("within", errors.New("not together with --fabric; it tries all fabrics"))
	case c.Within != nil && !(*c.Within >= 0 && *c.Within <= 100):
		return usage("within", errors.New("accepted are percents from 0 to 100"))
	case c.Within != nil && c.Nodes == 1:
		return usage("within", errors.New("one node has no other to be joined to; accepted are --nodes from 2"))
	}
	return nil
}

// other gives the answer that is not one step.
func (c sizeCommand) other(ctx context.Context, term terminal, ask plan.Ask, model *trained.Model) error {
	switch c.given()[0] {
	case "days":
		return c.forDeadline(term, ask, model)
	case "scaling":
		s, err := ask.Scaling(model, nil)
		return answer(c.JSON, term.out, s, err, writeScaling)
	case "sensitivity":
		s, err := ask.Sensitivity(model)
		return answer(c.JSON, term.out, s, err, writeSensitivity)
	case "failed":
		f, err := ask.Failed(model)
		return answer(c.JSON, term.out, f, err, writeFailed)
	}
	known, err := c.catalog(ctx)
	if err != nil {
		return err
	}
	all, chosen, err := ask.Cheapest(model, plan.NodeFabrics(known), *c.Within/100)
	return answer(c.JSON, term.out, cheapest(*c.Within, all, chosen), err, writeCheapest)
}

// answer prints a document, or what it says.
func answer[T any](asJSON bool, out io.Writer, a T, err error, write func(io.Writer, T) error) error {
	switch {
	case err != nil:
		return requestError(err)
	case asJSON:
		return json.NewEncoder(out).Encode(a)
	}
	return write(out, a)
}
