package present

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"lockstep/engine/unit"
	"lockstep/sizing/diagnose"
	"lockstep/sizing/measured"
	"lockstep/views"
	"lockstep/views/locale"
)

// Keeper reads what of a log predictions can rest on. *diagnose.Doctor is one.
type Keeper interface {
	// Tables leaves out what lacks something; the error is
	// diagnose.ErrNothingToKeep where nothing remains.
	Tables(name string, text []byte, says diagnose.Statement) ([]measured.KeptTable, error)
}

// Tables reads everything that was brought, for keeping; it may be nothing. The
// error is a *diagnose.UnfitError where a log's figures cannot be relied on.
func (a *DiagnoseAsk) Tables(k Keeper) ([]measured.KeptTable, error) {
	read := DiagnoseAsk{known: a.known, system: a.system, accelerator: a.accelerator, network: a.network, collective: a.collective, ranks: a.ranks, nodes: a.nodes, flaws: map[string][]flaw{}}
	says := read.statement() // its flaws stand beside their fields already
	var all []measured.KeptTable
	for _, log := range append([]LogText{{"pasted", a.Pasted}}, a.Files...) {
		if strings.TrimSpace(log.Text) == "" || len(log.Text) > MaxLog {
			continue
		}
		tables, err := k.Tables(log.Name, []byte(log.Text), says)
		if none := new(diagnose.NoTableError); errors.Is(err, diagnose.ErrNothingToKeep) || errors.As(err, &none) {
			continue
		} else if err != nil {
			return nil, err
		}
		all = append(all, tables...)
	}
	return all, nil
}

// RefuseMachine says beside the name why nothing was kept.
func (a *DiagnoseAsk) RefuseMachine(message string) {
	a.refuse("machine", message, "Given", a.Machine, "Most", measured.MaxMachineName)
}

// RefuseUnfit says beside the name which log cannot be kept, and the title of
// the finding that forbids it.
func (a *DiagnoseAsk) RefuseUnfit(e *diagnose.UnfitError) {
	a.refuse("machine", "diagnose.keep.unfit", "Name", e.Name)
	a.unfit = &e.Shows
}

// keep presents the part of the page that keeps logs; nil for whoever may not.
func (p diagnosis) keep() *views.DiagnoseKeep {
	if !p.ask.Keeps || !p.ask.Sound() {
		return nil
	}
	v := &views.DiagnoseKeep{Name: p.ask.Machine, Wrong: p.wrong("machine")}
	if shows := p.ask.unfit; shows != nil {
		v.Wrong = append(v.Wrong, p.f.Locale.T(findingID(shows.Code, shows.Values["why"]), findingValues(shows.Values)))
	}
	if len(p.ask.Compared) == 0 {
		return v
	}
	v.Done = p.t("diagnose.keep.done", "Name", p.ask.Machine)
	v.Command = p.f.command("predict", "--collective all-reduce", "--size 1GiB", "--system ID", "--nodes N", fmt.Sprintf("--machine %q", p.ask.Machine))
	v.Rows = diagnoseCompared(p.f.Locale, p.ask.Compared)
	v.MachinesURL = p.f.machinesURL()
	return v
}

// diagnoseCompared presents rows of a kept log beside predictions.
func diagnoseCompared(l locale.Locale, rows []measured.Compared) []views.DiagnoseCompared {
	time := func(us float64) string { return duration(unit.Seconds(us / 1e6)) }
	var all []views.DiagnoseCompared
	for _, r := range rows {
		all = append(all, views.DiagnoseCompared{
			What: collectiveName(l, r.Collective), Size: r.Size.String(), Measured: time(r.Measured),
			Before: time(r.Before), BeforeOff: off(r.Before / r.Measured), After: time(r.After), AfterOff: off(r.After / r.Measured),
		})
	}
	return all
}

// off is how far a prediction is from a measurement.
func off(ratio float64) string {
	switch share := math.Round(100 * (ratio - 1)); {
	case share > 0:
		return fmt.Sprintf("+%.0f%%", share)
	case share < 0:
		return fmt.Sprintf("−%.0f%%", -share)
	}
	return "0%"
}
