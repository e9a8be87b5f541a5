package present

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/calibrate"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Machines is what predictions for certain machines rest on, as it stands.
type Machines struct {
	Desk  site.Desk              // with the machines of which logs are kept
	Found *calibrate.Calibration // of the console's own machine; nil where it is not calibrated
	Here  []sizing.Here          // what that has changed
	Links []sizing.Probed        // between nodes
	Wrong error                  // what could not be done; nil for nothing
}

const machinesPath = "machines"

func (f Frame) machinesURL(parts ...string) string {
	address := f.homeURL() + machinesPath
	for _, part := range parts {
		address += "/" + url.PathEscape(part)
	}
	return address
}

// keptAt is when something was kept: the same everywhere and for ever.
func keptAt(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// MachinesPage presents what predictions for certain machines rest on: logs,
// this machine's own fit, and probes between nodes.
func MachinesPage(f Frame, m Machines) (views.Machines, error) {
	f.Section = diagnosePath
	l := f.Locale
	v := views.Machines{Page: f.page(l.T("machines.title")), DiagnoseURL: f.homeURL() + diagnosePath, Keeps: f.May(account.Presenter)}
	if len(m.Desk.Machines) == 0 {
		v.Empty = l.T("machines.empty")
	}
	for i, k := range m.Desk.Machines {
		one, err := machineOf(f, m.Desk, i, k)
		if err != nil {
			return v, err
		}
		v.Kept = append(v.Kept, one)
	}
	v.Here, v.Links = machineHere(f, m), machineLinks(l, m.Links)
	switch {
	case m.Wrong == nil:
	case errors.Is(m.Wrong, measured.ErrNoMachine):
		v.Wrong = l.T("machines.none")
	default:
		v.Wrong = l.T("machines.wrong", locale.Values{"Reason": m.Wrong.Error()})
	}
	return v, nil
}

// machineOf presents a machine of which logs are kept.
func machineOf(f Frame, d site.Desk, i int, k measured.Kept) (views.Machine, error) {
	l := f.Locale
	v := views.Machine{ID: "machine-" + strconv.Itoa(i), Name: k.Name, Made: l.T("machines.made", locale.Values{"When": keptAt(k.Made)})}
	if k.By != "" {
		v.Made = l.T("machines.made.by", locale.Values{"When": keptAt(k.Made), "By": k.By})
	}
	compared, err := d.Library.Compare(k)
	if err != nil {
		v.Broken = l.T("machines.broken", locale.Values{"Reason": err.Error()})
	}
	v.Changed.Rows = diagnoseCompared(l, compared)
	var before, after []float64
	for _, t := range k.Tables {
		rows := compared[:min(len(compared), len(t.Rows))] // Compare goes through the tables in their order
		compared = compared[len(rows):]
		was, is := offs(rows)
		before, after = append(before, was...), append(after, is...)
		v.Tables = append(v.Tables, machineTable(l, t, was, is))
	}
	v.Changed.Name = l.T("machines.rows.of", locale.Values{"Name": k.Name})
	if len(before) > 0 {
		v.Says = l.T("machines.says", locale.Values{"Rows": len(before), "Before": medianOff(before), "After": medianOff(after)})
	}
	if a, found := d.AskOf(k); found {
		v.SizeURL = f.sizeURL(url.Values{"system": {a.System}, "nodes": {strconv.Itoa(a.Nodes)}, "machine": {k.Name}})
		v.Command = f.command("predict", "--collective all-reduce", "--size 1GiB", "--system "+a.System, "--nodes "+strconv.Itoa(a.Nodes), fmt.Sprintf("--machine %q", k.Name))
	} else {
		v.Unlisted = l.T("machines.unlisted")
	}
	if f.May(account.Presenter) {
		v.RemoveURL = f.machinesURL(k.Name, "remove")
	}
	return v, nil
}

// machineTable is what a kept table covers and changes.
func machineTable(l locale.Locale, t measured.KeptTable, before, after []float64) views.MachineTable {
	least, most := unit.Bytes(0), unit.Bytes(0)
	for i, r := range t.Rows {
		if i == 0 {
			least, most = r.Size, r.Size
		}
		least, most = min(least, r.Size), max(most, r.Size)
	}
	v := views.MachineTable{
		File: t.File, Collective: capital(collectiveName(l, t.Collective)), Rows: strconv.Itoa(len(t.Rows)),
		Sizes:  l.T("machines.span", locale.Values{"From": least.String(), "To": most.String()}),
		System: l.T("machines.system", locale.Values{"GPU": t.GPU, "Ranks": t.Ranks, "Nodes": t.Nodes}),
		Before: medianOff(before), After: medianOff(after),
	}
	if t.Nodes > 1 && t.InterLink != "" {
		v.System = l.T("machines.system.across", locale.Values{"System": v.System, "Network": t.InterLink})
	}
	return v
}

// offs are how far predictions are from rows, before and after, as shares.
func offs(rows []measured.Compared) (before, after []float64) {
	for _, r := range rows {
		if r.Measured > 0 {
			before, after = append(before, missedBy(r.Before/r.Measured)), append(after, missedBy(r.After/r.Measured))
		}
	}
	return before, after
}

// missedBy is how far a prediction is from a measurement, as a share.
func missedBy(ratio float64) float64 { return math.Abs(ratio - 1) }

// medianOff is the middle of shares, as a text; a dash for none.
func medianOff(shares []float64) string {
	if len(shares) == 0 {
		return "–"
	}
	sorted := slices.Sorted(slices.Values(shares))
	return fmt.Sprintf("%.0f%%", 100*sorted[len(sorted)/2])
}

// MachineQuestion asks before a machine's logs are forgotten; false where there
// is no such machine.
func MachineQuestion(f Frame, kept []measured.Kept, name string) (views.MachineQuestion, bool) {
	f.Section = diagnosePath
	l := f.Locale
	i := slices.IndexFunc(kept, func(k measured.Kept) bool { return k.Name == name })
	if i < 0 {
		return views.MachineQuestion{}, false
	}
	title := l.T("machines.remove.title", locale.Values{"Name": name})
	rows := 0
	for _, t := range kept[i].Tables {
		rows += len(t.Rows)
	}
	return views.MachineQuestion{
		Page: f.page(title), Title: title,
		Lines:   []string{l.T("machines.remove.text", locale.Values{"Tables": len(kept[i].Tables), "Rows": rows}), l.T("machines.remove.reports")},
		Act:     views.RunAction{URL: f.machinesURL(name, "remove"), Label: l.T("machines.remove.do")},
		BackURL: f.machinesURL(),
	}, true
}
