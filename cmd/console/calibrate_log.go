package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/diagnose"
	"lockstep/sizing/measured"
	"lockstep/store"
)

// calibrateCommands measure this machine, or keep logs of another system.
type calibrateCommands struct {
	Here   calibrateCommand     `cmd:"" default:"withargs" help:"Measure this machine, or keep logs of a system (the default)."`
	List   machineListCommand   `cmd:"" help:"List what predictions for certain machines rest on: kept logs, this machine's calibration, probes between nodes."`
	Remove machineRemoveCommand `cmd:"" help:"Forget the logs of a system."`
}

// Help points from the group to the flags of its default.
func (calibrateCommands) Help() string {
	return "console calibrate measures this machine; console calibrate --name N FILE… keeps logs of a system, for console predict --machine N; console calibrate here --help lists all its flags."
}

// statementFlags say of logs what they do not say themselves.
type statementFlags struct {
	System      string `placeholder:"ID" help:"The system that was measured: one of console catalog systems."`
	Accelerator string `placeholder:"TEXT" help:"The accelerators in your own words, such as \"8x H100 SXM\"."`
	Network     string `placeholder:"TEXT" help:"The network between nodes in your own words, such as \"8 x 400 Gb/s RoCE\"."`
	Collective  string `placeholder:"C" help:"The collective, where the logs do not say it."`
	Ranks       int    `placeholder:"N" help:"The number of ranks, where the logs do not say it."`
	Nodes       int    `placeholder:"N" help:"The number of nodes, where the logs do not say it."`
}

func (f statementFlags) statement() diagnose.Statement {
	return diagnose.Statement{System: f.System, Accelerator: f.Accelerator, Network: f.Network, Collective: schedule.Collective(f.Collective), Ranks: f.Ranks, Nodes: f.Nodes}
}

// machineDocument is a kept system with what its log changes.
type machineDocument struct {
	Version  int                 `json:"version"`
	Machine  measured.Kept       `json:"machine"`
	Compared []measured.Compared `json:"compared"`
}

// keep reads logs and keeps them under a name.
func (c calibrateCommand) keep(ctx context.Context, term terminal) error {
	if c.Show || c.Check {
		return usage("name", errors.New("not together with --show or --check, which are about this machine"))
	}
	if len(c.Files) == 0 {
		return usage("name", errors.New("no logs are given; accepted is --name N FILE…"))
	}
	if err := measured.CheckMachineName(c.Name); err != nil {
		return usage("name", err)
	}
	library, known, err := openEvidence()
	if err != nil {
		return err
	}
	doctor, says := diagnose.New(library, known), c.statement()
	if wrong := new(diagnose.WrongError); errors.As(doctor.Check(says), &wrong) {
		return usage(wrong.Field, errors.New(wrong.Message))
	}
	kept := measured.Kept{Version: 1, Name: c.Name, Made: time.Now().UTC().Truncate(time.Second), By: commandUser()}
	for _, name := range c.Files {
		text, err := readLog(name)
		if err != nil {
			return argument("file", err)
		}
		tables, err := doctor.Tables(name, text, says)
		if err != nil {
			return argument("file", err)
		}
		kept.Tables = append(kept.Tables, tables...)
	}
	compared, err := library.Compare(kept)
	if err != nil {
		return argument("file", err)
	}
	if err := c.withStore(ctx, func(db *store.Store) error { return db.Machines().Save(ctx, kept) }); err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(machineDocument{1, kept, compared})
	}
	return writeCompared(term.out, kept, compared)
}

// writeCompared prints what a log changes: how far predictions are from its
// rows before and after.
func writeCompared(w io.Writer, k measured.Kept, rows []measured.Compared) error {
	fmt.Fprintf(w, "kept %s: console predict --machine %q uses it\n\n", k.Name, k.Name)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "COLLECTIVE\tRANKS\tSIZE\tMEASURED\tBEFORE\tOFF BY\tAFTER\tOFF BY")
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Collective, r.Ranks, r.Size, microseconds(r.Measured),
			microseconds(r.Before), offBy(r.Before, r.Measured), microseconds(r.After), offBy(r.After, r.Measured))
	}
	fmt.Fprintln(table, "\nafter: each row is predicted from the other rows alone")
	return table.Flush()
}

func microseconds(us float64) unit.Seconds { return unit.Seconds(us / 1e6) }

func offBy(predicted, is float64) string { return fmt.Sprintf("%+.0f %%", 100*(predicted/is-1)) }

type machineRemoveCommand struct {
	dataFlag
	Name string `arg:"" help:"Name of the system, as console calibrate list prints it."`
}

// Run forgets a system.
func (c machineRemoveCommand) Run(ctx context.Context, _ terminal) error {
	return c.withStore(ctx, func(db *store.Store) error {
		err := db.Machines().Remove(ctx, c.Name)
		if errors.Is(err, measured.ErrNoMachine) {
			return failure{code: "no-machine", err: fmt.Errorf("there is no machine %q; console calibrate list names those there are", c.Name)}
		}
		return err
	})
}

// onMachine answers from a log that is kept, where one is named.
func (c predictCommand) onMachine(ctx context.Context, library *measured.Library, of measured.Case) (measured.Answer, error) {
	if c.Machine == "" {
		return library.Answer(of), nil
	}
	var kept measured.Kept
	err := c.withStore(ctx, func(db *store.Store) (err error) {
		kept, err = db.Machines().Find(ctx, c.Machine)
		return err
	})
	if errors.Is(err, measured.ErrNoMachine) {
		return measured.Answer{}, usage("machine", fmt.Errorf("there is no machine %q; console calibrate list names those there are", c.Machine))
	}
	if err != nil {
		return measured.Answer{}, err
	}
	return library.AnswerOn(kept, of)
}
