package present

import (
	"encoding/json"
	"errors"
	"slices"

	"lockstep/sizing/catalog"
	"lockstep/views"
	"lockstep/views/locale"
)

// hinted are the fields that say more than their name beneath it.
var hinted = []string{
	"id", "memory_gb", "bf16_dense_tflops", "scaleup_bandwidth_gbytes_per_s_per_direction", "scaleup_domain_size", "nic_gbits_per_s_each",
	"line_rate_gbits_per_s", "typical_effective_fraction", "total_params", "cloud_instances", "source", "kv_heads", "gated_ffn", "nic_type",
}

// CatalogForm presents the form of an own entry as it is filled in.
func CatalogForm(f Frame, form EntryForm, known *catalog.Catalog) views.CatalogForm {
	l := f.Locale
	f.Section = "size"
	k := form.Kind
	kind := entryTerm(l, "kind."+string(k))
	v := views.CatalogForm{
		Title: l.T(addMessages[k]), Action: f.catalogURL(k) + "/new",
		Back: views.CatalogLink{Name: l.T("catalog.form.back", locale.Values{"Kind": kind}), URL: f.catalogURL(k)},
	}
	if form.ID != "" {
		v.Title, v.Action = l.T(editMessages[k], locale.Values{"ID": form.ID}), f.catalogURL(k)+"/"+form.ID+"/edit"
	} else {
		for _, other := range catalog.Kinds() {
			if other != k {
				v.Others = append(v.Others, views.CatalogLink{Name: l.T(addMessages[other]), URL: f.catalogURL(other) + "/new"})
			}
		}
	}
	v.Page = f.page(v.Title)
	flaws := form.flaws()
	v.Paste = f.catalogPaste(form)
	v.Says = f.catalogRead(form)
	v.Wrong = f.catalogWrong(form, flaws)
	v.Groups = f.catalogFields(form, flaws, known)
	v.Doubts = f.catalogDoubtful(form)
	return v
}

var editMessages = map[catalog.Kind]string{
	catalog.Models: "catalog.edit.models", catalog.Systems: "catalog.edit.systems",
	catalog.Accelerators: "catalog.edit.accelerators", catalog.Fabrics: "catalog.edit.fabrics",
}

// flaws are what is wrong with the fields, by key; the first of each counts.
func (form EntryForm) flaws() map[string]*catalog.FieldError {
	var all catalog.FieldErrors
	flaws := map[string]*catalog.FieldError{}
	if errors.Is(form.Err, catalog.ErrTaken) {
		for _, field := range catalog.Fields(form.Kind) {
			if field.Key == "id" {
				flaws["id"] = &catalog.FieldError{Kind: form.Kind, Field: field, Why: catalog.Taken, Given: form.given["id"]}
			}
		}
		return flaws
	}
	if errors.As(form.Err, &all) {
		for _, e := range all {
			if flaws[e.Field.Key] == nil {
				flaws[e.Field.Key] = e
			}
		}
	}
	return flaws
}

// catalogPaste is the place for JSON; it is open while it is in use.
func (f Frame) catalogPaste(form EntryForm) views.CatalogPaste {
	l := f.Locale
	p := views.CatalogPaste{
		Text: form.Paste, Hint: l.T("catalog.paste.other"), Files: l.T("catalog.paste.file", locale.Values{"Most": sizeBytes(maxPaste)}),
	}
	if form.Kind == catalog.Models {
		p.Hint = l.T("catalog.paste.models")
	}
	if form.Read && form.Err != nil {
		p.Wrong = f.pasteFlaw(form.Err)
	}
	p.Open = p.Wrong != "" || form.Kind == catalog.Models && form.ID == "" && !form.Read && form.Err == nil
	return p
}

// catalogRead says what came of the JSON, and what of it is doubtful.
func (f Frame) catalogRead(form EntryForm) []string {
	l := f.Locale
	var said []string
	if form.Gone {
		said = append(said, l.T("catalog.form.gone"))
	}
	if !form.Read || form.Err != nil {
		return said
	}
	said = append(said, l.T("catalog.paste.done"))
	if n, told := form.count(); told {
		values := locale.Values{"Total": sayCount(l, n.Total) + " (" + plainNumber(n.Total) + ")", "Active": sayCount(l, n.Active)}
		if n.Active > 0 {
			said = append(said, l.T("catalog.paste.active", values))
		} else {
			said = append(said, l.T("catalog.paste.counted", values))
		}
	}
	for _, w := range form.Warnings {
		said = append(said, l.T(warningMessages[w.Code], locale.Values{"Name": w.Name}))
	}
	for _, key := range form.Unknown {
		said = append(said, l.T("catalog.form.unknown", locale.Values{"Key": key}))
	}
	return said
}

// count counts the parameters of the model in the form.
func (form EntryForm) count() (catalog.Counted, bool) {
	var m catalog.Model
	text, err := form.Document()
	if err != nil || form.Kind != catalog.Models || json.Unmarshal(text, &m) != nil {
		return catalog.Counted{}, false
	}
	return m.Count()
}

// catalogWrong leads to each field that is wrong; nil for none.
func (f Frame) catalogWrong(form EntryForm, flaws map[string]*catalog.FieldError) *views.CatalogWrong {
	l := f.Locale
	if form.Err == nil || form.Read {
		return nil
	}
	w := &views.CatalogWrong{Title: l.T("catalog.form.wrong", locale.Values{"Count": max(len(flaws), 1)})}
	for _, field := range catalog.Fields(form.Kind) {
		if flaws[field.Key] != nil {
			w.Links = append(w.Links, views.CatalogLink{Name: entryTerm(l, field.Key), URL: "#" + (views.CatalogField{Name: field.Key}).ID()})
		}
	}
	switch {
	case errors.Is(form.Err, catalog.ErrFull):
		w.Text = l.T("catalog.form.full", locale.Values{"Most": catalog.MaxOwn})
	case len(flaws) == 0:
		w.Text = form.Err.Error()
	}
	return w
}

// catalogFields are the fields by group. Groups that can be left alone are
// folded until something stands in them.
func (f Frame) catalogFields(form EntryForm, flaws map[string]*catalog.FieldError, known *catalog.Catalog) []views.CatalogFields {
	var all []views.CatalogFields
	for _, group := range []catalog.Group{catalog.GroupMain, catalog.GroupOrigin, catalog.GroupDetail, catalog.GroupExperts, catalog.GroupLatent} {
		g := views.CatalogFields{
			ID: "entry-group-" + string(group), Legend: entryTerm(f.Locale, "group."+string(group)),
			Folded: group != catalog.GroupMain && group != catalog.GroupOrigin,
		}
		for _, field := range catalog.Fields(form.Kind) {
			if field.Group != group || field.Key == doubtsKey {
				continue
			}
			g.Fields = append(g.Fields, f.catalogField(form, field, flaws[field.Key], known))
			g.Open = g.Open || form.given[field.Key] != "" || flaws[field.Key] != nil
		}
		if len(g.Fields) > 0 {
			all = append(all, g)
		}
	}
	return all
}

func (f Frame) catalogField(form EntryForm, field catalog.Field, flaw *catalog.FieldError, known *catalog.Catalog) views.CatalogField {
	l := f.Locale
	v := views.CatalogField{
		Name: field.Key, Label: entryTerm(l, field.Key), Unit: entryUnit(field), Value: form.given[field.Key], Needed: field.Needed,
		Fixed: field.Key == "id" && form.ID != "", Long: field.Takes == catalog.TakesText && field.Most > 100,
	}
	if slices.Contains(hinted, field.Key) {
		v.Hint = entryTerm(l, "says."+field.Key)
	}
	if flaw != nil {
		v.Wrong = f.entryFlaw(flaw)
	}
	option := func(value, name string) {
		v.Options = append(v.Options, views.Option{Value: value, Name: name, Selected: value == v.Value})
	}
	switch field.Takes {
	case catalog.TakesWhole:
		v.Mode = "numeric"
	case catalog.TakesNumber:
		v.Mode = "decimal"
	case catalog.TakesFlag:
		option("", l.T("catalog.form.blank"))
		option("true", l.T("catalog.yes"))
		option("false", l.T("catalog.no"))
	case catalog.TakesWord:
		option("", l.T("catalog.form.blank"))
		for _, w := range field.Words {
			option(w, entryTerm(l, "word."+w))
		}
	case catalog.TakesEntry:
		option("", l.T("catalog.form.blank"))
		sheets := known.Sheets(field.Of)
		slices.SortStableFunc(sheets, func(a, b catalog.Sheet) int { return ownFirst(a) - ownFirst(b) })
		for _, s := range sheets {
			option(s.ID, s.Name)
		}
	}
	// What is no choice stays to be seen, beside what is said about it.
	if v.Value != "" && len(v.Options) > 0 && !slices.ContainsFunc(v.Options, func(o views.Option) bool { return o.Selected }) {
		option(v.Value, v.Value)
	}
	return v
}

func ownFirst(s catalog.Sheet) int {
	if s.Own {
		return 0
	}
	return 1
}

// catalogDoubtful are the fields to tick that nobody is sure of.
func (f Frame) catalogDoubtful(form EntryForm) views.CatalogDoubts {
	d := views.CatalogDoubts{Legend: f.Locale.T("catalog.form.doubts"), Open: len(form.doubts) > 0}
	add := func(key, name string) {
		d.Options = append(d.Options, views.Option{Value: key, Name: name, Selected: slices.Contains(form.doubts, key)})
	}
	add(allDoubts, f.Locale.T("catalog.form.all"))
	for _, field := range catalog.Fields(form.Kind) {
		if field.Group != catalog.GroupOrigin && field.Key != "id" && field.Key != "name" {
			add(field.Key, entryTerm(f.Locale, field.Key))
		}
	}
	return d
}

// RemoveEntry asks before an own entry goes.
func RemoveEntry(f Frame, s catalog.Sheet, known *catalog.Catalog) views.CatalogRemoval {
	l := f.Locale
	f.Section = "size"
	v := views.CatalogRemoval{
		Title: l.T(removeMessages[s.Kind], locale.Values{"ID": s.ID}), Name: s.Name, URL: f.catalogURL(s.Kind) + "/" + s.ID + "/remove", Button: l.T("catalog.remove"),
		Keep: views.CatalogLink{Name: l.T("catalog.remove.keep"), URL: f.EntryURL(s.Kind, s.ID)},
	}
	v.Page = f.page(v.Title)
	if s.Kind == catalog.Accelerators {
		for _, one := range known.Systems {
			if one.Own && one.Accelerator == s.ID {
				v.Using = append(v.Using, views.CatalogLink{Name: one.Name, URL: f.EntryURL(catalog.Systems, one.ID)})
			}
		}
	}
	if len(v.Using) > 0 {
		v.Text = []string{l.T("catalog.remove.used")}
		return v
	}
	v.Text = []string{l.T("catalog.remove.text")}
	if s.Rests() == catalog.Measured {
		v.Text = append(v.Text, l.T("catalog.remove.rests"))
	}
	return v
}

var removeMessages = map[catalog.Kind]string{
	catalog.Models: "catalog.remove.models", catalog.Systems: "catalog.remove.systems",
	catalog.Accelerators: "catalog.remove.accelerators", catalog.Fabrics: "catalog.remove.fabrics",
}
