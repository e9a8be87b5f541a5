package present

import (
	"encoding/json"
	"math"

	"lockstep/engine/trace"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// liveTable is what the script of a run's page reads: static/js/run.js says
// the same in its types. It lets the script set the classes and texts of the
// drawing by looking them up.
type liveTable struct {
	Outcome    trace.Outcome `json:"outcome"`
	Ranks      int           `json:"ranks"`
	Rows       int           `json:"rows"`
	Rounds     int           `json:"rounds"`
	Slices     int           `json:"slices"`
	Warmups    int           `json:"warmups"`
	Iterations int           `json:"iterations"`
	// Needs is how many contributions a complete block has. Where Masks is
	// true a value of a cell has one bit for each of them, else it is their
	// number.
	Needs int  `json:"needs"`
	Masks bool `json:"masks"`
	// Levels is the class of a cell of a heat map by its number of
	// contributions; where Masks is true there is none.
	Levels []string `json:"levels"`
	// Start holds what the cells show before the first step, rank by rank:
	// value, and 1 for a final block.
	Start [][2]uint64 `json:"start"`
	// Steps are, in the order of the schedule: source, destination, round,
	// first row, rows, changes of cells, indices of the steps it waits for,
	// first row as the sender numbers it where that is another one.
	Steps [][]any `json:"steps"`
	// Ends, of a run that has ended, is when each step had left and had
	// arrived, in microseconds; -1 for never.
	Ends  [][2]int64        `json:"ends,omitempty"`
	Marks []int64           `json:"marks,omitempty"` // the end of each counted round, in microseconds, from 0
	Stale int64             `json:"stale,omitempty"` // see sight.stale, in milliseconds; 0 where nobody is said to wait
	Words map[string]string `json:"words"`
}

// script returns the table as JSON.
func (s *sight) script() json.RawMessage {
	t := s.table
	table := liveTable{
		Outcome: s.Run.Outcome, Ranks: t.ranks, Rows: t.rows, Rounds: t.rounds, Slices: s.at.slices,
		Warmups: s.Run.Warmups(), Iterations: s.Run.Iterations, Needs: t.needs, Words: s.scriptWords(),
	}
	cells, ticked := draw.GridDetail(t.ranks, t.rows)
	table.Masks = cells && ticked && t.needs > 1
	for have := range t.needs + 1 {
		table.Levels = append(table.Levels, draw.HeatClass(have, t.needs))
	}
	value := func(h blockHeld) [2]uint64 {
		v := [2]uint64{h.by}
		if !table.Masks {
			v[0] = uint64(min(h.count(), t.needs))
		}
		if h.final {
			v[1] = 1
		}
		return v
	}
	for _, h := range t.start {
		table.Start = append(table.Start, value(h))
	}
	for _, step := range t.steps {
		changes := [][3]uint64{}
		for _, c := range step.changes {
			v := value(c.to)
			changes = append(changes, [3]uint64{uint64(c.cell), v[0], v[1]})
		}
		row := []any{step.src, step.dst, step.round, step.row, step.count, changes}
		switch {
		case step.from != step.row:
			row = append(row, append([]int{}, step.gates...), step.from)
		case len(step.gates) > 0:
			row = append(row, step.gates)
		}
		table.Steps = append(table.Steps, row)
	}
	if s.waited() {
		table.Stale = s.stale().Milliseconds()
		for name, text := range s.waitWords() {
			table.Words["wait-"+name] = text
		}
	}
	if s.Run.Outcome.Final() {
		for i := range t.steps {
			ends := [2]int64{-1, -1}
			if s.at.left(i) {
				ends[0] = microseconds(s.at.sentAt[i].Seconds())
			}
			if s.at.arrived(i) {
				ends[1] = microseconds(s.at.gotAt[i].Seconds())
			}
			table.Ends = append(table.Ends, ends)
		}
		for _, end := range s.ends {
			table.Marks = append(table.Marks, microseconds(end.Seconds()))
		}
	}
	text, err := json.Marshal(table)
	if err != nil { // numbers and strings only
		panic(err)
	}
	return text
}

func microseconds(seconds float64) int64 { return int64(math.Ceil(seconds * 1e6)) }

// scriptWords are the texts that the script fills in.
func (s *sight) scriptWords() map[string]string {
	l := s.Locale
	words := s.words()
	place := locale.Values{"Iteration": "{iteration}", "Iterations": "{iterations}", "Step": "{step}", "Steps": "{steps}"}
	running := func(where string) string { return l.T("run.state.running", locale.Values{"Where": where}) }
	words["warmup"] = running(l.T("run.where.warmup", place))
	if whole := wholeCalls(s.Run); whole > 0 {
		place["Whole"] = whole
		words["warmup"] = running(l.T("run.where.warmup.whole", place))
	}
	words["running"] = running(l.T("run.where.step", place))
	words["queued"] = l.T("run.state.ahead", locale.Values{"Ahead": "{ahead}"})
	words["next"] = l.T("run.state.next")
	words["starting"] = l.T("run.state.starting", locale.Values{"Count": s.Run.Ranks})
	words["elapsed"] = l.T("run.progress.elapsed", locale.Values{"Time": "{time}"})
	words["left"] = l.T("run.progress.left", locale.Values{"Time": "{time}", "Left": "{left}"})
	words["replay"] = l.T("run.replay.at", locale.Values{"Step": "{step}", "Steps": "{steps}", "Time": "{time}"})
	words["play"], words["pause"] = l.T("run.replay.play"), l.T("run.replay.pause")
	words["lost"] = l.T("run.live.lost")
	return words
}
