package present

import (
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// machineHere presents the console's own machine as it was calibrated.
func machineHere(f Frame, m Machines) *views.MachineHere {
	l := f.Locale
	v := &views.MachineHere{}
	if f.Runs && f.May(account.Presenter) {
		v.URL = f.homeURL() + "runs/new#calibration"
	}
	if m.Found == nil {
		v.Says = l.T("machines.here.none")
		return v
	}
	var before, after []float64
	type kind struct {
		link  trace.Link
		ranks int
	}
	var kinds []kind
	shares := map[kind][2][]float64{}
	for _, r := range m.Here {
		if r.Measured <= 0 {
			continue
		}
		k := kind{r.Link, r.Ranks}
		if _, known := shares[k]; !known {
			kinds = append(kinds, k)
		}
		was, is := missedBy(float64(r.Before/r.Measured)), missedBy(float64(r.After/r.Measured))
		shares[k] = [2][]float64{append(shares[k][0], was), append(shares[k][1], is)}
		before, after = append(before, was), append(after, is)
		v.Changed.Rows = append(v.Changed.Rows, views.DiagnoseCompared{
			What: l.T("machines.here.what", locale.Values{
				"Collective": collectiveName(l, schedule.Collective(r.Collective)), "Algorithm": algorithmName(l, r.Algorithm), "Count": r.Ranks, "Ranks": r.Ranks, "Link": linkName(l, r.Link),
			}),
			Size: r.Size.String(), Measured: sizeTime(r.Measured), Before: sizeTime(r.Before), BeforeOff: off(float64(r.Before / r.Measured)),
			After: sizeTime(r.After), AfterOff: off(float64(r.After / r.Measured)),
		})
	}
	v.Changed.Name = l.T("machines.here.rows")
	v.Says = l.T("machines.here.says", locale.Values{"When": keptAt(m.Found.Made), "Count": len(m.Found.Measured), "Before": medianOff(before), "After": medianOff(after)})
	v.How = l.T("machines.here.how", locale.Values{"Latency": sizeLatency(sizing.AssumedLatency), "Rate": sizing.AssumedBandwidth.String()})
	for _, k := range kinds {
		v.Kinds = append(v.Kinds, views.MachineKind{
			Link: linkName(l, k.link), Ranks: strconv.Itoa(k.ranks), Runs: strconv.Itoa(len(shares[k][0])),
			Before: medianOff(shares[k][0]), After: medianOff(shares[k][1]),
		})
	}
	return v
}

// linkName names a link between local ranks.
func linkName(l locale.Locale, link trace.Link) string {
	if id, known := machineLinkMessages[link]; known {
		return l.T(id)
	}
	return string(link)
}

var machineLinkMessages = map[trace.Link]string{trace.Shm: "machines.link.shm", trace.TCP: "machines.link.tcp"}

// machineLinks presents probes between nodes; nil for none.
func machineLinks(l locale.Locale, links []sizing.Probed) *views.MachineLinks {
	if len(links) == 0 {
		return nil
	}
	v := &views.MachineLinks{
		Says: l.T("machines.links.says"),
		How:  l.T("machines.here.how", locale.Values{"Latency": sizeLatency(sizing.AssumedLatency), "Rate": sizing.AssumedBandwidth.String()}),
		Size: sizing.ProbedSize.String(),
	}
	for _, p := range links {
		v.Rows = append(v.Rows, views.MachineLink{
			Way: l.T("machines.links.way", locale.Values{"From": p.From, "To": p.To}), Latency: sizeTime(p.Latency), Rate: p.Rate.String(),
			Before: sizeTime(p.Before), After: sizeTime(p.After), When: keptAt(p.Time),
		})
	}
	return v
}
