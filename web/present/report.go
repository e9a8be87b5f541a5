package present

import (
	"net/url"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/views/locale"
)

// reportFields are what is written on a cover, in their order.
var reportFields = []struct {
	name, label, hint string
	limit             int
	text              func(report.Cover) string
}{
	{"title", "report.title", "report.title.hint", report.MaxLine, func(c report.Cover) string { return c.Title }},
	{"customer", "report.customer", "report.customer.hint", report.MaxLine, func(c report.Cover) string { return c.Customer }},
	{"seller", "report.seller", "report.seller.hint", report.MaxLine, func(c report.Cover) string { return c.Seller }},
	{"contact", "report.contact", "report.contact.hint", report.MaxLine, func(c report.Cover) string { return c.Contact }},
	{"author", "report.author", "report.author.hint", report.MaxLine, func(c report.Cover) string { return c.Author }},
	{"valid", "report.valid", "report.valid.hint", report.MaxLine, func(c report.Cover) string { return c.Valid }},
	{"notes", "report.notes", "report.notes.hint", report.MaxNotes, func(c report.Cover) string { return c.Notes }},
}

// Draft is a report that is being written.
type Draft struct {
	Of      string // the ID of the report whose next version it becomes; empty for a new one
	follows int    // the version that it was begun from, 0 for none
	Sized
	step  *stepped // what it is about in the place of Sized; nil for an exchange
	Cover report.Cover
	Flaws []report.Flaw
}

// ReadDraft reads what is typed into the form: the cover, and which report it
// belongs to. Nothing is priced yet.
func ReadDraft(values url.Values, known *catalog.Catalog) Draft {
	d := Draft{
		Of: values.Get("report"),
		Cover: report.Cover{
			Title: values.Get("title"), Customer: values.Get("customer"), Author: values.Get("author"), Notes: values.Get("notes"),
			Seller: values.Get("seller"), Contact: values.Get("contact"), Valid: values.Get("valid"),
		}.Tidy(),
	}
	if values.Get("kind") == reportKindStep {
		d.step = &stepped{form: ReadStepForm(values, known), known: known}
	} else {
		d.Sized = Sized{Form: ReadSizeForm(values, known)}
	}
	return d
}

// Values returns the draft as it goes into an address.
func (d Draft) Values() url.Values {
	if d.step == nil {
		return d.with(d.Form.Values())
	}
	values := d.step.form.Values()
	values.Set("kind", reportKindStep)
	return d.with(values)
}

// with adds the cover to the fields of a form.
func (d Draft) with(values url.Values) url.Values {
	if d.Of != "" {
		values.Set("report", d.Of)
	}
	if d.follows > 0 && len(d.Cover.Logo) > 0 {
		values.Set("logo_keep", "1")
		values.Set("logo_version", strconv.Itoa(d.follows))
	}
	for _, field := range reportFields {
		if text := field.text(d.Cover); text != "" {
			values.Set(field.name, text)
		}
	}
	return values
}

// NewReport presents the form that makes a report of an estimate.
func NewReport(f Frame, d Draft) views.ReportForm {
	f.Section = "size"
	l := f.Locale
	title, lead := l.T("report.new"), l.T("report.new.lead")
	if d.Of != "" {
		title = l.T("report.new.version", locale.Values{"Number": reportNumber(d.Of)})
		lead = l.T("report.new.version.lead")
	}
	form := views.ReportForm{
		Page: f.page(title), Title: title, Lead: lead,
		Action: f.homeURL() + "reports", BackURL: d.BackURL(f), Hidden: d.hidden(),
	}
	form.Setting, form.Plain = d.says(l)
	for _, field := range reportFields {
		form.Fields = append(form.Fields, views.ReportField{
			Name: field.name, Label: l.T(field.label), Value: field.text(d.Cover), Lines: field.name == "notes", Required: field.name == "title",
			Date:  field.name == "valid",
			Hint:  l.T(field.hint, locale.Values{"Limit": sizeGrouped(int64(field.limit))}),
			Wrong: reportFlaw(l, d.Flaws, field.name, field.text(d.Cover)),
		})
	}
	form.Logo = logoField(l, d)
	return form
}

// reportFlaw says what is wrong with a field, empty for nothing.
func reportFlaw(l locale.Locale, flaws []report.Flaw, field, given string) string {
	for _, flaw := range flaws {
		switch {
		case flaw.Field != field:
		case flaw.Kind == report.Missing:
			return l.T("report.wrong.missing")
		case flaw.Kind == report.NoDate:
			return l.T("report.wrong.date", locale.Values{"Given": given})
		case flaw.Kind == report.Past:
			return l.T("report.wrong.past", locale.Values{"Given": given})
		case flaw.Kind == report.NoLogo:
			return l.T("report.wrong.logo")
		case flaw.Kind == report.LogoHeavy:
			return l.T("report.wrong.logo.heavy", locale.Values{"Limit": sizeGrouped(int64(flaw.Limit))})
		case flaw.Kind == report.LogoLarge:
			return l.T("report.wrong.logo.large", locale.Values{"Limit": sizeGrouped(int64(flaw.Limit)), "Length": sizeGrouped(int64(flaw.Length))})
		default:
			return l.T("report.wrong.long", locale.Values{"Limit": sizeGrouped(int64(flaw.Limit)), "Length": sizeGrouped(int64(flaw.Length))})
		}
	}
	return ""
}

// Reports presents the list of saved reports, of which there may be more.
func Reports(f Frame, latest []report.Report, more bool) views.Reports {
	f.Section = "size"
	l := f.Locale
	r := views.Reports{Page: f.page(l.T("report.list")), SizeURL: f.homeURL() + "size", CompareURL: f.homeURL() + comparePath}
	for _, saved := range latest {
		r.Rows = append(r.Rows, views.ReportRow{
			URL: f.reportURL(saved), Number: reportNumber(saved.ID), Title: saved.Cover.Title, Customer: saved.Cover.Customer,
			Headline: saved.Content.Words[l.Lang()].Headline,
			Version:  reportVersion(l, saved), Saved: reportTime(saved),
		})
	}
	if more {
		r.More = l.T("report.list.more", locale.Values{"Reports": len(latest)})
	}
	return r
}

// Report presents one version of a report, in the language of l, which need
// not be the page's. Figures and sentences are those that were frozen.
func Report(f Frame, l locale.Locale, other locale.Locale, saved report.Report) views.Report {
	f.Section = "size"
	r := views.Report{
		Page:   f.page(saved.Cover.Title),
		Style:  f.reportURL(saved) + "/print.css?lang=" + l.Lang(),
		Number: reportNumber(saved.ID), ListURL: f.homeURL() + "reports", CompareURL: f.compareURL(saved),
		Saved: f.Locale.T("report.saved.at", locale.Values{"Version": saved.Version, "Time": reportTime(saved)}),
		Language: views.ReportLanguage{
			Tag: l.Tag(), OtherTag: other.Tag(), Name: other.T("report.language"), URL: f.reportURL(saved) + "?lang=" + other.Lang(),
		},
		Title: saved.Cover.Title,
	}
	for _, file := range reportFiles(f.Locale, f.reportURL(saved)+"/export", ReportFormats()) {
		file.URL += "&lang=" + l.Lang()
		r.Files = append(r.Files, file)
	}
	next := Draft{Of: saved.ID, follows: saved.Version, Cover: saved.Cover}
	if saved.Content.Training != nil {
		sheet := paperOf(l, saved, sheetOf(l, saved))
		sheet.Logo = f.logoURL(saved)
		asked := stepValues(saved.Content)
		r.Sheet, r.ResizeURL = &sheet, f.stepURL(asked)
		asked.Set("kind", reportKindStep)
		r.NextURL = f.homeURL() + "reports/new?" + next.with(asked).Encode()
	} else {
		f.reportOfExchange(l, &r, saved)
		r.NextURL = f.homeURL() + "reports/new?" + next.with(Sized{Estimate: saved.Content.Estimate, Study: saved.Content.Study}.values()).Encode()
	}
	if saved.Cover.Notes != "" {
		r.Notes = strings.Split(saved.Cover.Notes, "\n")
	}
	if saved.Version < saved.Latest {
		newest := saved
		newest.Version = saved.Latest
		r.Stale = f.Locale.T("report.stale", locale.Values{"Version": saved.Version, "Latest": saved.Latest})
		r.NewestURL = f.reportURL(newest)
	}
	fact := func(message, value string) {
		if value != "" {
			r.Facts = append(r.Facts, views.Fact{Name: l.T(message), Values: []string{value}})
		}
	}
	fact("report.customer", saved.Cover.Customer)
	fact("report.seller", saved.Cover.Seller)
	fact("report.contact", saved.Cover.Contact)
	fact("report.author", saved.Cover.Author)
	fact("report.date", saved.Saved.Format("2006-01-02"))
	fact("report.valid", saved.Cover.Valid)
	r.Logo, r.LogoName = f.logoURL(saved), logoName(saved, l.T("report.logo"))
	fact("report.number", l.T("report.number.version", locale.Values{"Number": reportNumber(saved.ID), "Version": saved.Version}))
	return r
}

// reportOfExchange fills in a report of an exchange of gradients and of one
// collective.
func (f Frame) reportOfExchange(l locale.Locale, r *views.Report, saved report.Report) {
	words := saved.Content.Words[l.Lang()]
	sized := Sized{Estimate: saved.Content.Estimate, Study: saved.Content.Study}
	r.ResizeURL, r.Setting = f.sizeURL(sized.values()), sizeSetting(l, sized.Estimate.Step)
	r.Conclusion, r.Inputs = words.Conclusions, reportInputs(l, sized)
	r.Versions = l.T("report.made", locale.Values{
		"Engine": saved.Content.Engine, "Data": saved.Content.Data, "Time": reportTime(saved),
	})
	r.Result = f.sizeResult(l, sized)
	r.Result.Assumptions = words.Assumptions
	for i := range r.Result.Algorithms {
		r.Result.Algorithms[i].LessonURL = "" // a report stands for itself
	}
	if one := r.Result.One; one != nil {
		one.Lessons = false
		for i := range one.Ways {
			one.Ways[i].LessonURL, one.Ways[i].RaceURL = "", ""
		}
	}
}

// reportInputs lists everything that was asked.
func reportInputs(l locale.Locale, sized Sized) []views.Fact {
	s := sized.Estimate.Step
	var facts []views.Fact
	add := func(message, value string) {
		facts = append(facts, views.Fact{Name: l.T(message), Values: []string{value}})
	}
	if name := sizeModelName(s); name != "" {
		add("size.field.model", name)
	}
	add("size.field.params", sizeGrouped(s.Parameters))
	add("size.field.bytes", strconv.Itoa(s.Width)+" B")
	add("size.field.nodes", sizeGrouped(int64(s.Nodes)))
	add("size.field.per-node", sizeGrouped(int64(s.PerNode)))
	add("size.field.fabric", l.T("size.fabric.option", locale.Values{
		"Fabric": sizeFabricName(l, s.Fabric), "Rate": s.Fabric.Bandwidth.String(), "Bits": bits(s.Fabric.Bandwidth),
	}))
	add("size.latency", sizeLatency(s.Fabric.Latency))
	compute := l.T("report.not-given")
	if s.Compute > 0 {
		compute = sizeTime(s.Compute)
	}
	add("size.field.compute", compute)
	if sized.Study != nil {
		return append(facts, reportSite(l, sized.Study)...)
	}
	return facts
}

// reportNumber is how a report is called.
func reportNumber(id string) string { return "LS-" + id }

func reportVersion(l locale.Locale, saved report.Report) string {
	return l.T("report.version.number", locale.Values{"Version": saved.Version})
}

// reportTime is when a version was saved, on the console's own clock.
func reportTime(saved report.Report) string { return saved.Saved.Format("2006-01-02 15:04") }

func (f Frame) reportURL(saved report.Report) string {
	return f.homeURL() + "reports/" + saved.ID + "/v/" + strconv.Itoa(saved.Version)
}

// ReportURL is the address of a saved version.
func ReportURL(f Frame, saved report.Report) string { return f.reportURL(saved) }
