package present

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// phoneRanks is the most columns that a phone shows side by side.
const phoneRanks = 3

// grid presents who has what.
func (s *sight) grid() *views.RunGrid {
	l := s.Locale
	g := &views.RunGrid{Title: l.T("run.grid")}
	switch {
	case s.Schedule == nil:
		g.Note = l.T("run.grid.unknown")
		return g
	case s.table == nil:
		g.Note = l.T("run.grid.large", locale.Values{"Ranks": s.Schedule.Ranks, "Rows": s.Schedule.Chunks, "Most": maxGrid})
		return g
	}
	at := s.at
	if s.Run.Outcome == trace.Done {
		g.Replay, at = s.replay()
	}
	if s.Run.Outcome == trace.Failed || s.Run.Outcome == trace.Cancelled {
		g.Title, g.Sub, g.Stopped = l.T("run.grid.stopped"), l.T("run.grid.kept"), true
	} else {
		g.Sub = s.rowsMean()
	}
	tick := "run.legend.tick"
	if s.table.needs == 1 {
		tick = "run.legend.have"
	}
	g.Legend = []views.RunKey{{Shape: "tick", Word: l.T(tick)}, {Shape: "final", Word: l.T("run.legend.final")}}
	cells, words := draw.GridDetail(s.table.ranks, s.table.rows)
	if cells && !words {
		g.Legend[0] = views.RunKey{Shape: "bar", Word: l.T("run.legend.bar", locale.Values{"Needs": s.table.needs})}
	}
	grid := s.draw(at)
	if draw.GridNarrows(s.table.ranks) {
		grid.Narrow = true
		g.Narrow = grid.SVG()
		grid.Narrow = false
	} else if s.table.ranks > phoneRanks {
		g.Swipe = l.T("run.grid.swipe", locale.Values{"Ranks": s.table.ranks})
	}
	g.SVG = grid.SVG()
	heat := s.heatKeys(words)
	switch {
	case !cells:
		g.Legend = heat
	case g.Narrow != "":
		for i := range g.Legend {
			g.Legend[i].Only = views.OnWide
		}
		for _, key := range heat {
			key.Only = views.OnNarrow
			g.Legend = append(g.Legend, key)
		}
	}
	return g
}

// heatKeys is the legend of a grid that is a heat map; without words under its
// columns, marks stand there.
func (s *sight) heatKeys(words bool) []views.RunKey {
	l := s.Locale
	keys := []views.RunKey{
		{Shape: "heat", Word: l.T("run.legend.heat", locale.Values{"Needs": s.table.needs})},
		{Shape: "done", Word: l.T("run.legend.final")},
	}
	if s.table.needs == 1 {
		keys[0] = views.RunKey{Shape: "full", Word: l.T("run.legend.have")}
	}
	if words {
		return keys
	}
	keys = append(keys, views.RunKey{Shape: "rise", Word: l.T("run.legend.rise")})
	if !s.Run.Outcome.Final() || s.Run.Outcome == trace.Done { // which is played again
		keys = append(keys, views.RunKey{Shape: "coming", Word: l.T("run.legend.coming")},
			views.RunKey{Shape: "busy", Word: l.T("run.legend.busy")}, views.RunKey{Shape: "idle", Word: l.T("run.legend.idle")})
	}
	return keys
}

// rowsMean says what the rows of a column are, which depends on the
// collective: of some a rank begins or ends with its own block only.
func (s *sight) rowsMean() string {
	l, of := s.Locale, s.Schedule
	called := of.Algorithm == schedule.LibraryCall
	if called && s.table.rows == 1 {
		return l.T("run.grid.called")
	}
	text := l.T("rows."+string(of.Collective), locale.Values{"Last": s.table.rows - 1, "Root": max(of.Root, 0)})
	if k := of.ChunksPerBlock(); of.Collective.Blocks() && k > 1 {
		text = clauses(l, text, l.T("run.grid.pieces", locale.Values{"Pieces": k, "Rank": "r", "First": fmt.Sprintf("%d·r", k), "Last": fmt.Sprintf("%d·r+%d", k, k-1)}))
	}
	if called {
		text = clauses(l, text, l.T("run.grid.called"))
	}
	return text
}

// draw draws the grid as it stood.
func (s *sight) draw(at *reached) draw.BlockGrid {
	l, t := s.Locale, s.table
	held := at.cells(t)
	receive, send := at.lanes(t)
	shares := at.share(t)
	cause := s.culprits()
	final := 0
	grid := draw.BlockGrid{Title: l.T("run.grid.title", locale.Values{"Ranks": t.ranks, "Rows": t.rows})}
	for rank := range t.ranks {
		column := draw.GridColumn{
			Name: l.T("run.rank", locale.Values{"Rank": rank}), Share: shares[rank], Framed: cause[rank],
		}
		column.State, column.Lines = s.says(at, receive[rank], send[rank])
		if s.Run.Outcome == trace.Failed {
			column.State, column.Lines = s.saysStuck(rank)
		}
		for row := range t.rows {
			have := held[rank*t.rows+row]
			cell := draw.BlockCell{Rank: rank, Block: row, Final: have.final, Ticks: ticks(have, t.needs)}
			if have.final {
				final++
			}
			cell.Role = s.role(rank, row, receive[rank], send[rank])
			column.Cells = append(column.Cells, cell)
		}
		grid.Columns = append(grid.Columns, column)
	}
	grid.Desc = l.T("run.grid.desc", locale.Values{"Final": final, "All": t.wanted})
	return grid
}

// ticks says who has contributed; a block that is copied whole has one tick.
func ticks(have blockHeld, needs int) []draw.CellTick {
	all := make([]draw.CellTick, needs)
	for rank := range all {
		all[rank] = draw.TickOff
		if have.by>>rank&1 == 1 || needs == 1 && have.by != 0 {
			all[rank] = draw.TickOn
		}
	}
	return all
}

// role says whether a cell is what its rank receives or sends now.
func (s *sight) role(rank, row int, receive, send lane) draw.Role {
	receives := receive.step >= 0 && s.table.covers(s.table.steps[receive.step].row, s.table.steps[receive.step].count, row)
	sends := send.step >= 0 && s.table.covers(s.table.steps[send.step].from, s.table.steps[send.step].count, row)
	switch {
	case s.Run.Outcome == trace.Failed && receives && s.at.iteration() >= 0:
		// Only what the culprit holds up itself: the rest follows from it.
		if step, cause := s.table.steps[receive.step], s.culprits(); cause[step.src] || cause[step.dst] {
			return draw.RoleStuck
		}
		return draw.Idle
	case s.Run.Outcome.Final():
		return draw.Idle
	case s.Run.Outcome == trace.Queued || s.at.iteration() < 0:
		return draw.Idle
	case receives && receive.moves:
		return draw.Receives
	case sends && send.moves:
		return draw.Sends
	}
	return draw.Idle
}

// says tells what a rank does: what it receives, and what it sends.
func (s *sight) says(at *reached, receive, send lane) (draw.RankState, [2]string) {
	words := s.words()
	var lines [2]string
	switch {
	case s.Run.Outcome == trace.Queued || at.iteration() < 0 && !s.Run.Outcome.Final():
		return draw.RankWaits, lines
	case receive.step < 0 && send.step < 0:
		lines[0] = words["finished"]
		return draw.RankDone, lines
	}
	state := draw.RankMoves
	if receive.step >= 0 {
		step := s.table.steps[receive.step]
		word := "receives"
		if !receive.moves {
			word, state = "waits", draw.RankWaits
		}
		lines[0] = s.filled(words[word], step.row, step.count, step.src, receive.share)
	}
	if send.step >= 0 && send.moves {
		step := s.table.steps[send.step]
		lines[1] = s.filled(words["sends"], step.from, step.count, step.dst, send.share)
		state = draw.RankMoves
	}
	if receive.step < 0 && lines[1] == "" {
		state, lines[0] = draw.RankWaits, words["idle"]
	}
	return state, lines
}

// roomyRanks is the most columns that have room for whole words.
const roomyRanks = 4

// words are the texts under the columns, with names in braces to be filled in
// here or by the script.
func (s *sight) words() map[string]string {
	l := s.Locale
	blanks := locale.Values{"Block": "{block}", "Peer": "{peer}", "Share": "{share}"}
	words := map[string]string{
		"finished": l.T("run.line.finished"),
		"idle":     l.T("run.line.idle"),
		"receives": l.T("run.line.receives", blanks),
		"sends":    l.T("run.line.sends", blanks),
		"waits":    l.T("run.line.waits", blanks),
	}
	if s.Run.Algorithm == schedule.LibraryCall && !s.Run.Outcome.Final() { // what is left of a call cannot be seen
		words["finished"] = l.T("run.line.called")
	}
	if s.Run.Ranks <= roomyRanks {
		words["receives"], words["sends"] = l.T("run.line.receives.long", blanks), l.T("run.line.sends.long", blanks)
		words["waits"] = l.T("run.line.waits.long", blanks)
	}
	return words
}

// filled names the rows from the first on, and the peer.
func (s *sight) filled(words string, first, count, peer int, share float64) string {
	part := ""
	if share > 0 && share < 1 {
		part = fmt.Sprintf(" %.0f%%", share*100)
	}
	return strings.NewReplacer("{block}", s.rowNames(first, count), "{peer}", strconv.Itoa(peer), "{share}", part).Replace(words)
}

// rowNames names rows that lie one behind the other, the first behind the
// last.
func (s *sight) rowNames(first, count int) string {
	name := func(from, to int) string {
		if from == to {
			return strconv.Itoa(from)
		}
		return fmt.Sprintf("%d–%d", from, to)
	}
	last, rows := first+count-1, s.table.rows
	if last < rows {
		return name(first, last)
	}
	return name(first, rows-1) + ", " + name(0, last-rows)
}

// replay presents the player of the trace and what was reached where it
// stands: at the measured end of a step.
func (s *sight) replay() (*views.RunReplay, *reached) {
	last := s.table.rounds
	if last == 0 || len(s.Events) == 0 || s.ends[last] == 0 {
		return nil, s.at
	}
	step := s.Step
	if step < 0 || step > last {
		step = last
	}
	to := func(step int) string {
		here := url.URL{Path: s.runURL(s.Run.ID), RawQuery: url.Values{"step": {strconv.Itoa(step)}}.Encode(), Fragment: "grid"}
		return here.String()
	}
	r := &views.RunReplay{At: step, Steps: last, Text: s.Locale.T("run.replay.at", locale.Values{
		"Step": step, "Steps": last, "Time": roundedMoment(s.ends[step])})}
	if step > 0 {
		r.First, r.Prev = to(0), to(step-1)
	}
	if step < last {
		r.Next, r.Last = to(step+1), to(last)
	}
	if step == last {
		return r, s.at
	}
	at := s.ends[step]
	if step == 0 {
		at = -1
	}
	return r, s.at.until(at)
}

func roundedMoment(d time.Duration) string { return sized(d.Seconds()*1e9, 3, timeSteps) }

var timeSteps = []step{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}
