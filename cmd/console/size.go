package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"lockstep/engine/unit"
	"lockstep/sizing/catalog"
	"lockstep/sizing/plan"
	"lockstep/sizing/trained"
)

type sizeCommand struct {
	dataFlag
	sizeFlags
	Model     string `placeholder:"ID|FILE" help:"A model of console catalog models, or a file: a config.json or an entry of the catalogue."`
	System    string `placeholder:"ID" help:"A system of console catalog systems."`
	Nodes     int    `placeholder:"N" help:"How many nodes of the system."`
	Fabric    string `placeholder:"ID" help:"What joins the nodes, of console catalog fabrics, in the place of the system's network."`
	Strategy  string `default:"auto" placeholder:"S" help:"auto, or some of tp=8,pp=4,cp=1,ep=1,dp=2,vpp=2,micro=1,zero=1,recompute=none; the rest is found (default: auto)."`
	Sequence  int    `name:"seq-len" placeholder:"L" help:"Tokens of a sequence (default: 4096)."`
	Batch     int    `name:"global-batch" placeholder:"B" help:"Sequences of a step (default: about four million tokens)."`
	Precision string `default:"bf16" placeholder:"P" help:"What matrix products multiply: bf16, fp16, fp8, mxfp8, nvfp4 (default: bf16)."`
	CSV       string `name:"csv" placeholder:"FILE" help:"A table with a training run in each row (- for standard input); it is printed with what each should measure, in its own unit."`
	JSON      bool   `name:"json" help:"One JSON document."`
	Markdown  bool   `help:"Markdown, to paste."`
}

// Run prices a training step, or a table of them.
func (c sizeCommand) Run(ctx context.Context, term terminal) error {
	model, err := trained.Embedded()
	if err != nil {
		return err
	}
	if c.CSV != "" {
		return c.table(term, model)
	}
	if err := c.together(); err != nil {
		return err
	}
	ask, err := c.ask(ctx)
	if err != nil {
		return err
	}
	if len(c.given()) > 0 {
		return c.other(ctx, term, ask, model)
	}
	e, err := ask.Estimate(model)
	if err != nil {
		return requestError(err)
	}
	switch {
	case c.JSON:
		return json.NewEncoder(term.out).Encode(e)
	case c.Markdown:
		return writeMarkdown(term.out, e)
	}
	return writeEstimate(term.out, e)
}

// table prints a CSV with predictions.
func (c sizeCommand) table(term terminal, model *trained.Model) error {
	for _, flag := range []struct {
		name  string
		given bool
	}{{"model", c.Model != ""}, {"system", c.System != ""}, {"nodes", c.Nodes != 0}, {"fabric", c.Fabric != ""}, {"json", c.JSON}, {"markdown", c.Markdown}} {
		if flag.given {
			return usage(flag.name, errors.New("not together with --csv, whose rows say it"))
		}
	}
	if asked := c.given(); len(asked) > 0 {
		return usage(asked[0], errors.New("not together with --csv"))
	}
	known, err := catalog.Embedded()
	if err != nil {
		return err
	}
	return onTable(c.CSV, func(in io.Reader) error { return model.PredictTable(in, term.out, trained.NewReader(known)) })
}

// ask reads the flags.
func (c sizeCommand) ask(ctx context.Context) (plan.Ask, error) {
	for _, flag := range []struct {
		name  string
		given bool
	}{{"model", c.Model != ""}, {"system", c.System != ""}, {"nodes", c.Nodes != 0 || c.deadline()}} {
		if !flag.given {
			return plan.Ask{}, usage(flag.name, errors.New("missing; needed are --model, --system and --nodes, or --csv alone"))
		}
	}
	if c.Nodes != 0 && c.deadline() {
		return plan.Ask{}, usage("nodes", errors.New("not together with --tokens and --days, which find it"))
	}
	known, err := c.catalog(ctx)
	if err != nil {
		return plan.Ask{}, err
	}
	if c.Sequence < 0 || c.Batch < 0 { // 0 is what is not given
		return plan.Ask{}, usage("seq-len", errors.New("below 0; accepted are whole numbers from 1, also for --global-batch"))
	}
	model, err := modelOf(known, c.Model)
	if err != nil {
		return plan.Ask{}, usage("model", err)
	}
	a, err := plan.Request{
		System: c.System, Nodes: c.Nodes, Fabric: c.Fabric, Strategy: c.Strategy, Sequence: c.Sequence, Batch: c.Batch, Precision: c.Precision,
	}.Ask(known, &model)
	return a, requestError(err)
}

// modelOf finds a model by its ID, or reads a file that describes one.
func modelOf(known *catalog.Catalog, idOrFile string) (catalog.Model, error) {
	m, unknown := known.Model(idOrFile)
	if unknown == nil {
		return m, nil
	}
	document, err := os.ReadFile(idOrFile)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return m, unknown
		}
		return m, err
	}
	if catalog.IsConfig(document) {
		if document, _, err = catalog.FromConfig(document); err != nil {
			return m, err
		}
	}
	var given map[string]any
	if err := json.Unmarshal(document, &given); err != nil {
		return m, fmt.Errorf("read %s: it is neither a config.json nor an entry of the catalogue: %w", idOrFile, err)
	}
	if id, _ := given["id"].(string); id == "" {
		given["id"] = strings.TrimSuffix(filepath.Base(idOrFile), filepath.Ext(idOrFile))
	}
	if name, _ := given["name"].(string); name == "" {
		given["name"] = given["id"]
	}
	if document, err = json.Marshal(given); err != nil {
		return m, err
	}
	entry, err := known.Read(catalog.Models, document)
	if err != nil {
		return m, fmt.Errorf("read %s: %w", idOrFile, err)
	}
	return known.With([]catalog.Entry{entry}).Model(entry.ID)
}

// strategyText is a layout in a line.
func strategyText(s plan.Layout) string {
	text := fmt.Sprintf("tp=%d,pp=%d,cp=%d,dp=%d", s.TP, s.PP, s.CP, s.DP)
	if s.EP > 1 {
		text += fmt.Sprintf(",ep=%d", s.EP)
	}
	if s.Virtual > 1 {
		text += fmt.Sprintf(",vpp=%d", s.Virtual)
	}
	return text + fmt.Sprintf(",zero=%d,micro=%d,recompute=%s", s.Zero, s.Micro, s.Recompute)
}

// headline is the answer in a sentence.
func headline(e plan.Estimate) string {
	return fmt.Sprintf("%s a step for %s on %d accelerators of %s (%d nodes): %.0f tokens/s each, MFU %.0f %%, %.0f %% of the step waits for communication",
		unit.Seconds(e.Step.Value), e.Model, e.Accelerators, e.System, e.Nodes, e.Tokens, 100*e.MFU, 100*e.Breakdown.Exposed/e.Step.Value)
}

func gigabytes(v float64) string { return fmt.Sprintf("%.1f GB", v/1e9) }

// writeEstimate prints the conclusion first.
func writeEstimate(w io.Writer, e plan.Estimate) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, headline(e))
	fmt.Fprintf(table, "between %s and %s, grade %s\n", unit.Seconds(e.Step.Low), unit.Seconds(e.Step.High), e.Grade)
	fmt.Fprintf(table, "batch %d × %d tokens, %s, %s\n", e.Batch, e.Sequence, e.Precision, strategyText(e.Strategy))
	fits := "fits"
	if !e.Memory.Fits {
		fits = "does not surely fit"
	}
	fmt.Fprintf(table, "memory %s of %s on the fullest accelerator: %s\n", gigabytes(e.Memory.Total), gigabytes(e.Memory.Capacity), fits)
	fmt.Fprintln(table, "\nMADE OF\tTIME\tFORMULA")
	for _, t := range e.Terms {
		fmt.Fprintf(table, "%s\t%s\t%s\n", t.Name, unit.Seconds(t.Seconds), t.Formula)
	}
	fmt.Fprintln(table, "\nCOMMUNICATION\tCOLLECTIVE\tRANKS\tSPANS\tEACH\tA STEP\tTIME\tEXPOSED")
	for _, c := range e.Communication {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%.0f\t%s\t%s\n", c.Purpose, c.Collective, c.Group, c.Spans, unit.Bytes(math.Round(c.Bytes)), c.Count, unit.Seconds(c.Time), unit.Seconds(c.Exposed))
	}
	fmt.Fprintf(table, "\nOTHER LAYOUTS (of %d)\tSTEP\tMEMORY\tFITS\n", e.Tried)
	for _, a := range e.Alternatives {
		fmt.Fprintf(table, "%s\t%s\t%s\t%v\n", strategyText(a.Strategy), unit.Seconds(a.Step), gigabytes(a.Memory), a.Fits)
	}
	fmt.Fprintln(table)
	for _, n := range e.Advice {
		fmt.Fprintf(table, "advice: %s\n", n.Message)
	}
	for _, n := range e.Assumptions {
		fmt.Fprintf(table, "assumed: %s\n", n.Message)
	}
	for _, n := range e.Warnings {
		fmt.Fprintf(table, "note: %s\n", n.Message)
	}
	return table.Flush()
}

// writeMarkdown prints the same to paste.
func writeMarkdown(w io.Writer, e plan.Estimate) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** (between %s and %s, grade %s)\n\n", headline(e), unit.Seconds(e.Step.Low), unit.Seconds(e.Step.High), e.Grade)
	fmt.Fprintf(&b, "Batch %d × %d tokens, %s, `%s`. Memory %s of %s.\n\n| part | time | formula |\n| --- | --- | --- |\n", e.Batch, e.Sequence, e.Precision, strategyText(e.Strategy), gigabytes(e.Memory.Total), gigabytes(e.Memory.Capacity))
	for _, t := range e.Terms {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", t.Name, unit.Seconds(t.Seconds), t.Formula)
	}
	b.WriteString("\n| communication | collective | ranks | spans | each | a step | time | exposed |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range e.Communication {
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %.0f | %s | %s |\n", c.Purpose, c.Collective, c.Group, c.Spans, unit.Bytes(math.Round(c.Bytes)), c.Count, unit.Seconds(c.Time), unit.Seconds(c.Exposed))
	}
	b.WriteString("\n")
	for _, notes := range []struct {
		name string
		list []plan.Note
	}{{"advice", e.Advice}, {"assumed", e.Assumptions}, {"note", e.Warnings}} {
		for _, n := range notes.list {
			fmt.Fprintf(&b, "- %s: %s\n", notes.name, n.Message)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
