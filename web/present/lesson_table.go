package present

import (
	"fmt"

	"lockstep/views"
	"lockstep/views/draw"
)

// LessonTable is every step of a lesson, for the player to set on the nodes
// that the server has drawn: classes, texts, paths and transforms, all of them
// made here.
type LessonTable struct {
	Hash  string       `json:"hash"`
	Ranks int          `json:"ranks"` // contributors that make a cell whole: 1 where values are only moved
	Rows  int          `json:"rows"`
	Heat  [2]bool      `json:"heat"`   // the wide stage, the narrow one
	Level []string     `json:"levels"` // class of a heat-mapped cell by its number of contributors
	Time  float64      `json:"time_s"` // of the whole
	Who   []float64    `json:"who"`    // contributors of each cell at the start, as a sum of powers of two
	Steps []LessonStep `json:"steps"`
}

// LessonStep is one step of a LessonTable.
type LessonStep struct {
	Texts     map[string]string `json:"texts"`
	Place     string            `json:"place"` // in a form that fits other schedules
	Phase     int               `json:"phase"` // -1 at the start
	Changed   [][2]float64      `json:"changed,omitempty"`
	Final     []int             `json:"final,omitempty"` // cells that became final
	Scratch   []int             `json:"tmp,omitempty"`   // cells that show scratch space
	Wrong     []int             `json:"wrong,omitempty"` // cells that do not hold what they should
	Sends     []int             `json:"sends,omitempty"`
	Receives  []int             `json:"receives,omitempty"`
	Idle      []int             `json:"idle,omitempty"`  // ranks
	Notes     []string          `json:"notes,omitempty"` // beside the ranks' names
	Feet      []string          `json:"feet,omitempty"`  // below their cells
	Moves     [2][]LessonMove   `json:"moves"`           // on the wide stage, on the narrow one
	Invariant []views.Invariant `json:"invariants"`
	Costs     [][]string        `json:"costs"` // by row: this step, all so far
	Start     float64           `json:"start_s"`
	Latency   float64           `json:"latency_s"`
	End       float64           `json:"end_s"`
}

// LessonMove is one message of a step.
type LessonMove struct {
	D         string  `json:"d"`
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	Bare      bool    `json:"bare,omitempty"` // only a tip, no message
	Kind      string  `json:"kind,omitempty"` // one more class
	Block     int     `json:"block"`
	Mark      string  `json:"mark,omitempty"` // in place of the block's number
	Value     string  `json:"value,omitempty"`
	Wait      string  `json:"wait,omitempty"`
	Start     float64 `json:"start_s"`
	Delivered float64 `json:"delivered_s"`
}

// BuildLessonTable plays a lesson from beginning to end.
func BuildLessonTable(f Frame, r LessonRequest) (LessonTable, error) {
	t, err := openLesson(f, r, func(int, int) bool { return true })
	if err != nil {
		return LessonTable{}, err
	}
	table := LessonTable{Hash: t.f.schedule.Hash(), Ranks: t.f.grid.whole(), Rows: t.f.grid.rows, Time: float64(t.f.time),
		Heat: [2]bool{t.stage(0, false).Heat(), t.stage(0, true).Heat()}}
	for _, who := range t.f.steps[0].state.who {
		table.Who = append(table.Who, t.weight(who))
	}
	for have := range t.f.grid.whole() + 1 {
		table.Level = append(table.Level, draw.HeatClass(have, t.f.grid.whole()))
	}
	for i := range t.f.steps {
		table.Steps = append(table.Steps, t.row(i))
	}
	return table, nil
}

// weight is a set of ranks as a number that JSON carries exactly: the sum of
// powers of two up to 32 ranks, beyond only how many there are.
func (t teller) weight(who uint64) float64 {
	if t.f.grid.whole() > 32 {
		return float64(countBits(who))
	}
	return float64(who)
}

func (t teller) row(at int) LessonStep {
	step := &t.f.steps[at]
	label, sum := t.worked(at)
	place, name, next := t.phase(at)
	costs := t.costs(at)
	latency, _ := t.c.parts(step)
	row := LessonStep{
		Place: t.place(at), Phase: step.phase, Invariant: t.invariants(at), Idle: t.idle(at),
		Texts: map[string]string{
			"phase": place, "phaseName": name, "phaseNext": next, "count": t.count(at), "narration": t.narration(at),
			"sumLabel": label, "sum": sum, "sofar": costs.Head[1], "range": t.rangeText(at), "now": t.now(at),
			"title": t.title(at), "desc": t.describe(at), "port": t.portWord(at),
		},
		Start: float64(step.start), Latency: float64(latency), End: float64(step.end),
	}
	if at == 0 {
		row.Phase = -1
	}
	for _, r := range costs.Rows {
		row.Costs = append(row.Costs, r.Values[:2])
	}
	t.changes(&row, at)
	if t.f.schedule.Ranks <= drawnDigits+1 {
		for rank := range t.f.schedule.Ranks {
			row.Notes = append(row.Notes, t.cardNote(step, rank))
		}
	}
	if t.feet() {
		for rank := range t.f.schedule.Ranks {
			row.Feet = append(row.Feet, t.foot(step, rank))
		}
	}
	for i, narrow := range []bool{false, true} {
		row.Moves[i] = t.moves(at, narrow)
	}
	return row
}

// changes lists the cells that differ from the step before.
func (t teller) changes(row *LessonStep, at int) {
	after := t.f.steps[at].state
	for i := range after.who {
		if at > 0 && after.who[i] != t.f.steps[at-1].state.who[i] {
			row.Changed = append(row.Changed, [2]float64{float64(i), t.weight(after.who[i])})
		}
		if after.final[i] && (at == 0 || !t.f.steps[at-1].state.final[i]) {
			row.Final = append(row.Final, i)
		}
		if after.tmp[i] {
			row.Scratch = append(row.Scratch, i)
		}
		if after.wrong(i) {
			row.Wrong = append(row.Wrong, i)
		}
	}
	roles := t.roles(at)
	for i := range after.who {
		switch roles[i] {
		case draw.Sends:
			row.Sends = append(row.Sends, i)
		case draw.Receives:
			row.Receives = append(row.Receives, i)
		}
	}
}

// moves are the arrows of a step on one of the stages. Where they go needs no
// states of cells.
func (t teller) moves(at int, narrow bool) []LessonMove {
	s := t.ground(narrow)
	cells := make([]draw.BlockCell, t.f.grid.rows)
	for range t.f.schedule.Ranks {
		s.Cards = append(s.Cards, draw.Card{Cells: cells})
	}
	if !s.Arrows() {
		return nil
	}
	arrows := t.arrows(at, narrow)
	for _, a := range arrows {
		s.Moves = append(s.Moves, a.Move)
	}
	var all []LessonMove
	for i, p := range s.Paths() {
		a := arrows[i]
		mark := ""
		if a.Mark() != fmt.Sprint(a.Block) {
			mark = a.Mark()
		}
		all = append(all, LessonMove{D: p.D, X: p.X, Y: p.Y, Bare: p.Bare, Kind: p.Kind, Block: a.Block, Mark: mark, Value: a.Value, Wait: a.Wait,
			Start: float64(a.start), Delivered: float64(a.delivered)})
	}
	return all
}
