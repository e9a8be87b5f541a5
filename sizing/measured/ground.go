package measured

import (
	"fmt"
	"math"
	"slices"

	"lockstep/engine/unit"
)

// Ground is how the logs of a machine bear on a case.
type Ground string

// The grounds. Of those on which no prediction rests, a later one is nearer to
// one on which it does.
const (
	OtherSystem  Ground = "system"   // the accelerators or their links are others
	OtherReach   Ground = "reach"    // the logs stay within a domain and the case does not, or the other way round
	OtherNetwork Ground = "network"  // the network between domains, or what a rank has of it, is another
	Narrowed     Ground = "narrowed" // the case is oversubscribed, of which no log says whether it was
	Beyond       Ground = "beyond"   // the hardware is the same; the collective, the number of ranks or the size is another
	Seen         Ground = "measured" // that collective among as many ranks, between sizes of a log
)

var grounds = []Ground{OtherSystem, OtherReach, OtherNetwork, Narrowed, Beyond, Seen}

// Rests reports whether a prediction rests on a log.
func (g Ground) Rests() bool { return g == Beyond || g == Seen }

// sameNIC is the factor within which two rates of network are one.
const sameNIC = 1.1

// bears is how a table of the case at bears on the case c.
func (t KeptTable) bears(c, at Case) Ground {
	is, was := c.System, at.System
	across := is.Domains > 1
	switch {
	case is.Family != was.Family || is.Scale != was.Scale:
		return OtherSystem
	case across != (was.Domains > 1):
		return OtherReach
	case across && (is.Network != was.Network || !(is.NIC <= sameNIC*was.NIC && was.NIC <= sameNIC*is.NIC)):
		return OtherNetwork
	case across && c.Shape.Narrows(c.Collective, is) > 1:
		return Narrowed
	case t.Collective != c.Collective || was.Ranks != is.Ranks || was.Nodes != is.Nodes || len(t.Rows) == 0:
		return Beyond
	}
	least, most := t.span()
	if c.Size < least || c.Size > most {
		return Beyond
	}
	return Seen
}

// span is the smallest and the largest size of a table with rows.
func (t KeptTable) span() (least, most unit.Bytes) {
	least, most = t.Rows[0].Size, t.Rows[0].Size
	for _, r := range t.Rows {
		least, most = min(least, r.Size), max(most, r.Size)
	}
	return least, most
}

// Bears says how the machine's logs bear on a case, and which table does: the
// nearest of those of the best ground. Where none does, the table is the zero
// value.
func (k Kept) Bears(c Case) (KeptTable, Ground) {
	best, least, ground := -1, math.Inf(1), OtherSystem
	for i, t := range k.Tables {
		at := t.Case()
		at.Size = c.Size
		g, d := t.bears(c, at), distance(c, at)
		if order := slices.Index(grounds, g) - slices.Index(grounds, ground); order > 0 || order == 0 && g.Rests() && d < least {
			best, least, ground = i, d, g
		}
	}
	if best < 0 || !ground.Rests() {
		return KeptTable{}, ground
	}
	return k.Tables[best], ground
}

// Resting is a prediction for a machine of which logs are kept.
type Resting struct {
	Prediction         // its Breakdown is the model's, without the log
	Ground     Ground  // where it does not rest on a log, Prediction is Price's
	Before     float64 // us, without the log
	Table      KeptTable
	Fitted     Machine
}

// PriceOn is Price for a machine of which logs are kept: the factors of the
// table that bears on the case, and what its rows show beside, change the time.
// Where that very case was measured the grade is A; otherwise it stays. The
// interval is that of the grade about the new time, and at least as wide as the
// log's own rows lay from what the others said of them. The error is ErrTooFew
// for a machine without rows.
func (l *Library) PriceOn(k Kept, c Case) (Resting, error) {
	r := Resting{Prediction: l.Price(c)}
	r.Before = r.Time
	if len(k.Tables) == 0 {
		return r, fmt.Errorf("predict on %s: %w", k.Name, ErrTooFew)
	}
	if r.Table, r.Ground = k.Bears(c); !r.Ground.Rests() {
		return r, nil
	}
	var err error
	if r.Fitted, err = l.recognise(r.Table, r.Table.points()); err != nil {
		return r, fmt.Errorf("predict on %s: %w", k.Name, err)
	}
	r.Time = r.Fitted.Time(&l.constants, c)
	if r.Ground == Seen {
		r.Grade = Own
	}
	width := hull(l.width(r.Grade, c), l.unseen(r.Table, c.Size))
	r.Low, r.High = r.Time*min(width[0], 1), r.Time*max(width[1], 1)
	return r, nil
}

// unseen is how far the rows of a table lie from what the others say of them:
// the factors from what is predicted to the ends, of sizes below or from 1 MiB
// on as the size asked for is. Zero where nothing can be said.
func (l *Library) unseen(t KeptTable, size unit.Bytes) [2]float64 {
	points := steady(t.points())
	var width [2]float64
	for i := 1; i+1 < len(points); i++ { // the ends have nothing beyond them to be judged by
		if (points[i].Size < big) != (size < big) {
			continue
		}
		m, err := l.recognise(t, slices.Delete(slices.Clone(points), i, i+1))
		if err != nil {
			continue
		}
		c := t.Case()
		c.Size = points[i].Size
		off := points[i].Time / m.Time(&l.constants, c)
		width = hull(width, [2]float64{off, off})
	}
	return width
}

// hull is the narrowest interval that holds two; one that is not known is
// nothing.
func hull(a, b [2]float64) [2]float64 {
	switch {
	case a == [2]float64{}:
		return b
	case b == [2]float64{}:
		return a
	}
	return [2]float64{min(a[0], b[0]), max(a[1], b[1])}
}
