package present

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
)

// facts lists what the run was asked and what came out.
func (s *sight) facts() []views.Fact {
	l, r := s.Locale, s.Run
	var facts []views.Fact
	add := func(message, value string) {
		if value != "" {
			facts = append(facts, views.Fact{Name: l.T(message), Values: []string{value}})
		}
	}
	if t := r.Times; t != nil {
		values := locale.Values{"Median": duration(unit.Seconds(t.Median)), "Min": duration(unit.Seconds(t.Min)), "P95": duration(unit.Seconds(t.P95))}
		message := "run.fact.times.once"
		if r.Iterations > 1 {
			message = tailWord(r.Iterations, "run.fact.times.text", "run.fact.times.few")
			values["Count"] = r.Iterations
		}
		add("run.fact.times", l.T(message, values))
	}
	if r.Predicted > 0 {
		add("run.fact.predicted", l.T("run.fact.predicted.text", locale.Values{"Time": duration(unit.Seconds(r.Predicted))}))
	}
	if r.Library != nil && r.Library.Whole != nil {
		add("run.fact.whole", l.T("run.fact.whole.text", locale.Values{"Time": duration(unit.Seconds(r.Library.Whole.Median)), "Calls": r.Slices}))
	}
	if r.AlgBW > 0 {
		add("run.fact.algbw", unit.Rate(r.AlgBW*1e9).String())
	}
	if r.Outcome == trace.Done && r.Verified {
		add("run.fact.verified", l.T("run.fact.verified.text"))
	}
	if r.Root != nil {
		add("run.fact.root", l.T("run.rank", locale.Values{"Rank": *r.Root}))
	}
	switch {
	case len(r.NodeNames) > 0:
		add("run.fact.placed", s.placed())
	case s.Schedule != nil && s.Schedule.RanksPerNode > 0:
		perNode := s.Schedule.RanksPerNode
		add("run.fact.nodes", l.T("run.fact.nodes.text", locale.Values{"PerNode": perNode, "Count": (r.Ranks + perNode - 1) / perNode}))
	}
	add("run.fact.link", linkWords(l, r))
	add("run.fact.pace", paceWords(l, r.Pace))
	add("run.fact.iterations", l.T("run.fact.iterations.text", locale.Values{"Iterations": r.Iterations, "Warmups": r.Warmups()}))
	if r.Slices > 0 && r.Algorithm != schedule.LibraryCall { // whose calls the link says
		add("run.fact.slices", fmt.Sprint(r.Slices))
	}
	switch {
	case r.Collective == schedule.Barrier:
	case r.Collective.Reduces():
		add("run.fact.dtype", string(r.DType)+" "+string(r.Op))
	default:
		add("run.fact.dtype.only", string(r.DType))
	}
	if r.Imported {
		add("run.fact.schedule", l.T("run.fact.schedule.file", locale.Values{"Name": r.Algorithm}))
	}
	if r.ScheduleHash != "" {
		add("run.fact.hash", r.ScheduleHash[:min(len(r.ScheduleHash), 12)])
	}
	if r.Outcome.Final() {
		add("run.fact.events", fmt.Sprint(r.Events))
	}
	return facts
}

// linkWords says what connected the ranks.
func linkWords(l locale.Locale, r trace.Run) string {
	switch {
	case r.Link == trace.Shm:
		return l.T("run.fact.link.shm")
	case r.Backend == trace.MPI && r.Algorithm == schedule.LibraryCall && r.Slices <= 1:
		return l.T("run.fact.link.mpi.once", locale.Values{"Library": libraryName(r)})
	case r.Backend == trace.MPI && r.Algorithm == schedule.LibraryCall:
		return l.T("run.fact.link.mpi.call", locale.Values{"Library": libraryName(r), "Calls": r.Slices})
	case r.Backend == trace.MPI:
		return l.T("run.fact.link.mpi", locale.Values{"Library": libraryName(r)})
	case r.Link != trace.TCP:
		return string(r.Link)
	case r.Encryption == trace.Sealed:
		return l.T("run.fact.link.sealed")
	case r.Encryption == trace.Plain:
		return l.T("run.fact.link.plain")
	}
	return l.T("run.fact.link.tcp")
}

// libraryName is the library that moved a run's bytes, MPI as long as it has not
// said which it is.
func libraryName(r trace.Run) string {
	if r.Library == nil {
		return "MPI"
	}
	return libraryWords(*r.Library)
}

// placed says which ranks were on which node.
func (s *sight) placed() string {
	ranks := make([][]int, len(s.Run.NodeNames))
	for rank := range s.Run.Ranks {
		node := s.Run.NodeOf(rank)
		ranks[node] = append(ranks[node], rank)
	}
	all := make([]string, len(ranks))
	for i, node := range s.Run.NodeNames {
		all[i] = s.Locale.T("run.fact.placed.text", locale.Values{"Node": node, "Ranks": s.rankList(ranks[i])})
	}
	return clauses(s.Locale, all...)
}

// request is the run as the form of /runs/new names it.
func request(r trace.Run) [][2]string {
	fields := [][2]string{
		{"collective", string(r.Collective)}, {"algorithm", r.Algorithm}, {"n", strconv.Itoa(r.Ranks)},
		{"iterations", strconv.Itoa(r.Iterations)},
	}
	if r.Collective != schedule.Barrier {
		fields = append(fields, [2]string{"size", compact(r.Size)})
	}
	if r.Root != nil {
		fields = append(fields, [2]string{"root", strconv.Itoa(*r.Root)})
	}
	if r.PerNode > 0 {
		fields = append(fields, [2]string{"ranks-per-node", strconv.Itoa(r.PerNode)})
	}
	if r.Collective != schedule.Barrier {
		fields = append(fields, [2]string{"dtype", string(r.DType)})
	}
	if r.Collective.Reduces() {
		fields = append(fields, [2]string{"op", string(r.Op)})
	}
	for _, node := range r.NodeNames {
		fields = append(fields, [2]string{"node", node})
	}
	if r.Encryption != "" {
		fields = append(fields, [2]string{"encryption", string(r.Encryption)})
	}
	if r.Backend == trace.Host {
		fields = append(fields, [2]string{"link", string(r.Link)})
	} else { // it chooses its links by itself
		fields = append(fields, [2]string{"backend", string(r.Backend)})
	}
	if r.Chunks > 0 {
		fields = append(fields, [2]string{"chunks", strconv.Itoa(r.Chunks)})
	}
	if r.Slices > 0 {
		fields = append(fields, [2]string{"slices", strconv.Itoa(r.Slices)})
	}
	switch {
	case r.Pace == nil || !r.Pace.Paced():
		fields = append(fields, [2]string{"pace", "none"})
	case r.Pace.Step:
		fields = append(fields, [2]string{"pace", "step"})
	default:
		fields = append(fields, [2]string{"pace", "rate"})
	}
	if r.Pace != nil && r.Pace.Rate > 0 {
		fields = append(fields, [2]string{"rate", exactRate(r.Pace.Rate)})
	}
	return fields
}

// compact prints a size as it is typed.
func compact(b unit.Bytes) string { return strings.ReplaceAll(b.String(), " ", "") }

// exactRate prints a rate so that reading it gives it back.
func exactRate(r unit.Rate) string {
	if text := strings.ReplaceAll(r.String(), " ", ""); same(text, r) {
		return text
	}
	return strconv.FormatFloat(float64(r), 'f', -1, 64) + "B/s"
}

func same(text string, r unit.Rate) bool {
	read, err := unit.ParseRate(text)
	return err == nil && read == r
}

// again offers the same run once more, and the form to change it; nil for a
// run whose schedule came from a file, which no form takes.
func (s *sight) again() *views.RunForm {
	if s.Run.Imported {
		return nil
	}
	form := &views.RunForm{Action: views.RunAction{URL: s.homeURL() + "runs", Label: s.Locale.T("run.again")}}
	query := url.Values{}
	for _, field := range request(s.Run) {
		form.Action.Fields = append(form.Action.Fields, views.RunField{Name: field[0], Value: field[1]})
		query.Add(field[0], field[1]) // several nodes
	}
	change := url.URL{Path: s.homeURL() + "runs/new", RawQuery: query.Encode()}
	form.Change = change.String()
	return form
}

// maxLabRows is the most ranks that have a row of buttons each.
const maxLabRows = 8

// lab offers to disturb a rank.
func (s *sight) lab() *views.RunLab {
	l := s.Locale
	lab := &views.RunLab{URL: s.runURL(s.Run.ID) + "/signal"}
	name := func(rank int) string { return l.T("run.rank", locale.Values{"Rank": rank}) }
	if s.Run.Ranks > maxLabRows {
		for rank := range s.Run.Ranks {
			lab.Pick = append(lab.Pick, views.RunField{Name: name(rank), Value: strconv.Itoa(rank)})
		}
		lab.Ranks = []views.RunLabRank{{Signals: signals(l, "")}}
		return lab
	}
	for rank := range s.Run.Ranks {
		lab.Ranks = append(lab.Ranks, views.RunLabRank{Rank: strconv.Itoa(rank), Name: name(rank), Signals: signals(l, name(rank))})
	}
	return lab
}

// signals are the buttons of one rank, or of one to be picked.
func signals(l locale.Locale, rank string) (buttons []views.RunSignal) {
	for _, signal := range []struct {
		of      trace.Signal
		message string
	}{{trace.Freeze, "run.lab.freeze"}, {trace.Slow, "run.lab.slow"}, {trace.Resume, "run.lab.resume"}, {trace.Kill, "run.lab.kill"}} {
		button := views.RunSignal{Value: string(signal.of), Label: l.T(signal.message), Name: l.T(signal.message)}
		if rank != "" {
			button.Name = l.T("run.lab.name", locale.Values{"Signal": button.Label, "Rank": rank})
		}
		buttons = append(buttons, button)
	}
	return buttons
}
