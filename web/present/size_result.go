package present

import (
	"strings"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
)

// result presents an estimate in the language of l, which is the page's or
// that of a report.
func (f Frame) sizeResult(l locale.Locale, sized Sized) views.SizeResult {
	e := sized.Estimate
	headline := sizeHeadline(l, sized)
	r := views.SizeResult{
		Locale: l, Headline: sizeSpans(headline), Plain: sizePlain(headline),
		Figures: shownFigures(sizeFigures(l, sized)), Counting: sizeCounting(l, e),
		Charts: []views.SizeChart{sizeTimeChart(l, e)}, Shares: sizeShares(l, e),
		FabricNote:  l.T("size.fabrics.note", locale.Values{"Workers": e.Workers, "Size": sizeBytes(e.Size)}),
		GradeWhy:    l.T("size.grade.why", reachedShares()),
		Assumptions: sizeAssumptions(l, e), Doubts: sizeDoubts(l, sized),
	}
	for i, p := range e.Costs {
		a := sizeAlgorithm(l, p, i == 0 && e.Workers > 1, f.sizeLesson(p.Algorithm, e.Workers))
		a.Brief = i > 0 && p.Algorithm != "ring" && p.Algorithm != "central"
		r.Algorithms = append(r.Algorithms, a)
	}
	for _, s := range e.Scaling {
		r.Turns = append(r.Turns, views.SizeTurn{
			Counting: l.T(countingMessages[s.Counting]),
			Range:    sizeSpanCell(l, sizePhysics(e.Times.Of(s.Counting)).Plus(e.Step.Compute/unit.Seconds(e.Workers))),
			Now:      l.T("size.turns.now.value", locale.Values{"Ratio": sizeRatio(s.Speedup), "Time": sizeTime(s.StepTime)}),
			Best:     sizeBest(l, s), Slower: sizeSlower(l, s),
		})
	}
	if len(e.Scaling) > 0 {
		r.Charts = append(r.Charts, sizeSpeedChart(l, e))
		r.TurnsNote = l.T("size.turns.note", locale.Values{"Compute": sizeTime(e.Step.Compute)})
	}
	for _, c := range e.Fabrics {
		r.Fabrics = append(r.Fabrics, sizeFabricRow(l, c, e.Step.Fabric))
	}
	r.Whole = true
	if s := sized.Study; s != nil && e.Workers > 1 {
		r.One, r.Whole = f.sizeOne(l, s), !sizeSame(s)
		if len(s.Changes) > 0 {
			r.Changes = sizeChanges(l, s)
		}
		r.Assumptions = append(r.Assumptions, sizeSiteAssumptions(l, s)...)
	}
	return r
}

func sizeAlgorithm(l locale.Locale, p cost.Prediction, best bool, lesson string) views.SizeAlgorithm {
	a := views.SizeAlgorithm{
		ID: "cost-" + p.Algorithm, Name: sizeAlgorithmName(l, p.Algorithm), LessonURL: lesson,
		Time: sizeTime(p.Time), Range: sizeRange(p.Low, p.High), Grade: string(p.Grade), Best: best,
	}
	a.Terms = sizeTerms(l, p.Size, p.Terms)
	return a
}

// sizeNumber is a figure with what it is; url opens its formula.
func sizeNumber(label, value, note, url string) views.SizeFigure {
	number, unitName, _ := strings.Cut(value, " ")
	return views.SizeFigure{Label: label, Number: number, Unit: unitName, Note: note, URL: url}
}

// sizePhysics is a time by closed form with its interval.
func sizePhysics(t unit.Seconds) site.Span {
	low, high := cost.Interval(t)
	return site.Span{Time: t, Low: low, High: high, Grade: measured.Physics}
}

// sizeSpanText is the interval of a time with its grade.
func sizeSpanText(l locale.Locale, s site.Span) string {
	return l.T("size.span", locale.Values{"Range": sizeRange(s.Low, s.High), "Grade": string(s.Grade)})
}

// sizeSpanCell is the same for a cell of a table.
func sizeSpanCell(l locale.Locale, s site.Span) string {
	return l.T("size.span.short", locale.Values{"Range": sizeRange(s.Low, s.High), "Grade": string(s.Grade)})
}

func sizeSpan(l locale.Locale, s site.Span) views.SizeTime {
	return views.SizeTime{Time: sizeTime(s.Time), Range: sizeSpanCell(l, s)}
}

// sizeFigures are the numbers of an estimate that stand out.
func sizeFigures(l locale.Locale, sized Sized) []figure {
	e := sized.Estimate
	graded := func(label string, t unit.Seconds, algorithm string) figure {
		note, q := "", amount(float64(t), "s")
		for _, p := range e.Costs {
			if p.Algorithm == algorithm {
				note = l.T("size.figure.range", locale.Values{"Range": sizeRange(p.Low, p.High), "Grade": string(p.Grade)})
				q = q.Between(float64(p.Low), float64(p.High))
				break
			}
		}
		return figure{sizeNumber(label, sizeTime(t), note, "#cost-"+algorithm), q}
	}
	gradients := figure{sizeNumber(l.T("size.figure.gradients"), sizeBytes(e.Size),
		l.T("size.figure.gradients.note", locale.Values{"Parameters": sizeGrouped(e.Step.Parameters), "Width": e.Step.Width}), ""), amount(float64(e.Size), "B")}
	if s := sized.Study; s != nil && s.Answer != nil && e.Workers > 1 {
		return []figure{
			{sizeNumber(sizeLibrary(l, s), sizeTime(s.Step.Time), sizeSpanText(l, s.Step), "#one"), amountSpan(s.Step)},
			graded(l.T("size.figure.formula.ring"), e.Times.Ring, "ring"),
			graded(l.T("size.figure.formula.central"), e.Times.Central, "central"),
			gradients,
		}
	}
	oneWay := sizePhysics(e.Times.OneWay)
	return []figure{
		graded(l.T("size.counting.ring"), e.Times.Ring, "ring"),
		{sizeNumber(l.T("size.counting.one-way"), sizeTime(e.Times.OneWay), l.T("size.figure.one-way", locale.Values{"Range": sizeSpanText(l, oneWay)}), "#cost-central"), amountSpan(oneWay)},
		graded(l.T("size.counting.both"), e.Times.Central, "central"),
		gradients,
	}
}

func sizeFabricRow(l locale.Locale, c sizing.FabricCost, current sizing.Fabric) views.SizeFabric {
	row := views.SizeFabric{
		Name: sizeFabricName(l, c.Fabric), Current: c.Fabric == current,
		Latency: sizeLatency(c.Fabric.Latency), Bytes: c.Fabric.Bandwidth.String(), Bits: bits(c.Fabric.Bandwidth), Basis: sizeBasis(l, c.Fabric),
		OneWay: sizeSpan(l, sizePhysics(c.Times.OneWay)), Both: sizeSpan(l, sizePhysics(c.Times.Central)), Ring: sizeSpan(l, sizePhysics(c.Times.Ring)),
	}
	if len(c.Scaling) > 0 {
		row.Best = l.T("size.fabric.best.value", locale.Values{
			"OneWay": sizeBestCount(l, scalingOf(c.Scaling, sizing.CentralOneWay)), "Ring": sizeBestCount(l, scalingOf(c.Scaling, sizing.Ring)),
		})
	}
	return row
}

// sizeBestCount is the best number of workers, in few words.
func sizeBestCount(l locale.Locale, s sizing.Scaling) string {
	if s.Best == sizing.MaxWorkers {
		return l.T("size.best.count.most", locale.Values{"Workers": s.Best})
	}
	return l.T("size.best.count", locale.Values{"Workers": s.Best})
}
