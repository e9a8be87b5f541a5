package present

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// SweepDraft is the page of comparisons as it stands.
type SweepDraft struct {
	Request    SweepRequest
	Wrong      map[string]WrongField // by field
	Whole      string                // message about the whole, empty for none
	LocalRanks int
	Offers     []trace.Offer // of back ends; none where nobody says which there are
	Saved      []sweep.Comparison
	Current    string // the comparison under way, empty for none
}

const sweepPath = "runs/compare"

// SweepURL is the address of a comparison.
func (f Frame) SweepURL(id string) string { return f.homeURL() + sweepPath + "/" + url.PathEscape(id) }

// Sweeps presents the form and the saved comparisons.
func Sweeps(f Frame, d SweepDraft) views.Sweeps {
	l := f.Locale
	v := views.Sweeps{Page: f.page(l.T("sweep.title"))}
	if d.Current != "" {
		v.Current = &views.SweepCurrent{Says: l.T("sweep.current"), URL: f.SweepURL(d.Current), Link: l.T("sweep.current.link", locale.Values{"ID": d.Current})}
	}
	if !f.Barred(account.Presenter) {
		v.Form = f.sweepForm(d)
	}
	for _, c := range d.Saved {
		var ways []string
		for i := range c.Request.Ways {
			ways = append(ways, wayName(l, c, i))
		}
		v.Rows = append(v.Rows, views.SweepRow{
			ID: c.ID, URL: f.SweepURL(c.ID), What: sweepWhat(l, c), Ways: listed(l, ways), When: when(c.Created), State: sweepState(l, c),
		})
	}
	return v
}

func (f Frame) sweepForm(d SweepDraft) *views.SweepForm {
	l, q := f.Locale, d.Request
	v := &views.SweepForm{URL: f.homeURL() + sweepPath}
	for _, n := range q.Run.notes {
		v.Notes = append(v.Notes, n.says(l))
	}
	if d.Whole != "" {
		v.Wrong = l.T(d.Whole)
	}
	for _, name := range []string{"algorithm", "root", "ranks_per_node", "link", "backend"} { // those without a field of their own
		if w, bad := d.Wrong[name]; bad {
			v.Wrong = l.T(w.Message, w.Values)
		}
	}
	v.Pairs = pairs(l, q.Run, nil)
	v.Pairs = slices.DeleteFunc(v.Pairs, func(p views.Pair) bool { return p.Name == collectiveName(l, schedule.Barrier) })
	field := func(message, name, key, value, mode string, hint locale.Values) views.Field {
		made := views.Field{Name: key, Label: l.T(message), Value: value, Hint: l.T(message+".text", hint), Mode: mode}
		if w, bad := d.Wrong[name]; bad {
			made.Wrong = l.T(w.Message, w.Values)
			for _, fix := range w.Fixes {
				query := q.query()
				query.Set(key, fix)
				to := url.URL{Path: v.URL, RawQuery: query.Encode()}
				made.Fixes = append(made.Fixes, views.Fix{URL: to.String(), Label: l.T("run.fix", locale.Values{"Value": fix})})
			}
		}
		return made
	}
	v.Ranks = field("run.field.ranks", "ranks", "n", q.Run.Ranks, "numeric", locale.Values{"Most": d.LocalRanks})
	v.From = field("sweep.field.from", "from", "from", q.From, "", nil)
	v.To = field("sweep.field.to", "to", "to", q.To, "", nil)
	v.Factor = field("sweep.field.factor", "factor", "factor", q.Factor, "numeric", locale.Values{"Most": sweep.MaxSizes})
	v.DType = selectField(l, d.Wrong["dtype"], "dtype", "run.field.dtype", schedule.DTypes(), schedule.DType(q.Run.DType))
	v.Op = selectField(l, d.Wrong["op"], "op", "run.field.op", schedule.ReduceOps(), schedule.ReduceOp(q.Run.Op))
	mpi := offerOf(d.Offers, string(trace.MPI))
	for _, way := range []struct{ value, label, hint string }{
		{wayHost, "sweep.choice.host", "sweep.choice.host.text"},
		{wayLibrary, "sweep.choice.library", "sweep.choice.library.text"},
		{wayOurs, "sweep.choice.ours", "sweep.choice.ours.text"},
	} {
		choice := views.Choice{Value: way.value, Label: l.T(way.label), Hint: l.T(way.hint), Chosen: slices.Contains(q.Ways, way.value)}
		if way.value != wayHost && mpi != nil && mpi.Missing != "" {
			choice.Barred, choice.Chosen, choice.Hint = true, false, lacking(*mpi).says(l)
		}
		v.Ways = append(v.Ways, choice)
	}
	if w, bad := d.Wrong["way"]; bad {
		v.NoWay = l.T(w.Message, w.Values)
	}
	return v
}

// sweepWhat says what a comparison is about.
func sweepWhat(l locale.Locale, c sweep.Comparison) string {
	return l.T("sweep.what", locale.Values{
		"Collective": collectiveName(l, c.Request.Base.Collective), "Ranks": c.Request.Base.Ranks, "Count": c.Request.Base.Ranks,
		"From": c.Request.Range.First.String(), "To": c.Request.Range.Last.String(),
	})
}

// sweepState says how a comparison stands.
func sweepState(l locale.Locale, c sweep.Comparison) views.Status {
	values := locale.Values{"Done": settled(c), "All": c.Request.Len()}
	switch c.State {
	case sweep.Running:
		if len(c.Points) == 0 {
			return views.Status{Kind: "run", Word: l.T("sweep.state.begun")}
		}
		return views.Status{Kind: "run", Word: l.T("sweep.state.running", values)}
	case sweep.Done:
		return views.Status{Kind: "ok", Word: l.T("sweep.state.done")}
	}
	if len(c.Points) == 0 {
		return views.Status{Kind: "off", Word: l.T("sweep.state.ended")}
	}
	return views.Status{Kind: "off", Word: l.T("sweep.state.stopped", values)}
}

// settled counts the points that nothing more is to be expected of.
func settled(c sweep.Comparison) int {
	n := 0
	for _, p := range c.Points {
		if p.Left != "" || p.Run.Outcome.Final() {
			n++
		}
	}
	return n
}

// wayLibraryOf is the library that a way was carried out by, as far as a run
// has said.
func wayLibraryOf(c sweep.Comparison, way int) string {
	for _, p := range c.Of(way) {
		if p.Run.Library != nil {
			return libraryName(p.Run)
		}
	}
	return "MPI"
}

// wayName is what a way is called in the table and the chart.
func wayName(l locale.Locale, c sweep.Comparison, i int) string {
	switch way := c.Request.Ways[i]; {
	case way.Backend == trace.Host && way.Algorithm == string(trace.Auto):
		return l.T("sweep.way.host")
	case way.Backend == trace.Host:
		return l.T("sweep.way.host.named", locale.Values{"Algorithm": algorithmName(l, way.Algorithm)})
	case way.Algorithm == schedule.LibraryCall:
		return wayLibraryOf(c, i)
	default:
		return l.T("sweep.way.ours", locale.Values{"Library": wayLibraryOf(c, i), "Algorithm": algorithmName(l, way.Algorithm)})
	}
}

// SweepPage presents a comparison. Watched says that it is under way in this
// process, and may is whether the visitor may stop it.
func SweepPage(f Frame, c sweep.Comparison, watched bool) views.Sweep {
	l := f.Locale
	d := c.Document()
	v := views.Sweep{
		Title: sweepWhat(l, c), State: sweepState(l, c), ListURL: f.homeURL() + sweepPath,
		Meta: l.T("sweep.meta", locale.Values{"ID": c.ID, "When": when(c.Created), "DType": string(d.DType), "Op": string(d.Op), "Factor": c.Request.Range.Factor}),
	}
	if !c.Request.Base.Collective.Reduces() {
		v.Meta = l.T("sweep.meta.plain", locale.Values{"ID": c.ID, "When": when(c.Created), "DType": string(d.DType), "Factor": c.Request.Range.Factor})
	}
	v.Page = f.page(v.Title)
	if watched {
		v.Live = &views.SweepLive{Poll: f.SweepURL(c.ID) + "/changes", Seq: SweepSeq(c)}
	}
	if !f.Barred(account.Presenter) {
		if watched {
			v.StopURL = f.SweepURL(c.ID) + "/stop"
		} else {
			v.AgainURL = f.homeURL() + sweepPath + "?" + again(c).query().Encode()
		}
	}
	names := make([]string, len(c.Request.Ways))
	for i := range names {
		names[i] = wayName(l, c, i)
		v.Notes = append(v.Notes, f.sweepNotes(c, i, names[i])...)
	}
	v.Ways = names
	v.Lead = sweepLead(l, c, names)
	v.Charts = sweepCharts(l, c, names)
	v.Rows = f.sweepRows(c)
	if len(v.Charts) > 0 {
		file := f.SweepURL(c.ID)
		v.Files = []views.SweepFile{{Name: "CSV", URL: file + "/points.csv"}, {Name: "JSON", URL: file + "/points.json"}}
		for _, chart := range v.Charts {
			v.Files = append(v.Files, views.SweepFile{Name: l.T("sweep.file.png", locale.Values{"Chart": chart.Title}), URL: file + "/" + chart.ID + ".png"})
		}
	}
	return v
}

// SweepSeq names what a page shows of a comparison.
func SweepSeq(c sweep.Comparison) string {
	return string(c.State) + "-" + strconv.Itoa(len(c.Points)) + "-" + strconv.Itoa(settled(c))
}

// sweepNotes says why a way has no figures, or not all.
func (f Frame) sweepNotes(c sweep.Comparison, way int, name string) []views.SweepNote {
	l := f.Locale
	for _, p := range c.Of(way) {
		switch {
		case p.Left == sweep.Refused:
			return []views.SweepNote{{Text: l.T("sweep.left.refused", locale.Values{"Way": name, "Reason": p.Says})}}
		case p.Run.Outcome == trace.Failed:
			return []views.SweepNote{{
				Text: l.T("sweep.left.failed", locale.Values{"Way": name, "Size": p.Run.Size.String()}),
				URL:  f.runURL(p.Run.ID), Link: l.T("sweep.left.run", locale.Values{"ID": p.Run.ID}),
			}}
		}
	}
	return nil
}

// sweepLead says what came out, in a sentence: the first way beside the second,
// where both have figures.
func sweepLead(l locale.Locale, c sweep.Comparison, names []string) string {
	if len(names) < 2 {
		return ""
	}
	ours, theirs := c.Of(0), c.Of(1)
	faster, both := 0, 0
	type pair struct {
		size  unit.Bytes
		ratio float64
	}
	var first, last pair
	for i := range min(len(ours), len(theirs)) {
		a, b := medianOf(ours[i]), medianOf(theirs[i])
		if a == 0 || b == 0 {
			continue
		}
		at := pair{ours[i].Run.Size, a / b}
		if both == 0 {
			first = at
		}
		last = at
		both++
		if a < b {
			faster++
		}
	}
	values := locale.Values{
		"A": names[0], "B": names[1], "Faster": faster, "Both": both,
		"Small": first.size.String(), "SmallRatio": significant(first.ratio, 2), "Large": last.size.String(), "LargeRatio": significant(last.ratio, 2),
	}
	switch both {
	case 0:
		return ""
	case 1:
		return l.T("sweep.lead.one", values)
	}
	return l.T("sweep.lead.many", values)
}

// medianOf is the median time of a point in seconds; 0 for none.
func medianOf(p sweep.Point) float64 {
	if p.Run.Outcome != trace.Done || p.Run.Times == nil {
		return 0
	}
	return p.Run.Times.Median
}

// sweepRows is the table: a row for each size that has begun.
func (f Frame) sweepRows(c sweep.Comparison) []views.SweepSize {
	l, ways := f.Locale, len(c.Request.Ways)
	var rows []views.SweepSize
	for i, size := range c.Request.Sizes() {
		if i*ways >= len(c.Points) {
			break
		}
		row := views.SweepSize{Size: size.String()}
		base := medianOf(c.Points[i*ways])
		for way := range ways {
			cell := views.SweepCell{Time: "–"}
			if at := i*ways + way; at < len(c.Points) {
				cell = f.sweepCell(l, c.Points[at], base, way)
			}
			row.Cells = append(row.Cells, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

func (f Frame) sweepCell(l locale.Locale, p sweep.Point, base float64, way int) views.SweepCell {
	if p.Left != "" {
		return views.SweepCell{Time: "–"}
	}
	cell := views.SweepCell{Time: l.T("outcome." + string(p.Run.Outcome)), URL: f.runURL(p.Run.ID)}
	median := medianOf(p)
	if median == 0 {
		return cell
	}
	cell.Time = duration(unit.Seconds(median))
	var more []string
	if p.Run.BusBW > 0 {
		more = append(more, perSecond(p.Run.BusBW))
	}
	if way > 0 && base > 0 {
		more = append(more, times(median/base))
	}
	cell.More = strings.Join(more, " · ")
	return cell
}
