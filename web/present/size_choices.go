package present

import (
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/sizing"
	"lockstep/sizing/catalog"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
)

// sizeModels are the models to choose from: a count of one's own, then the
// catalogue's by family.
func sizeModels(l locale.Locale, form SizeForm, known *catalog.Catalog) []views.SizeOption {
	all := []views.SizeOption{{Value: ownModel, Name: l.T("size.model.custom"), Chosen: form.Step.Model == ""}}
	for _, m := range known.Models {
		if sizeCount(m) == 0 {
			continue
		}
		all = append(all, views.SizeOption{Value: m.ID, Name: sizeEntryName(l, m.ID, m.Name, m.Own), Group: sizeGroupName(l, m.Own, m.Family), Chosen: m.ID == form.Step.Model})
	}
	return byGroup(all)
}

// sizeEntryName is an entry's own name; those of the article's example, which
// are words and no proper names, are in the language of the page.
func sizeEntryName(l locale.Locale, id, name string, own bool) string {
	switch {
	case own:
		return name
	case id == "article-300m":
		return l.T("size.model.article")
	case id == "single-npu-1gbytes":
		return l.T("size.system.article")
	}
	return name
}

// sizeSystems are the systems to choose from: none, then the catalogue's by
// accelerator.
func sizeSystems(l locale.Locale, form SizeForm, known *catalog.Catalog) []views.SizeOption {
	all := []views.SizeOption{{Value: "", Name: l.T("size.system.none"), Chosen: form.Ask.System == ""}}
	for _, s := range known.Systems {
		family := s.Accelerator
		if a, err := known.Accelerator(s.Accelerator); err == nil {
			family = a.Name
		}
		all = append(all, views.SizeOption{Value: s.ID, Name: sizeEntryName(l, s.ID, s.Name, s.Own), Group: sizeGroupName(l, s.Own, family), Chosen: s.ID == form.Ask.System})
	}
	return byGroup(all)
}

// sizeLinks are the networks to choose from: the system's own, the examples,
// then the catalogue's.
func sizeLinks(l locale.Locale, form SizeForm, known *catalog.Catalog) []views.SizeOption {
	all := []views.SizeOption{{Value: "", Name: l.T("size.fabric.own"), Chosen: form.given["fabric"] == ""}}
	examples := map[string]bool{}
	for _, f := range sizing.Fabrics() {
		examples[f.Key] = true
	}
	for _, c := range site.Links(known) {
		group := l.T("size.fabric.listed")
		if examples[c.Key] {
			group = l.T("size.fabric.examples")
		}
		all = append(all, views.SizeOption{
			Value: c.Key, Group: group, Chosen: c.Key == form.given["fabric"],
			Name: l.T("size.fabric.option", locale.Values{"Fabric": sizeFabricName(l, c.Fabric), "Rate": c.Bandwidth.String(), "Bits": bits(c.Bandwidth)}),
		})
	}
	return all
}

func sizeCollectives(l locale.Locale, form SizeForm) []views.SizeOption {
	var all []views.SizeOption
	for _, c := range schedule.Collectives() {
		all = append(all, views.SizeOption{Value: string(c), Name: capital(collectiveName(l, c)), Chosen: c == form.Collective})
	}
	return all
}

// sizeGroupName is the heading that an entry stands under.
func sizeGroupName(l locale.Locale, own bool, family string) string {
	if own {
		return l.T("size.own")
	}
	return family
}

// byGroup brings options of a group together, groups in the order of their
// first.
func byGroup(options []views.SizeOption) []views.SizeOption {
	var order []string
	groups := map[string][]views.SizeOption{}
	for _, o := range options {
		if groups[o.Group] == nil {
			order = append(order, o.Group)
		}
		groups[o.Group] = append(groups[o.Group], o)
	}
	all := make([]views.SizeOption, 0, len(options))
	for _, name := range order {
		all = append(all, groups[name]...)
	}
	return all
}

// origin is what stands for a field that is empty, where the figure that is
// used comes from, and whether it was typed.
func (form SizeForm) origin(l locale.Locale, name string) (stands, from string, typed bool) {
	s := form.Site
	number := func(v float64) string { return significant(v, 4) }
	told := func(f site.Figure, text string) (string, string, bool) {
		if form.given[name] == "" {
			stands = text
		}
		values := locale.Values{"System": s.Name, "Value": text}
		switch f.From {
		case site.Typed:
			return stands, l.T("size.from.typed"), true
		case site.Catalogue:
			if s.System != "" {
				return stands, l.T("size.from.system", values), false
			}
			return stands, l.T("size.from.fabric", values), false
		}
		return stands, l.T("size.from.assumed", values), false
	}
	switch name {
	case "per_node":
		return told(s.PerNode, number(s.PerNode.Value))
	case "nics":
		return told(s.NICs, number(s.NICs.Value))
	case "rate":
		return told(s.NICRate, number(s.NICRate.Value))
	case "rails":
		if s.Rails.Value == 0 {
			return l.T("size.rails.none"), l.T("size.from.rails"), false
		}
		return told(s.Rails, number(s.Rails.Value))
	case "oversubscription":
		return told(s.Oversubscription, number(s.Oversubscription.Value))
	case "alpha":
		f := form.Step.Fabric
		text := strconv.FormatFloat(float64(f.Latency)/1e3, 'f', -1, 64)
		if f.LatencyBasis == sizing.Given {
			return "", l.T("size.from.typed"), true
		}
		return text, l.T(basisMessages[f.LatencyBasis]), false
	}
	return "", "", false
}
