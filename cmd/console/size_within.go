package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"lockstep/engine/unit"
	"lockstep/sizing/plan"
)

// cheapestAnswer is the step on every fabric as one document.
type cheapestAnswer struct {
	Version int             `json:"version"`
	Within  float64         `json:"within_percent"`
	Chosen  string          `json:"chosen"` // a fabric's ID
	Fabrics []cheapestEntry `json:"fabrics"`
}

type cheapestEntry struct {
	Fabric   string       `json:"fabric"`
	Rate     float64      `json:"gbytes_per_s_each"` // of one NIC
	Step     plan.Bounded `json:"step_time_s"`
	Behind   float64      `json:"behind"` // the shortest step, as a share of it
	Fits     bool         `json:"fits"`
	Strategy plan.Layout  `json:"strategy"`
}

func cheapest(within float64, all []plan.OnFabric, chosen int) cheapestAnswer {
	a := cheapestAnswer{Version: 1, Within: within, Fabrics: []cheapestEntry{}}
	for i, on := range all {
		a.Fabrics = append(a.Fabrics, cheapestEntry{on.Fabric.ID, on.Rate(), on.Estimate.Step, on.Behind, on.Estimate.Memory.Fits, on.Estimate.Strategy})
		if i == chosen {
			a.Chosen = on.Fabric.ID
		}
	}
	return a
}

// writeCheapest prints the choice first.
func writeCheapest(w io.Writer, a cheapestAnswer) error {
	if _, err := fmt.Fprintf(w, "%s: the slowest fabric whose step is at most %g %% longer than the shortest\n", a.Chosen, a.Within); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nFABRIC\tGB/S A NIC\tSTEP\tBETWEEN\tAND\tLONGER\tFITS\tLAYOUT")
	for _, f := range a.Fabrics {
		fmt.Fprintf(table, "%s\t%.4g\t%s\t%s\t%s\t%.1f %%\t%v\t%s\n", f.Fabric, f.Rate, unit.Seconds(f.Step.Value), unit.Seconds(f.Step.Low), unit.Seconds(f.Step.High), 100*f.Behind, f.Fits, strategyText(f.Strategy))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "modelled, with the system's number of NICs; of a fabric only its line rate counts: not its price, latency or congestion")
	return err
}
