package present

import (
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/sizing/diagnose"
	"lockstep/views"
)

// diagnosePath is the page's place below the language, and its entry in the
// navigation.
const diagnosePath = "diagnose"

// mostTables is how many tables a page shows in full; all of them are in what
// it offers to download.
const mostTables = 24

// Diagnose presents a state of the page that says what logs show.
func Diagnose(f Frame, a DiagnoseAsk) (views.Diagnose, error) {
	p := diagnosis{f, a}
	v := views.Diagnose{
		Page: f.page(p.t("diagnose.title")), Action: f.homeURL() + diagnosePath, MachinesURL: f.machinesURL(),
		Text: a.Pasted, TextWrong: p.wrong("log"), FileWrong: p.wrong("files"),
		FileHint: p.t("diagnose.files.hint", "Most", MaxLogs, "Size", memory(MaxLog)),
		Fields:   p.fields(),
	}
	v.Page.Other.Form = "diagnose-form" // so that what was brought goes along
	for i, file := range a.Files {
		v.Kept = append(v.Kept, views.DiagnoseKept{Name: file.Name, Size: sized(float64(len(file.Text)), 3, decimalBytes), Keep: "keep-" + strconv.Itoa(i), Text: file.Text})
	}
	for _, field := range v.Fields {
		v.Stated = v.Stated || field.Asked || field.Value != "" || len(field.Wrong) > 0
	}
	if !a.Sound() {
		v.Lead = []string{p.t("diagnose.empty.1"), p.t("diagnose.empty.2"), p.t("diagnose.empty.3")}
	}
	samples, err := diagnose.Samples()
	if err != nil {
		return v, err
	}
	names := map[string]string{"slow": "diagnose.sample.slow", "healthy": "diagnose.sample.healthy", "unsaid": "diagnose.sample.unsaid"}
	for _, s := range samples {
		v.Samples = append(v.Samples, views.LessonLink{URL: v.Action + "?sample=" + s.ID, Name: p.t(names[s.ID])})
	}
	for i, t := range a.tables[:min(len(a.tables), mostTables)] {
		v.Tables = append(v.Tables, p.table(i, t))
	}
	if more := len(a.tables) - len(v.Tables); more > 0 {
		v.More = p.t("diagnose.more", "Count", more, "Shown", mostTables)
	}
	p.conclude(&v)
	v.Keep = p.keep()
	return v, nil
}

// diagnosis is a state that is being presented.
type diagnosis struct {
	f   Frame
	ask DiagnoseAsk
}

func (p diagnosis) t(id string, values ...any) string { return spoken(p.f.Locale, id, values...) }

func (p diagnosis) wrong(field string) []string {
	var all []string
	for _, w := range p.ask.flaws[field] {
		all = append(all, p.t(w.message, w.values...))
	}
	return all
}

// lacks reports whether a table needs something that can be stated.
func (p diagnosis) lacks(needs ...diagnose.Need) bool {
	for _, t := range p.ask.tables {
		for _, has := range t.Needs {
			for _, need := range needs {
				if has == need {
					return true
				}
			}
		}
	}
	return false
}

// fields are what can be stated.
func (p diagnosis) fields() []views.DiagnoseField {
	a := p.ask
	field := func(name, label, hint, value string, needs ...diagnose.Need) views.DiagnoseField {
		return views.DiagnoseField{Name: name, Label: p.t(label), Hint: p.t(hint), Value: value, Wrong: p.wrong(name), Asked: p.lacks(needs...)}
	}
	collective := field("collective", "diagnose.fact.collective", "diagnose.hint.collective", a.collective, diagnose.NeedsCollective)
	collective.Options = []views.StoryOption{{Name: p.t("diagnose.as-log")}}
	for _, c := range schedule.Collectives() {
		if c != schedule.Barrier {
			collective.Options = append(collective.Options, views.StoryOption{Value: string(c), Name: collectiveName(p.f.Locale, c), Chosen: string(c) == a.collective})
		}
	}
	system := field("system", "diagnose.fact.system", "diagnose.hint.system", a.system, diagnose.NeedsSystem)
	system.Wide = true
	system.Options = []views.StoryOption{{Name: p.t("diagnose.as-log")}}
	for _, s := range a.known {
		system.Options = append(system.Options, views.StoryOption{Value: s.ID, Name: s.Name, Chosen: s.ID == a.system})
	}
	accelerator := field("accelerator", "diagnose.fact.accelerator", "diagnose.hint.accelerator", a.accelerator)
	network := field("network", "diagnose.fact.network", "diagnose.hint.network", a.network)
	accelerator.Wide, network.Wide = true, true
	return []views.DiagnoseField{
		system, accelerator, network,
		field("ranks", "diagnose.fact.ranks", "diagnose.hint.ranks", a.ranks, diagnose.NeedsRanks),
		field("nodes", "diagnose.fact.nodes", "diagnose.hint.nodes", a.nodes),
		collective,
	}
}

// conclude puts the conclusion before everything: of the one table, or of all.
func (p diagnosis) conclude(v *views.Diagnose) {
	switch len(v.Tables) {
	case 0:
		return
	case 1:
		v.Verdict = v.Tables[0].Verdict
		return
	}
	count := map[diagnose.Verdict]int{}
	for _, t := range p.ask.tables {
		count[t.Verdict]++
	}
	v.Verdict = views.DiagnoseVerdict{Kind: "ok", Word: p.t("diagnose.verdict.healthy")}
	var parts []string
	for _, of := range []struct {
		verdict diagnose.Verdict
		kind    string
		word    string
		message string
	}{
		{diagnose.Unusable, "bad", "diagnose.verdict.unusable", "diagnose.count.unusable"},
		{diagnose.Below, "bad", "diagnose.verdict.below", "diagnose.count.below"},
		{diagnose.Unjudged, "off", "diagnose.verdict.unjudged", "diagnose.count.unjudged"},
		{diagnose.Healthy, "ok", "diagnose.verdict.healthy", "diagnose.count.healthy"},
	} {
		if n := count[of.verdict]; n > 0 {
			if len(parts) == 0 { // the worst comes first
				v.Verdict.Kind, v.Verdict.Word = of.kind, p.t(of.word)
			}
			parts = append(parts, p.t(of.message, "Count", n))
		}
	}
	v.Verdict.Text = p.t("diagnose.count", "Count", len(p.ask.tables), "Parts", listed(p.f.Locale, parts))
	for i, t := range v.Tables {
		of := p.ask.tables[i]
		e := views.DiagnoseEntry{URL: "#" + t.ID, Name: t.Name, What: p.what(of), Status: views.Status{Kind: t.Verdict.Kind, Word: t.Verdict.Word}}
		if of.Reached > 0 {
			e.Reached, e.Share = perSecond(of.Reached), percent(of.Share)
		}
		v.Index = append(v.Index, e)
	}
}
