package calibrate

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Model predicts runs at full speed on one machine. It is immutable and safe
// for concurrent use.
type Model struct {
	processors int
	found      []Found
	anchors    map[alike][]anchor // by ascending size
}

// alike is what makes two runs the same but for their size: besides what was
// asked, the shape of the schedule, so that algorithms that come to the same
// with few ranks learn from each other.
type alike struct {
	link       trace.Link
	collective schedule.Collective
	ranks      int
	shape      shape
}

// shape is how long a schedule takes when only one thing costs time: a hop, a
// piece, moving, adding up; in millionths.
type shape [4]int64

// shapeSize is the size that shapes are taken at, in one slice.
const shapeSize = unit.MiB

func (m *Model) alike(spec trace.Spec) (alike, error) {
	whole := unit.Bytes(spec.DType.Width() * spec.Ranks)
	canonical := spec
	canonical.Size, canonical.Slices = shapeSize/whole*whole, 1
	if spec.Size == 0 {
		canonical.Size = 0
	}
	g, err := newGame(canonical, m.processors)
	if err != nil {
		return alike{}, err
	}
	a := alike{link: spec.Link, collective: spec.Collective, ranks: spec.Ranks}
	for i, only := range []prices{{hop: 1}, {piece: 1}, {move: 1.0 / float64(shapeSize)}, {reduce: 1.0 / float64(shapeSize)}} {
		t, _ := g.play(only)
		a.shape[i] = int64(math.Round(float64(t) * 1e6))
	}
	return a, nil
}

// anchor is how much longer than by the costs alone a run took.
type anchor struct {
	size   float64
	factor float64
}

// ErrNotCalibrated says that a model knows nothing of a link.
var ErrNotCalibrated = errors.New("the link is not calibrated here")

// NewModel returns the model of a calibration. Later runs on the same machine,
// oldest first, are held to as well: where they are of a kind and a size that
// was measured before, the median counts.
func NewModel(c Calibration, later []Measured) *Model {
	m := &Model{processors: c.Machine.CPUs, found: c.Found, anchors: map[alike][]anchor{}}
	type spot struct {
		alike
		size unit.Bytes
	}
	factors := map[spot][]float64{}
	var order []spot
	for _, run := range slices.Concat(c.Measured, later) {
		if run.Time <= 0 || run.Ranks < 2 || !plain(run.DType, run.Op) {
			continue
		}
		played, err := m.play(run.spec())
		if err != nil || played.Time <= 0 {
			continue // of a link that is not calibrated, or of another version's catalogue
		}
		kind, err := m.alike(run.spec())
		if err != nil {
			continue
		}
		s := spot{kind, run.Size}
		if factors[s] == nil {
			order = append(order, s)
		}
		factors[s] = append(factors[s], math.Log(float64(run.Time/played.Time)))
	}
	for _, s := range order {
		m.anchors[s.alike] = append(m.anchors[s.alike], anchor{max(float64(s.size), 1), middle(factors[s])})
	}
	for _, list := range m.anchors {
		slices.SortFunc(list, func(a, b anchor) int { return cmp.Compare(a.size, b.size) })
	}
	return m
}

// middle is the median, of an even number the mean of the middle two.
func middle(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// plain reports whether runs of a kind of arithmetic can stand for each other:
// calibration adds float32.
func plain(d schedule.DType, op schedule.ReduceOp) bool {
	return (d == schedule.Float32 || d == "") && (op == schedule.Sum || op == "")
}

// Prediction is what a model expects of a run.
type Prediction struct {
	Time      unit.Seconds
	Rounds    []unit.Seconds // the end of each counted round
	Low, High unit.Seconds   // a quiet machine stays between
	Basis     Basis

	doubt float64 // share by which the costs typically miss, 0 where runs of the kind were measured
}

// Basis is what a prediction rests on.
type Basis string

// The bases, the best first.
const (
	Same       Basis = "same"   // runs of the same kind were measured, at smaller and at larger sizes
	Beyond     Basis = "beyond" // the same, but all smaller or all larger
	SameRanks  Basis = "ranks"  // only other algorithms or collectives were measured with as many ranks
	OtherRanks Basis = "others" // runs were measured with other numbers of ranks only
	Unlike     Basis = "unlike" // and the data type or the operation is another besides
)

// margin is the factor within which the time of a quiet run lies, by basis.
// docs/measurements/predictions.md shows how often it does.
func (b Basis) margin(scatter float64) float64 {
	switch b {
	case Same:
		return 1.15
	case Beyond:
		return 1.3
	case SameRanks:
		return max(1.3, 1+3*scatter)
	}
	return max(1.6, 1+4*scatter)
}

const (
	// Of ranks that share processors, messages up to crowdedSmall take as long
	// as the system's scheduler likes, which the costs know nothing of: an
	// algorithm that was never seen may take crowdedDoubt more.
	crowdedSmall = unit.KiB
	crowdedDoubt = 1.0
)

// Predict predicts a resolved spec with a named algorithm. The error is
// ErrNotCalibrated where the link is unknown, and that of the schedule.
func (m *Model) Predict(spec trace.Spec) (Prediction, error) {
	p, err := m.play(spec)
	if err != nil {
		return Prediction{}, err
	}
	kind, err := m.alike(spec)
	if err != nil {
		return Prediction{}, err
	}
	found, _ := m.costs(spec)
	factor, within, ok := m.factor(kind, max(float64(spec.Size), 1))
	switch {
	case within:
		p.Basis = Same
	case ok:
		p.Basis = Beyond
	case found.Ranks == spec.Ranks:
		p.Basis = SameRanks
	default:
		p.Basis = OtherRanks
	}
	p.scale(factor)
	if !ok {
		p.doubt = found.Scatter
		if spec.Ranks > m.processors && spec.Size <= crowdedSmall {
			p.doubt = crowdedDoubt
		}
	}
	if !plain(spec.DType, spec.Op) && spec.Collective.Reduces() {
		p.Basis = Unlike
	}
	margin := unit.Seconds(p.Basis.margin(found.Scatter))
	p.Low, p.High = p.Time/margin, p.Time*margin
	return p, nil
}

func (p *Prediction) scale(factor float64) {
	p.Time *= unit.Seconds(factor)
	for i := range p.Rounds {
		p.Rounds[i] *= unit.Seconds(factor)
	}
}

// factor is by how much runs of a kind take longer than their costs alone, at
// a size: between two that were measured by their logarithms, outside as the
// nearest.
func (m *Model) factor(kind alike, size float64) (factor float64, within, ok bool) {
	list := m.anchors[kind]
	if len(list) == 0 {
		return 1, false, false
	}
	after, exact := slices.BinarySearchFunc(list, size, func(a anchor, size float64) int { return cmp.Compare(a.size, size) })
	switch {
	case exact:
		return math.Exp(list[after].factor), true, true
	case after == 0:
		return math.Exp(list[0].factor), false, true
	case after == len(list):
		return math.Exp(list[after-1].factor), false, true
	}
	low, high := list[after-1], list[after]
	share := between(low.size, size, high.size)
	return math.Exp(low.factor + share*(high.factor-low.factor)), true, true
}

// play plays a run by its costs alone.
func (m *Model) play(spec trace.Spec) (p Prediction, err error) {
	found, ok := m.costs(spec)
	if !ok {
		return p, ErrNotCalibrated
	}
	g, err := newGame(spec, m.processors)
	if err != nil {
		return p, err
	}
	p.Time, p.Rounds = g.play(g.prices(found.Costs, found.Ranks))
	return p, nil
}

// costs returns what was found for the link with as many ranks, or with the
// nearest number of those that crowd the processors alike.
func (m *Model) costs(spec trace.Spec) (best Found, ok bool) {
	crowded := func(ranks int) bool { return ranks > m.processors }
	far := func(f Found) float64 {
		d := math.Abs(math.Log(float64(f.Ranks) / float64(max(spec.Ranks, 1))))
		if crowded(f.Ranks) != crowded(spec.Ranks) {
			d += 100 // any that is crowded alike is nearer
		}
		return d
	}
	for _, f := range m.found {
		if f.Link == spec.Link && (!ok || far(f) < far(best)) {
			best, ok = f, true
		}
	}
	return best, ok
}

// Fastest returns the algorithm of spec's collective that the model holds
// fastest among those that hosts can carry out, and its prediction; of equals
// the one of the fewest steps. An algorithm of which no run was
// measured must be faster by what the costs typically miss: the shortest of many
// guesses is a guess that is too short. One that another outdoes is left out,
// whatever was measured: see outdoes.
func (m *Model) Fastest(spec trace.Spec) (string, Prediction, error) {
	var all []candidate
	var refused error
	for _, entry := range schedule.Catalog() {
		if entry.Collective != spec.Collective || !entry.Executable {
			continue
		}
		spec.Algorithm = entry.Algorithm
		c, err := m.candidate(spec)
		switch {
		case errors.Is(err, ErrNotCalibrated):
			return "", Prediction{}, err
		case err != nil:
			refused = err // such as a number of ranks that the algorithm does not take
		default:
			all = append(all, c)
		}
	}
	var best *candidate
	for i := range all {
		c := &all[i]
		outdone := slices.ContainsFunc(all, func(by candidate) bool { return by.outdoes(c) })
		spec.Algorithm = c.algorithm
		if !outdone && (best == nil || better(spec, c.prediction, best.algorithm, best.prediction)) {
			best = c
		}
	}
	if best == nil {
		return "", Prediction{}, refused
	}
	return best.algorithm, best.prediction, nil
}

// candidate is an algorithm that Fastest may take.
type candidate struct {
	algorithm  string
	prediction Prediction
	shape      shape
	played     float64 // seconds, by the costs alone
}

func (m *Model) candidate(spec trace.Spec) (candidate, error) {
	p, err := m.Predict(spec)
	if err != nil {
		return candidate{}, err
	}
	kind, err := m.alike(spec)
	if err != nil {
		return candidate{}, err
	}
	played, err := m.play(spec)
	return candidate{spec.Algorithm, p, kind.shape, float64(played.Time)}, err
}

// clearly is by how much the costs alone must set two algorithms apart.
const clearly = 1.3

// outdoes reports whether c does no more than other of anything that costs
// time, and clearly less of what does at this size: a measurement that says
// otherwise was disturbed, or the machine has changed between the two.
func (c *candidate) outdoes(other *candidate) bool {
	for i := range c.shape {
		if float64(c.shape[i]) > float64(other.shape[i])*(1+sameTime) {
			return false
		}
	}
	return other.played > clearly*c.played
}

// sameTime is how near two predictions are that say the same: the model does not
// see what a local move costs beside its bytes.
const sameTime = 0.02

// better reports whether a run is expected to be faster than with another
// algorithm; of two that are the same the one with fewer steps is.
func better(spec trace.Spec, p Prediction, than string, best Prediction) bool {
	mine, theirs := float64(p.Time)*(1+p.doubt), float64(best.Time)*(1+best.doubt)
	if math.Abs(mine-theirs) > sameTime*theirs {
		return mine < theirs
	}
	other := spec
	other.Algorithm = than
	a, err := spec.Schedule()
	if err != nil {
		return false
	}
	b, err := other.Schedule()
	return err == nil && len(a.Steps) < len(b.Steps)
}
