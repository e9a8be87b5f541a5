package present

import (
	"fmt"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Watched is a run as it stands at one moment.
type Watched struct {
	Run      trace.Run
	Schedule *schedule.Schedule // nil where this version would build another one
	Rounds   []unit.Seconds     // the predicted end of each counted round, nil for none
	Events   []trace.Event      // of the latest iteration, or more
	Ahead    int                // runs that come first, while it is queued
	Took     []unit.Seconds     // of each counted iteration that has ended, in their order
	Quiet    time.Duration      // for how long nothing was heard of any rank, while it runs
	Here     bool               // queued or running in this process: it can be followed and ended
	Signals  bool               // ranks of it can be disturbed
	Now      time.Time
	Step     int // where the replay stands, 0 to the number of counted rounds; negative for the end
}

// sight is what the parts of a run's page are made of.
type sight struct {
	Frame
	Watched
	table *blockTable // nil where there is no grid
	at    *reached    // nil without schedule
	ends  []time.Duration
}

// RunPage presents a run.
func RunPage(f Frame, w Watched) views.Run {
	s := &sight{Frame: f, Watched: w}
	if w.Schedule != nil {
		s.at = reach(w.Schedule, w.Run.Slices, w.Events)
		if table, small := newBlockTable(w.Schedule); small {
			s.table = table
			s.ends = s.at.ends(table)
		}
	}
	l := f.Locale
	title := describeRun(l, w.Run)
	page := views.Run{
		Page:    f.page(l.T("run.title", locale.Values{"ID": w.Run.ID, "What": title})),
		Title:   title,
		Meta:    s.meta(),
		State:   views.Status{Kind: outcomeKinds[w.Run.Outcome], Word: s.state()},
		Grid:    s.grid(),
		Facts:   s.facts(),
		Doubts:  s.doubts(),
		Lags:    s.lags(),
		ListURL: f.homeURL() + "runs",
	}
	if s.table != nil {
		page.Steps = s.stepChart()
		if w.Run.Iterations == 1 {
			page.Port = s.portChart()
		}
	}
	page.Band = s.bandChart()
	if s.waited() {
		page.Waits = s.waitList()
	}
	if w.Run.Outcome == trace.Done || w.Run.Outcome == trace.Cancelled {
		page.Waited = s.waitSummary()
	}
	page.Figures, page.FigNote = s.figures()
	page.Done = s.progress()
	if w.Run.Failure != nil {
		page.Blame = s.blame()
	}
	switch {
	case w.Run.Outcome.Final():
		page.Again = s.again()
	case !w.Here:
		page.Notice = l.T("run.elsewhere")
	case f.Barred(account.Presenter):
	default:
		page.Cancel = &views.RunAction{URL: f.runURL(w.Run.ID) + "/cancel", Label: l.T("run.cancel")}
		if w.Run.Outcome == trace.Running && w.Signals {
			page.Lab = s.lab()
		}
	}
	if s.table != nil && (w.Here && !w.Run.Outcome.Final() || page.Grid.Replay != nil) {
		page.Live = &views.RunLive{Table: s.script()}
		if !w.Run.Outcome.Final() {
			page.Live.Socket = "/api/v1/runs/" + w.Run.ID + "/events"
			page.Live.Poll = "/api/v1/runs/" + w.Run.ID
		}
	}
	return page
}

func (f Frame) runURL(id string) string { return f.homeURL() + "runs/" + id }

// meta says what kind of run it is.
func (s *sight) meta() string {
	r := s.Run
	values := locale.Values{"ID": r.ID, "When": when(r.Created), "DType": string(r.DType), "Over": s.over()}
	full, paced := "run.meta", "run.meta.paced"
	if r.Collective == schedule.Barrier { // it has no elements
		full, paced = "run.meta.bare", "run.meta.bare.paced"
	}
	if r.Pace == nil || !r.Pace.Paced() {
		return s.Locale.T(full, values)
	}
	values["Pace"] = paceWords(s.Locale, r.Pace)
	return s.Locale.T(paced, values)
}

// over says where the ranks were and what connected them, in a word or two.
func (s *sight) over() string {
	switch r := s.Run; {
	case len(r.NodeNames) > 1:
		return s.Locale.T("run.over.nodes", locale.Values{"Nodes": len(r.NodeNames)})
	case len(r.NodeNames) == 1:
		return s.Locale.T("run.over.node", locale.Values{"Node": r.NodeNames[0]})
	case r.Link == trace.Shm:
		return s.Locale.T("run.over.shm")
	case r.Backend == trace.MPI:
		return s.Locale.T("run.over.mpi", locale.Values{"Library": libraryName(r)})
	}
	return s.Locale.T("run.over.tcp")
}

// when prints a moment in the time of the machine that serves.
func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

func paceWords(l locale.Locale, p *trace.Pace) string {
	switch {
	case p == nil || !p.Paced():
		return l.T("run.pace.none")
	case p.Step && p.Rate > 0:
		return l.T("run.pace.both", locale.Values{"Rate": p.Rate.String()})
	case p.Step:
		return l.T("run.pace.step")
	}
	return l.T("run.pace.rate", locale.Values{"Rate": p.Rate.String()})
}

// state says in one line how the run stands.
func (s *sight) state() string {
	l, r := s.Locale, s.Run
	switch r.Outcome {
	case trace.Queued:
		if s.Ahead == 0 {
			return l.T("run.state.next")
		}
		return l.T("run.state.queued", locale.Values{"Count": s.Ahead})
	case trace.Done:
		return l.T("run.state.done")
	}
	where := s.where()
	switch {
	case r.Outcome == trace.Running && where == "":
		return l.T("run.state.starting", locale.Values{"Count": r.Ranks})
	case r.Outcome == trace.Running:
		return l.T("run.state.running", locale.Values{"Where": where})
	case where == "":
		return l.T("outcome." + string(r.Outcome))
	case r.Outcome == trace.Failed:
		return l.T("run.state.failed", locale.Values{"Where": where})
	}
	return l.T("run.state.cancelled", locale.Values{"Where": where})
}

// where says how far the run has come, empty before every rank has begun.
func (s *sight) where() string {
	if s.at == nil || s.at.iteration() < 0 {
		return ""
	}
	at, warmups := s.at.iteration(), s.Run.Warmups()
	values := locale.Values{"Iteration": at - warmups + 1, "Iterations": s.Run.Iterations, "Step": 0, "Steps": 0}
	message := "run.where"
	if at < warmups {
		values["Iteration"], values["Iterations"] = at+1, warmups
		message = "run.where.warmup"
		if whole := wholeCalls(s.Run); whole > 0 {
			values["Whole"] = whole
			message = "run.where.warmup.whole"
		}
	}
	if s.table != nil && s.table.rounds > 0 {
		values["Step"], values["Steps"] = s.open(), s.table.rounds
		if message == "run.where" {
			message = "run.where.step"
		}
	}
	return s.Locale.T(message, values)
}

// wholeCalls is how many of a run's warm-ups are single calls of a library, to
// compare: nothing can be seen of those.
func wholeCalls(r trace.Run) int {
	if r.Algorithm == schedule.LibraryCall && r.Slices > 1 {
		return r.Iterations
	}
	return 0
}

// open is the first counted round that is not through, the last one where all
// are.
func (s *sight) open() int {
	for round := 1; round <= s.table.rounds; round++ {
		if s.ends[round] == 0 {
			return round
		}
	}
	return s.table.rounds
}

// progress says how much of the run is behind it.
func (s *sight) progress() views.RunProgress {
	l, r := s.Locale, s.Run
	elapsed := r.Elapsed(s.Now)
	done := views.RunProgress{Title: l.T("run.progress"), Share: "100"}
	switch {
	case r.Outcome == trace.Queued:
		done.Share, done.Text = "0", l.T("run.progress.waits")
		return done
	case r.Outcome.Final():
		if elapsed > 0 {
			done.Text = l.T("run.progress.took", locale.Values{"Time": roundedTime(elapsed)})
		}
		if r.Outcome != trace.Done {
			done.Share = hundredths(s.share())
		}
		return done
	}
	share := s.share()
	done.Now, done.Share = true, hundredths(share)
	done.Text = l.T("run.progress.elapsed", locale.Values{"Time": roundedTime(elapsed)})
	if share > 0.05 && elapsed > time.Second {
		left := time.Duration(float64(elapsed) * (1 - share) / share)
		done.Text = l.T("run.progress.left", locale.Values{"Time": roundedTime(elapsed), "Left": roundedTime(left)})
	}
	return done
}

// share returns how much of the run is behind it, 0 to 1.
func (s *sight) share() float64 {
	if s.at == nil || s.table == nil || s.at.iteration() < 0 {
		return 0
	}
	within := 0.0
	for _, share := range s.at.share(s.table) {
		within += share / float64(s.table.ranks)
	}
	return min((float64(s.at.iteration())+within)/float64(max(1, s.Run.Warmups()+s.Run.Iterations)), 1)
}

func hundredths(share float64) string { return significant(share*100, 3) }

// roundedTime prints a time that a person waits.
func roundedTime(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// figures are the numbers of the run, large.
func (s *sight) figures() (figures []views.RunFigure, note string) {
	l, r := s.Locale, s.Run
	if figures = s.lastBand(); figures != nil {
		return figures, ""
	}
	if r.Outcome == trace.Done && r.BusBW > 0 {
		value, name := splitQuantity(unit.Rate(r.BusBW * 1e9).String())
		figures = append(figures, views.RunFigure{Label: l.T("run.busbw"), Value: value, Unit: name})
		note = l.T("run.busbw.note", locale.Values{
			"Factor": significant(r.Collective.BusFactor(r.Ranks), 3), "Size": r.Size.String(), "Time": duration(unit.Seconds(r.Times.Median))})
		if r.Paced {
			note = sentences(l, note, l.T("run.busbw.paced"))
		}
	}
	if r.Predicted > 0 {
		if r.Times != nil && r.Times.Median > 0 {
			figures = append(figures, views.RunFigure{Label: l.T("run.ofpredicted"), Value: significant(r.Times.Median/r.Predicted*100, 3), Unit: "%"})
		} else {
			value, name := splitQuantity(duration(unit.Seconds(r.Predicted)))
			figures = append(figures, views.RunFigure{Label: l.T("run.predicted"), Value: value, Unit: name})
		}
	}
	return figures, note
}

// splitQuantity cuts a quantity into its number and its unit.
func splitQuantity(quantity string) (value, name string) {
	for i, c := range quantity {
		if c == ' ' {
			return quantity[:i], quantity[i+1:]
		}
	}
	return quantity, ""
}
