package present

import (
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/report"
	"lockstep/sizing/site"
	"lockstep/views/locale"
)

// sizeHeadline is the conclusion in one sentence or two; what is between stars
// is to be stressed.
func sizeHeadline(l locale.Locale, sized Sized) string {
	e := sized.Estimate
	if s := sized.Study; s != nil && s.Answer != nil && e.Workers > 1 {
		return sizeSystemHeadline(l, e, s)
	}
	values := locale.Values{
		"Workers": e.Workers, "Size": sizeBytes(e.Size),
		"Ring": sizeTime(e.Times.Ring), "Range": sizeSpanText(l, sizePhysics(e.Times.Ring)), "OneWay": sizeTime(e.Times.OneWay), "Both": sizeTime(e.Times.Central),
	}
	switch {
	case e.Workers == 1:
		return l.T("size.headline.alone")
	case e.Times.Ring < e.Times.OneWay:
		values["Ratio"] = sizeRatio(float64(e.Times.Central / e.Times.Ring))
		if len(e.Scaling) == 0 {
			return l.T("size.headline.ring", values)
		}
	case len(e.Scaling) == 0:
		return l.T("size.headline.central", values)
	}
	values["Compute"] = sizeTime(e.Step.Compute)
	values["RingEffect"] = sizeEffect(l, scalingOf(e.Scaling, sizing.Ring).Speedup)
	values["OneWayEffect"] = sizeEffect(l, scalingOf(e.Scaling, sizing.CentralOneWay).Speedup)
	return l.T("size.headline.scaling", values)
}

// sizeSystemHeadline is the conclusion for a system that is known.
func sizeSystemHeadline(l locale.Locale, e sizing.Estimate, s *site.Study) string {
	values := locale.Values{
		"Site": sizeSite(l, s.Site), "Size": sizeBytes(e.Size), "Time": sizeTime(s.Step.Time), "Range": sizeSpanText(l, s.Step),
	}
	if !s.Computes() {
		return l.T("size.headline.system", values)
	}
	values["Compute"] = sizeTime(s.Load.Compute)
	values["Share"] = percentText(sizeShare(s.Step.Time, s.Load.Compute))
	values["Low"], values["High"] = percentText(sizeShare(s.Step.Low, s.Load.Compute)), percentText(sizeShare(s.Step.High, s.Load.Compute))
	return l.T("size.headline.system.share", values)
}

// sizeShare is how much of a step is communication.
func sizeShare(communication, compute unit.Seconds) float64 {
	return float64(communication / (communication + compute))
}

// sizeEffect says in words what a speed-up comes to.
func sizeEffect(l locale.Locale, speedup float64) string {
	values := locale.Values{"Ratio": sizeRatio(speedup)}
	if speedup > 1 {
		return l.T("size.effect.faster", values)
	}
	return l.T("size.effect.slower", values)
}

// scalingOf picks the entry of a counting.
func scalingOf(all []sizing.Scaling, c sizing.Counting) sizing.Scaling {
	for _, s := range all {
		if s.Counting == c {
			return s
		}
	}
	return sizing.Scaling{Counting: c}
}

// sizeBest says where adding workers helps most.
func sizeBest(l locale.Locale, s sizing.Scaling) string {
	values := locale.Values{"Workers": s.Best, "Ratio": sizeRatio(s.BestSpeedup)}
	switch s.Best {
	case 1:
		return l.T("size.best.none")
	case sizing.MaxWorkers:
		return l.T("size.best.most", values)
	}
	return l.T("size.best.at", values)
}

// sizeBestSentence says the same in a sentence.
func sizeBestSentence(l locale.Locale, s sizing.Scaling) string {
	values := locale.Values{"Workers": s.Best, "Ratio": sizeRatio(s.BestSpeedup)}
	switch s.Best {
	case 1:
		return l.T("size.conclusion.best.none")
	case sizing.MaxWorkers:
		return l.T("size.conclusion.best.most", values)
	}
	return l.T("size.conclusion.best.at", values)
}

// sizeSlower says from where adding workers makes a step slower than alone.
func sizeSlower(l locale.Locale, s sizing.Scaling) string {
	if s.SlowerFrom == 0 {
		return l.T("size.slower.never", locale.Values{"Workers": sizing.MaxWorkers})
	}
	return l.T("size.slower.from", locale.Values{"Workers": s.SlowerFrom})
}

// sizeSlowerSentence says the same in a sentence.
func sizeSlowerSentence(l locale.Locale, s sizing.Scaling) string {
	if s.SlowerFrom == 0 {
		return l.T("size.conclusion.slower.never", locale.Values{"Workers": sizing.MaxWorkers})
	}
	return l.T("size.conclusion.slower.from", locale.Values{"Workers": s.SlowerFrom})
}

// sizeSetting is what was asked, in one line.
func sizeSetting(l locale.Locale, s sizing.Step) string {
	values := locale.Values{
		"Model": sizeModelName(s), "Parameters": sizeGrouped(s.Parameters), "Width": s.Width, "Count": s.Workers(),
		"Fabric": sizeFabricName(l, s.Fabric),
	}
	if s.Model == "" {
		return l.T("size.setting", values)
	}
	return l.T("size.setting.model", values)
}

// SizeWords are the sentences that a report freezes.
func SizeWords(l locale.Locale, sized Sized) report.Words {
	e := sized.Estimate
	words := report.Words{
		Headline:    sizePlain(sizeHeadline(l, sized)),
		Conclusions: []string{sizePlain(sizeHeadline(l, sized))},
		Assumptions: sizeAssumptions(l, e),
	}
	add := func(text string) { words.Conclusions = append(words.Conclusions, text) }
	if e.Workers > 1 {
		add(sizeCounting(l, e))
	}
	for _, s := range e.Scaling {
		add(l.T("size.conclusion.turn", locale.Values{
			"Counting": l.T(countingMessages[s.Counting]), "Best": sizeBestSentence(l, s), "Slower": sizeSlowerSentence(l, s),
		}))
	}
	if e.Workers > 1 {
		slow, fast := e.Fabrics[0], e.Fabrics[len(e.Fabrics)-1]
		add(l.T("size.conclusion.fabrics", locale.Values{
			"Slow": sizeFabricName(l, slow.Fabric), "SlowTime": sizeTime(slow.Times.Ring),
			"Fast": sizeFabricName(l, fast.Fabric), "FastTime": sizeTime(fast.Times.Ring),
		}))
	}
	if s := sized.Study; s != nil && e.Workers > 1 {
		add(sizePlain(sizeOneLead(l, s)))
		if text := sizeEven(l, s); s.Computes() {
			add(text)
		}
		words.Assumptions = append(words.Assumptions, sizeSiteAssumptions(l, s)...)
	}
	return words
}

// sizeCounting says which count of the collector is meant.
func sizeCounting(l locale.Locale, e sizing.Estimate) string {
	return l.T("size.counting", locale.Values{"OneWay": sizeTime(e.Times.OneWay), "Both": sizeTime(e.Times.Central)})
}

// sizeAssumptions lists what was taken for granted.
func sizeAssumptions(l locale.Locale, e sizing.Estimate) []string {
	s := e.Step
	all := []string{
		l.T("size.assume.model"),
		l.T("size.assume.gradients", locale.Values{"Parameters": sizeGrouped(s.Parameters), "Width": s.Width, "Size": sizeBytes(e.Size)}),
		l.T("size.assume.fabric", locale.Values{
			"Fabric": sizeFabricName(l, s.Fabric), "Rate": s.Fabric.Bandwidth.String(), "Bits": bits(s.Fabric.Bandwidth),
			"RateBasis": l.T(basisMessages[s.Fabric.BandwidthBasis]), "Latency": sizeLatency(s.Fabric.Latency),
			"LatencyBasis": l.T(basisMessages[s.Fabric.LatencyBasis]),
		}),
	}
	if s.Fabric.Source != "" {
		all = append(all, l.T("size.assume.source", locale.Values{"Fabric": sizeFabricName(l, s.Fabric), "Source": s.Fabric.Source}))
	}
	if source := sizeModelSource(s); source != "" {
		all = append(all, l.T("size.assume.preset", locale.Values{
			"Model": sizeModelName(s), "Parameters": sizeGrouped(s.Parameters), "Source": source,
		}))
	}
	if s.Compute > 0 {
		all = append(all, l.T("size.assume.compute", locale.Values{"Compute": sizeTime(s.Compute)}), l.T("size.assume.no-overlap"))
	}
	return append(all, l.T("size.assume.range"))
}

// doubtMessages are the doubts that stand out; the grade speaks of the others,
// and so do the assumptions.
var doubtMessages = map[sizing.Doubt]string{
	sizing.Flat:     "size.doubt.flat",
	sizing.TooLarge: "size.doubt.too-large",
}

func sizeDoubts(l locale.Locale, sized Sized) []string {
	e := sized.Estimate
	var all []string
	for _, d := range e.Doubts {
		if message, known := doubtMessages[d]; known {
			if d == sizing.Flat && sized.Study != nil && sized.Study.Answer != nil {
				message = "size.doubt.flat.system"
			}
			all = append(all, l.T(message, locale.Values{
				"PerNode": e.Step.PerNode, "State": sizeBytes(unit.Bytes(e.Step.Parameters * sizing.StateBytes)), "Bytes": sizing.StateBytes,
			}))
		}
	}
	return append(all, sizeLogsDoubt(l, sized.Study)...)
}

// sizeAlgorithmName names an algorithm for all-reduce.
func sizeAlgorithmName(l locale.Locale, algorithm string) string {
	return l.T("algorithm." + algorithm)
}

// sizeLesson is the page that teaches an algorithm, if there are lessons.
func (f Frame) sizeLesson(algorithm string, workers int) string {
	const mostInALesson = 64
	for _, s := range sections() {
		if s.name == "learn" && workers <= mostInALesson && workers > 1 {
			return f.homeURL() + "learn/" + string(schedule.AllReduce) + "/" + algorithm
		}
	}
	return ""
}
