package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/sizing"
	"lockstep/sizing/calibrate"
	"lockstep/sizing/measured"
	"lockstep/store"
)

type machineListCommand struct {
	dataFlag
	JSON bool `name:"json" help:"One JSON document."`
}

// machineList is what predictions for certain machines rest on.
type machineList struct {
	Version  int             `json:"version"`
	Machines []measured.Kept `json:"machines"`
	// Here is this machine, as console calibrate has found it; absent where it
	// is not calibrated.
	Here  *hereDocument   `json:"this_machine,omitempty"`
	Links []sizing.Probed `json:"links"` // between nodes, as probes have found them
}

// hereDocument is what the calibration of this machine has changed.
type hereDocument struct {
	Made     time.Time     `json:"made"`
	Compared []sizing.Here `json:"compared"`
}

// Run lists kept logs, this machine's own fit and the nodes' probes, each with
// what it changes.
func (c machineListCommand) Run(ctx context.Context, term terminal) error {
	library, err := measured.NewLibrary()
	if err != nil {
		return err
	}
	list := machineList{Version: 1}
	err = c.withStore(ctx, func(db *store.Store) error {
		all, err := db.Machines().List(ctx)
		if err != nil {
			return err
		}
		list.Machines = append([]measured.Kept{}, all...)
		links, err := db.Nodes().Links(ctx)
		if err != nil {
			return err
		}
		list.Links = sizing.CompareProbes(links)
		found, err := db.Calibrations().Calibration(ctx, calibrate.NewFingerprint(inventory.Read(), buildVersion()))
		if errors.Is(err, calibrate.ErrNone) {
			return nil
		}
		if err == nil {
			list.Here = &hereDocument{found.Made, sizing.CompareHere(found)}
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case c.JSON:
		return json.NewEncoder(term.out).Encode(list)
	}
	if err := list.write(term.out, library); err != nil {
		return err
	}
	if len(list.Machines) == 0 {
		_, err = fmt.Fprintln(term.err, "no logs are kept; console calibrate --name N FILE… keeps some")
	}
	return err
}

// write prints each group that there is as a table: what a prediction was off
// by in the median, before and after.
func (l machineList) write(w io.Writer, library *measured.Library) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(l.Machines) > 0 {
		fmt.Fprintln(table, "MACHINE\tKEPT\tBY\tTABLES\tROWS\tOFF BY BEFORE\tAFTER")
	}
	for _, k := range l.Machines {
		var said []string
		rows := 0
		for _, t := range k.Tables {
			said = append(said, fmt.Sprintf("%s among %d × %s", t.Collective, t.Ranks, t.GPU))
			rows += len(t.Rows)
		}
		var before, after []float64
		compared, _ := library.Compare(k) // where nothing can be fitted there is nothing to compare
		for _, r := range compared {
			before, after = append(before, r.Before/r.Measured), append(after, r.After/r.Measured)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", k.Name, k.Made.Local().Format("2006-01-02 15:04"), k.By, joined(slices.Compact(said)), rows, typicallyOff(before), typicallyOff(after))
	}
	if l.Here != nil {
		l.Here.write(table)
	}
	if len(l.Links) > 0 {
		fmt.Fprintf(table, "\nLINK BETWEEN NODES\tPROBED\tLATENCY\tRATE\t%s ASSUMED\tPROBED\n", sizing.ProbedSize)
	}
	for _, p := range l.Links {
		fmt.Fprintf(table, "%s to %s\t%s\t%s\t%s\t%s\t%s\n", p.From, p.To, p.Time.Local().Format("2006-01-02 15:04"), p.Latency, p.Rate, p.Before, p.After)
	}
	return table.Flush()
}

// write prints the calibration of this machine by link and ranks.
func (h hereDocument) write(w io.Writer) {
	fmt.Fprintln(w, "\nTHIS MACHINE\tCALIBRATED\tRANKS\tRUNS\tOFF BY ASSUMED\tAFTER")
	for i := 0; i < len(h.Compared); {
		first := h.Compared[i]
		var before, after []float64
		for ; i < len(h.Compared) && h.Compared[i].Link == first.Link && h.Compared[i].Ranks == first.Ranks; i++ {
			r := h.Compared[i]
			before, after = append(before, float64(r.Before/r.Measured)), append(after, float64(r.After/r.Measured))
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\n", first.Link, h.Made.Local().Format("2006-01-02 15:04"), first.Ranks, len(before), typicallyOff(before), typicallyOff(after))
	}
}

// typicallyOff is by how much the middle one of ratios misses 1.
func typicallyOff(ratios []float64) string {
	if len(ratios) == 0 {
		return "-"
	}
	var off []float64
	for _, r := range ratios {
		off = append(off, math.Abs(r-1))
	}
	slices.Sort(off)
	return fmt.Sprintf("%.0f %%", 100*off[len(off)/2])
}
