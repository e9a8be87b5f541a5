package present

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/sizing/plan"
	"lockstep/sizing/train"
	"lockstep/sizing/trained"
	"lockstep/views"
	"lockstep/views/locale"
)

const stepPath = "size/step"

// sizeTabs lead between the pages that size.
func (f Frame) sizeTabs(step bool) []views.StepTab {
	return []views.StepTab{
		{Name: f.Locale.T("step.tab.step"), URL: f.homeURL() + stepPath, Current: step},
		{Name: f.Locale.T("step.tab.exchange"), URL: f.homeURL() + "size", Current: !step},
	}
}

func (f Frame) stepURL(values url.Values) string {
	return f.homeURL() + stepPath + "?" + values.Encode()
}

// Step presents the page that prices a training step of a model on a cluster.
// Errors are the program's own.
func Step(f Frame, form StepForm, m *trained.Model, known *catalog.Catalog) (views.Step, error) {
	f.Section = "size"
	l := f.Locale
	a, e, err := form.Estimate(m, known)
	if err != nil {
		return views.Step{}, fmt.Errorf("price a training step: %w", err)
	}
	save := form.Values()
	save.Set("kind", "step")
	s := views.Step{
		Page: f.page(l.T("step.title")), Tabs: f.sizeTabs(true), Action: f.homeURL() + stepPath,
		SaveURL: f.homeURL() + "reports/new?" + save.Encode(), Groups: f.stepGroups(form, e, known),
		Result: f.stepResult(stepped{form, a, e, m, known}),
	}
	if !form.Sound() {
		s.Old = l.T("size.old")
	}
	return s, nil
}

// stepFieldMessages are a field's label and what is fixed beside it.
var stepFieldMessages = map[string]struct{ label, unit, hint string }{
	"model":        {"step.field.model", "", ""},
	"seq_len":      {"step.field.seq-len", "step.field.seq-len.unit", ""},
	"global_batch": {"step.field.batch", "step.field.batch.unit", ""},
	"precision":    {"step.field.precision", "", ""},
	"system":       {"step.field.system", "", ""},
	"nodes":        {"step.field.nodes", "step.field.nodes.unit", ""},
	"fabric":       {"step.field.fabric", "", ""},
	"tp":           {"step.field.tp", "", ""},
	"pp":           {"step.field.pp", "", ""},
	"cp":           {"step.field.cp", "", ""},
	"ep":           {"step.field.ep", "", ""},
	"dp":           {"step.field.dp", "", ""},
	"vpp":          {"step.field.vpp", "", "step.field.vpp.hint"},
	"micro":        {"step.field.micro", "", "step.field.micro.hint"},
	"zero":         {"step.field.zero", "", ""},
	"recompute":    {"step.field.recompute", "", ""},
}

// stepGroups are the parts of the form.
func (f Frame) stepGroups(form StepForm, e plan.Estimate, known *catalog.Catalog) []views.SizeGroup {
	l := f.Locale
	found := map[string]int{"seq_len": e.Sequence, "global_batch": e.Batch, "tp": e.Strategy.TP, "pp": e.Strategy.PP, "cp": e.Strategy.CP, "ep": e.Strategy.EP, "dp": e.Strategy.DP, "vpp": e.Strategy.Virtual, "micro": e.Strategy.Micro}
	field := func(name string) views.SizeField {
		messages := stepFieldMessages[name]
		v := views.SizeField{Name: name, Label: l.T(messages.label), Value: form.given[name]}
		if messages.unit != "" {
			v.Unit = l.T(messages.unit)
		}
		if messages.hint != "" {
			v.Hint = l.T(messages.hint)
		}
		if n, is := found[name]; is && form.given[name] == "" {
			v.Stands = strconv.Itoa(n)
		}
		if wrong, is := form.wrong[name]; is {
			v.Wrong = l.T(wrong.message, wrong.values)
			v.FixText = l.T("size.fix", locale.Values{"Value": stepDefaults[name]})
			if stepDefaults[name] == "" {
				v.FixText = l.T("size.fix.blank")
			}
			fixed := form.Values()
			fixed.Set(name, stepDefaults[name])
			v.FixURL = f.stepURL(fixed)
		}
		return v
	}
	chosen := func(name string, wide bool, options []views.SizeOption) views.SizeField {
		v := field(name)
		v.Wide, v.Options = wide, options
		for i := range v.Options {
			v.Options[i].Chosen = v.Options[i].Value == form.used[name]
		}
		return v
	}
	strategy := make([]views.SizeField, 0, len(stepDegrees))
	for _, name := range []string{"tp", "pp", "cp", "ep", "dp", "vpp", "micro"} {
		strategy = append(strategy, field(name))
	}
	strategy = append(strategy, chosen("zero", false, stepZeros(l, e)), chosen("recompute", true, stepRecomputes(l, e)))
	var precisions []views.SizeOption
	for _, p := range plan.Precisions() {
		precisions = append(precisions, views.SizeOption{Value: p, Name: p})
	}
	return []views.SizeGroup{
		{Legend: l.T("step.group.model"), Sub: l.T("step.group.model.sub", locale.Values{"Tokens": stepCount(float64(e.Batch) * float64(e.Sequence))}),
			Fields: []views.SizeField{chosen("model", true, stepModels(l, known)), field("seq_len"), field("global_batch"), chosen("precision", true, precisions)}},
		{Legend: l.T("step.group.cluster"), Sub: l.T("size.group.cluster.sub", locale.Values{"Count": e.Accelerators}),
			Fields: []views.SizeField{chosen("system", true, stepSystems(l, known)), field("nodes"), chosen("fabric", true, stepLinks(l, known))}},
		{Legend: l.T("step.group.strategy"), Sub: l.T("step.group.strategy.sub"), Fields: strategy},
	}
}

func stepZeros(l locale.Locale, e plan.Estimate) []views.SizeOption {
	all := []views.SizeOption{{Name: l.T("step.found", locale.Values{"Value": e.Strategy.Zero})}}
	for _, v := range []string{"0", "1", "2", "3"} {
		all = append(all, views.SizeOption{Value: v, Name: v})
	}
	return all
}

// stepRecomputeNames name what is computed again.
var stepRecomputeNames = map[string]string{"none": "step.recompute.none", "selective": "step.recompute.selective", "full": "step.recompute.full"}

func stepRecomputes(l locale.Locale, e plan.Estimate) []views.SizeOption {
	all := []views.SizeOption{{Name: l.T("step.found", locale.Values{"Value": stepWord(l, stepRecomputeNames, e.Strategy.Recompute)})}}
	for _, v := range []string{"none", "selective", "full"} {
		all = append(all, views.SizeOption{Value: v, Name: stepWord(l, stepRecomputeNames, v)})
	}
	return all
}

// stepModels are the models whose shape tells what a step does.
func stepModels(l locale.Locale, known *catalog.Catalog) []views.SizeOption {
	var all []views.SizeOption
	for _, m := range known.Models {
		if _, ok := train.ShapeOf(m); ok {
			all = append(all, views.SizeOption{Value: m.ID, Name: m.Name, Group: sizeGroupName(l, m.Own, m.Family)})
		}
	}
	return byGroup(all)
}

// stepSystems are the systems whose accelerator's peak and memory are known.
func stepSystems(l locale.Locale, known *catalog.Catalog) []views.SizeOption {
	var all []views.SizeOption
	for _, s := range known.Systems {
		if a, err := known.Accelerator(s.Accelerator); err == nil && max(a.BF16, a.FP16) > 0 && a.MemoryBandwidth > 0 {
			all = append(all, views.SizeOption{Value: s.ID, Name: s.Name, Group: sizeGroupName(l, s.Own, a.Name)})
		}
	}
	return byGroup(all)
}

// stepLinks are the networks between nodes.
func stepLinks(l locale.Locale, known *catalog.Catalog) []views.SizeOption {
	all := []views.SizeOption{{Name: l.T("step.fabric.own")}}
	var listed []views.SizeOption
	for _, c := range known.Fabrics {
		if c.Rate > 0 || c.ByteRate > 0 {
			listed = append(listed, views.SizeOption{Value: c.ID, Name: c.Generation, Group: sizeGroupName(l, c.Own, strings.ToUpper(c.Family))})
		}
	}
	return append(all, byGroup(listed)...)
}
