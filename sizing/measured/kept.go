package measured

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

// Kept is a system of which somebody has kept logs under a name, so that
// predictions rest on what it really does. Rows are kept and not what was fitted
// to them: a later version of the model fits its own.
type Kept struct {
	Version int         `json:"version"`
	Name    string      `json:"name"`
	Made    time.Time   `json:"made"`
	By      string      `json:"by,omitempty"`
	Tables  []KeptTable `json:"tables"`
}

// KeptTable is one collective of a log, and the system that it ran on in words.
type KeptTable struct {
	File       string              `json:"file,omitempty"`
	Collective schedule.Collective `json:"collective"`
	GPU        string              `json:"gpu"`
	IntraLink  string              `json:"intra_link,omitempty"`
	InterLink  string              `json:"inter_link,omitempty"`
	InterGbps  float64             `json:"inter_gbits_per_s_per_node,omitempty"`
	ScaleUp    float64             `json:"scale_up_gbytes_per_s,omitempty"`
	Settings   string              `json:"settings,omitempty"`
	Ranks      int                 `json:"ranks"`
	Nodes      int                 `json:"nodes"`
	PerNode    int                 `json:"ranks_per_node"`
	Rows       []KeptRow           `json:"rows"`
}

// KeptRow is the best time of a size.
type KeptRow struct {
	Size unit.Bytes `json:"size_bytes"`
	Time float64    `json:"time_us"`
}

// Errors of what is kept.
var (
	ErrNoMachine   = errors.New("there is no such machine")
	ErrMachineName = errors.New("a machine's name has 1 to 60 letters, digits, blanks and - _ . and begins and ends with none of the last four")
)

// MaxMachineName is the length of a name, in bytes.
const MaxMachineName = 60

// CheckMachineName says whether a machine may be called so.
func CheckMachineName(name string) error {
	letter := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 0x7f && r != 0xfffd
	}
	if name == "" || len(name) > MaxMachineName || strings.Trim(name, " -_.") != name ||
		strings.ContainsFunc(name, func(r rune) bool { return !letter(r) && !strings.ContainsRune(" -_.", r) }) {
		return fmt.Errorf("%w; %q does not", ErrMachineName, name)
	}
	return nil
}

// Case is the table's collective on its system, of no size yet.
func (t KeptTable) Case() Case {
	return Case{Collective: t.Collective, System: hardware.Read(hardware.Words{
		GPU: t.GPU, IntraLink: t.IntraLink, InterLink: t.InterLink, InterGbpsPerNode: t.InterGbps, ScaleUpRate: t.ScaleUp, Settings: t.Settings,
		Ranks: t.Ranks, Nodes: t.Nodes, PerNode: t.PerNode,
	})}
}

func (t KeptTable) points() []Point {
	all := make([]Point, len(t.Rows))
	for i, r := range t.Rows {
		all[i] = Point(r)
	}
	return all
}

// recognise fits the model to a table.
func (l *Library) recognise(t KeptTable, points []Point) (Machine, error) {
	m, err := Recognise(&l.constants, t.Case(), points)
	if err != nil {
		return Machine{}, fmt.Errorf("fit the model to %s of %s: %w", t.Collective, t.File, err)
	}
	return m, nil
}

// Compared is a row of a kept table beside the model: before, and after it was
// fitted to all other rows of the table.
type Compared struct {
	Collective schedule.Collective `json:"collective"`
	Ranks      int                 `json:"ranks"`
	Size       unit.Bytes          `json:"size_bytes"`
	Measured   float64             `json:"measured_us"`
	Before     float64             `json:"before_us"`
	After      float64             `json:"after_us"`
}

// Compare says how much nearer the fitted model comes to a machine's rows. Each
// is predicted without having been seen.
func (l *Library) Compare(k Kept) ([]Compared, error) {
	var all []Compared
	for _, t := range k.Tables {
		points := t.points()
		if _, err := l.recognise(t, points); err != nil {
			return nil, err
		}
		for i, p := range points {
			c := t.Case()
			c.Size = p.Size
			row := Compared{t.Collective, t.Ranks, p.Size, p.Time, l.constants.Time(c).Total(), 0}
			row.After = row.Before
			if m, err := l.recognise(t, slices.Delete(slices.Clone(points), i, i+1)); err == nil { // with two rows the other says too little
				row.After = m.Time(&l.constants, c)
			}
			all = append(all, row)
		}
	}
	return all, nil
}

// AnswerOn is Answer for a machine of which logs are kept, priced as PriceOn
// says. Where no log bears on the case the answer is Answer's, and a warning
// says why.
func (l *Library) AnswerOn(k Kept, c Case) (Answer, error) {
	a := l.Answer(c)
	r, err := l.PriceOn(k, c)
	if err != nil {
		return a, err
	}
	v := trace.Values{"machine": k.Name, "why": string(r.Ground)}
	if !r.Ground.Rests() {
		a.Warnings = append(a.Warnings, trace.Warning{Code: "own-log-unused",
			Message: fmt.Sprintf("no log of %s bears on this: %s; it does not change the time", k.Name, unusedText[r.Ground]), Values: v})
		return a, nil
	}
	before, after := micro(r.Before), micro(r.Time)
	ratio := after / before
	a.Machine, a.Grade = k.Name, r.Grade
	if r.Ground == Seen {
		a.Warnings = slices.DeleteFunc(a.Warnings, ofDoubts)
	}
	a.Time, a.Low, a.High = after, micro(r.Low), micro(r.High)
	a.AlgBW, a.BusBW = a.AlgBW/float64(ratio), a.BusBW/float64(ratio)
	for i := range a.Alternatives {
		a.Alternatives[i].Time *= ratio
	}
	a.Choice = choice(a.Choice.Code, a.Alternatives)
	m := r.Fitted
	factors := trace.Values{"machine": k.Name, "latency": factor(m.Latency), "pipeline": factor(m.Pipeline), "bytes": factor(m.Bytes)}
	a.Terms = append(a.Terms, Term{Name: "own-log", Time: after - before, Where: k.Name, Values: factors,
		Formula: fmt.Sprintf("latency × %s, pipeline × %s, bytes × %s, and what the rows show beside", factors["latency"], factors["pipeline"], factors["bytes"])})
	least, most := r.Table.span()
	v["collective"], v["ranks"], v["small"], v["large"], v["before"] = string(r.Table.Collective), fmt.Sprint(r.Table.Ranks), least.String(), most.String(), before.String()
	a.Warnings = append(a.Warnings, trace.Warning{Code: "own-log", Values: v,
		Message: fmt.Sprintf("rests on a log of %s: %s among %s ranks, %s to %s; without it %s", k.Name, v["collective"], v["ranks"], v["small"], v["large"], v["before"])})
	return a, nil
}

func factor(v float64) string { return fmt.Sprintf("%.3g", v) }

// unusedText says why a machine's logs do not bear on a case.
var unusedText = map[Ground]string{
	OtherSystem:  "they are of other accelerators or other links between them",
	OtherReach:   "they stay within a node and this does not, or the other way round",
	OtherNetwork: "they are of another network between nodes",
	Narrowed:     "they do not say what an oversubscribed network does",
}
