package present

import (
	"lockstep/sizing/report"
	"lockstep/sizing/site"
	"lockstep/sizing/trained"
	"lockstep/views"
	"lockstep/views/locale"
)

// reportKindStep is the kind of a report about a training step, as addresses
// spell it. Whatever else is given is about an exchange.
const reportKindStep = "step"

// Price prices what the draft is about. sound is false for one with a field that
// cannot be read, which the sizing page mends. Errors are the program's own.
func (d *Draft) Price(desk site.Desk) (sound bool, err error) {
	if s := d.step; s != nil {
		if s.model, err = trained.Embedded(); err != nil {
			return false, err
		}
		s.ask, s.e, err = s.form.Estimate(s.model, desk.Known)
		return s.form.Sound(), err
	}
	if !d.Form.Sound() {
		return false, nil
	}
	d.Sized, err = d.Form.Price(desk)
	return true, err
}

// Document freezes a priced draft in both of its languages; made is the moment,
// on the console's own clock.
func (d Draft) Document(engine, made string, languages []locale.Locale) report.Document {
	words, sheets := map[string]report.Words{}, map[string]report.Sheet{}
	for _, l := range languages {
		if d.step != nil {
			words[l.Lang()] = stepFrozen(l, *d.step)
		} else {
			words[l.Lang()] = SizeWords(l, d.Sized)
		}
	}
	var content report.Document
	if s := d.step; s != nil {
		content = report.NewTraining(engine, s.form.Values().Encode(), s.e, words)
	} else {
		content = report.NewDocument(engine, d.Estimate, words)
		content.Study = d.Study
	}
	content.Made = made
	for _, l := range languages {
		if d.step != nil {
			sheets[l.Lang()] = stepSheet(l, *d.step, content)
		} else {
			sheets[l.Lang()] = ReportSheet(l, content)
		}
	}
	content.Sheets = sheets
	return content
}

// BackURL is the page that the draft was priced on, with the draft's own fields.
func (d Draft) BackURL(f Frame) string {
	if d.step != nil {
		return f.stepURL(d.step.form.Values())
	}
	return f.sizeURL(d.Form.Values())
}

// hidden are the fields that the form of a report carries along.
func (d Draft) hidden() []views.ReportInput {
	values, names := d.Form.Values(), sizeNames[:]
	if d.step != nil {
		values, names = d.step.form.Values(), stepNames
	}
	var all []views.ReportInput
	for _, name := range names {
		if d.step == nil || values.Has(name) {
			all = append(all, views.ReportInput{Name: name, Value: values.Get(name)})
		}
	}
	if d.step != nil {
		all = append(all, views.ReportInput{Name: "kind", Value: reportKindStep})
	}
	if d.Of != "" {
		all = append(all, views.ReportInput{Name: "report", Value: d.Of})
	}
	return all
}

// says is what the draft is about, and its conclusion, each in a sentence.
func (d Draft) says(l locale.Locale) (setting, conclusion string) {
	if d.step != nil {
		return stepAsked(l, *d.step), sizePlain(stepHeadline(l, *d.step))
	}
	return sizeSetting(l, d.Estimate.Step), sizePlain(sizeHeadline(l, d.Sized))
}
