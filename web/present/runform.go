package present

import (
	"net/url"
	"strconv"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// RunDraft is the form for a run as it stands.
type RunDraft struct {
	Request    RunRequest
	Wrong      map[string]WrongField // by field
	Whole      string                // message about the whole, empty for none
	Plan       *trace.Plan           // nil where the request cannot be planned as it is
	Machine    inventory.Node
	LocalRanks int
	Nodes      []inventory.Member // of the cluster; none where there is none
	Offers     []trace.Offer      // of back ends; none where nobody says which there are

	Calibration *Calibration // nil where the machine cannot be calibrated
}

// NewRun presents the form.
func NewRun(f Frame, d RunDraft) views.NewRun {
	l, q := f.Locale, d.Request
	v := views.NewRun{
		Page:       f.page(l.T("run.new")),
		URL:        f.homeURL() + "runs",
		PreviewURL: f.homeURL() + "runs/new",
		Pairs:      pairs(l, q, d.Offers),
		Predicted:  f.predicted(d),
		Machine:    offers(l, d),
		Calibrated: f.calibrated(d.Calibration),
		Where:      f.runWhere(d),
		Backend:    f.runBackend(d),
	}
	for _, n := range q.notes {
		v.Notes = append(v.Notes, n.says(l))
	}
	if d.Whole != "" {
		v.Wrong = l.T(d.Whole)
	}
	for _, name := range []string{"backend", "algorithm"} {
		if w, bad := d.Wrong[name]; bad && (name != "backend" || v.Backend == nil) {
			v.Wrong = l.T(w.Message, w.Values)
		}
	}
	field := func(message, name, key, value, mode string, hint locale.Values) views.Field {
		made := views.Field{Name: key, Label: l.T(message), Value: value, Hint: l.T(message+".text", hint), Mode: mode}
		if w, bad := d.Wrong[name]; bad {
			made.Wrong = l.T(w.Message, w.Values)
			for _, fix := range w.Fixes {
				query := q.query()
				query.Set(key, fix)
				to := url.URL{Path: v.PreviewURL, RawQuery: query.Encode()}
				made.Fixes = append(made.Fixes, views.Fix{URL: to.String(), Label: l.T("run.fix", locale.Values{"Value": fix})})
			}
		}
		return made
	}
	v.Ranks = field("run.field.ranks", "ranks", "n", q.Ranks, "numeric", locale.Values{"Most": d.LocalRanks})
	if v.Where != nil {
		v.Ranks.Hint = l.T("nodes.where.ranks", locale.Values{"Here": d.LocalRanks, "Most": trace.MaxRanks})
	}
	v.Size = field("run.field.size", "size", "size", q.Size, "", nil)
	v.Root = field("run.field.root", "root", "root", q.Root, "numeric", nil)
	v.PerNode = field("run.field.nodes", "ranks_per_node", "ranks-per-node", q.PerNode, "numeric", nil)
	v.DType = selectField(l, d.Wrong["dtype"], "dtype", "run.field.dtype", schedule.DTypes(), schedule.DType(q.DType))
	v.Op = selectField(l, d.Wrong["op"], "op", "run.field.op", schedule.ReduceOps(), schedule.ReduceOp(q.Op))
	v.Link = selectField(l, d.Wrong["link"], "link", "run.field.link", trace.Links(), trace.Link(q.Link))
	if q.Collective == string(schedule.Barrier) {
		v.Size.Hint = l.T("run.field.size.barrier")
	}
	v.Chunks = field("run.field.chunks", "chunks", "chunks", q.Chunks, "numeric", nil)
	v.Iterations = field("run.field.iterations", "iterations", "iterations", q.Iterations, "numeric", locale.Values{"Most": trace.MaxIterations})
	v.Slices = field("run.field.slices", "slices", "slices", q.Slices, "numeric", locale.Values{"Most": trace.MaxSlices})
	v.Rate = field("run.field.rate", "rate", "rate", q.Rate, "", locale.Values{"Time": strconv.Itoa(watchedSeconds)})
	v.More = v.Root.Wrong != "" || v.PerNode.Wrong != "" || v.DType.Wrong != "" || v.Op.Wrong != "" || v.Link.Wrong != "" ||
		v.Iterations.Wrong != "" || v.Chunks.Wrong != "" || v.Slices.Wrong != "" ||
		schedule.Collective(q.Collective).Rooted() || q.Algorithm == "hierarchical" || q.PerNode != ""
	for _, choice := range []struct{ value, label, hint string }{
		{"none", "run.choice.none", "run.choice.none.text"},
		{"rate", "run.choice.rate", "run.choice.rate.text"},
		{"step", "run.choice.step", "run.choice.step.text"},
	} {
		chosen := q.Pace == choice.value || q.Pace == "" && choice.value == "none"
		v.Pace = append(v.Pace, views.Choice{Value: choice.value, Label: l.T(choice.label), Hint: l.T(choice.hint), Chosen: chosen})
	}
	if w, bad := d.Wrong["pace"]; bad {
		v.PaceWrong = l.T(w.Message, w.Values)
	}
	return v
}

// selectField is a field of which one of a few words is picked.
func selectField[T ~string](l locale.Locale, w WrongField, name, message string, words []T, chosen T) views.SelectField {
	f := views.SelectField{Name: name, Label: l.T(message), Hint: l.T(message + ".text")}
	for i, word := range words {
		f.Options = append(f.Options, views.Choice{Value: string(word), Label: string(word), Chosen: word == chosen || chosen == "" && i == 0})
	}
	if w.Message != "" {
		f.Wrong = l.T(w.Message, w.Values)
	}
	return f
}

// pairs lists what there is, by collective. What only the network can do is
// listed with the reason, and cannot be chosen.
// MPI's own call is listed where there is an MPI, or where it has been asked for.
func pairs(l locale.Locale, q RunRequest, offers []trace.Offer) []views.Pair {
	mpi := offerOf(offers, string(trace.MPI))
	call := mpi != nil && mpi.Missing == "" || q.Algorithm == schedule.LibraryCall
	var all []views.Pair
	var last schedule.Collective
	for _, e := range schedule.Catalog() {
		add := func(algorithm, label string) {
			all[len(all)-1].Algorithms = append(all[len(all)-1].Algorithms, views.Choice{
				Value: string(e.Collective) + "/" + algorithm, Label: label, Barred: algorithm == e.Algorithm && !e.Executable,
				Chosen: q.Collective == string(e.Collective) && q.Algorithm == algorithm,
			})
		}
		name := collectiveName(l, e.Collective)
		if e.Collective != last {
			last = e.Collective
			all = append(all, views.Pair{Name: name})
			add(engine.Auto, l.T("run.auto", locale.Values{"Collective": name}))
			if call {
				add(schedule.LibraryCall, l.T("run.pair.library", locale.Values{"Collective": name}))
			}
		}
		message := "run.pair"
		if !e.Executable {
			message = "run.pair.barred"
		}
		add(e.Algorithm, l.T(message, locale.Values{"Collective": name, "Algorithm": algorithmName(l, e.Algorithm)}))
	}
	return all
}

// predicted says what the run should cost, or why nobody knows.
func (f Frame) predicted(d RunDraft) views.Prediction {
	l := f.Locale
	p := views.Prediction{Text: l.T("run.predict.broken")}
	if d.Plan == nil {
		return p
	}
	if d.Plan.Algorithm == schedule.LibraryCall {
		p.Text = l.T("run.doubt.none.library")
		return p
	}
	p.Notes = doubts(l, d.Plan.Warnings)
	values := locale.Values{"Algorithm": algorithmName(l, d.Plan.Algorithm)}
	if d.Plan.Predicted == 0 {
		p.Text = l.T("run.predict.none", values)
		if d.Request.Backend == string(trace.MPI) {
			p.Text = l.T("run.predict.none.mpi", values)
		}
		if d.Request.Pace == "step" {
			p.Text = l.T("run.predict.step", values)
		}
		return p
	}
	iterations, err := strconv.Atoi(d.Request.Iterations)
	if err != nil {
		iterations = 1
	}
	p.Figure = duration(d.Plan.Predicted)
	p.Text = l.T("run.predict.one", values)
	if d.Request.Pace == "rate" && iterations > 1 {
		values["Iterations"] = iterations
		values["Time"] = roundedTime(time.Duration(float64(d.Plan.Predicted) * float64(iterations) * float64(time.Second)))
		p.Text = l.T("run.predict.many", values)
	}
	return p
}

// offers lists what this machine offers to a run.
func offers(l locale.Locale, d RunDraft) []views.Fact {
	facts := []views.Fact{{Name: l.T("home.machine.ranks"), Values: []string{l.T("home.machine.ranks.count", locale.Values{"Count": d.LocalRanks})}}}
	add := func(message, value string) {
		if value != "" {
			facts = append(facts, views.Fact{Name: l.T(message), Values: []string{value}})
		}
	}
	add("home.machine.host", d.Machine.Host)
	add("home.machine.cpu", d.Machine.CPU)
	if d.Machine.CPUs > 0 {
		add("home.machine.cpus", strconv.Itoa(d.Machine.CPUs))
	}
	if d.Machine.Memory > 0 {
		add("home.machine.memory", memory(d.Machine.Memory))
	}
	add("run.fact.link", l.T("run.fact.link.both"))
	if mpi := offerOf(d.Offers, string(trace.MPI)); mpi != nil && mpi.Library != nil {
		add("run.backend.mpi", libraryWords(*mpi.Library))
	}
	return facts
}

// RunsPage is a page of the list of runs.
type RunsPage struct {
	Runs     []trace.Run // newest first
	Older    bool        // there are runs before the last of these
	Compared bool        // ways to run can be compared here
	Before   string      // the ID that the page ends before, empty for the newest
}

// RunList presents the list.
func RunList(f Frame, p RunsPage) views.RunList {
	l := f.Locale
	v := views.RunList{
		Page:    f.page(l.T("run.list")),
		NewURL:  f.homeURL() + "runs/new",
		Example: f.homeURL() + "runs/new?" + RunRequest{}.Prefilled(4).query().Encode(),
	}
	if f.Barred(account.Presenter) {
		v.NewURL, v.Example = "", ""
	}
	if p.Compared {
		v.CompareURL = f.homeURL() + sweepPath
	}
	if p.Before != "" {
		v.Newer = f.homeURL() + "runs"
	}
	if p.Older && len(p.Runs) > 0 {
		v.Older = f.homeURL() + "runs?" + url.Values{"before": {p.Runs[len(p.Runs)-1].ID}}.Encode()
	}
	for _, r := range p.Runs {
		row := views.RunListRow{
			URL: f.runURL(r.ID), ID: r.ID, What: describeRun(l, r), When: when(r.Created),
			Outcome: views.Status{Kind: outcomeKinds[r.Outcome], Word: l.T("outcome." + string(r.Outcome))},
		}
		if r.Times != nil {
			row.Median = duration(unit.Seconds(r.Times.Median))
		}
		if r.BusBW > 0 {
			row.BusBW = unit.Rate(r.BusBW * 1e9).String()
		}
		if r.Paced && r.BusBW > 0 { // of a failed one there is no figure to explain
			row.Paced = l.T("home.runs.paced")
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}
