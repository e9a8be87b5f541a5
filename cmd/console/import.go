package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"lockstep/engine/unit"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/diagnose"
)

type importCommand struct {
	Files []string `arg:"" name:"file" help:"Logs of nccl-tests, rccl-tests, OSU or hccl_test; - for standard input."`
	statementFlags
	JSON bool `name:"json" help:"One JSON document."`
}

// Run reads the logs and prints what they show. A file without a measurement
// makes the whole unusable, after the others have been printed.
func (c importCommand) Run(term terminal) error {
	doctor, err := openDoctor()
	if err != nil {
		return err
	}
	says := c.statement()
	if wrong := new(diagnose.WrongError); errors.As(doctor.Check(says), &wrong) {
		return usage(wrong.Field, errors.New(wrong.Message))
	}
	report := diagnose.Report{Version: 1, Files: []diagnose.File{}}
	var failures []error
	for _, name := range c.Files {
		text, err := readLog(name)
		if err != nil {
			failures = append(failures, argument("file", err))
			continue
		}
		files, err := doctor.Read(name, text, says)
		if err != nil {
			failures = append(failures, argument("file", err))
			continue
		}
		report.Files = append(report.Files, files...)
	}
	if len(report.Files) > 0 {
		if c.JSON {
			err = json.NewEncoder(term.out).Encode(report)
		} else {
			err = writeReport(term.out, report)
		}
		if err != nil {
			return err
		}
	}
	if len(failures) > 0 {
		return failures[0]
	}
	return nil
}

// openDoctor opens what the program knows of systems.
func openDoctor() (*diagnose.Doctor, error) {
	library, known, err := openEvidence()
	if err != nil {
		return nil, err
	}
	return diagnose.New(library, known), nil
}

// readLog reads a file up to what a log may hold.
func readLog(name string) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, benchlog.MaxBytes+1))
	if err == nil && len(text) > benchlog.MaxBytes {
		err = errors.New("longer than 8 MiB; cut out the part with the tables")
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return text, nil
}

// writeReport prints the findings first: they are what was asked for.
func writeReport(w io.Writer, r diagnose.Report) error {
	for i, f := range r.Files {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s", f.File, f.Tool)
		if f.ToolVersion != "" {
			fmt.Fprintf(w, " %s", f.ToolVersion)
		}
		if f.Collective != "" {
			fmt.Fprintf(w, ", %s", f.Collective)
		}
		if f.Ranks > 0 {
			fmt.Fprintf(w, " on %s", counted(f.Ranks, "rank"))
		}
		if f.Nodes > 0 {
			fmt.Fprintf(w, ", %s", counted(f.Nodes, "node"))
		}
		if f.GPU != "" {
			fmt.Fprintf(w, ", %s", f.GPU)
		}
		fmt.Fprintf(w, "; %s\n", counted(len(f.Rows), "row"))
		if f.Expected.High > 0 {
			fmt.Fprintf(w, "a healthy system of that kind gives %.4g to %.4g GB/s of bus bandwidth at %s (modelled, grade %s)\n",
				f.Expected.Low, f.Expected.High, unit.Bytes(f.Expected.Size), f.Expected.Grade)
		}
		for _, found := range f.Findings {
			fmt.Fprintf(w, "  %-8s  %s\n            %s\n", found.Severity, found.Message, found.Evidence)
			if found.Check != "" {
				fmt.Fprintf(w, "            check: %s\n", found.Check)
			}
			for _, command := range found.Commands {
				fmt.Fprintf(w, "              $ %s\n", command)
			}
		}
		for _, warning := range f.Warnings {
			fmt.Fprintf(w, "  note      %s\n", warning.Message)
		}
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "  SIZE\tPLACE\tTIME\tALGBW\tBUSBW\t")
		for _, row := range f.Rows {
			place := "out"
			if row.InPlace {
				place = "in"
			}
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\t\n", unit.Bytes(row.Size), place, inUnit(row.Time, "us"), inUnit(row.AlgBW, "GB/s"), inUnit(row.BusBW, "GB/s"))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// inUnit prints a figure of a table, or a dash for one that is undefined.
func inUnit(v *float64, unit string) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.4g %s", *v, unit)
}
