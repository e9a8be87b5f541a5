package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

type predictCommand struct {
	Collective string `placeholder:"C" help:"Collective, such as all-reduce."`
	Size       string `placeholder:"S" help:"Bytes of the full buffer, such as 64MiB or 1.2GB."`
	Ranks      *int   `placeholder:"N" help:"Number of ranks, 1 to 1024, on a flat network."`
	Bandwidth  string `placeholder:"B" help:"Rate of every rank's port, each way, such as 100Gb/s (bits) or 12.5GB/s."`
	Latency    string `placeholder:"L" help:"Time that every message is under way, such as 5us."`
	System     string `placeholder:"ID" help:"In the place of ranks, bandwidth and latency: a system of console catalog systems."`
	Nodes      int    `placeholder:"N" help:"How many nodes of the system."`
	networkFlags
	dataFlag
	Machine   string `placeholder:"NAME" help:"Together with --system: a system of which logs are kept (console calibrate --name NAME FILE…); the answer rests on them."`
	CSV       string `name:"csv" placeholder:"FILE" help:"A table with a collective on a system in words in each row (- for standard input); it is printed with what each should take."`
	Algorithm string `default:"auto" placeholder:"A" help:"Algorithm, or auto for the fastest (default: auto)."`
	JSON      bool   `name:"json" help:"One JSON document."`
}

// Run prices the collective and prints the answer.
func (c predictCommand) Run(ctx context.Context, term terminal) error {
	switch {
	case c.CSV != "":
		return c.table(term)
	case c.System != "":
		return c.onSystem(ctx, term)
	}
	if c.Machine != "" {
		return usage("machine", errors.New("only together with --system and --nodes"))
	}
	if flag := c.given(); flag != "" {
		return usage(flag, errors.New("only together with --system; a flat network has no nodes"))
	}
	question, err := c.question()
	if err != nil {
		return err
	}
	prediction, err := question.Predict(c.Algorithm)
	if err != nil {
		return requestError(err)
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(prediction)
	}
	return writePrediction(term.out, question, prediction)
}

func (c predictCommand) question() (cost.Question, error) {
	for _, flag := range []struct {
		name  string
		given bool
	}{{"collective", c.Collective != ""}, {"size", c.Size != ""}, {"ranks", c.Ranks != nil}, {"bandwidth", c.Bandwidth != ""}, {"latency", c.Latency != ""}} {
		if !flag.given {
			return cost.Question{}, usage(flag.name, errors.New("missing; needed are --collective, --size and either --ranks, --bandwidth and --latency, or --system and --nodes; or --csv alone"))
		}
	}
	size, err := unit.ParseBytes(c.Size)
	if err != nil {
		return cost.Question{}, usage("size", err)
	}
	bandwidth, err := unit.ParseRate(c.Bandwidth)
	if err != nil {
		return cost.Question{}, usage("bandwidth", err)
	}
	latency, err := unit.ParseDuration(c.Latency)
	if err != nil {
		return cost.Question{}, usage("latency", err)
	}
	return cost.Question{
		Collective: schedule.Collective(c.Collective), Ranks: *c.Ranks, Size: size,
		Network: cost.Network{Latency: latency, Bandwidth: bandwidth},
	}, nil
}

// writePrediction prints the conclusion first, then what it is made of, what
// else there is and what was assumed.
func writePrediction(w io.Writer, q cost.Question, p cost.Prediction) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s for %s of %s among %s by %s\n", p.Time, p.Size, p.Collective, counted(p.Ranks, "rank"), p.Algorithm)
	fmt.Fprintf(table, "between %s and %s, grade %s\n", p.Low, p.High, p.Grade)
	if p.AlgBW > 0 {
		fmt.Fprintf(table, "algorithm bandwidth %s, bus bandwidth %s\n", unit.Rate(p.AlgBW*1e9), unit.Rate(p.BusBW*1e9))
	}
	fmt.Fprintln(table, "\nMADE OF\tTIME\tFORMULA\tBOTTLENECK")
	for _, term := range p.Terms {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", term.Name, term.Time, term.Formula, term.Where)
	}
	fmt.Fprintln(table, "\nALGORITHM\tTIME")
	for _, a := range p.Alternatives {
		mark := ""
		if a.Algorithm == p.Algorithm {
			mark = "\tthis one"
		}
		fmt.Fprintf(table, "%s\t%s%s\n", a.Algorithm, a.Time, mark)
	}
	fmt.Fprintf(table, "\nassumed: a flat network; α = %s for every message; B = %s for every port, each way;\n", unit.FromDuration(q.Network.Latency), q.Network.Bandwidth)
	fmt.Fprintf(table, "equal chunks; adding up and local copies cost nothing\n")
	for _, warning := range p.Warnings {
		fmt.Fprintf(table, "note: %s\n", warning.Message)
	}
	return table.Flush()
}
