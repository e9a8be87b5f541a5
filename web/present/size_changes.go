package present

import (
	"net/url"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
)

// sizeChanges presents what follows from another network.
func sizeChanges(l locale.Locale, s *site.Study) *views.SizeChanges {
	price, step := s.Public()
	c := &views.SizeChanges{
		Even: sizeEven(l, s), Logs: sizeLogsChanges(l, s), One: sizeWhat(l, s), Note: l.T("size.changes.note"),
		Before: views.SizeChange{What: l.T("size.changes.now"), One: sizeSpan(l, price), Factor: l.T("size.changes.times", locale.Values{"Factor": "1"})},
	}
	if s.Computes() {
		c.Before.Share = percentText(sizeShare(step.Time, s.Load.Compute))
	}
	if c.Logs != "" {
		c.Before.What = l.T("size.changes.now.public")
	}
	if c.Step = ""; !sizeSame(s) || s.Computes() {
		c.Step = l.T("size.changes.step")
		c.Before.Step = sizeStep(l, s, step)
	}
	for _, change := range s.Changes {
		factor := 1.0
		if price.Time > 0 { // else nothing can change
			factor = float64(change.Price.Time / price.Time)
		}
		row := views.SizeChange{
			What: sizeChangeName(l, change), One: sizeSpan(l, change.Price), Step: sizeStep(l, s, change.Step),
			Factor: l.T("size.changes.times", locale.Values{"Factor": significant(factor, 3)}), Slower: factor > 1.1,
		}
		if s.Computes() {
			row.Share = percentText(sizeShare(change.Step.Time, s.Load.Compute))
		}
		if id, known := sizeReasons[change.Reason]; known {
			row.Why = l.T(id)
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// sizeStep is the step's time: computing, then communication; communication
// alone where the computing is not known.
func sizeStep(l locale.Locale, s *site.Study, communication site.Span) views.SizeTime {
	return sizeSpan(l, communication.Plus(s.Load.Compute))
}

// sizeReasons say why nothing changes.
var sizeReasons = map[string]string{
	site.Inside: "size.reason.inside", site.BelowLeaf: "size.reason.below-leaf", site.NoReduce: "size.reason.no-reduce", site.LinksBind: "size.reason.links",
}

// sizeChangeMessages name the changes.
var sizeChangeMessages = map[site.ChangeKind]string{
	site.HalfNICs: "size.change.half", site.DoubleNICs: "size.change.double", site.LostNIC: "size.change.lost", site.OneRail: "size.change.one-rail",
	site.RailPerNIC: "size.change.rail-per-nic", site.Oversubscribed: "size.change.oversubscribed", site.InSwitchOn: "size.change.in-switch.on",
	site.InSwitchOff: "size.change.in-switch.off", site.FasterFabric: "size.change.faster",
}

func sizeChangeName(l locale.Locale, c site.Change) string {
	values := locale.Values{"Value": significant(c.Value, 4), "With": significant(c.With, 3), "Name": c.Name}
	switch c.Kind {
	case site.HalfNICs, site.DoubleNICs, site.LostNIC, site.RailPerNIC:
		values["Count"] = int(c.Value)
	}
	return l.T(sizeChangeMessages[c.Kind], values)
}

// sizeEven is the break-even in a sentence. The computing that the form starts
// with is nobody's, so nothing is concluded from it.
func sizeEven(l locale.Locale, s *site.Study) string {
	values := locale.Values{
		"Compute": sizeTime(s.Load.Compute), "Time": sizeTime(s.Step.Time), "Range": sizeSpanText(l, s.Step), "Most": site.MaxOversubscription,
		"Ratio": significant(s.Even.Oversubscription, 3), "Share": percentText(sizeShare(s.Step.Time, s.Load.Compute)),
	}
	alone := s.Load.Compute * unit.Seconds(s.Site.Ranks())
	if s.Computes() && sizeTime(alone) == sizeTime(exampleCompute()) {
		values["Alone"] = sizeTime(alone)
		return l.T("size.even.example", values)
	}
	switch s.Even.Standing {
	case site.Already:
		return l.T("size.even.already", values)
	case site.Turns:
		return l.T("size.even.turns", values)
	case site.Never:
		return l.T("size.even.never", values)
	case site.Sheltered:
		return l.T("size.even.sheltered", values)
	}
	return l.T("size.even.unknown")
}

// joinRange writes an interval with one unit where both ends have the same.
func joinRange(from, to string) string {
	low, lowUnit, _ := strings.Cut(from, " ")
	if _, highUnit, _ := strings.Cut(to, " "); lowUnit == highUnit {
		return low + "–" + to
	}
	return from + "–" + to
}

// values is the address of what was sized.
func (sized Sized) values() url.Values {
	values := SizeValues(sized.Estimate.Step)
	if sized.Study == nil {
		return values
	}
	set := func(name, text string) {
		values.Del(name)
		if text != "" {
			values.Set(name, text)
		}
	}
	whole := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	decimal := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	a := sized.Study.Ask
	set("system", a.System)
	set("machine", a.Machine)
	set("per_node", whole(a.PerNode))
	set("fabric", a.Fabric)
	set("nics", whole(a.NICs))
	set("rate", decimal(a.NICRate))
	set("rails", whole(a.Rails))
	set("oversubscription", decimal(a.Oversubscription))
	set("in_switch", string(a.InSwitch))
	if a.Latency != nil {
		set("alpha", strconv.FormatFloat(float64(*a.Latency)/1e3, 'f', -1, 64))
	}
	set("collective", string(sized.Study.Collective))
	if !sizeSame(sized.Study) && sized.Study.Collective != schedule.Barrier {
		set("size", strconv.FormatInt(int64(sized.Study.Size), 10))
	}
	return values
}

// sizeSiteAssumptions list what a study takes for granted.
func sizeSiteAssumptions(l locale.Locale, s *site.Study) []string {
	var all []string
	if s.Answer != nil {
		from := l.T("size.assume.measured")
		if s.Rests() {
			from = l.T("size.assume.machine", locale.Values{"Machine": s.Logs.Machine, "Kept": keptAt(s.Logs.Kept)})
		}
		all = append(all, from, l.T("size.assume.system", locale.Values{"System": s.Site.Name, "Source": s.Site.Source}))
		if len(s.Site.Doubtful) > 0 {
			all = append(all, l.T("size.assume.doubtful", locale.Values{"Fields": strings.Join(s.Site.Doubtful, ", ")}))
		}
	}
	return append(all, l.T("size.assume.shape"))
}

// reportSite lists what was asked of a cluster.
func reportSite(l locale.Locale, s *site.Study) []views.Fact {
	var facts []views.Fact
	add := func(message, value, from string) {
		if from != "" {
			value = l.T("size.report.from", locale.Values{"Value": value, "From": from})
		}
		facts = append(facts, views.Fact{Name: l.T(message), Values: []string{value}})
	}
	origin := func(f site.Figure) string { return l.T(sizeOrigins[f.From]) }
	if s.Site.System != "" {
		add("size.field.system", s.Site.Name, "")
	}
	if s.Logs != nil {
		add("size.field.machine", s.Logs.Machine, keptAt(s.Logs.Kept))
	}
	add("size.field.nics", significant(s.Site.NICs.Value, 4), origin(s.Site.NICs))
	add("size.field.rate", significant(s.Site.NICRate.Value, 4)+" Gb/s", origin(s.Site.NICRate))
	if s.Site.Rails.Value > 0 {
		add("size.field.rails", significant(s.Site.Rails.Value, 4), origin(s.Site.Rails))
	}
	add("size.field.oversubscription", significant(s.Site.Oversubscription.Value, 3)+":1", origin(s.Site.Oversubscription))
	if s.Site.System != "" {
		add("size.field.in-switch", l.T(reductionMessages[s.Site.InSwitch]), "")
	}
	add("size.field.collective", sizeWhat(l, s), "")
	return facts
}

// sizeOrigins name where figures come from.
var sizeOrigins = map[site.Origin]string{site.Catalogue: "size.origin.catalogue", site.Typed: "size.origin.typed", site.Assumed: "size.origin.assumed"}
