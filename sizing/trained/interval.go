package trained

import (
	"hash/fnv"
	"math"
	"slices"
	"strconv"
)

// group is runs that are judged together: those of a source, by what they train.
func (r Run) group() string {
	switch {
	case r.Source == "":
		return ""
	case r.Source == "vtrain" && r.Row.GPUs <= 8:
		return "vtrain node"
	case r.Source == "vtrain":
		return "vtrain nodes"
	case r.Mixes():
		return r.Source + " experts"
	}
	return r.Source + " dense"
}

// left is what is left out together when a run is predicted as one of a family
// that nobody has measured. One software's grid of shapes counts each of them.
func (r Run) left() string {
	switch r.Source {
	case "vtrain":
		return r.Family + ":" + strconv.Itoa(int(r.Case.Shape.Attends))
	case "maxtext":
		return r.Row.Model
	}
	return r.Family
}

// folds is how many parts runs are cut into to see how far a prediction is off
// for another layout of a known family.
const folds = 6

// fold puts runs that differ in no more than their number of accelerators into
// one part.
func (r Run) fold() string {
	l := r.Case.Layout
	h := fnv.New32a()
	for _, v := range []float64{l.TP, l.PP, l.CP, l.EP, l.Micro, l.Sequence, r.Case.Shape.Attends, float64(r.Case.Format)} {
		h.Write([]byte(strconv.FormatFloat(v, 'g', -1, 64) + ","))
	}
	h.Write([]byte(r.Version + r.Family + r.GPU))
	return strconv.Itoa(int(h.Sum32() % folds))
}

// Width is how far a run lies from its prediction, nine times in ten, as a
// logarithm: for a family of models that was measured on the same software, and
// for one that never was.
type Width struct {
	Known float64 `json:"known"`
	New   float64 `json:"new"`
}

// held is the share that an interval is to hold, and unseen the widths where
// nothing of the kind was measured.
const held = 0.9

func unseen(mixes bool) float64 {
	if mixes {
		return 0.5
	}
	return 0.2
}

// knownWidth is the width for other layouts of measured families: the point that
// nine of ten errors lie below, drawn a little towards what is taken where
// nothing is known.
func knownWidth(errors []float64, mixes bool) float64 {
	if len(errors) == 0 {
		return unseen(mixes)
	}
	n := float64(len(errors))
	return (n*quantile(errors, held) + 10*unseen(mixes)/2) / (n + 10)
}

// newWidth is the width for a family that was not measured. Every family counts
// once, however many runs it has, by the point that four of five of its runs lie
// below. Of many families nine of ten are to be held; of a few the worst is
// taken, or the second worst of those with experts, some of whose shapes are
// guesses. It is drawn towards what is taken where nothing is known: where one
// family alone was measured, as far as software lies apart.
func newWidth(errors map[string][]float64, mixes bool) float64 {
	var each []float64
	for _, e := range errors {
		each = append(each, quantile(e, 0.8))
	}
	toward, w := unseen(mixes), unseen(mixes)
	switch n := len(each); {
	case n == 1:
		toward, w = max(toward, 0.3), each[0]
	case n >= 9:
		w = quantile(each, held)
	case n >= 5 && mixes:
		w = quantile(each, 0.8)
	case n > 1:
		w = slices.Max(each)
	}
	n := float64(len(each))
	w = (n*w + 2*toward) / (n + 2)
	if mixes {
		w = math.Max(w, newMixture)
	}
	return w
}

// newMixture is the least width for a family with experts that was not measured:
// the same run moves by half as much from one release of its software to the
// next.
const newMixture = 0.38

// quantile of absolute errors, without interpolation.
func quantile(errors []float64, q float64) float64 {
	sorted := make([]float64, len(errors))
	for i, e := range errors {
		sorted[i] = math.Abs(e)
	}
	slices.Sort(sorted)
	return sorted[min(len(sorted)-1, int(math.Ceil(q*float64(len(sorted))))-1)]
}
