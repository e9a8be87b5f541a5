package present

import (
	"math"
	"net/url"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/catalog"
	"lockstep/sizing/plan"
	"lockstep/sizing/trained"
	"lockstep/views"
	"lockstep/views/locale"
)

// stepped is a step that is priced, with what it was priced from.
type stepped struct {
	form  StepForm
	ask   plan.Ask
	e     plan.Estimate
	model *trained.Model
	known *catalog.Catalog
}

func stepSeconds(s float64) string { return sizeTime(unit.Seconds(s)) }

func stepBytes(b float64) string { return sizeBytes(unit.Bytes(math.Round(b))) }

// stepCount prints a large number to three digits.
func stepCount(v float64) string {
	return sized(v, 3, []step{{"", 1}, {"k", 1e3}, {"M", 1e6}, {"B", 1e9}, {"T", 1e12}})
}

// stepTimes prints how often something is done in a step.
func stepTimes(count float64) string {
	if count == math.Trunc(count) {
		return sizeGrouped(int64(count))
	}
	return significant(count, 4)
}

// stepLayout is a layout in a line.
func stepLayout(l locale.Locale, s plan.Layout) string {
	return l.T("step.layout", locale.Values{
		"TP": s.TP, "PP": s.PP, "CP": s.CP, "EP": s.EP, "DP": s.DP, "VPP": s.Virtual, "Micro": s.Micro, "Zero": s.Zero,
		"Recompute": stepWord(l, stepRecomputeNames, s.Recompute),
	})
}

func (f Frame) stepResult(s stepped) views.StepResult {
	l, e := f.Locale, s.e
	headline := stepHeadline(l, s)
	r := views.StepResult{
		Locale: l, Headline: sizeSpans(headline), Plain: sizePlain(headline), Figures: shownFigures(stepFigures(l, e)),
		Setting: l.T("step.setting", locale.Values{"Layout": stepLayout(l, e.Strategy), "Batches": e.Strategy.Count}),
		Chart:   stepChart(l, e), Terms: stepTerms(l, s), Letters: l.T("step.letters"), Memory: stepHeld(l, e),
		Bottleneck: l.T("step.bottleneck", locale.Values{"Part": stepPart(l, e.Bottleneck)}),
	}
	for _, g := range []trained.Grade{trained.Between, trained.Sibling, trained.Formula} {
		r.Grade.All = append(r.Grade.All, l.T(stepGrades[g]))
	}
	if id, known := stepGrades[e.Grade]; known {
		r.Grade.Says = l.T(id)
	}
	for _, w := range e.Warnings {
		r.Warnings = append(r.Warnings, stepNote(l, w))
	}
	for _, n := range e.Assumptions {
		r.Assumptions = append(r.Assumptions, stepNote(l, n))
	}
	said := map[string]bool{}
	for _, n := range e.Advice {
		a := views.StepAdvice{Says: stepNote(l, n), Ask: stepQuestion(l, n)}
		if said[a.Ask] {
			a.Ask = ""
		}
		said[a.Ask] = true
		r.Advice = append(r.Advice, a)
	}
	b := e.Breakdown
	for _, p := range []struct {
		name    string
		seconds float64
	}{{"compute", b.Compute}, {"exposed_communication", b.Exposed}, {"bubble", b.Bubble}, {"other", b.Other}, {"overlapped_communication", b.Overlapped}} {
		part := views.StepPart{Name: stepPart(l, p.name), Value: stepSeconds(p.seconds), Share: percentText(p.seconds / e.Step.Value)}
		if p.name == "overlapped_communication" {
			part.Share = l.T("step.part.beside")
		}
		r.Parts = append(r.Parts, part)
	}
	for _, c := range e.Communication {
		r.Sent = append(r.Sent, f.stepSent(l, c))
	}
	r.Fabrics, r.Tries = shownChanges(f.stepFabrics(s)), shownChanges(f.stepTries(s))
	r.Layouts = f.stepLayouts(s)
	r.LayoutsNote = l.T("step.layouts.sub", locale.Values{"Tried": sizeGrouped(int64(e.Tried))})
	return r
}

// stepHeadline is the answer in a sentence.
func stepHeadline(l locale.Locale, s stepped) string {
	e := s.e
	fits := stepFits(l, e.Memory.Fits, e.Memory.Total, e.Memory.Capacity)
	return l.T("step.headline", locale.Values{
		"Model": s.ask.Model.Name, "System": s.ask.System.Name, "Ranks": sizeGrouped(int64(e.Accelerators)), "Time": stepSeconds(e.Step.Value),
		"Range": sizeRange(unit.Seconds(e.Step.Low), unit.Seconds(e.Step.High)), "Grade": string(e.Grade), "Share": percentText(e.Breakdown.Exposed / e.Step.Value), "Fits": fits,
	})
}

// stepFigures are the numbers of a step that stand out.
func stepFigures(l locale.Locale, e plan.Estimate) []figure {
	ratio := func(per float64) string { return significant(per*100, 3) + " %" }
	low, high := e.Step.Value/e.Step.High, e.Step.Value/e.Step.Low
	return []figure{
		{sizeNumber(l.T("step.figure.time"), stepSeconds(e.Step.Value),
			l.T("size.span", locale.Values{"Range": sizeRange(unit.Seconds(e.Step.Low), unit.Seconds(e.Step.High)), "Grade": string(e.Grade)}), ""),
			amount(e.Step.Value, "s").Between(e.Step.Low, e.Step.High)},
		{sizeNumber(l.T("step.figure.tokens"), stepCount(e.Tokens*float64(e.Accelerators))+" token/s",
			l.T("step.figure.tokens.note", locale.Values{"Each": stepCount(e.Tokens)}), ""), amount(e.Tokens*float64(e.Accelerators), "token/s")},
		{sizeNumber(l.T("step.figure.mfu"), ratio(e.MFU), joinRange(percentText(e.MFU*low), percentText(e.MFU*high)), ""),
			amountPercent(e.MFU).Between(100*e.MFU*low, 100*e.MFU*high)},
		{sizeNumber(l.T("step.figure.efficiency"), ratio(e.Efficiency), l.T("step.figure.efficiency.note"), ""), amountPercent(e.Efficiency)},
	}
}

func (f Frame) stepSent(l locale.Locale, c plan.Communication) views.StepSent {
	count := max(c.Count, 1e-9)
	s := views.StepSent{
		Purpose: capital(stepPurpose(l, c.Purpose)), Collective: capital(collectiveName(l, schedule.Collective(c.Collective))), Algorithm: algorithmName(l, c.Algorithm),
		Group: l.T("step.sent.ranks", locale.Values{"Count": c.Group}), Spans: stepSpan(l, c.Spans), Bytes: stepBytes(c.Bytes), Count: stepTimes(c.Count),
		Time: stepSeconds(c.Time), Exposed: stepSeconds(c.Exposed),
		Formula: l.T("step.sent.each", locale.Values{"Times": stepTimes(c.Count), "Each": stepSeconds(c.Time / count)}),
	}
	collective := schedule.Collective(c.Collective)
	if _, err := schedule.Find(collective, c.Algorithm); err == nil && c.Group > 1 {
		ranks := min(c.Group, lessonMaxRanks)
		q := url.Values{"n": {strconv.Itoa(ranks)}, "size": {compactBytes(fitSize(collective, ranks, unit.Bytes(math.Round(min(c.Bytes, float64(lessonMaxSize))))))}}
		s.LessonURL = f.homeURL() + "learn/" + c.Collective + "/" + c.Algorithm + "?" + q.Encode()
	}
	return s
}
