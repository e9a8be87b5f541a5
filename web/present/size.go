package present

import (
	"net/url"
	"strconv"

	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/locale"
)

// Size presents the page that prices a training step: the form as it was
// filled in, and what comes of it.
func Size(f Frame, form SizeForm, e sizing.Estimate) views.Size {
	f.Section = "size"
	l := f.Locale
	page := f.page(l.T("size.title"))
	action := f.homeURL() + "size"
	s := views.Size{
		Page: page, Action: action, ReportsURL: f.homeURL() + "reports",
		SaveURL: f.homeURL() + "reports/new?" + form.Values().Encode(),
		Result:  f.sizeResult(l, e),
	}
	field := func(name string) views.SizeField { return form.field(l, action, name) }
	model, fabric, width, compute := field("model"), field("fabric"), field("bytes"), field("compute")
	model.Options = append(model.Options, views.SizeOption{Value: ownModel, Name: l.T("size.model.custom"), Chosen: form.Step.Model == ""})
	for _, m := range sizing.Models() {
		model.Options = append(model.Options, views.SizeOption{Value: m.Key, Name: m.Name, Chosen: m.Key == form.Step.Model})
	}
	for _, w := range sizeWidths {
		width.Options = append(width.Options, views.SizeOption{
			Value: strconv.Itoa(w), Name: l.T(sizeWidthMessages[w]), Chosen: w == form.Step.Width,
		})
	}
	for _, c := range sizing.Fabrics() {
		fabric.Options = append(fabric.Options, views.SizeOption{
			Value: c.Key, Name: l.T("size.fabric.option", locale.Values{
				"Fabric": sizeFabricName(l, c), "Rate": c.Bandwidth.String(), "Bits": bits(c.Bandwidth),
			}), Chosen: c.Key == form.Step.Fabric.Key,
		})
	}
	model.Wide, fabric.Wide, compute.Wide = true, true, true
	s.Groups = []views.SizeGroup{
		{Legend: l.T("size.group.model"), Sub: l.T("size.group.model.sub", locale.Values{"Size": sizeBytes(e.Size)}),
			Fields: []views.SizeField{model, field("params"), width}},
		{Legend: l.T("size.group.cluster"), Sub: l.T("size.group.cluster.sub", locale.Values{"Count": e.Workers}),
			Fields: []views.SizeField{field("nodes"), field("per_node")}},
		{Legend: l.T("size.group.fabric"), Sub: l.T("size.group.fabric.sub"), Fields: []views.SizeField{fabric}},
		{Legend: l.T("size.group.compute"), Sub: l.T("size.group.compute.sub"), Fields: []views.SizeField{compute}},
	}
	if !form.Sound() {
		s.Old = l.T("size.old")
	}
	return s
}

// sizeWidthMessages name the types of gradients.
var sizeWidthMessages = map[int]string{4: "size.width.4", 2: "size.width.2", 1: "size.width.1"}

// sizeFieldMessages are a field's label and what is fixed beside it.
var sizeFieldMessages = map[string]struct{ label, unit, hint string }{
	"model":    {"size.field.model", "", ""},
	"params":   {"size.field.params", "", "size.field.params.hint"},
	"bytes":    {"size.field.bytes", "", ""},
	"nodes":    {"size.field.nodes", "size.field.nodes.unit", ""},
	"per_node": {"size.field.per-node", "size.field.per-node.unit", ""},
	"fabric":   {"size.field.fabric", "", ""},
	"compute":  {"size.field.compute", "size.field.compute.unit", "size.field.compute.hint"},
}

// field presents a field with what is to be said about its value.
func (form SizeForm) field(l locale.Locale, action, name string) views.SizeField {
	messages := sizeFieldMessages[name]
	f := views.SizeField{Name: name, Label: l.T(messages.label), Value: form.given[name], Hint: form.hint(l, name, messages.hint)}
	if messages.unit != "" {
		f.Unit = l.T(messages.unit)
	}
	if note, noted := form.notes[name]; noted {
		f.Note = l.T(note.message, locale.Values{"Given": note.given, "Used": note.used})
	}
	if wrong, is := form.wrong[name]; is {
		f.Wrong = l.T(wrong.message, locale.Values{"Given": wrong.given})
		f.FixText = l.T("size.fix", locale.Values{"Value": wrong.fix})
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
		model, _ := sizing.FindModel(form.Step.Model)
		return l.T("size.field.params.preset", locale.Values{"Model": model.Name})
	case name == "params":
		return l.T(message, locale.Values{"Parameters": sizeGrouped(form.Step.Parameters)})
	case name == "model" && form.Step.Model != "":
		model, _ := sizing.FindModel(form.Step.Model)
		return l.T("size.field.model.source", locale.Values{"Source": model.Source})
	case name == "fabric":
		c := form.Step.Fabric
		return l.T("size.field.fabric.hint", locale.Values{
			"Rate": c.Bandwidth.String(), "Bits": bits(c.Bandwidth), "Latency": sizeLatency(c.Latency),
			"RateBasis": l.T(basisMessages[c.BandwidthBasis]), "LatencyBasis": l.T(basisMessages[c.LatencyBasis]),
		})
	case message != "":
		return l.T(message)
	}
	return ""
}

// sizeURL is the sizing page with the fields of values.
func (f Frame) sizeURL(values url.Values) string { return f.homeURL() + "size?" + values.Encode() }
