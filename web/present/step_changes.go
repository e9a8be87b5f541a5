package present

import (
	"net/url"
	"strconv"

	"lockstep/sizing/plan"
	"lockstep/views"
	"lockstep/views/locale"
)

// stepChange is a step with something changed, and its numbers.
type stepChange struct {
	views.StepChange
	seconds, by, share, held float64 // by is a part of the time of the page's step
}

// shownChanges are such steps as a page shows them.
func shownChanges(all []stepChange) []views.StepChange {
	var shown []views.StepChange
	for _, c := range all {
		shown = append(shown, c.StepChange)
	}
	return shown
}

// stepRow is an estimate against the one of the page.
func stepRow(l locale.Locale, name string, now, e plan.Estimate) stepChange {
	c := stepChange{seconds: e.Step.Value, by: e.Step.Value/now.Step.Value - 1, share: e.Breakdown.Exposed / e.Step.Value, held: e.Memory.Total}
	c.StepChange = views.StepChange{
		Name: name, Time: stepSeconds(c.seconds), Change: sizeOff(c.by), Share: percentText(c.share),
		Memory: stepBytes(c.held), Fits: stepFits(l, e.Memory.Fits, e.Memory.Total, e.Memory.Capacity), Misfits: !e.Memory.Fits,
	}
	return c
}

// stepFits says in a word whether what an accelerator must hold, in bytes, fits
// what it has: what fits by the formula alone only may.
func stepFits(l locale.Locale, fits bool, total, capacity float64) string {
	switch {
	case fits:
		return l.T("step.fits.yes")
	case total <= capacity:
		return l.T("step.fits.maybe")
	}
	return l.T("step.fits.no")
}

// stepChanged prices the step with other fields; ok is false for one that
// cannot be.
func (f Frame) stepChanged(s stepped, name string, values url.Values) (row stepChange, ok bool) {
	form := ReadStepForm(values, s.known)
	a, err := form.Ask(s.known)
	if err != nil || !form.Sound() {
		return row, false
	}
	e, err := a.Estimate(s.model)
	if err != nil {
		return row, false
	}
	row = stepRow(f.Locale, name, s.e, e)
	row.URL = f.stepURL(values)
	return row, true
}

// stepLadder are the fabrics that a step is compared on, slowest first.
var stepLadder = []string{"roce-100g", "roce-200g", "ib-ndr", "ib-xdr"}

// stepFabrics compares the step on other networks; nil on one node.
func (f Frame) stepFabrics(s stepped) []stepChange {
	if s.e.Nodes < 2 {
		return nil
	}
	l := f.Locale
	now := stepRow(l, stepFabricName(l, s), s.e, s.e)
	now.Current, now.Change = true, ""
	rows := []stepChange{now}
	for _, id := range stepLadder {
		c, err := s.known.Fabric(id)
		if err != nil || s.form.used["fabric"] == id || s.ask.Fabric == nil && c.Rate == s.ask.System.NICRate {
			continue
		}
		name := l.T("step.fabric.nics", locale.Values{"Name": c.Generation, "NICs": max(1, s.ask.System.NICs), "Rate": significant(c.Rate, 4)})
		if row, ok := f.stepChanged(s, name, s.form.with("fabric", id)); ok && len(rows) < 4 {
			rows = append(rows, row)
		}
	}
	return rows
}

func stepFabricName(l locale.Locale, s stepped) string {
	nics := max(1, s.ask.System.NICs)
	if c := s.ask.Fabric; c != nil {
		return l.T("step.fabric.nics", locale.Values{"Name": c.Generation, "NICs": nics, "Rate": significant(c.Rate, 4)})
	}
	if s.ask.System.NICRate == 0 {
		return l.T("step.fabric.own")
	}
	return l.T("step.fabric.nics", locale.Values{"Name": s.ask.System.NIC, "NICs": nics, "Rate": significant(s.ask.System.NICRate, 4)})
}

// stepTries prices a few changes, each a page of its own. The batch stays that
// of the page, so that steps compare.
func (f Frame) stepTries(s stepped) []stepChange {
	l, e := f.Locale, s.e
	batch := strconv.Itoa(e.Batch)
	type try struct {
		name    string
		applies bool
		values  url.Values
	}
	with := func(changes ...string) url.Values {
		return s.form.with(append([]string{"global_batch", batch}, changes...)...)
	}
	double := strconv.Itoa(2 * e.Nodes)
	var rows []stepChange
	for _, t := range []try{
		{l.T("step.try.nodes", locale.Values{"Nodes": double}), true, with("nodes", double)},
		{l.T("step.try.batch", locale.Values{"Batch": sizeGrouped(int64(2 * e.Batch))}), true, s.form.with("global_batch", strconv.Itoa(2*e.Batch))},
		{l.T("step.try.fp8"), s.ask.Chip.FP8 > 0 && e.Precision == "bf16", with("precision", "fp8")},
		{l.T("step.try.zero"), e.Strategy.Zero != 3, with("zero", "3")},
		{l.T("step.try.keep"), e.Strategy.Recompute != "none", with("recompute", "none")},
		{l.T("step.try.again"), e.Strategy.Recompute == "none", with("recompute", "full")},
		{l.T("step.try.auto"), !s.auto(), stepAuto(s.form)},
	} {
		if row, ok := f.stepChanged(s, t.name, t.values); t.applies && ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// auto reports whether the whole strategy was found.
func (s stepped) auto() bool {
	for _, name := range stepDegrees {
		if s.form.used[name] != "" {
			return false
		}
	}
	return true
}

// stepAuto leaves the whole strategy to be found.
func stepAuto(form StepForm) url.Values {
	values := form.with()
	for _, name := range stepDegrees {
		values.Del(name)
	}
	return values
}

// stepLayouts lists the next best layouts.
func (f Frame) stepLayouts(s stepped) []views.StepChange {
	var rows []views.StepChange
	for _, a := range s.e.Alternatives {
		t := a.Strategy
		values := s.form.with("global_batch", strconv.Itoa(s.e.Batch), "tp", strconv.Itoa(t.TP), "pp", strconv.Itoa(t.PP), "cp", strconv.Itoa(t.CP), "ep", strconv.Itoa(t.EP), "dp", strconv.Itoa(t.DP),
			"vpp", strconv.Itoa(t.Virtual), "micro", strconv.Itoa(t.Micro), "zero", strconv.Itoa(t.Zero), "recompute", t.Recompute)
		rows = append(rows, views.StepChange{
			Name: stepLayout(f.Locale, t), URL: f.stepURL(values), Time: stepSeconds(a.Step), Change: sizeOff(a.Step/s.e.Step.Value - 1),
			Memory: stepBytes(a.Memory), Fits: stepFits(f.Locale, a.Fits, a.Memory, s.e.Memory.Capacity), Misfits: !a.Fits,
		})
	}
	return rows
}
