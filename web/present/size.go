package present

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/sizing"
	"lockstep/sizing/catalog"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Sized is a form with what comes of it.
type Sized struct {
	Form     SizeForm
	Estimate sizing.Estimate
	Study    *site.Study // nil in reports of earlier programs
}

// ReadSized reads the fields of an address or of a form and prices what they
// say. An error is the program's own: the form leaves nothing that cannot be
// priced.
func ReadSized(values url.Values, d site.Desk) (Sized, error) {
	return ReadSizeForm(values, d.Known).Price(d)
}

// Price prices what the form says.
func (form SizeForm) Price(d site.Desk) (Sized, error) {
	s := Sized{Form: form}
	s.Form.readMachine(d.Machines)
	var err error
	if s.Estimate, err = s.Form.Step.Estimate(); err != nil {
		return s, fmt.Errorf("price a step: %w", err)
	}
	if s.Study, err = s.Form.Study(d); err != nil {
		return s, fmt.Errorf("price a collective: %w", err)
	}
	return s, nil
}

// Size presents the page that prices a training step: the form as it was
// filled in, and what comes of it.
func Size(f Frame, sized Sized, known *catalog.Catalog) views.Size {
	f.Section = "size"
	l, form := f.Locale, sized.Form
	action := f.homeURL() + "size"
	s := views.Size{
		Page: f.page(l.T("size.title")), Tabs: f.sizeTabs(false), Action: action, ReportsURL: f.homeURL() + "reports",
		SaveURL: f.homeURL() + "reports/new?" + form.Values().Encode(),
		Result:  f.sizeResult(l, sized),
		Groups:  sizeGroups(l, sized, known, action),
	}
	if !form.Sound() {
		s.Old = l.T("size.old")
	}
	if !f.Barred(account.Presenter) {
		f.sizeMore(s.Groups)
	}
	return s
}

// sizeMore leads from what can be chosen to where own entries are added.
func (f Frame) sizeMore(groups []views.SizeGroup) {
	for _, g := range groups {
		for i := range g.Fields {
			switch g.Fields[i].Name {
			case "model":
				g.Fields[i].More = views.CatalogLink{Name: f.Locale.T("size.field.model.add"), URL: f.catalogURL(catalog.Models) + "/new"}
			case "system":
				g.Fields[i].More = views.CatalogLink{Name: f.Locale.T("size.field.system.add"), URL: f.catalogURL(catalog.Systems) + "/new"}
			}
		}
	}
}

// sizeGroups are the parts of the form.
func sizeGroups(l locale.Locale, sized Sized, known *catalog.Catalog, action string) []views.SizeGroup {
	form, e := sized.Form, sized.Estimate
	field := func(name string) views.SizeField { return form.field(l, action, name) }
	wide := func(name string, options []views.SizeOption) views.SizeField {
		f := field(name)
		f.Wide, f.Options = true, options
		return f
	}
	width, reduction := field("bytes"), field("in_switch")
	for _, w := range sizeWidths {
		width.Options = append(width.Options, views.SizeOption{Value: strconv.Itoa(w), Name: l.T(sizeWidthMessages[w]), Chosen: w == form.Step.Width})
	}
	for _, r := range []site.Reduction{site.AsBuilt, site.On, site.Off} {
		reduction.Options = append(reduction.Options, views.SizeOption{Value: string(r), Name: l.T(reductionMessages[r]), Chosen: r == form.Ask.InSwitch})
	}
	cluster := []views.SizeField{wide("system", sizeSystems(l, form, known)), field("nodes"), field("per_node")}
	if machines, some := form.machines(l); some {
		machine := wide("machine", machines)
		if len(form.kept) > 0 { // whoever may choose may look
			machine.More = views.CatalogLink{Name: l.T("machines.all"), URL: strings.TrimSuffix(action, "size") + machinesPath}
		}
		cluster = slices.Insert(cluster, 1, machine)
	}
	return []views.SizeGroup{
		{Legend: l.T("size.group.model"), Sub: l.T("size.group.model.sub", locale.Values{"Size": sizeBytes(e.Size)}),
			Fields: []views.SizeField{wide("model", sizeModels(l, form, known)), field("params"), width}},
		{Legend: l.T("size.group.cluster"), Sub: l.T("size.group.cluster.sub", locale.Values{"Count": e.Workers}),
			Fields: cluster},
		{Legend: l.T("size.group.fabric"), Sub: l.T("size.group.fabric.sub"),
			Fields: []views.SizeField{wide("fabric", sizeLinks(l, form, known)), field("nics"), field("rate"), field("rails"), field("oversubscription"), field("alpha"), reduction}},
		{Legend: l.T("size.group.compute"), Sub: l.T("size.group.compute.sub"), Fields: []views.SizeField{wide("compute", nil)}},
		{Legend: l.T("size.group.one"), Sub: l.T("size.group.one.sub"), Fields: []views.SizeField{wide("collective", sizeCollectives(l, form)), wide("size", nil)}},
	}
}

// reductionMessages name the choices about switches that add up.
var reductionMessages = map[site.Reduction]string{site.AsBuilt: "size.in-switch.auto", site.On: "size.in-switch.on", site.Off: "size.in-switch.off"}

// sizeWidthMessages name the types of gradients.
var sizeWidthMessages = map[int]string{4: "size.width.4", 2: "size.width.2", 1: "size.width.1"}

// sizeFieldMessages are a field's label and what is fixed beside it.
var sizeFieldMessages = map[string]struct{ label, unit, hint string }{
	"model":            {"size.field.model", "", ""},
	"params":           {"size.field.params", "", "size.field.params.hint"},
	"bytes":            {"size.field.bytes", "", ""},
	"nodes":            {"size.field.nodes", "size.field.nodes.unit", ""},
	"per_node":         {"size.field.per-node", "size.field.per-node.unit", ""},
	"fabric":           {"size.field.fabric", "", ""},
	"compute":          {"size.field.compute", "size.field.compute.unit", "size.field.compute.hint"},
	"system":           {"size.field.system", "", ""},
	"machine":          {"size.field.machine", "", "size.field.machine.hint"},
	"nics":             {"size.field.nics", "size.field.nics.unit", ""},
	"rate":             {"size.field.rate", "size.field.rate.unit", ""},
	"alpha":            {"size.field.alpha", "size.field.alpha.unit", ""},
	"rails":            {"size.field.rails", "size.field.rails.unit", ""},
	"oversubscription": {"size.field.oversubscription", "size.field.oversubscription.unit", ""},
	"in_switch":        {"size.field.in-switch", "", ""},
	"collective":       {"size.field.collective", "", ""},
	"size":             {"size.field.size", "", "size.field.size.hint"},
}

// field presents a field with what is to be said about its value.
func (form SizeForm) field(l locale.Locale, action, name string) views.SizeField {
	messages := sizeFieldMessages[name]
	f := views.SizeField{Name: name, Label: l.T(messages.label), Value: form.given[name], Hint: form.hint(l, name, messages.hint)}
	if messages.unit != "" {
		f.Unit = l.T(messages.unit)
	}
	f.Stands, f.From, f.Typed = form.origin(l, name)
	if note, noted := form.notes[name]; noted {
		f.Note = l.T(note.message, locale.Values{"Given": note.given, "Used": note.used})
	}
	if wrong, is := form.wrong[name]; is {
		f.Wrong = l.T(wrong.message, locale.Values{"Given": wrong.given, "First": wrong.readings[0], "Second": wrong.readings[1]})
		if f.FixText = l.T("size.fix", locale.Values{"Value": wrong.fix}); wrong.fix == "" {
			f.FixText = l.T("size.fix.blank")
		}
		values := form.Values()
		values.Set(name, wrong.fix)
		f.FixURL = action + "?" + values.Encode()
	}
	return f
}

// hint is what stands under a field in any case.
func (form SizeForm) hint(l locale.Locale, name, message string) string {
	switch {
	case name == "params" && form.Step.Model != "":
		return l.T("size.field.params.preset", locale.Values{"Model": form.Step.ModelName})
	case name == "params":
		return l.T(message, locale.Values{"Parameters": sizeGrouped(form.Step.Parameters)})
	case name == "model" && form.Step.Model != "":
		return l.T("size.field.model.source", locale.Values{"Source": form.Step.ModelSource})
	case name == "system" && form.Site.System != "":
		return l.T("size.field.system.source", locale.Values{"Source": form.Site.Source})
	case name == "fabric":
		c := form.Step.Fabric
		return l.T("size.field.fabric.hint", locale.Values{
			"Rate": c.Bandwidth.String(), "Bits": bits(c.Bandwidth), "Latency": sizeLatency(c.Latency),
			"RateBasis": l.T(basisMessages[c.BandwidthBasis]), "LatencyBasis": l.T(basisMessages[c.LatencyBasis]),
		})
	case name == "compute":
		return l.T(message, locale.Values{"Default": sizeDefaults(name)})
	case name == "size":
		return l.T(message, locale.Values{"Size": sizeBytes(form.Step.Gradients())})
	case message != "":
		return l.T(message)
	}
	return ""
}

// sizeURL is the sizing page with the fields of values.
func (f Frame) sizeURL(values url.Values) string { return f.homeURL() + "size?" + values.Encode() }
