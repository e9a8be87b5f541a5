package present

import (
	"net/url"

	"lockstep/sizing/catalog"
	"lockstep/sizing/plan"
	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/views/locale"
)

// stepValues is the address of a frozen training step.
func stepValues(d report.Document) url.Values {
	values, err := url.ParseQuery(d.Asked)
	if err != nil {
		return url.Values{}
	}
	return values
}

// stepAsked is what was asked, in a line.
func stepAsked(l locale.Locale, s stepped) string {
	values := locale.Values{
		"Model": s.ask.Model.Name, "System": s.ask.System.Name, "Nodes": s.e.Nodes, "Ranks": sizeGrouped(int64(s.e.Accelerators)), "Fabric": stepFabricName(l, s),
	}
	if s.e.Nodes == 1 {
		return l.T("report.step.asked.one", values)
	}
	return l.T("report.step.asked", values)
}

// stepFrozen are the sentences that a report of a training step freezes.
func stepFrozen(l locale.Locale, s stepped) report.Words {
	headline := sizePlain(stepHeadline(l, s))
	words := report.Words{Headline: headline, Conclusions: []string{
		headline, l.T("step.bottleneck", locale.Values{"Part": stepPart(l, s.e.Bottleneck)}), stepHeld(l, s.e).Says,
	}}
	for _, n := range s.e.Assumptions {
		words.Assumptions = append(words.Assumptions, stepNote(l, n))
	}
	return words
}

// stepSheet is the sheet of a training step, whose words are frozen in d.
func stepSheet(l locale.Locale, step stepped, d report.Document) report.Sheet {
	r, words := Frame{Locale: l}.stepResult(step), d.Words[l.Lang()]
	var s sheetBlocks
	s.heading("conclusions", l.T("report.conclusions"), "")
	s.list("conclusions", true, words.Conclusions)
	s.add(report.Block{Kind: report.Figures, Key: "figures", Figures: sheetFigures(stepFigures(l, step.e))})
	s.text("grade", r.Grade.Says)
	s.text("layout", r.Setting)
	for _, warning := range r.Warnings {
		s.note("warnings", warning)
	}
	s.heading("parts", l.T("step.chart"), "")
	s.chart("parts", stepPartsChart(l, step.e))
	s.table("parts", stepPartsSheet(l, step.e, r.Parts))
	s.heading("terms", l.T("step.terms"), "")
	s.table("terms", stepTermsSheet(l, step.e, r.Terms))
	s.text("letters", r.Letters)
	if len(r.Sent) > 0 {
		s.heading("sent", l.T("step.sent"), l.T("step.sent.sub"))
		s.table("sent", stepSentSheet(l, step.e, r.Sent))
	}
	s.heading("memory", l.T("step.memory"), "")
	s.text("memory", r.Memory.Says)
	s.table("memory", stepMemorySheet(l, step.e, r.Memory.Parts))
	if len(r.Layouts) > 0 {
		s.heading("layouts", l.T("step.layouts"), r.LayoutsNote)
		s.table("layouts", stepLayoutsSheet(l, step.e, r.Layouts))
	}
	s.heading("advice", l.T("report.step.advice"), "")
	s.list("advice", false, stepAdviceLines(r.Advice))
	s.heading("assumptions", l.T("size.assumptions"), "")
	s.list("assumptions", false, words.Assumptions)
	s.heading("change", l.T("report.change"), l.T("report.step.change.sub"))
	s.table("change", stepChangesSheet(l, Frame{Locale: l}.stepTries(step)))
	if fabrics := (Frame{Locale: l}).stepFabrics(step); len(fabrics) > 1 {
		s.heading("fabrics", l.T("step.fabrics"), l.T("step.fabrics.sub"))
		s.table("fabrics", stepChangesSheet(l, fabrics))
	}
	s.heading("inputs", l.T("report.inputs"), "")
	s.table("inputs", sheetFacts(l, stepInputs(l, step)))
	s.heading("sources", l.T("report.step.sources"), "")
	s.list("sources", false, stepSources(l, step))
	s.text("made", l.T("report.made", locale.Values{"Engine": d.Engine, "Data": d.Data, "Time": d.Made}))
	return report.Sheet{Setting: stepAsked(l, step), Labels: sheetLabels(l, d), Blocks: s}
}

// stepAdviceLines are what to change, each with its question.
func stepAdviceLines(all []views.StepAdvice) []string {
	var lines []string
	for _, a := range all {
		lines = append(lines, a.Says)
		if a.Ask != "" {
			lines = append(lines, a.Ask)
		}
	}
	return lines
}

// stepInputs lists everything that was asked, and what was found where nothing
// was.
func stepInputs(l locale.Locale, s stepped) []views.Fact {
	var facts []views.Fact
	add := func(name, value string) {
		if s.form.used[name] == "" && name != "fabric" {
			value = l.T("report.step.found", locale.Values{"Value": value})
		}
		facts = append(facts, views.Fact{Name: l.T(stepFieldMessages[name].label), Values: []string{value}})
	}
	e, t := s.e, s.e.Strategy
	count := func(name string, n int) { add(name, sizeGrouped(int64(n))) }
	add("model", s.ask.Model.Name)
	count("seq_len", e.Sequence)
	count("global_batch", e.Batch)
	add("precision", e.Precision)
	add("system", s.ask.System.Name)
	count("nodes", e.Nodes)
	if e.Nodes > 1 {
		add("fabric", stepFabricName(l, s))
	}
	for _, degree := range []struct {
		name  string
		value int
	}{{"tp", t.TP}, {"pp", t.PP}, {"cp", t.CP}, {"ep", t.EP}, {"dp", t.DP}, {"vpp", t.Virtual}, {"micro", t.Micro}, {"zero", t.Zero}} {
		count(degree.name, degree.value)
	}
	add("recompute", stepWord(l, stepRecomputeNames, t.Recompute))
	return facts
}

// stepSources say where the figures come from.
func stepSources(l locale.Locale, s stepped) []string {
	all := []string{l.T("report.step.source.runs")}
	add := func(name string, o catalog.Origin) {
		if o.Source == "" {
			return
		}
		values := locale.Values{"Name": name, "Source": o.Source}
		if o.Rests() == catalog.Assumed {
			all = append(all, l.T("report.step.source.assumed", values))
			return
		}
		all = append(all, l.T("report.step.source", values))
	}
	add(s.ask.Model.Name, s.ask.Model.Origin)
	add(s.ask.System.Name, s.ask.System.Origin)
	add(s.ask.Chip.Name, s.ask.Chip.Origin)
	if s.ask.Fabric != nil {
		add(s.ask.Fabric.Generation, s.ask.Fabric.Origin)
	}
	return all
}

// stepPartsChart is a step in its parts, and the communication that computing
// hides.
func stepPartsChart(l locale.Locale, e plan.Estimate) report.Chart {
	b := e.Breakdown
	c := report.Chart{Title: l.T("report.step.chart"), Unit: "s", Caption: l.T("report.step.chart.caption")}
	step := report.Bar{Name: l.T("step.figure.time"), Figure: stepSeconds(e.Step.Value)}
	for _, p := range []struct {
		name    string
		tone    report.Tone
		seconds float64
	}{{"compute", "compute", b.Compute}, {"exposed_communication", "comm", b.Exposed}, {"bubble", "bubble", b.Bubble}, {"other", "paper", b.Other}} {
		c.Legend = append(c.Legend, report.Key{Tone: p.tone, Name: stepPart(l, p.name)})
		step.Pieces = append(step.Pieces, report.Piece{Tone: p.tone, Length: p.seconds, Label: stepSeconds(p.seconds)})
	}
	c.Bars = append(c.Bars, step)
	if b.Overlapped > 0 {
		c.Legend = append(c.Legend, report.Key{Tone: "hidden", Name: stepPart(l, "overlapped_communication")})
		c.Bars = append(c.Bars, report.Bar{Name: l.T("report.step.beside"), Figure: stepSeconds(b.Overlapped), Pieces: []report.Piece{
			{Tone: "hidden", Length: b.Overlapped, Label: stepSeconds(b.Overlapped)},
		}})
	}
	return c
}
