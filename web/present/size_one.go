package present

import (
	"math"
	"net/url"
	"slices"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
)

// sizeSame reports whether the collective asked for is the step's own.
func sizeSame(s *site.Study) bool {
	return s.Collective == schedule.AllReduce && s.Size == s.Load.Gradients
}

// sizeOne presents one collective on a site.
func (f Frame) sizeOne(l locale.Locale, s *site.Study) *views.SizeOne {
	o := &views.SizeOne{
		Title: l.T("size.one", locale.Values{"What": sizeWhat(l, s)}), Setting: sizeSite(l, s.Site),
		Lead: sizeSpans(sizeOneLead(l, s)), Grade: sizeGradeOf(l, s.Price.Grade), Parts: sizeParts(l, s), Lessons: true,
		WaysNote: l.T("size.ways.note", locale.Values{"Rate": s.Site.Port.Bandwidth.String(), "Bits": bits(s.Site.Port.Bandwidth), "Latency": sizeLatency(s.Site.Port.Latency)}),
	}
	o.Figures = shownFigures(f.sizeOneFigures(l, s))
	if s.Answer == nil {
		o.Missing = l.T("size.one.missing")
	} else {
		for _, w := range s.Answer.Warnings {
			if text := sizeLogWarning(l, w.Code, w.Values); text != "" {
				o.Warnings = append(o.Warnings, text)
			} else if id, known := sizeWarnings[w.Code]; known {
				values := sizeValuesOf(w.Values)
				for _, name := range []string{"Collective", "Relative"} {
					if c, is := values[name].(string); is {
						values[name] = collectiveName(l, schedule.Collective(c))
					}
				}
				o.Warnings = append(o.Warnings, l.T(id, values))
			} else {
				o.Warnings = append(o.Warnings, l.T("size.warn.guessed", locale.Values{"Message": w.Message}))
			}
		}
		for _, near := range s.Answer.Nearest {
			o.Nearest = append(o.Nearest, sizeNear(l, near))
		}
	}
	f.sizeWays(l, s, o)
	return o
}

// sizeOneFigures are the numbers of one collective that stand out.
func (f Frame) sizeOneFigures(l locale.Locale, s *site.Study) []figure {
	n, formula := s.Site.Ranks(), "#ways"
	if len(sizeKnownParts(s)) > 0 {
		formula = "#one-formula"
	}
	all := []figure{{sizeNumber(l.T("size.one.time"), sizeTime(s.Price.Time), sizeSpanText(l, s.Price), formula), amountSpan(s.Price)}}
	if t := cost.ThroughputIn(s.Collective, n, s.Size, s.Price.Time); t.Time > 0 {
		low, high := cost.ThroughputIn(s.Collective, n, s.Size, s.Price.High), cost.ThroughputIn(s.Collective, n, s.Size, s.Price.Low)
		bandwidths := f.homeURL() + "learn/bandwidth?" + url.Values{"collective": {string(s.Collective)}, "n": {strconv.Itoa(min(n, lessonMaxRanks))}, "size": {compactBytes(s.Size)}}.Encode()
		rate := func(label string, v, low, high unit.Rate) figure {
			return figure{sizeNumber(label, sizeRate(v), sizeRates(low, high), bandwidths), amount(float64(v), "B/s").Between(float64(low), float64(high))}
		}
		all = append(all, rate(l.T("size.one.busbw"), t.Bus, low.Bus, high.Bus), rate(l.T("size.one.algbw"), t.Alg, low.Alg, high.Alg))
	}
	return append(all, figure{SizeFigure: sizeNumber(l.T("size.grade"), string(s.Price.Grade), l.T(sizeGradeShort[s.Price.Grade]), "")})
}

// sizeWhat is a collective with its size.
func sizeWhat(l locale.Locale, s *site.Study) string {
	name := capital(collectiveName(l, s.Collective))
	if s.Collective == schedule.Barrier {
		return name
	}
	return l.T("size.one.what", locale.Values{"Name": name, "Size": sizeBytes(s.Size)})
}

// sizeOneLead is the conclusion in a sentence.
func sizeOneLead(l locale.Locale, s *site.Study) string {
	values := locale.Values{
		"What": sizeWhat(l, s), "Count": s.Site.Ranks(), "Time": sizeTime(s.Price.Time), "Range": sizeSpanText(l, s.Price), "Site": sizeSite(l, s.Site),
	}
	if auto := s.Auto(); auto != nil {
		values["Algorithm"] = algorithmName(l, auto.Algorithm)
	}
	if s.Answer == nil {
		return l.T("size.one.lead.formula", values)
	}
	values["Algorithm"] = algorithmName(l, s.Answer.Algorithm)
	if s.Answer.Machine != "" {
		values["Machine"] = s.Answer.Machine
		return l.T("size.one.lead.machine", values)
	}
	return l.T("size.one.lead.system", values)
}

// sizeGradeShort says in a few words what a grade rests on; sizeGrades in a
// sentence.
var (
	sizeGradeShort = map[measured.Grade]string{
		measured.Own: "size.grade.a.short", measured.Sibling: "size.grade.b.short", measured.Related: "size.grade.c.short", measured.Physics: "size.grade.d.short",
	}
	sizeGrades = map[measured.Grade]string{
		measured.Own: "size.grade.a", measured.Sibling: "size.grade.b", measured.Related: "size.grade.c", measured.Physics: "size.grade.d",
	}
)

func sizeGradeOf(l locale.Locale, g measured.Grade) views.SizeGrade {
	v := views.SizeGrade{Says: l.T(sizeGrades[g])}
	for _, other := range []measured.Grade{measured.Own, measured.Sibling, measured.Related, measured.Physics} {
		v.All = append(v.All, l.T(sizeGrades[other]))
	}
	return v
}

// sizeWarnings are the doubts of a prediction that are said in both languages.
var sizeWarnings = map[string]string{
	"shape-oversubscribed": "size.warn.oversubscribed",
	"shape-below-leaf":     "size.warn.below-leaf",
	"shape-nics":           "size.warn.nics",
	"guessed-gpu":          "size.warn.gpu",
	"guessed-network":      "size.warn.network",
	"guessed-nic-rate":     "size.warn.nic-rate",
	"guessed-link":         "size.warn.link",
	"borrowed":             "size.warn.borrowed",
	"beyond-ranks":         "size.warn.beyond-ranks",
	"beyond-size":          "size.warn.beyond-size",
}

// sizeValuesOf are the values of a message, by the names that messages use.
func sizeValuesOf(values map[string]string) locale.Values {
	all := locale.Values{}
	for name, value := range values {
		all[capital(name)] = value
	}
	return all
}

// sizePartMessages are the parts of a measured system's time: name, formula,
// where.
var sizePartMessages = map[string][3]string{
	"launch":         {"size.part.launch", "size.part.launch.formula", "size.part.launch.where"},
	"latency-inside": {"size.part.inside", "size.part.inside.formula", "size.part.inside.where"},
	"latency-across": {"size.part.across", "size.part.across.formula", "size.part.across.where"},
	"pipeline":       {"size.part.pipeline", "size.part.pipeline.formula", "size.part.pipeline.where"},
	"bytes":          {"size.part.bytes", "size.part.bytes.formula", "size.part.bytes.where"},
	"own-log":        {"size.part.own-log", "size.part.own-log.formula", "size.part.own-log.where"},
}

// sizeKnownParts are the parts of a measured system's time that have words: a
// report of a later program may have others. There are none where nothing was
// measured.
func sizeKnownParts(s *site.Study) []measured.Term {
	if s.Answer == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Answer.Terms), func(t measured.Term) bool {
		_, known := sizePartMessages[t.Name]
		return !known
	})
}

// sizeParts opens a measured system's time to its formula.
func sizeParts(l locale.Locale, s *site.Study) []views.SizePart {
	var all []views.SizePart
	for _, t := range sizeKnownParts(s) {
		messages := sizePartMessages[t.Name]
		values := sizeValuesOf(t.Values)
		for _, name := range []string{"Each", "Size"} {
			if text, is := values[name].(string); is {
				values[name] = formulaText(l, text)
			}
		}
		p := views.SizePart{Name: l.T(messages[0]), Time: sizeTime(t.Time), Share: sizePartShare(float64(t.Time / s.Answer.Time)), Formula: l.T(messages[1], values), Where: l.T(messages[2], values)}
		if x, narrowed := t.Values["ratio"]; narrowed {
			p.Where = l.T("size.part.bytes.narrowed", locale.Values{"Where": p.Where, "Ratio": x})
		}
		all = append(all, p)
	}
	return all
}

// sizePartShare is a part's share of a time, which a log may make shorter.
func sizePartShare(v float64) string {
	if v < 0 {
		return sizeOff(v)
	}
	return percentText(v)
}

func sizeNear(l locale.Locale, n measured.Neighbour) views.SizeNear {
	return views.SizeNear{
		Name: n.GPU, Size: n.Size.String(), Source: n.Source, URL: n.URL,
		Shape:    l.T("size.near.shape", locale.Values{"Name": capital(collectiveName(l, n.Collective)), "Ranks": n.Ranks, "Nodes": n.Nodes, "ID": n.ID}),
		Measured: l.T("size.near.value", locale.Values{"Time": sizeTime(n.Time), "Bus": sizeRate(unit.Rate(n.BusBW * 1e9))}),
		Told:     l.T("size.near.off", locale.Values{"Time": sizeTime(n.Predicted), "Off": sizeOff(float64(n.Predicted/n.Time) - 1)}),
		Distance: significant(n.Distance, 2),
	}
}

// sizeRate prints a bandwidth in GB/s to three digits.
func sizeRate(r unit.Rate) string {
	const half = 1e-9 // of itself: 1e9 less what rounding leaves is 1 GB/s
	return sized(float64(r)*(1+half), 3, []step{{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}})
}

// sizeRates prints an interval of bandwidths.
func sizeRates(low, high unit.Rate) string {
	from, to := sizeRate(low), sizeRate(high)
	if from == to {
		return from
	}
	return joinRange(from, to)
}

// percentText prints a share to two digits.
func percentText(v float64) string {
	switch {
	case v > 0 && v < 0.001:
		return "< 0.1%"
	case v > 0.99 && v < 1:
		return "> 99%"
	}
	return significant(100*v, 2) + "%"
}

// sizeOff prints a difference as a share.
func sizeOff(v float64) string {
	switch v = math.Round(v * 100); {
	case v > 0:
		return "+" + significant(v, 3) + "%"
	case v < 0:
		return "−" + significant(-v, 3) + "%"
	}
	return "0%"
}

// sizeSite is a site in a line.
func sizeSite(l locale.Locale, s site.Site) string {
	text := l.T("size.site.plain", locale.Values{"Count": s.Nodes, "PerNode": int(s.PerNode.Value)})
	if s.System != "" {
		text = l.T("size.site.system", locale.Values{"Nodes": s.Nodes, "Name": s.Name, "Ranks": s.Ranks()})
	}
	if s.Oversubscription.Value > 1 {
		text = l.T("size.site.narrowed", locale.Values{"Site": text, "Ratio": significant(s.Oversubscription.Value, 3)})
	}
	return text
}
