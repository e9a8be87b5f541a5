package present

import (
	"strings"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/views"
	"lockstep/views/locale"
)

// result presents an estimate in the language of l, which is the page's or
// that of a report.
func (f Frame) sizeResult(l locale.Locale, e sizing.Estimate) views.SizeResult {
	headline := sizeHeadline(l, e)
	r := views.SizeResult{
		Locale: l, Headline: sizeSpans(headline), Plain: sizePlain(headline),
		Figures: sizeFigures(l, e), Counting: sizeCounting(l, e),
		Charts: []views.SizeChart{sizeTimeChart(l, e)}, Shares: sizeShares(l, e),
		FabricNote:  l.T("size.fabrics.note", locale.Values{"Workers": e.Workers, "Size": sizeBytes(e.Size)}),
		Assumptions: sizeAssumptions(l, e), Doubts: sizeDoubts(l, e),
	}
	for i, p := range e.Costs {
		a := sizeAlgorithm(l, p, i == 0 && e.Workers > 1, f.sizeLesson(p.Algorithm, e.Workers))
		a.Brief = i > 0 && p.Algorithm != "ring" && p.Algorithm != "central"
		r.Algorithms = append(r.Algorithms, a)
	}
	for _, s := range e.Scaling {
		r.Turns = append(r.Turns, views.SizeTurn{
			Counting: l.T(countingMessages[s.Counting]),
			Now:      l.T("size.turns.now.value", locale.Values{"Ratio": sizeRatio(s.Speedup), "Time": sizeTime(s.StepTime)}),
			Best:     sizeBest(l, s), Slower: sizeSlower(l, s),
		})
	}
	if len(e.Scaling) > 0 {
		r.Charts = append(r.Charts, sizeSpeedChart(l, e))
		r.TurnsNote = l.T("size.turns.note", locale.Values{"Compute": sizeTime(e.Step.Compute)})
	}
	for _, c := range e.Fabrics {
		r.Fabrics = append(r.Fabrics, sizeFabricRow(l, c, e.Step.Fabric.Key))
	}
	return r
}

func sizeAlgorithm(l locale.Locale, p cost.Prediction, best bool, lesson string) views.SizeAlgorithm {
	a := views.SizeAlgorithm{
		ID: "cost-" + p.Algorithm, Name: sizeAlgorithmName(l, p.Algorithm), LessonURL: lesson,
		Time: sizeTime(p.Time), Range: sizeRange(p.Low, p.High), Grade: string(p.Grade), Best: best,
	}
	// A size that is no round number of decimal units is written out.
	exact := strings.NewReplacer(" us ", " µs ")
	if size := p.Size.String(); strings.HasSuffix(size, "iB") || p.Size%unit.MB != 0 {
		exact = strings.NewReplacer(" us ", " µs ", size, sizeGrouped(int64(p.Size))+" B")
	}
	for _, t := range p.Terms {
		a.Terms = append(a.Terms, views.SizeTerm{Phase: sizePhase(l, t.Name), Formula: formulaText(exact.Replace(t.Formula)), Time: sizeTime(t.Time)})
	}
	return a
}

func sizeFigures(l locale.Locale, e sizing.Estimate) []views.SizeFigure {
	figure := func(label, value, note, algorithm string) views.SizeFigure {
		number, unitName, _ := strings.Cut(value, " ")
		f := views.SizeFigure{Label: label, Number: number, Unit: unitName, Note: note}
		if algorithm != "" {
			f.URL = "#cost-" + algorithm
		}
		return f
	}
	graded := func(algorithm string) string {
		for _, p := range e.Costs {
			if p.Algorithm == algorithm {
				return l.T("size.figure.range", locale.Values{"Range": sizeRange(p.Low, p.High), "Grade": string(p.Grade)})
			}
		}
		return ""
	}
	return []views.SizeFigure{
		figure(l.T("size.counting.ring"), sizeTime(e.Times.Ring), graded("ring"), "ring"),
		figure(l.T("size.counting.one-way"), sizeTime(e.Times.OneWay), l.T("size.figure.one-way"), "central"),
		figure(l.T("size.counting.both"), sizeTime(e.Times.Central), graded("central"), "central"),
		figure(l.T("size.figure.gradients"), sizeBytes(e.Size),
			l.T("size.figure.gradients.note", locale.Values{"Parameters": sizeGrouped(e.Step.Parameters), "Width": e.Step.Width}), ""),
	}
}

func sizeFabricRow(l locale.Locale, c sizing.FabricCost, current string) views.SizeFabric {
	row := views.SizeFabric{
		Name: sizeFabricName(l, c.Fabric), Current: c.Fabric.Key == current,
		Latency: sizeLatency(c.Fabric.Latency), Bytes: c.Fabric.Bandwidth.String(), Bits: bits(c.Fabric.Bandwidth), Basis: sizeBasis(l, c.Fabric),
		OneWay: sizeTime(c.Times.OneWay), Both: sizeTime(c.Times.Central), Ring: sizeTime(c.Times.Ring),
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
